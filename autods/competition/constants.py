"""The best constant prediction of each metric: the score that any work must beat.

One prediction for all rows leaves every rank, correlation and chance-corrected agreement at its neutral value; for
those the class shares or the mean stand. For the others the constant follows from the metric, derived where it is made.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autods.records import Kind

__all__ = [
    "Constant",
    "always_positive",
    "best_found",
    "best_label_set",
    "class_shares",
    "column_wise",
    "geometric_mean",
    "inverse_weighted_mean",
    "most_frequent",
    "shortest_half",
    "smape_optimum",
    "weighted_median",
]

# (y, kind, n_outputs, score of outputs) -> one row of outputs
Constant = Callable[[np.ndarray, Kind, int, Callable[[np.ndarray], float]], np.ndarray]


# --- classes ---------------------------------------------------------------------------------------------------------
def class_shares(y: np.ndarray, kind: Kind, n_outputs: int, score: Callable[[np.ndarray], float]) -> np.ndarray:
    """Return the class shares: they minimise log loss and Brier score and rank MAP@k's labels best."""
    if kind in ("regression", "multi_regression"):
        return np.asarray(np.asarray(y, dtype=np.float64).reshape(len(y), -1).mean(axis=0))
    if kind == "multilabel":
        return np.asarray(y.mean(axis=0), dtype=np.float64)
    return np.asarray(np.bincount(y, minlength=n_outputs) / len(y))


def most_frequent(y: np.ndarray, kind: Kind, n_outputs: int, score: Callable[[np.ndarray], float]) -> np.ndarray:
    """Return the most frequent class, all probability on it.

    Predicting class c of share p everywhere has accuracy and micro F1 p, macro F1 proportional to 2p / (1 + p) and
    weighted F1 2p² / (1 + p), all rising in p; balanced accuracy, kappa and Matthews' coefficient do not depend on c.
    With several labels per row it is the most frequent row.
    """
    if kind == "multilabel":
        rows, counts = np.unique(y, axis=0, return_counts=True)
        return np.asarray(rows[int(np.argmax(counts))], dtype=np.float64)
    return np.asarray(np.eye(n_outputs)[int(np.argmax(np.bincount(y, minlength=n_outputs)))])


def always_positive(y: np.ndarray, kind: Kind, n_outputs: int, score: Callable[[np.ndarray], float]) -> np.ndarray:
    """Return F1's best constant: always positive scores 2p / (1 + p), never positive scores 0."""
    if kind == "binary":
        return np.array([0.0, 1.0])
    return best_label_set(y, kind, n_outputs, score)


def best_label_set(y: np.ndarray, kind: Kind, n_outputs: int, score: Callable[[np.ndarray], float]) -> np.ndarray:
    """Return averaged F1's best constant: the most frequent class, or of several labels the best set of frequent ones.

    The sets tried are the m most frequent labels, for every m: micro F1's best is one of them.
    """
    if kind != "multilabel":
        return most_frequent(y, kind, n_outputs, score)
    order = np.argsort(-y.mean(axis=0), kind="stable")
    rows = [np.isin(np.arange(n_outputs), order[:m]).astype(np.float64) for m in range(n_outputs, -1, -1)]
    return max([*rows, most_frequent(y, kind, n_outputs, score)], key=score)


# --- values ----------------------------------------------------------------------------------------------------------
def column_wise(centre: Callable[[np.ndarray], float]) -> Constant:
    """Make the constant that is this centre of each target."""

    def constant(y: np.ndarray, kind: Kind, n_outputs: int, score: Callable[[np.ndarray], float]) -> np.ndarray:
        columns = np.asarray(y, dtype=np.float64).reshape(len(y), -1)
        return np.array([float(centre(columns[:, j])) for j in range(columns.shape[1])])

    return constant


def geometric_mean(floor: float, shift: float) -> Callable[[np.ndarray], float]:
    """Make exp(mean(log(y + shift))) - shift, which minimises the squared error of log(y + shift)."""

    def centre(y: np.ndarray) -> float:
        return float(np.exp(np.mean(np.log(np.maximum(y, floor) + shift))) - shift)

    return centre


