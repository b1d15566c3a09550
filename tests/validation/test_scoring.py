"""Scores on folds, their standard errors, and differences paired by fold."""

from __future__ import annotations

import numpy as np
import pytest

from autods.records import Folds, Score
from autods.validation.scoring import constant_score, held_out_rows, paired_difference, rank_key, score_outputs


def test_the_score_is_the_mean_over_folds_with_the_error_of_one_repeat(make_metric, make_task, fold):
    y = np.random.default_rng(0).normal(size=100)
    folds = fold(make_task("regression", "mae"), y)
    score = score_outputs(make_metric("regression", "mae"), y, np.zeros((100, 1)), folds)
    by_fold = np.array([np.abs(y[valid]).mean() for _, valid in folds.splits])
    assert score.folds == pytest.approx(by_fold)
    assert score.value == pytest.approx(by_fold.mean())
    variances = by_fold.reshape(3, 5).var(axis=1, ddof=1) / 5
    assert score.standard_error == pytest.approx(np.sqrt(variances.mean()))


def test_a_fold_that_the_metric_cannot_score_is_left_out(make_metric):
    splits = ((np.arange(4, 8), np.arange(4)), (np.arange(4), np.arange(4, 8)))
    y = np.array([0, 1, 0, 1, 0, 0, 0, 0])
    score = score_outputs(
        make_metric("binary", "auroc", 2), y, np.column_stack([1 - y, y * 1.0]), Folds("plain", splits, 2, 1, "", 8)
    )
    assert score.value == 1.0
    assert np.isnan(score.folds[1])


def test_folds_that_can_all_not_be_scored_are_scored_together(make_metric):
    splits = ((np.arange(2, 4), np.arange(2)), (np.arange(2), np.arange(2, 4)))
    y = np.array([0, 0, 1, 1])
    outputs = np.column_stack([1 - y, y]) * 1.0
    score = score_outputs(make_metric("binary", "auroc", 2), y, outputs, Folds("plain", splits, 2, 1, "", 4))
    assert score.value == 1.0


def test_leave_one_out_scores_a_mean_by_row(make_metric, make_task, fold):
    y = np.array([0, 1, 0, 1, 1, 0])
    outputs = np.eye(2)[[0, 1, 1, 1, 1, 0]]
    folds = fold(make_task("binary", "accuracy", 2), y)
    score = score_outputs(make_metric("binary", "accuracy", 2), y, outputs, folds)
    assert score.value == pytest.approx(5 / 6)
    assert score.folds == pytest.approx([1, 1, 0, 1, 1, 1])


def test_leave_one_out_scores_a_rank_metric_as_a_whole(make_metric, make_task, fold):
    y = np.array([0, 1, 0, 1, 1, 0])
    p = np.array([0.1, 0.8, 0.3, 0.6, 0.2, 0.4])
    folds = fold(make_task("binary", "auroc", 2), y)
    score = score_outputs(make_metric("binary", "auroc", 2), y, np.column_stack([1 - p, p]), folds)
    assert score.value == pytest.approx(7 / 9)
    assert np.isfinite(score.standard_error)


def test_rows_that_are_never_held_out_need_no_predictions(make_metric):
    folds = Folds("time", ((np.arange(2), np.arange(2, 4)),), 1, 1, "", 4)
    outputs = np.array([[np.nan], [np.nan], [1.0], [2.0]])
    score = score_outputs(make_metric("regression", "mae"), np.arange(4.0), outputs, folds)
    assert score.value == 1.0
    assert held_out_rows(folds).tolist() == [2, 3]


def test_the_constant_is_learnt_on_each_folds_own_training_rows(make_metric):
    splits = ((np.array([0, 1]), np.array([2, 3])), (np.array([2, 3]), np.array([0, 1])))
    score = constant_score(
        make_metric("regression", "mae"),
        np.array([0.0, 0, 10, 10]),
        "regression",
        1,
        Folds("plain", splits, 2, 1, "", 4),
    )
    assert score.value == 10.0


@pytest.mark.parametrize("greater_is_better, sign", [(True, -1), (False, 1)])
def test_a_paired_difference_is_positive_when_the_first_is_better(greater_is_better, sign):
    a, b = (Score(0.0, 0.0, folds, "m", greater_is_better) for folds in [(1.0, 2.0, 3.0), (2.0, 3.0, 4.5)])
    mean, error = paired_difference(a, b)
    assert mean == pytest.approx(sign * 7 / 6)
    assert error == pytest.approx(np.std([1, 1, 1.5], ddof=1) / np.sqrt(3))


def test_scores_of_other_folds_are_compared_without_pairing():
    a, b = Score(0.5, 0.3, (0.5,), "m", True), Score(0.4, 0.4, (), "m", True)
    assert paired_difference(a, b) == pytest.approx((0.1, 0.5))


def test_what_has_no_score_ranks_last():
    scores = [
        None,
        Score(float("nan"), 0.0, (), "m", True),
        Score(0.1, 0.0, (), "m", True),
        Score(0.2, 0.0, (), "m", True),
    ]
    assert sorted(scores, key=rank_key)[0].value == 0.2
    assert rank_key(scores[1]) == rank_key(None) == float("inf")
