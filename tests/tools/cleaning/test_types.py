import numpy as np
import pandas as pd
import pytest

from autods.tools import convert_data_types, match_types

nan = float("nan")


def convert(values: list, target_type: str, test: list | None = None) -> pd.Series:
    frames = pd.DataFrame({"c": values}), None if test is None else pd.DataFrame({"c": test})
    return convert_data_types(*frames, columns="c", target_type=target_type)[0]["c"]


@pytest.mark.parametrize(
    "values, target_type, expected, dtype",
    [
        (["1", " 2 "], "int", [1, 2], "int64"),
        ([1.0, 2.0], "int", [1, 2], "int64"),
        ([1.5, 2.0], "int", [1.5, 2.0], "float64"),
        (["1", "x"], "int", [1.0, nan], "float64"),
        (["1.5", None], "float", [1.5, nan], "float64"),
        ([True, False], "float", [1.0, 0.0], "float64"),
        ([1, 2], "str", ["1", "2"], "str"),
        ([1.0, nan], "str", ["1", nan], "str"),
        ([1.5, nan], "str", ["1.5", nan], "str"),
        (["yes", "No "], "bool", [True, False], "bool"),
        (["yes", None], "bool", [1.0, nan], "float64"),
        (["yes", "maybe"], "bool", [1.0, nan], "float64"),
        ([0, 3], "bool", [False, True], "bool"),
        (["2021-01-02", "?"], "datetime", [pd.Timestamp("2021-01-02"), pd.NaT], "datetime64[us]"),
    ],
)
def test_columns_are_converted(values: list, target_type: str, expected: list, dtype: str) -> None:
    pd.testing.assert_series_equal(convert(values, target_type), pd.Series(expected, name="c", dtype=dtype))


def test_missing_values_of_test_keep_both_from_being_integers() -> None:
    assert convert([1, 2], "int", test=["1", None]).dtype == "float64"
    assert convert(["yes", "no"], "bool", test=["yes", None]).dtype == "float64"


def test_datetimes_become_seconds_since_1970() -> None:
    train = pd.DataFrame({"c": pd.to_datetime(["1970-01-02"])})
    assert convert_data_types(train, columns="c", target_type="float")[0]["c"].tolist() == [86400.0]


def test_an_unknown_type_is_named() -> None:
    with pytest.raises(ValueError, match=r"target_type='integer' is not allowed: did you mean 'int'"):
        convert([1], "integer")


@pytest.mark.parametrize(
    "train, test, dtype",
    [
        ([1, 2], [1.5, nan], "float64"),
        ([True, False], [1, 0], "float64"),
        ([1, 2], ["3", "x"], "str"),
        ([1, 2], ["3", " 4"], "float64"),
        (["a", "b"], [nan, nan], "str"),
        (["a", "b"], [1.0, 2.0], "str"),
        (pd.to_datetime(["2021-01-02"]), pd.to_datetime(["2021-01-02T00:00Z"]), "datetime64[us]"),
    ],
)
def test_types_that_differ_become_one(train: list, test: list, dtype: str) -> None:
    left, right = match_types(pd.DataFrame({"c": train}), pd.DataFrame({"c": test}))
    assert left["c"].dtype == right["c"].dtype == dtype


def test_codes_read_as_floats_on_one_side_are_spelled_alike() -> None:
    left, right = match_types(pd.DataFrame({"c": ["1", "x"]}), pd.DataFrame({"c": [1.0, np.nan]}))
    assert left["c"][0] == right["c"][0] == "1"
