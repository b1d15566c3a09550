import numpy as np
import pandas as pd
import pytest

from autods.tools import fill_missing_values, mark_missing, missing_as_level, values_to_missing

nan = float("nan")


@pytest.mark.parametrize("method, expected", [("auto", 2.0), ("median", 2.0), ("mean", 4.0), ("mode", 1.0)])
def test_numbers_are_filled_by_the_method(method: str, expected: float) -> None:
    train = pd.DataFrame({"x": [1.0, 1.0, 3.0, 11.0, nan]})
    filled, test = fill_missing_values(train, pd.DataFrame({"x": [nan, 99.0, 99.0]}), method=method)
    assert filled["x"].iloc[-1] == expected
    assert test["x"].tolist() == [expected, 99.0, 99.0]


@pytest.mark.parametrize("method", ["auto", "median", "mean", "mode"])
def test_text_gets_its_mode_and_the_first_of_those_tied(method: str) -> None:
    filled, _ = fill_missing_values(pd.DataFrame({"t": ["b", "a", None, "a", "b"]}), method=method)
    assert filled["t"].tolist() == ["b", "a", "a", "a", "b"]


def test_infinite_numbers_do_not_decide_the_filling() -> None:
    filled, _ = fill_missing_values(pd.DataFrame({"x": [1.0, 3.0, np.inf, nan]}), method="mean")
    assert filled["x"].tolist() == [1.0, 3.0, np.inf, 2.0]


def test_a_column_that_train_leaves_empty_still_has_no_missing_values() -> None:
    train = pd.DataFrame({"x": [nan, nan], "t": pd.Series([None, None], dtype="str")})
    filled, test = fill_missing_values(train, pd.DataFrame({"x": [nan, 5.0], "t": ["a", None]}))
    assert filled.to_dict("list") == {"x": [0.0, 0.0], "t": ["missing", "missing"]}
    assert test.to_dict("list") == {"x": [0.0, 5.0], "t": ["a", "missing"]}


def test_groups_of_train_fill_and_small_ones_fall_back() -> None:
    train = pd.DataFrame(
        {
            "title": ["Mr"] * 10 + ["Master"] * 6 + ["Don"],
            "deck": (["A"] * 5 + ["B"] * 5) + ["A"] * 6 + ["A"],
            "age": [40.0] * 5 + [20.0] * 5 + [4.0] * 6 + [99.0],
        }
    )
    test = pd.DataFrame({"title": ["Mr", "Mr", "Master", "Don", "new", None], "deck": ["A", "B", "B", "A", "A", "A"]})
    _, filled = fill_missing_values(train, test.assign(age=nan), columns=["age"], by=["title", "deck"])
    assert filled["age"].tolist() == [40.0, 20.0, 4.0, 20.0, 20.0, 20.0]


def test_missing_keys_are_a_group() -> None:
    train = pd.DataFrame({"key": ["a"] * 6 + [None] * 6, "x": [1.0] * 6 + [9.0] * 5 + [nan]})
    filled, _ = fill_missing_values(train, columns=["x"], by="key")
    assert filled["x"].iloc[-1] == 9.0


def test_groups_fill_text_by_mode() -> None:
    train = pd.DataFrame({"key": [1] * 6 + [2] * 6, "t": ["a"] * 5 + [None] + ["b", "b", "b", "a", "a", None]})
    filled, _ = fill_missing_values(train, columns=["t"], by="key")
    assert filled["t"].iloc[[5, 11]].tolist() == ["a", "b"]


def test_datetimes_are_filled_by_the_median() -> None:
    train = pd.DataFrame({"when": pd.to_datetime(["2021-01-01", "2021-01-03", None])})
    filled, _ = fill_missing_values(train)
    assert filled["when"].iloc[-1] == pd.Timestamp("2021-01-02")


