"""Build, validate and write a submission in the form that the competition asks for.

Usage: `frame = build_submission(task, sample, test_keys, outputs, decision)`, then `validate_submission(frame, …)`,
which names every problem a competition site would, then `write_submission(frame, path)`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from autods.competition.alignment import align_rows, id_text, long_keys, long_names, match_ids, value_columns
from autods.competition.decisions import decide, default_decision
from autods.competition.metrics import metric_of
from autods.competition.submission_checks import score_submission, validate_submission
from autods.records import Decision, Task

__all__ = ["align_rows", "build_submission", "score_submission", "validate_submission", "write_submission"]


def build_submission(
    task: Task, sample: pd.DataFrame | None, test_keys: pd.DataFrame, outputs: np.ndarray, decision: Decision
) -> pd.DataFrame:
    """Build the submission: its columns, its rows in the sample's order, its ids as the files spell them.

    Parameters
    ----------
    task
        The task; `task.submission` is the shape.
    sample
        The sample submission as text, or None; without one the rows are the test's.
    test_keys
        The test's key columns as text; row i belongs to row i of `outputs`.
    outputs
        Predictions for the test rows, rows × outputs.
    decision
        How labels are decided, where the submission holds labels.

    Returns
    -------
    DataFrame
        Text ids; labels as text, everything else numbers. A sample row that names no test row gets the mean prediction.

    Examples
    --------
    >>> from autods.records import Submission
    >>> shape = Submission(("id", "y"), "id", "labels")
    >>> task = Task("t", "binary", ("y",), "accuracy", True, "labels", shape, ("no", "yes"), "id")
    >>> keys = pd.DataFrame({"id": ["007", "1e5"]})
    >>> outputs = np.array([[0.2, 0.8], [0.9, 0.1]])
    >>> build_submission(task, None, keys, outputs, Decision("threshold", (0.5,))).to_dict("list")
    {'id': ['007', '1e5'], 'y': ['yes', 'no']}
    """
    outputs = np.asarray(outputs, dtype=np.float64)
    submission = task.submission
    rows = align_rows(task, sample, test_keys)
    if submission.long_ids is not None:
        return _long(task, sample, test_keys, outputs, decision)
    # The mean row stands in for ids that name no test row (index -1 is the last row).
    predicted = _predictions(task, np.vstack([outputs, outputs.mean(axis=0, keepdims=True)]), decision)
    columns: dict[str, Any] = {name: values[rows] for name, values in predicted.items()}
    if submission.id_column is not None:
        columns[submission.id_column] = _ids(task, sample, test_keys, len(rows))
    keys = test_keys if sample is None else sample
    columns.update({name: id_text(name, keys) or [""] * len(rows) for name in submission.copied_columns})
    return pd.DataFrame({name: columns[name] for name in submission.columns})


def _ids(task: Task, sample: pd.DataFrame | None, test_keys: pd.DataFrame, n_rows: int) -> list[str]:
    found = id_text(task.submission.id_column, sample) if sample is not None else id_text(task.id_column, test_keys)
    return found if found is not None else [str(row) for row in range(n_rows)]


# --- what stands in the value columns --------------------------------------------------------------------------------
def _predictions(task: Task, outputs: np.ndarray, decision: Decision) -> Mapping[str, np.ndarray]:
    submission, metric = task.submission, metric_of(task)
    columns = value_columns(submission)
    if submission.form == "labels":
        return {columns[0]: _labels(task, outputs, decision, metric.top_k)}
    if submission.form == "probability":
        positive = task.classes.index(submission.positive_class) if submission.positive_class in task.classes else -1
        return {columns[0]: np.clip(outputs[:, positive], 0.0, 1.0)}
    if submission.form == "class_probabilities":
        shares = np.clip(outputs, 0.0, 1.0)
        names = submission.column_classes or task.classes
        return {column: shares[:, task.classes.index(name)] for column, name in zip(columns, names, strict=True)}
    if task.kind == "multilabel":
        values = decide(outputs, _deciding(task, decision), task.kind) if task.needs == "labels" else outputs.clip(0, 1)
    else:
        values = outputs if metric.lower_bound is None else np.maximum(outputs, metric.lower_bound)
        if submission.integer_values and task.needs == "labels":
            values = np.rint(values).astype(np.int64)
    by_name = set(columns) == set(task.targets)
    return {column: values[:, task.targets.index(column) if by_name else i] for i, column in enumerate(columns)}


def _deciding(task: Task, decision: Decision) -> Decision:
    return decision if decision.kind != "none" else default_decision(task.kind, "labels")


def _labels(task: Task, outputs: np.ndarray, decision: Decision, top_k: int | None) -> np.ndarray:
    names = np.array(task.targets if task.kind == "multilabel" else task.classes, dtype=object)
    if top_k is not None:
        top = np.argsort(-outputs, axis=1, kind="stable")[:, :top_k]
        return np.array([" ".join(names[row]) for row in top], dtype=object)
    codes = decide(outputs, _deciding(task, decision), task.kind)
    if task.kind == "multilabel":
        return np.array([" ".join(names[row == 1]) for row in codes], dtype=object)
    return np.asarray(names[codes])


# --- one row per test row and target ---------------------------------------------------------------------------------
def _long(
    task: Task, sample: pd.DataFrame | None, test_keys: pd.DataFrame, outputs: np.ndarray, decision: Decision
) -> pd.DataFrame:
    id_column, column = task.submission.id_column, value_columns(task.submission)[0]
    keys = long_keys(task, test_keys)
    wide = _wide(task, outputs, decision)
    predicted = wide[[row for _, row, _ in keys], [j for _, _, j in keys]]
    ids = [text for text, _, _ in keys]
    wanted = ids if sample is None else id_text(id_column, sample) or ids
    order = match_ids(wanted, ids)
    values = np.append(predicted, predicted.mean())[order]
    if np.issubdtype(wide.dtype, np.integer):
        values = np.rint(values).astype(np.int64)
    columns = {id_column: wanted, column: values}
    return pd.DataFrame({name: columns[name] for name in task.submission.columns})


def _wide(task: Task, outputs: np.ndarray, decision: Decision) -> np.ndarray:
    """Return the values of a long submission, test rows × its names."""
    shape = replace(task.submission, columns=long_names(task), id_column=None, long_ids=None)
    predicted = _predictions(replace(task, submission=shape), outputs, decision)
    return np.column_stack([predicted[name] for name in long_names(task)])


# --- the file --------------------------------------------------------------------------------------------------------
def write_submission(frame: pd.DataFrame, path: Path) -> None:
    """Write the submission whole or not at all: UTF-8, commas, \\n, quotes only where needed, shortest exact numbers.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "submission.csv"
    >>> write_submission(pd.DataFrame({"id": ["007"], "y": [0.1]}), path)
    >>> path.read_bytes()
    b'id,y\\n007,0.1\\n'
    """
    temporary = path.with_name(path.name + ".part")
    temporary.write_bytes(frame.to_csv(index=False, lineterminator="\n").encode("utf-8"))
    os.replace(temporary, path)
