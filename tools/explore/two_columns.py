"""Statistics of two or three columns; each gives a float, NaN where it is not defined."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from autods.tools.explore.columns import FEW_LEVELS, bins_of, finite, holds_numbers, level_codes, numbers_of
from autods.tools.explore.signals import (
    Targets,
    binned_signal,
    level_signal,
    number_signal,
    order_signal,
    ranks,
    targets_of,
)

__all__ = ["THREE_COLUMNS", "TWO_COLUMNS", "signals_of", "spearman"]

_EPSILON = 1e-9


def _pairs(first: pd.Series, second: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    a, b = numbers_of(first), numbers_of(second)
    both = np.isfinite(a) & np.isfinite(b)
    return a[both], b[both]


def _correlation(a: np.ndarray, b: np.ndarray) -> float:
    if a.size < 3 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return np.nan
    a, b = a - a.mean(), b - b.mean()
    scale = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float(np.clip((a * b).sum() / scale, -1, 1)) if scale > 0 and np.isfinite(scale) else np.nan


def pearson(first: pd.Series, second: pd.Series) -> float:
    """The linear correlation of two numeric columns, over rows where both are present."""
    return _correlation(*_pairs(first, second))


def spearman(first: pd.Series, second: pd.Series) -> float:
    """The rank correlation of two numeric columns, over rows where both are present."""
    a, b = _pairs(first, second)
    return _correlation(ranks(a), ranks(b))


def eta_squared(first: pd.Series, second: pd.Series) -> float:
    """The share of the second column's variance that the levels of the first explain; missing is a level."""
    groups, values = level_codes(first) + 1, numbers_of(second)
    present = np.isfinite(values)
    groups, values = groups[present], values[present]
    if values.size < 3 or np.ptp(values) == 0:
        return np.nan
    values = values - values.mean()
    counts, sums = np.bincount(groups), np.bincount(groups, weights=values)
    between = float((sums[counts > 0] ** 2 / counts[counts > 0]).sum())
    return float(np.clip(between / (values * values).sum(), 0, 1))


def eta_squared_adjusted(first: pd.Series, second: pd.Series) -> float:
    """The share of variance explained, less what as many random groups would explain: 0 when levels do not matter."""
    explained = eta_squared(first, second)
    present = np.isfinite(numbers_of(second))
    n, k = int(present.sum()), int(np.unique(level_codes(first)[present]).size)
    return float(1 - (1 - explained) * (n - 1) / (n - k)) if n > k and np.isfinite(explained) else np.nan


