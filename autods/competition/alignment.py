"""Which test row a row of the submission is about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import pandas as pd

from autods.records import Submission, Task

__all__ = ["align_rows", "id_text", "long_keys", "long_names", "match_ids", "value_columns"]


def value_columns(submission: Submission) -> tuple[str, ...]:
    """Return the columns that hold predictions, in the submission's order."""
    apart = (submission.id_column, *submission.copied_columns)
    return tuple(column for column in submission.columns if column not in apart)


def align_rows(task: Task, sample: pd.DataFrame | None, test_keys: pd.DataFrame) -> np.ndarray:
    """Return, for each row of a wide submission, the test row it is about, or -1 for an id the test does not have.

    Ids are compared as text, then, where that fails for all, as numbers. A repeated id's n-th row in the sample is its
    n-th row in the test. Copied columns name a row together with the id. Without ids on both sides rows correspond by
    position.

    Examples
    --------
    >>> shape = Submission(("id", "y"), "id", "values")
    >>> task = Task("t", "regression", ("y",), "rmse", False, "values", shape, (), "id")
    >>> sample, keys = pd.DataFrame({"id": ["b", "a", "c"]}), pd.DataFrame({"id": ["a", "b", "b"]})
    >>> align_rows(task, sample, keys).tolist()
    [1, 0, -1]
    """
    n_test = len(test_keys)
    if sample is None or task.submission.long_ids is not None:
        return np.arange(n_test)
    wanted, known = id_text(task.submission.id_column, sample), id_text(task.id_column, test_keys)
    for name in task.submission.copied_columns:
        more, there = id_text(name, sample), id_text(name, test_keys)
        if wanted is not None and known is not None and more is not None and there is not None:
            wanted = ["\x1f".join(pair) for pair in zip(wanted, more, strict=True)]
            known = ["\x1f".join(pair) for pair in zip(known, there, strict=True)]
    if wanted is None or known is None:
        return _by_position(len(sample), n_test)
    rows = match_ids(wanted, known)
    if (rows < 0).all():
        rows = match_ids([_as_number(text) for text in wanted], [_as_number(text) for text in known])
    return _by_position(len(sample), n_test) if (rows < 0).all() and len(sample) == n_test else rows


def _by_position(n_rows: int, n_test: int) -> np.ndarray:
    rows = np.arange(n_rows)
    return np.where(rows < n_test, rows, -1)


def id_text(column: str | None, frame: pd.DataFrame) -> list[str] | None:
    """Return a column's ids as text, or None when there is no such column."""
    return None if column is None or column not in frame.columns else [str(value) for value in frame[column]]


def _as_number(text: str) -> str:
    try:
        return repr(float(text))
    except ValueError:
        return text.strip()


def match_ids(wanted: Sequence[str], known: Sequence[str]) -> np.ndarray:
    """Return each wanted id's place among the known, -1 for none; the n-th of a repeated id is the n-th known."""
    places: dict[str, list[int]] = defaultdict(list)
    for row, text in enumerate(known):
        places[text].append(row)
    seen: dict[str, int] = defaultdict(int)
    rows = np.full(len(wanted), -1)
    for i, text in enumerate(wanted):
        if seen[text] < len(places.get(text, ())):
            rows[i] = places[text][seen[text]]
            seen[text] += 1
    return rows


def long_keys(task: Task, test_keys: pd.DataFrame) -> list[tuple[str, int, int]]:
    """Return (id as submitted, test row, output) of a long submission, in its own order.

    Examples
    --------
    >>> from autods.records import LongIds
    >>> shape = Submission(("id", "value"), "id", "values", long_ids=LongIds("_", "row_target"))
    >>> task = Task("t", "multi_regression", ("a", "b"), "mcrmse", False, "values", shape, (), "id")
    >>> long_keys(task, pd.DataFrame({"id": ["7"]}))
    [('7_a', 0, 0), ('7_b', 0, 1)]
    """
    long_ids = task.submission.long_ids
    assert long_ids is not None
    ids = id_text(task.id_column, test_keys) or [str(row) for row in range(len(test_keys))]
    names = long_names(task)
    keys = [
        (f"{text}{long_ids.separator}{name}", row, j) for row, text in enumerate(ids) for j, name in enumerate(names)
    ]
    return keys if long_ids.order == "row_target" else sorted(keys, key=lambda key: (key[2], key[1]))


def long_names(task: Task) -> tuple[str, ...]:
    """Return what a long submission has a row for: classes or targets."""
    if task.submission.form == "class_probabilities":
        return task.submission.column_classes or task.classes
    return task.targets
