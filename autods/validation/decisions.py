"""Choosing how probabilities become labels, on out-of-fold rows, and only where it pays on rows not used to choose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from autods.competition.decisions import decide, default_decision
from autods.records import Decision, Folds, Kind, Task
from autods.validation.decision_search import search_decision

if TYPE_CHECKING:
    from autods.competition.metrics import Metric

__all__ = ["as_decided", "decided_out_of_part", "outer_parts", "parts_and_others", "tune_decision"]

MAX_PARTS = 5
# For these the most probable class is the best answer of a calibrated candidate: of several classes it is taken, of two
# another threshold must prove itself.
ARGMAX_IS_BEST = ("accuracy", "f1_micro")


def tune_decision(metric: Metric, task: Task, y: np.ndarray, oof: np.ndarray, folds: Folds) -> Decision:
    """Return a tuned decision where it gains out of fold, else the default.

    Each part of the rows is scored with the decision found on the others. The gain over the default must be positive
    (for accuracy: more than its standard error). The decision is then the mean over the parts, which one part's
    chance peaks move less than a search on all rows would.

    Parameters
    ----------
    metric, task
        The metric; one that needs no labels gets the default.
    y, oof
        Targets and out-of-fold outputs; NaN where never held out.
    folds
        The run's folds.

    Examples
    --------
    >>> from autods.competition.metrics import get_metric
    >>> from autods.records import Submission
    >>> task = Task("t", "binary", ("y",), "auroc", True, "probabilities", Submission(("y",), None, "probability"))
    >>> tune_decision(get_metric("auroc"), task, np.zeros(0), np.zeros((0, 2)), Folds("plain", (), 0, 0, "", 0)).kind
    'none'
    """
    default = default_decision(task.kind, metric.needs)
    parts = outer_parts(folds)
    best_already = metric.name in ARGMAX_IS_BEST and task.kind == "multiclass"
    if metric.needs != "labels" or len(parts) < 2 or oof.shape[1] < 2 or best_already:
        return default
    found, gains = [], []
    for rows, others in parts_and_others(parts):
        decision = search_decision(metric, task.kind, y[others], oof[others])
        gain = metric.score(y[rows], oof[rows], decision) - metric.score(y[rows], oof[rows], default)
        found.append(decision)
        gains.append(gain if metric.greater_is_better else -gain)
    known = np.asarray(gains)[np.isfinite(gains)]
    proof = float(known.std(ddof=1) / np.sqrt(len(known))) if metric.name in ARGMAX_IS_BEST and len(known) > 1 else 0.0
    if len(known) == 0 or known.mean() <= proof + 1e-9 or len({d.kind for d in found}) > 1:
        return default
    return _mean_decision(found)


def parts_and_others(parts: Sequence[np.ndarray]) -> list[tuple[np.ndarray, np.ndarray]]:
    """Pair each part's rows with those of all other parts.

    Examples
    --------
    >>> [(rows.tolist(), others.tolist()) for rows, others in parts_and_others([np.array([0, 2]), np.array([1])])]
    [([0, 2], [1]), ([1], [0, 2])]
    """
    return [
        (rows, np.sort(np.concatenate([other for j, other in enumerate(parts) if j != i])))
        for i, rows in enumerate(parts)
    ]


def outer_parts(folds: Folds) -> list[np.ndarray]:
    """Return disjoint parts of the held-out rows, at most five, whole folds of one repeat each.

    Examples
    --------
    >>> splits = tuple((np.delete(np.arange(12), i), np.array([i])) for i in range(12))
    >>> [len(rows) for rows in outer_parts(Folds("leave_one_out", splits, 12, 1, "", 12))]
    [3, 3, 2, 2, 2]
    """
    valids = [valid for _, valid in folds.splits[: folds.n_splits]]
    n = min(len(valids), MAX_PARTS)
    return [np.sort(np.concatenate(valids[i::n])) for i in range(n)]


def as_decided(outputs: np.ndarray, decision: Decision, kind: Kind) -> np.ndarray:
    """Return outputs that are certain of what was decided, so that decisions of several parts can be scored at once.

    Examples
    --------
    >>> as_decided(np.array([[0.6, 0.4]]), Decision("threshold", (0.3,)), "binary").tolist()
    [[0.0, 1.0]]
    """
    decided = decide(outputs, decision, kind)
    if kind == "multilabel":
        return decided.astype(np.float64)
    return np.asarray(np.eye(outputs.shape[1])[decided])


def decided_out_of_part(
    metric: Metric, kind: Kind, y: np.ndarray, outputs: Sequence[np.ndarray], folds: Folds
) -> np.ndarray:
    """Return outputs decided for each part by the decision found on the others; `outputs` are those of each part's own.

    Examples
    --------
    >>> from autods.competition.metrics import get_metric
    >>> folds = Folds("plain", ((np.array([0, 1]), np.array([2, 3])), (np.array([2, 3]), np.array([0, 1]))), 2, 1, "", 4)
    >>> y, p = np.array([0, 1, 0, 1]), np.array([0.1, 0.35, 0.2, 0.4])
    >>> outputs = np.column_stack([1 - p, p])
    >>> decided_out_of_part(get_metric("f1"), "binary", y, [outputs, outputs], folds)[:, 1].tolist()
    [0.0, 1.0, 0.0, 1.0]
    """
    decided = np.full_like(outputs[0], np.nan)
    for (rows, others), part in zip(parts_and_others(outer_parts(folds)), outputs, strict=True):
        decision = search_decision(metric, kind, y[others], part[others])
        decided[rows] = as_decided(part[rows], decision, kind)
    return decided


def _mean_decision(found: Sequence[Decision]) -> Decision:
    values = np.asarray([decision.values for decision in found])
    mean = np.exp(np.log(values).mean(axis=0)) if found[0].kind == "multipliers" else values.mean(axis=0)
    # Rounded: more digits than the rows can tell apart would only look exact.
    return Decision(found[0].kind, tuple(round(float(value), 6) for value in mean))
