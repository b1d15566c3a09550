"""Missing values: fill them, mark them, make them a level, or declare values missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from autods.tools._checks import Columns, check_choice, check_names, chosen, is_datetime, is_numeric, is_text
from autods.tools._frames import Frames, add_columns, as_number, as_text, frame_tool, joint_codes, map_both

__all__ = ["fill_missing_values", "mark_missing", "missing_as_level", "values_to_missing"]

METHODS = ("auto", "mean", "median", "mode", "constant")
SMALL_GROUP = 5


@frame_tool()
def fill_missing_values(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    columns: Columns = None,
    method: str = "auto",
    fill_value: object = None,
    by: Columns = None,
) -> Frames:
    """Fill missing values with a value that train gives.

    Parameters
    ----------
    columns
        The columns to fill; None means every column that both frames have. A column whose train values are all missing
        is filled with 0, or with the level "missing" when it holds text; all-missing datetimes stay as they are.
    method
        "auto" (median of numbers and datetimes, mode of all else), "mean", "median" (both for numbers and datetimes;
        text gets its mode), "mode" (most frequent; the first in sort order of those tied) or "constant" (`fill_value`).
    fill_value
        The constant, for method="constant".
    by
        Fill from the rows that agree in these columns: with ["Title", "Pclass"] from those of the same title and class,
        where train has fewer than 5 such values from those of the same title, then from all.

    Returns
    -------
    The frames; filled columns keep their type (nullable integers and booleans become float64).

    Raises
    ------
    ValueError
        For an unknown method or column, or a constant that does not fit a column.

    Notes
    -----
    Use it where an estimator cannot take missing values, or where something in the data says what the value would be
    (`by`). Do not use it when being missing is itself informative (`mark_missing`, `missing_as_level`): tree boosters
    handle missing numbers better than any filling.

    Examples
    --------
    >>> train = pd.DataFrame({"Age": [20.0, None, 40.0, 60.0], "Port": ["S", "S", None, "C"]})
    >>> test = pd.DataFrame({"Age": [None], "Port": [None]}).astype({"Age": "float64", "Port": "str"})
    >>> train, test = fill_missing_values(train, test, method="auto")
    >>> train["Age"].tolist(), train["Port"].tolist()
    ([20.0, 40.0, 40.0, 60.0], ['S', 'S', 'S', 'C'])
    >>> test
        Age Port
    0  40.0    S
    """
    check_choice("method", method, METHODS)
    names = chosen(train, test, columns)
    keys = [] if by is None else check_names("by", by, train, test)
    if method == "constant" and (fill_value is None or pd.isna(fill_value)):  # type: ignore[call-overload]
        raise ValueError(f"fill_value={fill_value!r} must be the value to fill with when method='constant'.")
    if method == "constant" and keys:
        raise ValueError(f"by={by!r} has no use with method='constant'; leave it out.")
    original = train.copy(deep=False)
    learned = {name: _fallback(original[name], method, fill_value) for name in names}

    def fill(frame: pd.DataFrame) -> pd.DataFrame:
        result = frame.copy(deep=False)
        for name in names:
            column = _plain(frame[name])
            for depth in range(len(keys), 0, -1):
                if name not in keys and column.isna().any():
                    column = column.fillna(_by_group(original, frame, name, keys[:depth], method))
            fillable = learned[name] is not None and column.isna().any()
            result[name] = column.fillna(learned[name]) if fillable else column
        return result

    return map_both(train, test, fill)


def _plain(column: pd.Series) -> pd.Series:
    """Turn categories and object columns into text, nullable numbers and booleans into float64."""
    if is_text(column):
        return as_text(column)
    if isinstance(column.dtype, pd.api.extensions.ExtensionDtype) and not is_datetime(column):
        return as_number(column)
    return column


def _fallback(column: pd.Series, method: str, fill_value: object) -> Any:
    if method == "constant":
        return _constant(column, fill_value)
    return _typical(_plain(column), method)


def _typical(column: pd.Series, method: str) -> Any:
    """Return the mean, median or mode of a plain column."""
    measured = is_numeric(column) or is_datetime(column)
    values = column.dropna()
    if is_numeric(column):
        values = values[np.isfinite(values)]
    if values.empty:
        return None if is_datetime(column) else (0 if is_numeric(column) else "missing")
    if method == "mode" or not measured:
        most = values.mode().iloc[0]
        return float(most) if isinstance(most, bool | np.bool_) else most
    return values.mean() if method == "mean" else values.median()


def _constant(column: pd.Series, fill_value: object) -> Any:
    if is_text(column):
        return str(fill_value)
    if is_datetime(column):
        return pd.Timestamp(fill_value)  # type: ignore[arg-type]
    if isinstance(fill_value, bool | int | float | np.number):
        return fill_value
    raise ValueError(
        f"fill_value={fill_value!r} does not fit column {column.name!r} of type {column.dtype}; give a number."
    )


def _by_group(train: pd.DataFrame, frame: pd.DataFrame, name: str, keys: list[str], method: str) -> pd.Series:
    """Give each row of `frame` the typical value of its group in train; NaN where the group is small or unknown."""
    column = _plain(train[name])
    known = column.notna() & (np.isfinite(column) if is_numeric(column) else True)
    of_train, of_frame = joint_codes(train, frame, keys, missing_groups=True)
    values, groups = column[known], of_train[known.to_numpy()]
    grouped = values.groupby(groups)
    if method == "mode" or not (is_numeric(column) or is_datetime(column)):
        typical = _modes(values, groups)
    else:
        typical = grouped.mean() if method == "mean" else grouped.median()
    typical = typical[grouped.size() >= SMALL_GROUP]
    return typical.reindex(of_frame).set_axis(frame.index).astype(column.dtype)


def _modes(values: pd.Series, groups: np.ndarray) -> pd.Series:
    """Return the most frequent value of each group; the first in sort order of those tied."""
    counted = pd.DataFrame({"group": groups, "value": values.to_numpy()}).value_counts().reset_index()
    counted = counted.sort_values(["group", "count", "value"], ascending=[True, False, True]).drop_duplicates("group")
    return counted.set_index("group")["value"]


@frame_tool()
def mark_missing(train: pd.DataFrame, test: pd.DataFrame | None = None, *, columns: Columns = None) -> Frames:
    """Add `<column>_missing`, 1 where the column is missing and 0 elsewhere.

    Parameters
    ----------
    columns
        The columns to mark; None means those with missing values in train.

    Returns
    -------
    The frames with one int64 column more for each.

    Notes
    -----
    Use it before filling, where missing rows differ from others. A column that is missing in a handful of rows is not
    worth a mark.

    Examples
    --------
    >>> train, _ = mark_missing(pd.DataFrame({"Cabin": ["C85", None], "Age": [22, 38]}))
    >>> train["Cabin_missing"].tolist()
    [0, 1]
    """
    names = chosen(train, test, columns, default=lambda column: bool(column.isna().any()))
    return add_columns(
        train, test, lambda frame: {f"{name}_missing": frame[name].isna().astype("int64") for name in names}
    )


@frame_tool()
def missing_as_level(
    train: pd.DataFrame, test: pd.DataFrame | None = None, *, columns: Columns = None, level: str = "missing"
) -> Frames:
    """Make missing a level of its own in category columns.

    Parameters
    ----------
    columns
        Columns of text; None means all.
    level
        The name of the level; when train already has a level of this name the two become one.

    Returns
    -------
    The frames; the columns are text without missing values.

    Notes
    -----
    Use it where missing means "there is none" (no alley, no basement) or where whoever left it out is a group of its
    own. For numbers use `mark_missing`.

    Examples
    --------
    >>> train, _ = missing_as_level(pd.DataFrame({"Alley": ["Grvl", None]}), level="none")
    >>> train["Alley"].tolist()
    ['Grvl', 'none']
    """
    if not isinstance(level, str) or not level:
        raise ValueError(f"level={level!r} must be a text that is not empty.")
    names = chosen(train, test, columns, holds="text")
    return map_both(
        train, test, lambda frame: frame.assign(**{name: as_text(frame[name]).fillna(level) for name in names})
    )


@frame_tool()
def values_to_missing(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    columns: Columns = None,
    values: Sequence[Any] | Mapping[str, Sequence[Any]],
) -> Frames:
    """Declare values that stand for "missing" (`?`, 999, a blood pressure of 0) missing.

    Parameters
    ----------
    columns
        The columns to look at; None means all (or those that `values` names).
    values
        The values, or a mapping from column to its values. Text matches exactly, after blanks at the ends are removed.

    Returns
    -------
    The frames; integer columns become float64 in both.

    Notes
    -----
    Use it where a number cannot be a measurement or a text says that nothing is known. Do not use it on zeros that are
    real amounts.

    Examples
    --------
    >>> train = pd.DataFrame({"bmi": [0.0, 27.5], "smoker": ["?", "no"]})
    >>> train, _ = values_to_missing(train, values={"bmi": [0], "smoker": ["?"]})
    >>> train.isna().sum().to_dict()
    {'bmi': 1, 'smoker': 1}
    """
    if isinstance(values, str) or not isinstance(values, Mapping | Sequence):
        raise TypeError(f"values={values!r} must be a list of values or a mapping from column to list.")
    if isinstance(values, Mapping) and columns is None:
        names = check_names("values", list(values), train, test)
    else:
        names = chosen(train, test, columns)
    wanted = {name: list(values.get(name, ())) if isinstance(values, Mapping) else list(values) for name in names}

    def declare(frame: pd.DataFrame) -> pd.DataFrame:
        return frame.assign(**{name: _without(frame[name], wanted[name]) for name in names})

    return map_both(train, test, declare)


def _without(column: pd.Series, values: list[Any]) -> pd.Series:
    if is_text(column):
        text = as_text(column)
        return text.mask(text.str.strip().isin([str(value).strip() for value in values]).astype(bool))
    numbers = [value for value in values if isinstance(value, int | float | np.number)]
    if is_numeric(column) and numbers:
        plain = as_number(column)
        return plain.mask(plain.isin(numbers))
    return column
