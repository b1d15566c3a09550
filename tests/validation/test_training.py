"""Candidates, tuning, blend and audit together, with real estimators in this process."""

from __future__ import annotations

import re
import threading
import time
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from optuna.distributions import IntDistribution
from sklearn.base import BaseEstimator
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from autods.competition import get_metric
from autods.config import RunConfig
from autods.records import Training, from_json, to_json
from autods.validation.audit import audit_jobs, reproduced
from autods.validation.blending import blend_outputs
from autods.validation.jobs import FitJob, FitOutcome, checked, fit_here, visible_targets
from autods.validation.training import train

ESTIMATORS = {
    "logistic": LogisticRegression(),
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(max_depth=2),
}
TREE_SPACE = {"tree": {"max_depth": IntDistribution(1, 6), "min_samples_leaf": IntDistribution(1, 20)}}


class Failing(BaseEstimator):
    def fit(self, X, y):
        raise ValueError("the columns are too blue")

    def predict(self, X):
        return np.zeros(len(X))


@pytest.fixture
def setting(blobs, make_task, fold):
    """Everything that `train` needs, on 120 rows of two classes."""

    def make(estimators=ESTIMATORS, metric="accuracy", effort="quick", **options):
        X, y = blobs()
        task = make_task("binary", metric, 2)
        folds = fold(task, y, effort="quick")
        fit = fit_here(estimators, X, y, X[:9], folds, kind="binary", n_outputs=2, seed=0)
        given = {"task": task, "metric": get_metric(metric), "y": y, "folds": folds}
        return {
            "names": list(estimators),
            "spaces": {},
            "fit": fit,
            "config": RunConfig(effort=effort),
            **given,
            **options,
        }

    return make


def test_all_candidates_are_scored_and_the_best_blend_is_given(setting):
    trained = train(**setting())
    training = trained.training
    assert [(result.name, result.status) for result in training.results] == [
        ("logistic", "ok"), ("bayes", "ok"), ("tree", "ok"),
    ]  # fmt: skip
    assert training.blend.score.better_than(training.constant)
    assert trained.best.test.shape == (9, 2)
    assert trained.best.weights == training.blend.weights
    assert trained.best.final


def test_the_record_goes_to_json_and_back(setting):
    training = train(**setting()).training
    assert to_json(from_json(Training, to_json(training))) == to_json(training)


def test_a_better_submission_is_offered_while_training_goes_on(setting):
    offered, events = [], []
    train(**setting(on_result=offered.append, on_event=events.append))
    assert not offered[0].final
    assert offered[0].weights == {"logistic": 1.0}
    assert offered[-1].final
    assert offered[0].test.shape == (9, 2)
    kinds = [event["event"] for event in events]
    assert kinds.index("fit_finished") < kinds.index("best") < kinds.index("blend") < kinds.index("audit")


def test_a_failed_candidate_costs_only_itself(setting):
    training = train(**setting({"broken": Failing(), **ESTIMATORS})).training
    assert training.results[0].status == "failed"
    assert "the columns are too blue This happened in fold 1 of 5." in training.results[0].message
    assert "broken" not in training.blend.weights


def test_without_any_success_there_is_no_blend(setting):
    trained = train(**setting({"broken": Failing()}))
    assert trained.best is None
    assert trained.training.blend is None
    assert np.isfinite(trained.training.constant.value)


def test_without_rows_to_hold_out_nothing_is_trained(make_task, fold):
    task, y = make_task("regression", "rmse"), np.array([1.0])
    trained = train(
        ["a"],
        {},
        lambda job: FitOutcome("ok"),
        task=task,
        metric=get_metric("rmse"),
        y=y,
        folds=fold(task, y),
        config=RunConfig(),
    )
    assert trained.best is None
    assert "nothing can be held out" in trained.training.not_done[0]


def test_tuned_trials_are_candidates_too(setting):
    training = train(**setting(effort="standard", spaces=TREE_SPACE, metric="log_loss")).training
    trials = [result for result in training.results if result.base == "tree"]
    assert [trial.name for trial in trials] == [f"tree#{number}" for number in range(1, 13)]
    assert all(set(trial.parameters) == {"max_depth", "min_samples_leaf"} for trial in trials)
    assert {name.partition("#")[0] for name in training.blend.weights} <= set(ESTIMATORS)


def test_quick_effort_tunes_nothing(setting):
    assert len(train(**setting(spaces=TREE_SPACE)).training.results) == 3


def comparable(training: Training) -> str:
    return to_json(replace(training, results=tuple(replace(r, seconds=0.0) for r in training.results)))


def test_the_result_does_not_depend_on_workers_or_on_who_ends_first(setting):
    first = setting(effort="standard", spaces=TREE_SPACE)
    lock = threading.Lock()

    def slow_first(job: FitJob) -> FitOutcome:
        time.sleep(0.05 if job.name == "logistic" else 0.0)
        with lock:
            return first["fit"](job)

    one = train(**first)
    three = train(**{**first, "fit": slow_first, "workers": 3})
    assert comparable(one.training) == comparable(three.training)
    assert one.best.test.tobytes() == three.best.test.tobytes()


