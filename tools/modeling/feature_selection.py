"""Selection of columns by what plain LightGBM gains from them, inside folds."""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin

from autods.tools._checks import check_choice, check_number
from autods.tools.modeling._base import KINDS, Kind
from autods.tools.modeling._frames import as_frame
from autods.tools.modeling.gradient_boosting import PlainLightGBM

__all__ = ["SelectedFeatures", "select_features"]

METHODS = ("null", "gain")


class SelectedFeatures(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Keeps the columns that LightGBM gains from; see `select_features`."""

    def __init__(
        self,
        kind: Kind = "regression",
        method: Literal["null", "gain"] = "null",
        n_features: int | float = 0.5,
        n_repeats: int = 5,
        random_state: int = 0,
    ) -> None:
        self.kind = kind
        self.method = method
        self.n_features = n_features
        self.n_repeats = n_repeats
        self.random_state = random_state

    def fit(self, X: pd.DataFrame, y: Any) -> Self:
        """Learn which columns to keep."""
        frame, target = as_frame(X), np.asarray(y)
        self.feature_names_in_ = np.asarray(frame.columns, dtype=object)
        gains = self._gains(frame, target, self.random_state)
        if self.method == "gain":
            number = self.n_features if self.n_features >= 1 else round(self.n_features * frame.shape[1])
            order = np.argsort(-gains, kind="stable")[: max(1, int(number))]
            kept = np.isin(np.arange(len(gains)), order)
        else:
            generator = np.random.default_rng(self.random_state)
            nulls = [
                self._gains(frame, generator.permutation(target), self.random_state + 1 + repeat)
                for repeat in range(self.n_repeats)
            ]
            kept = gains > np.max(nulls, axis=0)
            kept[int(np.argmax(gains))] = True
        self.columns_ = [name for name, keep in zip(frame.columns, kept, strict=True) if keep]
        return self

    def transform(self, X: pd.DataFrame) -> pd.DataFrame:
        """Give the kept columns."""
        return as_frame(X, self.feature_names_in_)[self.columns_]

    def _gains(self, frame: pd.DataFrame, target: np.ndarray, seed: int) -> np.ndarray:
        """The total gain of each column, which unlike shares can be compared between targets."""
        estimator = PlainLightGBM(self.kind, 60, random_state=seed).fit(frame, target)
        if estimator.constant_ is not None:
            return np.zeros(frame.shape[1])
        totals = dict.fromkeys(frame.columns, 0.0)
        for source, gain in zip(estimator.encoder_.sources, estimator._gains(), strict=True):
            totals[source] += float(gain)
        return np.asarray(list(totals.values()))


def select_features(
    kind: Kind,
    *,
    method: Literal["null", "gain"] = "null",
    n_features: int | float = 0.5,
    n_repeats: int = 5,
    random_state: int = 0,
) -> SelectedFeatures:
    """Make a transformer that keeps the columns plain LightGBM gains from.

    Parameters
    ----------
    kind
        The kind of the task.
    method
        `null` keeps the columns that gain more than they ever do from a shuffled target; `gain` keeps the
        `n_features` best.
    n_features
        For `gain`: how many columns, or which share of them when below 1.
    n_repeats
        For `null`: how often the target is shuffled.
    random_state
        The seed.

    Notes
    -----
    A step of a `pipeline`, for tables with many columns of doubt. Trees lose little by idle columns; linear estimators,
    neighbours and networks lose more.

    Examples
    --------
    >>> generator = np.random.default_rng(0)
    >>> frame = pd.DataFrame(generator.normal(size=(200, 3)), columns=["a", "b", "c"])
    >>> select_features("regression").fit(frame, frame["b"] * 2).columns_
    ['b']
    """
    check_choice("kind", kind, KINDS)
    check_choice("method", method, METHODS)
    check_number("n_features", n_features, above=0)
    check_number("n_repeats", n_repeats, above=0, integer=True)
    return SelectedFeatures(kind, method, n_features, n_repeats, random_state)
