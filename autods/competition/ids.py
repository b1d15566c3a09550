"""Which column names the rows, and what is odd about its values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from autods.competition.conversion_log import counted, listed
from autods.competition.headers import match_name
from autods.competition.sample import SampleParts
from autods.competition.settings import Settings
from autods.errors import CompetitionError, nearest
from autods.records import Fact, Note

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["find_id", "id_notes", "reads_like_text"]

USUAL = re.compile(
    r"^(row|record|sample|passenger|customer|case|instance|object|observation|obs|user)?[\s_-]*(id|uid|uuid|key|index|idx|no|number)$",
    re.I,
)
ID_LIKE = re.compile(r"(^|[\s_-])(id|uid|uuid|guid)$|[a-z]I[dD]$", re.I)


def find_id(
    train: pd.DataFrame, test: pd.DataFrame, parts: SampleParts | None, settings: Settings
) -> tuple[str | None, Fact]:
    """Find the id column of train and test; None when rows have no name of their own."""
    if settings.id is not None:
        name = match_name(settings.id, [str(column) for column in test.columns])
        if name is None:
            known = nearest(settings.id, [str(column) for column in test.columns])
            raise CompetitionError(
                f"{settings.source} names the id {settings.id!r}, which the test file does not have; {known}"
            )
        return name, Fact(name, f"stated in {settings.source}", 1.0)
    if parts is not None:
        return parts.key, Fact(parts.key or "none", parts.evidence, parts.confidence)
    candidates = [
        str(name)
        for name in test.columns
        if name in train.columns and test[name].is_unique and train[name].is_unique and (test[name] != "").all()
    ]
    if len(train) < 2 or not candidates:
        return None, Fact("none", "no column is different in every row of train and test", 0.7)
    for pattern, confidence in ((USUAL, 0.9), (ID_LIKE, 0.8)):
        for name in candidates:
            if pattern.search(name):
                return name, Fact(name, "named like an id and different in every row of train and test", confidence)
    first = str(test.columns[0])
    if first in candidates and first.startswith("Unnamed: ") and test[first].str.fullmatch(r"\d+").all():
        return first, Fact(first, "an unnamed first column that numbers the rows", 0.7)
    return None, Fact("none", "no column is named like an id", 0.6)


def id_notes(
    train: pd.DataFrame,
    test: pd.DataFrame,
    sample: pd.DataFrame | None,
    parts: SampleParts | None,
    id_column: str | None,
) -> tuple[Note, ...]:
    """Say what is odd about the ids: repeated, unknown to the other file, or in another order."""
    notes = []
    copied = parts.copied if parts else ()
    for side, frame in (("train", train), ("test", test)):
        names = [name for name in (id_column, *copied) if name is not None and name in frame]
        if id_column in names and len(names) == 1 + len(copied):
            repeated = frame.duplicated(names, keep=False)
            if repeated.any():
                shown = listed([repr(value) for value in frame.loc[repeated, id_column].unique()], 3)
                text = f"{counted(int(repeated.sum()), 'row')} of {side} share an id ({shown})"
                text += "; predictions are matched by position among them." if side == "test" else "."
                notes.append(Note(id_column, text, "warning"))
    if sample is None or parts is None:
        return tuple(notes)
    if parts.long_ids is None and parts.id_column is None and len(sample) != len(test):
        text = f"The sample submission has {counted(len(sample), 'row')}, the test {len(test):,}."
        notes.append(Note("sample_submission", text, "warning"))
    if parts.long_ids is None and parts.id_column is not None and id_column is not None:
        notes += _against_sample(test[id_column], sample[parts.id_column], id_column)
    return tuple(notes)


def _against_sample(test: pd.Series, sample: pd.Series, name: str) -> list[Note]:
    unknown = sample[~sample.isin(test.unique())]
    absent = test[~test.isin(sample.unique())]
    if len(unknown) == len(sample) and len(sample) == len(test):
        text = f"No {name} of the sample submission is in the test; rows are matched as numbers or by position."
        return [Note(name, text, "warning")]
    notes = []
    if len(unknown):
        shown = listed([repr(value) for value in unknown.unique()], 3)
        text = (
            f"{counted(len(unknown), 'id')} of the sample submission ({shown}) not in the test; predicted by the mean."
        )
        notes.append(Note(name, text, "warning"))
    if len(absent):
        shown = listed([repr(value) for value in absent.unique()], 3)
        text = f"{counted(len(absent), 'row')} of the test ({shown}) not in the sample submission; not submitted."
        notes.append(Note(name, text, "warning"))
    if not len(unknown) and not len(absent) and not (len(sample) == len(test) and (sample.array == test.array).all()):
        text = "The sample submission lists the ids in another order than the test; the submission keeps the sample's."
        notes.append(Note(name, text))
    return notes


def reads_like_text(values: pd.Series) -> bool:
    """Whether an id column is really a text: several words in most cells.

    Examples
    --------
    >>> import pandas as pd
    >>> reads_like_text(pd.Series(["a small red box", "two big bags"])), reads_like_text(pd.Series(["0013_01"]))
    (True, False)
    """
    words = values.str.count(r"[^\W\d_]{2,}")
    return bool(len(words)) and bool((words >= 2).mean() > 0.8)
