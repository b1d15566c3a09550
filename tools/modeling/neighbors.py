"""Nearest neighbours on a design matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from autods.tools.modeling._base import CLASSIFICATION, ClassWeight, Kind, make
from autods.tools.modeling._splits import InnerSplit, inner_split
from autods.tools.modeling.kernels import _OnDistances

__all__ = ["Neighbors", "k_nearest_neighbors"]

NUMBERS = (3, 5, 10, 20, 40, 80)
MOST_WATCHED_ROWS = 2000


class Neighbors(_OnDistances):
    """Nearest neighbours, near ones counting more; see `k_nearest_neighbors`."""

    def __init__(
        self,
        kind: Kind = "regression",
        n_neighbors: int | None = None,
        weigh_columns: bool = True,
        max_rows: int = 20_000,
        inner_split: InnerSplit = "auto",
        class_weight: ClassWeight = None,
        random_state: int = 0,
    ) -> None:
        self.kind = kind
        self.n_neighbors = n_neighbors
        self.weigh_columns = weigh_columns
        self.max_rows = max_rows
        self.inner_split = inner_split
        self.class_weight = class_weight
        self.random_state = random_state

    def _fit(
        self, frame: pd.DataFrame, target: np.ndarray, weight: np.ndarray | None, groups: np.ndarray | None
    ) -> None:
        design, rows = self._learn_design(frame, target)
        if design.shape[1] == 0:
            self.constant_ = self._constant(target, weight)
            return
        target = target[rows]
        self.target_ = np.eye(len(self.classes_))[target] if self.kind in CLASSIFICATION else target[:, None]
        self.weight_ = np.ones(len(target)) if weight is None else weight[rows] / weight[rows].mean()
        self.relevance_ = _relevance(design, self.target_) if self.weigh_columns else np.ones(design.shape[1])
        self.design_ = design * self.relevance_
        self.n_neighbors_ = self.n_neighbors or self._choose(target, None if groups is None else groups[rows])
        self.n_neighbors_ = min(self.n_neighbors_, len(target))
        self.prior_ = np.average(self.target_, axis=0, weights=self.weight_)

    def _choose(self, target: np.ndarray, groups: np.ndarray | None) -> int:
        """The number of neighbours that predicts watched rows best."""
        if len(target) < 10:
            return min(3, len(target))
        known, watched = inner_split(
            self.inner_split,
            target,
            classification=self.kind in CLASSIFICATION,
            share=0.3,
            groups=groups,
            random_state=self.random_state,
        )
        watched = watched[:MOST_WATCHED_ROWS]
        numbers = [number for number in NUMBERS if number <= len(known)] or [1]
        near, distance = _nearest(self.design_[known], self.design_[watched], max(numbers))
        prior = np.average(self.target_[known], axis=0, weights=self.weight_[known])
        losses = []
        for number in numbers:
            found = self._average(known[near[:, :number]], distance[:, :number], prior)
            if self.kind in CLASSIFICATION:
                losses.append(-np.log(np.maximum((found * self.target_[watched]).sum(axis=1), 1e-9)).mean())
            else:
                losses.append(((found - self.target_[watched]) ** 2).mean())
        return numbers[int(np.argmin(losses))]

    def _average(self, near: np.ndarray, distance: np.ndarray, prior: np.ndarray) -> np.ndarray:
        """The mean of the neighbours' targets by nearness; for classes with the prior as one neighbour more."""
        nearness = self.weight_[near] / (distance + 1e-3 + distance.mean(axis=1, keepdims=True) * 0.1)
        nearness *= near.shape[1] / nearness.sum(axis=1, keepdims=True)
        total = np.einsum("rn,rno->ro", nearness, self.target_[near])
        if self.kind in CLASSIFICATION:
            return np.asarray((total + prior) / (near.shape[1] + 1))
        return np.asarray(total / near.shape[1])

    def _outputs(self, frame: pd.DataFrame) -> np.ndarray:
        near, distance = _nearest(self.design_, self._design(frame) * self.relevance_, self.n_neighbors_)
        return self._average(near, distance, self.prior_)


def _relevance(design: np.ndarray, target: np.ndarray) -> np.ndarray:
    """The root of each column's strongest correlation with the target, so that distances count what matters."""
    centred = design - design.mean(axis=0)
    wanted = target - target.mean(axis=0)
    scale = np.outer(np.linalg.norm(centred, axis=0), np.linalg.norm(wanted, axis=0))
    correlation = np.abs(centred.T @ wanted) / np.where(scale > 0, scale, 1.0)
    return np.asarray(np.sqrt(np.maximum(correlation.max(axis=1), 0.02)))


def _nearest(known: np.ndarray, asked: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray]:
    from sklearn.neighbors import NearestNeighbors

    finder = NearestNeighbors(n_neighbors=number, n_jobs=1, algorithm="brute").fit(known)
    distance, near = finder.kneighbors(asked)
    return near, distance


def k_nearest_neighbors(kind: Kind, **parameters: Any) -> Neighbors:
    """Make nearest neighbours on a standardised design, columns weighed by their relation to the target.

    Parameters
    ----------
    kind
        The kind of the task.
    **parameters
        `n_neighbors` (None: chosen on an inner split), `weigh_columns`, `max_rows` (a seeded sample of more),
        `inner_split`, `class_weight`, `random_state`.

    Notes
    -----
    Seldom best alone; of use in a blend, since it errs unlike trees. Poor with many irrelevant columns.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0] * 10})
    >>> k_nearest_neighbors("binary").fit(frame, [0, 1, 1, 0] * 10).predict(frame)[:4].tolist()
    [0, 1, 1, 0]
    """
    return make(Neighbors, kind, **parameters)
