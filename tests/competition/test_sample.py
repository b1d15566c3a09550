from __future__ import annotations

import pandas as pd
import pytest

from autods.competition.sample import split_sample
from autods.records import LongIds


def frame(**columns: list[str]) -> pd.DataFrame:
    return pd.DataFrame(columns, dtype="str")


TRAIN = frame(id=["1", "2"], x=["5", "6"], y=["0", "1"])
TEST = frame(id=["7", "8"], x=["5", "6"])


def test_the_first_column_that_the_test_has_is_the_id() -> None:
    parts = split_sample(frame(id=["8", "7"], y=["0", "0"]), TRAIN, TEST)
    assert (parts.id_column, parts.key, parts.values) == ("id", "id", ("y",))
    assert parts.confidence == 0.99


def test_the_id_may_stand_last() -> None:
    parts = split_sample(frame(y=["0", "0"], id=["7", "8"]), TRAIN, TEST)
    assert (parts.id_column, parts.values) == ("id", ("y",))


def test_an_id_of_another_name_is_known_by_its_values() -> None:
    parts = split_sample(frame(RowId=["8", "7"], y=["0", "0"]), TRAIN, TEST)
    assert (parts.id_column, parts.key) == ("RowId", "id")


def test_row_numbers_correspond_by_position() -> None:
    parts = split_sample(frame(Id=["1", "2"], y=["0", "0"]), TRAIN.drop(columns="id"), TEST.drop(columns="id"))
    assert (parts.id_column, parts.key, parts.values) == ("Id", None, ("y",))


def test_a_sample_without_ids_has_values_only() -> None:
    parts = split_sample(frame(y=["0", "0"]), TRAIN, TEST)
    assert (parts.id_column, parts.values) == (None, ("y",))


def test_ids_foreign_to_the_test_lower_the_confidence() -> None:
    assert split_sample(frame(id=["70", "80"], y=["0", "0"]), TRAIN, TEST).confidence == 0.6


@pytest.mark.parametrize(
    ("ids", "order"),
    [(["7_a", "7_b", "8_a", "8_b"], "row_target"), (["7_a", "8_a", "7_b", "8_b"], "target_row")],
)
def test_long_ids_join_row_and_target(ids: list[str], order: str) -> None:
    train = frame(id=["1"], a=["1"], b=["2"])
    parts = split_sample(frame(row=ids, value=["0"] * 4), train, frame(id=["7", "8"]))
    assert parts.long_ids == LongIds("_", order)  # type: ignore[arg-type]
    assert parts.long_names == ("a", "b")
    assert parts.key == "id"


def test_long_ids_may_join_row_and_class() -> None:
    train = frame(id=["1", "2"], kind=["cat", "dog"])
    sample = frame(row=["7:cat", "7:dog", "8:cat", "8:dog"], value=["0"] * 4)
    parts = split_sample(sample, train, frame(id=["7", "8"]))
    assert parts.long_ids == LongIds(":", "row_target")
    assert parts.long_names == ("cat", "dog")


def test_an_id_with_an_underscore_is_not_taken_for_a_long_id() -> None:
    sample = frame(id=["7_1", "8_1"], y=["0", "0"])
    parts = split_sample(sample, TRAIN, frame(id=["7_1", "8_1"], x=["5", "6"]))
    assert parts.long_ids is None
