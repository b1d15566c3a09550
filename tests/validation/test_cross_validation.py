"""Fitting a candidate on the folds: what is predicted, from what, and always the same."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator
from sklearn.ensemble import ExtraTreesClassifier, RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from autods.records import Folds
from autods.validation.cross_validation import fit_candidate, predict_outputs
from autods.validation.jobs import FitJob, visible_targets


class Spy(BaseEstimator):
    """Remembers what it was fitted on; predicts the mean."""

    def __init__(self, inner_split="auto", random_state=None):
        self.inner_split = inner_split
        self.random_state = random_state

    def fit(self, X, y, groups=None):
        self.rows_, self.y_, self.groups_ = X["row"].tolist(), np.asarray(y), groups
        return self

    def predict(self, X):
        return np.full(len(X), self.y_.mean())


def rows(n: int) -> pd.DataFrame:
    return pd.DataFrame({"row": np.arange(n)})


def test_held_out_rows_are_predicted_by_fits_that_never_saw_them(make_task, fold):
    y = np.arange(40.0)
    folds = fold(make_task("regression", "rmse"), y, effort="quick")
    result = fit_candidate(Spy(), rows(40), y, rows(3), folds, kind="regression", n_outputs=1, seed=0)
    for fit, (train, valid) in zip(result.estimators, folds.splits, strict=True):
        assert fit.estimators[0].rows_ == train.tolist()
        assert result.oof[valid, 0] == pytest.approx(y[train].mean())
    assert result.test[:, 0] == pytest.approx(np.mean([y[train].mean() for train, _ in folds.splits]))


def test_test_rows_are_predicted_by_the_fits_that_are_returned(blobs, make_task, fold):
    X, y = blobs()
    folds = fold(make_task("binary", "auroc", 2), y)
    result = fit_candidate(DecisionTreeClassifier(), X, y, X[:7], folds, kind="binary", n_outputs=2, seed=0)
    assert np.array_equal(predict_outputs(result.estimators, X[:7]), result.test)


def test_out_of_fold_outputs_are_the_mean_over_repeats(blobs, make_task, fold):
    X, y = blobs()
    folds = fold(make_task("binary", "auroc", 2), y)
    result = fit_candidate(DecisionTreeClassifier(), X, y, None, folds, kind="binary", n_outputs=2, seed=0)
    assert result.by_repeat.shape == (3, 120, 2)
    assert result.oof == pytest.approx(result.by_repeat.mean(axis=0))
    assert result.test is None


@pytest.mark.parametrize(
    "estimator, kind", [(ExtraTreesClassifier(8, n_jobs=4), "binary"), (RandomForestRegressor(8), "regression")]
)
def test_the_same_seed_gives_the_same_bytes_and_another_does_not(blobs, make_task, fold, estimator, kind):
    X, y = blobs()
    y = y if kind == "binary" else X["a"].to_numpy()
    folds = fold(make_task(kind, "auroc", 2), y, effort="quick")
    shape = {"kind": kind, "n_outputs": 2 if kind == "binary" else 1}
    first, again, other = (
        fit_candidate(estimator, X, y, X, folds, seed=seed, **shape).test.tobytes() for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_estimators_that_draw_from_the_global_generator_repeat_too(make_task, fold):
    class Careless(BaseEstimator):
        def fit(self, X, y):
            return self

        def predict(self, X):
            return np.random.rand(len(X))  # noqa: NPY002

    y = np.arange(20.0)
    folds = fold(make_task("regression", "rmse"), y)
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    first, again = (
        fit_candidate(Careless(), rows(20), y, None, folds, kind="regression", n_outputs=1, seed=3).oof
        for _ in range(2)
    )
    assert np.array_equal(first, again)
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002


def test_a_class_that_a_fold_lacks_gets_no_probability_there(make_task):
    y = np.array([0, 0, 1, 1, 2, 2])
    X = pd.DataFrame({"x": y * 1.0})
    folds = Folds(
        "plain", ((np.array([0, 1, 2, 3]), np.array([4, 5])), (np.array([4, 5, 0]), np.array([1, 2, 3]))), 2, 1, "", 6
    )
    result = fit_candidate(DecisionTreeClassifier(), X, y, None, folds, kind="multiclass", n_outputs=3, seed=0)
    assert result.oof[4].tolist() == [0.0, 1.0, 0.0]
    assert result.oof[1].tolist() == [1.0, 0.0, 0.0]


def test_a_fold_with_one_class_is_predicted_without_certainty(blobs):
    X, y = blobs(20)
    zeros, ones = np.flatnonzero(y == 0), np.flatnonzero(y == 1)
    folds = Folds("plain", ((zeros, ones), (ones, zeros)), 2, 1, "", 20)
    result = fit_candidate(LogisticRegression(), X, y, X, folds, kind="binary", n_outputs=2, seed=0)
    assert result.oof[ones[0]] == pytest.approx([11 / 12, 1 / 12])
    assert result.test[0] == pytest.approx([0.5, 0.5])


def test_a_constant_value_is_predicted_as_it_is(make_task, fold):
    y = np.full(30, 2.5)
    folds = fold(make_task("regression", "rmse"), y)
    result = fit_candidate(LinearRegression(), rows(30), y, rows(2), folds, kind="regression", n_outputs=1, seed=0)
    assert set(result.oof[:, 0]) == {2.5}


def test_each_label_gets_a_clone_of_its_own(blobs, make_task, fold):
    X, y = blobs()
    labels = np.column_stack([y, 1 - y, np.zeros(120, dtype=np.int64)])
    folds = fold(make_task("multilabel", "auroc", n_targets=3), labels, effort="quick")
    result = fit_candidate(LogisticRegression(), X, labels, X, folds, kind="multilabel", n_outputs=3, seed=0)
    assert result.test.shape == (120, 3)
    assert result.oof[:, 0] == pytest.approx(1 - result.oof[:, 1])
    assert (result.oof[:, 2] < 0.02).all()


def test_targets_with_gaps_are_fitted_on_the_rows_that_have_them(make_task, fold):
    y = np.column_stack([np.arange(30.0), np.arange(30.0)])
    y[::3, 1] = np.nan
    folds = fold(make_task("multi_regression", "mcrmse", n_targets=2), y, effort="quick")
    result = fit_candidate(Spy(), rows(30), y, rows(1), folds, kind="multi_regression", n_outputs=2, seed=0)
    assert not any(row % 3 == 0 for row in result.estimators[0].estimators[1].rows_)
    assert np.isfinite(result.test).all()


def test_excluded_rows_are_scored_but_never_learnt_from(make_task, fold):
    y = np.arange(40.0)
    fit_rows = np.arange(40) >= 10
    folds = fold(make_task("regression", "rmse"), y, effort="quick")
    result = fit_candidate(Spy(), rows(40), y, None, folds, kind="regression", n_outputs=1, seed=0, fit_rows=fit_rows)
    assert min(min(fit.estimators[0].rows_) for fit in result.estimators) == 10
    assert np.isfinite(result.oof).all()


def test_estimators_get_the_fold_kind_and_the_groups_of_their_training_rows(make_task, fold):
    who = np.arange(40) // 4
    task = make_task("regression", "rmse", group_column="who")
    folds = fold(task, np.arange(40.0), keys=pd.DataFrame({"who": who}), effort="quick")
    result = fit_candidate(
        make_pipeline(Spy()), rows(40), np.arange(40.0), None, folds, kind="regression", n_outputs=1, seed=0
    )
    spy = result.estimators[0].estimators[0][-1]
    assert spy.inner_split == "grouped"
    assert spy.groups_.tolist() == folds.groups[folds.splits[0][0]].tolist()


def test_time_ordered_folds_predict_test_rows_by_one_fit_on_all_rows(make_task, fold):
    task = make_task("regression", "rmse", time_column="when")
    folds = fold(task, np.arange(40.0), keys=pd.DataFrame({"when": np.arange(40)[::-1]}))
    result = fit_candidate(Spy(), rows(40), np.arange(40.0), rows(1), folds, kind="regression", n_outputs=1, seed=0)
    assert len(result.estimators) == 1
    assert result.estimators[0].estimators[0].rows_ == list(range(40))[::-1], "in the order of time"
    assert np.isnan(result.oof[20:]).all()
    assert np.isfinite(result.oof[:20]).all()


def test_one_row_without_folds_is_fitted_as_a_whole(make_task, fold):
    folds = fold(make_task("regression", "rmse"), np.array([4.0]))
    result = fit_candidate(Spy(), rows(1), np.array([4.0]), rows(2), folds, kind="regression", n_outputs=1, seed=0)
    assert result.test[:, 0].tolist() == [4.0, 4.0]
    assert np.isnan(result.oof).all()


def test_one_fold_without_its_held_out_targets_is_reproduced(blobs, make_task, fold):
    X, y = blobs()
    folds = fold(make_task("binary", "auroc", 2), y)
    estimator, shape = ExtraTreesClassifier(5), {"kind": "binary", "n_outputs": 2, "seed": 0}
    whole = fit_candidate(estimator, X, y, X, folds, **shape)
    hidden = visible_targets(FitJob("a", "a", splits=(7,)), y, folds)
    part = fit_candidate(estimator, X, hidden, None, folds, splits=[7], **shape)
    valid = folds.splits[7][1]
    assert np.array_equal(part.by_repeat[1, valid], whole.by_repeat[1, valid])
    assert (hidden[valid] == -1).all()
    assert np.isfinite(part.oof[:, 0]).sum() == len(valid)


def test_a_fold_that_fails_fails_the_candidate_and_is_named(make_task, fold):
    class Broken(BaseEstimator):
        def fit(self, X, y):
            raise RuntimeError("no")

    folds = fold(make_task("regression", "rmse"), np.arange(30.0), effort="quick")
    with pytest.raises(RuntimeError, match="no") as caught:
        fit_candidate(Broken(), rows(30), np.arange(30.0), None, folds, kind="regression", n_outputs=1, seed=0)
    assert caught.value.__notes__ == ["This happened in fold 1 of 5."]


def test_progress_is_told_after_every_fold(make_task, fold):
    told = []
    folds = fold(make_task("regression", "rmse"), np.arange(30.0), effort="quick")
    fit_candidate(
        Spy(), rows(30), np.arange(30.0), None, folds,
        kind="regression", n_outputs=1, seed=0, on_fold=lambda done, of: told.append((done, of)),
    )  # fmt: skip
    assert told == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]


def test_writing_to_the_input_changes_nothing_for_others(make_task, fold):
    class Vandal(Spy):
        def fit(self, X, y):
            X["row"] = 0
            y[:] = 0
            return super().fit(X, y)

        def predict(self, X):
            X["row"] = -1
            return super().predict(X)

    X, X_test, y = rows(30), rows(3), np.arange(30.0)
    folds = fold(make_task("regression", "rmse"), y, effort="quick")
    fit_candidate(Vandal(), X, y, X_test, folds, kind="regression", n_outputs=1, seed=0)
    assert X["row"].tolist() == list(range(30))
    assert X_test["row"].tolist() == [0, 1, 2]
    assert y.tolist() == list(range(30))


@pytest.mark.parametrize(
    "estimator, expected",
    [
        (DecisionTreeClassifier(), {"a", "b", "noise"}),
        (make_pipeline(StandardScaler().set_output(transform="pandas"), LogisticRegression()), {"a", "b", "noise"}),
        (make_pipeline(StandardScaler(), RidgeClassifier()), set()),
    ],
    ids=["tree", "pipeline", "no names"],
)
def test_importance_is_shared_out_over_features_where_estimators_tell(blobs, make_task, fold, estimator, expected):
    X, y = blobs()
    folds = fold(make_task("binary", "auroc", 2), y, effort="quick")
    shares = fit_candidate(estimator, X, y, None, folds, kind="binary", n_outputs=2, seed=0).importance
    assert set(shares) == expected
    assert sum(shares.values()) == pytest.approx(1.0 if expected else 0.0)


def test_values_cannot_run_away(make_task, fold):
    class Runaway(Spy):
        def predict(self, X):
            return np.full(len(X), np.inf)

    y = np.arange(30.0)
    folds = fold(make_task("regression", "rmse"), y, effort="quick")
    result = fit_candidate(Runaway(), rows(30), y, None, folds, kind="regression", n_outputs=1, seed=0)
    assert result.oof.max() <= 58.0
