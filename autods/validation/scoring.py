"""Scores of outputs on the run's folds, with a standard error, and differences paired by fold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from autods.records import Decision, Folds, Kind, Score

if TYPE_CHECKING:
    from autods.competition.metrics import Metric

__all__ = ["constant_outputs", "constant_score", "held_out_rows", "paired_difference", "rank_key", "score_outputs"]


def score_outputs(
    metric: Metric, y: np.ndarray, outputs: np.ndarray, folds: Folds, decision: Decision | None = None
) -> Score:
    """Score out-of-fold outputs: the mean of the metric over folds and its standard error.

    The standard error is that of the mean over one repeat's folds: repeats hold out the same rows again, which makes
    the estimate of it steadier, not smaller. Folds that the metric cannot score (a single class for AUROC) are left
    out. One row a fold is scored as a whole, with the jackknife's standard error.

    Parameters
    ----------
    metric
        The competition's metric.
    y, outputs
        Targets and outputs in the harness's form; outputs of rows that are never held out may be NaN.
    decision
        How labels are decided; the default decision when None.

    Examples
    --------
    >>> from autods.competition.metrics import get_metric
    >>> folds = Folds("plain", ((np.array([0]), np.array([1, 2])), (np.array([1, 2]), np.array([0]))), 2, 1, "", 3)
    >>> score = score_outputs(get_metric("mae"), np.array([0.0, 1.0, 3.0]), np.array([[2.0], [1.0], [2.0]]), folds)
    >>> score.folds, score.value
    ((0.5, 2.0), 1.25)
    """
    if folds.kind == "leave_one_out":
        return _jackknife(metric, y, outputs, decision)
    values = np.array([metric.score(y[valid], outputs[valid], decision) for _, valid in folds.splits])
    if not np.isfinite(values).any() and folds.splits:
        rows = held_out_rows(folds)
        whole = metric.score(y[rows], outputs[rows], decision)
        return Score(float(whole), float("nan"), (float(whole),), metric.name, metric.greater_is_better)
    return _score(metric, values, folds)


def constant_outputs(metric: Metric, y: np.ndarray, kind: Kind, n_outputs: int, folds: Folds) -> np.ndarray:
    """Return out-of-fold outputs of the best constant, learnt on each fold's training rows."""
    outputs = np.full((len(y), n_outputs), np.nan)
    for train, valid in folds.splits[: folds.n_splits]:
        outputs[valid] = metric.best_constant(y[train], kind, n_outputs)
    return outputs


def constant_score(metric: Metric, y: np.ndarray, kind: Kind, n_outputs: int, folds: Folds) -> Score:
    """Score the best constant, learnt on each fold's training rows.

    Examples
    --------
    >>> from autods.competition.metrics import get_metric
    >>> folds = Folds("plain", ((np.array([0, 1]), np.array([2])), (np.array([2]), np.array([0, 1]))), 2, 1, "", 3)
    >>> constant_score(get_metric("mae"), np.array([1.0, 1.0, 2.0]), "regression", 1, folds).value
    1.0
    """
    return score_outputs(metric, y, constant_outputs(metric, y, kind, n_outputs, folds), folds)


def paired_difference(a: Score, b: Score) -> tuple[float, float]:
    """Return how much better a is than b by fold, and the standard error of that; positive means a is better.

    Folds that either lacks are left out; with nothing to pair, both are NaN.

    Examples
    --------
    >>> a = Score(0.5, 0.1, (0.4, 0.6), "rmse", False)
    >>> b = Score(0.7, 0.1, (0.6, 0.8), "rmse", False)
    >>> [round(number, 6) for number in paired_difference(a, b)]
    [0.2, 0.0]
    """
    if len(a.folds) != len(b.folds) or not a.folds:
        sign = 1.0 if a.greater_is_better else -1.0
        return sign * (a.value - b.value), float(np.hypot(a.standard_error, b.standard_error))
    differences = np.asarray(a.folds) - np.asarray(b.folds)
    differences = differences[np.isfinite(differences)] * (1.0 if a.greater_is_better else -1.0)
    if len(differences) == 0:
        return float("nan"), float("nan")
    spread = float(differences.std(ddof=1) / np.sqrt(len(differences))) if len(differences) > 1 else float("nan")
    return float(differences.mean()), spread


def rank_key(score: Score | None) -> float:
    """Return a number to sort scores by, least for the best; what has no score comes last.

    Examples
    --------
    >>> rank_key(Score(0.9, 0.0, (), "auroc", True)) < rank_key(Score(0.8, 0.0, (), "auroc", True)) < rank_key(None)
    True
    """
    if score is None or not np.isfinite(score.value):
        return float("inf")
    return -score.value if score.greater_is_better else score.value


def held_out_rows(folds: Folds) -> np.ndarray:
    """Return the rows that are held out at least once, ascending.

    Examples
    --------
    >>> held_out_rows(Folds("time", ((np.array([0]), np.array([2, 1])),), 1, 1, "", 3)).tolist()
    [1, 2]
    """
    if not folds.splits:
        return np.arange(0)
    return np.unique(np.concatenate([valid for _, valid in folds.splits[: folds.n_splits]]))


def _score(metric: Metric, values: np.ndarray, folds: Folds) -> Score:
    known = values[np.isfinite(values)]
    mean = float(known.mean()) if len(known) else float("nan")
    variances = []
    for repeat in values.reshape(max(1, folds.n_repeats), -1):
        part = repeat[np.isfinite(repeat)]
        if len(part) > 1:
            variances.append(part.var(ddof=1) / len(part))
    error = float(np.sqrt(np.mean(variances))) if variances else float("nan")
    return Score(mean, error, tuple(values.tolist()), metric.name, metric.greater_is_better)


def _jackknife(metric: Metric, y: np.ndarray, outputs: np.ndarray, decision: Decision | None) -> Score:
    """Score all rows at once; a fold's score is its row's pseudo-value (its own score where the metric is a mean)."""
    n = len(y)
    whole = metric.score(y, outputs, decision)
    rest = np.arange(n)
    parts = [metric.score(y[rest != i], outputs[rest != i], decision) for i in range(n)] if n > 2 else [whole] * n
    pseudo = n * whole - (n - 1) * np.asarray(parts)
    known = pseudo[np.isfinite(pseudo)]
    error = float(known.std(ddof=1) / np.sqrt(len(known))) if len(known) > 1 else float("nan")
    return Score(float(whole), error, tuple(pseudo.tolist()), metric.name, metric.greater_is_better)
