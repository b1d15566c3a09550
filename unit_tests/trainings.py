"""The gates of the validation: honest folds, predictions where they are due, and a score that is what they give."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pandas as pd
import pytest

from autods.records import Blend, Folds, Score, Task, Training
from autods.unit_tests.artifacts import Artifacts, Fit, Pair
from autods.unit_tests.wording import first_rows, listed, number

__all__ = [
    "test_blend_is_made_of_its_candidates",
    "test_blend_is_not_worse_than_a_constant",
    "test_duplicates_share_a_fold",
    "test_every_row_is_held_out_where_due",
    "test_folds_are_disjoint",
    "test_folds_are_the_runs_own",
    "test_groups_stay_whole",
    "test_only_later_rows_are_held_out",
    "test_out_of_fold_predictions_are_where_due",
    "test_predictions_are_probabilities",
    "test_refit_reproduces_the_predictions",
    "test_reported_score_is_recomputed",
    "test_score_beats_the_constant",
    "test_test_predictions_are_whole",
    "test_train_and_validation_scores_are_close",
]

_SAME = 1e-9


def test_folds_are_the_runs_own(
    artifacts: Artifacts, folds: Folds, training: Training, hashes: Mapping[str, str]
) -> None:
    """Scores compare only on one set of folds, fixed before anything was learned."""
    from autods.execution.context import file_hash
    from autods.validation.folds import folds_digest

    assert "folds" in hashes, "The run noted no hash of its folds, so nothing tells whether they are its own."
    assert file_hash(artifacts.path("folds")) == hashes["folds"], (
        "The folds were changed after they were fixed; every score is void."
    )
    assert training.folds == folds_digest(folds), (
        "The candidates were trained on other folds than the run's; train on those."
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


def test_out_of_fold_predictions_are_where_due(oof: np.ndarray, folds: Folds, task: Task) -> None:
    """Every held-out row has its prediction; no other row has, for it would be of a row that was learned."""
    assert oof.shape == (folds.n_rows, task.n_outputs), (
        f"The out-of-fold predictions are {oof.shape}, not {(folds.n_rows, task.n_outputs)}."
    )
    due = _held_out(folds)
    lacking = due & ~np.isfinite(oof).all(axis=1)
    surplus = ~due & ~np.isnan(oof).all(axis=1)
    assert not lacking.any(), (
        f"{lacking.sum()} held-out rows have no finite prediction ({first_rows(lacking)}); predict every held-out row."
    )
    assert not surplus.any(), (
        f"{surplus.sum()} rows that are never held out have a prediction ({first_rows(surplus)}); leave them missing."
    )


def _held_out(folds: Folds) -> np.ndarray:
    due = np.zeros(folds.n_rows, dtype=bool)
    for _, valid in folds.splits:
        due[valid] = True
    return due


def test_test_predictions_are_whole(test_predictions: np.ndarray, task: Task, raw: Pair) -> None:
    """Every test row has a finite prediction."""
    due = (len(raw.test), task.n_outputs)
    assert test_predictions.shape == due, f"The test predictions are {test_predictions.shape}, not {due}."
    bad = ~np.isfinite(test_predictions).all(axis=1)
    assert not bad.any(), f"{bad.sum()} test rows have no finite prediction ({first_rows(bad)})."


def test_predictions_are_probabilities(oof: np.ndarray, test_predictions: np.ndarray, task: Task) -> None:
    """Class predictions lie in 0 to 1 and sum to 1 in every row, so that scores and blends of them mean something."""
    if not task.is_classification:
        pytest.skip("The target is a number.")
    for name, outputs in (("out-of-fold", oof), ("test", test_predictions)):
        known = ~np.isnan(outputs).all(axis=1)
        outside = known & ((outputs < -_SAME) | (outputs > 1 + _SAME)).any(axis=1)
        assert not outside.any(), (
            f"{outside.sum()} {name} predictions are outside 0 to 1 ({first_rows(outside)}); give probabilities."
        )
        if task.kind != "multilabel":
            off = known & (np.abs(outputs.sum(axis=1) - 1) > 1e-6)
            assert not off.any(), (
                f"{off.sum()} {name} predictions do not sum to 1 ({first_rows(off)}); divide each row by its sum."
            )


def test_blend_is_made_of_its_candidates(
    training: Training, fits: Mapping[str, Fit], oof: np.ndarray, test_predictions: np.ndarray
) -> None:
    """What is scored and submitted is the weighted mean of candidates that ran, with weights that sum to 1."""
    assert training.blend is not None, "No candidate succeeded; see the messages of the candidates."
    weights = {name: weight for name, weight in training.blend.weights.items() if weight}
    succeeded = {result.name for result in training.results if result.status == "ok"}
    unknown = [name for name in weights if name not in succeeded]
    assert not unknown, f"The blend uses {listed(unknown)}, which did not succeed."
    assert min(weights.values(), default=0) > 0, "The blend has no positive weight, or a negative one."
    assert math.isclose(sum(weights.values()), 1, abs_tol=1e-6), (
        f"The weights sum to {number(sum(weights.values()))}, not 1."
    )
    for name, blended in (("oof", oof), ("test", test_predictions)):
        mean = sum(weight * getattr(fits[candidate], name) for candidate, weight in weights.items())
        same = np.allclose(mean, blended, rtol=1e-6, atol=_SAME, equal_nan=True)
        assert same, f"The blended {name} predictions are not the weighted mean of the candidates'."


def test_reported_score_is_recomputed(
    training: Training, oof: np.ndarray, y: np.ndarray, folds: Folds, task: Task
) -> None:
    """The reported score is what the out-of-fold predictions give in the competition's metric, fold by fold."""
    from autods.competition.metrics import metric_of
    from autods.validation.scoring import score_outputs

    blend = _blend(training)
    due = score_outputs(metric_of(task), y, oof, folds, blend.decision)
    assert _close(blend.score.value, due.value), (
        f"The reported score is {number(blend.score.value)}, but the predictions give {number(due.value)}."
    )
    wrong = [i for i, (a, b) in enumerate(zip(blend.score.folds, due.folds, strict=True)) if not _close(a, b)]
    assert not wrong, f"The reported scores of folds {listed(wrong)} are not what the predictions give."


