"""The paired bootstrap."""

from __future__ import annotations

import numpy as np
import pytest

from autods.records import Decision
from autods.validation.significance import bootstrap_difference, bootstrap_error


def test_pairing_finds_a_small_difference_that_unpaired_errors_would_hide(make_metric):
    generator = np.random.default_rng(0)
    y = generator.normal(size=300)
    noise = generator.normal(size=300)
    a, b = (y + noise)[:, None], (y + noise * 1.05)[:, None]
    metric = make_metric("regression", "mae")
    difference = bootstrap_difference(metric, y, a, b, n_draws=200)
    assert difference.low > 0
    assert difference.share_better == 1.0
    assert bootstrap_error(metric, y, a, n_draws=200) > 5 * difference.standard_error


def test_a_prediction_is_not_better_than_itself(make_metric):
    y = np.arange(40) % 2
    outputs = np.column_stack([1 - y, y]) * 0.8 + 0.1
    difference = bootstrap_difference(make_metric("binary", "auroc", 2), y, outputs, outputs, n_draws=50)
    assert (difference.mean, difference.standard_error, difference.share_better) == (0.0, 0.0, 0.5)


def test_decisions_are_compared_on_the_same_outputs(make_metric):
    y = np.array([0, 1] * 20)
    outputs = np.column_stack([1 - y * 0.3, y * 0.3])
    decisions = (Decision("threshold", (0.2,)), None)
    difference = bootstrap_difference(
        make_metric("binary", "accuracy", 2), y, outputs, outputs, decisions=decisions, n_draws=50
    )
    assert difference.mean == pytest.approx(0.5)


def test_resamples_without_both_classes_are_left_out(make_metric):
    y = np.array([0, 0, 1])
    outputs = np.column_stack([[0.9, 0.8, 0.1], [0.1, 0.2, 0.9]])
    assert bootstrap_error(make_metric("binary", "auroc", 2), y, outputs, n_draws=50) == 0.0


def test_the_same_seed_draws_the_same_rows(make_metric):
    y = np.arange(30.0)
    metric, outputs = make_metric("regression", "mae"), (y + np.sin(y))[:, None]
    first, again, other = (bootstrap_error(metric, y, outputs, n_draws=20, random_state=s) for s in (1, 1, 2))
    assert first == again
    assert first != other
