"""Statistics of a frame, or of some of its columns together."""

from __future__ import annotations

import numpy as np
import pandas as pd

from autods.tools.explore.columns import holds_numbers, level_codes, numbers_of

__all__ = ["WHOLE_FRAME", "row_keys"]


def row_keys(*frames: pd.DataFrame) -> list[np.ndarray]:
    """Number the distinct rows over all frames, which have the same columns; equal rows get equal numbers."""
    codes = np.zeros(sum(map(len, frames)), dtype=np.int64)
    for name in frames[0].columns:
        parts = [frame[name] for frame in frames]
        if all(map(holds_numbers, parts)):
            column = pd.Series(np.concatenate([numbers_of(part) for part in parts]))
        else:
            column = pd.concat([part.astype("str") for part in parts], ignore_index=True)
        levels = level_codes(column) + 1
        codes = np.asarray(pd.factorize(codes * (int(levels.max(initial=0)) + 1) + levels)[0], dtype=np.int64)
    return np.split(codes, np.cumsum([len(frame) for frame in frames])[:-1])


def n_rows(frame: pd.DataFrame) -> float:
    """The number of rows."""
    return float(len(frame))


def n_columns(frame: pd.DataFrame) -> float:
    """The number of columns."""
    return float(frame.shape[1])


def duplicate_share(frame: pd.DataFrame) -> float:
    """The share of rows that repeat an earlier row in these columns (all when none is named)."""
    if not frame.size:
        return np.nan
    return float(1 - np.unique(row_keys(frame)[0]).size / len(frame))


def missing_cell_share(frame: pd.DataFrame) -> float:
    """The share of all cells that are missing."""
    return float(frame.isna().to_numpy().mean()) if frame.size else np.nan


def complete_row_share(frame: pd.DataFrame) -> float:
    """The share of rows without a missing cell."""
    return float((~frame.isna().to_numpy().any(axis=1)).mean()) if frame.size else np.nan


def n_constant_columns(frame: pd.DataFrame) -> float:
    """The number of columns that hold one state only (missing is a state)."""
    return float(sum(frame[name].nunique(dropna=False) <= 1 for name in frame.columns))


def n_columns_with_missing(frame: pd.DataFrame) -> float:
    """The number of columns with a missing cell."""
    return float(frame.isna().any().sum())


WHOLE_FRAME = {
    function.__name__: function
    for function in (
        complete_row_share, duplicate_share, missing_cell_share, n_columns, n_columns_with_missing, n_constant_columns,
        n_rows,
    )
}  # fmt: skip
