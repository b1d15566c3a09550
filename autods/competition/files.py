"""The tables of a competition's folder read as text, their names matched, labels from a file of their own joined."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from autods.competition.conversion import convert_features
from autods.competition.conversion_log import counted, listed
from autods.competition.folder import Folder
from autods.competition.headers import unify_headers
from autods.competition.sources import Source
from autods.competition.tables import Reading, read_source
from autods.errors import CompetitionError
from autods.records import FileFact, Note

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CompetitionFiles", "read_files"]

LABEL_WORDS = re.compile(r"label|target|(^|_)y(_|$)|answer|solution|outcome", re.IGNORECASE)


@dataclass(frozen=True)
class CompetitionFiles:
    """All tables of a competition; train, test and sample as text, the others typed.

    `spelled` maps the sample's columns to their names as its header spells them.
    """

    train: pd.DataFrame
    test: pd.DataFrame
    sample: pd.DataFrame | None
    spelled: dict[str, str] | None
    tables: dict[str, pd.DataFrame]
    facts: tuple[FileFact, ...]
    notes: tuple[Note, ...]


def read_files(folder: Folder) -> CompetitionFiles:
    """Read the tables.

    Raises
    ------
    CompetitionError
        When train or test cannot be read, has no rows, or test has unreadable lines.
    """
    train, test = read_source(folder.train), read_source(folder.test)
    sample, spoiled = _read_sample(folder.sample)
    _check(train, test)
    facts = [_fact(folder.train, train, "train"), _fact(folder.test, test, "test")]
    notes = [*train.notes, *test.notes, *_bad_line_notes(train), *spoiled]
    if folder.sample is not None and sample is not None:
        facts.append(_fact(folder.sample, sample, "sample_submission"))
        notes += [*sample.notes, *_bad_line_notes(sample)]
        if not len(sample.frame):
            notes.append(Note(sample.name, f"{sample.name} has no rows; only its header is used.", "warning"))
    tables, table_facts, table_notes = _read_tables(folder.tables)
    train, joined = _with_labels(train, test, tables)
    headers = unify_headers(train.header, test.header, sample.header if sample else None)
    named = None if sample is None or headers.sample is None else sample.renamed(headers.sample)
    return CompetitionFiles(
        train=train.renamed(headers.train).frame,
        test=test.renamed(headers.test).frame,
        sample=named.frame if named else None,
        spelled=_spelled(named) if named else None,
        tables={source.stem: _typed(reading.frame) for source, reading in tables if reading.name not in joined},
        facts=(*facts, *table_facts),
        notes=(*notes, *table_notes, *joined.values(), *headers.notes),
    )


def _read_sample(source: Source | None) -> tuple[Reading | None, list[Note]]:
    """Read the sample submission; one that cannot be read counts as absent."""
    if source is None:
        return None, []
    try:
        return read_source(source), []
    except CompetitionError as error:
        return None, [Note(source.label, f"{error} It was left out; the submission's shape is inferred.", "warning")]


def _spelled(sample: Reading) -> dict[str, str]:
    names = [str(name) for name in sample.frame.columns]
    distinct = len(set(sample.header)) == len(sample.header) and all(sample.header)
    return dict(zip(names, sample.header if distinct else names, strict=True))


def _typed(frame: pd.DataFrame) -> pd.DataFrame:
    return convert_features(frame, frame.head(0)).train


def _check(train: Reading, test: Reading) -> None:
    if test.bad_lines:
        bad, others = test.bad_lines[0], len(test.bad_lines) - 1
        more = f" (and {counted(others, 'more line')})" if others else ""
        raise CompetitionError(
            f"Line {bad.number} of {test.name} has {counted(bad.fields, 'field')} instead of {bad.expected}{more}; every row of the "
            "test needs a prediction, so repair it (quote a cell that holds the separator)."
        )
    if not len(train.frame):
        left = f", {counted(len(train.bad_lines), 'line')} being unreadable" if train.bad_lines else ""
        raise CompetitionError(f"{train.name} has a header but no rows{left}; add labelled rows to learn from.")
    if not len(test.frame):
        raise CompetitionError(f"{test.name} has a header but no rows; add the rows to predict.")


def _bad_line_notes(reading: Reading) -> list[Note]:
    if not reading.bad_lines:
        return []
    numbers = listed(
        [f"{bad.number} ({counted(bad.fields, 'field')} instead of {bad.expected})" for bad in reading.bad_lines], 5
    )
    count = counted(len(reading.bad_lines), "unreadable line")
    place = "line" if len(reading.bad_lines) == 1 else "lines"
    text = f"{count} of {reading.name} left out: {place} {numbers}; {counted(len(reading.frame), 'row')} kept."
    return [Note(reading.name, text, "warning")]


def _read_tables(
    sources: Sequence[Source],
) -> tuple[list[tuple[Source, Reading]], list[FileFact], list[Note]]:
    tables: list[tuple[Source, Reading]] = []
    facts: list[FileFact] = []
    notes: list[Note] = []
    for source in sources:
        try:
            reading = read_source(source)
        except CompetitionError as error:
            notes.append(Note(source.label, f"{source.label} was left out: {error}", "warning"))
            continue
        if source.suffix == ".txt" and (len(reading.header) < 2 or reading.bad_lines):
            facts.append(FileFact(source.label, "other", sha256=source.sha256()))
            continue
        tables.append((source, reading))
        facts.append(_fact(source, reading, "table"))
        notes += [*reading.notes, *_bad_line_notes(reading)]
    return tables, facts, notes


def _fact(source: Source, reading: Reading, role: Literal["train", "test", "sample_submission", "table"]) -> FileFact:
    rows, columns = reading.frame.shape
    return FileFact(source.label, role, rows, columns, reading.encoding, reading.separator, source.sha256())


# --- labels in a file of their own -----------------------------------------------------------------------------------
def _with_labels(
    train: Reading, test: Reading, tables: Sequence[tuple[Source, Reading]]
) -> tuple[Reading, dict[str, Note]]:
    """Where train has no column that test lacks, join the file that holds its labels."""
    test_names = {name.strip().casefold() for name in test.header}
    if any(name.strip().casefold() not in test_names for name in train.header):
        return train, {}
    ranked = sorted(tables, key=lambda pair: (not LABEL_WORDS.search(pair[0].stem), "train" not in pair[0].stem))
    for source, labels in ranked:
        added = [name for name in labels.frame.columns if name.strip().casefold() not in test_names]
        if not added or "test" in source.stem:
            continue
        how, frame = _joined(train.frame, labels.frame, added, bool(LABEL_WORDS.search(source.stem)))
        if frame is not None:
            text = f"The target stands in {labels.name} and was joined to {train.name} {how}."
            joined = replace(train, frame=frame, header=(*train.header, *added))
            return joined, {labels.name: Note(labels.name, text)}
    return train, {}


def _joined(
    train: pd.DataFrame, labels: pd.DataFrame, added: list[str], named_labels: bool
) -> tuple[str, pd.DataFrame | None]:
    for key in labels.columns:
        if key in train.columns and labels[key].is_unique and train[key].isin(labels[key]).mean() > 0.5:
            merged = train.merge(labels[[key, *added]], on=key, how="left")
            merged[added] = merged[added].fillna("")
            return f"by {key}", merged
    if named_labels and len(labels) == len(train):
        return "row by row", train.assign(**{name: labels[name].array for name in added})
    return "", None
