"""What a blend is chosen by: a smooth loss that stands for the metric, quick to compute for many mixtures at once.

A label metric is too coarse to choose weights by (with 600 rows one row is 0.17 % of accuracy): log loss stands for it,
and the squared error of the expected code for the kappas of ordered classes. Other metrics stand for themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from autods.competition.decisions import expected_code
from autods.records import Kind

if TYPE_CHECKING:
    from autods.competition.metrics import Metric

__all__ = ["Objective", "make_objective"]

# Rows that are enough to tell mixtures apart, by how much a row costs.
MAX_ROWS = 60_000
MAX_RANKS = 6_000
MAX_ROWS_SLOW = 2_000
# Under a label metric no row may cost more than this probability does: a few certain mistakes decide nothing else.
LABEL_FLOOR = 1e-3
RANKED = ("auroc", "auroc_macro", "mean_column_auroc", "gini")

RowLoss = Callable[[np.ndarray], np.ndarray]
PartLoss = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Objective:
    """A loss of mixtures of outputs, by part of the rows.

    Attributes
    ----------
    name
        What the loss is, for reports.
    rows
        The rows it looks at, part after part.
    sizes
        The number of rows of each part.
    material
        Turns outputs (of `rows`) into what mixes linearly: rows × columns.
    losses
        Turns mixed materials, mixtures × rows × columns, into losses, mixtures × parts; less is better.
    max_pool, max_steps
        How many candidates a selection looks at, and for how many steps: fewer where a loss is slow to compute.
    """

    name: str
    rows: np.ndarray
    sizes: tuple[int, ...]
    material: Callable[[np.ndarray], np.ndarray]
    losses: PartLoss
    max_pool: int = 16
    max_steps: int = 20

    def of(self, outputs: np.ndarray) -> np.ndarray:
        """Return the loss of each part for outputs of all rows."""
        return np.asarray(self.losses(self.material(outputs[self.rows])[None])[0])


def make_objective(metric: Metric, kind: Kind, y: np.ndarray, parts: Sequence[np.ndarray]) -> Objective:
    """Make the objective of a metric on disjoint parts of the rows.

    Examples
    --------
    >>> from autods.competition.metrics import get_metric
    >>> parts = [np.array([0]), np.array([1])]
    >>> objective = make_objective(get_metric("mae"), "regression", np.array([1.0, 2.0]), parts)
    >>> objective.of(np.array([[1.5], [2.0]])).tolist()
    [0.5, 0.0]
    """
    for make in (_class_objective, _value_objective, _rank_objective):
        objective = make(metric, kind, y, parts)
        if objective is not None:
            return objective
    return _metric_objective(metric, y, parts)


def _class_objective(metric: Metric, kind: Kind, y: np.ndarray, parts: Sequence[np.ndarray]) -> Objective | None:
    if kind in ("regression", "multi_regression"):
        return None
    rows, sizes = _sample(parts, MAX_ROWS)
    truth = y[rows]
    if kind == "ordinal" and metric.name in ("qwk", "kappa"):
        return Objective(
            "squared error of the expected code",
            rows,
            sizes,
            lambda outputs: (expected_code(outputs) - truth)[:, None],
            _by_part(np.square, sizes),
        )
    if metric.name == "brier":
        indicators = truth if kind == "multilabel" else np.eye(_n_classes(y))[truth]
        return Objective(
            "Brier score", rows, sizes, lambda o: o - indicators[:, : o.shape[1]], _by_part(np.square, sizes)
        )
    if metric.needs == "labels" or metric.name == "log_loss":
        floor = LABEL_FLOOR if metric.needs == "labels" else 1e-15
        return Objective(
            "log loss",
            rows,
            sizes,
            lambda outputs: _of_truth(outputs, truth),
            _by_part(lambda p: -np.log(np.maximum(p, floor)), sizes),
        )
    return None


def _value_objective(metric: Metric, kind: Kind, y: np.ndarray, parts: Sequence[np.ndarray]) -> Objective | None:
    rows, sizes = _sample(parts, MAX_ROWS)
    truth = y[rows].reshape(len(rows), -1).astype(np.float64) if kind in ("regression", "multi_regression") else None
    make = _ROW_LOSSES.get(metric.name)
    if truth is None or make is None:
        return None
    root = np.sqrt if metric.name in ("rmse", "mcrmse", "rmsle", "rmse_log") else None
    return Objective(metric.title, rows, sizes, lambda outputs: outputs, _by_part(make(truth), sizes, root))


def _logs(shift: float, floor: float) -> Callable[[np.ndarray], np.ndarray]:
    return lambda values: np.log(np.maximum(values, floor) + shift)


def _squared_logs(shift: float, floor: float) -> Callable[[np.ndarray], RowLoss]:
    def make(truth: np.ndarray) -> RowLoss:
        log = _logs(shift, floor)
        logs = log(truth)
        return lambda values: np.square(log(values) - logs)

    return make


def _smape(truth: np.ndarray) -> RowLoss:
    def loss(values: np.ndarray) -> np.ndarray:
        scale = np.abs(truth) + np.abs(values)
        return np.asarray(200 * np.abs(values - truth) / np.where(scale > 0, scale, 1.0))

    return loss


_ROW_LOSSES: dict[str, Callable[[np.ndarray], RowLoss]] = {
    "mae": lambda truth: lambda values: np.abs(values - truth),
    "mape": lambda truth: lambda values: np.abs(values - truth) / np.maximum(np.abs(truth), np.finfo(float).eps),
    "mcrmse": lambda truth: lambda values: np.square(values - truth),
    "mse": lambda truth: lambda values: np.square(values - truth),
    "r2": lambda truth: lambda values: np.square(values - truth),
    "rmse": lambda truth: lambda values: np.square(values - truth),
    "rmse_log": _squared_logs(0.0, 1e-15),
    "rmsle": _squared_logs(1.0, 0.0),
    "smape": _smape,
}


def _rank_objective(metric: Metric, kind: Kind, y: np.ndarray, parts: Sequence[np.ndarray]) -> Objective | None:
    if metric.name not in RANKED or kind in ("regression", "multi_regression"):
        return None
    n_columns = y.shape[1] if kind == "multilabel" else 1 if _n_classes(y) <= 2 else _n_classes(y)
    rows, sizes = _sample(parts, max(MAX_ROWS_SLOW, MAX_RANKS // n_columns))
    truth = y[rows]
    if kind == "multilabel":
        indicators = truth
    else:
        indicators = truth[:, None] if n_columns == 1 else np.eye(n_columns, dtype=np.int64)[truth]

    def material(outputs: np.ndarray) -> np.ndarray:
        return outputs[:, 1:2] if kind != "multilabel" and n_columns == 1 else outputs[:, :n_columns]

    return Objective("1 - AUROC", rows, sizes, material, _auroc_losses(indicators, sizes), max_pool=8, max_steps=12)


def _metric_objective(metric: Metric, y: np.ndarray, parts: Sequence[np.ndarray]) -> Objective:
    rows, sizes = _sample(parts, MAX_ROWS_SLOW)
    truth = np.split(y[rows], np.cumsum(sizes)[:-1])
    sign = -1.0 if metric.greater_is_better else 1.0

    def losses(mixtures: np.ndarray) -> np.ndarray:
        pieces = np.split(mixtures, np.cumsum(sizes)[:-1], axis=1)
        return np.array(
            [[sign * metric.score(t, p[i]) for t, p in zip(truth, pieces, strict=True)] for i in range(len(mixtures))]
        )

    return Objective(metric.title, rows, sizes, lambda outputs: outputs, losses, max_pool=6, max_steps=8)


def _sample(parts: Sequence[np.ndarray], limit: int) -> tuple[np.ndarray, tuple[int, ...]]:
    """The rows of all parts, thinned evenly where they are more than the limit."""
    n = sum(len(part) for part in parts)
    kept = [part[:: max(1, -(-n // limit))] for part in parts]
    return np.concatenate(kept), tuple(len(part) for part in kept)


def _by_part(
    row_loss: RowLoss, sizes: tuple[int, ...], root: Callable[[np.ndarray], np.ndarray] | None = None
) -> PartLoss:
    """The mean of a row's loss over each part and over columns, the root of each column's mean where one is taken."""
    starts = np.r_[0, np.cumsum(sizes)[:-1]].astype(np.int64)

    def losses(mixtures: np.ndarray) -> np.ndarray:
        means = np.add.reduceat(row_loss(mixtures), starts, axis=1) / np.asarray(sizes)[None, :, None]
        return np.asarray((means if root is None else root(means)).mean(axis=2))

    return losses


def _auroc_losses(truth: np.ndarray, sizes: tuple[int, ...]) -> PartLoss:
    """1 - AUROC of each part, the mean over columns that hold both outcomes."""
    edges = np.r_[0, np.cumsum(sizes)]

    def losses(mixtures: np.ndarray) -> np.ndarray:
        from scipy.stats import rankdata

        result = np.full((len(mixtures), len(sizes)), np.nan)
        for part in range(len(sizes)):
            of_part = slice(edges[part], edges[part + 1])
            n_ones = truth[of_part].sum(axis=0)
            both = (n_ones > 0) & (n_ones < sizes[part])
            if both.any():
                ranks = rankdata(mixtures[:, of_part][:, :, both], axis=1)
                above = (ranks * (truth[of_part][:, both] == 1)).sum(axis=1) - n_ones[both] * (n_ones[both] + 1) / 2
                result[:, part] = 1 - (above / (n_ones[both] * (sizes[part] - n_ones[both]))).mean(axis=1)
        return result

    return losses


def _of_truth(outputs: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """The probability that was given to what is true: rows × 1, or rows × labels."""
    if truth.ndim == 2:
        return np.where(truth == 1, outputs, 1 - outputs)
    return np.asarray(outputs[np.arange(len(truth)), truth][:, None])


def _n_classes(y: np.ndarray) -> int:
    return int(y.max()) + 1