def weighted_median(y: np.ndarray) -> float:
    """Return the median of y weighted by 1/|y|: the minimum of the convex sum of |y - c| / |y|."""
    weights = 1.0 / np.maximum(np.abs(y), np.finfo(np.float64).eps)
    order = np.argsort(y, kind="stable")
    total = np.cumsum(weights[order])
    return float(y[order][int(np.searchsorted(total, total[-1] / 2))])


def inverse_weighted_mean(y: np.ndarray) -> float:
    """Return sum(1/y) / sum(1/y²), the zero of the derivative of the squared percentage error; 0 has no part in it."""
    inverse = 1.0 / y[y != 0]
    return float(inverse.sum() / (inverse**2).sum()) if len(inverse) else 0.0


def shortest_half(y: np.ndarray) -> float:
    """Return the constant with the least median absolute error: the middle of the shortest half of the sorted values.

    The k-th smallest |y - c| is piecewise linear in c with slopes ±1 and its minima are the middles of k neighbours.
    For odd n the median is such an order statistic. For even n it is the mean of two, whose minimum is a middle of
    n/2 or of n/2 + 1 neighbours; at the latter both equal the radius, at the former the second is the nearest outsider.
    """
    y = np.sort(y)
    n = len(y)
    wide = n // 2 + 1
    middles = (y[wide - 1 :] + y[: n - wide + 1]) / 2
    costs = (y[wide - 1 :] - y[: n - wide + 1]) / 2
    if n % 2 == 0:
        narrow = n // 2
        centres = (y[narrow - 1 :] + y[: n - narrow + 1]) / 2
        radii = (y[narrow - 1 :] - y[: n - narrow + 1]) / 2
        padded = np.concatenate([[-np.inf], y, [np.inf]])
        outside = np.minimum(centres - padded[: len(centres)], padded[narrow + 1 :] - centres)
        middles, costs = np.append(middles, centres), np.append(costs, (radii + outside) / 2)
    return float(middles[int(np.argmin(costs))])


def smape_optimum(y: np.ndarray) -> float:
    """Return the constant with the least SMAPE, searched from the best of 200 quantiles (the sum is not convex)."""
    from scipy.optimize import minimize_scalar

    def cost(c: float) -> float:
        scale = np.abs(y) + abs(c)
        return float(np.mean(np.abs(y - c) / np.where(scale > 0, scale, 1.0)))

    grid = np.unique(np.quantile(y, np.linspace(0, 1, 201)))
    best = int(np.argmin([cost(c) for c in grid]))
    low, high = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
    if low == high:
        return float(low)
    found = minimize_scalar(cost, bounds=(low, high), method="bounded")
    return float(found.x) if found.fun < cost(grid[best]) else float(grid[best])


def best_found(y: np.ndarray, kind: Kind, n_outputs: int, score: Callable[[np.ndarray], float]) -> np.ndarray:
    """Return the best constant tried, for a metric of which nothing is known; `score` is higher for better."""
    if kind in ("regression", "multi_regression"):
        columns = np.asarray(y, dtype=np.float64).reshape(len(y), -1)
        rows = [columns.mean(axis=0), *np.quantile(columns, np.linspace(0.02, 0.98, 49), axis=0), np.zeros(n_outputs)]
    elif kind == "multilabel":
        rows = [class_shares(y, kind, n_outputs, score), most_frequent(y, kind, n_outputs, score)]
        rows.append(best_label_set(y, kind, n_outputs, score))
    else:
        frequent = np.argsort(-np.bincount(y, minlength=n_outputs), kind="stable")[:50]
        rows = [
            *np.eye(n_outputs)[frequent],
            class_shares(y, kind, n_outputs, score),
            np.full(n_outputs, 1 / n_outputs),
        ]
    scores = [score(row) for row in rows]
    return np.asarray(rows[int(np.argmax([s if np.isfinite(s) else -np.inf for s in scores]))])
