"""The gates of the training: predictions where they are due, and scores that are what the predictions give."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pytest

from autods.records import Blend, Folds, Score, Task, Training
from autods.unit_tests.artifacts import Fit, Pair
from autods.unit_tests.wording import first_rows, listed, number

__all__ = [
    "test_blend_is_made_of_its_candidates",
    "test_blend_is_not_worse_than_a_constant",
    "test_every_candidate_of_the_blend_was_refitted",
    "test_out_of_fold_predictions_are_where_due",
    "test_predictions_are_probabilities",
    "test_refit_reproduces_the_predictions",
    "test_reported_score_is_not_flattering",
    "test_score_beats_the_constant",
    "test_scores_are_recomputed",
    "test_test_predictions_are_whole",
    "test_train_and_validation_scores_are_close",
]

_SAME = 1e-9


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


def test_scores_are_recomputed(
    training: Training, fits: Mapping[str, Fit], y: np.ndarray, folds: Folds, task: Task
) -> None:
    """The score of every candidate in the blend is what its predictions give in the competition's metric, fold by fold."""
    from autods.competition.metrics import metric_of
    from autods.validation.decisions import tune_decision
    from autods.validation.scoring import score_outputs

    metric = metric_of(task)
    for result in training.results:
        if result.name not in fits:
            continue
        assert result.score is not None, f"{result.name!r} is in the blend but has no score."
        oof = fits[result.name].oof
        due = score_outputs(metric, y, oof, folds, tune_decision(metric, task, y, oof, folds))
        assert _same_score(result.score, due), (
            f"The score of {result.name!r} is reported as {number(result.score.value)} ({result.score.metric}), but its"
            f" predictions give {number(due.value)} ({due.metric})."
        )


def test_reported_score_is_not_flattering(
    training: Training, oof: np.ndarray, y: np.ndarray, folds: Folds, task: Task
) -> None:
    """Weights and threshold were chosen on these rows, so the reported score is no better than the blend's score on them."""
    from autods.competition.metrics import metric_of
    from autods.validation.scoring import paired_difference, score_outputs

    blend = _blend(training)
    chosen = score_outputs(metric_of(task), y, oof, folds, blend.decision)
    reported = (blend.score.metric, blend.score.greater_is_better, len(blend.score.folds))
    due = (chosen.metric, chosen.greater_is_better, len(chosen.folds))
    assert reported == due, f"The reported score is (metric, greater is better, folds) {reported}, it must be {due}."
    gain, error = paired_difference(blend.score, chosen)
    assert not gain > max(2 * _noise(error), _SAME), (
        f"The reported score {number(blend.score.value)} is better than the {number(chosen.value)} that the blend's"
        " predictions give; report what they give."
    )


def _same_score(reported: Score, due: Score) -> bool:
    if (reported.metric, len(reported.folds)) != (due.metric, len(due.folds)):
        return False
    pairs = zip((reported.value, *reported.folds), (due.value, *due.folds), strict=True)
    return all(math.isclose(a, b, rel_tol=_SAME, abs_tol=_SAME) or (math.isnan(a) and math.isnan(b)) for a, b in pairs)


def _noise(error: float) -> float:
    """Read a standard error; one that is not known allows anything."""
    return error if math.isfinite(error) else math.inf


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
    assert not gain < -max(2 * _noise(error), _SAME), (
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


def test_refit_reproduces_the_predictions(training: Training, fits: Mapping[str, Fit]) -> None:
    """A fold refitted in a fresh process without the held-out labels predicts the same: nothing leaked or is random."""
    silent = [name for name in _not_refitted(training) if not any(name in reason for reason in training.not_done)]
    assert not silent, f"{listed(silent)} were not refitted and nothing says why: their predictions may not be honest."
    for name, difference in training.audit.items():
        scale = max(1.0, float(np.nanmax(np.abs(fits[name].oof), initial=0.0))) if name in fits else 1.0
        assert difference <= _SAME * scale, (
            f"A refit of {name!r} differs by up to {number(difference)}; set random_state, and learn from the training"
            " rows of a fold only."
        )


@pytest.mark.warn
def test_every_candidate_of_the_blend_was_refitted(training: Training) -> None:
    """What was not refitted was not shown to be honest."""
    lacking = _not_refitted(training)
    assert not lacking, f"{listed(lacking)} were not refitted: {'; '.join(training.not_done)}"


def _not_refitted(training: Training) -> list[str]:
    return [name for name, weight in _blend(training).weights.items() if weight and name not in training.audit]


@pytest.mark.warn
def test_train_and_validation_scores_are_close(
    fits: Mapping[str, Fit], y: np.ndarray, task: Task, training: Training
) -> None:
    """Candidates that know their training rows much better than new ones have learned them by heart."""
    from autods.competition.metrics import metric_of

    if all(fit.learned is None for fit in fits.values()):
        pytest.skip("No predictions of learned rows were kept.")
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
