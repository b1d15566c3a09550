"""Outliers: clip them, mark them, or mark their rows; rows are never removed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from autods.tools._checks import Columns, check_choice, check_number, chosen
from autods.tools._frames import Frames, add_columns, as_number, frame_tool, map_both
from autods.tools.cleaning.rows import mark_excluded

__all__ = ["detect_and_handle_outliers_iqr", "detect_and_handle_outliers_zscore"]

METHODS = ("clip", "mark", "exclude")
FEW_VALUES = 10
FEW_LEVELS = 10
HEAVY_SHARE = 0.25
Bounds = tuple[float, float]


def _many_levels(column: pd.Series) -> bool:
    return column.nunique() > FEW_LEVELS


def _bounds(column: pd.Series, limits: Callable[[np.ndarray], Bounds]) -> Bounds | None:
    """Return the limits that train gives a column, or None when it has too few values to tell.

    Where one value (often 0) makes up a quarter of the column, quartiles and deviations describe that value and not the
    rest: limits are taken from the rest and widened to hold the heavy value.
    """
    values = as_number(column).to_numpy()
    values = values[np.isfinite(values)]
    if len(values) < FEW_VALUES:
        return None
    levels, counts = np.unique(values, return_counts=True)
    heavy = levels[counts.argmax()]
    if counts.max() < HEAVY_SHARE * len(values):
        return limits(values)
    rest = values[values != heavy]
    if len(rest) < FEW_VALUES:
        return None
    low, high = limits(rest)
    return min(low, heavy), max(high, heavy)


def _handle(
    train: pd.DataFrame,
    test: pd.DataFrame | None,
    columns: Columns,
    method: str,
    limits: Callable[[np.ndarray], Bounds],
    reason: str,
) -> Frames:
    check_choice("method", method, METHODS)
    names = chosen(train, test, columns, holds="numbers", default=_many_levels)
    bounds = {name: bound for name in names if (bound := _bounds(train[name], limits)) is not None}

    def outlying(frame: pd.DataFrame, name: str) -> np.ndarray:
        low, high = bounds[name]
        values = as_number(frame[name]).to_numpy()
        return (values < low) | (values > high)

    if method == "clip":
        return map_both(train, test, lambda frame: frame.assign(**{n: _clip(frame[n], b) for n, b in bounds.items()}))
    if method == "mark":
        return add_columns(
            train,
            test,
            lambda frame: {
                f"{name}_outlier": outlying(frame, name).astype("int64") for name in names if name in bounds
            },
        )
    for name in bounds:
        rows = outlying(train, name)
        if rows.any():
            train = mark_excluded(train, rows, f"{name} {reason}")
    return train, test


def _clip(column: pd.Series, bounds: Bounds) -> pd.Series:
    low, high = bounds
    if pd.api.types.is_bool_dtype(column.dtype):
        return column
    if pd.api.types.is_integer_dtype(column.dtype):
        # The bounds move outwards to whole numbers, so that the type stays.
        return column.clip(int(np.floor(low)), int(np.ceil(high)))
    return column.clip(low, high)


@frame_tool()
def detect_and_handle_outliers_zscore(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    columns: Columns = None,
    threshold: float = 3.0,
    method: str = "clip",
) -> Frames:
    """Handle values more than `threshold` standard deviations from the mean of train.

    Parameters
    ----------
    columns
        Columns of numbers; None means all with more than 10 distinct values.
    threshold
        Standard deviations, greater than 0.
    method
        "clip" to the limits, "mark" (adds `<column>_outlier`, 0 or 1) or "exclude" (marks the rows of train as not to
        be fitted on; test stays as it is).

    Returns
    -------
    The frames; every row stays, types stay, missing stays missing.

    Notes
    -----
    For bell-shaped columns. Skewed ones want `transform_skewed` or the IQR form. Tree boosters do not mind outliers;
    linear estimators, neighbours and networks do. Where a single value fills a quarter of a column, the limits come
    from the other values.

    Examples
    --------
    >>> train = pd.DataFrame({"x": [*range(20), 1000]})
    >>> train, test = detect_and_handle_outliers_zscore(train, pd.DataFrame({"x": [5000]}), threshold=2)
    >>> train["x"].iloc[-1].item(), test["x"].item()
    (490, 490)
    """
    check_number("threshold", threshold, above=0)

    def limits(values: np.ndarray) -> Bounds:
        mean, deviation = float(values.mean()), float(values.std(ddof=1))
        return mean - threshold * deviation, mean + threshold * deviation

    return _handle(train, test, columns, method, limits, f"lies beyond {threshold:g} standard deviations")


@frame_tool()
def detect_and_handle_outliers_iqr(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    columns: Columns = None,
    factor: float = 1.5,
    method: str = "clip",
) -> Frames:
    """Handle values more than `factor` interquartile ranges outside the quartiles of train.

    Parameters
    ----------
    columns
        Columns of numbers; None means all with more than 10 distinct values.
    factor
        Interquartile ranges, greater than 0; 1.5 is usual, 3 touches only the extreme.
    method
        "clip" to the limits, "mark" (adds `<column>_outlier`, 0 or 1) or "exclude" (marks the rows of train as not to
        be fitted on; test stays as it is).

    Returns
    -------
    The frames; every row stays, types stay, missing stays missing.

    Notes
    -----
    Use it for linear estimators and networks, or for values that are evidently wrong; a long right tail (fares,
    incomes) is better served by `transform_skewed`. Where a single value (often 0) fills a quarter of a column, the
    quartiles are those of the other values, so that a column of zeros with a few amounts keeps its amounts.

    Examples
    --------
    >>> train = pd.DataFrame({"Fare": [7.0, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 512]})
    >>> train, _ = detect_and_handle_outliers_iqr(train, columns=["Fare"])
    >>> train["Fare"].iloc[-1].item()
    23.5
    """
    check_number("factor", factor, above=0)

    def limits(values: np.ndarray) -> Bounds:
        low, high = np.quantile(values, [0.25, 0.75])
        return float(low - factor * (high - low)), float(high + factor * (high - low))

    return _handle(train, test, columns, method, limits, f"lies beyond {factor:g} interquartile ranges")
