"""Gates of the background: the task as stated fits the files, and says why."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from autods.records import Task
from autods.unit_tests.artifacts import Pair
from autods.unit_tests.wording import listed, number

_FACTS = ("targets", "kind", "metric", "submission")
_SURE_ENOUGH = 0.5
_RARE = 0.02


def test_target_is_present(task: Task, target: pd.DataFrame, raw: Pair) -> None:
    """Without the right target column nothing can be learned; with it among the features everything is leaked."""
    lacking = [name for name in task.targets if name not in target]
    assert task.targets, "The task names no target."
    assert not lacking, (
        f"The target columns {listed(lacking)} are not in train; name them in competition.yaml (target:)."
    )
    assert len(target) == len(raw.train), f"There are {len(target)} labels for {len(raw.train)} rows of train."
    for name in task.targets:
        missing = target[name].isna()
        assert not missing.any(), (
            f"The target {name!r} is missing in {missing.sum()} labelled rows; leave those rows out."
        )
        for frame_name, frame in raw.items():
            assert name not in frame, f"The target {name!r} is among the features of {frame_name}; remove it."


def test_labels_are_in_order(task: Task, y: np.ndarray, raw: Pair) -> None:
    """The labels in the form that is scored: one for every row, finite, and of the task's classes."""
    assert len(y) == len(raw.train), f"There are {len(y)} labels for {len(raw.train)} rows of train."
    assert np.isfinite(y).all(), f"{np.count_nonzero(~np.isfinite(y))} labels are missing or infinite."
    columns = 1 if y.ndim == 1 else y.shape[1]
    assert columns == len(task.targets), f"There are {columns} columns of labels for {len(task.targets)} targets."
    if task.kind not in ("binary", "multiclass", "ordinal"):
        return
    assert len(set(task.classes)) == len(task.classes), f"Classes are listed twice: {listed(task.classes)}."
    assert task.kind != "binary" or len(task.classes) == 2, f"A binary task has two classes, not {len(task.classes)}."
    outside = sorted(set(np.unique(y).tolist()) - set(range(len(task.classes))))
    assert not outside, f"Labels have the codes {listed(outside)}, for which there is no class."


@pytest.mark.warn
def test_there_is_something_to_learn(task: Task, y: np.ndarray) -> None:
    """A target with one value in all rows teaches nothing: the best constant is all there is."""
    flat = [
        name for name, column in zip(task.targets, y.reshape(len(y), -1).T, strict=True) if len(np.unique(column)) < 2
    ]
    assert not flat, f"All rows of train have the same {listed(flat)}."


def test_named_columns_exist(task: Task, keys: pd.DataFrame, test_keys: pd.DataFrame, raw: Pair) -> None:
    """The id, group and time columns that the task names are there, a value for every row."""
    for role, name in (("id", task.id_column), ("group", task.group_column), ("time", task.time_column)):
        if name is None:
            continue
        sides = [("train", keys, raw.train), ("test", test_keys, raw.test)]
        for side, given, features in sides if role != "id" else sides[1:]:
            there = name in given or name in features
            assert there, f"The {role} column {name!r} is not in {side}; correct `{role}:` in competition.yaml."
    for side, frame, rows in (("train", keys, len(raw.train)), ("test", test_keys, len(raw.test))):
        assert len(frame) == rows, f"There are {len(frame)} keys for {rows} rows of {side}."


def test_features_are_common(raw: Pair) -> None:
    """Train and test offer the same features; with none there is nothing to predict from."""
    assert raw.train.shape[1] > 0, "Train and test have no feature in common."
    assert list(raw.train.columns) == list(raw.test.columns), "The features of train and test differ."
    assert len(raw.train) > 0, "Train has no labelled row."
    assert len(raw.test) > 0, "Test has no row."


def test_ids_match_the_sample(task: Task, sample: pd.DataFrame | None, test_keys: pd.DataFrame) -> None:
    """The sample submission asks for rows of test: by id, or else one by one."""
    asked, there = _ids(task, sample, test_keys)
    unknown = ~_known(asked, there)
    assert unknown.mean() <= 0.5 or len(asked) == len(there), (
        f"{unknown.sum()} of the {len(asked)} ids that the sample asks for are not in test: {listed(asked[unknown])};"
        " correct `id:` in competition.yaml."
    )


@pytest.mark.warn
def test_sample_and_test_ask_for_the_same_rows(
    task: Task, sample: pd.DataFrame | None, test_keys: pd.DataFrame
) -> None:
    """An id on one side only is answered with the mean prediction, or by its place, or not at all."""
    asked, there = _ids(task, sample, test_keys)
    unknown, forgotten = asked[~_known(asked, there)], there[~_known(there, asked)]
    assert unknown.empty, f"The sample asks for {len(unknown)} ids that test does not have: {listed(unknown)}."
    assert forgotten.empty, f"Test has {len(forgotten)} ids that the sample does not ask for: {listed(forgotten)}."
    often = len(asked) != len(there) or (asked.duplicated().sum() != there.duplicated().sum())
    assert not often, (
        f"Ids are repeated a different number of times in sample ({len(asked)} rows) and test ({len(there)})."
    )


