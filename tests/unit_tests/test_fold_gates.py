"""The gates of the folds fail on folds that would make a score false and let legitimate odd ones pass."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from autods.execution.context import file_hash
from autods.records import Folds, Score, Submission, Task, Training
from autods.unit_tests import test_modeling as gates
from autods.unit_tests.artifacts import Pair
from autods.validation.folds import save_folds

N = 60
TASK = Task(
    "t", "binary", ("y",), "accuracy", True, "labels", Submission(("id", "y"), "id", "labels"), ("no", "yes"), "id"
)
Y = np.arange(N) % 3 // 2
RAW = Pair(pd.DataFrame({"x": np.arange(N)}), pd.DataFrame({"x": np.arange(6)}))


def folds(n: int = N, k: int = 3, **changes: object) -> Folds:
    rows = np.arange(n)
    splits = tuple((rows[rows % k != i], rows[rows % k == i]) for i in range(k))
    return dataclasses.replace(Folds("stratified", splits, k, 1, "", n), **changes)  # type: ignore[arg-type]


FOLDS = folds(k=4)


def training(reason: str = "") -> Training:
    score = Score(0.5, 0.1, (0.5,), "accuracy", True)
    return Training((), None, score, None, reason)


@pytest.fixture
def stored(tmp_path: Path) -> SimpleNamespace:
    """The folds as the run stored them, in place of the artifacts."""
    path = tmp_path / "folds.npz"
    save_folds(FOLDS, path)
    return SimpleNamespace(path=path, digest=lambda key: file_hash(path))


def test_the_runs_own_folds_pass(stored: SimpleNamespace) -> None:
    gates.test_folds_are_the_runs_own(stored, FOLDS, training(), {"folds": file_hash(stored.path)})


@pytest.mark.parametrize(
    ("made", "noted", "said"),
    [
        (training(), {}, "noted no hash"),
        (training(), {"folds": "0" * 64}, "were changed after they were fixed"),
        (training("others"), None, "were trained on other folds"),
    ],
)
def test_other_folds_are_refused(
    stored: SimpleNamespace, made: Training, noted: dict[str, str] | None, said: str
) -> None:
    noted = {"folds": file_hash(stored.path)} if noted is None else noted
    with pytest.raises(AssertionError, match=said):
        gates.test_folds_are_the_runs_own(stored, FOLDS, made, noted)


def split(*pairs: tuple[list[int], list[int]]) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    return tuple((np.array(train, dtype=int), np.array(valid, dtype=int)) for train, valid in pairs)


@pytest.mark.parametrize(
    ("splits", "said"),
    [
        (split(([0, 1, 2], [2, 3])), "trains on 1 rows that it holds out: 2"),
        (split(([], [0, 1])), "no row to train on"),
        (split(([0, 1], [])), "holds out no row"),
        (split(([0, 1], [9])), "outside 0 to 3"),
        (split(([0, 0], [1])), "more than once"),
    ],
)
def test_folds_that_are_no_folds_are_refused(splits: tuple[tuple[np.ndarray, np.ndarray], ...], said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        gates.test_folds_are_disjoint(folds(4, 2, splits=splits))


def test_folds_pass() -> None:
    gates.test_folds_are_disjoint(FOLDS)
    gates.test_every_row_is_held_out_where_due(FOLDS, Y)
    gates.test_duplicates_share_a_fold(FOLDS, RAW)


def test_a_row_that_is_never_held_out_is_missed() -> None:
    with pytest.raises(AssertionError, match="Repeat 0 does not hold out each row once: row 3"):
        gates.test_every_row_is_held_out_where_due(folds(4, 2, splits=split(([1, 3], [0, 2]), ([0, 2, 3], [1]))), Y[:4])


@pytest.mark.parametrize(
    ("changed", "said"), [({"n_rows": 3}, "of 3 rows, but 4"), ({"n_repeats": 2}, "2 folds, not 2 × 2")]
)
def test_folds_of_other_rows_are_refused(changed: dict[str, int], said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        gates.test_every_row_is_held_out_where_due(folds(4, 2, **changed), Y[:4])


def test_repeats_hold_out_every_row_each() -> None:
    twice = folds(4, 2, splits=folds(4, 2).splits * 2, n_repeats=2)
    gates.test_every_row_is_held_out_where_due(twice, Y[:4])


TIME = folds(4, 2, kind="time", splits=split(([2, 0], [3]), ([2, 0, 3], [1])))
DAYS = pd.DataFrame({"day": ["2020-01-02", "2020-01-05", "2020-01-01", "2020-01-03"]})
TIMED = dataclasses.replace(TASK, time_column="day")


def test_rows_in_order_of_time_pass_though_the_file_is_not() -> None:
    gates.test_every_row_is_held_out_where_due(TIME, Y[:4])
    gates.test_only_later_rows_are_held_out(TIME, TIMED, DAYS, RAW)


@pytest.mark.parametrize("days", [DAYS, pd.DataFrame(index=range(4)), DAYS.assign(day=["?", "?", "?", "?"])])
def test_learning_from_what_is_held_out_later_is_refused(days: pd.DataFrame) -> None:
    mixed = dataclasses.replace(TIME, splits=split(([2, 1], [3]), ([2, 0, 3], [1])))
    with pytest.raises(AssertionError, match="Fold 0 learns from rows that fold 1 holds out: 1"):
        gates.test_only_later_rows_are_held_out(mixed, TIMED, days, RAW)


def test_learning_from_a_later_moment_is_refused() -> None:
    late = dataclasses.replace(
        TIME,
        splits=split(
            ([2, 1], [3]),
        ),
    )
    with pytest.raises(AssertionError, match="learns from moments later than rows 3"):
        gates.test_only_later_rows_are_held_out(late, TIMED, DAYS, RAW)


def test_copies_in_another_fold_are_refused() -> None:
    copied = Pair(RAW.train.assign(x=[0, 0, *range(2, N)]), RAW.test)
    with pytest.raises(AssertionError, match="Fold 0 learns from exact copies of rows that it holds out: 0"):
        gates.test_duplicates_share_a_fold(FOLDS, copied)


@pytest.mark.parametrize(
    ("changed", "x"),
    [
        ({"kind": "time"}, np.zeros(N)),
        ({"groups": np.arange(N)}, np.zeros(N)),
        ({}, np.arange(N) % 4),
    ],
    ids=["time", "groups", "few combinations"],
)
def test_equal_rows_that_are_no_copies_pass(changed: dict[str, object], x: np.ndarray) -> None:
    with pytest.raises(pytest.skip.Exception):
        gates.test_duplicates_share_a_fold(
            dataclasses.replace(FOLDS, **changed), Pair(pd.DataFrame({"x": x}), RAW.test)
        )  # type: ignore[arg-type]


def test_split_groups_are_refused() -> None:
    gates.test_groups_stay_whole(dataclasses.replace(FOLDS, groups=np.arange(N) % 4))
    with pytest.raises(AssertionError, match="Fold 0 splits"):
        gates.test_groups_stay_whole(dataclasses.replace(FOLDS, groups=np.arange(N) % 3))