def _close(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=_SAME, abs_tol=_SAME) or (math.isnan(a) and math.isnan(b))


def _blend(training: Training) -> Blend:
    if training.blend is None:
        pytest.fail("No candidate succeeded; see the messages of the candidates.", pytrace=False)
    return training.blend


def _gain(training: Training) -> tuple[float, float, Score]:
    from autods.validation.scoring import paired_difference

    score = _blend(training).score
    return (*paired_difference(score, training.constant), score)


def test_blend_is_not_worse_than_a_constant(training: Training) -> None:
    """Predictions worse than one number for all rows, beyond noise, are wrong: rows or labels may be mixed up."""
    gain, error, score = _gain(training)
    noise = 2 * error if math.isfinite(error) else math.inf
    assert not gain < -max(noise, _SAME), (
        f"The blend scores {number(score.value)}, the best constant {number(training.constant.value)} ({score.metric}):"
        f" worse by {number(-gain)}, with a standard error of {number(error)}; see whether features and labels belong"
        " to the same rows."
    )


@pytest.mark.warn
def test_score_beats_the_constant(training: Training) -> None:
    """Predictions should be better than one number for all rows; if not, the features may say nothing of the target."""
    gain, error, score = _gain(training)
    assert gain > (error if math.isfinite(error) else 0.0), (
        f"The blend scores {number(score.value)}, the best constant {number(training.constant.value)} ({score.metric});"
        f" the difference {number(gain)} is within its standard error {number(error)}."
    )


def test_refit_reproduces_the_predictions(training: Training) -> None:
    """A fold refitted in a fresh process without the held-out labels predicts the same: nothing leaked or is random."""
    used = [name for name, weight in _blend(training).weights.items() if weight]
    lacking = [name for name in used if name not in training.audit]
    assert not lacking, f"{listed(lacking)} were not refitted, so nothing tells whether their predictions are honest."
    off = {name: training.audit[name] for name in used if not training.audit[name] <= _SAME}
    assert not off, (
        f"A refit differs by up to {', '.join(f'{number(value)} for {name!r}' for name, value in off.items())};"
        " set random_state, and learn from the training rows of a fold only."
    )


@pytest.mark.warn
def test_train_and_validation_scores_are_close(
    fits: Mapping[str, Fit], y: np.ndarray, task: Task, training: Training
) -> None:
    """Candidates that know their training rows much better than new ones have learned them by heart."""
    from autods.competition.metrics import metric_of

    metric = metric_of(task)
    wide = []
    for name, fit in fits.items():
        if fit.learned is None:
            continue
        rows, outputs = fit.learned[:, 0].astype(np.int64), fit.learned[:, 1:]
        rows, outputs = rows[(due := np.isfinite(fit.oof[rows]).all(axis=1))], outputs[due]
        known, new = metric.score(y[rows], outputs), metric.score(y[rows], fit.oof[rows])
        constant = training.constant.value
        if abs(known - constant) > 2 * abs(new - constant) and abs(known - new) > 2 * training.constant.standard_error:
            wide.append(f"{name!r} ({number(known)} on rows it learned, {number(new)} on new ones)")
    assert not wide, f"Much of what was learned does not hold for new rows: {', '.join(wide)}; regularise more."
