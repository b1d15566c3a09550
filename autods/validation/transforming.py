"""Calling a phase's function on frames and checking what it gives back; the same in the sandbox and in a replay."""

from __future__ import annotations

import inspect
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from autods.validation.preparation import repeatable
from autods.validation.storage import read_frame, write_frame

__all__ = ["Transformed", "as_stored", "call", "transform"]

EXCLUDE = "exclude_from_fit"
REASON = "exclude_reason"


@dataclass(frozen=True)
class Transformed:
    """What a phase's function made of the frames.

    Attributes
    ----------
    train, test
        The frames, without the columns that mark rows.
    excluded
        The rows that no fit may use, columns `row` and `reason`; None when there are none.
    """

    train: pd.DataFrame
    test: pd.DataFrame
    excluded: pd.DataFrame | None

    @property
    def fit_rows(self) -> np.ndarray | None:
        """A mask over train's rows, False for excluded ones; None when there are none."""
        if self.excluded is None:
            return None
        mask = np.ones(len(self.train), dtype=bool)
        mask[self.excluded["row"].to_numpy()] = False
        return mask


def call(function: Callable[..., Any], **arguments: Any) -> Any:
    """Call a phase's function with those arguments that it takes by name.

    Raises
    ------
    TypeError
        When it asks for something that is not offered; the message says what is.

    Examples
    --------
    >>> call(lambda test: len(test), train=[1, 2], test=[3])
    1
    """
    parameters = inspect.signature(function).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return function(**arguments)
    names = [parameter.name for parameter in parameters if parameter.kind is not parameter.VAR_POSITIONAL]
    required = {parameter.name for parameter in parameters if parameter.default is parameter.empty}
    unknown = [name for name in names if name in required and name not in arguments]
    if unknown:
        name = getattr(function, "__name__", "The function")
        raise TypeError(f"{name} asks for {unknown}; it may take {sorted(arguments)}.")
    return function(**{name: arguments[name] for name in names if name in arguments})


def transform(
    function: Callable[..., Any],
    train: pd.DataFrame,
    test: pd.DataFrame,
    *,
    tables: Mapping[str, pd.DataFrame] | None = None,
    task: Any = None,
) -> Transformed:
    """Call `clean` or `engineer` and check that rows are still the same rows.

    The function gets copies. Columns `exclude_from_fit` (and `exclude_reason`) are taken off and reported.

    Parameters
    ----------
    function
        The phase's entry point; it takes what it wants of `train, test, tables, task` by name.
    train, test
        Features with a RangeIndex.
    tables, task
        Further files of the competition; the facts of the task.

    Raises
    ------
    ValueError
        When what it returns is no pair of frames, or rows were lost, added or reordered, or columns repeat.

    Examples
    --------
    >>> frame = pd.DataFrame({"a": [1, 2]})
    >>> def clean(train, test):
    ...     return train.assign(exclude_from_fit=train["a"] > 1, exclude_reason="too large"), test
    >>> done = transform(clean, frame, frame)
    >>> list(done.train), done.excluded["row"].tolist(), done.fit_rows.tolist()
    (['a'], [1], [True, False])
    """
    name = getattr(function, "__name__", "the function")
    with repeatable(0):  # what draws from the global generators draws the same in a replay, phase by phase
        given = call(function, train=train.copy(), test=test.copy(), tables=dict(tables or {}), task=task)
    pair = given if isinstance(given, tuple | list) else ()
    if len(pair) != 2 or not all(isinstance(frame, pd.DataFrame) for frame in pair):
        raise ValueError(f"{name} returned {_described(given)}; it must return (train, test), two DataFrames.")
    new_train = _same_rows(name, "train", pair[0], len(train))
    new_test = _same_rows(name, "test", pair[1], len(test))
    excluded = _excluded(name, new_train)
    marks = [EXCLUDE, REASON]
    return Transformed(
        new_train.drop(columns=marks, errors="ignore"), new_test.drop(columns=marks, errors="ignore"), excluded
    )


def as_stored(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame as it comes back from its file, which is how the next phase of a run gets it.

    Examples
    --------
    >>> as_stored(pd.DataFrame({"a": [1, 2]}))["a"].tolist()
    [1, 2]
    """
    buffer = io.BytesIO()
    write_frame(frame, buffer)
    buffer.seek(0)
    return read_frame(buffer)


def _described(given: Any) -> str:
    if isinstance(given, tuple | list):
        return f"{type(given).__name__} of {[type(item).__name__ for item in given]}"
    return type(given).__name__


def _same_rows(name: str, side: str, frame: pd.DataFrame, n_rows: int) -> pd.DataFrame:
    if len(frame) != n_rows:
        raise ValueError(
            f"{name} made {len(frame)} rows of the {n_rows} of {side}; keep every row in its place "
            f"(mark train's rows in a column {EXCLUDE!r} instead of dropping them)."
        )
    moved = np.flatnonzero(frame.index.to_numpy() != np.arange(n_rows))
    if len(moved) and pd.Index(np.arange(n_rows)).difference(frame.index).empty:
        raise ValueError(f"{name} put the rows of {side} in another order, first at row {moved[0]}; keep their order.")
    repeated = frame.columns[frame.columns.duplicated()].unique()
    if len(repeated):
        raise ValueError(f"{name} gave {side} several columns of the name {repeated[0]!r}; names must be unique.")
    odd = [column for column in frame.columns if not isinstance(column, str)]
    if odd:
        raise ValueError(
            f"{name} gave {side} the column name {odd[0]!r} ({type(odd[0]).__name__}); names must be text."
        )
    return frame.reset_index(drop=True)


def _excluded(name: str, train: pd.DataFrame) -> pd.DataFrame | None:
    if EXCLUDE not in train.columns:
        return None
    marks = train[EXCLUDE]
    if marks.isna().any() or not marks.isin([True, False]).all():
        raise ValueError(
            f"{name} marks rows with {marks.unique()[:3].tolist()} in {EXCLUDE!r}; use True and False only."
        )
    rows = np.flatnonzero(marks.to_numpy(dtype=bool))
    if len(rows) == 0:
        return None
    reasons = train[REASON].iloc[rows].fillna("") if REASON in train.columns else pd.Series([""] * len(rows))
    return pd.DataFrame({"row": rows, "reason": reasons.astype("str").to_numpy()})
