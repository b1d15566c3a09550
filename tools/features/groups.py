"""What the rows of a group have in common: its size, and statistics of its columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from autods.tools._checks import Columns, check_choice, check_names, chosen
from autods.tools._frames import Frames, add_columns, as_number, frame_tool, joint_codes, joint_column

__all__ = ["aggregate_by_group", "group_size"]

STATISTICS = ("mean", "median", "std", "min", "max", "sum", "count", "nunique", "rank")
RELATIVE = ("difference", "ratio")


@frame_tool(joint=True)
def group_size(
    train: pd.DataFrame, test: pd.DataFrame | None = None, *, by: Columns, name: str | None = None
) -> Frames:
    """Add how many rows of train and test together share the row's values in `by`.

    Parameters
    ----------
    by
        The columns that make a group.
    name
        The name of the new column; None means `<by>_size`.

    Returns
    -------
    The frames with one int64 column more; 0 where a value of `by` is missing.

    Notes
    -----
    Use it where rows belong together: passengers on one ticket, purchases of one customer. It is joint: a group's size
    counts rows of both frames, which no target touches.

    Examples
    --------
    >>> train, test = pd.DataFrame({"Ticket": ["A", "B"]}), pd.DataFrame({"Ticket": ["A", None]})
    >>> train, test = group_size(train, test, by="Ticket")
    >>> train["Ticket_size"].tolist(), test["Ticket_size"].tolist()
    ([2, 1], [2, 0])
    """
    keys = check_names("by", by, train, test)
    if not keys:
        raise ValueError("by=[] must name at least one column.")
    codes = joint_codes(train, test, keys)
    sizes = np.bincount(np.concatenate(codes) + 1, minlength=1)
    sizes[0] = 0
    new = name or f"{'_'.join(keys)}_size"
    return add_columns(
        train, test, lambda frame: {new: sizes[(codes[0] if frame is train else codes[1]) + 1].astype("int64")}
    )


@frame_tool(joint=True)
def aggregate_by_group(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    by: Columns,
    columns: Columns = None,
    statistics: Sequence[str] = ("mean",),
    relative: Sequence[str] = (),
) -> Frames:
    """Add statistics of columns over the rows of train and test that share the row's values in `by`.

    Parameters
    ----------
    by
        The columns that make a group.
    columns
        Columns of numbers (any, for "count" and "nunique"); None means all columns of numbers that are not in `by`.
    statistics
        Of "mean", "median", "std", "min", "max", "sum", "count" (not missing), "nunique" (distinct values) and "rank"
        (the row's rank within its group, from 0 to 1).
    relative
        "difference" (the row's value minus the group's mean) and "ratio" (the row's value over the group's mean).

    Returns
    -------
    The frames with float64 columns `<column>_<statistic>_by_<by>`; missing where the group is unknown.

    Notes
    -----
    Use it where a value means something against its peers: a fare within its class, a price within its town. It is
    joint: features only, never the target (for that use `target_encode` in a pipeline).

    Examples
    --------
    >>> train = pd.DataFrame({"Pclass": [1, 1, 3], "Fare": [80.0, 40.0, 8.0]})
    >>> train, _ = aggregate_by_group(train, by="Pclass", columns=["Fare"], relative=["difference"])
    >>> train["Fare_mean_by_Pclass"].tolist(), train["Fare_difference_by_Pclass"].tolist()
    ([60.0, 60.0, 8.0], [20.0, -20.0, 0.0])
    """
    wanted = [statistics] if isinstance(statistics, str) else list(statistics)
    against = [relative] if isinstance(relative, str) else list(relative)
    for statistic in wanted:
        check_choice("statistics", statistic, STATISTICS)
    for measure in against:
        check_choice("relative", measure, RELATIVE)
    keys = check_names("by", by, train, test)
    if not keys:
        raise ValueError("by=[] must name at least one column.")
    counting = set(wanted) <= {"count", "nunique"} and not against
    names = chosen(train, test, columns, holds="anything" if counting and columns is not None else "numbers")
    names = [name for name in names if columns is not None or name not in keys]
    codes = np.concatenate(joint_codes(train, test, keys))
    suffix = "_".join(keys)
    both: dict[str, np.ndarray] = {}
    for name in names:
        column = joint_column(train, test, name)
        for measure in [*wanted, *against]:
            both[f"{name}_{measure}_by_{suffix}"] = _aggregate(column, codes, measure)

    def make(frame: pd.DataFrame) -> dict[str, Any]:
        part = slice(None, len(train)) if frame is train else slice(len(train), None)
        return {name: values[part] for name, values in both.items()}

    return add_columns(train, test, make)


def _aggregate(column: pd.Series, codes: np.ndarray, measure: str) -> np.ndarray:
    if measure in ("count", "nunique"):
        values = column
    else:
        values = as_number(column)
        values = values.where(np.isfinite(values))
    grouped = values.groupby(codes, sort=False)
    with np.errstate(all="ignore"):
        if measure == "rank":
            result = grouped.rank(pct=True)
        elif measure in RELATIVE:
            mean = grouped.transform("mean")
            result = values - mean if measure == "difference" else values / mean.mask(mean == 0)
        else:
            statistic: Any = measure
            result = grouped.transform(statistic)
    numbers = result.to_numpy(dtype="float64")
    return np.where(np.isfinite(numbers) & (codes >= 0), numbers, np.nan)
