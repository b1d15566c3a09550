"""What makes a function a tool, and the few moves that frame tools share."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ParamSpec, TypeVar

import numpy as np
import pandas as pd

from autods.tools._checks import bind, check_frames

__all__ = [
    "Frames",
    "add_columns",
    "as_levels",
    "as_number",
    "as_text",
    "fold_tool",
    "frame_tool",
    "joint_codes",
    "joint_column",
    "map_both",
    "number_table",
]

Frames = tuple[pd.DataFrame, pd.DataFrame | None]
Params = ParamSpec("Params")
Result = TypeVar("Result")


def frame_tool(*, joint: bool = False) -> Callable[[Callable[Params, Frames]], Callable[Params, Frames]]:
    """Make a function `(train, test=None, *, ...) -> (train, test)` a frame tool.

    The function gets shallow copies whose columns it may replace (pandas copies on write), so the caller's frames stay
    as they are. `joint` declares that it learns from both frames' features, not from train alone.
    """

    def decorate(function: Callable[Params, Frames]) -> Callable[Params, Frames]:
        @functools.wraps(function)
        def tool(*args: Params.args, **kwargs: Params.kwargs) -> Frames:
            bound = bind(function, args, kwargs)
            train, test = bound.arguments["train"], bound.arguments.get("test")
            check_frames(function.__name__, train, test)
            bound.arguments["train"] = train.copy(deep=False)
            bound.arguments["test"] = None if test is None else test.copy(deep=False)
            return function(*bound.args, **bound.kwargs)

        tool.__dict__.update(kind="frame", joint=joint)
        return tool

    return decorate


def fold_tool(function: Callable[Params, Result]) -> Callable[Params, Result]:
    """Make a function a fold tool: a factory of a scikit-learn transformer or estimator."""

    @functools.wraps(function)
    def tool(*args: Params.args, **kwargs: Params.kwargs) -> Result:
        bound = bind(function, args, kwargs)
        return function(*bound.args, **bound.kwargs)

    tool.__dict__.update(kind="fold", joint=False)
    return tool


def as_text(column: pd.Series) -> pd.Series:
    """Return the column as pandas' `str`, missing values kept missing."""
    return column.astype("str") if column.dtype != "str" else column


def as_levels(column: pd.Series) -> pd.Series:
    """Return the column as text, each value spelled alike in every frame: 1.0 is "1"."""
    if not pd.api.types.is_float_dtype(column.dtype):
        return as_text(column)
    numbers = as_number(column)
    return numbers.map({value: f"{value:.15g}" for value in numbers.dropna().unique()}).astype("str")


def as_number(column: pd.Series) -> pd.Series:
    """Return a numeric or boolean column as float64, missing values as NaN."""
    return column.astype("float64")


def map_both(train: pd.DataFrame, test: pd.DataFrame | None, change: Callable[[pd.DataFrame], pd.DataFrame]) -> Frames:
    """Apply the same change to both frames."""
    return change(train), None if test is None else change(test)


def add_columns(
    train: pd.DataFrame,
    test: pd.DataFrame | None,
    make: Callable[[pd.DataFrame], Mapping[str, Any]],
    *,
    drop: Iterable[str] = (),
) -> Frames:
    """Append the columns that `make` gives for each frame, at once; a name that is taken gets `_2`, `_3`, ….

    `make` must give the same names and types for both frames.
    """
    dropped = list(drop)
    taken = (set(train.columns) | (set() if test is None else set(test.columns))) - set(dropped)

    def extended(frame: pd.DataFrame) -> pd.DataFrame:
        used, named = set(taken), {}
        for name, values in make(frame).items():
            fresh = _fresh(name, used)
            used.add(fresh)
            named[fresh] = values.array if isinstance(values, pd.Series) else values
        kept = frame.drop(columns=dropped)
        return pd.concat([kept, pd.DataFrame(named, index=frame.index)], axis=1) if named else kept

    return map_both(train, test, extended)


def _fresh(name: str, taken: set[str]) -> str:
    number, fresh = 2, name
    while fresh in taken:
        fresh, number = f"{name}_{number}", number + 1
    return fresh


def number_table(frame: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """Return columns of numbers as float64 in one block, infinite ones missing.

    One layout whatever the frame's: sums along rows depend in their last bits on how the values lie in memory.
    """
    numbers = np.ascontiguousarray(frame[names].to_numpy(dtype="float64", na_value=np.nan))
    return pd.DataFrame(np.where(np.isfinite(numbers), numbers, np.nan), index=frame.index, columns=names, copy=False)


def joint_column(train: pd.DataFrame, test: pd.DataFrame | None, name: str) -> pd.Series:
    """Return a column of train followed by the same of test, with a fresh index."""
    parts = [frame[name] for frame in (train, test) if frame is not None]
    if len({str(part.dtype) for part in parts}) > 1:
        parts = [as_text(part) for part in parts]
    return pd.concat(parts, ignore_index=True)


def joint_codes(
    train: pd.DataFrame, test: pd.DataFrame | None, names: Iterable[str], *, missing_groups: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Number the groups of equal values over both frames.

    Rows in which any of the columns is missing have -1, unless missing is to make groups like any other value.
    """
    columns = [joint_column(train, test, name) for name in names]
    codes = np.zeros(len(columns[0]), dtype="int64")
    for column in columns:
        key = pd.factorize(column, use_na_sentinel=False)[0].astype("int64")
        codes = pd.factorize(codes * (int(key.max(initial=0)) + 1) + key)[0].astype("int64")
    if not missing_groups:
        codes[np.any([column.isna() for column in columns], axis=0)] = -1
    return codes[: len(train)], codes[len(train) :]
