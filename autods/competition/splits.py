"""Columns that say how train and test were split: a group that both never share, a time that test follows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from autods.competition.headers import match_name
from autods.competition.missing import blank_or_missing
from autods.competition.settings import Settings
from autods.errors import CompetitionError, nearest
from autods.records import Fact

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["as_times", "find_group", "find_time"]

GROUP_NAME = re.compile(
    r"(^|[\s_-])(group|user|customer|client|patient|subject|session|household|site|family|person|account|device|store|"
    r"driver|player|team|school|hospital|machine|unit|batch|plot|well|prompt|essay)s?([\s_-]?(id|no|number|code))?$"
    r"|(group|user|customer|patient|subject|session|household|person|account)_?id$",
    re.IGNORECASE,
)
DATE_LIKE = re.compile(r"^\s*\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T]\d{1,2}:\d{2}.*)?\s*$")
PROBE_ROWS = 200


def _stated(name: str, role: str, train: pd.DataFrame, test: pd.DataFrame, settings: Settings) -> tuple[str, Fact]:
    shared = [str(column) for column in train.columns if column in test.columns]
    found = match_name(name, shared)
    if found is None:
        raise CompetitionError(
            f"{settings.source} names the {role} column {name!r}, which train and test do not share; {nearest(name, shared)}"
        )
    return found, Fact(found, f"stated in {settings.source}", 1.0)


def find_group(
    train: pd.DataFrame, test: pd.DataFrame, columns: Sequence[str], settings: Settings
) -> tuple[str, Fact] | None:
    """Find a column named like a group whose values repeat in train and of which train and test share none."""
    if settings.group is not None:
        return _stated(settings.group, "group", train, test, settings)
    for name in columns:
        if not GROUP_NAME.search(name):
            continue
        n_train, n_test = train[name].nunique(), test[name].nunique()
        repeats = 2 * n_train <= len(train) and n_train >= 5 and n_test >= 5
        if repeats and not test[name].isin(train[name].unique()).any():
            evidence = f"{n_train:,} values in {len(train):,} rows of train, none of which is in the test"
            return name, Fact(name, evidence, 0.8)
    return None


def find_time(
    train: pd.DataFrame, test: pd.DataFrame, columns: Sequence[str], settings: Settings
) -> tuple[str, Fact] | None:
    """Find a column of dates of which all of test's come after train's."""
    if settings.time is not None:
        return _stated(settings.time, "time", train, test, settings)
    head = train[list(columns)].head(PROBE_ROWS).to_numpy(dtype=object)
    for position, name in enumerate(columns):
        if sum(bool(DATE_LIKE.match(cell)) for cell in head[:, position]) <= 0.95 * len(head):
            continue
        before, after = as_times(train[name]), as_times(test[name])
        if before.notna().all() and after.notna().all() and before.max() <= after.min() and before.nunique() > 5:
            evidence = f"train ends {before.max():%Y-%m-%d %H:%M}, test starts {after.min():%Y-%m-%d %H:%M}"
            return name, Fact(name, evidence, 0.9)
    return None


def as_times(text: pd.Series) -> pd.Series:
    """Read a time column: numbers stay numbers, dates become UTC times without a zone; what is neither is missing.

    Examples
    --------
    >>> import pandas as pd
    >>> as_times(pd.Series(["2024-01-01 02:00+02:00", "?"]))[0]
    Timestamp('2024-01-01 00:00:00')
    """
    import pandas as pd

    known = text.where(~blank_or_missing(text))
    numbers = pd.to_numeric(known, errors="coerce")
    if numbers.notna().sum() == known.notna().sum():
        return numbers
    times = pd.to_datetime(known, errors="coerce", utc=True, format=_format(known))
    return times.dt.tz_localize(None)


def _format(text: pd.Series) -> str:
    """Choose day-first where a first number above 12 shows it; else let each cell speak for itself."""
    parts = text.dropna().str.extract(r"^\s*(\d{1,2})([-/.])(\d{1,2})[-/.](\d{4})\s*$")
    if len(parts) and parts[0].notna().all() and parts[1].nunique() == 1:
        sign = parts[1].iloc[0]
        day_first = parts[0].astype(int).max() > 12 or sign == "."
        return f"%d{sign}%m{sign}%Y" if day_first else f"%m{sign}%d{sign}%Y"
    return "mixed"
