"""What a competition site would refuse, and the score it would show."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from autods.competition.alignment import long_keys, value_columns
from autods.competition.metrics import metric_of
from autods.errors import UserError
from autods.records import Decision, Task

__all__ = ["outputs_of", "score_submission", "truth_of", "validate_submission"]


def validate_submission(
    frame: pd.DataFrame, task: Task, sample: pd.DataFrame | None, test_keys: pd.DataFrame
) -> tuple[str, ...]:
    """Name every problem of a submission; none means that it is valid.

    Parameters
    ----------
    frame
        The submission, as built or as read back as text.
    task, sample, test_keys
        As for `build_submission`.

    Examples
    --------
    >>> from autods.records import Submission
    >>> shape = Submission(("id", "y"), "id", "probability")
    >>> task = Task("t", "binary", ("y",), "auroc", True, "probabilities", shape, ("0", "1"), "id")
    >>> keys = pd.DataFrame({"id": ["1", "2"]})
    >>> validate_submission(pd.DataFrame({"id": ["1", "2"], "y": [0.5, 1.5]}), task, None, keys)
    ("column 'y': 1 value outside 0 to 1, first in row 1 (1.5); clip probabilities",)
    """
    return tuple(_problems(frame, task, sample, test_keys))


def _problems(frame: pd.DataFrame, task: Task, sample: pd.DataFrame | None, test_keys: pd.DataFrame) -> Iterator[str]:
    submission = task.submission
    if list(frame.columns) != list(submission.columns):
        yield f"the columns are {list(frame.columns)}; they must be {list(submission.columns)}, in this order"
        return
    if submission.id_column is not None:
        wanted = _wanted_ids(task, sample, test_keys)
        n_rows = len(sample) if wanted is None and sample is not None else len(wanted or test_keys)
        if len(frame) != n_rows:
            yield f"there are {len(frame)} rows; there must be {n_rows}, one for each id"
        elif wanted is not None:
            yield from _id_problems([str(value) for value in frame[submission.id_column]], wanted, submission.id_column)
    elif len(frame) != len(test_keys if sample is None else sample):
        yield f"there are {len(frame)} rows; there must be {len(test_keys if sample is None else sample)}"
    if sample is not None and len(frame) == len(sample):
        for column in submission.copied_columns:
            yield from _id_problems([str(value) for value in frame[column]], [str(v) for v in sample[column]], column)
    columns = value_columns(submission)
    for column in columns:
        yield from _value_problems(frame[column], column, task)
    if submission.form == "class_probabilities" and submission.long_ids is None and len(frame):
        values = frame[list(columns)].apply(pd.to_numeric, errors="coerce").to_numpy(np.float64)
        empty = np.flatnonzero(values.sum(axis=1) <= 0)
        if len(empty):
            yield f"{_count(len(empty), 'row')} without any probability, first row {empty[0]}; each must sum to 1"


def _wanted_ids(task: Task, sample: pd.DataFrame | None, test_keys: pd.DataFrame) -> list[str] | None:
    column = task.submission.id_column
    if sample is not None:
        return [str(value) for value in sample[column]] if column in sample.columns else None
    if task.submission.long_ids is not None:
        return [text for text, _, _ in long_keys(task, test_keys)]
    return [str(value) for value in test_keys[task.id_column]] if task.id_column in test_keys.columns else None


def _id_problems(ids: list[str], wanted: list[str], column: str) -> Iterator[str]:
    if ids == wanted:
        return
    unknown, lost = sorted(set(ids) - set(wanted)), sorted(set(wanted) - set(ids))
    if unknown:
        yield f"column {column!r}: {_count(len(unknown), 'id')} that nobody asked for: {unknown[:5]}"
    if lost:
        yield f"column {column!r}: {_count(len(lost), 'id')} missing: {lost[:5]}"
    if not unknown and not lost:
        row = next(i for i, (a, b) in enumerate(zip(ids, wanted, strict=True)) if a != b)
        yield f"column {column!r}: row {row} has id {ids[row]!r} where {wanted[row]!r} belongs; keep the order"


def _value_problems(values: pd.Series, column: str, task: Task) -> Iterator[str]:
    submission = task.submission
    if submission.form == "labels":
        yield from _label_problems(values, column, task)
        return
    numbers = pd.to_numeric(values, errors="coerce").to_numpy(np.float64)
    bad = np.flatnonzero(~np.isfinite(numbers))
    if len(bad):
        first = values.iloc[bad[0]]
        yield f"column {column!r}: {_count(len(bad), 'value')} not a finite number, first in row {bad[0]} ({first!r})"
        return
    bound = metric_of(task).lower_bound
    if submission.form != "values" or task.kind == "multilabel":
        outside = np.flatnonzero((numbers < 0) | (numbers > 1))
        if len(outside):
            first = numbers[outside[0]]
            count = _count(len(outside), "value")
            place = f"first in row {outside[0]} ({first:g})"
            yield f"column {column!r}: {count} outside 0 to 1, {place}; clip probabilities"
    elif bound is not None and (numbers < bound).any():
        low = np.flatnonzero(numbers < bound)
        count = _count(len(low), "value")
        yield f"column {column!r}: {count} below {bound:g}, which {task.metric} has no score for, first in row {low[0]}"


def _label_problems(values: pd.Series, column: str, task: Task) -> Iterator[str]:
    known = set(task.targets if task.kind == "multilabel" else task.classes)
    several = metric_of(task).top_k is not None or task.kind == "multilabel"
    missing = np.flatnonzero(values.isna())
    if len(missing):
        yield f"column {column!r}: {_count(len(missing), 'label')} missing, first in row {missing[0]}"
    given = {word for text in values.dropna() for word in (str(text).split(" ") if several else [str(text)]) if word}
    unknown = sorted(given - known) if not several or all(" " not in name for name in known) else []
    if unknown:
        yield f"column {column!r}: labels that train does not have: {unknown[:5]}; known are {sorted(known)[:5]}"


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


# --- the hidden answers ----------------------------------------------------------------------------------------------
def score_submission(task: Task, submission_path: Path, answers_path: Path) -> float:
    """Score a submission file against a file of answers, matched by id; the order of rows does not matter.

    Parameters
    ----------
    task
        The task.
    submission_path
        The submission.
    answers_path
        The answers: the id and the target column(s), or the columns of a long submission.

    Raises
    ------
    UserError
        When a competition site would refuse the file; one sentence.
    """
    frame, answers = _read(submission_path), _read(answers_path)
    wide = [column for column in task.targets if column in answers.columns]
    long_form = task.submission.long_ids is not None
    if not wide and not (long_form and set(task.submission.columns) <= set(answers.columns)):
        raise UserError(f"{answers_path} has no column {', '.join(map(repr, task.targets))}; it needs the targets.")
    answer_id = task.id_column if task.id_column in answers.columns else task.submission.id_column
    keys = answers.rename(columns={answer_id: task.id_column}) if answer_id and task.id_column else answers
    frame = _in_order(frame, task, keys)
    problems = validate_submission(frame, task, None if wide else answers, keys)
    if problems:
        raise UserError(f"{submission_path} is not a valid submission: {'; '.join(problems)}.")
    return _score(task, frame, answers, keys, bool(wide))


def _score(task: Task, frame: pd.DataFrame, answers: pd.DataFrame, keys: pd.DataFrame, wide: bool) -> float:
    metric, columns = metric_of(task), value_columns(task.submission)
    if task.submission.long_ids is not None:
        values = frame[columns[0]].astype(np.float64).to_numpy()
        if not wide:
            return metric.score(answers[columns[0]].astype(np.float64).to_numpy(), values[:, None])
        places = long_keys(task, keys)
        outputs = np.full((len(keys), len({j for _, _, j in places})), np.nan)
        outputs[[row for _, row, _ in places], [j for _, _, j in places]] = values
        return metric.score(truth_of(task, answers), outputs)
    return metric.score(truth_of(task, answers), outputs_of(task, frame), Decision("argmax") if task.classes else None)


def truth_of(task: Task, answers: pd.DataFrame) -> np.ndarray:
    """Turn answers, as text, into targets in the harness's form."""
    if task.kind in ("binary", "multiclass", "ordinal"):
        codes = answers[task.targets[0]].map({label: code for code, label in enumerate(task.classes)})
        if codes.isna().any():
            raise UserError(
                f"The answers hold the label {answers[task.targets[0]][codes.isna()].iloc[0]!r}; train does not."
            )
        return codes.to_numpy(np.int64)
    values = answers[list(task.targets)].astype(np.float64).to_numpy()
    return values.astype(np.int64) if task.kind == "multilabel" else values


