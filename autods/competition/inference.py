"""What a competition asks, inferred from its files; every fact with its evidence and how sure it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from autods.competition.asked import Asked, asked_metric, settle_metric
from autods.competition.conversion_log import counted, listed
from autods.competition.ids import find_id, id_notes
from autods.competition.kinds import KindFound, infer_kind
from autods.competition.labels import encode_labels
from autods.competition.sample import SampleParts, split_sample
from autods.competition.settings import Settings
from autods.competition.shapes import find_submission
from autods.competition.splits import find_group, find_time
from autods.competition.target_values import TargetValues, read_target
from autods.competition.targets import Targets, find_targets
from autods.errors import CompetitionError
from autods.records import Fact, Kind, Note, Task

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Inferred", "infer_task"]


@dataclass(frozen=True)
class Inferred:
    """The task, which rows of train are labelled, and their targets in numbers (see `Competition.y`)."""

    task: Task
    labelled: np.ndarray
    y: np.ndarray
    notes: tuple[Note, ...]


@dataclass(frozen=True)
class _Columns:
    """What the columns and the sample say, before the target's values are looked at."""

    parts: SampleParts | None
    id_column: str | None
    id_fact: Fact
    targets: Targets
    shown: tuple[str, ...]


@dataclass(frozen=True)
class _Answer:
    """The target's values: their kind, the labelled rows, and those rows in numbers."""

    found: KindFound
    labelled: np.ndarray
    y: np.ndarray
    classes: tuple[str, ...] = ()
    fact: Fact | None = None
    notes: tuple[Note, ...] = ()


def infer_task(
    name: str,
    folder: Path,
    train: pd.DataFrame,
    test: pd.DataFrame,
    sample: pd.DataFrame | None,
    settings: Settings,
    *,
    sample_header: Mapping[str, str] | None = None,
    overview: str = "",
) -> Inferred:
    """Infer the task.

    Parameters
    ----------
    name, folder
        The competition's name and folder (a metric of its own is loaded from there).
    train, test, sample
        The files as text, their column names matched.
    settings
        What competition.yaml states.
    sample_header
        The sample's columns with their names as spelled.
    overview
        The overview's text.

    Raises
    ------
    CompetitionError, ConfigError
        When there is no target, no labelled row, or a setting names what is not there.

    Examples
    --------
    >>> import pandas as pd
    >>> train = pd.DataFrame({"id": ["1", "2"], "x": ["5", "6"], "y": ["no", "yes"]}, dtype="str")
    >>> test = pd.DataFrame({"id": ["3"], "x": ["7"]}, dtype="str")
    >>> inferred = infer_task("demo", Path(), train, test, None, Settings(), overview="Scored on accuracy.")
    >>> inferred.task.kind, inferred.task.metric, inferred.task.classes, inferred.y.tolist()
    ('binary', 'accuracy', ('no', 'yes'), [0, 1])
    """
    columns = _find_columns(train, test, sample, settings, overview)
    asked = asked_metric(settings, overview, folder)
    answer = _read_answer(train, columns, asked, settings, overview)
    kind, targets = answer.found.kind, columns.targets
    metric, metric_fact = settle_metric(asked, answer.found, targets, columns.shown, answer.classes, overview)
    shape, shape_fact = find_submission(
        kind, metric, targets.names, answer.classes, settings,
        header=sample_header, parts=columns.parts, class_columns=targets.class_columns, id_column=columns.id_column,
    )  # fmt: skip
    facts = {
        "id": columns.id_fact, "targets": targets.fact, "kind": answer.found.fact, "metric": metric_fact,
        "submission": shape_fact, **({"classes": answer.fact} if answer.fact else {}),
    }  # fmt: skip
    splits = _find_splits(train, test, columns, settings)
    facts.update({role: fact for role, (_, fact) in splits.items() if fact is not None})
    task = Task(
        name=name,
        kind=kind,
        targets=targets.names,
        metric=metric.name,
        greater_is_better=_either(settings.greater_is_better, metric.greater_is_better),
        needs=metric.needs_of(kind),
        submission=shape,
        classes=answer.classes,
        id_column=columns.id_column,
        group_column=splits["group"][0],
        time_column=splits["time"][0],
        facts=facts,
        custom_metric=asked.custom,
    )
    odd = id_notes(train, test, sample, columns.parts, columns.id_column)
    return Inferred(task, answer.labelled, answer.y, (*asked.notes, *odd, *answer.notes))


def _find_columns(
    train: pd.DataFrame, test: pd.DataFrame, sample: pd.DataFrame | None, settings: Settings, overview: str
) -> _Columns:
    parts = None if sample is None else split_sample(sample, train, test, id_column=settings.id)
    id_column, id_fact = find_id(train, test, parts, settings)
    targets = find_targets(train, test, parts, overview, settings, parts.id_column if parts else id_column)
    shown: tuple[str, ...] = ()
    one_column = parts is not None and len(parts.values) == 1 and not parts.long_ids
    if sample is not None and parts is not None and one_column and len(targets.names) == 1:
        shown = tuple(str(value) for value in sample[parts.values[0]].unique()[:1000] if str(value).strip())
    return _Columns(parts, id_column, id_fact, targets, shown)


