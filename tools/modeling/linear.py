"""Linear estimators on a proper design matrix: logistic regression, ridge and elastic net."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
import pandas as pd

from autods.tools.modeling._base import CLASSIFICATION, ClassWeight, Kind, TabularEstimator, make, share_by_source
from autods.tools.modeling._design import DesignEncoder
from autods.tools.modeling._penalty import (
    ELASTIC_STRENGTHS,
    LOGISTIC_STRENGTHS,
    Splits,
    fit_logistic,
    fit_ridge,
    inner_splits,
)
from autods.tools.modeling._splits import InnerSplit

__all__ = ["ElasticNet", "Linear", "elastic_net", "linear"]

FEWEST_ROWS_FOR_SPLINES = 300


class _OnDesign(TabularEstimator):
    """A linear estimator on a design matrix."""

    C: float | None
    splines: bool | None
    inner_split: InnerSplit

    def _fit(
        self, frame: pd.DataFrame, target: np.ndarray, weight: np.ndarray | None, groups: np.ndarray | None
    ) -> None:
        splines = len(frame) >= FEWEST_ROWS_FOR_SPLINES if self.splines is None else self.splines
        self.encoder_ = DesignEncoder(frame, splines=splines)
        design = self.encoder_.encode(frame)
        if design.shape[1] == 0:
            self.constant_ = self._constant(target, weight)
            return
        splits = inner_splits(self.inner_split, target, self.kind in CLASSIFICATION, groups, self.random_state)
        self.estimator_ = self._solve(design, target, weight, splits)

    @abstractmethod
    def _solve(self, design: Any, target: np.ndarray, weight: np.ndarray | None, splits: Splits) -> Any:
        """Fit on the design, strength chosen on the splits."""

    def _outputs(self, frame: pd.DataFrame) -> np.ndarray:
        design = self.encoder_.encode(frame)
        if self.kind in CLASSIFICATION:
            return np.asarray(self.estimator_.predict_proba(design))
        return np.asarray(self.estimator_.predict(design))

    def _importance(self) -> dict[str, float]:
        effects = np.abs(np.atleast_2d(self.estimator_.coef_)).mean(axis=0)
        return share_by_source(self.encoder_.sources, effects)


class Linear(_OnDesign):
    """Logistic regression or ridge on a design matrix; see `linear`."""

    def __init__(
        self,
        kind: Kind = "regression",
        C: float | None = None,
        splines: bool | None = None,
        inner_split: InnerSplit = "auto",
        class_weight: ClassWeight = None,
        random_state: int = 0,
    ) -> None:
        self.kind = kind
        self.C = C
        self.splines = splines
        self.inner_split = inner_split
        self.class_weight = class_weight
        self.random_state = random_state

    def _solve(self, design: Any, target: np.ndarray, weight: np.ndarray | None, splits: Splits) -> Any:
        strengths = None if self.C is None else (self.C,)
        if self.kind in CLASSIFICATION:
            return fit_logistic(design, target, weight, splits, strengths or LOGISTIC_STRENGTHS)
        return fit_ridge(design, target, weight, splits, strengths)


class ElasticNet(_OnDesign):
    """Linear or logistic regression with absolute and squared penalties; see `elastic_net`."""

    def __init__(
        self,
        kind: Kind = "regression",
        C: float | None = None,
        l1_ratio: float = 0.5,
        splines: bool | None = None,
        inner_split: InnerSplit = "auto",
        class_weight: ClassWeight = None,
        random_state: int = 0,
    ) -> None:
        self.kind = kind
        self.C = C
        self.l1_ratio = l1_ratio
        self.splines = splines
        self.inner_split = inner_split
        self.class_weight = class_weight
        self.random_state = random_state

    def _solve(self, design: Any, target: np.ndarray, weight: np.ndarray | None, splits: Splits) -> Any:
        from sklearn.linear_model import ElasticNetCV

        if self.kind in CLASSIFICATION:
            strengths = ELASTIC_STRENGTHS if self.C is None else (self.C,)
            return fit_logistic(design, target, weight, splits, strengths, self.l1_ratio)
        alphas: Any = 20 if self.C is None else [1.0 / (self.C * len(target))]
        net = ElasticNetCV(l1_ratio=self.l1_ratio, alphas=alphas, cv=splits, max_iter=2000, tol=1e-3, n_jobs=1)
        return net.fit(design, target, sample_weight=weight)


def linear(kind: Kind, **parameters: Any) -> Linear:
    """Make logistic regression (classes) or ridge (values) on a design matrix learnt inside the fit.

    Numbers are imputed by the median with an indicator, skewed ones compressed, all standardised and clipped to the
    range of training; categories become indicators with rare levels pooled.

    Parameters
    ----------
    kind
        The kind of the task.
    **parameters
        `C` (inverse penalty; None chooses it on inner splits), `splines` (curves for numbers with many values; None: from 300
        rows),
        `inner_split`, `class_weight`, `random_state`.

    Notes
    -----
    Strong on small tables and where effects add up; splines catch bends, but no interactions.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"size": range(50), "town": ["a", "b"] * 25})
    >>> price = frame["size"] * 2.0 + (frame["town"] == "b") * 10
    >>> linear("regression", C=1e3).fit(frame, price).predict(frame.head(2)).round().tolist()
    [0.0, 12.0]
    """
    return make(Linear, kind, **parameters)


def elastic_net(kind: Kind, **parameters: Any) -> ElasticNet:
    """Make a linear estimator that also sets useless coefficients to zero, on the design of `linear`.

    Parameters
    ----------
    kind
        The kind of the task.
    **parameters
        As of `linear`, and `l1_ratio` (0 to 1, the weight of the absolute penalty).

    Notes
    -----
    Use it where columns are many and few of them matter; on classes it is slower than `linear`.

    Examples
    --------
    >>> elastic_net("regression", l1_ratio=0.9).l1_ratio
    0.9
    """
    return make(ElasticNet, kind, **parameters)
