"""The sample submission taken apart: which column is the id, which hold predictions, and how rows are named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from autods.records import LongIds

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["SampleParts", "split_sample"]

LONG_SEPARATORS = ("_", "-", ":", "|", ".", "__", " ", "/", ",")


@dataclass(frozen=True, slots=True)
class SampleParts:
    """The parts of a sample submission.

    `id_column` is its own id column; `key` the test's column with the same values, None where rows correspond by
    position. `values` are the columns to predict; for long ids `long_names` are the names inside the ids. `copied` are
    further columns that only repeat the test's values.
    """

    id_column: str | None
    key: str | None
    values: tuple[str, ...]
    evidence: str
    confidence: float
    long_ids: LongIds | None = None
    long_names: tuple[str, ...] = ()
    copied: tuple[str, ...] = ()


def split_sample(
    sample: pd.DataFrame, train: pd.DataFrame, test: pd.DataFrame, *, id_column: str | None = None
) -> SampleParts:
    """Take a sample submission apart.

    Parameters
    ----------
    sample, train, test
        The files as text, names matched.
    id_column
        The id column where it is known.

    Examples
    --------
    >>> import pandas as pd
    >>> sample = pd.DataFrame({"row": ["7_a", "7_b"], "value": ["0", "0"]})
    >>> train, test = pd.DataFrame({"id": ["1"], "a": ["2"], "b": ["3"]}), pd.DataFrame({"id": ["7"]})
    >>> split_sample(sample, train, test).long_names
    ('a', 'b')
    """
    names = [str(name) for name in sample.columns]
    first, others = names[0], tuple(names[1:])
    if id_column is not None and id_column in names and len(names) > 1:
        rest = tuple(name for name in names if name != id_column)
        key = id_column if id_column in test.columns else None
        return SampleParts(id_column, key, rest, "named in the settings", 1.0)
    if not others:
        return SampleParts(None, None, (first,), "the sample submission has a single column", 0.9)
    if first in test.columns:
        return _with_key(sample, test, first)
    if long := _long_parts(sample, train, test, names):
        return long
    same = _column_with_values(sample[first], test)
    if same is not None:
        evidence = f"the sample's {first} holds the values of the test's {same}"
        return SampleParts(first, same, others, evidence, 0.9)
    for name in others:
        if name in test.columns and _share_known(sample[name], test[name]) > 0.9:
            rest = tuple(other for other in names if other != name)
            return SampleParts(name, name, rest, f"column {name} of the sample names test rows", 0.9)
    if first not in train.columns or (sample[first].is_unique and train[first].is_unique and len(sample) > 1):
        evidence = f"the sample's first column {first} is not in the test: its rows correspond by position"
        return SampleParts(first, None, others, evidence, 0.7)
    return SampleParts(None, None, tuple(names), "no column of the sample names test rows", 0.8)


def _with_key(sample: pd.DataFrame, test: pd.DataFrame, key: str) -> SampleParts:
    share = _share_known(sample[key], test[key])
    copied = _copied(sample, test, key)
    rest = tuple(str(name) for name in sample.columns if name not in (key, *copied))
    if share > 0:
        words = "all" if share == 1 else f"{share:.1%}"
        evidence = f"first column of the sample submission; {words} of its values are in the test's {key}"
        evidence += f"; {', '.join(copied)} repeats the test's values" if copied else ""
        return SampleParts(key, key, rest, evidence, 0.99 if share > 0.9 else 0.8, copied=copied)
    evidence = f"first column of the sample submission, though none of its values is in the test's {key}"
    return SampleParts(key, key, rest, evidence, 0.6)


def _copied(sample: pd.DataFrame, test: pd.DataFrame, key: str) -> tuple[str, ...]:
    """Find the columns that repeat the test's values beside the id; at least one column is left to predict."""
    found = []
    for name in [str(name) for name in sample.columns if name != key and name in test.columns]:
        pairs = set(zip(test[key], test[name], strict=True))
        repeats = sum(pair in pairs for pair in zip(sample[key], sample[name], strict=True)) >= 0.99 * len(sample)
        if repeats and sample[name].nunique() > 1:
            found.append(name)
    return tuple(found) if len(found) < sample.shape[1] - 1 else ()


def _share_known(values: pd.Series, known: pd.Series) -> float:
    return float(values.isin(known.unique()).mean()) if len(values) else 1.0


def _column_with_values(values: pd.Series, test: pd.DataFrame) -> str | None:
    """Find the test column that holds exactly these values."""
    if len(values) != len(test) or not values.is_unique:
        return None
    wanted = set(values)
    for name in test.columns:
        if test[name].is_unique and set(test[name]) == wanted:
            return str(name)
    return None


def _long_parts(
    sample: pd.DataFrame, train: pd.DataFrame, test: pd.DataFrame, names: Sequence[str]
) -> SampleParts | None:
    """Recognise ids made of a test row's id and a target's name."""
    if len(names) != 2 or not len(test) or len(sample) <= len(test):
        return None
    targets = [str(name) for name in train.columns if name not in test.columns]
    first = str(sample[names[0]].iloc[0])
    for separator in LONG_SEPARATORS:
        for candidates in (targets, *_label_sets(train, targets)):
            if any(first.endswith(separator + name) for name in candidates):
                parts = _cut(sample, test, names, separator, candidates)
                if parts is not None:
                    return parts
    return None


def _label_sets(train: pd.DataFrame, targets: Sequence[str]) -> list[list[str]]:
    sets = [train[name].unique() for name in targets]
    return [[str(label) for label in labels] for labels in sets if 2 <= len(labels) <= 200]


def _cut(
    sample: pd.DataFrame, test: pd.DataFrame, names: Sequence[str], separator: str, candidates: Sequence[str]
) -> SampleParts | None:
    import re

    words = "|".join(re.escape(name) for name in sorted(candidates, key=len, reverse=True))
    parts = sample[names[0]].str.extract(rf"(?s)^(.*){re.escape(separator)}({words})$")
    if parts.isna().any(axis=None):
        return None
    row_ids = parts[0].unique()
    key = next((str(name) for name in test.columns if set(test[name]) >= set(row_ids)), None)
    by_position = set(row_ids) == set(map(str, range(len(test))))
    if key is None and not by_position:
        return None
    order: Literal["row_target", "target_row"] = "row_target" if parts[0].iloc[0] == parts[0].iloc[1] else "target_row"
    evidence = f"ids like {sample[names[0]].iloc[0]!r} join a test row's id and a target with {separator!r}"
    long_names = tuple(str(name) for name in parts[1].unique())
    return SampleParts(names[0], key, (names[1],), evidence, 0.95, LongIds(separator, order), long_names)
