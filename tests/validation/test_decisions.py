"""Thresholds, multipliers and cutpoints: found where they pay, and only there."""

from __future__ import annotations

import numpy as np
import pytest

from autods.competition import decide, get_metric
from autods.competition.metrics import Metric
from autods.records import Decision, Folds
from autods.validation.confusion import CONFUSION_SCORES
from autods.validation.decision_search import search_decision
from autods.validation.decisions import as_decided, decided_out_of_part, outer_parts, tune_decision


def probabilities(y: np.ndarray, n_classes: int, sharpness: float, seed: int = 0) -> np.ndarray:
    """Calibrated probabilities of balanced classes that y was drawn by, more or less."""
    scores = np.random.default_rng(seed).normal(size=(len(y), n_classes)) + sharpness * np.eye(n_classes)[y]
    powers = np.exp(scores * sharpness)
    return powers / powers.sum(axis=1, keepdims=True)


def imbalanced(n: int, share: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """A rare class with calibrated probabilities."""
    generator = np.random.default_rng(seed)
    odds = np.log(share / (1 - share)) - 1 + 1.5 * generator.normal(size=n)
    p = 1 / (1 + np.exp(-odds))
    return (generator.random(n) < p).astype(np.int64), np.column_stack([1 - p, p])


@pytest.mark.parametrize("name", sorted(CONFUSION_SCORES))
@pytest.mark.parametrize("n_classes", [2, 4])
def test_scores_of_confusion_matrices_are_the_metrics_themselves(name, n_classes):
    generator = np.random.default_rng(n_classes)
    for n in (3, 60):
        y, codes = generator.integers(0, n_classes, (2, n))
        counts = np.bincount(y * n_classes + codes, minlength=n_classes**2).reshape(1, n_classes, n_classes)
        expected = get_metric(name).score(y, np.eye(n_classes)[codes])
        assert CONFUSION_SCORES[name](counts.astype(float))[0] == pytest.approx(expected)


def test_f1_of_a_rare_class_gets_a_low_threshold(make_task, fold):
    y, outputs = imbalanced(2000, 0.1)
    task, metric = make_task("binary", "f1", 2), get_metric("f1")
    decision = tune_decision(metric, task, y, outputs, fold(task, y))
    assert decision.kind == "threshold"
    assert 0.1 < decision.values[0] < 0.45
    assert metric.score(y, outputs, decision) > metric.score(y, outputs) + 0.02


def test_accuracy_keeps_one_half_where_another_threshold_only_fits_noise(make_task, fold):
    task = make_task("binary", "accuracy", 2)
    kept = 0
    for seed in range(10):
        generator = np.random.default_rng(seed)
        p = generator.beta(2, 2, size=300)
        y = (generator.random(300) < p).astype(np.int64)
        decision = tune_decision(get_metric("accuracy"), task, y, np.column_stack([1 - p, p]), fold(task, y))
        kept += decision == Decision("threshold", (0.5,))
    assert kept >= 9


def test_accuracy_moves_the_threshold_of_a_biased_candidate(make_task, fold):
    y, outputs = imbalanced(1000, 0.5)
    biased = outputs[:, 1] ** 3
    task = make_task("binary", "accuracy", 2)
    decision = tune_decision(get_metric("accuracy"), task, y, np.column_stack([1 - biased, biased]), fold(task, y))
    assert decision.values[0] < 0.3


def test_balanced_accuracy_lifts_rare_classes(make_task, fold):
    generator = np.random.default_rng(0)
    y = generator.choice(3, 1500, p=[0.8, 0.15, 0.05])
    scores = np.eye(3)[y] * 1.5 + generator.normal(size=(1500, 3)) + np.log([0.8, 0.15, 0.05])
    outputs = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    task, metric = make_task("multiclass", "balanced_accuracy", 3), get_metric("balanced_accuracy")
    decision = tune_decision(metric, task, y, outputs, fold(task, y))
    assert decision.kind == "multipliers"
    assert decision.values[2] > decision.values[0]
    assert metric.score(y, outputs, decision) > metric.score(y, outputs) + 0.05


def test_accuracy_of_several_classes_takes_the_most_probable(make_task, fold):
    y = np.arange(200) % 3
    task = make_task("multiclass", "accuracy", 3)
    assert tune_decision(get_metric("accuracy"), task, y, probabilities(y, 3, 1.0), fold(task, y)).kind == "argmax"


def test_kappa_of_ordered_classes_cuts_the_expected_code(make_task, fold):
    generator = np.random.default_rng(0)
    hidden = generator.normal(size=1500)
    y = np.digitize(hidden, [-1.2, 0.8, 1.8])
    centre = np.digitize(hidden + generator.normal(size=1500), [-1.2, 0.8, 1.8])
    powers = np.exp(-0.5 * (np.arange(4) - centre[:, None]) ** 2) * np.bincount(y) / len(y)
    outputs = powers / powers.sum(axis=1, keepdims=True)
    task, metric = make_task("ordinal", "qwk", 4), get_metric("qwk")
    decision = tune_decision(metric, task, y, outputs, fold(task, y))
    assert decision.kind == "cutpoints"
    assert metric.score(y, outputs, decision) > metric.score(y, outputs) + 0.01


@pytest.mark.parametrize("metric", ["f1_micro", "f1_macro"])
def test_labels_get_thresholds_below_one_half_when_they_are_rare(make_task, fold, metric):
    pairs = [imbalanced(800, 0.15, seed) for seed in range(3)]
    y = np.column_stack([truth for truth, _ in pairs])
    outputs = np.column_stack([p[:, 1] for _, p in pairs])
    task = make_task("multilabel", metric, n_targets=3)
    decision = tune_decision(get_metric(metric), task, y, outputs, fold(task, y))
    assert len(decision.values) == (3 if metric == "f1_macro" else 1)
    assert max(decision.values) < 0.5


def test_a_metric_of_ones_own_gets_a_threshold_too(make_task, fold):
    y, outputs = imbalanced(600, 0.2)
    cost = Metric(
        "cost", "cost", "labels", False, ("binary",), lambda t, c: float(np.mean(5 * (t > c) + (c > t))), lambda *a: a
    )
    decision = tune_decision(cost, make_task("binary", "f1", 2), y, outputs, fold(make_task("binary", "f1", 2), y))
    assert decision.values[0] < 0.4


@pytest.mark.parametrize("kind, n_classes, metric", [("binary", 2, "auroc"), ("regression", 0, "rmse")])
def test_metrics_that_need_no_labels_decide_nothing(make_task, fold, kind, n_classes, metric):
    task, y = make_task(kind, metric, n_classes), np.arange(60) % 2
    outputs = np.full((60, max(1, n_classes)), 0.5)
    assert tune_decision(get_metric(metric), task, y, outputs, fold(task, y)) == Decision("none")


def test_too_many_classes_are_left_to_the_most_probable():
    y = np.arange(80) % 40
    decision = search_decision(get_metric("f1_macro"), "multiclass", y, np.full((80, 40), 1 / 40))
    assert decision.kind == "argmax"


def test_a_decision_found_is_never_worse_on_the_rows_it_was_searched_on():
    generator = np.random.default_rng(0)
    for name in ("mcc", "kappa", "f1_weighted"):
        y = generator.integers(0, 3, 200)
        outputs = probabilities(y, 3, 0.7, seed=1) ** [1, 2, 3]
        metric = get_metric(name)
        assert metric.score(y, outputs, search_decision(metric, "multiclass", y, outputs)) >= metric.score(y, outputs)


def test_parts_are_whole_folds_of_one_repeat(make_task, fold):
    y = np.arange(100) % 2
    folds = fold(make_task("binary", "auroc", 2), y)
    assert [part.tolist() for part in outer_parts(folds)] == [valid.tolist() for _, valid in folds.splits[:5]]
    assert outer_parts(Folds("plain", (), 0, 0, "", 1)) == []


def test_what_was_decided_stays_decided_whatever_the_kind():
    generator = np.random.default_rng(0)
    outputs = generator.dirichlet(np.ones(3), 20)
    for kind, decision in [
        ("multiclass", Decision("multipliers", (1, 2, 3))),
        ("ordinal", Decision("cutpoints", (0.4, 1))),
    ]:
        certain = as_decided(outputs, decision, kind)
        assert decide(certain, Decision("argmax"), kind).tolist() == decide(outputs, decision, kind).tolist()
    labels = as_decided(outputs, Decision("threshold", (0.2,)), "multilabel")
    assert labels.tolist() == (outputs >= 0.2).astype(float).tolist()


def test_each_part_is_decided_by_what_the_others_found(make_task, fold):
    y, outputs = imbalanced(500, 0.2)
    task = make_task("binary", "f1", 2)
    folds = fold(task, y)
    decided = decided_out_of_part(get_metric("f1"), "binary", y, [outputs] * 5, folds)
    part, others = folds.splits[0][1], folds.splits[0][0]
    expected = decide(outputs[part], search_decision(get_metric("f1"), "binary", y[others], outputs[others]), "binary")
    assert decided[part, 1].tolist() == expected.tolist()
