"""An estimator that tries several by cross-validation on its own training rows and becomes the best of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, clone
from sklearn.utils import ClassifierTags, RegressorTags, Tags
from sklearn.utils.metaestimators import available_if

from autods.tools._checks import check_choice, check_number
from autods.tools.modeling._base import CLASSIFICATION, KINDS, Kind, quiet
from autods.tools.modeling._calibration import inner_folds
from autods.tools.modeling._splits import InnerSplit, inner_split
from autods.tools.modeling.pipelines import fit_accepts

__all__ = ["BestOf", "train_and_validation_and_select_the_best_model"]

ESTIMATORS = (
    "baseline_lightgbm",
    "catboost",
    "elastic_net",
    "extra_trees",
    "gaussian_process",
    "k_nearest_neighbors",
    "lightgbm",
    "linear",
    "naive_bayes_text",
    "neural_network",
    "random_forest",
    "svm",
    "text_linear",
    "xgboost",
)
LEAST_PROBABILITY = 1e-6

Scorer = str | Callable[[Any, Any, Any], float] | None


def _classifies(estimator: BestOf) -> bool:
    return estimator.kind in CLASSIFICATION


class BestOf(BaseEstimator):  # type: ignore[misc]
    """The best of several estimators; see `train_and_validation_and_select_the_best_model`.

    Attributes
    ----------
    scores_
        The mean score of each estimator, greater is better; minus infinity for those that failed.
    errors_
        Why estimators failed, by name.
    best_name_, best_estimator_
        The winner, fitted on all rows.
    """

    def __init__(
        self,
        kind: Kind,
        estimators: Mapping[str, Any],
        scoring: Scorer = None,
        n_splits: int = 5,
        inner_split: InnerSplit = "auto",
        random_state: int = 0,
    ) -> None:
        self.kind = kind
        self.estimators = estimators
        self.scoring = scoring
        self.n_splits = n_splits
        self.inner_split = inner_split
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Score each estimator on the folds, then fit the best on all rows."""
        target = np.asarray(y)
        frame = X if isinstance(X, pd.DataFrame) else pd.DataFrame(np.asarray(X))
        group = None if groups is None else np.asarray(groups)
        weight = None if sample_weight is None else np.asarray(sample_weight)
        folds = self._folds(target, group)
        self.scores_: dict[str, float] = {}
        self.errors_: dict[str, str] = {}
        for name, estimator in self.estimators.items():
            self.scores_[name] = self._score(name, estimator, frame, target, weight, group, folds)
        self.best_name_ = max(self.scores_, key=lambda name: self.scores_[name])
        if self.scores_[self.best_name_] == -np.inf:
            raise ValueError(f"None of the estimators could be fitted: {self.errors_}.")
        self.best_estimator_ = clone(self.estimators[self.best_name_])
        self.best_estimator_.fit(frame, target, **fit_accepts(self.best_estimator_, sample_weight=weight, groups=group))
        if _classifies(self):
            self.classes_ = self.best_estimator_.classes_
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Predict as the winner does."""
        return np.asarray(self.best_estimator_.predict(X))

    @available_if(_classifies)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> np.ndarray:
        """Predict probabilities as the winner does."""
        return np.asarray(self.best_estimator_.predict_proba(X))

    def importance(self) -> dict[str, float]:
        """Give the winner's importance."""
        found: dict[str, float] = (
            self.best_estimator_.importance() if hasattr(self.best_estimator_, "importance") else {}
        )
        return found

    def table(self) -> pd.DataFrame:
        """Give the scores, the best first, with why an estimator failed."""
        rows = sorted(self.scores_.items(), key=lambda item: -item[1])
        return pd.DataFrame(
            {
                "estimator": [name for name, _ in rows],
                "score": [score for _, score in rows],
                "error": [self.errors_.get(name, "") for name, _ in rows],
            }
        )

    def _folds(self, target: np.ndarray, groups: np.ndarray | None) -> list[tuple[np.ndarray, np.ndarray]]:
        if self.inner_split == "time":
            return [
                inner_split(
                    "time", target, classification=False, share=0.25, groups=groups, random_state=self.random_state
                )
            ]
        codes = np.unique(target, return_inverse=True)[1] if _classifies(self) else np.zeros(len(target), dtype=int)
        return inner_folds(codes, groups, min(self.n_splits, len(target)), self.random_state)

    def _score(
        self,
        name: str,
        estimator: Any,
        frame: pd.DataFrame,
        target: np.ndarray,
        weight: np.ndarray | None,
        groups: np.ndarray | None,
        folds: list[tuple[np.ndarray, np.ndarray]],
    ) -> float:
        scores = []
        for known, watched in folds:
            extras = {
                "sample_weight": None if weight is None else weight[known],
                "groups": None if groups is None else groups[known],
            }
            try:
                fitted = clone(estimator)
                fitted.fit(frame.iloc[known], target[known], **fit_accepts(fitted, **extras))
                with quiet():
                    scores.append(self._judge(fitted, frame.iloc[watched], target[watched]))
            except Exception as error:
                # Any estimator may be given, so any error may come; the others can still win.
                self.errors_[name] = f"{type(error).__name__}: {error}"
                return -np.inf
        score = float(np.nanmean(scores)) if np.isfinite(scores).any() else -np.inf
        return score

    def _judge(self, fitted: Any, frame: pd.DataFrame, target: np.ndarray) -> float:
        from sklearn.metrics import get_scorer

        if self.scoring is not None:
            return float(
                (get_scorer(self.scoring) if isinstance(self.scoring, str) else self.scoring)(fitted, frame, target)
            )
        if not _classifies(self):
            return -float(np.sqrt(np.mean((fitted.predict(frame) - target) ** 2)))
        place = {label: number for number, label in enumerate(fitted.classes_)}
        probabilities = np.clip(fitted.predict_proba(frame), LEAST_PROBABILITY, 1.0)
        right = [
            row[place[label]] if label in place else LEAST_PROBABILITY
            for row, label in zip(probabilities, target, strict=True)
        ]
        return float(np.log(right).mean())

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.estimator_type = "classifier" if _classifies(self) else "regressor"
        tags.input_tags.allow_nan = tags.input_tags.categorical = tags.input_tags.string = True
        if _classifies(self):
            tags.classifier_tags = ClassifierTags()
        else:
            tags.regressor_tags = RegressorTags()
        return tags


