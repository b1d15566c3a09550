"""The judgment of what a column is, from its values first and its name second."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from autods.profiling.dates import are_compact_dates, are_dates
from autods.profiling.facts import Pattern, Semantic
from autods.profiling.ladders import ordinal_levels
from autods.profiling.names import names_a_code, names_a_grade, names_an_id, names_time
from autods.profiling.numbers import Numbers
from autods.profiling.patterns import average_words, is_code_shaped, structure_of, unit_of
from autods.tools.explore.columns import MISSING_WORDS

__all__ = ["Meaning", "meaning_of_levels", "meaning_of_numbers"]

_TRUTHY = tuple(map(frozenset, (
    ("yes", "no"), ("y", "n"), ("true", "false"), ("t", "f"), ("on", "off"), ("1", "0"), ("1.0", "0.0"),
)))  # fmt: skip
_FEW_ROWS = 20


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a column is, and what was learned in finding out."""

    semantic: Semantic
    unit: str | None = None
    pattern: Pattern | None = None
    avg_words: float | None = None
    ordinal_levels: tuple[str, ...] = ()


def meaning_of_numbers(name: str, numbers: Numbers, n_rows: int, *, complete: bool, monotone: bool) -> Meaning:
    """Judge a numeric column of train; `complete` says that no cell is missing, `monotone` that rows order it."""
    n_unique, present = numbers.n_unique, numbers.values.size
    if n_unique == 0 or (n_unique == 1 and complete):
        return Meaning("constant")
    minimum, maximum = float(numbers.values[0]), float(numbers.values[-1])
    if n_unique <= 2 and minimum in (0.0, 1.0) and maximum in (0.0, 1.0):
        return Meaning("boolean")
    if not numbers.whole:
        return Meaning("numeric")
    if n_unique > 10 and are_compact_dates(numbers.values):
        return Meaning("datetime")
    if n_unique == present and complete and n_rows >= _FEW_ROWS and not names_time(name):
        dense = maximum - minimum < 4 * n_rows
        if names_an_id(name) or (dense and monotone) or (dense and maximum - minimum < 2 * n_rows and n_rows >= 200):
            return Meaning("id_like")
    return Meaning("integer_code" if _is_code(name, numbers, minimum, maximum) else "numeric")


def _is_code(name: str, numbers: Numbers, minimum: float, maximum: float) -> bool:
    if names_a_grade(name) or minimum < 0:
        return False
    if names_a_code(name) or (names_an_id(name) and numbers.n_unique < 0.9 * numbers.values.size):
        return numbers.n_unique >= 2
    contiguous = minimum == 1 and maximum == numbers.n_unique and 3 <= numbers.n_unique <= 12
    if not contiguous or names_time(name) or numbers.values.size < 3 * numbers.n_unique:
        return False
    counts = np.bincount(numbers.values.astype(np.int64))[1:]
    # Counts of things thin out from one upwards; labels and grades need not.
    return bool(np.any(np.diff(counts) > 0))


def meaning_of_levels(
    name: str, levels: Sequence[str], sample: Sequence[str], n_unique: int, n_present: int, *, complete: bool
) -> Meaning:
    """Judge a column of strings in train.

    Parameters
    ----------
    levels
        Distinct values, at most a few thousand of them.
    sample
        Values of sampled rows, without those that only look missing.
    n_unique, n_present
        Distinct and present values of the whole column.
    complete
        Whether no cell is missing.
    """
    if n_unique == 0 or (n_unique == 1 and complete):
        return Meaning("constant")
    sound = [level for level in levels if level.strip().lower() not in MISSING_WORDS]
    if len(sound) <= 2 and {level.strip().lower() for level in sound} in _TRUTHY:
        return Meaning("boolean")
    if sample and are_dates(sample[:500]):
        return Meaning("datetime")
    unit = unit_of(sample[:2000])
    if unit is not None and len(sound) > 1:
        return Meaning("numeric", unit=None if unit == "none" else unit)
    ordered = ordinal_levels(levels, name) if n_unique <= 60 else ()
    if ordered:
        return Meaning("ordinal", ordinal_levels=ordered)
    return _words_or_codes(name, sample, n_unique, n_present)


def _words_or_codes(name: str, sample: Sequence[str], n_unique: int, n_present: int) -> Meaning:
    words = average_words(sample)
    unique_share = n_unique / max(1, n_present)
    pattern = structure_of(sample) if n_unique >= _FEW_ROWS or unique_share > 0.5 else None
    if n_present >= _FEW_ROWS:
        if unique_share >= 0.98 and words < 1.5 and (is_code_shaped(sample) or names_an_id(name)):
            return Meaning("id_like", pattern=pattern, avg_words=words)
        if _is_text(sample, words, unique_share, n_unique):
            prose = pattern is None or pattern.separator in ("", " ")
            return Meaning("text", pattern=None if prose else pattern, avg_words=words)
    return Meaning("categorical", pattern=pattern, avg_words=words)


def _is_text(sample: Sequence[str], words: float, unique_share: float, n_unique: int) -> bool:
    if n_unique < _FEW_ROWS:
        return False
    long = sum(map(len, sample)) / max(1, len(sample)) >= 25
    return (
        (words >= 3 and unique_share >= 0.3)
        or (words >= 6 and unique_share >= 0.05)
        or (unique_share >= 0.98 and (words >= 1.5 or (long and not is_code_shaped(sample))))
    )
