"""What the boosters do besides fitting: rounds, presets, objectives, importance."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest

from autods import tools
from autods.tools.modeling import _boosting

BOOSTERS = ["lightgbm", "xgboost", "catboost"]
every_booster = pytest.mark.parametrize("name", BOOSTERS)


def make(name: str, kind: str = "regression", **parameters: Any) -> Any:
    return getattr(tools, name)(kind, **parameters)


@pytest.fixture(scope="module")
def data() -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"x": rng.normal(size=300), "town": rng.choice(["a", "b", "c"], 300), "idle": rng.normal(size=300)}
    )
    y = 3 * frame["x"] + (frame["town"] == "b") * 4 + rng.normal(size=300)
    return frame, y.to_numpy()


@every_booster
def test_it_stops_early_on_rows_of_its_own_and_refits_on_all(name: str, data: Any) -> None:
    frame, y = data
    estimator = make(name, learning_rate=0.3, n_estimators=300).fit(frame, y)
    assert 1 <= estimator.n_rounds_ < 300


@every_booster
def test_where_work_is_large_the_stopped_booster_is_kept(name: str, data: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    frame, y = data
    refitted = make(name, learning_rate=0.3, n_estimators=40).fit(frame, y)
    monkeypatch.setattr(_boosting, "LARGE_WORK", 100)
    monkeypatch.setattr(type(refitted), "_boost", None)
    kept = make(name, learning_rate=0.3, n_estimators=40).fit(frame, y)
    assert np.corrcoef(kept.predict(frame), y)[0, 1] > 0.9
    assert np.array_equal(pickle.loads(pickle.dumps(kept)).predict(frame), kept.predict(frame))


@every_booster
def test_it_does_not_stop_early_when_told_or_on_few_rows(name: str, data: Any) -> None:
    frame, y = data
    assert make(name, n_estimators=7, early_stopping=False).fit(frame, y).n_rounds_ == 7
    assert make(name, n_estimators=9).fit(frame.head(100), y[:100]).n_rounds_ == 9


@every_booster
def test_it_learns_the_signal_and_says_from_which_column(name: str, data: Any) -> None:
    frame, y = data
    estimator = make(name, learning_rate=0.2).fit(frame, y)
    assert np.corrcoef(estimator.predict(frame), y)[0, 1] > 0.9
    shares = estimator.importance()
    assert set(list(shares)[:2]) == {"x", "town"}
    assert sum(shares.values()) == pytest.approx(1)


@every_booster
@pytest.mark.parametrize("preset", ["default", "deep", "shallow", "extra"])
def test_presets_differ(name: str, preset: str, data: Any) -> None:
    frame, y = data
    chosen, plain = (make(name, preset=kind, n_estimators=5, early_stopping=False) for kind in (preset, "default"))
    same = np.array_equal(chosen.fit(frame, y).predict(frame), plain.fit(frame, y).predict(frame))
    assert same == (preset == "default")


@every_booster
@pytest.mark.parametrize("objective", ["squared", "absolute", "huber", "quantile", "poisson", "tweedie"])
def test_objectives_predict_in_the_units_of_the_target(name: str, objective: str, data: Any) -> None:
    frame, y = data
    positive = np.exp(y / 5) * 10
    found = make(name, objective=objective, n_estimators=40, learning_rate=0.3, early_stopping=False).fit(
        frame, positive
    )
    assert 0.5 < np.median(found.predict(frame)) / np.median(positive) < 2


@every_booster
def test_the_predictions_follow_the_units_of_the_target(name: str, data: Any) -> None:
    frame, y = data
    plain, scaled = (
        make(name, n_estimators=10, objective="huber").fit(frame, z).predict(frame) for z in (y, y * 1e6 + 1e8)
    )
    np.testing.assert_allclose(scaled, plain * 1e6 + 1e8, rtol=1e-4)


@every_booster
def test_an_objective_for_counts_refuses_negative_values(name: str, data: Any) -> None:
    with pytest.raises(ValueError, match="objective = 'poisson' needs y at or above 0, but its least is -"):
        make(name, objective="poisson").fit(*data)


@every_booster
@pytest.mark.parametrize(
    ("parameter", "message"),
    [("preset", "preset='wild' is not allowed"), ("objective", "objective='wild' is not allowed")],
)
def test_unknown_choices_are_refused(name: str, parameter: str, message: str, data: Any) -> None:
    with pytest.raises(ValueError, match=message):
        make(name, **{parameter: "wild"}).fit(*data)


@every_booster
@pytest.mark.parametrize("kind", ["grouped", "time", "stratified", "plain"])
def test_the_inner_split_is_of_the_runs_kind(name: str, kind: str, data: Any) -> None:
    frame, y = data
    estimator = make(name, inner_split=kind, learning_rate=0.3, n_estimators=30)
    assert np.isfinite(estimator.fit(frame, y, groups=np.arange(300) // 10).predict(frame)).all()


def test_the_baseline_is_plain_lightgbm() -> None:
    lightgbm = pytest.importorskip("lightgbm")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(200, 3)), columns=["a", "b", "c"])
    y = (frame["a"] + rng.normal(size=200) > 0).to_numpy(dtype=int)
    ours = tools.baseline_lightgbm("binary").fit(frame, y).predict_proba(frame)
    theirs = lightgbm.LGBMClassifier(n_jobs=1, verbose=-1, deterministic=True, force_row_wise=True, random_state=0)
    np.testing.assert_allclose(ours, theirs.fit(frame, y).predict_proba(frame))


def test_large_forests_see_a_sample_of_the_rows_in_each_tree() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=50_100)})
    forest = tools.extra_trees("regression", n_estimators=1, max_depth=2).fit(frame, frame["x"])
    assert forest.forest_.max_samples == 50_000
