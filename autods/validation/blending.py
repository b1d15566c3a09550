"""Greedy blending of out-of-fold outputs, with an honest estimate of what the blend is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from autods.competition.decisions import default_decision
from autods.records import Blend, Folds, Kind, Score, Task
from autods.validation.decisions import decided_out_of_part, outer_parts, tune_decision
from autods.validation.objectives import Objective, make_objective
from autods.validation.scoring import score_outputs

if TYPE_CHECKING:
    from autods.competition.metrics import Metric

__all__ = ["Weights", "blend_outputs", "choose_blend", "choose_weights", "greedy_blend", "quick_weights"]

PATIENCE = 5
MAX_MEMBERS = 8
# Sizes of the plain means that compete with the greedy selection.
AVERAGED = (3, 5)
# A member with less weight costs a fit to reproduce and changes nothing.
LEAST_WEIGHT = 0.03
# Relative gains below this are nil.
NIL = 1e-4


@dataclass(frozen=True)
class Weights:
    """Weights by name, and those that each part of the rows gets from all other parts.

    `method` is `single` when no blend was better than the best candidate out of fold, else `greedy` or the mean of the
    few best.
    """

    final: Mapping[str, float]
    by_part: tuple[Mapping[str, float], ...]
    method: str


def greedy_blend(
    metric: Metric, kind: Kind, y: np.ndarray, oofs: Mapping[str, np.ndarray], folds: Folds
) -> dict[str, float]:
    """Return blend weights by name: the accepted result of `choose_weights`.

    Examples
    --------
    >>> from autods.competition.metrics import get_metric
    >>> low, high = np.array([0, 1]), np.array([2, 3])
    >>> folds = Folds("plain", ((low, high), (high, low)), 2, 1, "", 4)
    >>> y = np.array([1.0, 2.0, 3.0, 4.0])
    >>> greedy_blend(get_metric("rmse"), "regression", y, {"low": y[:, None] - 1, "high": y[:, None] + 1}, folds)
    {'low': 0.5, 'high': 0.5}
    """
    return dict(choose_weights(metric, kind, y, oofs, folds).final)


def choose_weights(metric: Metric, kind: Kind, y: np.ndarray, oofs: Mapping[str, np.ndarray], folds: Folds) -> Weights:
    """Choose between the best candidate and a greedy blend by what they lose on parts not used to choose them.

    For each part of the rows the greedy selection (with replacement; of equal steps the candidate named first) runs on
    all other parts, and so does the plain mean of the few best, which a wild part cannot mislead. The final weights are
    the mean over these runs: what only one of them finds gets little weight.

    Parameters
    ----------
    metric, kind, y, folds
        The competition's; targets in the harness's form.
    oofs
        Out-of-fold outputs by name, in order of preference.

    Examples
    --------
    >>> from autods.competition.metrics import get_metric
    >>> folds = Folds("plain", ((np.array([0]), np.array([1])), (np.array([1]), np.array([0]))), 2, 1, "", 2)
    >>> oofs = {"a": np.ones((2, 1)), "b": np.zeros((2, 1))}
    >>> choose_weights(get_metric("mae"), "regression", np.zeros(2), oofs, folds).method
    'single'
    """
    names = list(oofs)
    parts = outer_parts(folds)
    if len(names) == 1 or not parts:
        only = {names[0]: 1.0}
        return Weights(only, tuple(only for _ in parts), "single")
    objective, materials = _materials(metric, kind, y, oofs, parts)
    singles = objective.losses(materials)
    everything = np.ones(len(parts), dtype=bool)
    best = _best(singles, everything, names)
    if len(parts) < 2:
        return _named(names, best, [best], "single")
    kept = [np.arange(len(parts)) != part for part in range(len(parts))]
    known: dict[bytes, np.ndarray] = {}
    picks = [_best(singles, keep, names) for keep in kept]
    schemes = {"greedy": [_greedy(objective, materials, singles, keep, known) for keep in kept]}
    for size in AVERAGED:
        if size <= len(names):
            schemes[f"mean of the best {size}"] = [_average(singles, keep, size) for keep in kept]
    losses = {method: float(_mean(_out_of_part(objective, materials, runs))) for method, runs in schemes.items()}
    method = min(losses, key=lambda name: losses[name])
    blend = _pruned(np.mean(schemes[method], axis=0))
    gain = float(_mean(_out_of_part(objective, materials, picks))) - losses[method]
    if np.count_nonzero(blend) == 1 or gain <= NIL * abs(float(_mean(singles).min())):
        return _named(names, best, picks, "single")
    return _named(names, blend, schemes[method], method)


def quick_weights(
    metric: Metric, kind: Kind, y: np.ndarray, oofs: Mapping[str, np.ndarray], folds: Folds
) -> dict[str, float]:
    """Return weights of one greedy selection on all rows: for a provisional submission, not for a score.

    Examples
    --------
    >>> from autods.competition.metrics import get_metric
    >>> folds = Folds("plain", ((np.array([0]), np.array([1])), (np.array([1]), np.array([0]))), 2, 1, "", 2)
    >>> oofs = {"a": np.ones((2, 1)), "b": np.zeros((2, 1))}
    >>> quick_weights(get_metric("mae"), "regression", np.zeros(2), oofs, folds)
    {'b': 1.0}
    """
    parts = outer_parts(folds)
    if len(oofs) == 1 or not parts:
        return {next(iter(oofs)): 1.0}
    objective, materials = _materials(metric, kind, y, oofs, parts)
    weights = _greedy(objective, materials, objective.losses(materials), np.ones(len(parts), dtype=bool), {})
    return dict(_named(list(oofs), _pruned(weights), [], "greedy").final)


def choose_blend(metric: Metric, task: Task, y: np.ndarray, oofs: Mapping[str, np.ndarray], folds: Folds) -> Blend:
    """Choose weights and decision, and score them honestly.

    The score is that of outputs in which each part of the rows was predicted with weights, and decided with a
    decision, that the other parts chose.

    Parameters
    ----------
    metric, task, y, folds
        The competition's; targets in the harness's form.
    oofs
        Out-of-fold outputs by name, in order of preference.

    Examples
    --------
    >>> from autods.competition.metrics import get_metric
    >>> from autods.records import Submission
    >>> task = Task("t", "regression", ("y",), "mae", False, "values", Submission(("y",), None, "values"))
    >>> folds = Folds("plain", ((np.array([0]), np.array([1])), (np.array([1]), np.array([0]))), 2, 1, "", 2)
    >>> choose_blend(get_metric("mae"), task, np.zeros(2), {"a": np.ones((2, 1))}, folds).weights
    {'a': 1.0}
    """
    weights = choose_weights(metric, task.kind, y, oofs, folds)
    decision = tune_decision(metric, task, y, blend_outputs(oofs, weights.final), folds)
    tuned = decision != default_decision(task.kind, metric.needs)
    score = _honest_score(metric, task, y, oofs, folds, weights, tuned)
    return Blend(weights.final, decision, score, weights.method)


def blend_outputs(outputs: Mapping[str, np.ndarray], weights: Mapping[str, float]) -> np.ndarray:
    """Return the weighted mean, summed in the order of the weights so that bytes agree.

    Examples
    --------
    >>> blend_outputs({"a": np.ones((1, 1)), "b": np.zeros((1, 1))}, {"b": 0.75, "a": 0.25}).tolist()
    [[0.25]]
    """
    terms = [weight * outputs[name] for name, weight in weights.items()]
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return np.asarray(total)


def _materials(
    metric: Metric, kind: Kind, y: np.ndarray, oofs: Mapping[str, np.ndarray], parts: Sequence[np.ndarray]
) -> tuple[Objective, np.ndarray]:
    objective = make_objective(metric, kind, y, parts)
    return objective, np.stack([objective.material(oof[objective.rows]) for oof in oofs.values()])


def _average(singles: np.ndarray, keep: np.ndarray, size: int) -> np.ndarray:
    """Equal weights for the candidates that lose least alone."""
    weights = np.zeros(len(singles))
    weights[np.argsort(_mean(singles[:, keep]), kind="stable")[:size]] = 1.0 / size
    return weights


def _greedy(
    objective: Objective, materials: np.ndarray, singles: np.ndarray, keep: np.ndarray, known: dict[bytes, np.ndarray]
) -> np.ndarray:
    """Weights of the best of the mixtures met while adding, each time, the candidate that helps most.

    `known` remembers the losses of mixtures by what they are made of, for runs that keep other parts.
    """
    alone = _mean(singles[:, keep])
    pool = np.sort(np.argsort(alone, kind="stable")[: objective.max_pool])
    offered, counts, best_counts = materials[pool], np.zeros(len(materials)), np.eye(len(materials))[np.argmin(alone)]
    total = np.zeros(materials.shape[1:])
    best_loss, best_step = float(alone.min()), 1
    for step in range(1, objective.max_steps + 1):
        key = counts.tobytes() + pool.tobytes()
        if key not in known:
            known[key] = singles[pool] if step == 1 else objective.losses((total + offered) / step)
        losses = _mean(known[key][:, keep])
        chosen = int(np.argmin(losses))
        counts[pool[chosen]] += 1
        total = total + offered[chosen]
        if losses[chosen] < best_loss - NIL * abs(best_loss):
            best_loss, best_step, best_counts = float(losses[chosen]), step, counts.copy()
        elif step - best_step >= PATIENCE:
            break
    return np.asarray(best_counts / best_counts.sum())


def _best(singles: np.ndarray, keep: np.ndarray, names: Sequence[str]) -> np.ndarray:
    """All weight on the candidate that loses least; a tuned one must beat its own default by a standard error."""
    losses = singles[:, keep]
    best = int(np.argmin(_mean(losses)))
    base = names[best].partition("#")[0]
    if base != names[best] and base in names:
        behind = losses[names.index(base)] - losses[best]
        behind = behind[np.isfinite(behind)]
        if len(behind) > 1 and behind.mean() < behind.std(ddof=1) / np.sqrt(len(behind)):
            best = names.index(base)
    return np.asarray(np.eye(len(names))[best])


def _out_of_part(objective: Objective, materials: np.ndarray, weights: Sequence[np.ndarray]) -> np.ndarray:
    """The loss of each part under the weights that its other parts chose."""
    mixtures = np.tensordot(np.stack(weights), materials, axes=1)
    return np.asarray(np.diagonal(objective.losses(mixtures)))


def _pruned(weights: np.ndarray) -> np.ndarray:
    """Drop members that hardly count, keep few, and round: later digits depend on nothing that was measured."""
    kept = np.where(weights >= LEAST_WEIGHT, weights, 0.0)
    kept[np.argsort(-kept, kind="stable")[MAX_MEMBERS:]] = 0.0
    rounded = np.round(kept / kept.sum(), 4)
    rounded[int(np.argmax(rounded))] += 1.0 - rounded.sum()
    return np.asarray(np.round(rounded, 4))


def _named(names: Sequence[str], final: np.ndarray, by_part: Sequence[np.ndarray], method: str) -> Weights:
    def name(weights: np.ndarray) -> dict[str, float]:
        return {n: float(w) for n, w in zip(names, weights, strict=True) if w > 0}

    return Weights(name(final), tuple(name(weights) for weights in by_part), method)


def _mean(losses: np.ndarray) -> np.ndarray:
    """The mean over the last axis of what is known; infinite where nothing is."""
    known = np.isfinite(losses)
    total = np.where(known, losses, 0.0).sum(axis=-1)
    return np.asarray(np.where(known.any(axis=-1), total / np.maximum(known.sum(axis=-1), 1), np.inf))


def _honest_score(
    metric: Metric,
    task: Task,
    y: np.ndarray,
    oofs: Mapping[str, np.ndarray],
    folds: Folds,
    weights: Weights,
    tuned: bool,
) -> Score:
    parts = outer_parts(folds)
    if not parts:
        return Score(float("nan"), float("nan"), (), metric.name, metric.greater_is_better)
    outputs = [blend_outputs(oofs, of_part) for of_part in weights.by_part]
    if tuned:
        return score_outputs(metric, y, decided_out_of_part(metric, task.kind, y, outputs, folds), folds)
    honest = np.full_like(outputs[0], np.nan)
    for rows, part in zip(parts, outputs, strict=True):
        honest[rows] = part[rows]
    return score_outputs(metric, y, honest, folds)
