"""Columns as arrays: numbers, levels and bins, the same for every statistic and figure."""

from __future__ import annotations

import numpy as np
import pandas as pd

from autods.tools._checks import is_datetime, is_numeric

__all__ = [
    "MISSING_WORDS",
    "bins_of",
    "finite",
    "holds_numbers",
    "holds_text",
    "level_codes",
    "levels_of",
    "numbers_of",
]

FEW_LEVELS = 20

# Cells that only look filled; compared in lower case, without blanks around them.
MISSING_WORDS = frozenset([
    "", "?", "-", "--", "---", ".", "na", "n/a", "n.a", "n.a.", "nan", "null", "<na>", "#n/a", "(null)", "(blank)", "blank",
    "empty", "unknown", "missing", "undefined", "undef", "unspecified", "unclear", "undisclosed", "tbd", "not available",
    "not applicable", "not known", "not stated", "prefer not to say", "no answer", "don't know",
])  # fmt: skip


def holds_numbers(column: pd.Series) -> bool:
    """Whether the column is numeric, boolean or a datetime."""
    return is_numeric(column) or pd.api.types.is_bool_dtype(column.dtype) or is_datetime(column)


def numbers_of(column: pd.Series) -> np.ndarray:
    """Give a column as float64: datetimes in seconds, text as far as it reads as numbers, NaN for the rest."""
    if is_datetime(column):
        dates = pd.to_datetime(column, utc=True).dt.tz_localize(None)
        seconds = np.asarray(dates.to_numpy("datetime64[us]").astype(np.int64)) / 1e6
        return np.asarray(np.where(dates.isna(), np.nan, seconds))
    if not holds_numbers(column):
        column = pd.to_numeric(column.astype("str"), errors="coerce")
    return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))


def finite(values: np.ndarray) -> np.ndarray:
    """Keep the finite values."""
    kept: np.ndarray = values[np.isfinite(values)]
    return kept


def levels_of(column: pd.Series) -> pd.Series:
    """Give a column's values as text, missing kept missing; whole floats are spelled as integers."""
    if is_numeric(column):
        values = numbers_of(column)
        whole = finite(values)
        if whole.size and np.all(whole == np.floor(whole)) and np.abs(whole).max() < 2**53:
            spelled = [str(int(value)) if np.isfinite(value) else None for value in values]
            return pd.Series(spelled, index=column.index, dtype="str")
    return column.astype("str")


def level_codes(column: pd.Series) -> np.ndarray:
    """Number the levels from 0 in order of first appearance; missing is -1."""
    return np.asarray(pd.factorize(column)[0], dtype=np.int64)


def bins_of(column: pd.Series, n_bins: int = 10) -> np.ndarray:
    """Number a column's levels, or the quantile bins of many numbers, from 0; missing is a number of its own."""
    codes = level_codes(column)
    if holds_numbers(column) and codes.max(initial=-1) >= FEW_LEVELS:
        values = numbers_of(column)
        inner = np.linspace(0, 1, n_bins + 1)[1:-1]
        edges = np.unique(np.quantile(finite(values), inner)) if finite(values).size else np.empty(0)
        codes = np.where(np.isfinite(values), np.searchsorted(edges, values, side="right"), -1)
    return codes + 1


def holds_text(column: pd.Series) -> bool:
    """Whether the column is written text: several words a cell, hardly ever the same."""
    if holds_numbers(column):
        return False
    sample = column.dropna().astype("str")
    sample = sample.iloc[:: max(1, len(sample) // 200)]
    if len(sample) < 5:
        return False
    words = float(np.mean([len(text.split()) for text in sample]))
    return words >= 3 and sample.nunique() >= 0.3 * len(sample)
