"""Kernel methods for small tables: support vector machines and Gaussian processes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from autods.tools.modeling._base import CLASSIFICATION, ClassWeight, Kind, TabularEstimator, make
from autods.tools.modeling._calibration import Calibrator, held_out_scores, inner_folds
from autods.tools.modeling._design import DesignEncoder

__all__ = ["GaussianProcess", "SupportVectors", "gaussian_process", "svm"]

STRENGTHS = (0.5, 2.0, 8.0)
MOST_ROWS_TO_CHOOSE = 1500
INDICATOR_WIDTH = 0.7


class _OnDistances(TabularEstimator):
    """An estimator that measures distances on a dense design of at most `max_rows` training rows."""

    max_rows: int

    def _learn_design(self, frame: pd.DataFrame, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Learn the design; give it for the rows that are kept, and which these are."""
        self.encoder_ = DesignEncoder(frame, most_levels=50, one_hot_codes=False)
        rows = np.arange(len(frame))
        if len(rows) > self.max_rows:
            rows = np.sort(np.random.default_rng(self.random_state).choice(rows, self.max_rows, replace=False))
            if self.kind in CLASSIFICATION:
                first = np.unique(target, return_index=True)[1]
                rows = np.unique(np.concatenate([rows, first]))
        return self._design(frame.iloc[rows]), rows

    def _design(self, frame: pd.DataFrame) -> np.ndarray:
        design = self.encoder_.encode(frame)
        design = design.toarray() if self.encoder_.is_sparse else design
        design[:, design.shape[1] - self.encoder_.n_indicators :] *= INDICATOR_WIDTH
        return np.asarray(design)


class SupportVectors(_OnDistances):
    """Support vector machine with a radial kernel; see `svm`."""

    def __init__(
        self,
        kind: Kind = "regression",
        C: float | None = None,
        gamma: float | str = "scale",
        epsilon: float = 0.05,
        max_rows: int = 4000,
        class_weight: ClassWeight = None,
        random_state: int = 0,
    ) -> None:
        self.kind = kind
        self.C = C
        self.gamma = gamma
        self.epsilon = epsilon
        self.max_rows = max_rows
        self.class_weight = class_weight
        self.random_state = random_state

    def _fit(
        self, frame: pd.DataFrame, target: np.ndarray, weight: np.ndarray | None, groups: np.ndarray | None
    ) -> None:
        design, rows = self._learn_design(frame, target)
        if design.shape[1] == 0:
            self.constant_ = self._constant(target, weight)
            return
        target, weight = target[rows], None if weight is None else weight[rows]
        classifies = self.kind in CLASSIFICATION
        folds = inner_folds(
            target if classifies else np.zeros(len(target), dtype=np.int64),
            None if groups is None else groups[rows],
            3,
            self.random_state,
        )
        strengths = (self.C,) if self.C else STRENGTHS if len(rows) <= MOST_ROWS_TO_CHOOSE else STRENGTHS[1:2]
        best, self.C_, self.calibrator_ = np.inf, strengths[0], None
        for strength in strengths if classifies or len(strengths) > 1 else ():
            loss, calibrator = self._judge(design, target, weight, folds, strength)
            if loss < best:
                best, self.C_, self.calibrator_ = loss, strength, calibrator
        self.machine_ = self._machine(self.C_).fit(design, target, sample_weight=weight)

    def _machine(self, strength: float) -> Any:
        from sklearn.svm import SVC, SVR

        if self.kind in CLASSIFICATION:
            return SVC(C=strength, gamma=self.gamma, cache_size=500)
        return SVR(C=strength, gamma=self.gamma, epsilon=self.epsilon, cache_size=500)

    def _judge(
        self,
        design: np.ndarray,
        target: np.ndarray,
        weight: np.ndarray | None,
        folds: list[tuple[np.ndarray, np.ndarray]],
        strength: float,
    ) -> tuple[float, Calibrator | None]:
        """The held-out loss at a strength, and for classes what makes probabilities of its scores."""

        def fit(rows: np.ndarray) -> Any:
            if self.kind in CLASSIFICATION and len(np.unique(target[rows])) < 2:
                return target[rows][:1], lambda block: np.zeros((len(block), 1))
            machine = self._machine(strength).fit(
                design[rows], target[rows], sample_weight=None if weight is None else weight[rows]
            )
            if self.kind not in CLASSIFICATION:
                return [0], lambda block: machine.predict(block)[:, None]
            return machine.classes_, lambda block: _class_scores(machine, block)

        n_outputs = len(self.classes_) if self.kind in CLASSIFICATION else 1
        scores = held_out_scores(fit, design, n_outputs, folds)
        if self.kind not in CLASSIFICATION:
            return float(np.average((scores[:, 0] - target) ** 2, weights=weight)), None
        calibrator = Calibrator.fit(scores, target, weight)
        right = calibrator.probabilities(scores)[np.arange(len(target)), target]
        return float(np.average(-np.log(np.maximum(right, 1e-12)), weights=weight)), calibrator

    def _outputs(self, frame: pd.DataFrame) -> np.ndarray:
        design = self._design(frame)
        if self.kind in CLASSIFICATION:
            assert self.calibrator_ is not None
            return self.calibrator_.probabilities(_class_scores(self.machine_, design))
        return np.asarray(self.machine_.predict(design))


