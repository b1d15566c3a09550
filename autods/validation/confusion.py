"""Label metrics of many confusion matrices at once, so that a search over thresholds costs one pass over the rows.

They are the known label metrics of `autods.competition.metrics`, by name; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

__all__ = ["CONFUSION_SCORES"]

# (matrices × true × predicted) counts -> a score for each matrix
ConfusionScore = Callable[[np.ndarray], np.ndarray]


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    return np.asarray(np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), 0.0))


def _hits(counts: np.ndarray) -> np.ndarray:
    return np.asarray(np.diagonal(counts, axis1=1, axis2=2))


def _accuracy(counts: np.ndarray) -> np.ndarray:
    return _share(_hits(counts).sum(axis=1), counts.sum(axis=(1, 2)))


def _balanced_accuracy(counts: np.ndarray) -> np.ndarray:
    true = counts.sum(axis=2)
    return _share(_share(_hits(counts), true).sum(axis=1), (true > 0).sum(axis=1))


def _f1_by_class(counts: np.ndarray) -> np.ndarray:
    return _share(2 * _hits(counts), counts.sum(axis=2) + counts.sum(axis=1))


def _f1(counts: np.ndarray) -> np.ndarray:
    return _f1_by_class(counts)[:, 1] if counts.shape[1] == 2 else _f1_macro(counts)


def _f1_macro(counts: np.ndarray) -> np.ndarray:
    occurs = (counts.sum(axis=2) + counts.sum(axis=1)) > 0
    return _share(_f1_by_class(counts).sum(axis=1), occurs.sum(axis=1))


def _f1_weighted(counts: np.ndarray) -> np.ndarray:
    true = counts.sum(axis=2)
    return _share((_f1_by_class(counts) * true).sum(axis=1), true.sum(axis=1))


def _matthews(counts: np.ndarray) -> np.ndarray:
    true, predicted, n = counts.sum(axis=2), counts.sum(axis=1), counts.sum(axis=(1, 2))
    covariance = _hits(counts).sum(axis=1) * n - (true * predicted).sum(axis=1)
    spread = np.sqrt((n**2 - (predicted**2).sum(axis=1)) * (n**2 - (true**2).sum(axis=1)))
    return _share(covariance, spread)


def _kappa(cost: Callable[[np.ndarray], np.ndarray]) -> ConfusionScore:
    def score(counts: np.ndarray) -> np.ndarray:
        codes = np.arange(counts.shape[1])
        costs = cost(np.abs(np.subtract.outer(codes, codes))).astype(np.float64)
        true, predicted, n = counts.sum(axis=2), counts.sum(axis=1), counts.sum(axis=(1, 2))
        by_chance = np.einsum("bi,ij,bj->b", true, costs, predicted) / np.maximum(n, 1)
        observed = np.einsum("ij,bij->b", costs, counts)
        return np.where(by_chance > 0, 1 - observed / np.where(by_chance > 0, by_chance, 1.0), 1.0)

    return score


CONFUSION_SCORES: Mapping[str, ConfusionScore] = {
    "accuracy": _accuracy,
    "balanced_accuracy": _balanced_accuracy,
    "f1": _f1,
    "f1_macro": _f1_macro,
    "f1_micro": _accuracy,
    "f1_weighted": _f1_weighted,
    "kappa": _kappa(lambda distance: distance > 0),
    "mcc": _matthews,
    "qwk": _kappa(lambda distance: distance**2),
}
