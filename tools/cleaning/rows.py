"""Rows that estimators should not learn from are marked, never removed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from autods.tools._checks import EXCLUDE, REASON, Columns, check_choice, chosen
from autods.tools._frames import Frames, frame_tool

__all__ = ["exclude_rows", "mark_excluded", "remove_duplicates"]


def mark_excluded(train: pd.DataFrame, rows: np.ndarray, reason: str) -> pd.DataFrame:
    """Mark rows of train as not to be fitted on; rows marked before keep their reason."""
    before = train[EXCLUDE].to_numpy(dtype=bool) if EXCLUDE in train else np.zeros(len(train), dtype=bool)
    reasons = train[REASON] if REASON in train else pd.Series("", index=train.index, dtype="str")
    return train.assign(**{EXCLUDE: before | rows, REASON: reasons.mask(rows & ~before, reason)})


@frame_tool()
def remove_duplicates(
    train: pd.DataFrame, test: pd.DataFrame | None = None, *, columns: Columns = None, keep: str = "first"
) -> Frames:
    """Mark rows of train that repeat another row as excluded from fitting.

    Rows stay: every labelled row is scored. The mark is the boolean column `exclude_from_fit`, with `exclude_reason`.

    Parameters
    ----------
    columns
        The columns in which rows must agree; None means all.
    keep
        Which of equal rows to keep for fitting: "first", "last" or "none".

    Returns
    -------
    Train with the two columns of marks; test as it was.

    Notes
    -----
    Cleaning does not see the target: rows that agree in all features may differ in it, and then all of them say
    something. Use it where the data was evidently recorded twice. The harness keeps duplicates in one fold anyway.

    Examples
    --------
    >>> train, _ = remove_duplicates(pd.DataFrame({"a": [1, 1, 2]}))
    >>> train["exclude_from_fit"].tolist(), train["exclude_reason"].tolist()
    ([False, True, False], ['', 'repeats another row', ''])
    """
    check_choice("keep", keep, ("first", "last", "none"))
    names = chosen(train, test, columns)
    side: Any = False if keep == "none" else keep
    repeated = train.duplicated(names, keep=side).to_numpy() if names else np.zeros(len(train), dtype=bool)
    return mark_excluded(train, repeated, "repeats another row"), test


@frame_tool()
def exclude_rows(train: pd.DataFrame, test: pd.DataFrame | None = None, *, rows: Any, reason: str) -> Frames:
    """Mark rows of train as excluded from fitting, with a reason.

    Parameters
    ----------
    rows
        One truth value a row of train, such as `train["GrLivArea"] > 4000`; missing counts as False.
    reason
        Why the estimators should not learn from them.

    Returns
    -------
    Train with the columns `exclude_from_fit` and `exclude_reason`; test as it was.

    Notes
    -----
    Use it for rows that are evidently wrong or of another population; they are still scored in validation.

    Examples
    --------
    >>> train = pd.DataFrame({"GrLivArea": [1500, 5642]})
    >>> train, _ = exclude_rows(train, rows=train["GrLivArea"] > 4000, reason="partial sales, says the author")
    >>> train["exclude_from_fit"].tolist()
    [False, True]
    """
    if not isinstance(reason, str) or not reason.strip():
        raise ValueError(f"reason={reason!r} must say why the rows are excluded.")
    mask = pd.Series(rows).astype("boolean").fillna(False).to_numpy(dtype=bool)
    if len(mask) != len(train):
        raise ValueError(f"rows has {len(mask)} truth values but train has {len(train)} rows; give one a row.")
    return mark_excluded(train, mask, reason), test
