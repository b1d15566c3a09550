"""What the three boosters share: one matrix a fit, early stopping on an inner split, a refit at that length."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np
import pandas as pd

from autods.tools._checks import check_choice
from autods.tools.modeling._base import CLASSIFICATION, TabularEstimator, share_by_source
from autods.tools.modeling._frames import TreeEncoder
from autods.tools.modeling._splits import InnerSplit, inner_split

__all__ = ["BoostedTrees", "Objective", "Preset"]

Preset = Literal["default", "deep", "shallow", "extra"]
Objective = Literal["squared", "absolute", "huber", "quantile", "poisson", "tweedie", "gamma"]

FEWEST_ROWS_TO_STOP_EARLY = 200
MOST_INNER_SPLITS = 5
UNSCALED_OBJECTIVES = ("poisson", "tweedie", "gamma")


class BoostedTrees(TabularEstimator):
    """Gradient-boosted trees on the codes of a mixed frame.

    Subclasses name the library's objectives in `OBJECTIVES` and define `_parameters`, `_best_length`, `_boost`,
    `_raw` and `_gains`.
    """

    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]]
    OBJECTIVES: ClassVar[Mapping[str, str]]
    INNER_CELLS: ClassVar[int]

    preset: Preset
    objective: Objective
    n_estimators: int | None
    learning_rate: float | None
    early_stopping: bool
    inner_split: InnerSplit
    valid_share: float
    patience: int | None

    def _fit(
        self, frame: pd.DataFrame, target: np.ndarray, weight: np.ndarray | None, groups: np.ndarray | None
    ) -> None:
        self._check()
        if self.kind not in CLASSIFICATION and self.objective in UNSCALED_OBJECTIVES and target.min() < 0:
            raise ValueError(
                f"objective = {self.objective!r} needs y at or above 0, but its least is {target.min():g}."
            )
        self.encoder_ = TreeEncoder(frame)
        matrix = self.encoder_.encode(frame)
        parameters = self._parameters(len(target), matrix.shape[1])
        longest = self.n_estimators or self._longest(parameters)
        if self.early_stopping and len(target) >= FEWEST_ROWS_TO_STOP_EARLY:
            self.n_rounds_ = self._length(matrix, target, weight, groups, parameters, longest)
        elif self.n_estimators is None and self.early_stopping:
            self.n_rounds_ = max(1, round(5.0 / parameters["learning_rate"]))
        else:
            self.n_rounds_ = longest
        self._boost(matrix, target, weight, parameters, self.n_rounds_)

    def _length(
        self,
        matrix: np.ndarray,
        target: np.ndarray,
        weight: np.ndarray | None,
        groups: np.ndarray | None,
        parameters: dict[str, Any],
        longest: int,
    ) -> int:
        """The median best number of rounds over inner splits (several where rows are few), scaled to all rows."""
        patience = self.patience or max(20, round(2.5 / parameters["learning_rate"]))
        n_splits = (
            1 if self.inner_split == "time" else int(np.clip(self.INNER_CELLS // matrix.size, 1, MOST_INNER_SPLITS))
        )
        lengths = []
        for number in range(n_splits):
            fit_rows, watch_rows = inner_split(
                self.inner_split,
                target,
                classification=self.kind in CLASSIFICATION,
                share=self.valid_share,
                groups=groups,
                random_state=self.random_state + 7919 * number,
            )
            best = self._best_length(matrix, target, weight, fit_rows, watch_rows, parameters, longest, patience)
            lengths.append(best * len(target) / len(fit_rows))
        return max(1, round(float(np.median(lengths))))

    def _outputs(self, frame: pd.DataFrame) -> np.ndarray:
        return self._raw(self.encoder_.encode(frame))

    def _importance(self) -> dict[str, float]:
        return share_by_source(self.encoder_.sources, self._gains())

    def _rescales_target(self) -> bool:
        return self.objective not in UNSCALED_OBJECTIVES

    def _check(self) -> None:
        check_choice("preset", self.preset, tuple(self.PRESETS))
        check_choice("objective", self.objective, tuple(self.OBJECTIVES))

    def _n_classes(self) -> int:
        return len(self.classes_) if self.kind in CLASSIFICATION else 1

    def _rate(self, n_rows: int, factor: float) -> float:
        """A learning rate that grows with the work a round costs: 0.03 on small tables, 0.15 on the largest."""
        work = n_rows * max(1, self._n_classes() - 1)
        return self.learning_rate or float(np.clip(0.03 * (work / 2000) ** 0.25, 0.03, 0.15) * factor)

    @staticmethod
    def _longest(parameters: Mapping[str, Any]) -> int:
        """The most rounds, as many as move the prediction by the same sum of rates."""
        return round(60 / float(parameters["learning_rate"]))

    def _resolved(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The preset's parameters, with those that were given in their place."""
        return {**self.PRESETS[self.preset], **{name: value for name, value in given.items() if value is not None}}

    @abstractmethod
    def _parameters(self, n_rows: int, n_columns: int) -> dict[str, Any]:
        """The library's own parameters; `learning_rate` is among them."""

    @abstractmethod
    def _best_length(
        self,
        matrix: np.ndarray,
        target: np.ndarray,
        weight: np.ndarray | None,
        fit_rows: np.ndarray,
        watch_rows: np.ndarray,
        parameters: dict[str, Any],
        longest: int,
        patience: int,
    ) -> int:
        """The number of rounds at which the watched rows are predicted best."""

    @abstractmethod
    def _boost(
        self,
        matrix: np.ndarray,
        target: np.ndarray,
        weight: np.ndarray | None,
        parameters: dict[str, Any],
        n_rounds: int,
    ) -> None:
        """Fit on all rows and keep the booster as `booster_`."""

    @abstractmethod
    def _raw(self, matrix: np.ndarray) -> np.ndarray:
        """Predict from a matrix."""

    @abstractmethod
    def _gains(self) -> np.ndarray:
        """What each column of the matrix gained."""
