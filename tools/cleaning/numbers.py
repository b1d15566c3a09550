"""Numbers written as text, and infinite ones."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pandas as pd

from autods.tools._checks import Columns, check_choice, check_number, chosen, is_numeric
from autods.tools._frames import Frames, as_number, as_text, frame_tool, map_both

__all__ = ["parse_numbers", "replace_infinite"]

ENOUGH = 0.95
MULTIPLIERS = {"k": 1e3, "m": 1e6, "mio": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9, "t": 1e12, "": 1.0}
CURRENCY = r"(?:[$€£¥₹₽]|usd|eur|gbp|chf|rs\.?)"
DASHES = str.maketrans("−–", "--")
BLANKS = r" '’\u00a0\u202f"
NUMBER = re.compile(
    rf"(?P<open>\()?\s*(?P<sign>[-+−–])?\s*(?P<before>{CURRENCY})?\s*(?P<inner>[-+−–])?\s*"
    rf"(?P<digits>\d(?:[\d.,{BLANKS}]*\d)?[.,]?|[.,]\d+)(?P<exponent>e[-+]?\d+)?\s*"
    rf"(?P<multiplier>(?:k|mio|mn|m|bn|b|t)(?![a-z]))?\s*(?:%|percent)?\s*(?P<after>{CURRENCY})?\s*"
    r"(?P<unit>[a-zµ°²³/]{0,12})\.?\s*(?P<close>\))?",
    re.IGNORECASE,
)


def read_number(text: str, decimal: str = ".") -> tuple[float, str]:
    """Read one number and its unit; NaN when the text is not one number.

    Examples
    --------
    >>> read_number("$1,234.50"), read_number("3k"), read_number("12 kg"), read_number("(5)")
    ((1234.5, ''), (3000.0, ''), (12.0, 'kg'), (-5.0, ''))
    >>> read_number("1.234,5", decimal=",")[0], read_number("1 - 4 yrs")[0]
    (1234.5, nan)
    """
    match = NUMBER.fullmatch(text.strip())
    if match is None or (match["open"] is None) != (match["close"] is None):
        return np.nan, ""
    thousands = "," if decimal == "." else "."
    whole, _, fraction = re.sub(f"[{BLANKS}]", thousands, match["digits"]).partition(decimal)
    groups = whole.split(thousands)
    if (not fraction.isdigit() and fraction) or any(len(group) != 3 for group in groups[1:]):
        return np.nan, ""
    value = float(f"{''.join(groups) or '0'}.{fraction or '0'}{match['exponent'] or ''}")
    negative = match["open"] or "-" in (match["sign"] or match["inner"] or "").translate(DASHES)
    multiplier, unit = match["multiplier"] or "", match["unit"].casefold()
    if multiplier in ("m", "b", "t") and not (match["before"] or match["after"]):
        multiplier, unit = "", multiplier + unit  # 5 m are metres, 5M and $5m are millions
    return (-value if negative else value) * MULTIPLIERS[multiplier.casefold()], unit


def _numbers(column: pd.Series, decimal: str, unit: str | None = None) -> pd.Series:
    """Parse the distinct texts of a column; texts of another unit than `unit` become NaN."""
    text = as_text(column)
    parsed = {}
    for level in text.dropna().unique():
        value, found = read_number(level, decimal)
        parsed[level] = value if unit is None or found in ("", unit) else np.nan
    return text.map(parsed).astype("float64")


def _unit(column: pd.Series, decimal: str) -> str:
    """Return the most frequent unit of a column, the first by name of those tied."""
    rows: Counter[str] = Counter()
    for level, count in as_text(column).value_counts().items():
        rows[read_number(str(level), decimal)[1]] += int(count)
    del rows[""]
    return min(rows, key=lambda unit: (-rows[unit], unit), default="")


def _mostly_numbers(column: pd.Series, decimal: str) -> bool:
    levels = as_text(column).dropna()
    if levels.empty:
        return False
    sample = pd.Series(levels.unique()[:2000])
    parsed = _numbers(sample, decimal, _unit(sample, decimal))
    return bool(parsed.notna().mean() >= ENOUGH)


@frame_tool()
def parse_numbers(
    train: pd.DataFrame, test: pd.DataFrame | None = None, *, columns: Columns = None, decimal: str = "."
) -> Frames:
    """Turn numbers written as text into numbers: `1,234`, `$5`, `12%`, `3k`, `(5)`, `12 kg`.

    Parameters
    ----------
    columns
        Columns of text; None means those of which 95 % of the distinct train values are numbers.
    decimal
        The decimal mark, "." or ","; the other one separates thousands.

    Returns
    -------
    The frames; the columns are float64, and what is no number is missing. `12%` gives 12. Where a column has a unit
    (`kg`), values in another unit are missing.

    Notes
    -----
    Use it on columns that count or measure. Do not use it on codes that happen to be digits (zip codes), nor on ranges
    (`1 - 4 yrs`): those are ladders for `ordinal_map`.

    Examples
    --------
    >>> train = pd.DataFrame({"price": ["$1,200", "$3k", None], "share": ["12%", "7.5%", "n/a"]})
    >>> train, _ = parse_numbers(train, columns=["price", "share"])
    >>> train["price"].tolist(), train["share"].tolist()
    ([1200.0, 3000.0, nan], [12.0, 7.5, nan])
    """
    check_choice("decimal", decimal, (".", ","))
    names = chosen(train, test, columns, holds="text", default=lambda column: _mostly_numbers(column, decimal))
    units = {name: _unit(train[name], decimal) for name in names}

    def parse(frame: pd.DataFrame) -> pd.DataFrame:
        return frame.assign(**{name: _numbers(frame[name], decimal, units[name]) for name in names})

    return map_both(train, test, parse)


@frame_tool()
def replace_infinite(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    columns: Columns = None,
    method: str = "missing",
    fill_value: float = 0.0,
) -> Frames:
    """Replace infinite numbers.

    Parameters
    ----------
    columns
        Columns of numbers; None means all.
    method
        "missing" (NaN), "extreme" (the largest or smallest finite value of train) or "constant" (`fill_value`).
    fill_value
        The constant, for method="constant".

    Returns
    -------
    The frames; types stay.

    Examples
    --------
    >>> train, _ = replace_infinite(pd.DataFrame({"rate": [1.0, float("inf"), -2.0]}), method="extreme")
    >>> train["rate"].tolist()
    [1.0, 1.0, -2.0]
    """
    check_choice("method", method, ("missing", "extreme", "constant"))
    check_number("fill_value", fill_value)
    names = [name for name in chosen(train, test, columns, holds="numbers") if _is_float(train, test, name)]
    limits = {name: _limits(train[name]) for name in names}

    def replace(frame: pd.DataFrame) -> pd.DataFrame:
        result = frame.copy(deep=False)
        for name in names:
            values = as_number(frame[name])
            low, high = {"missing": (np.nan, np.nan), "constant": (fill_value, fill_value)}.get(method, limits[name])
            result[name] = values.mask(values == np.inf, high).mask(values == -np.inf, low)
        return result

    return map_both(train, test, replace)


def _is_float(train: pd.DataFrame, test: pd.DataFrame | None, name: str) -> bool:
    frames = [frame for frame in (train, test) if frame is not None]
    return any(is_numeric(frame[name]) and pd.api.types.is_float_dtype(frame[name].dtype) for frame in frames)


def _limits(column: pd.Series) -> tuple[float, float]:
    values = as_number(column).to_numpy()
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if len(finite) else (np.nan, np.nan)
