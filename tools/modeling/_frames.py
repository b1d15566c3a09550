"""How every estimator reads a mixed frame: which columns are numbers, categories or text, learnt on training rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

__all__ = ["Columns", "TreeEncoder", "as_frame", "category_codes", "learn_columns", "numeric_values", "text_values"]

TEXT_WORDS = 2.5
TEXT_UNIQUE_SHARE = 0.3
NAME_UNIQUE_SHARE = 0.5
NAME_MINIMUM_LEVELS = 50
TEXT_STATISTICS = ("length", "words", "digits", "capitals", "punctuation", "word_length")
DAY_NS = 86_400_000_000_000


@dataclass(frozen=True)
class Columns:
    """The columns of a frame by how an estimator may use them, in the frame's order.

    Attributes
    ----------
    numeric
        Numbers, booleans, dates and durations (as days).
    ordered
        Ordered categories, with their levels from low to high.
    categories
        Unordered categories, with the levels seen in training, sorted.
    text
        Free text, and strings that nearly name their row.
    """

    numeric: tuple[str, ...] = ()
    ordered: Mapping[str, np.ndarray] = field(default_factory=dict)
    categories: Mapping[str, np.ndarray] = field(default_factory=dict)
    text: tuple[str, ...] = ()


def as_frame(X: Any, columns: Sequence[str] | np.ndarray | None = None) -> pd.DataFrame:
    """Take a frame as it is, or an array as a frame with the columns named (`"0"`, `"1"`, …).

    Raises
    ------
    ValueError
        When a column that was there in training is missing.
    """
    if not isinstance(X, pd.DataFrame):
        values = np.asarray(X)
        names = columns if columns is not None else [str(number) for number in range(values.shape[1])]
        return pd.DataFrame(values, columns=list(names))
    if columns is not None:
        absent = [name for name in columns if name not in X.columns]
        if absent:
            raise ValueError(
                f"The frame lacks the columns {absent[:5]} that were there in fit; give it the same columns."
            )
    return X


def numeric_values(column: pd.Series) -> np.ndarray:
    """Read a column as float64: dates and durations as days, booleans as 0/1, what is no finite number as NaN."""
    dtype = column.dtype
    if pd.api.types.is_datetime64_any_dtype(dtype):
        if isinstance(dtype, pd.DatetimeTZDtype):
            column = column.dt.tz_convert("UTC").dt.tz_localize(None)
        values = _days(column.to_numpy().astype("datetime64[ns]"))
    elif pd.api.types.is_timedelta64_dtype(dtype):
        values = _days(column.to_numpy().astype("timedelta64[ns]"))
    elif pd.api.types.is_complex_dtype(dtype):
        values = np.abs(column.to_numpy())
    elif pd.api.types.is_numeric_dtype(dtype):
        values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    else:
        strings = column.astype("str").replace({"True": "1", "False": "0"})
        values = pd.to_numeric(strings, errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    finite = np.isfinite(values)
    return values if finite.all() else np.where(finite, values, np.nan)


def _days(values: np.ndarray) -> np.ndarray:
    missing = np.isnat(values)
    days = values.view("int64").astype(np.float64) / DAY_NS
    days[missing] = np.nan
    return days


def text_values(column: pd.Series) -> pd.Series:
    """Read a column as strings, missing as NaN; whole numbers are spelled without a point, so that 3.0 is the level 3."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        levels = text_values(pd.Series(column.cat.categories)).to_numpy(dtype=object)
        codes = column.cat.codes.to_numpy()
        values = np.where(codes >= 0, levels[codes], np.nan) if len(levels) else np.full(len(column), np.nan, object)
        return pd.Series(values, index=column.index, dtype="str")
    if pd.api.types.is_float_dtype(column.dtype):
        numbers = column.to_numpy(dtype=np.float64, na_value=np.nan)
        whole = np.isfinite(numbers) & (np.abs(numbers) < 2**53) & (numbers == np.floor(numbers))
        spelled = column.astype("str")
        spelled[whole] = pd.Series(numbers[whole].astype(np.int64), index=column.index[whole]).astype("str")
        return spelled
    return column.astype("str")


def category_codes(column: pd.Series, levels: np.ndarray) -> np.ndarray:
    """Give each row the place of its level in `levels`, -1 where it is missing or was never seen."""
    codes = pd.Index(levels, dtype="str").get_indexer(pd.Index(text_values(column), dtype="str"))
    return np.asarray(codes, dtype=np.int32)


