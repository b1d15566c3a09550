"""Columns that go: by name, mostly missing, constant, or copies of another."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from autods.tools._checks import Columns, check_names, check_number, chosen
from autods.tools._frames import Frames, frame_tool, map_both

__all__ = ["drop_columns", "remove_columns_with_missing_data", "remove_constant_columns", "remove_duplicate_columns"]


def _drop(train: pd.DataFrame, test: pd.DataFrame | None, names: list[str]) -> Frames:
    return map_both(train, test, lambda frame: frame.drop(columns=names))


@frame_tool()
def drop_columns(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    columns: Columns | Mapping[str, str],
    reason: str = "",
) -> Frames:
    """Drop columns, and say in the code why.

    Parameters
    ----------
    columns
        The columns, or a mapping from column to the reason why it goes.
    reason
        Why they go; kept in the code for whoever reads it.

    Returns
    -------
    The frames without these columns.

    Notes
    -----
    Use it for identifiers, copies and columns that test does not know. Weak columns do little harm to tree boosters:
    drop them only when a comparison says so.

    Examples
    --------
    >>> train = pd.DataFrame({"PassengerId": [1, 2], "Age": [22, 38]})
    >>> train, _ = drop_columns(train, columns=["PassengerId"], reason="a running number")
    >>> list(train)
    ['Age']
    """
    names = check_names("columns", list(columns) if isinstance(columns, Mapping) else columns, train, test)
    return _drop(train, test, names)


@frame_tool()
def remove_columns_with_missing_data(
    train: pd.DataFrame, test: pd.DataFrame | None = None, *, columns: Columns = None, threshold: float = 0.5
) -> Frames:
    """Drop columns whose share of missing values in train is at least the threshold.

    Parameters
    ----------
    columns
        The columns to consider; None means all.
    threshold
        A share greater than 0, at most 1.

    Returns
    -------
    The frames without these columns; the others keep their order.

    Notes
    -----
    Look first at whether being missing is informative: a mostly missing `Cabin` is one of the best columns of titanic
    once it is marked (`mark_missing`).

    Examples
    --------
    >>> train = pd.DataFrame({"a": [1, 2, 3, 4], "b": [None, None, None, 4]})
    >>> train, _ = remove_columns_with_missing_data(train, threshold=0.7)
    >>> list(train)
    ['a']
    """
    check_number("threshold", threshold, high=1, above=0)
    names = chosen(train, test, columns)
    share = train[names].isna().mean() if len(train) else pd.Series(0.0, index=names)
    return _drop(train, test, [name for name in names if share[name] >= threshold])


@frame_tool()
def remove_constant_columns(
    train: pd.DataFrame, test: pd.DataFrame | None = None, *, columns: Columns = None, keep_missing: bool = True
) -> Frames:
    """Drop columns that have a single value in train, or none.

    Parameters
    ----------
    columns
        The columns to consider; None means all.
    keep_missing
        Whether missing counts as a value, so that a column that is "yes" or missing stays.

    Returns
    -------
    The frames without these columns.

    Examples
    --------
    >>> train = pd.DataFrame({"a": [1, 1], "b": ["yes", None]})
    >>> list(remove_constant_columns(train)[0]), list(remove_constant_columns(train, keep_missing=False)[0])
    (['b'], [])
    """
    names = chosen(train, test, columns)
    return _drop(train, test, [name for name in names if train[name].nunique(dropna=not keep_missing) <= 1])


@frame_tool()
def remove_duplicate_columns(
    train: pd.DataFrame, test: pd.DataFrame | None = None, *, columns: Columns = None
) -> Frames:
    """Drop columns whose values in train repeat those of an earlier column.

    Parameters
    ----------
    columns
        The columns to consider; None means all.

    Returns
    -------
    The frames; of equal columns the first stays.

    Notes
    -----
    Two columns that spell the same grouping differently (codes and names) are not equal; see
    `correlation_feature_selection`.

    Examples
    --------
    >>> train, _ = remove_duplicate_columns(pd.DataFrame({"a": [1, 2], "b": [1, 2], "c": [2, 1]}))
    >>> list(train)
    ['a', 'c']
    """
    names = chosen(train, test, columns)
    seen: dict[tuple[str, int], list[str]] = {}
    repeated = []
    for name in names:
        key = (str(train[name].dtype), int(pd.util.hash_pandas_object(train[name], index=False).sum()))
        if any(train[name].equals(train[other]) for other in seen.get(key, [])):
            repeated.append(name)
        else:
            seen.setdefault(key, []).append(name)
    return _drop(train, test, repeated)
