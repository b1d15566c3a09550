"""What the three boosters share: one matrix a fit, early stopping on an inner split, a refit at that length."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import pandas as pd

from autods.tools._checks import check_choice
from autods.tools.modeling._base import CLASSIFICATION, TabularEstimator, share_by_source
from autods.tools.modeling._frames import TreeEncoder
from autods.tools.modeling._splits import InnerSplit, inner_split

__all__ = ["BoostedTrees", "Objective", "Preset", "Rows"]

Preset = Literal["default", "deep", "shallow", "extra"]
Objective = Literal["squared", "absolute", "huber", "quantile", "poisson", "tweedie", "gamma"]

FEWEST_ROWS_TO_STOP_EARLY = 200
MOST_INNER_SPLITS = 5
LARGE_WORK = 150_000
UNSCALED_OBJECTIVES = ("poisson", "tweedie", "gamma")


@dataclass(frozen=True)
class Rows:
    """Encoded rows with what is to be learnt from them."""

    matrix: np.ndarray
    target: np.ndarray
    weight: np.ndarray | None

    def take(self, rows: np.ndarray) -> Rows:
        """Give some of the rows."""
        return Rows(self.matrix[rows], self.target[rows], None if self.weight is None else self.weight[rows])


class BoostedTrees(TabularEstimator):
    """Gradient-boosted trees on the codes of a mixed frame.

    Subclasses name the library's objectives in `OBJECTIVES` and define `_parameters`, `_watched`, `_boost`,
    `_raw` and `_gains`.
    """

    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]]
    OBJECTIVES: ClassVar[Mapping[str, str]]
    INNER_CELLS: ClassVar[int]
    # Rounds × learning rate where rows are too few to stop early.
    FIXED_TRAVEL: ClassVar[float] = 5.0

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
        rows = Rows(matrix, target, weight)
        parameters = self._parameters(*matrix.shape)
        longest = self.n_estimators or self._longest(parameters)
        if not self.early_stopping or (len(target) < FEWEST_ROWS_TO_STOP_EARLY and self.n_estimators):
            self.n_rounds_ = longest
        elif len(target) < FEWEST_ROWS_TO_STOP_EARLY:
            self.n_rounds_ = max(1, round(self.FIXED_TRAVEL / parameters["learning_rate"]))
        else:
            self.n_rounds_, booster = self._length(rows, groups, parameters, longest)
            if self._keeps_stopped(len(target)):
                self.booster_ = booster
                return
        self.booster_ = self._boost(rows, parameters, self.n_rounds_)

    def _length(
        self, rows: Rows, groups: np.ndarray | None, parameters: dict[str, Any], longest: int
    ) -> tuple[int, Any]:
        """The median best number of rounds over inner splits (several where rows are few), scaled to all rows.

        Also the booster of the last split, which where work is large is good enough as it is.
        """
        patience = self.patience or max(20, round(2.5 / parameters["learning_rate"]))
        n_splits = int(np.clip(self.INNER_CELLS // rows.matrix.size, 1, MOST_INNER_SPLITS))
        keeps = self._keeps_stopped(len(rows.target))
        lengths = []
        for number in range(1 if self.inner_split == "time" else n_splits):
            fit_rows, watch_rows = inner_split(
                self.inner_split,
                rows.target,
                classification=self.kind in CLASSIFICATION,
                share=self.valid_share * (0.5 if keeps else 1.0),
                groups=groups,
                random_state=self.random_state + 7919 * number,
            )
            best, booster = self._watched(rows, fit_rows, watch_rows, parameters, longest, patience)
            lengths.append(best if keeps else best * len(rows.target) / len(fit_rows))
        return max(1, round(float(np.median(lengths)))), booster

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

    def _keeps_stopped(self, n_rows: int) -> bool:
        """Whether the booster that stopped early is kept; a refit would cost as much again for a few rows more."""
        return self._work(n_rows) >= LARGE_WORK and self.inner_split != "time"

    def _work(self, n_rows: int) -> int:
        """What a round costs: the rows, once for each tree that it grows."""
        return n_rows * max(1, self._n_classes() - 1)

    def _rate(self, n_rows: int, factor: float) -> float:
        """A learning rate that grows with the work a round costs: 0.03 on small tables, 0.15 on the largest."""
        return self.learning_rate or float(np.clip(0.03 * (self._work(n_rows) / 2000) ** 0.25, 0.03, 0.15) * factor)

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
    def _watched(
        self,
        rows: Rows,
        fit_rows: np.ndarray,
        watch_rows: np.ndarray,
        parameters: dict[str, Any],
        longest: int,
        patience: int,
    ) -> tuple[int, Any]:
        """The number of rounds at which the watched rows are predicted best, and the booster of that length."""

    @abstractmethod
    def _boost(self, rows: Rows, parameters: dict[str, Any], n_rounds: int) -> Any:
        """Fit a booster on all rows."""

    @abstractmethod
    def _raw(self, matrix: np.ndarray) -> np.ndarray:
        """Predict from a matrix."""

    @abstractmethod
    def _gains(self) -> np.ndarray:
        """What each column of the matrix gained."""
