"""How train and test were parted: by group, by time, or at random."""

from __future__ import annotations

import numpy as np
import pandas as pd

from autods.profiling.dates import parse_dates
from autods.profiling.facts import ColumnProfile
from autods.profiling.names import names_a_group, names_time

__all__ = ["group_candidate", "time_candidate"]


def group_candidate(column: ColumnProfile, n_train: int) -> bool:
    """Whether the column's levels recur within train yet hardly ever in test."""
    if column.unseen_share is None or column.semantic in ("constant", "boolean", "datetime", "text", "id_like"):
        return False
    recurring = 10 <= column.n_unique <= n_train / 2
    limit = 0.5 if names_a_group(column.name) else 0.95
    return recurring and column.unseen_share >= limit


def time_candidate(column: ColumnProfile, train: pd.Series, test: pd.Series) -> bool:
    """Whether the column is a time and test is later than train."""
    is_time = column.semantic == "datetime" or (column.semantic in ("numeric", "id_like") and names_time(column.name))
    if not is_time or column.n_unique < 5 or not len(test):
        return False
    before, after = (_as_numbers(part) for part in (train, test))
    if not before.size or not after.size:
        return False
    return bool(np.quantile(after, 0.01) >= np.quantile(before, 0.99) and after.max() > before.max())


def _as_numbers(series: pd.Series) -> np.ndarray:
    if len(series) > 5000:
        series = series.iloc[:: len(series) // 5000]
    if not pd.api.types.is_numeric_dtype(series.dtype):
        text = not isinstance(series.dtype, pd.DatetimeTZDtype) and not pd.api.types.is_datetime64_dtype(series.dtype)
        dates = parse_dates(series.astype("str")) if text else series
        return np.asarray(dates.dropna().astype("int64"), dtype=np.float64)
    return series.dropna().to_numpy(dtype=np.float64)