def train_and_validation_and_select_the_best_model(
    kind: Kind,
    estimators: Mapping[str, Any] | Sequence[str] = ("lightgbm", "random_forest", "linear"),
    *,
    scoring: Scorer = None,
    n_splits: int = 5,
    inner_split: InnerSplit = "auto",
    random_state: int = 0,
) -> BestOf:
    """Make an estimator that tries several by cross-validation on its own training rows and becomes the best.

    Parameters
    ----------
    kind
        The kind of the task.
    estimators
        Estimators by a name of yours, or names of this library's (`lightgbm`, `linear`, …) with their defaults.
    scoring
        A scorer's name in scikit-learn (`roc_auc`, `neg_mean_absolute_error`, …) or a scorer; None takes log loss for
        classes and RMSE for values.
    n_splits
        Folds; groups given to `fit` stay whole.
    inner_split
        `time` scores on the last quarter of the rows instead.
    random_state
        The seed of the folds and of estimators given by name.

    Returns
    -------
    BestOf
        Unfitted. As a candidate it selects inside each fold of the run, so that the run's score is honest.

    Notes
    -----
    In a notebook: fit it, then look at `table()`, `best_name_` and `best_estimator_`. In `candidates` rather offer the
    estimators one by one: the harness scores and blends them, which is better than to take one.

    Examples
    --------
    >>> frame = pd.DataFrame({"x": np.arange(60.0), "town": ["a", "b", "c"] * 20})
    >>> best = train_and_validation_and_select_the_best_model("regression", ["linear", "random_forest"])
    >>> best.fit(frame, frame["x"] * 3 + 1).best_name_
    'linear'
    """
    check_choice("kind", kind, KINDS)
    check_number("n_splits", n_splits, 2, integer=True)
    if not isinstance(estimators, Mapping):
        for name in estimators:
            check_choice("estimators", name, ESTIMATORS)
        tools = import_module("autods.tools")
        estimators = {name: getattr(tools, name)(kind, random_state=random_state) for name in estimators}
    if not estimators:
        raise ValueError("estimators is empty; give at least one.")
    return BestOf(kind, estimators, scoring, n_splits, inner_split, random_state)
