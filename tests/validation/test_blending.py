"""Blends: what they are chosen by, when they are taken, and that their score is honest."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from autods.competition import get_metric
from autods.records import Folds
from autods.validation.blending import blend_outputs, choose_blend, choose_weights, greedy_blend, quick_weights
from autods.validation.decisions import outer_parts
from autods.validation.objectives import make_objective
from autods.validation.scoring import score_outputs


def regression(n: int = 300, n_candidates: int = 4, seed: int = 0) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """A target and candidates whose errors are independent."""
    generator = np.random.default_rng(seed)
    y = generator.normal(size=n)
    return y, {f"c{i}": (y + generator.normal(size=n))[:, None] for i in range(n_candidates)}


def classes(n: int, n_classes: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    y = generator.integers(0, n_classes, n)
    powers = np.exp(generator.normal(size=(n, n_classes)) + np.eye(n_classes)[y])
    return y, powers / powers.sum(axis=1, keepdims=True)


def test_candidates_with_independent_errors_share_the_weight(make_task, fold):
    y, oofs = regression()
    folds = fold(make_task("regression", "rmse"), y)
    weights = greedy_blend(get_metric("rmse"), "regression", y, oofs, folds)
    assert set(weights) == set(oofs)
    assert sum(weights.values()) == pytest.approx(1.0)
    assert max(weights.values()) < 0.4


def test_a_candidate_that_only_adds_noise_is_left_out(make_task, fold):
    generator = np.random.default_rng(0)
    known = generator.normal(size=(300, 1))
    y = known[:, 0] + generator.normal(size=300)
    oofs = {"clear": known, "noisy": known + generator.normal(size=(300, 1))}
    found = choose_weights(get_metric("rmse"), "regression", y, oofs, fold(make_task("regression", "rmse"), y))
    assert found.final == {"clear": 1.0}
    assert found.method == "single"


def test_of_equal_candidates_the_one_named_first_is_taken(make_task, fold):
    y, oofs = regression(n_candidates=1)
    folds = fold(make_task("regression", "rmse"), y)
    twins = {"first": oofs["c0"], "second": oofs["c0"].copy()}
    assert greedy_blend(get_metric("rmse"), "regression", y, twins, folds) == {"first": 1.0}
    assert quick_weights(get_metric("rmse"), "regression", y, twins, folds) == {"first": 1.0}


def test_a_tuned_candidate_must_beat_its_own_default_by_a_standard_error(make_task, fold):
    generator = np.random.default_rng(3)
    known = generator.normal(size=(200, 1))
    y = known[:, 0] + generator.normal(size=200)
    metric, folds = get_metric("rmse"), fold(make_task("regression", "rmse"), y)
    draws = (known + generator.normal(size=(200, 1)) * 0.01 for _ in range(20))
    by_chance = next(draw for draw in draws if metric.score(y, draw) < metric.score(y, known))
    assert metric.score(y, by_chance) < metric.score(y, known)
    assert greedy_blend(metric, "regression", y, {"a": known, "a#1": by_chance}, folds) == {"a": 1.0}
    better = known + (y[:, None] - known) * 0.5
    assert greedy_blend(metric, "regression", y, {"a": known, "a#1": better}, folds) == {"a#1": 1.0}


def test_a_blend_of_labels_is_chosen_by_log_loss(make_task, fold):
    y, good = classes(200, 2)
    # As accurate as can be, and never sure of it.
    lucky = np.full((200, 2), 0.5) + (np.eye(2)[y] - 0.5) * 1e-6
    task = make_task("binary", "accuracy", 2)
    weights = greedy_blend(get_metric("accuracy"), "binary", y, {"good": good, "lucky": lucky}, fold(task, y))
    assert weights["good"] > 0.5


def test_the_score_of_a_blend_is_that_of_rows_that_did_not_choose_it(make_task, fold):
    generator = np.random.default_rng(1)
    y = generator.normal(size=60)
    oofs = {f"c{i}": generator.normal(size=(60, 1)) for i in range(12)}
    task = make_task("regression", "rmse")
    folds = fold(task, y)
    metric = get_metric("rmse")
    blend = choose_blend(metric, task, y, oofs, folds)
    own = score_outputs(metric, y, blend_outputs(oofs, blend.weights), folds)
    assert blend.score.value > own.value, "choosing among noise must not look like skill"
    assert len(blend.score.folds) == len(own.folds), "still paired by fold"


def test_a_single_candidate_has_its_own_score(make_task, fold):
    y, oofs = regression(n_candidates=1)
    task = make_task("regression", "rmse")
    folds = fold(task, y)
    blend = choose_blend(get_metric("rmse"), task, y, oofs, folds)
    assert blend.weights == {"c0": 1.0}
    assert blend.score == score_outputs(get_metric("rmse"), y, oofs["c0"], folds)


def test_a_tuned_decision_is_part_of_the_blend_and_scored_out_of_part(make_task, fold):
    generator = np.random.default_rng(0)
    p = 1 / (1 + np.exp(2.5 - 1.5 * generator.normal(size=800)))
    y = (generator.random(800) < p).astype(np.int64)
    task = make_task("binary", "f1", 2)
    folds = fold(task, y)
    blend = choose_blend(get_metric("f1"), task, y, {"a": np.column_stack([1 - p, p])}, folds)
    assert blend.decision.values[0] < 0.5
    default = score_outputs(get_metric("f1"), y, np.column_stack([1 - p, p]), folds)
    assert blend.score.better_than(default)


def test_rows_never_held_out_stay_unknown(make_task, fold):
    y, oofs = regression(100)
    task = make_task("regression", "rmse", time_column="when")
    folds = fold(task, y, keys=pd.DataFrame({"when": np.arange(100)}))
    oofs = {name: np.where(np.arange(100)[:, None] < 50, np.nan, oof) for name, oof in oofs.items()}
    blend = choose_blend(get_metric("rmse"), task, y, oofs, folds)
    assert np.isfinite(blend.score.value)
    assert np.isnan(blend_outputs(oofs, blend.weights)[:50]).all()


@pytest.mark.parametrize("n_splits", [0, 1])
def test_without_parts_to_choose_on_the_best_or_first_is_taken(n_splits):
    splits = ((np.arange(10), np.arange(10, 20)),) * n_splits
    folds = Folds("time", splits, n_splits, n_splits, "", 20)
    y = np.arange(20.0)
    oofs = {"bad": y[:, None] + 5, "good": y[:, None]}
    expected = {"good": 1.0} if n_splits else {"bad": 1.0}
    assert greedy_blend(get_metric("rmse"), "regression", y, oofs, folds) == expected


def test_weights_are_few_and_rounded(make_task, fold):
    y, oofs = regression(n_candidates=20)
    weights = greedy_blend(get_metric("rmse"), "regression", y, oofs, fold(make_task("regression", "rmse"), y))
    assert len(weights) <= 8
    assert all(round(weight, 4) == weight >= 0.03 for weight in weights.values())


def test_outputs_are_mixed_in_the_order_of_the_weights():
    outputs = {"a": np.array([[0.1]]), "b": np.array([[0.7]])}
    assert blend_outputs(outputs, {"b": 0.3, "a": 0.7})[0, 0] == 0.3 * 0.7 + 0.7 * 0.1


@pytest.mark.parametrize(
    "name", ["rmse", "mae", "mse", "mape", "smape", "rmsle", "rmse_log", "medae", "spearman", "r2"]
)
def test_objectives_of_values_rank_as_their_metric_does(name):
    generator = np.random.default_rng(0)
    y = generator.lognormal(size=60)
    good, bad = (y * generator.lognormal(sigma=s, size=60) for s in (0.1, 0.5))
    metric = get_metric(name)
    objective = make_objective(metric, "regression", y, [np.arange(30), np.arange(30, 60)])
    losses = objective.of(good[:, None]), objective.of(bad[:, None])
    assert (losses[0] < losses[1]).all()
    if name in ("rmse", "mae", "mse", "mape", "smape", "rmsle", "rmse_log", "medae"):
        assert losses[0][0] == pytest.approx(metric.score(y[:30], good[:30, None]))


@pytest.mark.parametrize("kind, n_classes", [("binary", 2), ("multiclass", 4), ("multilabel", 3)])
@pytest.mark.parametrize("name", ["auroc", "log_loss", "brier", "average_precision"])
def test_objectives_of_probabilities_are_their_metric(kind, n_classes, name):
    y, outputs = classes(80, n_classes)
    if kind == "multilabel":
        y = (np.random.default_rng(1).random((80, 3)) < outputs).astype(np.int64)
    metric = get_metric(name)
    loss = make_objective(metric, kind, y, [np.arange(40), np.arange(40, 80)]).of(outputs)[1]
    score = metric.score(y[40:], outputs[40:])
    expected = {"auroc": 1 - score, "average_precision": -score}.get(name, score)
    # The mean over classes instead of the sum, and over two columns instead of one: the order is the same.
    scale = n_classes if name == "brier" and kind == "multiclass" else 1
    assert loss * scale == pytest.approx(expected)


def test_a_part_with_one_class_has_no_rank_loss_and_is_passed_over(make_task):
    y = np.r_[np.zeros(10, dtype=int), np.arange(30) % 2]
    outputs = np.column_stack([1 - y, y]) * 0.5 + 0.25
    splits = tuple((np.setdiff1d(np.arange(40), part), part) for part in np.split(np.arange(40), 4))
    folds = Folds("plain", splits, 4, 1, "", 40)
    objective = make_objective(get_metric("auroc"), "binary", y, outer_parts(folds))
    assert np.isnan(objective.of(outputs)[0])
    flat = np.full((40, 2), 0.5)
    assert greedy_blend(get_metric("auroc"), "binary", y, {"flat": flat, "good": outputs}, folds) == {"good": 1.0}


def test_ordered_classes_are_blended_by_the_expected_code():
    y, outputs = classes(50, 4)
    objective = make_objective(get_metric("qwk"), "ordinal", y, [np.arange(50)])
    assert objective.of(outputs)[0] == pytest.approx(np.mean((outputs @ np.arange(4) - y) ** 2))


def test_many_rows_are_thinned_evenly():
    y = np.zeros(300_000)
    objective = make_objective(get_metric("mae"), "regression", y, np.array_split(np.arange(300_000), 3))
    assert len(objective.rows) == 60_000
    assert objective.sizes == (20_000,) * 3
