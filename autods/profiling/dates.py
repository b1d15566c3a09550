"""Strings, and whole numbers, that are dates."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence

import numpy as np
import pandas as pd

__all__ = ["are_compact_dates", "are_dates", "parse_dates"]

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.?"
_WEEKDAY = r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+)?"
_CLOCK = r"(?:[T ,]+\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:\s*[ap]\.?m\.?)?\s*(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?"
_DATE = re.compile(
    _WEEKDAY + r"(?:(?:1[89]|20|21)\d{2}[-/.]\d{1,2}[-/.]\d{1,2}"  # 2015-01-31
    r"|\d{1,2}([-/.])\d{1,2}\1(?:1[89]|20|21)\d{2}"  # 31/01/2015
    r"|\d{1,2}/\d{1,2}/\d{2}"  # 1/31/15
    rf"|\d{{1,2}}(?:st|nd|rd|th)?[-/ .]{_MONTH},?[-/ ,.](?:1[89]|20|21)?\d{{2}}"  # 31 Jan 2015
    rf"|{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+(?:1[89]|20|21)\d{{2}}"  # January 31, 2015
    rf"|{_MONTH}[- ](?:1[89]|20|21)\d{{2}}"  # Jan-2015
    r"|(?:1[89]|20|21)\d{2}-(?:0[1-9]|1[0-2]))" + _CLOCK,  # 2015-01
    re.IGNORECASE,
)


def are_dates(values: Sequence[str], share: float = 0.95) -> bool:
    """Whether nearly all of the strings are spelled like dates and do parse, also with mixed offsets.

    Examples
    --------
    >>> are_dates(["2020-01-31T10:00:00+01:00", "2020-02-01T09:30:00Z"])
    True
    >>> are_dates(["555-12-1234", "1.2.3"])
    False
    """
    if not values:
        return False
    spelled = [value for value in values if _DATE.fullmatch(value.strip())]
    if len(spelled) < share * len(values):
        return False
    parsed = parse_dates(pd.Series(spelled, dtype="str"))
    return bool(parsed.notna().mean() >= share)


def parse_dates(values: pd.Series) -> pd.Series:
    """Parse date strings to UTC without a zone; what cannot be parsed becomes NaT.

    The day comes first when some first number exceeds twelve and no second does.
    """
    numbers = values.str.extract(r"^(\d{1,2})[-/.](\d{1,2})[-/.]", expand=True)
    first, second = (pd.to_numeric(numbers[column], errors="coerce") for column in (0, 1))
    day_first = bool((first > 12).any() and not (second > 12).any())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parsed = pd.to_datetime(values, errors="coerce", utc=True, format="mixed", dayfirst=day_first)
    return parsed.dt.tz_localize(None)


def are_compact_dates(numbers: np.ndarray) -> bool:
    """Whether nearly all whole numbers read as YYYYMMDD.

    Examples
    --------
    >>> are_compact_dates(np.arange(20200101.0, 20200120.0))
    True
    """
    if numbers.size < 2 or not 18000101 <= numbers[0] <= numbers[-1] <= 21991231:
        return False
    whole = numbers.astype(np.int64)
    month, day = whole // 100 % 100, whole % 100
    return bool(np.mean((month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)) >= 0.99)
