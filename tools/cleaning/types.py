"""Types of columns: convert them, and make train and test alike."""

from __future__ import annotations

import numpy as np
import pandas as pd

from autods.tools._checks import Columns, check_choice, chosen, is_datetime, is_numeric, is_text
from autods.tools._frames import Frames, as_number, as_text, frame_tool
from autods.tools.cleaning.dates import date_formats, read_dates

__all__ = ["convert_data_types", "match_types"]

TYPES = ("int", "float", "str", "bool", "datetime")
TRUE = {"true", "yes", "y", "t", "1", "1.0", "on"}
FALSE = {"false", "no", "n", "f", "0", "0.0", "off"}


@frame_tool(joint=True)
def convert_data_types(
    train: pd.DataFrame, test: pd.DataFrame | None = None, *, columns: Columns, target_type: str
) -> Frames:
    """Convert columns to a type, the same in both frames.

    Parameters
    ----------
    columns
        The columns to convert.
    target_type
        "int", "float", "str", "bool" or "datetime". Integers and booleans have no missing value: where either frame has
        one (or a number with a fraction, for "int") both become float64, with NaN, and 1 and 0 for true and false.

    Returns
    -------
    The frames; what cannot be converted is missing.

    Raises
    ------
    ValueError
        For an unknown type or column.

    Notes
    -----
    Use it for codes stored as numbers (`MSSubClass` to "str") and flags stored as text ("yes" and "no" to "bool"). For
    numbers with units or separators use `parse_numbers`, for control over dates `format_datetime`.

    Examples
    --------
    >>> train = pd.DataFrame({"code": [20.0, 60.0, None], "smoker": ["yes", "no", "yes"]})
    >>> train, _ = convert_data_types(train, columns=["code"], target_type="str")
    >>> train, _ = convert_data_types(train, columns=["smoker"], target_type="bool")
    >>> train["code"].tolist(), train["smoker"].tolist()
    (['20', '60', nan], [True, False, True])
    """
    check_choice("target_type", target_type, TYPES)
    for name in chosen(train, test, columns):
        converted = _convert(train[name], None if test is None else test[name], target_type)
        train[name] = converted[0]
        if test is not None:
            test[name] = converted[1]
    return train, test


def _convert(train: pd.Series, test: pd.Series | None, target_type: str) -> list[pd.Series]:
    sides = [side for side in (train, test) if side is not None]
    if target_type == "datetime":
        formats = date_formats(train, None, None, None)
        return [read_dates(side, formats) for side in sides]
    if target_type == "str":
        return [number_text(side) for side in sides]
    if target_type == "bool":
        truths = [_truth(side) for side in sides]
        return truths if any(side.isna().any() for side in truths) else [side.astype("bool") for side in truths]
    numbers = [_number(side) for side in sides]
    whole = all((np.isfinite(side) & (side == side.round()) & (side.abs() < 2**63)).all() for side in numbers)
    return [side.astype("int64") for side in numbers] if target_type == "int" and whole else numbers


def number_text(column: pd.Series) -> pd.Series:
    """Return a column as text; whole floats are written without a fraction, missing stays missing."""
    text = as_text(column)
    if not (is_numeric(column) and pd.api.types.is_float_dtype(column.dtype)):
        return text
    values = as_number(column)
    finite = values[np.isfinite(values)]
    whole = (finite == finite.round()).all() and (finite.abs() < 2**53).all()
    return text.str.removesuffix(".0") if whole else text


def _number(column: pd.Series) -> pd.Series:
    if is_text(column):
        return pd.to_numeric(as_text(column).str.strip(), errors="coerce").astype("float64")
    if is_datetime(column):
        return ((column - pd.Timestamp(0, tz=column.dt.tz)) / pd.Timedelta(seconds=1)).astype("float64")
    return as_number(column)


def _truth(column: pd.Series) -> pd.Series:
    if is_text(column):
        text = as_text(column)
        levels = {level: _truth_of(level) for level in text.dropna().unique()}
        return text.map(levels).astype("float64")
    numbers = _number(column)
    return (numbers != 0).astype("float64").where(numbers.notna())


def _truth_of(level: str) -> float:
    folded = level.strip().casefold()
    return 1.0 if folded in TRUE else 0.0 if folded in FALSE else np.nan


@frame_tool(joint=True)
def match_types(train: pd.DataFrame, test: pd.DataFrame | None = None, *, columns: Columns = None) -> Frames:
    """Give columns whose types differ between train and test one type: the one that loses nothing.

    Parameters
    ----------
    columns
        The columns to compare; None means all that both frames have.

    Returns
    -------
    The frames. Integers and floats become float64, booleans and numbers float64; numbers and text become float64 when
    all the text is numbers, else text; anything else becomes text.

    Notes
    -----
    Use it after reading train and test apart, where a column that is empty or odd on one side was read differently.

    Examples
    --------
    >>> train, test = match_types(pd.DataFrame({"a": [1, 2]}), pd.DataFrame({"a": ["3", None]}))
    >>> train["a"].dtype, test["a"].tolist()
    (dtype('float64'), [3.0, nan])
    """
    if test is None:
        return train, test
    for name in chosen(train, test, columns):
        if train[name].dtype != test[name].dtype:
            train[name], test[name] = _alike(train[name], test[name])
    return train, test


def _alike(train: pd.Series, test: pd.Series) -> tuple[pd.Series, pd.Series]:
    if is_datetime(train) and is_datetime(test):
        return read_dates(train, ()), read_dates(test, ())
    numbers = [_number(side) for side in (train, test)]
    lost = any(number.notna().sum() < side.notna().sum() for number, side in zip(numbers, (train, test), strict=True))
    if lost or is_datetime(train) or is_datetime(test) or (is_text(train) and is_text(test)):
        return number_text(train), number_text(test)
    return numbers[0], numbers[1]