def _class_scores(machine: Any, design: np.ndarray) -> np.ndarray:
    scores = np.asarray(machine.decision_function(design))
    return scores if scores.ndim == 2 else np.column_stack([-scores, scores])


class GaussianProcess(_OnDistances):
    """Gaussian process with a Matérn kernel; see `gaussian_process`."""

    def __init__(
        self,
        kind: Kind = "regression",
        max_rows: int = 800,
        class_weight: ClassWeight = None,
        random_state: int = 0,
    ) -> None:
        self.kind = kind
        self.max_rows = max_rows
        self.class_weight = class_weight
        self.random_state = random_state

    def _fit(
        self, frame: pd.DataFrame, target: np.ndarray, weight: np.ndarray | None, groups: np.ndarray | None
    ) -> None:
        from sklearn import gaussian_process as library
        from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

        design, rows = self._learn_design(frame, target)
        if design.shape[1] == 0:
            self.constant_ = self._constant(target, weight)
            return
        kernel = ConstantKernel(1.0) * Matern(
            length_scale=design.shape[1] ** 0.5, length_scale_bounds=(0.1, 1e3), nu=1.5
        )
        if self.kind in CLASSIFICATION:
            self.process_ = library.GaussianProcessClassifier(
                kernel, max_iter_predict=50, random_state=self.random_state
            )
        else:
            noisy = kernel + WhiteKernel(0.1, noise_level_bounds=(1e-4, 10.0))
            self.process_ = library.GaussianProcessRegressor(noisy, random_state=self.random_state)
        self.process_.fit(design, target[rows])

    def _outputs(self, frame: pd.DataFrame) -> np.ndarray:
        design = self._design(frame)
        if self.kind in CLASSIFICATION:
            return np.asarray(self.process_.predict_proba(design))
        return np.asarray(self.process_.predict(design))


def svm(kind: Kind, **parameters: Any) -> SupportVectors:
    """Make a support vector machine with a radial kernel, its probabilities calibrated on rows held out inside the fit.

    Parameters
    ----------
    kind
        The kind of the task.
    **parameters
        `C` (None: chosen among three up to 1,500 rows), `gamma`, `epsilon` (regression, in deviations of y),
        `max_rows` (a seeded sample of more), `class_weight`, `random_state`.

    Notes
    -----
    For up to a few thousand rows, mostly numbers; it takes minutes beyond.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0] * 10})
    >>> svm("binary").fit(frame, [0, 1, 1, 0] * 10).predict(frame)[:4].tolist()
    [0, 1, 1, 0]
    """
    return make(SupportVectors, kind, **parameters)


def gaussian_process(kind: Kind, **parameters: Any) -> GaussianProcess:
    """Make a Gaussian process with a Matérn kernel.

    Parameters
    ----------
    kind
        The kind of the task.
    **parameters
        `max_rows` (a seeded sample of more), `random_state`.

    Notes
    -----
    For tiny tables of numbers (up to some hundreds of rows) with a smooth relation; the time grows with the cube of
    the rows. It knows no sample weights.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0] * 5})
    >>> gaussian_process("regression").fit(frame, [0, 1, 4, 9] * 5).predict(frame)[:4].round(1).tolist()
    [0.0, 1.0, 4.0, 9.0]
    """
    return make(GaussianProcess, kind, **parameters)
