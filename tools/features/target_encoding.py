"""Categories as the mean of the target: a step of a pipeline, fitted inside folds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin

from autods.tools._checks import Columns, check_number, did_you_mean, is_text
from autods.tools._frames import as_text, fold_tool

__all__ = ["TargetMeans", "target_encode"]


@fold_tool
def target_encode(
    *, columns: Columns = None, smoothing: float | str = "auto", n_splits: int = 5, random_state: int = 0
) -> Any:
    """Make a transformer that replaces categories by the smoothed mean of the target.

    `fit_transform` encodes the rows it learns from across folds of their own, so that no row sees its own target.

    Parameters
    ----------
    columns
        The columns to encode; None means all columns of text and categories. The others pass through.
    smoothing
        How many rows the overall mean counts against a level's; "auto" is the empirical Bayes estimate.
    n_splits
        Inner folds of `fit_transform`.
    random_state
        The seed of the inner folds.

    Returns
    -------
    A scikit-learn transformer that takes and gives frames; the first step of a pipeline, before an estimator. A column
    becomes `<column>_mean`, or `<column>_mean_<class>` for each of three or more classes; a target of floats is a
    quantity. Levels it has not seen get the overall mean; missing is a level.

    Notes
    -----
    Use it in `candidates`, where there are many levels (towns, makes, codes). Few levels want `one_hot_encode`. It
    needs the target and is therefore no frame tool: on frames it would leak.

    Examples
    --------
    >>> X = pd.DataFrame({"town": ["a", "b"] * 50, "size": range(100)})
    >>> encoder = target_encode(columns=["town"], smoothing=10).fit(X, np.array([0, 1] * 50))
    >>> encoder.transform(X).iloc[:2].round(3).to_dict("list")
    {'town_mean': [0.083, 0.917], 'size': [0, 1]}
    """
    if smoothing != "auto":
        check_number("smoothing", smoothing, 0)
    check_number("n_splits", n_splits, 2, integer=True)
    if columns is not None:
        columns = [columns] if isinstance(columns, str) else list(columns)
    return TargetMeans(columns=columns, smoothing=smoothing, n_splits=n_splits, random_state=random_state)


class TargetMeans(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """scikit-learn's TargetEncoder for some columns of a frame, with seeded inner folds."""

    def __init__(
        self, columns: Columns = None, smoothing: float | str = "auto", n_splits: int = 5, random_state: int = 0
    ) -> None:
        self.columns = columns
        self.smoothing = smoothing
        self.n_splits = n_splits
        self.random_state = random_state

    def fit(self, X: pd.DataFrame, y: Any) -> TargetMeans:
        """Learn the means of all rows."""
        self._prepare(X, np.asarray(y))
        if self.columns_:
            self.encoder_.fit(self._levels(X), np.asarray(y))
        return self

    def fit_transform(self, X: pd.DataFrame, y: Any, **_: Any) -> pd.DataFrame:
        """Learn the means of all rows, and encode each row by those of other folds."""
        self._prepare(X, np.asarray(y))
        return self._joined(X, self.encoder_.fit_transform(self._levels(X), np.asarray(y)) if self.columns_ else None)

    def transform(self, X: pd.DataFrame) -> pd.DataFrame:
        """Encode rows by the means learned."""
        if not self.columns_ or not len(X):
            return self._joined(X, np.empty((len(X), len(self.names_))) if self.columns_ else None)
        return self._joined(X, self.encoder_.transform(self._levels(X)))

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the columns that `transform` gives."""
        return np.array([*self.names_, *self.others_], dtype=object)

    def _prepare(self, X: pd.DataFrame, y: np.ndarray) -> None:
        from sklearn.model_selection import KFold
        from sklearn.preprocessing import TargetEncoder

        wanted = [self.columns] if isinstance(self.columns, str) else self.columns
        unknown = [name for name in wanted or () if name not in X.columns]
        if unknown:
            raise ValueError(f"columns: there is no column {unknown[0]!r}: {did_you_mean(unknown[0], X.columns)}.")
        self.columns_ = [name for name in X.columns if (is_text(X[name]) if wanted is None else name in wanted)]
        self.others_ = [name for name in X.columns if name not in self.columns_]
        classes = [] if y.dtype.kind == "f" else np.unique(y).tolist()
        target_type = {0: "continuous", 1: "binary", 2: "binary"}.get(len(classes), "multiclass")
        folds = KFold(min(self.n_splits, max(len(X), 2)), shuffle=True, random_state=self.random_state)
        self.encoder_ = TargetEncoder(smooth=self.smoothing, target_type=target_type, cv=folds)
        suffixes = [f"_mean_{label}" for label in classes] if len(classes) > 2 else ["_mean"]
        self.names_ = [f"{name}{suffix}" for name in self.columns_ for suffix in suffixes]

    def _levels(self, X: pd.DataFrame) -> np.ndarray:
        return np.stack([as_text(X[name]).fillna("\0missing").to_numpy(dtype=object) for name in self.columns_], axis=1)

    def _joined(self, X: pd.DataFrame, encoded: np.ndarray | None) -> pd.DataFrame:
        if encoded is None:
            return X[self.others_]
        means = pd.DataFrame(np.asarray(encoded, dtype="float64"), index=X.index, columns=self.names_)
        return pd.concat([means, X[self.others_]], axis=1)