def test_members_of_the_blend_are_audited_without_the_targets_they_predict(setting):
    given = setting({"forest": ExtraTreesClassifier(10), **ESTIMATORS})
    training = train(**given).training
    assert training.audit == dict.fromkeys(training.blend.weights, 0.0)


def test_the_audit_catches_a_candidate_that_saw_what_it_predicts(setting):
    given = setting()
    y, folds = given["y"], given["folds"]

    def peeking(job: FitJob) -> FitOutcome:
        seen = visible_targets(job, y, folds)
        oof = np.eye(2)[np.where(seen < 0, 0, seen)] * 0.8 + 0.1
        return FitOutcome("ok", oof, oof[:9])

    training = train(**{**given, "fit": peeking, "names": ["peeking"]}).training
    assert training.audit["peeking"] > 0.1


def test_an_audit_that_fails_is_said(setting):
    given = setting()

    def fit(job: FitJob) -> FitOutcome:
        return given["fit"](job) if job.splits is None else FitOutcome("failed", message="killed")

    training = train(**{**given, "fit": fit, "names": ["bayes"]}).training
    assert np.isnan(training.audit["bayes"])
    assert "Fitting a fold of bayes again failed: killed" in training.not_done


def test_the_audit_compares_the_repeat_that_its_fold_belongs_to(blobs, make_task, fold):
    X, y = blobs()
    folds = fold(make_task("binary", "auroc", 2), y)
    fit = fit_here({"t": DecisionTreeClassifier()}, X, y, None, folds, kind="binary", n_outputs=2, seed=0)
    original = fit(FitJob("t", "t"))
    for seed in range(4):
        (job,) = audit_jobs({"t": FitJob("t", "t")}, folds, seed)
        assert reproduced(job, fit(job), original, folds) == 0.0


def test_nothing_starts_when_the_budget_is_used_up(setting):
    training = train(**setting(seconds_left=lambda: 5.0, reserve_s=5.0)).training
    assert training.cut_off == ("logistic", "bayes", "tree")
    assert training.blend is None


def test_each_job_is_limited_by_what_is_left(setting):
    left = iter([100.0, 60.0, 0.5, 0.5, 0.5, 0.5])
    limits = []
    given = setting(seconds_left=lambda: next(left, 0.5))

    def fit(job: FitJob) -> FitOutcome:
        limits.append(job.timeout_s)
        return given["fit"](job)

    training = train(**{**given, "fit": fit}).training
    assert limits[0] == 100.0
    assert 59.0 < limits[1] <= 60.0
    assert training.cut_off == ("tree",)
    assert set(training.blend.weights) <= {"logistic", "bayes"}
    assert any("No time was left" in sentence for sentence in training.not_done)


def test_tuning_ends_with_the_budget_and_says_how_far_it_came(setting):
    spent = []
    given = setting(effort="standard", spaces=TREE_SPACE, seconds_left=lambda: 100.0 if len(spent) < 9 else 0.0)

    def fit(job: FitJob) -> FitOutcome:
        spent.append(job.name)
        return given["fit"](job)

    training = train(**{**given, "fit": fit}).training
    assert "Tuning stopped when the budget was used up: tree 6 of 12 trials." in training.not_done
    assert training.cut_off == ("tree#7", "tree#8")


def test_the_blends_predictions_are_its_members(setting):
    given = setting(metric="log_loss")
    trained = train(**given)
    tests = {name: given["fit"](FitJob(name, name)).test for name in trained.best.weights}
    assert np.array_equal(trained.best.test, blend_outputs(tests, trained.best.weights))


@pytest.mark.parametrize(
    "outcome, message",
    [
        (FitOutcome("ok", np.zeros((3, 1))), r"have the shape \(3, 1\)"),
        (FitOutcome("ok", np.full((120, 2), np.nan)), "of 120 rows are not finite"),
        (FitOutcome("ok", np.zeros((120, 2)), np.full((4, 2), np.inf)), "of 4 test rows are not finite"),
    ],
)
def test_predictions_that_are_none_fail_the_candidate(setting, outcome, message):
    refused = checked(outcome, setting()["folds"], 2)
    assert refused.status == "failed"
    assert re.search(message, refused.message)


def test_a_child_of_an_audit_sees_only_its_training_targets(make_task, fold):
    task = make_task("regression", "rmse", time_column="when")
    y = np.arange(40.0)
    folds = fold(task, y, keys=pd.DataFrame({"when": np.arange(40)}))
    seen = visible_targets(FitJob("a", "a", splits=(0,)), y, folds)
    assert np.isfinite(seen).nonzero()[0].tolist() == sorted(folds.splits[0][0])
