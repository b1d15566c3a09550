"""Each gate of modeling fails on a minimal broken training and lets legitimate odd ones pass; see also the gates of folds and submissions."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

from autods.competition.metrics import metric_of
from autods.records import Blend, CandidateResult, Decision, Folds, Score, Submission, Task, Training
from autods.unit_tests import test_modeling as gates
from autods.unit_tests.artifacts import Fit, Pair
from autods.validation.decisions import tune_decision
from autods.validation.scoring import constant_score, score_outputs

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


def outputs(shares: np.ndarray) -> np.ndarray:
    return np.column_stack([1 - shares, shares])


GOOD = np.where(np.arange(N) % 10 == 0, 1 - Y, Y) * 0.8 + 0.1
FITS = {
    "trees": Fit(outputs(GOOD), outputs(np.array([0.1, 0.9, 0.2, 0.8, 0.3, 0.1]))),
    "linear": Fit(outputs(GOOD**2), outputs(np.array([0.2, 0.7, 0.4, 0.6, 0.1, 0.3]))),
}
WEIGHTS = {"trees": 0.75, "linear": 0.25, "unused": 0.0}
OOF = 0.75 * FITS["trees"].oof + 0.25 * FITS["linear"].oof
TEST = 0.75 * FITS["trees"].test + 0.25 * FITS["linear"].test


def training(**changes: object) -> Training:
    metric = metric_of(TASK)
    decision = Decision("threshold", (0.4,))
    scores = {
        name: score_outputs(metric, Y, fit.oof, FOLDS, tune_decision(metric, TASK, Y, fit.oof, FOLDS))
        for name, fit in FITS.items()
    }
    results = tuple(CandidateResult(name, "ok", score) for name, score in scores.items())
    return dataclasses.replace(
        Training(
            results,
            Blend(WEIGHTS, decision, score_outputs(metric, Y, OOF, FOLDS, decision)),
            constant_score(metric, Y, "binary", 2, FOLDS),
            None,
            FOLDS.reason,
            audit={"trees": 0.0, "linear": 1e-12},
        ),
        **changes,
    )


def blend(**changes: object) -> Training:
    made = training()
    assert made.blend is not None
    return dataclasses.replace(made, blend=dataclasses.replace(made.blend, **changes))  # type: ignore[arg-type]


# --- predictions -----------------------------------------------------------------------------------------------------
def test_predictions_pass() -> None:
    gates.test_out_of_fold_predictions_are_where_due(OOF, FOLDS, TASK)
    gates.test_test_predictions_are_whole(TEST, TASK, RAW)
    gates.test_predictions_are_probabilities(OOF, TEST, TASK)


def with_value(array: np.ndarray, row: object, value: object) -> np.ndarray:
    copy = array.copy()
    copy[row] = value
    return copy


@pytest.mark.parametrize("value", [np.nan, np.inf, [0.5, np.nan]])
def test_a_held_out_row_without_prediction_is_missed(value: object) -> None:
    with pytest.raises(AssertionError, match=r"1 held-out rows have no finite prediction \(row 7\)"):
        gates.test_out_of_fold_predictions_are_where_due(with_value(OOF, 7, value), FOLDS, TASK)


def test_a_prediction_of_a_row_that_was_never_held_out_is_refused() -> None:
    whole = outputs(np.full(4, 0.5))
    half = folds(4, 2, splits=folds(4, 2).splits[:1], kind="time")
    gates.test_out_of_fold_predictions_are_where_due(with_value(whole, [1, 3], np.nan), half, TASK)
    with pytest.raises(AssertionError, match="2 rows that are never held out have a prediction"):
        gates.test_out_of_fold_predictions_are_where_due(whole, half, TASK)


@pytest.mark.parametrize("wrong", [OOF[:, :1], OOF[1:], OOF[:, 0]])
def test_predictions_of_another_shape_are_refused(wrong: np.ndarray) -> None:
    with pytest.raises(AssertionError, match=r"not \(60, 2\)"):
        gates.test_out_of_fold_predictions_are_where_due(wrong, FOLDS, TASK)


@pytest.mark.parametrize(("wrong", "said"), [(TEST[1:], r"not \(6, 2\)"), (with_value(TEST, 2, np.nan), "row 2")])
def test_test_predictions_that_are_not_whole_are_refused(wrong: np.ndarray, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        gates.test_test_predictions_are_whole(wrong, TASK, RAW)


@pytest.mark.parametrize(
    ("oof", "test", "said"),
    [
        (with_value(OOF, 3, [1.2, -0.2]), TEST, r"1 out-of-fold predictions are outside 0 to 1 \(row 3\)"),
        (OOF, with_value(TEST, 1, [0.5, 0.6]), r"1 test predictions do not sum to 1 \(row 1\)"),
    ],
)
def test_what_is_no_probability_is_refused(oof: np.ndarray, test: np.ndarray, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        gates.test_predictions_are_probabilities(oof, test, TASK)


def test_labels_that_do_not_exclude_each_other_need_not_sum_to_one() -> None:
    several = dataclasses.replace(TASK, kind="multilabel", targets=("a", "b"), classes=())
    gates.test_predictions_are_probabilities(np.full((4, 2), 0.9), np.full((2, 2), 0.9), several)


# --- the blend and its score -----------------------------------------------------------------------------------------
def test_the_blend_passes() -> None:
    gates.test_blend_is_made_of_its_candidates(training(), FITS, OOF, TEST)
    gates.test_scores_are_recomputed(training(), FITS, Y, FOLDS, TASK)
    gates.test_reported_score_is_not_flattering(training(), OOF, Y, FOLDS, TASK)
    gates.test_blend_is_not_worse_than_a_constant(training())
    gates.test_score_beats_the_constant(training())
    gates.test_refit_reproduces_the_predictions(training(), FITS)
    gates.test_every_candidate_of_the_blend_was_refitted(training())


@pytest.mark.parametrize(
    ("made", "oof", "test", "said"),
    [
        (blend(weights={"trees": 0.7, "linear": 0.2}), OOF, TEST, "weights sum to 0.9, not 1"),
        (blend(weights={"trees": 1.5, "linear": -0.5}), OOF, TEST, "negative"),
        (blend(weights={"lost": 1.0}), OOF, TEST, "uses 'lost', which did not succeed"),
        (training(), OOF + 1e-3, TEST, "blended oof predictions are not the weighted mean"),
        (training(), OOF, TEST[::-1], "blended test predictions are not the weighted mean"),
        (training(blend=None), OOF, TEST, "No candidate succeeded"),
    ],
)
def test_a_blend_of_something_else_is_refused(made: Training, oof: np.ndarray, test: np.ndarray, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        gates.test_blend_is_made_of_its_candidates(made, FITS, oof, test)


def test_a_score_that_is_not_what_the_predictions_give_is_refused() -> None:
    trees, linear = training().results
    assert trees.score is not None
    swapped = dataclasses.replace(trees.score, folds=trees.score.folds[::-1])
    for wrong in (
        dataclasses.replace(trees.score, value=0.99),
        swapped,
        dataclasses.replace(trees.score, folds=(0.9,)),
    ):
        made = training(results=(dataclasses.replace(trees, score=wrong), linear))
        with pytest.raises(AssertionError, match="The score of 'trees' is reported as"):
            gates.test_scores_are_recomputed(made, FITS, Y, FOLDS, TASK)
    with pytest.raises(AssertionError, match="'trees' is in the blend but has no score"):
        gates.test_scores_are_recomputed(
            training(results=(dataclasses.replace(trees, score=None), linear)), FITS, Y, FOLDS, TASK
        )


def test_a_reported_score_better_than_the_predictions_is_refused() -> None:
    flattering = blend(score=scored(0.99, 0.98, 1.0, 0.99))
    with pytest.raises(AssertionError, match=r"The reported score 0\.99\d* is better than the 0\.[3-8]"):
        gates.test_reported_score_is_not_flattering(flattering, OOF[::-1], Y, FOLDS, TASK)


def test_a_score_in_another_metric_is_refused() -> None:
    other = blend(score=dataclasses.replace(scored(0.1, 0.1, 0.1, 0.1), metric="rmse", greater_is_better=False))
    with pytest.raises(AssertionError, match=r"\('rmse', False, 4\), it must be \('accuracy', True, 4\)"):
        gates.test_reported_score_is_not_flattering(other, OOF, Y, FOLDS, TASK)


def test_a_reported_score_that_is_honestly_worse_passes() -> None:
    gates.test_reported_score_is_not_flattering(blend(score=scored(0.8, 0.85, 0.8, 0.85)), OOF, Y, FOLDS, TASK)


def scored(*values: float) -> Score:
    return Score(float(np.mean(values)), 0.01, values, "accuracy", True)


def test_worse_than_a_constant_in_every_fold_is_refused() -> None:
    with pytest.raises(AssertionError, match=r"The blend scores 0.4, the best constant 0.6\d* \(accuracy\): worse by"):
        gates.test_blend_is_not_worse_than_a_constant(blend(score=scored(0.4, 0.41, 0.39, 0.4)))


def test_no_better_than_a_constant_is_only_odd() -> None:
    same = blend(score=training().constant)
    gates.test_blend_is_not_worse_than_a_constant(same)
    with pytest.raises(AssertionError, match="within its standard error"):
        gates.test_score_beats_the_constant(same)


@pytest.mark.parametrize(
    ("audit", "said"),
    [
        ({"trees": 0.0}, "'linear' were not refitted and nothing says why"),
        ({"trees": 0.2, "linear": 0.0}, "A refit of 'trees' differs by up to 0.2"),
        ({"trees": np.nan, "linear": 0.0}, "'trees' differs by up to nan"),
    ],
)
def test_a_refit_that_differs_is_refused(audit: dict[str, float], said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        gates.test_refit_reproduces_the_predictions(training(audit=audit), FITS)


def test_a_refit_that_the_budget_cut_off_is_only_odd() -> None:
    made = training(audit={"trees": 0.0}, not_done=("No time was left to fit a fold of linear again and compare.",))
    gates.test_refit_reproduces_the_predictions(made, FITS)
    with pytest.raises(AssertionError, match="'linear' were not refitted: No time was left"):
        gates.test_every_candidate_of_the_blend_was_refitted(made)


def test_large_values_may_differ_in_their_last_digits() -> None:
    large = {"trees": Fit(np.full((4, 1), 1e6), np.zeros((1, 1)))}
    gates.test_refit_reproduces_the_predictions(training(audit={"trees": 1e-5, "linear": 0.0}), large)


def test_what_is_learned_by_heart_is_odd() -> None:
    rows = np.arange(N)
    by_heart = Fit(outputs(np.full(N, 0.1) + 0.1 * Y), TEST, np.column_stack([rows, outputs(Y * 1.0)]))
    with pytest.raises(AssertionError, match=r"'trees' \(1 on rows it learned, 0\.6"):
        gates.test_train_and_validation_scores_are_close({"trees": by_heart}, Y, TASK, training())
    honest = Fit(OOF, TEST, np.column_stack([rows, OOF]))
    gates.test_train_and_validation_scores_are_close({"trees": honest, "linear": FITS["linear"]}, Y, TASK, training())
