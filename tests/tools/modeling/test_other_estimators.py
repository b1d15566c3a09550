"""Linear, kernel, neighbour, text and neural estimators: what is special about each."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import Ridge

from autods import tools
from autods.tools.modeling import _penalty, neural
from autods.tools.modeling._calibration import inner_folds

RNG = np.random.default_rng(0)
LINE = pd.DataFrame({"x": RNG.normal(size=400), "idle": RNG.normal(size=400)})
CURVE = np.sin(2 * LINE["x"]).to_numpy()
HAM, SPAM = "see you at home tonight", "win a prize, call now"
TEXT = pd.DataFrame({"message": [f"{HAM} {i}" if i % 2 else f"{SPAM} {i}" for i in range(80)]})
IS_SPAM = np.array([1, 0] * 40)


def error(estimator: Any, y: np.ndarray) -> float:
    return float(np.sqrt(np.mean((estimator.fit(LINE, y).predict(LINE) - y) ** 2)))


def test_our_ridge_is_scikit_learns() -> None:
    design, y, weight = LINE.to_numpy(), CURVE, RNG.random(400)
    ours = _penalty.fit_ridge(design, y, weight, [], [1 / 7.0])
    theirs = Ridge(alpha=7.0 * weight.sum() / 400).fit(design, y, sample_weight=weight)
    np.testing.assert_allclose(ours.coef_, theirs.coef_)
    np.testing.assert_allclose(ours.predict(design), theirs.predict(design))


def test_a_wide_ridge_agrees_with_a_narrow_one(monkeypatch: pytest.MonkeyPatch) -> None:
    design = LINE.to_numpy() - LINE.to_numpy().mean(axis=0)
    narrow = _penalty.fit_ridge(design, CURVE, None, [], [1.0])
    monkeypatch.setattr(_penalty, "MOST_GRAM_COLUMNS", 1)
    wide = _penalty.fit_ridge(design, CURVE, None, [], [1.0])
    np.testing.assert_allclose(wide.predict(design), narrow.predict(design), atol=1e-3)


def test_linear_chooses_a_strong_penalty_where_nothing_is_to_be_learnt() -> None:
    noise = RNG.permutation(CURVE)
    assert np.std(tools.linear("regression").fit(LINE, noise).predict(LINE)) < 0.2


def test_splines_catch_a_bend() -> None:
    y = LINE["x"].abs().to_numpy()
    assert error(tools.linear("regression", splines=True), y) < 0.5 * error(
        tools.linear("regression", splines=False), y
    )


def test_elastic_net_sets_idle_columns_to_zero() -> None:
    net = tools.elastic_net("regression", C=0.02, l1_ratio=1.0, splines=False).fit(LINE, 2 * LINE["x"])
    assert net.importance() == {"x": 1.0, "idle": 0.0}


@pytest.mark.parametrize("name", ["svm", "gaussian_process", "k_nearest_neighbors"])
def test_distances_follow_a_curve(name: str) -> None:
    assert error(getattr(tools, name)("regression", max_rows=300), CURVE) < 0.25


@pytest.mark.parametrize("name", ["svm", "gaussian_process", "k_nearest_neighbors"])
def test_a_sample_of_the_rows_holds_every_class(name: str) -> None:
    y = np.zeros(400, dtype=int)
    y[:200], y[399] = 1, 2
    assert getattr(tools, name)("multiclass", max_rows=30).fit(LINE, y).predict_proba(LINE).shape == (400, 3)


def test_svm_probabilities_are_calibrated_on_rows_held_out() -> None:
    y = RNG.integers(0, 2, 400)
    assert np.abs(tools.svm("binary", C=100.0).fit(LINE, y).predict_proba(LINE)[:, 1] - 0.5).max() < 0.25


def test_neighbours_keep_probabilities_off_zero() -> None:
    y = (LINE["x"] > 0).astype(int)
    assert tools.k_nearest_neighbors("binary").fit(LINE, y).predict_proba(LINE).min() > 0


@pytest.mark.parametrize("name", ["text_linear", "naive_bayes_text"])
def test_text_is_found_and_read(name: str) -> None:
    estimator = getattr(tools, name)("binary").fit(TEXT, IS_SPAM)
    new = pd.DataFrame({"message": [f"{SPAM} 900", f"{HAM} 900", None]})
    assert estimator.predict(new)[:2].tolist() == [1, 0]


def test_text_stands_beside_other_columns() -> None:
    frame = TEXT.assign(message=RNG.permutation(TEXT["message"].to_numpy()), x=IS_SPAM * 3.0)
    estimator = tools.text_linear("binary", columns=["message"]).fit(frame, IS_SPAM)
    assert max(estimator.importance(), key=lambda name: estimator.importance()[name]) == "message"
    assert (estimator.predict(frame) == IS_SPAM).all()


def test_text_may_carry_values() -> None:
    estimator = tools.text_linear("regression").fit(TEXT, IS_SPAM * 100.0)
    assert np.abs(estimator.predict(TEXT) - IS_SPAM * 100).max() < 20


def test_text_without_a_word_is_no_text() -> None:
    frame = pd.DataFrame({"message": ["", " ", "?"] * 10})
    assert tools.text_linear("binary", columns=["message"]).fit(frame, [0, 1, 1] * 10).predict(frame).mean() == 1


def test_naive_bayes_needs_classes() -> None:
    with pytest.raises(ValueError, match="naive_bayes_text needs; take text_linear"):
        tools.naive_bayes_text("regression").fit(TEXT, np.arange(80.0))


def test_inner_folds_hold_every_row_once_and_groups_whole() -> None:
    groups = np.arange(60) // 4
    folds = inner_folds(np.arange(60) % 3, groups, 3, 0)
    assert sorted(np.concatenate([watched for _, watched in folds]).tolist()) == list(range(60))
    assert all(not set(groups[known]) & set(groups[watched]) for known, watched in folds)


def test_without_torch_the_network_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neural, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"neural_network needs torch, .* pip install 'autods\[neural\]'"):
        tools.neural_network("regression").fit(LINE, CURVE)


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs torch")
class TestNeuralNetwork:
    def test_it_follows_a_curve(self) -> None:
        assert error(tools.neural_network("regression", n_epochs=20, width=32), CURVE) < 0.25

    def test_it_embeds_categories_with_many_levels(self) -> None:
        frame = pd.DataFrame({"code": [f"level {i % 12}" for i in range(240)]})
        y = np.arange(240) % 12 % 2
        network = tools.neural_network("binary", n_epochs=30, width=16, learning_rate=0.02).fit(frame, y)
        assert network.recipe_.levels == (12,)
        assert (network.predict(frame) == y).mean() > 0.9
        assert np.isfinite(network.predict_proba(pd.DataFrame({"code": ["never seen", None]}))).all()

    def test_it_stays_in_the_range_of_training_and_leaves_torch_as_it_was(self) -> None:
        import torch

        threads, state = torch.get_num_threads(), torch.random.get_rng_state()
        network = tools.neural_network("regression", n_epochs=2, width=8, objective="huber").fit(LINE, CURVE)
        assert network.predict(LINE * 1e6).max() <= CURVE.max() + 1e-6
        assert torch.get_num_threads() == threads
        assert torch.equal(torch.random.get_rng_state(), state)
