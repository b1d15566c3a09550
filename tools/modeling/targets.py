"""Estimators that learn a curved target and predict it straight."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Self, get_args

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin, clone

from autods.tools._checks import check_choice, check_number
from autods.tools.modeling._base import quiet
from autods.tools.modeling.pipelines import fit_accepts

__all__ = ["CurvedTarget", "log_target"]

Curve = Literal["log1p", "log", "sqrt", "boxcox", "quantile"]


class CurvedTarget(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """An estimator of values fitted on a transformed target; see `log_target`."""

    def __init__(self, estimator: Any, curve: Curve = "log1p", margin: float = 0.1) -> None:
        self.estimator = estimator
        self.curve = curve
        self.margin = margin

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Learn the curve and the estimator."""
        check_choice("curve", self.curve, get_args(Curve))
        values = np.asarray(y, dtype=np.float64).ravel()
        lowest, highest = float(values.min()), float(values.max())
        spare = self.margin * (highest - lowest)
        self.range_ = (max(lowest - spare, 0.0) if lowest >= 0 else lowest - spare, highest + spare)
        bend, self.inverse_ = _curve(self.curve, values)
        self.estimator_ = clone(self.estimator)
        self.estimator_.fit(X, bend(values), **fit_accepts(self.estimator_, sample_weight=sample_weight, groups=groups))
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Predict, clipped to the range seen in training widened by the margin."""
        with quiet():
            values = self.inverse_(np.asarray(self.estimator_.predict(X), dtype=np.float64).ravel())
        values = np.nan_to_num(values, nan=self.range_[0], posinf=self.range_[1], neginf=self.range_[0])
        return np.asarray(np.clip(values, *self.range_))

    def importance(self) -> dict[str, float]:
        """Give the importance of the estimator inside."""
        found: dict[str, float] = self.estimator_.importance() if hasattr(self.estimator_, "importance") else {}
        return found


Function = Callable[[np.ndarray], np.ndarray]


class _Shifted:
    """A function of numpy applied after a shift, or undone before it; a class, so that it can be pickled."""

    def __init__(self, function: Function, shift: float, *, undo: bool = False) -> None:
        self.function, self.shift, self.undo = function, shift, undo

    def __call__(self, values: np.ndarray) -> np.ndarray:
        return np.asarray(self.function(values) - self.shift if self.undo else self.function(values + self.shift))


class _Fitted:
    """A fitted transformer of scikit-learn as a function of one column."""

    def __init__(self, transform: Callable[[np.ndarray], Any]) -> None:
        self.transform = transform

    def __call__(self, values: np.ndarray) -> np.ndarray:
        return np.asarray(self.transform(values[:, None]))[:, 0]


def _signed_root(values: np.ndarray) -> np.ndarray:
    return np.asarray(np.sign(values) * np.sqrt(np.abs(values)))


def _signed_square(values: np.ndarray) -> np.ndarray:
    return np.asarray(np.sign(values) * values**2)


def _curve(curve: Curve, values: np.ndarray) -> tuple[Function, Function]:
    """The curve and its inverse, learnt from training values; logarithms shift values they cannot take."""
    from sklearn.preprocessing import PowerTransformer, QuantileTransformer

    lowest = float(values.min())
    if curve == "log1p":
        shift = 0.0 if lowest > -1 else -lowest
        return _Shifted(np.log1p, shift), _Shifted(np.expm1, shift, undo=True)
    if curve == "log":
        shift = 0.0 if lowest > 0 else 1.0 - lowest
        return _Shifted(np.log, shift), _Shifted(np.exp, shift, undo=True)
    if curve == "sqrt":
        return _signed_root, _signed_square
    if curve == "boxcox":
        learnt = PowerTransformer("box-cox" if lowest > 0 else "yeo-johnson")
    else:
        learnt = QuantileTransformer(
            n_quantiles=min(1000, len(values)), output_distribution="normal", subsample=None, random_state=0
        )
    with quiet():
        learnt.fit(values[:, None])
    return _Fitted(learnt.transform), _Fitted(learnt.inverse_transform)


def log_target(estimator: Any, kind: Curve = "log1p", margin: float = 0.1) -> CurvedTarget:
    """Make an estimator that learns the logarithm (or another curve) of the target and predicts the target itself.

    Parameters
    ----------
    estimator
        An estimator of values, unfitted.
    kind
        `log1p`; `log`; `sqrt` (keeps the sign); `boxcox` (Yeo–Johnson when values are not all positive); `quantile` (to
        a normal distribution).
    margin
        Predictions are clipped to the range of training widened by this share of it, and never below 0 when no value
        of training is.

    Notes
    -----
    Use `log1p` or `log` where the metric judges ratios (RMSLE, RMSE of logs, MAPE) or the target is skewed to the right.
    Predictions come near the median: under RMSE on the raw scale compare with the plain estimator. Parameters of the
    inner estimator are `estimator__…` in a search space.

    Examples
    --------
    >>> import pandas as pd
    >>> from autods.tools import linear
    >>> frame = pd.DataFrame({"x": np.arange(50.0)})
    >>> fitted = log_target(linear("regression", C=1e4), "log").fit(frame, np.exp(frame["x"] / 10))
    >>> fitted.predict(frame.iloc[[10, 20]]).round(2).tolist()
    [2.72, 7.39]
    """
    check_choice("kind", kind, get_args(Curve))
    check_number("margin", margin, 0)
    return CurvedTarget(estimator, kind, margin)
