"""Sums, differences and ratios of columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from autods.tools._checks import Columns, check_names, check_pairs, chosen, is_datetime
from autods.tools._frames import Frames, add_columns, as_number, frame_tool, number_table

__all__ = ["differences", "ratios", "sum_columns"]

Pairs = Sequence[tuple[str, str]]


@frame_tool()
def ratios(train: pd.DataFrame, test: pd.DataFrame | None = None, *, pairs: Pairs) -> Frames:
    """Add `<a>_per_<b>`, the first column of each pair divided by the second.

    Parameters
    ----------
    pairs
        Pairs (a, b) of columns of numbers.

    Returns
    -------
    The frames with float64 columns; missing where either is missing or b is 0.

    Notes
    -----
    Use it where the quotient has a meaning (price per area, fare per person): trees find quotients only in steps.

    Examples
    --------
    >>> train, _ = ratios(pd.DataFrame({"Fare": [30.0, 8.0], "persons": [3, 0]}), pairs=[("Fare", "persons")])
    >>> train["Fare_per_persons"].tolist()
    [10.0, nan]
    """
    checked = check_pairs("pairs", pairs, train, test)
    for pair in checked:
        chosen(train, test, list(pair), holds="numbers", parameter="pairs")

    def make(frame: pd.DataFrame) -> dict[str, Any]:
        return {f"{a}_per_{b}": _quotient(frame[a], frame[b]) for a, b in checked}

    return add_columns(train, test, make)


def _quotient(above: pd.Series, below: pd.Series) -> np.ndarray:
    divisor = as_number(below).to_numpy()
    with np.errstate(all="ignore"):
        quotient = as_number(above).to_numpy() / np.where(divisor == 0, np.nan, divisor)
    return np.where(np.isfinite(quotient), quotient, np.nan)


@frame_tool()
def differences(train: pd.DataFrame, test: pd.DataFrame | None = None, *, pairs: Pairs) -> Frames:
    """Add `<a>_minus_<b>`, the second column of each pair taken from the first.

    Parameters
    ----------
    pairs
        Pairs (a, b) of columns of numbers, or of datetimes (the difference is in days).

    Returns
    -------
    The frames with float64 columns; missing where either is missing.

    Notes
    -----
    Use it where the gap has a meaning: year sold minus year built, a date minus another.

    Examples
    --------
    >>> train, _ = differences(pd.DataFrame({"YrSold": [2008], "YearBuilt": [1999]}), pairs=[("YrSold", "YearBuilt")])
    >>> train["YrSold_minus_YearBuilt"].tolist()
    [9.0]
    """
    checked = check_pairs("pairs", pairs, train, test)
    for a, b in checked:
        dates = is_datetime(train[a]) and is_datetime(train[b])
        chosen(train, test, [a, b], holds="datetimes" if dates else "numbers", parameter="pairs")

    def make(frame: pd.DataFrame) -> dict[str, Any]:
        return {f"{a}_minus_{b}": _difference(frame[a], frame[b]) for a, b in checked}

    return add_columns(train, test, make)


def _difference(left: pd.Series, right: pd.Series) -> np.ndarray:
    if is_datetime(left):
        return np.asarray((left - right).dt.total_seconds() / 86_400, dtype="float64")
    with np.errstate(all="ignore"):
        difference = as_number(left).to_numpy() - as_number(right).to_numpy()
    return np.where(np.isfinite(difference), difference, np.nan)


@frame_tool()
def sum_columns(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    columns: Columns,
    name: str,
    add: float = 0.0,
) -> Frames:
    """Add one column, the sum of others.

    Parameters
    ----------
    columns
        Columns of numbers or booleans.
    name
        The name of the new column.
    add
        A number to add, such as 1 for the person itself.

    Returns
    -------
    The frames with one float64 column more; missing values count as 0, unless all of a row are missing.

    Examples
    --------
    >>> train = pd.DataFrame({"SibSp": [1, 0], "Parch": [2, 0]})
    >>> train, _ = sum_columns(train, columns=["SibSp", "Parch"], name="family_size", add=1)
    >>> train["family_size"].tolist()
    [4.0, 1.0]
    """
    if not isinstance(name, str) or not name:
        raise ValueError(f"name={name!r} must be the name of the new column.")
    names = chosen(train, test, check_names("columns", columns, train, test), holds="numbers")
    if not names:
        raise ValueError("columns=[] must name at least one column.")

    def make(frame: pd.DataFrame) -> dict[str, Any]:
        return {name: number_table(frame, names).sum(axis=1, min_count=1) + add}

    return add_columns(train, test, make)
