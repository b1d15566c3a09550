"""Selection of columns that does not look at the target."""

from __future__ import annotations

import numpy as np
import pandas as pd

from autods.tools._checks import Columns, check_choice, check_number, chosen
from autods.tools._frames import Frames, as_number, frame_tool, map_both

__all__ = ["correlation_feature_selection", "variance_feature_selection"]


@frame_tool()
def correlation_feature_selection(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    columns: Columns = None,
    threshold: float = 0.95,
    method: str = "pearson",
) -> Frames:
    """Drop one of each pair of columns that are nearly copies: the later one.

    Parameters
    ----------
    columns
        Columns of numbers to compare, those to keep first; None means all columns of numbers.
    threshold
        Columns whose absolute correlation with a kept one in train is at least this go.
    method
        "pearson" (linear) or "spearman" (ranks).

    Returns
    -------
    The frames without the dropped columns.

    Notes
    -----
    Use it for linear estimators and to keep reports readable; tree boosters gain nothing from it. For selection by the
    target use `select_k_best` or `perform_rfe` in a pipeline.

    Examples
    --------
    >>> train = pd.DataFrame({"cm": [1.0, 2.0, 3.0], "inch": [0.4, 0.8, 1.2], "kg": [5.0, 1.0, 3.0]})
    >>> list(correlation_feature_selection(train)[0])
    ['cm', 'kg']
    """
    check_number("threshold", threshold, high=1, above=0)
    check_choice("method", method, ("pearson", "spearman"))
    names = chosen(train, test, columns, holds="numbers")
    numbers = train[names].astype("float64")
    numbers = numbers.where(np.isfinite(numbers))
    if method == "spearman":
        numbers = numbers.rank()
    with np.errstate(all="ignore"):
        related = numbers.corr(min_periods=3).abs().to_numpy()
    kept: list[int] = []
    for number in range(len(names)):
        # Rounding: exact copies correlate at 0.9999999999999998.
        if not kept or not (related[number, kept] >= threshold - 1e-12).any():
            kept.append(number)
    gone = [name for number, name in enumerate(names) if number not in set(kept)]
    return map_both(train, test, lambda frame: frame.drop(columns=gone))


@frame_tool()
def variance_feature_selection(
    train: pd.DataFrame, test: pd.DataFrame | None = None, *, columns: Columns = None, threshold: float = 0.0
) -> Frames:
    """Drop columns of numbers that hardly vary in train.

    Parameters
    ----------
    columns
        Columns of numbers; None means all.
    threshold
        Columns go whose variance is at most this. It depends on the unit: scale first, or keep 0 (constant columns
        only).

    Returns
    -------
    The frames without the dropped columns; a column that is all missing goes as well.

    Examples
    --------
    >>> train = pd.DataFrame({"a": [1.0, 1.0, 1.0], "b": [1.0, 2.0, 3.0]})
    >>> list(variance_feature_selection(train)[0])
    ['b']
    """
    check_number("threshold", threshold, 0)
    names = chosen(train, test, columns, holds="numbers")
    gone = [name for name in names if not _variance(train[name]) > threshold]
    return map_both(train, test, lambda frame: frame.drop(columns=gone))


def _variance(column: pd.Series) -> float:
    values = as_number(column).to_numpy()
    values = values[np.isfinite(values)]
    if not len(values) or values.min() == values.max():
        return 0.0
    return float(np.var(values))