def outputs_of(task: Task, frame: pd.DataFrame) -> np.ndarray:
    """Turn a submission's columns back into outputs; a label becomes probability 1, a list of labels falls from 1."""
    submission, columns = task.submission, value_columns(task.submission)
    if submission.form == "labels":
        names = list(task.targets if task.kind == "multilabel" else task.classes)
        several = metric_of(task).top_k is not None or task.kind == "multilabel"
        outputs = np.zeros((len(frame), len(names)))
        for row, text in enumerate(frame[columns[0]]):
            for rank, label in enumerate(str(text).split() if several else [str(text)]):
                outputs[row, names.index(label)] = 1.0 if task.kind == "multilabel" else 1.0 / (rank + 1)
        return outputs
    values = frame[list(columns)].astype(np.float64).to_numpy()
    if submission.form == "probability":
        swapped = submission.positive_class is not None and submission.positive_class != task.classes[-1]
        pair = np.column_stack([1 - values[:, 0], values[:, 0]])
        return pair[:, ::-1] if swapped else pair
    if submission.form == "class_probabilities":
        order = [(submission.column_classes or task.classes).index(label) for label in task.classes]
        return values[:, order]
    by_name = set(columns) == set(task.targets)
    return values[:, [columns.index(target) for target in task.targets]] if by_name else values


def _in_order(frame: pd.DataFrame, task: Task, keys: pd.DataFrame) -> pd.DataFrame:
    column = task.submission.id_column
    if column is None or column not in frame.columns or frame[column].duplicated().any():
        return frame
    wanted = [text for text, _, _ in long_keys(task, keys)] if task.submission.long_ids is not None else None
    if wanted is None or set(wanted) != set(frame[column]):
        known = task.id_column if task.id_column in keys.columns else column
        wanted = list(keys[known]) if known in keys.columns else []
    if set(wanted) != set(frame[column]):
        return frame
    return frame.set_index(column).loc[wanted].reset_index()[list(frame.columns)]


def _read(path: Path) -> pd.DataFrame:
    try:
        return pd.read_csv(path, dtype=str, keep_default_na=False)
    except (OSError, ValueError) as error:
        raise UserError(f"{path} cannot be read as CSV: {error}.") from error
