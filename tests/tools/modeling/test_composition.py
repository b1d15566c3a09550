"""Pipelines, transformers that learn in folds, curved targets, selection among estimators, search spaces."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import optuna
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier

from autods import tools

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame({"x": np.arange(1.0, 101), "idle": RNG.normal(size=100), "town": ["a", "b"] * 50})
NOTES = pd.DataFrame({"note": ["red car", "blue car", "red bike", "blue bike"] * 25, "x": np.arange(100)})
RED = np.array([1, 0, 1, 0] * 25)


class Rememberer(ClassifierMixin, BaseEstimator):
    """Keeps what its fit was given."""

    def fit(self, X: Any, y: Any, groups: Any = None, sample_weight: Any = None) -> Rememberer:
        self.classes_, self.groups_, self.weight_ = np.unique(y), groups, sample_weight
        return self

    def predict(self, X: Any) -> Any:
        return np.zeros(len(X), dtype=int)

    def predict_proba(self, X: Any) -> Any:
        return np.tile([1.0, 0.0], (len(X), 1))


def test_a_pipeline_hands_groups_and_weights_to_its_last_step() -> None:
    fitted = tools.pipeline(tools.tfidf_features(["note"], n_components=2), Rememberer())
    fitted.fit(NOTES, RED, groups=NOTES["x"], sample_weight=NOTES["x"] * 2)
    assert list(fitted[-1].groups_) == list(range(100))
    assert list(fitted[-1].weight_) == list(range(0, 200, 2))


def test_a_pipeline_keeps_from_a_step_what_it_does_not_take_and_names_importance() -> None:
    fitted = tools.pipeline(tools.select_features("binary", method="gain"), tools.linear("binary", C=1.0))
    fitted.fit(FRAME, RED, groups=FRAME["x"])
    assert set(fitted.importance()) <= set(FRAME)
    assert is_classifier(clone(fitted))
    with pytest.raises(ValueError, match="pipeline\\(\\) has no steps"):
        tools.pipeline()


@pytest.mark.parametrize("letters", [False, True])
def test_tfidf_adds_components_that_tell_texts_apart(letters: bool) -> None:
    made = tools.tfidf_features(["note"], n_components=3, letters=letters, keep=False).fit(NOTES)
    found = made.transform(NOTES.tail(8))
    assert list(found) == ["x", "note_tfidf0", "note_tfidf1", "note_tfidf2"]
    assert found.index.equals(NOTES.tail(8).index)
    assert len(found.drop(columns="x").round(6).drop_duplicates()) == 4
    assert np.isfinite(made.transform(pd.DataFrame({"note": [None], "x": [1]}))).all(axis=None)


def test_tfidf_of_nothing_adds_nothing() -> None:
    assert list(tools.tfidf_features().fit_transform(FRAME)) == list(FRAME)


def test_text_scores_of_training_rows_come_from_other_folds() -> None:
    noise = RNG.integers(0, 2, 100)
    own_words = pd.DataFrame({"note": [f"word{i} alone here" for i in range(100)]})
    scores = tools.text_scores("binary").fit_transform(own_words, noise)["text_score0"]
    assert abs(np.corrcoef(scores, noise)[0, 1]) < 0.4
    learnt = tools.text_scores("multiclass", ["note"], keep=False).fit(NOTES, RED * 2 + NOTES["x"] % 2)
    assert list(learnt.transform(NOTES.head(2))) == ["x", "text_score0"]


def test_text_scores_of_values() -> None:
    found = tools.text_scores("regression", ["note"]).fit_transform(NOTES, RED * 10.0)
    assert np.corrcoef(found["text_score0"], RED)[0, 1] > 0.9


@pytest.mark.parametrize(("arguments", "kept"), [({}, ["x"]), ({"method": "gain", "n_features": 1}, ["x"])])
def test_select_features_keeps_what_tells_of_the_target(arguments: dict[str, Any], kept: list[str]) -> None:
    assert list(tools.select_features("regression", **arguments).fit(FRAME, FRAME["x"] ** 2).transform(FRAME)) == kept


@pytest.mark.parametrize("kind", ["log1p", "log", "sqrt", "boxcox", "quantile"])
@pytest.mark.parametrize("shift", [0.0, -60.0])
def test_a_curved_target_comes_back_straight(kind: Any, shift: float) -> None:
    y = FRAME["x"].to_numpy() ** 1.5 / 10 + shift
    fitted = tools.log_target(tools.random_forest("regression", n_estimators=20), kind).fit(FRAME, y)
    found = pickle.loads(pickle.dumps(fitted)).predict(FRAME)
    assert np.abs(found - y).mean() < 4
    assert next(iter(fitted.importance())) == "x"


def test_predictions_of_a_curved_target_stay_near_its_range() -> None:
    class Wild(BaseEstimator):
        def fit(self, X: Any, y: Any) -> Wild:
            return self

        def predict(self, X: Any) -> Any:
            return np.array([1e9, -1e9, np.nan])[: len(X)]

    fitted = tools.log_target(Wild(), "log").fit(FRAME, FRAME["x"], sample_weight=np.ones(100))
    assert fitted.predict(FRAME.head(3)).tolist() == pytest.approx([109.9, 0.0, 0.0])
    with pytest.raises(ValueError, match="kind='lgo' is not allowed: did you mean 'log'"):
        tools.log_target(Wild(), "lgo")  # type: ignore[arg-type]


def test_the_best_estimator_is_selected_and_refitted() -> None:
    best = tools.train_and_validation_and_select_the_best_model(
        "regression", {"forest": tools.random_forest("regression", n_estimators=5), "line": tools.linear("regression")}
    )
    best.fit(FRAME, FRAME["x"] * 2, sample_weight=np.ones(100), groups=np.arange(100) // 5)
    assert best.best_name_ == "line"
    assert best.table()["estimator"].tolist() == ["line", "forest"]
    assert np.abs(best.predict(FRAME) - FRAME["x"] * 2).max() < 2
    assert next(iter(best.importance())) == "x"


def test_the_best_is_judged_by_the_scorer_that_is_asked_for() -> None:
    estimators = {"never": Rememberer(), "line": tools.linear("binary", C=1.0)}
    y = (FRAME["x"] > 50).to_numpy(dtype=int)
    best = tools.train_and_validation_and_select_the_best_model("binary", estimators, scoring="roc_auc").fit(FRAME, y)
    assert best.scores_["never"] == pytest.approx(0.5)
    assert best.predict_proba(FRAME).shape == (100, 2)
    assert is_classifier(best)


def test_an_estimator_that_fails_loses_and_says_why() -> None:
    broken = tools.lightgbm("regression", objective="poisson")
    estimators = {"broken": broken, "line": tools.linear("regression")}
    select = tools.train_and_validation_and_select_the_best_model
    best = select("regression", estimators, inner_split="time").fit(FRAME, -FRAME["x"])
    assert best.best_name_ == "line"
    assert "needs y at or above 0" in best.errors_["broken"]
    with pytest.raises(ValueError, match="None of the estimators could be fitted"):
        select("regression", {"broken": broken}).fit(FRAME, -FRAME["x"])


def test_estimators_may_be_named() -> None:
    select = tools.train_and_validation_and_select_the_best_model
    assert list(select("binary", ["linear", "svm"]).estimators) == ["linear", "svm"]
    with pytest.raises(ValueError, match="estimators='lightgmb' is not allowed: did you mean 'lightgbm'"):
        select("binary", ["lightgmb"])
    with pytest.raises(ValueError, match="estimators is empty"):
        select("binary", {})


@pytest.mark.parametrize(
    "name", ["lightgbm", "xgboost", "catboost", "random_forest", "extra_trees", "linear", "elastic_net", "svm",
             "k_nearest_neighbors", "naive_bayes_text", "text_linear", "neural_network"],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["binary", "regression"])
def test_a_search_space_names_parameters_of_its_estimator(name: str, kind: Any) -> None:
    space = tools.search_space(name, kind, 500)
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=0))
    estimator = getattr(tools, name)(kind).set_params(**study.ask(space).params)
    assert set(space) <= set(estimator.get_params())
    prefixed = tools.search_space(name, kind, 500, prefix="estimator__")
    assert set(prefixed) == {f"estimator__{parameter}" for parameter in space}


def test_few_rows_narrow_the_space() -> None:
    assert tools.search_space("lightgbm", "binary", 100)["num_leaves"].high == 10
    assert tools.search_space("xgboost", "binary", 100)["max_depth"].high == 7
    with pytest.raises(ValueError, match="name='ligthgbm' is not allowed: did you mean 'lightgbm'"):
        tools.search_space("ligthgbm", "binary", 100)
