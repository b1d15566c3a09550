"""The best threshold, class multipliers or cutpoints on given rows, found by sweeping one number at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from autods.competition.decisions import default_decision, expected_code
from autods.records import Decision, Kind
from autods.validation.confusion import CONFUSION_SCORES, ConfusionScore

if TYPE_CHECKING:
    from autods.competition.metrics import Metric

__all__ = ["search_decision"]

# A multiplier stays within a factor of 8 of one: beyond it, out-of-fold rows are too few to say anything.
LOG_MULTIPLIERS = np.linspace(-np.log(8), np.log(8), 43)
MAX_CLASSES = 30
# Rows × classes that are enough to place a handful of numbers.
MAX_CELLS = 60_000
FLOOR = 1e-9


def search_decision(metric: Metric, kind: Kind, y: np.ndarray, outputs: np.ndarray) -> Decision:
    """Return the decision that scores best on these rows; the default where there is nothing to search.

    Parameters
    ----------
    metric
        A label metric.
    kind
        The task's kind: `binary` and `multilabel` give thresholds, `multiclass` multipliers, `ordinal` cutpoints of
        the expected code.
    y, outputs
        Targets and outputs in the harness's form, without NaN.

    Examples
    --------
    >>> from autods.competition.metrics import get_metric
    >>> outputs = np.array([[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.6, 0.4]])
    >>> decision = search_decision(get_metric("f1"), "binary", np.array([0, 0, 1, 1]), outputs)
    >>> 0.2 < decision.values[0] <= 0.3
    True
    """
    default = default_decision(kind, metric.needs)
    score = CONFUSION_SCORES.get(metric.name)
    if metric.needs != "labels" or len(y) == 0:
        return default
    if kind == "multilabel":
        return _label_thresholds(metric, y, outputs)
    if kind == "binary" and outputs.shape[1] == 2:
        return Decision("threshold", (_threshold(metric, score, y, outputs),))
    if score is None or not 2 <= outputs.shape[1] <= MAX_CLASSES:
        return default
    if kind == "ordinal":
        return Decision("cutpoints", _cutpoints(score, y, outputs))
    every = max(1, outputs.size // MAX_CELLS)
    return Decision("multipliers", _multipliers(score, y[::every], outputs[::every]))


def _grid(y: np.ndarray, p: np.ndarray, n: int) -> np.ndarray:
    """Thresholds between neighbouring probabilities, of which each class gives at most n."""
    levels = np.arange(n + 1) / n
    classes = [p[y == code] for code in (0, 1) if (y == code).any()]
    seen = np.unique(np.concatenate([np.quantile(part, levels) if len(part) > n else part for part in classes]))
    return np.unique(np.append((seen[1:] + seen[:-1]) / 2, 0.5))


def _smooth(scores: np.ndarray) -> np.ndarray:
    """The mean over five neighbours: a peak that one row makes is no reason to put a threshold there."""
    if len(scores) < 40:
        return scores
    return np.asarray(np.convolve(np.pad(scores, 2, mode="edge"), np.full(5, 0.2), mode="valid"))


def _threshold(metric: Metric, score: ConfusionScore | None, y: np.ndarray, outputs: np.ndarray) -> float:
    p = outputs[:, 1]
    if score is None:
        grid = _grid(y, p, 16)
        scores = np.array([metric.score(y, outputs, Decision("threshold", (float(t),))) for t in grid])
        scores = scores if metric.greater_is_better else -scores
    else:
        grid = _grid(y, p, 100)
        scores = score(_threshold_counts(y, p, grid))
    return _chosen(grid, scores)


def _chosen(grid: np.ndarray, scores: np.ndarray) -> float:
    """Of the thresholds with the best smoothed score the middle one."""
    smooth = _smooth(np.nan_to_num(scores, nan=-np.inf))
    best = np.flatnonzero(smooth >= smooth.max() - 1e-12)
    return float(grid[best[len(best) // 2]])


def _threshold_counts(y: np.ndarray, p: np.ndarray, grid: np.ndarray) -> np.ndarray:
    """Confusion matrices at each threshold: thresholds × 2 × 2."""
    counts = np.empty((len(grid), 2, 2))
    for code in (0, 1):
        ordered = np.sort(p[y == code])
        below = np.searchsorted(ordered, grid, side="left")
        counts[:, code, 0], counts[:, code, 1] = below, len(ordered) - below
    return counts


def _label_thresholds(metric: Metric, y: np.ndarray, outputs: np.ndarray) -> Decision:
    if metric.name == "f1_macro":
        f1 = CONFUSION_SCORES["f1"]
        grids = [_grid(y[:, j], outputs[:, j], 100) for j in range(y.shape[1])]
        counts = [_threshold_counts(y[:, j], outputs[:, j], grid) for j, grid in enumerate(grids)]
        return Decision("threshold", tuple(_chosen(g, f1(c)) for g, c in zip(grids, counts, strict=True)))
    grid = np.linspace(0.05, 0.95, 37)
    scores = np.array([metric.score(y, outputs, Decision("threshold", (float(t),))) for t in grid])
    return Decision("threshold", (_chosen(grid, scores if metric.greater_is_better else -scores),))


def _multipliers(score: ConfusionScore, y: np.ndarray, outputs: np.ndarray) -> tuple[float, ...]:
    logs = np.log(np.maximum(outputs, FLOOR))
    shares = np.bincount(y, minlength=outputs.shape[1]) / len(y)
    balanced = np.clip(-np.log(np.maximum(shares, FLOOR)), -np.log(8), np.log(8))
    starts = [np.zeros(outputs.shape[1]), balanced / 2, balanced]
    values = [float(score(_counts(y, np.argmax(logs + start, axis=1), outputs.shape[1]))[0]) for start in starts]
    best = _ascend(score, y, logs, starts[int(np.argmax(values))])
    return tuple(np.exp(best - best.mean()).tolist())


def _counts(y: np.ndarray, codes: np.ndarray, k: int) -> np.ndarray:
    return np.bincount(y * k + codes, minlength=k * k).reshape(1, k, k).astype(np.float64)


def _ascend(score: ConfusionScore, y: np.ndarray, logs: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Improve one class's multiplier after another, twice around."""
    weights = start.copy()
    best = -np.inf
    for _ in range(2):
        before = best
        for code in range(len(weights)):
            scores = score(_multiplier_counts(y, logs, weights, code))
            # Of equal scores the one nearest to no multiplier.
            order = np.lexsort((np.abs(LOG_MULTIPLIERS), -np.round(scores, 12)))
            if scores[order[0]] > best + 1e-12:
                best, weights[code] = float(scores[order[0]]), LOG_MULTIPLIERS[order[0]]
        if best <= before + 1e-12:
            break
    return weights


