"""A competition's folder in, a `Competition` out: files read, task inferred, target and keys apart from features."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autods.competition.conversion import convert_features
from autods.competition.conversion_log import listed
from autods.competition.files import CompetitionFiles, read_files
from autods.competition.folder import Folder, read_folder
from autods.competition.headers import match_name
from autods.competition.ids import reads_like_text
from autods.competition.inference import Inferred, infer_task
from autods.competition.missing import empty_columns
from autods.competition.settings import Settings, read_settings
from autods.competition.splits import as_times
from autods.errors import CompetitionError, nearest
from autods.records import Competition, FileFact, Note, Task

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["read_competition"]


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
    files, ignored = _without_ignored(read_files(folder), stated)
    inferred = infer_task(
        path.resolve().name, path, files.train, files.test, files.sample, stated,
        sample_header=files.spelled, overview=folder.overview,
    )  # fmt: skip
    return _assemble(folder, stated, files, inferred, (*folder.notes, *files.notes, *ignored, *inferred.notes))


def _assemble(
    folder: Folder, settings: Settings, files: CompetitionFiles, inferred: Inferred, notes: tuple[Note, ...]
) -> Competition:
    task, train, test, sample = inferred.task, files.train, files.test, files.sample
    labelled = train if inferred.labelled.all() else train.loc[inferred.labelled].reset_index(drop=True)
    facts = (*files.facts, *folder.texts)
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
        sample=sample.rename(columns=files.spelled) if sample is not None and len(sample) else None,
        tables=files.tables,
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


def _fingerprint(facts: Sequence[FileFact]) -> str:
    digest = hashlib.sha256()
    for fact in sorted(facts, key=lambda fact: fact.name):
        digest.update(f"{fact.name}\0{fact.sha256}\n".encode())
    return digest.hexdigest()


# --- columns ---------------------------------------------------------------------------------------------------------
def _without_ignored(files: CompetitionFiles, settings: Settings) -> tuple[CompetitionFiles, tuple[Note, ...]]:
    train, test = files.train, files.test
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
        return files, ()
    notes = (Note(listed(ignored, 1), f"{listed(ignored)} ignored, as {settings.source} says."),)
    train, test = train.drop(columns=ignored, errors="ignore"), test.drop(columns=ignored, errors="ignore")
    return replace(files, train=train, test=test), notes


def _feature_names(train: pd.DataFrame, test: pd.DataFrame, task: Task) -> tuple[list[str], tuple[Note, ...]]:
    """Choose the features: what both sides have, without target and id, without columns that are empty in train."""
    notes: list[Note] = []
    # An id that needs another column to name a row is a value like any other.
    apart = {*task.targets} if task.submission.copied_columns else {*task.targets, task.id_column}
    leaked = [name for name in task.targets if name in test.columns]
    if leaked:
        notes.append(Note(listed(leaked, 1), f"The test file has the target {listed(leaked)}; dropped.", "warning"))
    for side, own, other in (("train", train, test), ("test", test, train)):
        alone = [str(name) for name in own.columns if name not in other.columns and name not in apart]
        if alone:
            text = f"{listed(alone, 12)} only in the {side} file; dropped, as the other side lacks it."
            notes.append(Note(listed(alone, 1), text, "warning"))
    shared = [str(name) for name in train.columns if name in test.columns and name not in apart]
    empty = empty_columns(train[shared])
    if empty:
        text = f"{listed(empty, 12)} empty in all of train; dropped on both sides."
        notes.append(Note(listed(empty, 1), text, "warning"))
    names = [name for name in shared if name not in empty]
    group = task.group_column
    if group in names and len(names) > 1 and not test[group].isin(train[group].unique()).any():
        names.remove(group)
        text = f"{group} groups rows and is no feature: train and test share none of its values."
        notes.append(Note(group, text))
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
    """Take the id, group and time columns; times as dates or numbers, what names a row as spelled."""
    wanted = (task.id_column, task.group_column, task.time_column, *task.submission.copied_columns)
    names = dict.fromkeys(name for name in wanted if name in frame.columns)
    keys = frame[list(names)].copy()
    named = (task.id_column, *task.submission.copied_columns)
    if task.time_column is not None and task.time_column in keys and task.time_column not in named:
        keys[task.time_column] = as_times(keys[task.time_column])
    return keys
