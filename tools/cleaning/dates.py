"""Dates and times written as text or numbers."""

from __future__ import annotations

import functools
import re
import warnings
from typing import Any

import numpy as np
import pandas as pd

from autods.tools._checks import Columns, check_choice, chosen, is_datetime, is_numeric, is_text
from autods.tools._frames import Frames, as_number, as_text, frame_tool, map_both

__all__ = ["date_formats", "format_datetime", "mostly_dates", "read_dates"]

ENOUGH = 0.95
DATES = ("%Y/%m/%d", "%m/%d/%Y", "%d/%m/%Y", "%d.%m.%Y", "%m-%d-%Y", "%d-%m-%Y", "%m/%d/%y", "%d/%m/%y", "%d.%m.%y")
NAMED = (
    "%d %b %Y",
    "%d-%b-%Y",
    "%d-%b-%y",
    "%b %d, %Y",
    "%b %d %Y",
    "%d %B %Y",
    "%B %d, %Y",
    "%B %d %Y",
    "%b-%Y",
    "%B %Y",
    "%b %Y",
)
TIMES = ("", " %H:%M", " %H:%M:%S", " %H:%M:%S.%f", " %I:%M %p", " %I:%M:%S %p")
COMPACT = ("%Y%m%d", "%Y%m%d%H%M%S")
FORMATS = ("ISO8601", *(date + time for date in (*DATES, *NAMED) for time in TIMES), *COMPACT)
DATE_LIKE = re.compile(r"\d{1,4}\D+\d|\d{8}|[a-z]{3,9}\D+\d", re.IGNORECASE)
SHAPES = {
    **dict.fromkeys("mdHIMS", r"\d{1,2}"), "Y": r"\d{4}", "y": r"\d{2}", "f": r"\d{1,9}", "p": "[AaPp][Mm]",
    "b": r"\w{3}", "B": r"\w{3,9}",
}  # fmt: skip
UNITS = {"s": (1e8, 4e9), "ms": (1e11, 4e12), "us": (1e14, 4e15), "ns": (1e17, 4e18)}


@frame_tool()
def format_datetime(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    columns: Columns = None,
    format: str | None = None,
    day_first: bool | None = None,
    unit: str | None = None,
) -> Frames:
    """Parse dates and times, into datetimes in UTC without a time zone.

    Parameters
    ----------
    columns
        Columns of text or numbers; None means the text columns of which 95 % of the distinct train values are dates.
    format
        A strptime format; None tries the usual ones and takes what reads most of train, then the next best for the
        rest.
    day_first
        Whether 03/04/2020 is the 3rd of April; None lets the values of train decide, and takes the month first when
        they do not.
    unit
        For numbers: "s", "ms", "us", "ns" or "D" since 1970; None decides by size (20240131 is a date, too).

    Returns
    -------
    The frames; the columns are datetime64[us]. Times with a zone are converted to UTC, times without are taken as UTC;
    what is no date is missing.

    Raises
    ------
    ValueError
        When a named column of numbers is neither like 20240131 nor like a time since 1970.

    Notes
    -----
    Use it before `datetime_parts`. Do not use it on years alone: a year is a good number as it is.

    Examples
    --------
    >>> train = pd.DataFrame({"when": ["31/12/2020", "01/02/2021", None, "?"]})
    >>> train, _ = format_datetime(train, columns=["when"])
    >>> train["when"].dt.strftime("%Y-%m-%d").tolist()
    ['2020-12-31', '2021-02-01', nan, nan]
    """
    if unit is not None:
        check_choice("unit", unit, (*UNITS, "D"))
    names = chosen(train, test, columns, default=mostly_dates)
    orders = {name: date_formats(train[name], format, day_first, unit) for name in names}
    return map_both(train, test, lambda frame: frame.assign(**{n: read_dates(frame[n], orders[n]) for n in names}))


def date_formats(column: pd.Series, format: str | None, day_first: bool | None, unit: str | None) -> tuple[str, ...]:
    """Return the formats to try on a column, best first."""
    if is_datetime(column):
        return ()
    if is_numeric(column):
        return (_number_format(column, format, unit),)
    if not is_text(column):
        raise ValueError(
            f"columns: column {column.name!r} has type {column.dtype}, which holds no dates; leave it out."
        )
    return (format,) if format is not None else _ranked(as_text(column), day_first)


