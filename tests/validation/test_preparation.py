"""Making estimators repeatable."""

from __future__ import annotations

import random

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from autods.validation.preparation import configure, fit_arguments, prepare, repeatable, seed_of


class Grouped(BaseEstimator):
    def __init__(self, n_jobs=None):
        self.n_jobs = n_jobs
        self.inner_split = "auto"

    def fit(self, X, y, groups=None):
        return self


def test_every_nested_seed_is_set():
    estimator = make_pipeline(BaggingClassifier(DecisionTreeClassifier()))
    parameters = prepare(estimator, seed=5, fold_kind="plain").get_params()
    seeds = {name: value for name, value in parameters.items() if name.endswith("random_state")}
    assert len(seeds) == 2
    assert set(seeds.values()) == {seed_of(5, 0)}
    assert estimator.get_params()["baggingclassifier__random_state"] is None, "the original is untouched"


def test_candidates_that_differ_in_their_seed_stay_different():
    first, second = (
        prepare(DecisionTreeClassifier(random_state=s), seed=5, fold_kind="plain").random_state for s in (1, 2)
    )
    assert first != second


@pytest.mark.parametrize(
    "estimator, expected",
    [(RandomForestClassifier(n_jobs=-1), 1), (LogisticRegression(), None), (Grouped(), 1), (Grouped(n_jobs=8), 1)],
    ids=["all", "scikit-learn's None is one", "elsewhere None is all", "eight"],
)
def test_fits_take_one_thread(estimator, expected):
    assert prepare(estimator, seed=0, fold_kind="plain").n_jobs == expected


def test_the_fold_kind_reaches_an_attribute_of_a_pipelines_last_step():
    prepared = prepare(make_pipeline(StandardScaler(), Grouped()), seed=0, fold_kind="time")
    assert prepared[-1].inner_split == "time"


@pytest.mark.parametrize(
    "estimator, expected",
    [
        (Grouped(), {"groups"}),
        (make_pipeline(StandardScaler(), make_pipeline(Grouped())), {"pipeline__grouped__groups"}),
        (make_pipeline(StandardScaler(), "passthrough"), set()),
        (DecisionTreeClassifier(), set()),
    ],
    ids=["estimator", "nested pipeline", "no last step", "takes none"],
)
def test_groups_go_to_whoever_takes_them(estimator, expected):
    assert set(fit_arguments(estimator, np.zeros(3))) == expected
    assert fit_arguments(estimator, None) == {}


def test_an_unknown_parameter_is_refused_by_name():
    with pytest.raises(ValueError, match="Invalid parameter 'deep'"):
        configure(DecisionTreeClassifier(), {"deep": 3})


def test_the_callers_random_state_is_given_back():
    random.seed(1)
    expected = random.Random(1).random()
    with repeatable(9):
        inside = random.random()
    assert random.random() == expected
    with repeatable(9):
        assert random.random() == inside
