import numpy as np
import pandas as pd
import pytest

from autods.tools import parse_numbers, replace_infinite
from autods.tools.cleaning.numbers import read_number

nan = float("nan")


@pytest.mark.parametrize(
    "text, expected",
    [
        ("1,234", 1234),
        ("1,234,567.8", 1234567.8),
        ("1 234", 1234),
        ("1'234.5", 1234.5),
        ("1\u202f234", 1234),
        ("$5", 5),
        ("-$5", -5),
        ("$-5", -5),
        ("5 €", 5),
        ("EUR 12.50", 12.5),
        ("(1,200)", -1200),
        ("−3", -3),
        ("+3", 3),
        ("12%", 12),
        ("12 percent", 12),
        ("3k", 3000),
        ("1.5M", 1.5e6),
        ("$2m", 2e6),
        ("2bn", 2e9),
        ("5 m", 5),
        ("12 kg", 12),
        ("1e3", 1000),
        (".5", 0.5),
        ("5.", 5),
        ("007", 7),
        ("", nan),
        ("?", nan),
        ("kg", nan),
        ("1 - 4 yrs", nan),
        ("10-20", nan),
        ("1,23", nan),
        ("1 2", nan),
        ("1.2.3", nan),
        ("(5", nan),
        ("C123", nan),
        ("2021-01-02", nan),
    ],
)
def test_a_number_is_read_as_people_write_it(text: str, expected: float) -> None:
    assert read_number(text)[0] == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("text, expected", [("1.234,5", 1234.5), ("3,5", 3.5), ("1.234", 1234), ("1,234.5", nan)])
def test_the_decimal_mark_may_be_a_comma(text: str, expected: float) -> None:
    assert read_number(text, decimal=",")[0] == pytest.approx(expected, nan_ok=True)


def test_only_columns_of_numbers_are_found() -> None:
    train = pd.DataFrame({"price": ["$5", "$1,200"], "town": ["Ulm", "Bonn"], "years": ["< 1 yr", "1 - 4 yrs"]})
    parsed, _ = parse_numbers(train)
    assert parsed.dtypes.astype(str).to_dict() == {"price": "float64", "town": "str", "years": "str"}


def test_values_in_another_unit_than_trains_are_missing() -> None:
    train = pd.DataFrame({"weight": ["12 kg", "15 kg", "16", "900 g"]})
    parsed, test = parse_numbers(train, pd.DataFrame({"weight": ["3 lb", "4 kg"]}), columns=["weight"])
    np.testing.assert_array_equal(parsed["weight"], [12, 15, 16, nan])
    np.testing.assert_array_equal(test["weight"], [nan, 4])


@pytest.mark.parametrize(
    "method, expected",
    [("missing", [1.0, nan, nan, -3.0]), ("extreme", [1.0, 1.0, -3.0, -3.0]), ("constant", [1.0, 9.0, 9.0, -3.0])],
)
def test_infinite_numbers_are_replaced(method: str, expected: list[float]) -> None:
    train = pd.DataFrame({"rate": [1.0, np.inf, -np.inf, -3.0]})
    replaced, test = replace_infinite(train, train.copy(), method=method, fill_value=9.0)
    np.testing.assert_array_equal(replaced["rate"], expected)
    np.testing.assert_array_equal(test["rate"], expected)


def test_integers_are_left_alone_where_there_is_nothing_infinite() -> None:
    replaced, _ = replace_infinite(pd.DataFrame({"n": [1, 2]}), method="missing")
    assert replaced["n"].dtype == "int64"