def _number_format(column: pd.Series, format: str | None, unit: str | None) -> str:
    if unit is not None:
        return f"unit:{unit}"
    if format is not None:
        return format
    values = as_number(column).to_numpy()
    values = values[np.isfinite(values)]
    if len(values) and ((values >= 18000101) & (values <= 22001231)).all():
        return "%Y%m%d"
    for name, (low, high) in UNITS.items():
        if len(values) and ((values >= low) & (values <= high)).all():
            return f"unit:{name}"
    raise ValueError(
        f"columns: the numbers of {column.name!r} are neither like 20240131 nor a time since 1970; give unit or format."
    )


def _ranked(text: pd.Series, day_first: bool | None) -> tuple[str, ...]:
    levels = pd.Series(text.dropna().unique()[:5000], dtype="str")
    if levels.empty:
        return ("ISO8601",)
    few = [level.strip() for level in levels[:200]]
    likely = [name for name in FORMATS if _allowed(name, day_first) and any(map(_shape(name).fullmatch, few))]
    reads = {name: float(_by_format(levels, name).notna().mean()) for name in likely}
    best = sorted(
        (name for name, share in reads.items() if share > 0), key=lambda name: (-reads[name], FORMATS.index(name))
    )
    if best and reads[best[0]] == 1:
        return (best[0],)
    mixed = "mixed:day" if any(name.startswith("%d") for name in best[:1]) or day_first else "mixed:month"
    return (*best[:4], mixed)


@functools.cache
def _shape(format: str) -> re.Pattern[str]:
    """Return a regular expression that all texts of a format match: much faster to try than the format."""
    if format == "ISO8601":
        return re.compile(r"\d{4}-?\d{2}.*|\d{4}")
    return re.compile(re.sub(r"%(.)", lambda token: SHAPES[token[1]], re.escape(format)))


def _allowed(format: str, day_first: bool | None) -> bool:
    numeric = format.startswith(DATES[1:])
    return not numeric or day_first is None or format.startswith("%d") == day_first


def read_dates(column: pd.Series, formats: tuple[str, ...]) -> pd.Series:
    """Read a column by the first format, what that leaves by the next, and so on."""
    if is_datetime(column):
        return _utc(column)
    if is_numeric(column) and formats and formats[0].startswith("unit:"):
        unit: Any = formats[0].removeprefix("unit:")
        parsed = pd.to_datetime(as_number(column), unit=unit, errors="coerce")
        return _utc(parsed)
    text = as_number(column).astype("Int64").astype("str") if is_numeric(column) else as_text(column)
    levels = pd.Series(text.dropna().unique(), dtype="str")
    read = pd.Series(pd.NaT, index=levels.index, dtype="datetime64[us]")
    for name in formats:
        left = read.isna()
        if left.any():
            read[left] = _by_format(levels[left], name)
    known = dict(zip(levels, read, strict=True))
    return text.map(known).astype("datetime64[us]")


def _by_format(levels: pd.Series, name: str) -> pd.Series:
    tidy = levels.str.strip()
    if not name.startswith("mixed"):
        return _utc(pd.to_datetime(tidy, format=name, utc=True, errors="coerce"))
    like = tidy.where(tidy.str.contains(DATE_LIKE))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        parsed = pd.to_datetime(like, format="mixed", dayfirst=name == "mixed:day", utc=True, errors="coerce")
    return _utc(parsed)


def _utc(column: pd.Series) -> pd.Series:
    if column.dt.tz is not None:
        column = column.dt.tz_convert("UTC").dt.tz_localize(None)
    return column.astype("datetime64[us]")


def mostly_dates(column: pd.Series) -> bool:
    """Whether nearly all distinct values of a text column are dates."""
    if not is_text(column):
        return False
    levels = as_text(column).dropna().unique()[:500]
    sample = pd.Series(levels, dtype="str")
    if sample.empty or sample.str.contains(DATE_LIKE).mean() < ENOUGH or sample.str.len().max() > 40:
        return False
    if sample.str.fullmatch(r"[\d.]+").all():
        return False
    formats = tuple(name for name in _ranked(sample, None) if not name.startswith("mixed"))
    return bool(read_dates(sample, formats).notna().mean() >= ENOUGH)
