"""A competition's folder in, a `Competition` out: files read, task inferred, target and keys apart from features."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from autods.competition.conversion import convert_features
from autods.competition.conversion_log import counted, listed
from autods.competition.folder import Folder, read_folder
from autods.competition.headers import match_name, unify_headers
from autods.competition.ids import reads_like_text
from autods.competition.inference import Inferred, infer_task
from autods.competition.missing import is_empty
from autods.competition.settings import Settings, read_settings
from autods.competition.sources import Source
from autods.competition.splits import as_times
from autods.competition.tables import Reading, read_source
from autods.errors import CompetitionError, nearest
from autods.records import Competition, FileFact, Note, Task

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["read_competition"]


@dataclass(frozen=True)
class _Files:
    """The files as read, names matched."""

    train: Reading
    test: Reading
    sample: Reading | None
    notes: tuple[Note, ...]


def read_competition(path: str | Path, *, settings: Mapping[str, Any] | None = None) -> Competition:
    """Read a competition's folder.

    Parameters
    ----------
    path
        The folder, with train and test files, as a rule a sample submission and an overview.
    settings
        Facts on top of the folder's competition.yaml, with the same keys.

    Returns
    -------
    Competition
        Features of both sides with the same columns and types, the target apart, and notes on all that was repaired.

    Raises
    ------
    CompetitionError
        When it cannot be predicted: one sentence that names file, column and remedy.
    ConfigError
        When a setting is unknown.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "train.csv").write_text("id,size,price\\n1,5,10\\n2,7,14.5\\n3,,12\\n")
    >>> _ = (folder / "test.csv").write_text("id,size\\n4,6\\n")
    >>> competition = read_competition(folder)
    >>> competition.task.kind, competition.task.metric, competition.y.tolist()
    ('regression', 'rmse', [10.0, 14.5, 12.0])
    """
    path = Path(path)
    stated = read_settings(path, settings)
    folder = read_folder(path, stated)
    files = _read_files(folder)
    train, test, ignored = _without_ignored(files, stated)
    sample = files.sample.frame if files.sample else None
    inferred = infer_task(
        path.resolve().name, path, train, test, sample, stated,
        sample_header=files.sample.header if files.sample else None, overview=folder.overview,
    )  # fmt: skip
    tables, table_facts, table_notes = _read_tables(folder.tables)
    facts = (*_file_facts(folder, files), *table_facts, *folder.texts)
    notes = (*folder.notes, *files.notes, *ignored, *inferred.notes, *table_notes)
    return _assemble(folder, stated, inferred, train, test, sample, tables, facts, notes)


def _assemble(
    folder: Folder,
    settings: Settings,
    inferred: Inferred,
    train: pd.DataFrame,
    test: pd.DataFrame,
    sample: pd.DataFrame | None,
    tables: Mapping[str, pd.DataFrame],
    facts: tuple[FileFact, ...],
    notes: tuple[Note, ...],
) -> Competition:
    task = inferred.task
    labelled = train if inferred.labelled.all() else train.loc[inferred.labelled].reset_index(drop=True)
    names, dropped = _feature_names(labelled, test, task)
    features = convert_features(labelled[names], test[names])
    return Competition(
        task=task,
        path=folder.path,
        train=features.train,
        test=features.test,
        y=inferred.y,
        target=labelled[list(task.targets)],
        keys=_keys(labelled, task),
        test_keys=_keys(test, task),
        sample=sample,
        tables=tables,
        overview=folder.overview,
        description=folder.description,
        instructions=folder.instructions,
        notes=(*notes, *dropped, *features.notes),
        files=facts,
        settings={**settings.config, "rules": dict(settings.rules)},
        fingerprint=_fingerprint(facts),
        missing_tokens=features.missing_tokens,
        units=features.units,
    )


# --- files -----------------------------------------------------------------------------------------------------------
def _read_files(folder: Folder) -> _Files:
    train, test = read_source(folder.train), read_source(folder.test)
    sample = read_source(folder.sample) if folder.sample else None
    _check_test(test)
    if not len(train.frame):
        raise CompetitionError(f"{train.name} has a header but no rows; nothing can be learned from it.")
    notes = [*train.notes, *test.notes, *(sample.notes if sample else ())]
    for reading in (train, *([sample] if sample else [])):
        notes += _bad_line_notes(reading)
    if sample is not None and not len(sample.frame):
        notes.append(Note(sample.name, f"{sample.name} has no rows; only its header is used.", "warning"))
    headers = unify_headers(train.header, test.header, sample.header if sample else None)
    if sample is not None and headers.sample is not None:
        sample = sample.renamed(headers.sample)
    return _Files(train.renamed(headers.train), test.renamed(headers.test), sample, (*notes, *headers.notes))


def _check_test(test: Reading) -> None:
    if test.bad_lines:
        bad = test.bad_lines[0]
        more = f" (and {len(test.bad_lines) - 1:,} more lines)" if len(test.bad_lines) > 1 else ""
        raise CompetitionError(
            f"Line {bad.number} of {test.name} has {bad.fields} fields instead of {bad.expected}{more}; every row of the "
            "test needs a prediction, so repair it (quote a cell that holds the separator)."
        )
    if not len(test.frame):
        raise CompetitionError(f"{test.name} has a header but no rows; there is nothing to predict.")


def _bad_line_notes(reading: Reading) -> list[Note]:
    if not reading.bad_lines:
        return []
    numbers = listed([f"{bad.number} ({bad.fields} fields instead of {bad.expected})" for bad in reading.bad_lines], 5)
    lines = "line" if len(reading.bad_lines) == 1 else "lines"
    kept = counted(len(reading.frame), "row")
    text = f"{counted(len(reading.bad_lines), 'unreadable line')} of {reading.name} left out: {lines} {numbers}; {kept} kept."
    return [Note(reading.name, text, "warning")]


def _read_tables(sources: Sequence[Source]) -> tuple[dict[str, pd.DataFrame], tuple[FileFact, ...], tuple[Note, ...]]:
    tables: dict[str, pd.DataFrame] = {}
    facts: list[FileFact] = []
    notes: list[Note] = []
    for source in sources:
        try:
            reading = read_source(source)
        except CompetitionError as error:
            notes.append(Note(source.label, f"{error} It was left out.", "warning"))
            continue
        if source.suffix == ".txt" and (len(reading.header) < 2 or reading.bad_lines):
            facts.append(FileFact(source.label, "other", sha256=source.sha256()))
            continue
        tables[source.stem] = convert_features(reading.frame, reading.frame.head(0)).train
        facts.append(_fact(source, reading, "table"))
        notes += [*reading.notes, *_bad_line_notes(reading)]
    return tables, tuple(facts), tuple(notes)


def _file_facts(folder: Folder, files: _Files) -> tuple[FileFact, ...]:
    facts = [_fact(folder.train, files.train, "train"), _fact(folder.test, files.test, "test")]
    if folder.sample is not None and files.sample is not None:
        facts.append(_fact(folder.sample, files.sample, "sample_submission"))
    return tuple(facts)


def _fact(source: Source, reading: Reading, role: Literal["train", "test", "sample_submission", "table"]) -> FileFact:
    rows, columns = reading.frame.shape
    return FileFact(source.label, role, rows, columns, reading.encoding, reading.separator, source.sha256())


def _fingerprint(facts: Sequence[FileFact]) -> str:
    digest = hashlib.sha256()
    for fact in sorted(facts, key=lambda fact: fact.name):
        digest.update(f"{fact.name}\0{fact.sha256}\n".encode())
    return digest.hexdigest()


# --- columns ---------------------------------------------------------------------------------------------------------
def _without_ignored(files: _Files, settings: Settings) -> tuple[pd.DataFrame, pd.DataFrame, tuple[Note, ...]]:
    train, test = files.train.frame, files.test.frame
    names = [str(name) for name in dict.fromkeys([*train.columns, *test.columns])]
    ignored = []
    for wanted in settings.ignore:
        name = match_name(wanted, names)
        if name is None:
            raise CompetitionError(
                f"{settings.source} ignores {wanted!r}, which neither file has; {nearest(wanted, names)}"
            )
        ignored.append(name)
    if not ignored:
        return train, test, ()
    notes = (Note(listed(ignored, 1), f"{listed(ignored)} ignored, as {settings.source} says."),)
    return train.drop(columns=ignored, errors="ignore"), test.drop(columns=ignored, errors="ignore"), notes


def _feature_names(train: pd.DataFrame, test: pd.DataFrame, task: Task) -> tuple[list[str], tuple[Note, ...]]:
    """Choose the features: what both sides have, without target and id, without columns that are empty in train."""
    notes: list[Note] = []
    apart = {*task.targets, task.id_column}
    leaked = [name for name in task.targets if name in test.columns]
    if leaked:
        notes.append(Note(listed(leaked, 1), f"The test file has the target {listed(leaked)}; dropped.", "warning"))
    for side, own, other in (("train", train, test), ("test", test, train)):
        alone = [str(name) for name in own.columns if name not in other.columns and name not in apart]
        if alone:
            text = f"{listed(alone, 12)} only in the {side} file; dropped, as the other side lacks it."
            notes.append(Note(listed(alone, 1), text, "warning"))
    shared = [str(name) for name in train.columns if name in test.columns and name not in apart]
    empty = [name for name in shared if is_empty(train[name])]
    if empty:
        text = f"{listed(empty, 12)} empty in all of train; dropped on both sides."
        notes.append(Note(listed(empty, 1), text, "warning"))
    names = [name for name in shared if name not in empty]
    names, text_notes = _with_text_id(names, train, test, task)
    if not names:
        raise CompetitionError(
            "The train and the test file have no feature in common "
            f"(train has {listed([str(c) for c in train.columns])}; test has {listed([str(c) for c in test.columns])}); "
            "give the columns the same names in both."
        )
    return names, (*notes, *text_notes)


def _with_text_id(
    names: list[str], train: pd.DataFrame, test: pd.DataFrame, task: Task
) -> tuple[list[str], tuple[Note, ...]]:
    """Keep an id that reads like text as a feature too."""
    key = task.id_column
    if key is None or key not in train.columns or not reads_like_text(train[key]):
        return names, ()
    return [key, *names], (Note(key, f"{key} names the rows and reads like text; it is kept as a feature too."),)


def _keys(frame: pd.DataFrame, task: Task) -> pd.DataFrame:
    """Take the id, group and time columns; ids and groups as spelled, times as dates or numbers."""
    names = dict.fromkeys(
        name for name in (task.id_column, task.group_column, task.time_column) if name in frame.columns
    )
    keys = frame[list(names)].copy()
    if task.time_column is not None and task.time_column in keys:
        keys[task.time_column] = as_times(keys[task.time_column])
    return keys
