"""Rare levels pooled into one."""

from __future__ import annotations

import pandas as pd

from autods.tools._checks import Columns, check_number, chosen, is_text
from autods.tools._frames import Frames, as_text, frame_tool, map_both

__all__ = ["rare_levels"]


@frame_tool()
def rare_levels(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    columns: Columns = None,
    min_count: int = 10,
    max_levels: int | None = None,
    level: str = "other",
) -> Frames:
    """Pool levels that are rare in train, and those that train does not know, into one.

    Parameters
    ----------
    columns
        Columns of categories; None means all text columns.
    min_count
        Levels with fewer rows of train are pooled.
    max_levels
        Keep at most so many levels, the most frequent; None sets no limit.
    level
        The name of the pool.

    Returns
    -------
    The frames; the columns are text, missing stays missing.

    Notes
    -----
    Use it before one-hot encoding, or where test brings levels that train has hardly seen. Tree boosters cope with a
    few hundred levels; pooling costs them information.

    Examples
    --------
    >>> train = pd.DataFrame({"Title": ["Mr", "Mr", "Miss", "Miss", "Don"]})
    >>> train, test = rare_levels(train, pd.DataFrame({"Title": ["Mr", "Dona"]}), min_count=2)
    >>> train["Title"].tolist(), test["Title"].tolist()
    (['Mr', 'Mr', 'Miss', 'Miss', 'other'], ['Mr', 'other'])
    """
    check_number("min_count", min_count, 1, integer=True)
    if max_levels is not None:
        check_number("max_levels", max_levels, 1, integer=True)
    names = chosen(train, test, columns, default=is_text)
    kept = {}
    for name in names:
        counts = as_text(train[name]).value_counts().rename_axis("level").reset_index(name="rows")
        counts = counts[counts["rows"] >= min_count].sort_values(["rows", "level"], ascending=[False, True])
        kept[name] = set(counts["level"][:max_levels])

    def pool(frame: pd.DataFrame) -> pd.DataFrame:
        text = {name: as_text(frame[name]) for name in names}
        return frame.assign(
            **{n: column.mask(column.notna() & ~column.isin(kept[n]), level) for n, column in text.items()}
        )

    return map_both(train, test, pool)
