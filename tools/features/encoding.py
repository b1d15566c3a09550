"""Categories as numbers, without the target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from autods.tools._checks import Columns, check_names, check_number, chosen, did_you_mean, is_text
from autods.tools._frames import Frames, add_columns, as_levels, as_text, frame_tool, joint_column, map_both

__all__ = ["frequency_encode", "label_encode", "one_hot_encode", "ordinal_map"]


def _levels(column: pd.Series) -> pd.Series:
    """Return the counts of the levels of a column, the most frequent first, then by name."""
    counts = as_levels(column).value_counts().rename_axis("level").reset_index(name="rows")
    return counts.sort_values(["rows", "level"], ascending=[False, True]).set_index("level")["rows"]


@frame_tool()
def one_hot_encode(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    columns: Columns = None,
    max_levels: int = 10,
    drop_original: bool = True,
) -> Frames:
    """Add `<column>_<level>`, 1 where the column has the level and 0 elsewhere.

    Parameters
    ----------
    columns
        Columns of categories; None means the text columns with 2 to `max_levels` levels in train.
    max_levels
        At most so many levels of a column, the most frequent of train, get a column.
    drop_original
        Whether the column itself goes.

    Returns
    -------
    The frames with int64 columns; missing values and levels that train does not know are 0 in all of them.

    Notes
    -----
    Use it for linear estimators, neighbours and networks on columns of few levels. Tree boosters take categories as
    they are; many levels want `frequency_encode`, `rare_levels` or, in a pipeline, `target_encode`.

    Examples
    --------
    >>> train = pd.DataFrame({"Sex": ["male", "female", None]})
    >>> train, _ = one_hot_encode(train)
    >>> train.to_dict("list")
    {'Sex_female': [0, 1, 0], 'Sex_male': [1, 0, 0]}
    """
    check_number("max_levels", max_levels, 1, integer=True)
    names = chosen(
        train, test, columns, default=lambda column: is_text(column) and 2 <= as_text(column).nunique() <= max_levels
    )
    kept = {name: sorted(_levels(train[name]).index[:max_levels]) for name in names}

    def make(frame: pd.DataFrame) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for name, levels in kept.items():
            codes = _codes(frame[name], pd.Index(levels, dtype="str"))
            made |= {f"{name}_{level}": (codes == number).astype("int64") for number, level in enumerate(levels)}
        return made

    return add_columns(train, test, make, drop=names if drop_original else ())


@frame_tool()
def label_encode(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    columns: Columns = None,
    drop_original: bool = True,
) -> Frames:
    """Add `<column>_encoded`: the number of the level in the sort order of train's levels.

    Parameters
    ----------
    columns
        Columns of categories; None means all text columns.
    drop_original
        Whether the column itself goes.

    Returns
    -------
    The frames with int64 columns; the codes are the same in both, -1 for missing and for levels train does not know.

    Notes
    -----
    The numbers have no meaning but for levels whose sort order has one; use `ordinal_map` where you know the order.
    Tree boosters take categories without this.

    Examples
    --------
    >>> train, test = label_encode(pd.DataFrame({"Port": ["S", "C", None]}), pd.DataFrame({"Port": ["S", "X"]}))
    >>> train["Port_encoded"].tolist(), test["Port_encoded"].tolist()
    ([1, 0, -1], [1, -1])
    """
    names = chosen(train, test, columns, default=is_text)
    levels = {name: pd.Index(as_levels(_ascending(train[name]))) for name in names}

    def make(frame: pd.DataFrame) -> dict[str, Any]:
        return {f"{name}_encoded": _codes(frame[name], levels[name]) for name in names}

    return add_columns(train, test, make, drop=names if drop_original else ())


def _ascending(column: pd.Series) -> pd.Series:
    """Return the distinct values of a column in order: numbers by size, text by letter."""
    values = as_text(column) if is_text(column) else column
    return values.dropna().drop_duplicates().sort_values()


def _codes(column: pd.Series, levels: pd.Index) -> np.ndarray:
    return levels.get_indexer(pd.Index(as_levels(column))).astype("int64")


@frame_tool(joint=True)
def frequency_encode(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    columns: Columns = None,
    drop_original: bool = False,
) -> Frames:
    """Add `<column>_freq`: the share of the rows of train and test together that have the same value.

    Parameters
    ----------
    columns
        The columns; None means all text columns.
    drop_original
        Whether the column itself goes.

    Returns
    -------
    The frames with float64 columns; missing counts as a value of its own.

    Notes
    -----
    Use it where how common a value is says something (a shared ticket, a big city), above all with many levels. It is
    joint: it counts the features of both frames, which no target touches.

    Examples
    --------
    >>> train, test = frequency_encode(pd.DataFrame({"Port": ["S", "C", "S"]}), pd.DataFrame({"Port": ["Q"]}))
    >>> train["Port_freq"].tolist(), test["Port_freq"].tolist()
    ([0.5, 0.25, 0.5], [0.25])
    """
    names = chosen(train, test, columns, default=is_text)
    both: dict[str, np.ndarray] = {}
    for name in names:
        codes = pd.factorize(joint_column(train, test, name), use_na_sentinel=False)[0]
        both[name] = np.bincount(codes)[codes] / max(len(codes), 1) if len(codes) else np.empty(0)

    def make(frame: pd.DataFrame) -> dict[str, Any]:
        part = slice(None, len(train)) if frame is train else slice(len(train), None)
        return {f"{name}_freq": shares[part] for name, shares in both.items()}

    return add_columns(train, test, make, drop=names if drop_original else ())


@frame_tool()
def ordinal_map(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    columns: Columns | Mapping[str, Sequence[str]],
    order: Sequence[Any] | None = None,
) -> Frames:
    """Replace the levels of a ladder by their rank: 0 for the lowest, 1 for the next, ….

    Parameters
    ----------
    columns
        The columns that `order` orders, or a mapping from column to its levels from lowest to highest.
    order
        The levels from lowest to highest. Levels match as spelled, or else without regard to case and outer blanks.

    Returns
    -------
    The frames; the columns are float64, missing where missing or where the level is not on the ladder.

    Raises
    ------
    ValueError
        When no value of a train column is on its ladder.

    Notes
    -----
    Use it for sizes, grades, qualities and ranges (`< 1 yr`, `1 - 4 yrs`). Levels without an order want another
    encoding.

    Examples
    --------
    >>> train = pd.DataFrame({"ExterQual": ["Gd", "TA", "Ex", None]})
    >>> train, _ = ordinal_map(train, columns=["ExterQual"], order=["Po", "Fa", "TA", "Gd", "Ex"])
    >>> train["ExterQual"].tolist()
    [3.0, 2.0, 4.0, nan]
    """
    if isinstance(columns, Mapping):
        ladders = {name: columns[name] for name in chosen(train, test, list(columns))}
    elif order is None:
        raise ValueError("order=None: give the levels from lowest to highest, or columns as {column: levels}.")
    else:
        ladders = dict.fromkeys(chosen(train, test, check_names("columns", columns, train, test)), order)
    ranks = {name: _ranks(name, ladder) for name, ladder in ladders.items()}
    for name, rank in ranks.items():
        levels = as_text(train[name]).dropna().unique()
        if len(levels) and not any(_rank(level, rank) is not None for level in levels):
            known = ", ".join(repr(level) for level in sorted(levels)[:12])
            raise ValueError(
                f"order: no level of column {name!r} is on the ladder {list(ladders[name])!r}; its levels are {known}."
            )
    return map_both(
        train, test, lambda frame: frame.assign(**{name: _ranked(frame[name], rank) for name, rank in ranks.items()})
    )


def _ranks(name: str, ladder: Any) -> dict[str, float]:
    if isinstance(ladder, str) or not isinstance(ladder, Sequence) or len(ladder) < 2:
        raise ValueError(f"order={ladder!r} of column {name!r} must be a list of at least two levels, lowest first.")
    ranks = {str(level): float(rank) for rank, level in enumerate(ladder)}
    if len(ranks) < len(ladder):
        raise ValueError(f"order={list(ladder)!r} of column {name!r} has a level twice; {did_you_mean('', ranks)}.")
    return ranks


def _rank(level: str, ranks: Mapping[str, float]) -> float | None:
    if level in ranks:
        return ranks[level]
    folded = {known.strip().casefold(): rank for known, rank in ranks.items()}
    return folded.get(level.strip().casefold())


def _ranked(column: pd.Series, ranks: Mapping[str, float]) -> pd.Series:
    text = as_text(column)
    return text.map({level: _rank(level, ranks) for level in text.dropna().unique()}).astype("float64")
