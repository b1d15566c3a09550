"""How well one column alone ranks the target."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["Targets", "binned_signal", "level_signal", "number_signal", "order_signal", "ranks", "targets_of"]

MAX_ROWS = 20_000
MIN_ROWS = 10
MAX_TARGETS = 5
SMOOTHING = 5.0


@dataclass(frozen=True, slots=True)
class Targets:
    """The target on a sample of rows, as columns to rank: an indicator a class, or the ranks of values.

    Attributes
    ----------
    rows
        The sampled row numbers, ascending.
    columns
        One array a class (two classes need one) or target.
    halves
        Two masks over the sample; each half is judged by what the other half teaches.
    binary
        Whether the columns are indicators, judged by AUC, or ranks, judged by rank correlation.
    """

    rows: np.ndarray
    columns: tuple[np.ndarray, ...]
    halves: tuple[np.ndarray, np.ndarray]
    binary: bool


def targets_of(y: np.ndarray, *, classes: bool) -> Targets | None:
    """Prepare a target for `level_signal`; None when it does not vary or has too few rows."""
    n = len(y)
    if n < MIN_ROWS:
        return None
    generator = np.random.default_rng(0)
    rows = np.arange(n) if n <= MAX_ROWS else np.sort(generator.choice(n, MAX_ROWS, replace=False))
    sample = np.asarray(y)[rows]
    if sample.ndim == 2:
        columns = [sample[:, j].astype(np.float64) for j in range(min(sample.shape[1], MAX_TARGETS))]
    elif classes:
        codes, counts = np.unique(sample, return_counts=True)
        common = codes[np.argsort(-counts, kind="stable")][: 1 if codes.size == 2 else MAX_TARGETS]
        columns = [(sample == code).astype(np.float64) for code in common]
    else:
        columns = [sample.astype(np.float64)]
    columns = [np.nan_to_num(column) for column in columns if np.ptp(column) > 0]
    if not columns:
        return None
    if not classes:
        columns = [ranks(column) for column in columns]
    first = np.zeros(len(rows), dtype=bool)
    first[generator.permutation(len(rows))[: len(rows) // 2]] = True
    return Targets(rows, tuple(columns), (first, ~first), classes)


def ranks(values: np.ndarray) -> np.ndarray:
    """Rank values from 1, ties by their mean rank."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    ends = np.append(starts[1:], values.size)
    result = np.empty(values.size)
    result[order] = np.repeat((starts + ends + 1) / 2, ends - starts)
    return result


def level_signal(codes: np.ndarray, targets: Targets) -> float:
    """Judge levels (codes from 0; sampled rows): their mean target in one half ranks the other half's target."""
    size = int(codes.max()) + 1 if codes.size else 1
    strengths = []
    for column in targets.columns:
        halves = []
        for half, other in (targets.halves, targets.halves[::-1]):
            counts = np.bincount(codes[half], minlength=size)
            sums = np.bincount(codes[half], weights=column[half], minlength=size)
            means = (sums + SMOOTHING * column[half].mean()) / (counts + SMOOTHING)
            halves.append(_agreement(means[codes[other]], column[other], binary=targets.binary))
        strengths.append(max(0.0, float(np.mean(halves))))
    return float(max(strengths))


def number_signal(values: np.ndarray, targets: Targets) -> float:
    """Judge numbers (sampled rows, NaN for missing): by their order, and by bins for what is not monotone."""
    if np.isfinite(values).sum() < 10:
        return binned_signal(values, targets)
    return max(order_signal(values, targets), binned_signal(values, targets))


def order_signal(values: np.ndarray, targets: Targets) -> float:
    """Judge numbers by their order alone; missing ones count as nothing known."""
    present = np.isfinite(values)
    known = [_agreement(values[present], column[present], binary=targets.binary) for column in targets.columns]
    return max(map(abs, known)) * float(present.mean())


def binned_signal(values: np.ndarray, targets: Targets, n_bins: int = 20) -> float:
    """Judge numbers by the levels that quantile bins make of them; missing is a level of its own."""
    present = np.isfinite(values)
    inner = np.linspace(0, 1, n_bins + 1)[1:-1]
    edges = np.unique(np.quantile(values[present], inner)) if present.any() else np.empty(0)
    codes = np.where(present, np.searchsorted(edges, values, side="right") + 1, 0)
    return level_signal(codes, targets)


def _agreement(score: np.ndarray, column: np.ndarray, *, binary: bool) -> float:
    """From -1 to 1: twice the AUC less one for an indicator, the rank correlation otherwise; 0 when undefined."""
    if score.size < 2 or score.min() == score.max() or column.min() == column.max():
        return 0.0
    order = ranks(score)
    if not binary:
        return float(np.corrcoef(order, ranks(column))[0, 1])
    ones = column.sum()
    zeros = column.size - ones
    auc = (order[column == 1].sum() - ones * (ones + 1) / 2) / (ones * zeros)
    return float(2 * auc - 1)