def _table(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    a, b = np.unique(a, return_inverse=True)[1], np.unique(b, return_inverse=True)[1]
    shape = int(a.max()) + 1, int(b.max()) + 1
    return np.bincount(a * shape[1] + b, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)


def _cramers_v(table: np.ndarray) -> float:
    n, (rows, columns) = table.sum(), table.shape
    if n < 2 or rows < 2 or columns < 2:
        return np.nan
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / n
    phi = max(0.0, float(((table - expected) ** 2 / expected).sum() / n) - (rows - 1) * (columns - 1) / (n - 1))
    width = min(rows - (rows - 1) ** 2 / (n - 1), columns - (columns - 1) ** 2 / (n - 1)) - 1
    return float(np.sqrt(min(1.0, phi / width))) if width > _EPSILON else np.nan


def cramers_v(first: pd.Series, second: pd.Series) -> float:
    """How far two columns of levels (or binned numbers) depend on each other, 0 to 1; corrected for many levels."""
    a, b = bins_of(first), bins_of(second)
    return _cramers_v(_table(a, b)) if a.size and _few(a) and _few(b) else np.nan


def _few(codes: np.ndarray) -> bool:
    return int(np.unique(codes).size) <= max(2, codes.size // 2)


def mutual_information(first: pd.Series, second: pd.Series) -> float:
    """What one column tells of the other in nats, many numbers binned by ten quantiles; missing is a level."""
    a, b = bins_of(first), bins_of(second)
    if not a.size:
        return np.nan
    shares = _table(a, b) / a.size
    outer = np.outer(shares.sum(axis=1), shares.sum(axis=0))
    there = shares > 0
    return float(max(0.0, (shares[there] * np.log(shares[there] / outer[there])).sum()))


def missing_association(first: pd.Series, second: pd.Series) -> float:
    """How far the second column (such as the target) differs where the first is missing, 0 to 1."""
    missing = first.isna()
    if missing.all() or not missing.any():
        return np.nan
    if holds_numbers(second) and second.nunique() > FEW_LEVELS:
        return float(np.sqrt(eta_squared(missing, second)))
    return cramers_v(missing, second)


def missing_together(first: pd.Series, second: pd.Series) -> float:
    """The correlation of being missing in both columns: 1 when the same rows lack both."""
    return _correlation(first.isna().to_numpy(dtype=float), second.isna().to_numpy(dtype=float))


def equal_share(first: pd.Series, second: pd.Series) -> float:
    """The share of rows in which both columns say the same, or both nothing."""
    if not len(first):
        return np.nan
    if holds_numbers(first) and holds_numbers(second):
        a, b = numbers_of(first), numbers_of(second)
        return float(np.mean((a == b) | (np.isnan(a) & np.isnan(b))))
    same = (first.astype("str") == second.astype("str")).to_numpy(dtype=bool, na_value=False)
    return float((same | (first.isna() & second.isna()).to_numpy()).mean())


def determines(first: pd.Series, second: pd.Series) -> float:
    """The share of rows whose second value is the usual one for their first: 1 when the first determines the second."""
    groups, values = level_codes(first) + 1, level_codes(second) + 1
    if not groups.size:
        return np.nan
    pairs, counts = np.unique(np.stack([groups, values]), axis=1, return_counts=True)
    best = np.zeros(int(groups.max()) + 1)
    np.maximum.at(best, pairs[0], counts)
    return float(best.sum() / groups.size)


def range_of_level_means(first: pd.Series, second: pd.Series) -> float:
    """How far apart the second column's means are between levels of the first that have at least 20 rows."""
    groups, values = level_codes(first) + 1, numbers_of(second)
    present = np.isfinite(values)
    groups, values = groups[present], values[present]
    counts, sums = np.bincount(groups), np.bincount(groups, weights=values)
    means = sums[counts >= 20] / counts[counts >= 20]
    return float(np.ptp(means)) if means.size > 1 else np.nan


def _targets(target: pd.Series) -> tuple[np.ndarray, Targets | None]:
    """Prepare a target column; also the rows in which it is present."""
    rows = np.flatnonzero(target.notna().to_numpy())
    present = target.iloc[rows]
    classes = not holds_numbers(target) or present.nunique() <= FEW_LEVELS
    # In sorted order, so that the codes do not hang on which row comes first.
    y = np.asarray(pd.factorize(present, sort=True)[0]) if classes else numbers_of(present)
    return rows, targets_of(y, classes=classes) if rows.size else None


def _signal(column: pd.Series, targets: Targets) -> float:
    if holds_numbers(column):
        return number_signal(numbers_of(column)[targets.rows], targets)
    return level_signal(level_codes(column)[targets.rows] + 1, targets)


def signal(first: pd.Series, second: pd.Series) -> float:
    """How well the first column alone ranks the second (the target), 0 to 1, judged on held-out halves.

    For classes 2 AUC - 1 of the class it ranks best, for many numbers the rank correlation.
    """
    rows, targets = _targets(second)
    return _signal(first.iloc[rows], targets) if targets is not None else np.nan


def signals_of(frame: pd.DataFrame, columns: Sequence[str], target: str) -> dict[str, float]:
    """The statistic `signal` of many columns for one target, which is prepared only once."""
    rows, targets = _targets(frame[target])
    if targets is None:
        return dict.fromkeys(columns, np.nan)
    return {column: _signal(frame[column].iloc[rows], targets) for column in columns}


def bend(first: pd.Series, second: pd.Series) -> float:
    """How much better bins of a numeric column rank the target than its order does: above 0 for a U or a hump."""
    rows, targets = _targets(second)
    values = numbers_of(first.iloc[rows])
    if targets is None or finite(values[targets.rows]).size < 10:
        return np.nan
    return binned_signal(values[targets.rows], targets) - order_signal(values[targets.rows], targets)


def text_length_signal(first: pd.Series, second: pd.Series) -> float:
    """How well the number of characters alone ranks the target, 0 to 1."""
    return signal(first.astype("str").str.len(), second)


def interaction_gain(first: pd.Series, second: pd.Series, target: pd.Series) -> float:
    """How much better the pair of levels (or bins) ranks the target than the better of the two columns alone."""
    rows, targets = _targets(target)
    if targets is None:
        return np.nan
    a, b = (bins_of(column.iloc[rows], 6)[targets.rows] for column in (first, second))
    together = np.unique(a * (int(b.max(initial=0)) + 1) + b, return_inverse=True)[1]
    return level_signal(together, targets) - max(level_signal(a, targets), level_signal(b, targets))


def _arithmetic_gain(first: pd.Series, second: pd.Series, target: pd.Series, operation: np.ufunc) -> float:
    rows, targets = _targets(target)
    if targets is None:
        return np.nan
    a, b = (numbers_of(column.iloc[rows])[targets.rows] for column in (first, second))
    with np.errstate(all="ignore"):
        made = operation(a, b)
    made[~np.isfinite(made)] = np.nan
    if finite(made).size < 10:
        return np.nan
    return number_signal(made, targets) - max(number_signal(a, targets), number_signal(b, targets))


def ratio_gain(first: pd.Series, second: pd.Series, target: pd.Series) -> float:
    """How much better first / second ranks the target than the better of the two alone."""
    return _arithmetic_gain(first, second, target, np.true_divide)


def product_gain(first: pd.Series, second: pd.Series, target: pd.Series) -> float:
    """How much better first × second ranks the target than the better of the two alone."""
    return _arithmetic_gain(first, second, target, np.multiply)


def sum_gain(first: pd.Series, second: pd.Series, target: pd.Series) -> float:
    """How much better first + second ranks the target than the better of the two alone."""
    return _arithmetic_gain(first, second, target, np.add)


def difference_gain(first: pd.Series, second: pd.Series, target: pd.Series) -> float:
    """How much better first - second ranks the target than the better of the two alone."""
    return _arithmetic_gain(first, second, target, np.subtract)


TWO_COLUMNS = {
    function.__name__: function
    for function in (
        bend, cramers_v, determines, equal_share, eta_squared, eta_squared_adjusted, missing_association,
        missing_together, mutual_information, pearson, range_of_level_means, signal, spearman, text_length_signal,
    )
}  # fmt: skip

THREE_COLUMNS = {
    function.__name__: function for function in (difference_gain, interaction_gain, product_gain, ratio_gain, sum_gain)
}
