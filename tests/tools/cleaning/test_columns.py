import pandas as pd
import pytest

from autods.tools import (
    drop_columns,
    remove_columns_with_missing_data,
    remove_constant_columns,
    remove_duplicate_columns,
)


def test_columns_are_dropped_from_both() -> None:
    train = pd.DataFrame({"a": [1], "b": [2], "c": [3]})
    for columns in (["a", "c"], {"a": "an id", "c": "a copy"}):
        assert [list(frame) for frame in drop_columns(train, train, columns=columns)] == [["b"], ["b"]]


@pytest.mark.parametrize("threshold, kept", [(0.5, ["a"]), (0.51, ["a", "b"]), (1.0, ["a", "b"])])
def test_the_share_of_missing_values_in_train_decides(threshold: float, kept: list[str]) -> None:
    train = pd.DataFrame({"a": [1, 2], "b": [1, None], "c": [None, None]})
    full = pd.DataFrame({"a": [1], "b": [1.0], "c": [1.0]})
    cleaned, test = remove_columns_with_missing_data(train, full, threshold=threshold)
    assert list(cleaned) == list(test) == kept


@pytest.mark.parametrize("threshold", [0, 1.5, "half"])
def test_the_share_must_be_a_share(threshold: object) -> None:
    with pytest.raises((ValueError, TypeError), match="must be a number greater than 0 and at most 1"):
        remove_columns_with_missing_data(pd.DataFrame({"a": [1]}), threshold=threshold)


def test_constant_columns_go() -> None:
    train = pd.DataFrame({"a": [1, 1], "b": [None, None], "c": ["x", None], "d": [1, 2]})
    assert list(remove_constant_columns(train)[0]) == ["c", "d"]
    assert list(remove_constant_columns(train, keep_missing=False)[0]) == ["d"]


def test_copies_go_but_not_columns_of_another_type() -> None:
    train = pd.DataFrame({"a": [1, 2], "b": [1.0, 2.0], "c": ["1", "2"], "d": [1, 2], "e": ["1", "2"]})
    assert list(remove_duplicate_columns(train)[0]) == ["a", "b", "c"]
