"""What can be counted in a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from autods.tools._checks import Columns, check_choice, chosen
from autods.tools._frames import Frames, add_columns, frame_tool, number_table

__all__ = ["count_missing", "count_values", "row_statistics"]

STATISTICS = ("mean", "median", "std", "min", "max")


@frame_tool()
def count_missing(
    train: pd.DataFrame, test: pd.DataFrame | None = None, *, columns: Columns = None, name: str = "missing_count"
) -> Frames:
    """Add how many of the row's values are missing.

    Parameters
    ----------
    columns
        The columns to look at; None means all that both frames have.
    name
        The name of the new column.

    Returns
    -------
    The frames with one int64 column more.

    Notes
    -----
    Use it on raw columns, before filling, where incomplete rows differ from complete ones.

    Examples
    --------
    >>> train, _ = count_missing(pd.DataFrame({"a": [1.0, None], "b": ["x", None]}))
    >>> train["missing_count"].tolist()
    [0, 2]
    """
    names = chosen(train, test, columns)
    return add_columns(train, test, lambda frame: {name: frame[names].isna().sum(axis=1).astype("int64")})


@frame_tool()
def count_values(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    columns: Columns = None,
    value: object = 0,
    name: str | None = None,
) -> Frames:
    """Add how many of the row's values equal one value.

    Parameters
    ----------
    columns
        The columns to look at; None means all columns of numbers, or all of text when `value` is text.
    value
        The value to count.
    name
        The name of the new column; None means `<value>_count`.

    Returns
    -------
    The frames with one int64 column more.

    Examples
    --------
    >>> train, _ = count_values(pd.DataFrame({"pool": [0, 1], "porch": [0, 0]}), name="absent")
    >>> train["absent"].tolist()
    [2, 1]
    """
    names = chosen(train, test, columns, holds="text" if isinstance(value, str) else "numbers")
    new = name or f"{value}_count"
    return add_columns(
        train, test, lambda frame: {new: (frame[names] == value).fillna(False).sum(axis=1).astype("int64")}
    )


@frame_tool()
def row_statistics(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    columns: Columns = None,
    statistics: Sequence[str] = ("mean", "std", "min", "max"),
    prefix: str = "row",
) -> Frames:
    """Add statistics over the columns of each row.

    Parameters
    ----------
    columns
        Columns of numbers of one kind and unit; None means all columns of numbers.
    statistics
        Of "mean", "median", "std", "min" and "max".
    prefix
        The start of the new names, `<prefix>_<statistic>`.

    Returns
    -------
    The frames with float64 columns; missing values are left out, and where all are missing so is the statistic.

    Notes
    -----
    Use it on repeated measurements (monthly bills, sensors, survey items), not on columns of different units.

    Examples
    --------
    >>> train = pd.DataFrame({"may": [1.0, 4.0], "june": [3.0, None]})
    >>> train, _ = row_statistics(train, statistics=["mean"], prefix="bill")
    >>> train["bill_mean"].tolist()
    [2.0, 4.0]
    """
    wanted = [statistics] if isinstance(statistics, str) else list(statistics)
    for statistic in wanted:
        check_choice("statistics", statistic, STATISTICS)
    names = chosen(train, test, columns, holds="numbers")

    def make(frame: pd.DataFrame) -> dict[str, Any]:
        numbers = number_table(frame, names)
        with np.errstate(all="ignore"):
            made = {f"{prefix}_{s}": getattr(numbers, s)(axis=1).to_numpy(dtype="float64") for s in wanted}
        return {name: np.where(np.isfinite(values), values, np.nan) for name, values in made.items()}

    return add_columns(train, test, make)
