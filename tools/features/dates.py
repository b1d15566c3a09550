"""Datetimes as numbers: parts, cycles, elapsed time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from autods.tools._checks import Columns, check_choice, chosen
from autods.tools._frames import Frames, add_columns, frame_tool

__all__ = ["datetime_parts"]

PARTS: dict[str, Callable[[pd.Series], Any]] = {
    "year": lambda times: times.dt.year,
    "quarter": lambda times: times.dt.quarter,
    "month": lambda times: times.dt.month,
    "week": lambda times: times.dt.isocalendar().week,
    "day": lambda times: times.dt.day,
    "dayofweek": lambda times: times.dt.day_of_week,
    "dayofyear": lambda times: times.dt.day_of_year,
    "hour": lambda times: times.dt.hour,
    "minute": lambda times: times.dt.minute,
    "is_weekend": lambda times: (times.dt.day_of_week >= 5).astype("float64"),
    "is_month_end": lambda times: times.dt.is_month_end.astype("float64"),
}
DEFAULT = ("year", "month", "day", "dayofweek", "hour", "is_weekend", "elapsed_days")
CYCLES = {"month": 12, "dayofweek": 7, "dayofyear": 365.25, "hour": 24, "minute": 60}


@frame_tool()
def datetime_parts(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    columns: Columns = None,
    parts: Sequence[str] | None = None,
    cycles: bool = True,
    drop_original: bool = True,
) -> Frames:
    """Add the parts of datetimes, their cycles, and the days since the first of train.

    Parameters
    ----------
    columns
        Columns of datetimes; None means all.
    parts
        Of "year", "quarter", "month", "week", "day", "dayofweek" (Monday is 0), "dayofyear", "hour", "minute",
        "is_weekend", "is_month_end" and "elapsed_days"; None means the usual ones that vary in train.
    cycles
        Whether to add `_sin` and `_cos` of month, day of week or year, hour and minute, so that December is next to
        January.
    drop_original
        Whether the column itself goes.

    Returns
    -------
    The frames with float64 columns `<column>_<part>`; missing where the datetime is.

    Notes
    -----
    Trees use the plain parts; linear estimators and networks use the cycles. Elapsed days let an estimator see a trend,
    and extrapolate nothing.

    Examples
    --------
    >>> train = pd.DataFrame({"sold": pd.to_datetime(["2021-01-31", "2021-07-01"])})
    >>> train, _ = datetime_parts(train, parts=["month", "elapsed_days"], cycles=False)
    >>> train.to_dict("list")
    {'sold_month': [1.0, 7.0], 'sold_elapsed_days': [0.0, 151.0]}
    """
    if isinstance(parts, str):
        parts = [parts]
    for part in parts or ():
        check_choice("parts", part, (*PARTS, "elapsed_days"))
    names = chosen(train, test, columns, holds="datetimes")
    first = {name: train[name].min() for name in names}
    wanted = {name: list(parts) if parts is not None else _varying(train[name], first[name]) for name in names}

    def make(frame: pd.DataFrame) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for name in names:
            for part in wanted[name]:
                values = _part(frame[name], part, first[name])
                made[f"{name}_{part}"] = values
                if cycles and part in CYCLES:
                    angle = 2 * np.pi * values / CYCLES[part]
                    made |= {f"{name}_{part}_sin": np.sin(angle), f"{name}_{part}_cos": np.cos(angle)}
        return made

    return add_columns(train, test, make, drop=names if drop_original else ())


def _part(times: pd.Series, part: str, first: pd.Timestamp) -> np.ndarray:
    if part == "elapsed_days":
        elapsed = (times - first) / pd.Timedelta(days=1) if not pd.isna(first) else pd.Series(np.nan, index=times.index)
        return elapsed.to_numpy(dtype="float64")
    values = pd.Series(PARTS[part](times)).astype("float64")
    return values.where(times.notna()).to_numpy()


def _varying(times: pd.Series, first: pd.Timestamp) -> list[str]:
    return [part for part in DEFAULT if pd.Series(_part(times, part, first)).nunique() > 1]
