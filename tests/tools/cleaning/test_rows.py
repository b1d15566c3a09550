import pandas as pd
import pytest

from autods.tools import exclude_rows, fill_missing_values, remove_duplicates


@pytest.mark.parametrize("keep, marked", [("first", [1, 2]), ("last", [0, 1]), ("none", [0, 1, 2])])
def test_repeated_rows_are_marked_not_removed(keep: str, marked: list[int]) -> None:
    train = pd.DataFrame({"a": [1, 1, 1, 2], "b": [None, None, None, "x"]})
    result, _ = remove_duplicates(train, keep=keep)
    assert result.index[result["exclude_from_fit"]].tolist() == marked
    assert len(result) == 4


def test_the_columns_that_must_agree_can_be_named() -> None:
    result, _ = remove_duplicates(pd.DataFrame({"a": [1, 1], "b": [1, 2]}), columns=["a"])
    assert result["exclude_from_fit"].tolist() == [False, True]


def test_marks_add_up_and_keep_their_first_reason() -> None:
    train, _ = remove_duplicates(pd.DataFrame({"a": [1, 1, 9]}))
    train, _ = exclude_rows(train, rows=[False, True, True], reason="odd")
    assert train["exclude_reason"].tolist() == ["", "repeats another row", "odd"]


def test_marks_do_not_make_other_tools_stumble() -> None:
    train, test = remove_duplicates(pd.DataFrame({"a": [1.0, 1.0, None]}), pd.DataFrame({"a": [None, 1.0]}))
    filled, _ = fill_missing_values(train, test)
    assert list(filled) == ["a", "exclude_from_fit", "exclude_reason"]


def test_missing_truth_values_exclude_nothing() -> None:
    train = pd.DataFrame({"a": [1.0, None]})
    assert exclude_rows(train, rows=train["a"] > 5, reason="large")[0]["exclude_from_fit"].sum() == 0


def test_a_wrong_call_says_what_is_needed() -> None:
    train = pd.DataFrame({"a": [1, 2]})
    with pytest.raises(ValueError, match="rows has 1 truth values but train has 2 rows"):
        exclude_rows(train, rows=[True], reason="odd")
    with pytest.raises(ValueError, match="reason=' ' must say why"):
        exclude_rows(train, rows=[True, False], reason=" ")
