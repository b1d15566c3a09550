"""Checks of arguments that every tool shares; each message names parameter, value, what is allowed and the nearest."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd

__all__ = [
    "EXCLUDE",
    "REASON",
    "Columns",
    "Holds",
    "bind",
    "check_choice",
    "check_frames",
    "check_names",
    "check_number",
    "check_pairs",
    "chosen",
    "did_you_mean",
    "is_datetime",
    "is_numeric",
    "is_text",
]

EXCLUDE = "exclude_from_fit"
REASON = "exclude_reason"

Columns = str | Sequence[str] | None
Holds = Literal["anything", "numbers", "text", "datetimes"]

_REMEDY = {
    "numbers": "parse_numbers turns text into numbers",
    "text": "convert_data_types(..., target_type='str') turns a column into text",
    "datetimes": "format_datetime turns text into datetimes",
}


def is_numeric(column: pd.Series) -> bool:
    """Whether the column holds integers or floats; booleans do not count."""
    return pd.api.types.is_numeric_dtype(column.dtype) and not pd.api.types.is_bool_dtype(column.dtype)


def is_text(column: pd.Series) -> bool:
    """Whether the column holds text or categories."""
    return isinstance(column.dtype, pd.StringDtype | pd.CategoricalDtype) or column.dtype == object


def is_datetime(column: pd.Series) -> bool:
    """Whether the column holds datetimes."""
    return pd.api.types.is_datetime64_any_dtype(column.dtype)


def did_you_mean(name: object, allowed: Iterable[str]) -> str:
    """Say what is allowed, the nearest first.

    Examples
    --------
    >>> did_you_mean("Agee", ["Fare", "Age"])
    "did you mean 'Age'? There are 'Age', 'Fare'"
    """
    names = [str(item) for item in allowed]
    close = difflib.get_close_matches(str(name), names, n=3, cutoff=0.6)
    folded = [item for item in names if item.casefold() == str(name).casefold() and item not in close]
    close = folded + close
    rest = sorted(set(names) - set(close))
    listed = ", ".join(repr(item) for item in [*close, *rest][:12]) or "none"
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    hint = f"did you mean {close[0]!r}? " if close else ""
    return f"{hint}{'There' if hint else 'there'} are {listed}{more}"


def bind(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> inspect.BoundArguments:
    """Bind a call to a tool's signature, or say which parameter is wrong."""
    signature = inspect.signature(function)
    for name in kwargs:
        if name not in signature.parameters:
            raise TypeError(
                f"{function.__name__} has no parameter {name!r}: {did_you_mean(name, signature.parameters)}."
            )
    try:
        return signature.bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(
            f"{function.__name__}{signature} was called wrongly: {error}; "
            "only train and test are positional, all else is passed by name."
        ) from None


def check_frames(tool: str, train: object, test: object) -> None:
    """Check that train (and test, when given) are frames with unique text column names."""
    for name, frame in (("train", train), ("test", test)):
        if frame is None and name == "test":
            continue
        if not isinstance(frame, pd.DataFrame):
            raise TypeError(
                f"{tool}: {name} must be a DataFrame{' or None' if name == 'test' else ''}, not {type(frame).__name__}."
            )
        odd = [column for column in frame.columns if not isinstance(column, str)]
        if odd:
            raise TypeError(f"{tool}: {name} has the column name {odd[0]!r}; column names must be text.")
        if not frame.columns.is_unique:
            twice = frame.columns[frame.columns.duplicated()][0]
            raise ValueError(f"{tool}: {name} has two columns named {twice!r}; rename one.")


def check_choice(parameter: str, value: object, allowed: Sequence[str]) -> None:
    """Check that a value is one of those allowed."""
    if value not in allowed:
        raise ValueError(f"{parameter}={value!r} is not allowed: {did_you_mean(value, allowed)}.")