def _find_splits(
    train: pd.DataFrame, test: pd.DataFrame, columns: _Columns, settings: Settings
) -> dict[str, tuple[str | None, Fact | None]]:
    apart = (*columns.targets.names, columns.id_column)
    features = [str(name) for name in test.columns if name in train.columns and name not in apart]
    found = {"group": find_group(train, test, features, settings), "time": find_time(train, test, features, settings)}
    return {role: pair or (None, None) for role, pair in found.items()}


def _either(stated: bool | None, usual: bool) -> bool:
    return usual if stated is None else stated


def _read_answer(train: pd.DataFrame, columns: _Columns, asked: Asked, settings: Settings, overview: str) -> _Answer:
    targets = columns.targets
    read = [read_target(train[target], sample_labels=columns.shown) for target in targets.names]
    found = _kind(read, columns, asked, settings, overview)
    if found.kind in ("binary", "multiclass", "ordinal"):
        return _read_labels(read[0], found, columns, asked, settings, overview)
    if found.kind == "multilabel":
        unfit = [target for target in read if not target.is_flag]
        remedy = "of a multilabel task must hold two values such as 0 and 1"
    else:
        unfit = [target for target in read if target.numbers is None]
        remedy = "must hold numbers to be predicted as such"
    if unfit:
        several = "; name a single target in competition.yaml to predict it alone" if len(read) > 1 else ""
        example = unfit[0].text[unfit[0].present].iloc[0] if unfit[0].present.any() else ""
        raise CompetitionError(
            f"The target {unfit[0].name} {remedy}, but the train file has {example!r} in it{several}."
        )
    labelled = np.logical_and.reduce([target.present for target in read])
    notes = (*found.notes, *(note for target in read for note in target.notes), *_left_out(labelled, targets))
    if found.kind == "multilabel":
        return _Answer(found, labelled, np.column_stack([target.bits()[labelled] for target in read]), notes=notes)
    y = np.column_stack([np.asarray(target.numbers)[labelled] for target in read]).astype(np.float64)
    return _Answer(found, labelled, y[:, 0] if found.kind == "regression" else y, notes=notes)


def _read_labels(
    target: TargetValues, found: KindFound, columns: _Columns, asked: Asked, settings: Settings, overview: str
) -> _Answer:
    wants_labels = asked.metric is None or asked.metric.needs == "labels"
    shown = columns.shown if wants_labels else ()
    target = target.as_labels(shown)
    left_out = _left_out(target.present, columns.targets)
    labels = encode_labels(
        target.text[target.present],
        found.kind,
        settings,
        sample_labels=shown,
        column_classes=[label for _, label in columns.targets.class_columns],
        hint=overview,
    )
    notes = (*found.notes, *left_out, *labels.notes)
    if len(set(labels.codes.tolist())) == 1:
        text = f"Every row of train has the same label {labels.classes[labels.codes[0]]!r}: there is nothing to learn."
        notes += (Note(target.name, text, "warning"),)
    return _Answer(found, target.present, labels.codes, labels.classes, labels.fact, notes)


def _kind(
    read: Sequence[TargetValues], columns: _Columns, asked: Asked, settings: Settings, overview: str
) -> KindFound:
    if not any(target.present.any() for target in read):
        names = listed(columns.targets.names)
        raise CompetitionError(f"No row of the train file has a value in the target {names}; fill it, or name another.")
    if settings.kind is not None:
        return _stated_kind(settings.kind, read, settings)
    class_columns = len(columns.targets.class_columns)
    found = infer_kind(read, asked.metric, class_columns=class_columns, sample_values=columns.shown, overview=overview)
    if settings.classes and len(read) == 1 and found.kind in ("binary", "regression"):
        kind: Kind = "binary" if len(settings.classes) == 2 else "multiclass"
        return KindFound(kind, Fact(kind, f"{len(settings.classes)} classes are stated in {settings.source}", 1.0))
    return found


def _stated_kind(kind: Kind, read: Sequence[TargetValues], settings: Settings) -> KindFound:
    if len(read) > 1 and kind == "regression":
        kind = "multi_regression"
    if len(read) > 1 and kind == "binary" and all(target.is_flag for target in read):
        kind = "multilabel"
    if len(read) > 1 and kind in ("binary", "multiclass", "ordinal"):
        names = listed([target.name for target in read])
        raise CompetitionError(
            f"{settings.source} states the kind {kind}, which has one target, but there are {len(read)} ({names}); "
            "name one as `target:` or state multilabel or multi_regression."
        )
    if kind == "binary" and read[0].n_values > 2:
        raise CompetitionError(
            f"{settings.source} states the kind binary, but the target {read[0].name} has {read[0].n_values:,} different "
            "values; state multiclass or regression."
        )
    return KindFound(kind, Fact(kind, f"stated in {settings.source}", 1.0))


def _left_out(labelled: np.ndarray, targets: Targets) -> tuple[Note, ...]:
    missing = int((~labelled).sum())
    if labelled.any() and not missing:
        return ()
    names = listed(targets.names)
    if not labelled.any():
        raise CompetitionError(f"No row of the train file has a value in every target ({names}); fill them.")
    rows = counted(missing, "row")
    return (Note(names, f"{rows} of train have no {names} and were left out.", "warning"),)
