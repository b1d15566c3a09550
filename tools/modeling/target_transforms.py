"""Estimators that learn a transformed target and predict the target itself."""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin, clone

from autods.tools._checks import check_choice

__all__ = ["TransformedTarget", "log_target"]

Transform = Literal["log1p", "log", "sqrt", "quantile"]
TRANSFORMS = ("log1p", "log", "sqrt", "quantile")
# Predictions may leave the seen range by this share of it, on the transformed scale: an exponential has no brake.
BEYOND = 0.1


class TransformedTarget(RegressorMixin, BaseEstimator):
    """A regressor fitted on a transform of the target; its predictions are transformed back.

    Parameters
    ----------
    estimator
        The regressor.
    transform
        `log1p` (targets above -1), `log` (positive), `sqrt` (not negative) or `quantile` (any; to a normal shape).

    Attributes
    ----------
    estimator_
        The fitted regressor.
    range_
        Where predictions are clipped to, on the transformed scale.
    """

    def __init__(self, estimator: Any, transform: Transform = "log1p") -> None:
        self.estimator = estimator
        self.transform = transform

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Learn from rows and their transformed target.

        Raises
        ------
        ValueError
            When the target has values that the transform is not defined for.
        """
        check_choice("transform", self.transform, TRANSFORMS)
        target = np.asarray(y, dtype=np.float64)
        floor = {"log1p": -1.0, "log": 0.0, "sqrt": -1e-12}.get(self.transform, -np.inf)
        if target.size and target.min() <= floor:
            raise ValueError(
                f"transform={self.transform!r} needs targets above {max(floor, -1):g}; the least is {target.min():g}."
            )
        self._learn(target)
        changed = self._forward(target)
        reach = BEYOND * float(changed.max() - changed.min())
        self.range_ = (float(changed.min()) - reach, float(changed.max()) + reach)
        given = {
            name: value for name, value in (("sample_weight", sample_weight), ("groups", groups)) if value is not None
        }
        self.estimator_ = clone(self.estimator).fit(X, changed, **given)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Predict on the target's own scale."""
        return self._backward(np.clip(self.estimator_.predict(X), *self.range_))

    def importance(self) -> dict[str, float]:
        """Give each column's share of what the regressor learnt; empty where it does not say."""
        give = getattr(self.estimator_, "importance", None)
        return give() if callable(give) else {}

    def _learn(self, target: np.ndarray) -> None:
        if self.transform == "quantile":
            from sklearn.preprocessing import QuantileTransformer

            n_quantiles = max(2, min(1000, len(target)))
            self.quantiles_ = QuantileTransformer(n_quantiles=n_quantiles, output_distribution="normal", random_state=0)
            self.quantiles_.fit(target.reshape(-1, 1))

    def _forward(self, target: np.ndarray) -> np.ndarray:
        if self.transform == "quantile":
            return np.asarray(self.quantiles_.transform(target.reshape(-1, 1))).ravel()
        return np.asarray(
            {"log1p": np.log1p, "log": np.log, "sqrt": np.sqrt}[self.transform](
                np.maximum(target, 0) if self.transform == "sqrt" else target
            )
        )

    def _backward(self, changed: np.ndarray) -> np.ndarray:
        if self.transform == "quantile":
            return np.asarray(self.quantiles_.inverse_transform(changed.reshape(-1, 1))).ravel()
        return np.asarray({"log1p": np.expm1, "log": np.exp, "sqrt": np.square}[self.transform](changed))


def log_target(estimator: Any, transform: Transform = "log1p") -> TransformedTarget:
    """Fit a regressor on the log (or another transform) of the target, and predict the target itself.

    Parameters
    ----------
    estimator
        Any regressor.
    transform
        `log1p` (targets above -1), `log` (positive), `sqrt` (not negative) or `quantile` (any; to a normal shape).

    Returns
    -------
    TransformedTarget
        A regressor; tune the inner one by `estimator__<parameter>`.

    Raises
    ------
    ValueError
        In `fit`, when the target has values that the transform is not defined for.

    Notes
    -----
    Use it for targets with a long right tail and for metrics of relative errors (RMSLE, RMSE of logs). Do not use it
    where large values matter most: the mean of logs is not the log of the mean, so predictions lean low. The inner
    estimator sees groups and weights as if it stood alone. It extends `sklearn.compose.TransformedTargetRegressor` by
    clipping to the seen range, which keeps the exponential of a wild prediction finite.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> import pandas as pd
    >>> X, y = pd.DataFrame({"x": [1.0, 2.0, 3.0]}), [10.0, 100.0, 1000.0]
    >>> log_target(LinearRegression(), "log").fit(X, y).predict(X).round(6).tolist()
    [10.0, 100.0, 1000.0]
    """
    return TransformedTarget(estimator, transform)


log_target.__dict__.update(kind="fold", joint=False)