def check_number(
    parameter: str,
    value: Any,
    low: float = -np.inf,
    high: float = np.inf,
    *,
    above: float = -np.inf,
    integer: bool = False,
) -> None:
    """Check that a value is a number from `low` to `high` and greater than `above`."""
    kinds: Any = (int, np.integer) if integer else (int, float, np.integer, np.floating)
    wanted = "an integer" if integer else "a number"
    limits = [f"{word} {limit:g}" for word, limit in _limits(low, high, above) if np.isfinite(limit)]
    allowed = " ".join([wanted, " and ".join(limits)]).strip()
    if isinstance(value, bool) or not isinstance(value, kinds):
        raise TypeError(f"{parameter}={value!r} must be {allowed}.")
    if not (low <= value <= high and value > above):
        raise ValueError(f"{parameter}={value!r} must be {allowed}.")


def _limits(low: float, high: float, above: float) -> list[tuple[str, float]]:
    return [("at least", low), ("greater than", above), ("at most", high)]


def check_names(parameter: str, names: object, train: pd.DataFrame, test: pd.DataFrame | None) -> list[str]:
    """Turn one name or a sequence of names into a list of columns that both frames have."""
    if isinstance(names, str):
        names = [names]
    if isinstance(names, dict | set) or not isinstance(names, Iterable):
        raise TypeError(f"{parameter}={names!r} must be a column name or a list of column names.")
    listed = list(dict.fromkeys(names))
    for name in listed:
        if name not in train.columns:
            raise ValueError(f"{parameter}: train has no column {name!r}; {did_you_mean(name, train.columns)}.")
        if test is not None and name not in test.columns:
            raise ValueError(f"{parameter}: test has no column {name!r}, train has it; name only columns of both.")
    return listed


def check_pairs(parameter: str, pairs: object, train: pd.DataFrame, test: pd.DataFrame | None) -> list[tuple[str, str]]:
    """Check a list of pairs of columns."""
    if isinstance(pairs, tuple) and len(pairs) == 2 and all(isinstance(name, str) for name in pairs):
        pairs = [pairs]
    if isinstance(pairs, str) or not isinstance(pairs, Iterable):
        raise TypeError(f"{parameter}={pairs!r} must be a list of pairs of column names.")
    checked = []
    for pair in pairs:
        if isinstance(pair, str) or len(pair) != 2:
            raise ValueError(f"{parameter}: {pair!r} must be a pair of column names.")
        for name in pair:
            check_names(parameter, name, train, test)
        checked.append((pair[0], pair[1]))
    return checked


def _holds(column: pd.Series, holds: Holds) -> bool:
    if holds == "numbers":
        return is_numeric(column) or pd.api.types.is_bool_dtype(column.dtype)
    if holds == "text":
        return is_text(column) or pd.api.types.is_bool_dtype(column.dtype)
    return is_datetime(column) if holds == "datetimes" else True


def chosen(
    train: pd.DataFrame,
    test: pd.DataFrame | None,
    columns: Columns,
    *,
    holds: Holds = "anything",
    default: Callable[[pd.Series], bool] | None = None,
    parameter: str = "columns",
) -> list[str]:
    """Turn the `columns` argument of a tool into a list of names.

    None means all columns that both frames have, that hold what the tool takes and for whose train values `default`
    is true; the marks of excluded rows are never among them. Named columns must exist and hold what the tool takes.
    """
    if columns is None:
        common = [name for name in train.columns if name not in (EXCLUDE, REASON)]
        common = [name for name in common if test is None or name in test.columns]
        fitting = [
            name for name in common if all(_fits(frame[name], holds) for frame in (train, test) if frame is not None)
        ]
        return [name for name in fitting if default is None or default(train[name])]
    listed = check_names(parameter, columns, train, test)
    for name in listed:
        for side, frame in (("train", train), ("test", test)):
            if frame is not None and not _holds(frame[name], holds):
                raise ValueError(
                    f"{parameter}: column {name!r} of {side} has type {frame[name].dtype}, but {holds} are needed; "
                    f"{_REMEDY[holds]}."
                )
    return listed


def _fits(column: pd.Series, holds: Holds) -> bool:
    return _holds(column, holds) and not (holds != "anything" and pd.api.types.is_bool_dtype(column.dtype))
