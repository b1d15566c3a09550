import pandas as pd
import pytest

from autods.tools import drop_columns, frequency_encode, group_size, scale_features
from autods.tools._checks import check_number, did_you_mean


@pytest.mark.parametrize(
    "name, allowed, message",
    [
        ("Agee", ["Fare", "Age"], "did you mean 'Age'? There are 'Age', 'Fare'"),
        ("AGE", ["Fare", "Age"], "did you mean 'Age'? There are 'Age', 'Fare'"),
        ("zzz", ["Fare", "Age"], "there are 'Age', 'Fare'"),
        ("zzz", [], "there are none"),
    ],
)
def test_the_nearest_is_offered_first(name: str, allowed: list[str], message: str) -> None:
    assert did_you_mean(name, allowed) == message


def test_a_long_list_is_cut() -> None:
    assert did_you_mean("x", [f"column {number}" for number in range(100)]).endswith("and 88 more")


@pytest.mark.parametrize(
    "value, limits, message",
    [
        (2, {"high": 1, "above": 0}, "share=2 must be a number greater than 0 and at most 1"),
        (1.5, {"low": 1, "integer": True}, "share=1.5 must be an integer at least 1"),
        ("a", {}, "share='a' must be a number"),
        (float("nan"), {"low": 0}, "share=nan must be a number at least 0"),
    ],
)
def test_a_number_out_of_range_is_named_with_its_range(value: object, limits: dict, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        check_number("share", value, **limits)


@pytest.mark.parametrize(
    "train, test, message",
    [
        (pd.DataFrame({1: [1]}), None, "train has the column name 1; column names must be text"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), None, "train has two columns named 'a'; rename one"),
        (pd.DataFrame({"a": [1]}), [1], "test must be a DataFrame or None, not list"),
    ],
)
def test_frames_that_cannot_be_worked_on_are_refused(train: object, test: object, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        scale_features(train, test)


def test_columns_by_position_are_explained() -> None:
    with pytest.raises(TypeError, match=r"drop_columns\(train.*only train and test are positional, all else is passed"):
        drop_columns(pd.DataFrame({"a": [1]}), None, ["a"])


def test_a_missing_argument_is_named() -> None:
    with pytest.raises(TypeError, match=r"missing a required (keyword-only )?argument: 'by'"):
        group_size(pd.DataFrame({"a": [1]}))


def test_a_column_that_test_lacks_is_named() -> None:
    with pytest.raises(ValueError, match="columns: test has no column 'y', train has it"):
        scale_features(pd.DataFrame({"a": [1], "y": [1]}), pd.DataFrame({"a": [1]}), columns=["y"])


def test_a_column_named_twice_counts_once() -> None:
    encoded, _ = frequency_encode(pd.DataFrame({"a": ["x"]}), columns=["a", "a"])
    assert list(encoded) == ["a", "a_freq"]


def test_a_column_that_is_text_in_test_alone_is_named() -> None:
    with pytest.raises(ValueError, match="column 'a' of test has type str, but numbers are needed"):
        scale_features(pd.DataFrame({"a": [1]}), pd.DataFrame({"a": ["x"]}), columns="a")
    untouched, _ = scale_features(pd.DataFrame({"a": [1]}), pd.DataFrame({"a": ["x"]}))
    assert untouched["a"].tolist() == [1]
