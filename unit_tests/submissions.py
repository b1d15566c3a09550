"""The gates of the submission: what the competition's site would refuse, and what a person should look at twice."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest

from autods.records import Task, Training
from autods.unit_tests.wording import first_rows, listed, number

__all__ = [
    "test_header_is_the_samples",
    "test_ids_are_the_test_rows",
    "test_numbers_stay_within_reason",
    "test_predictions_are_not_all_alike",
    "test_predictions_look_like_the_labels",
    "test_submission_holds_the_predictions",
    "test_submission_is_valid",
]


def test_header_is_the_samples(submission: pd.DataFrame, sample: pd.DataFrame | None, task: Task) -> None:
    """The site reads columns by name or by place: the header is the sample's, in its order."""
    due = list(task.submission.columns if sample is None else sample.columns)
    assert list(submission.columns) == due, f"The header is {listed(submission.columns)}, it must be {listed(due)}."


def test_ids_are_the_test_rows(
    submission: pd.DataFrame, sample: pd.DataFrame | None, test_keys: pd.DataFrame, task: Task
) -> None:
    """Every id that is asked for is answered, spelled and ordered as in the sample, or as in test without one."""
    form = task.submission
    rows = len(sample) if sample is not None else len(test_keys) * (1 if form.long_ids is None else task.n_outputs)
    assert len(submission) == rows, f"The submission has {len(submission)} rows, it must have {rows}."
    if form.id_column is None or form.id_column not in submission:
        assert form.id_column is None, f"The submission has no id column {form.id_column!r}."
        return
    if sample is not None:
        due = sample[form.id_column].astype("str")
    elif form.long_ids is None and task.id_column is not None:
        due = test_keys[task.id_column].astype("str")
    else:
        return
    ids = submission[form.id_column]
    differs = ids.to_numpy() != due.to_numpy()
    if differs.any():
        row = int(np.flatnonzero(differs)[0])
        how = "the same ids in another order" if sorted(ids) == sorted(due) else "other ids"
        pytest.fail(
            f"The submission holds {how}: {first_rows(differs)};"
            f" row {row} has {ids.iloc[row]!r} where {due.iloc[row]!r} belongs."
        )


def test_submission_is_valid(
    submission: pd.DataFrame, sample: pd.DataFrame | None, test_keys: pd.DataFrame, task: Task
) -> None:
    """Cells are what the site takes: finite numbers, probabilities in 0 to 1, labels as train spells them."""
    from autods.competition.submission_checks import validate_submission

    frame = submission.replace("", np.nan) if task.kind != "multilabel" else submission
    problems = validate_submission(frame, task, sample, test_keys)
    assert not problems, "The submission is not valid: " + "; ".join(problems) + "."


def test_submission_holds_the_predictions(
    submission: pd.DataFrame,
    sample: pd.DataFrame | None,
    test_keys: pd.DataFrame,
    test_predictions: np.ndarray,
    training: Training,
    task: Task,
) -> None:
    """Each row is the prediction of its own test row: a valid file with mixed-up rows scores as noise."""
    from autods.competition.submission import build_submission

    if training.blend is None:
        pytest.fail("No candidate succeeded; see the messages of the candidates.", pytrace=False)
    due = build_submission(task, sample, test_keys, test_predictions, training.blend.decision)
    due = pd.read_csv(io.StringIO(due.to_csv(index=False)), dtype=str, keep_default_na=False)
    if submission.shape != due.shape or list(submission.columns) != list(due.columns):
        pytest.fail(
            f"The submission has the shape {submission.shape}, the predictions make one of {due.shape}.", pytrace=False
        )
    for column in due:
        differs = submission[column].to_numpy() != due[column].to_numpy()
        assert not differs.any(), (
            f"{differs.sum()} cells of {column!r} are not the predictions of their test rows ({first_rows(differs)});"
            " build the submission from the blend's test predictions."
        )


@pytest.mark.warn
def test_predictions_are_not_all_alike(submission: pd.DataFrame, task: Task) -> None:
    """A submission of one value says that nothing was learned, or that a threshold swallowed it."""
    columns = [column for column in submission if column != task.submission.id_column]
    alike = [column for column in columns if submission[column].nunique() <= 1 < len(submission)]
    assert not alike, f"All rows of {listed(alike)} hold the same value: {listed(submission[alike].iloc[0])}."


@pytest.mark.warn
def test_predictions_look_like_the_labels(test_predictions: np.ndarray, y: np.ndarray, task: Task) -> None:
    """Test is usually drawn as train was: predicted classes, or the predicted mean, should be about train's."""
    labels = y.reshape(len(y), -1)
    if not task.is_classification:
        spread = labels.std(axis=0)
        shift = np.abs(test_predictions.mean(axis=0) - labels.mean(axis=0))
        far = [
            f"{name!r}: {number(mean)} on average, {number(own)} in train"
            for name, mean, own, off, deviation in zip(
                task.targets, test_predictions.mean(axis=0), labels.mean(axis=0), shift, spread, strict=True
            )
            if off > deviation
        ]
        assert not far, f"Predictions are shifted by more than a standard deviation: {'; '.join(far)}."
        return
    if task.kind == "multilabel":
        due, names = labels.mean(axis=0), task.targets
    else:
        due, names = np.bincount(y, minlength=len(task.classes)) / len(y), task.classes
    found = test_predictions.mean(axis=0)
    noise = 3 * np.sqrt(due * (1 - due) / len(test_predictions))
    off = [
        f"{n} {f:.0%} (train {d:.0%})"
        for n, f, d, e in zip(names, found, due, noise, strict=True)
        if abs(f - d) > max(0.1, e)
    ]
    assert not off, f"Predicted shares differ from train's: {', '.join(off[:5])}."


@pytest.mark.warn
def test_numbers_stay_within_reason(test_predictions: np.ndarray, y: np.ndarray, task: Task) -> None:
    """A prediction far outside all that was ever seen is more often a runaway than a discovery."""
    if task.is_classification:
        pytest.skip("The target is a class.")
    labels = y.reshape(len(y), -1)
    low, high = labels.min(axis=0), labels.max(axis=0)
    room = 0.5 * (high - low)
    outside = (test_predictions < low - room) | (test_predictions > high + room)
    rows = outside.any(axis=1)
    assert not rows.any(), (
        f"{rows.sum()} predictions are far outside train's {number(float(low.min()))} to {number(float(high.max()))}"
        f" ({first_rows(rows)}, up to {number(float(np.abs(test_predictions[rows]).max()))}); look at those rows."
    )