def test_nullable_types_become_plain() -> None:
    train = pd.DataFrame({"n": pd.Series([1, None], dtype="Int64"), "b": pd.Series([True, None], dtype="boolean")})
    filled, _ = fill_missing_values(train)
    assert filled.to_dict("list") == {"n": [1.0, 1.0], "b": [1.0, 1.0]}


def test_a_constant_is_written_as_the_column_needs() -> None:
    train = pd.DataFrame({"x": [1.0, nan], "t": ["a", None], "when": pd.to_datetime(["2021-01-01", None])})
    filled, _ = fill_missing_values(train, columns=["x", "t"], method="constant", fill_value=0)
    assert (filled["x"].iloc[1], filled["t"].iloc[1]) == (0.0, "0")
    filled, _ = fill_missing_values(train, columns="when", method="constant", fill_value="2000-01-01")
    assert filled["when"].iloc[1] == pd.Timestamp("2000-01-01")


@pytest.mark.parametrize(
    "call, message",
    [
        ({"method": "knn"}, r"method='knn' is not allowed: there are 'auto', 'constant', 'mean'"),
        ({"method": "medain"}, r"did you mean 'median'\?"),
        ({"method": "constant"}, r"fill_value=None must be the value to fill with"),
        ({"method": "constant", "fill_value": "none"}, r"fill_value='none' does not fit column 'x' of type float64"),
        ({"method": "constant", "fill_value": 1, "by": "t"}, r"by=.*has no use with method='constant'"),
        ({"by": ["tt"]}, r"by: train has no column 'tt'; there are|by: train has no column 'tt'; did you mean 't'"),
        ({"columns": {"x": 1}}, r"columns=.* must be a column name or a list"),
    ],
)
def test_a_wrong_call_says_what_is_allowed(call: dict, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        fill_missing_values(pd.DataFrame({"x": [1.0, nan], "t": ["a", None]}), **call)


def test_marks_follow_trains_missing_columns_only() -> None:
    train, test = pd.DataFrame({"a": [1.0, nan], "b": [1.0, 2.0]}), pd.DataFrame({"a": [1.0], "b": [nan]})
    marked, marked_test = mark_missing(train, test)
    assert list(marked) == list(marked_test) == ["a", "b", "a_missing"]


def test_a_name_that_is_taken_gets_a_number_in_both_frames() -> None:
    train = pd.DataFrame({"a": [1.0, nan], "a_missing": ["x", "y"]})
    marked, _ = mark_missing(train, columns=["a"])
    assert list(marked) == ["a", "a_missing", "a_missing_2"]


def test_missing_is_a_level() -> None:
    train = pd.DataFrame({"t": ["a", None], "n": [1.0, nan]})
    filled, test = missing_as_level(train, pd.DataFrame({"t": [None, "z"], "n": [1.0, 2.0]}))
    assert (filled["t"].tolist(), test["t"].tolist()) == (["a", "missing"], ["missing", "z"])
    assert filled["n"].isna().sum() == 1
    with pytest.raises(ValueError, match="level='' must be a text"):
        missing_as_level(train, level="")


def test_values_that_stand_for_missing_are_declared_missing() -> None:
    train = pd.DataFrame({"n": [0, 999], "x": [0.0, 999.0], "t": [" ? ", "0"]})
    declared, test = values_to_missing(train, train.copy(), values=[999, "?"])
    np.testing.assert_array_equal(declared["n"], [0, nan])
    assert declared.isna().sum().to_dict() == {"n": 1, "x": 1, "t": 1}
    assert test["n"].dtype == declared["n"].dtype == "float64"


def test_values_by_column_touch_only_that_column() -> None:
    declared, _ = values_to_missing(pd.DataFrame({"a": [0, 1], "b": [0, 1]}), values={"a": [0]})
    assert declared.isna().sum().to_dict() == {"a": 1, "b": 0}
    with pytest.raises(TypeError, match=r"values='\?' must be a list"):
        values_to_missing(pd.DataFrame({"a": [0]}), values="?")