def _multiplier_counts(y: np.ndarray, logs: np.ndarray, weights: np.ndarray, code: int) -> np.ndarray:
    """Confusion matrices for every multiplier of one class, the others held."""
    k = len(weights)
    others = logs + weights
    others[:, code] = -np.inf
    runner_up = np.argmax(others, axis=1)
    needed = others[np.arange(len(y)), runner_up] - logs[:, code]
    # A row goes to the class from the first multiplier that beats its runner-up.
    place = np.searchsorted(LOG_MULTIPLIERS, needed, side="right")
    n = len(LOG_MULTIPLIERS)
    moves = np.bincount((place * k + y) * k + runner_up, minlength=(n + 1) * k * k).reshape(n + 1, k, k)
    moved = np.cumsum(moves[:n], axis=0)
    counts = (moves.sum(axis=0) - moved).astype(np.float64)
    counts[:, :, code] += moved.sum(axis=2)
    return np.asarray(counts)


def _cutpoints(score: ConfusionScore, y: np.ndarray, outputs: np.ndarray) -> tuple[float, ...]:
    k = outputs.shape[1]
    values = expected_code(outputs)
    shares = np.cumsum(np.bincount(y, minlength=k))[:-1] / len(y)
    # From the roundings, and from the cuts that give every class the share it has in the truth.
    starts = [np.arange(k - 1) + 0.5, np.maximum.accumulate(np.quantile(values, shares))]
    found = [_move_cuts(score, y, values, start, k) for start in starts]
    return tuple(found[int(np.argmax([value for value, _ in found]))][1].tolist())


def _move_cuts(
    score: ConfusionScore, y: np.ndarray, values: np.ndarray, start: np.ndarray, k: int
) -> tuple[float, np.ndarray]:
    cuts = start.copy()
    best = float(score(_cut_counts(y, values, cuts[None, :], k))[0])
    for _ in range(2):
        before = best
        for j in range(len(cuts)):
            low = cuts[j - 1] if j else -0.5
            high = cuts[j + 1] if j + 1 < len(cuts) else k - 0.5
            trials = np.repeat(cuts[None, :], 41, axis=0)
            trials[:, j] = np.linspace(low, high, 41)
            scores = _smooth(score(_cut_counts(y, values, trials, k)))
            at = int(np.argmax(scores))
            if scores[at] > best + 1e-12:
                best, cuts = float(scores[at]), trials[at].copy()
        if best <= before + 1e-12:
            break
    return best, cuts


def _cut_counts(y: np.ndarray, values: np.ndarray, cuts: np.ndarray, k: int) -> np.ndarray:
    """Confusion matrices for several rows of cutpoints."""
    counts = np.empty((len(cuts), k, k))
    for code in range(k):
        ordered = np.sort(values[y == code])
        below = np.searchsorted(ordered, cuts, side="left")
        edges = np.column_stack([np.zeros(len(cuts)), below, np.full(len(cuts), len(ordered))])
        counts[:, code, :] = np.diff(edges, axis=1)
    return counts