def learn_columns(frame: pd.DataFrame) -> Columns:
    """Sort a frame's columns into numbers, categories and text, by dtype and by what the strings look like."""
    numeric: list[str] = []
    ordered: dict[str, np.ndarray] = {}
    categories: dict[str, np.ndarray] = {}
    text: list[str] = []
    for name in frame.columns:
        column = frame[name]
        if isinstance(column.dtype, pd.CategoricalDtype):
            present = column.cat.remove_unused_categories()
            levels = text_values(pd.Series(present.cat.categories)).to_numpy(dtype=object)
            (ordered if column.cat.ordered else categories)[name] = levels
        elif pd.api.types.is_numeric_dtype(column.dtype) or column.dtype.kind in "Mm":
            numeric.append(name)
        else:
            strings = text_values(column).dropna()
            levels = np.sort(strings.unique().astype(object))
            if _is_text(levels, len(strings)):
                text.append(name)
            else:
                categories[name] = levels
    return Columns(tuple(numeric), ordered, categories, tuple(text))


def _is_text(levels: np.ndarray, n_rows: int) -> bool:
    """Whether strings are free text (several words, seldom repeated) or nearly name their row."""
    if len(levels) < NAME_MINIMUM_LEVELS:
        return len(levels) >= 5 and len(levels) == n_rows and _average_words(levels) >= TEXT_WORDS
    share = len(levels) / n_rows
    return share > NAME_UNIQUE_SHARE or (share > TEXT_UNIQUE_SHARE and _average_words(levels) >= TEXT_WORDS)


def _average_words(levels: np.ndarray) -> float:
    sample = levels[:: max(1, len(levels) // 500)]
    return float(np.mean([len(str(level).split()) for level in sample]))


def text_statistics(column: pd.Series) -> np.ndarray:
    """Measure strings without reading them: length, words, shares of digits, capitals and punctuation, word length."""
    strings = text_values(column)
    length = strings.str.len().to_numpy(dtype=np.float64, na_value=np.nan)
    words = (strings.str.count(r"\S+")).to_numpy(dtype=np.float64, na_value=np.nan)
    statistics = [length, words]
    for pattern in (r"[0-9]", r"[A-Z]", r"[^\w\s]"):
        statistics.append(strings.str.count(pattern).to_numpy(dtype=np.float64, na_value=np.nan))
    with np.errstate(invalid="ignore", divide="ignore"):
        statistics.append(np.where(words > 0, length / words, np.nan))
    return np.column_stack(statistics)


class TreeEncoder:
    """Turn mixed frames into one float64 matrix with codes for categories and NaN for missing, for tree learners.

    Attributes
    ----------
    sources
        The original column of each column of the matrix.
    categorical
        Which columns of the matrix hold codes of unordered categories.
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        self.columns = learn_columns(frame)
        counts = {**dict.fromkeys(self.columns.text, len(TEXT_STATISTICS))}
        used = [*self.columns.numeric, *self.columns.ordered, *self.columns.categories, *self.columns.text]
        self.sources = tuple(name for name in used for _ in range(counts.get(name, 1)))
        first = len(self.columns.numeric) + len(self.columns.ordered)
        self.categorical = tuple(range(first, first + len(self.columns.categories)))

    @property
    def n_levels(self) -> tuple[int, ...]:
        """The number of levels of each categorical column."""
        return tuple(len(levels) for levels in self.columns.categories.values())

    def encode(self, frame: pd.DataFrame) -> np.ndarray:
        """Give the matrix of a frame, levels never seen as missing."""
        matrix = np.empty((len(frame), len(self.sources)), dtype=np.float64)
        place = 0
        for name in self.columns.numeric:
            matrix[:, place] = numeric_values(frame[name])
            place += 1
        for name, levels in (*self.columns.ordered.items(), *self.columns.categories.items()):
            codes = category_codes(frame[name], levels)
            matrix[:, place] = np.where(codes < 0, np.nan, codes)
            place += 1
        for name in self.columns.text:
            matrix[:, place : place + len(TEXT_STATISTICS)] = text_statistics(frame[name])
            place += len(TEXT_STATISTICS)
        return matrix
