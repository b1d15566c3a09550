"""The gates of the folds: the run's own, disjoint, and as strict as the test set is."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import pytest

from autods.records import Folds, Task, Training
from autods.unit_tests.artifacts import Artifacts, Pair
from autods.unit_tests.wording import first_rows, listed

__all__ = [
    "test_duplicates_share_a_fold",
    "test_every_row_is_held_out_where_due",
    "test_folds_are_disjoint",
    "test_folds_are_the_runs_own",
    "test_groups_stay_whole",
    "test_only_later_rows_are_held_out",
]


def test_folds_are_the_runs_own(
    artifacts: Artifacts, folds: Folds, training: Training, hashes: Mapping[str, str]
) -> None:
    """Scores compare only on one set of folds, fixed before anything was learned."""
    assert "folds" in hashes, "The run noted no hash of its folds, so nothing tells whether they are its own."
    assert artifacts.digest("folds") == hashes["folds"], (
        "The folds were changed after they were fixed; every score is void."
    )
    assert training.folds == folds.reason, (
        f"The candidates were trained on other folds ({training.folds}) than the run's ({folds.reason})."
    )


def test_folds_are_disjoint(folds: Folds) -> None:
    """A row that is learned from and scored in the same fold makes the score too good."""
    for position, (train, valid) in enumerate(folds.splits):
        both = np.intersect1d(train, valid)
        assert not len(both), f"Fold {position} trains on {len(both)} rows that it holds out: {listed(both.tolist())}."
        rows = np.concatenate([train, valid])
        assert len(train), f"Fold {position} has no row to train on."
        assert len(valid), f"Fold {position} holds out no row."
        outside = (rows < 0) | (rows >= folds.n_rows)
        assert not outside.any(), f"Fold {position} names rows outside 0 to {folds.n_rows - 1}."
        assert len(np.unique(rows)) == len(rows), f"Fold {position} names rows more than once."


def test_every_row_is_held_out_where_due(folds: Folds, y: np.ndarray) -> None:
    """Each repeat scores every labelled row once, whatever cleaning did; by time, only later rows are scored."""
    assert folds.n_rows == len(y), f"The folds are of {folds.n_rows} rows, but {len(y)} are labelled."
    assert len(folds.splits) == folds.n_splits * folds.n_repeats, (
        f"There are {len(folds.splits)} folds, not {folds.n_splits} × {folds.n_repeats}."
    )
    if folds.kind == "time":
        return
    for repeat in range(folds.n_repeats):
        parts = folds.splits[repeat * folds.n_splits : (repeat + 1) * folds.n_splits]
        times = np.bincount(np.concatenate([valid for _, valid in parts]), minlength=len(y))
        assert (times == 1).all(), f"Repeat {repeat} does not hold out each row once: {first_rows(times != 1)}."


def test_only_later_rows_are_held_out(folds: Folds, task: Task, keys: pd.DataFrame, raw: Pair) -> None:
    """Where test comes after train, validation must too: nothing is learned from a later moment than is predicted."""
    if folds.kind != "time":
        pytest.skip("The folds do not go by time.")
    for position, (train, _) in enumerate(folds.splits):
        for later, (_, valid) in enumerate(folds.splits[position:], start=position):
            both = np.intersect1d(train, valid)
            assert not len(both), (
                f"Fold {position} learns from rows that fold {later} holds out: {listed(both.tolist())}."
            )
    moments = _moments(task, keys, raw)
    if moments is None:
        return
    for position, (train, valid) in enumerate(folds.splits):
        early = valid[moments[valid] < moments[train].max()]
        assert not len(early), (
            f"Fold {position} learns from moments later than rows {listed(early.tolist())}, which it holds out."
        )


def _moments(task: Task, keys: pd.DataFrame, raw: Pair) -> np.ndarray | None:
    """Read the time column as numbers, where its form leaves no doubt."""
    frame = keys if task.time_column in keys else raw.train
    if task.time_column not in frame:
        return None
    column = frame[task.time_column]
    numbers = pd.to_numeric(column, errors="coerce")
    if numbers.isna().any():
        numbers = pd.to_datetime(column, errors="coerce", format="ISO8601", utc=True)
    return (
        None if numbers.isna().any() else numbers.astype("int64" if numbers.dtype.kind == "M" else "float64").to_numpy()
    )


def test_duplicates_share_a_fold(folds: Folds, raw: Pair) -> None:
    """A row whose exact copy was learned from is no test of anything."""
    from autods.validation.folds import duplicate_groups

    if folds.kind == "time" or folds.groups is not None:
        pytest.skip(f"The folds go by {'time' if folds.kind == 'time' else 'group'}.")
    codes = duplicate_groups(raw.train)
    counts = np.bincount(codes)
    if counts.max() > len(codes) / 5 or np.count_nonzero(counts) < len(codes) / 4:
        pytest.skip("Most rows equal many others in all columns; equal rows are then no copies.")
    for position, (train, valid) in enumerate(folds.splits):
        shared = np.isin(codes[valid], codes[train])
        assert not shared.any(), (
            f"Fold {position} learns from exact copies of rows that it holds out: {listed(valid[shared].tolist())}."
        )


def test_groups_stay_whole(folds: Folds) -> None:
    """Where test holds new groups, validation must too: no group is both learned from and held out."""
    if folds.groups is None:
        pytest.skip("There are no groups.")
    for position, (train, valid) in enumerate(folds.splits):
        both = np.intersect1d(folds.groups[train], folds.groups[valid])
        assert not len(both), f"Fold {position} splits {len(both)} groups: codes {listed(both.tolist())}."