def _ids(task: Task, sample: pd.DataFrame | None, test_keys: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """Return the ids that the sample asks for and those that test has, as text."""
    from autods.competition.alignment import long_keys

    form = task.submission
    if sample is None:
        pytest.skip("The competition has no sample submission.")
    if form.id_column is None or task.id_column is None:
        pytest.skip("Rows are told apart by their place, not by an id.")
    there = test_keys[task.id_column].astype("str")
    if form.long_ids is not None:
        there = pd.Series([text for text, _, _ in long_keys(task, test_keys)], dtype="str")
    return sample[form.id_column].astype("str"), there


def _known(ids: pd.Series, others: pd.Series) -> pd.Series:
    """Say which ids are among others: as text, or as numbers where none is as text."""
    known = ids.isin(others)
    return (
        known
        if known.any()
        else pd.to_numeric(ids, errors="coerce").isin(pd.to_numeric(others, errors="coerce").dropna())
    )


def test_sample_has_the_tasks_header(task: Task, sample: pd.DataFrame | None) -> None:
    """The header of the submission is copied from the sample."""
    if sample is None:
        pytest.skip("The competition has no sample submission.")
    due = task.submission.columns
    assert list(sample.columns) == list(due), (
        f"The sample's header is {listed(sample.columns)}, the task says {listed(due)}."
    )


def test_metric_is_known_and_fits(task: Task) -> None:
    """The metric is one that can be computed from what the kind of task predicts."""
    from autods.competition.metrics import metric_of
    from autods.errors import UserError

    try:
        metric = metric_of(task)
    except (UserError, OSError) as error:
        pytest.fail(f"The metric {task.metric!r} cannot be used: {error}", pytrace=False)
    assert task.kind in metric.kinds, (
        f"{task.metric} scores {listed(metric.kinds)}, not {task.kind}; correct `metric:` or `kind:`."
    )


@pytest.mark.warn
def test_metric_has_its_usual_direction(task: Task) -> None:
    """With the direction the wrong way round the worst candidate wins."""
    from autods.competition.metrics import get_metric

    if task.custom_metric is not None:
        pytest.skip("A metric of the folder says its own direction.")
    usual = get_metric(task.metric).greater_is_better
    assert usual == task.greater_is_better, (
        f"The task says that {'greater' if task.greater_is_better else 'smaller'} {task.metric} is better; usually it"
        " is the other way round: see `greater_is_better:` in competition.yaml."
    )


def test_facts_have_evidence(task: Task) -> None:
    """Each inferred fact says why it is believed and how sure it is, so that a person can overrule it."""
    lacking = [name for name in _FACTS if name not in task.facts]
    assert not lacking, f"There are no facts about {listed(lacking)}."
    for name, fact in task.facts.items():
        assert fact.evidence.strip(), f"The fact {name} = {fact.value!r} has no evidence."
        assert 0 <= fact.confidence <= 1, f"The confidence of {name} is {fact.confidence}; it must be from 0 to 1."


@pytest.mark.warn
def test_facts_are_sure(task: Task) -> None:
    """A doubtful fact should be confirmed before compute is spent on it."""
    doubtful = [
        f"{name} = {fact.value} ({fact.confidence:.0%}: {fact.evidence})"
        for name, fact in task.facts.items()
        if fact.confidence < _SURE_ENOUGH
    ]
    assert not doubtful, f"These are guesses: {'; '.join(doubtful)}. Confirm or correct them in competition.yaml."


@pytest.mark.warn
def test_ids_are_unique(task: Task, keys: pd.DataFrame, test_keys: pd.DataFrame) -> None:
    """An id that several rows share may be a group, whose rows belong in one fold."""
    if task.id_column is None:
        pytest.skip("The competition has no id column.")
    for name, frame in (("train", keys), ("test", test_keys)):
        if task.id_column in frame:
            repeated = frame[task.id_column].dropna().duplicated()
            ids = frame[task.id_column].dropna()[repeated].unique()
            assert not repeated.any(), (
                f"{repeated.sum()} rows of {name} repeat an id of {task.id_column!r} ({listed(ids)}); is it a group?"
            )


@pytest.mark.warn
def test_classes_are_balanced_enough(task: Task, y: np.ndarray) -> None:
    """A rare class decides little of most scores and much of some: folds and metric should suit it."""
    if not task.is_classification:
        pytest.skip("The target is a number.")
    if task.kind == "multilabel":
        shares = {
            name: float(min(column.mean(), 1 - column.mean())) for name, column in zip(task.targets, y.T, strict=True)
        }
    else:
        shares = {name: float(np.mean(y == code)) for code, name in enumerate(task.classes)}
    rare = [f"{name} ({number(100 * share)} %)" for name, share in shares.items() if share < _RARE]
    assert not rare, f"Classes are rare: {', '.join(rare[:5])}."
