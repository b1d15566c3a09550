"""The closed registry of statistics, and findings made of them: numbers that the gate recomputes."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

from autods.tools._checks import did_you_mean
from autods.tools.explore._reports import report_tool
from autods.tools.explore.drifts import FRAME_PAIR, ONE_COLUMN_PAIR
from autods.tools.explore.frames import WHOLE_FRAME
from autods.tools.explore.one_column import ONE_COLUMN
from autods.tools.explore.two_columns import THREE_COLUMNS, TWO_COLUMNS
from autods.tools.records import Finding

__all__ = ["STATISTICS", "Statistic", "compute", "finding", "findings"]

_PLACE = re.compile(r"\{(value|column|other|columns|target)(?::([^{}]*))?\}")
_WORDS = {0: "no or any number of columns", 1: "one column", 2: "two columns", 3: "three columns"}


@dataclass(frozen=True, slots=True)
class Statistic:
    """A number anyone can recompute from train, test and column names alone.

    Attributes
    ----------
    name, description
        What it is called in findings, and what it says.
    n_columns
        How many columns it takes; 0 for any number, where none means all.
    pair
        Whether it compares test with train; else it is of one frame, or of the rows of both together.
    function
        Takes series (columns), or frames when `n_columns` is 0; for a pair of train, then of test.
    """

    name: str
    description: str
    n_columns: int
    pair: bool
    function: Callable[..., float]

    def __call__(self, train: pd.DataFrame, test: pd.DataFrame | None, columns: Sequence[str]) -> float:
        """Compute it on the first frame, or on both when it compares them."""
        frames = (train, test) if self.pair and test is not None else (train,)
        common = [name for name in train.columns if all(name in frame for frame in frames)]
        # Numbers near the limits of a float overflow to infinity, of which no finding is made.
        with np.errstate(all="ignore"):
            if self.n_columns == 0:
                return float(self.function(*(frame[list(columns) or common] for frame in frames)))
            return float(self.function(*(frame[name] for frame in frames for name in columns)))


def _registry() -> dict[str, Statistic]:
    tables: tuple[tuple[Mapping[str, Any], int, bool], ...] = (
        (WHOLE_FRAME, 0, False), (ONE_COLUMN, 1, False), (TWO_COLUMNS, 2, False), (THREE_COLUMNS, 3, False),
        (FRAME_PAIR, 0, True), (ONE_COLUMN_PAIR, 1, True),
    )  # fmt: skip
    made = [
        Statistic(name, str(function.__doc__).strip().splitlines()[0], n_columns, pair, function)
        for table, n_columns, pair in tables
        for name, function in table.items()
    ]
    return {statistic.name: statistic for statistic in sorted(made, key=lambda statistic: statistic.name)}


STATISTICS: Mapping[str, Statistic] = MappingProxyType(_registry())


@report_tool
def compute(
    statistic: str, frame: str, columns: Sequence[str], train: pd.DataFrame, test: pd.DataFrame | None = None
) -> float:
    """Compute a statistic of the registry.

    Parameters
    ----------
    statistic
        A name in `STATISTICS`.
    frame
        `train`, `test` or `both`. Statistics that compare the frames take `both`; for all others it means the rows of
        both together.
    columns
        The columns it is computed on, in order; empty for all of them where it takes any number.
    train, test
        The frames; test may be None for statistics of train.

    Returns
    -------
    The number; NaN where it is not defined (all missing, constant, too few rows).

    Raises
    ------
    ValueError
        For an unknown statistic, frame or column, or the wrong number of columns.

    Examples
    --------
    >>> train = pd.DataFrame({"age": [20.0, None, 40.0, 60.0]})
    >>> compute("missing_share", "train", ["age"], train)
    0.25
    """
    known = _known(statistic)
    names = (columns,) if isinstance(columns, str) else tuple(columns)
    first, second = _frames(known, frame, names, train, test)
    if known.n_columns and len(names) != known.n_columns:
        raise ValueError(
            f"{statistic} takes {_WORDS[known.n_columns]}, not {len(names)} ({list(names)}): {known.description}"
        )
    for name in names:
        for side in (first, second):
            if side is not None and name not in side.columns:
                raise ValueError(f"{statistic}: there is no column {name!r}; {did_you_mean(name, side.columns)}.")
    return known(first, second, names)


def _known(statistic: str) -> Statistic:
    if statistic not in STATISTICS:
        raise ValueError(f"statistic={statistic!r} is not in STATISTICS: {did_you_mean(statistic, STATISTICS)}.")
    return STATISTICS[statistic]


def _frames(
    statistic: Statistic, frame: str, names: Sequence[str], train: pd.DataFrame, test: pd.DataFrame | None
) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    if frame not in ("train", "test", "both"):
        raise ValueError(f"frame={frame!r} is not allowed: there are 'train', 'test' and 'both'.")
    if statistic.pair and frame != "both":
        raise ValueError(f"{statistic.name} compares train with test: frame must be 'both', not {frame!r}.")
    if frame == "train":
        return train, None
    if test is None:
        raise ValueError(f"{statistic.name} on frame={frame!r} needs test, which is None.")
    if frame == "test" or statistic.pair:
        return (train, test) if statistic.pair else (test, None)
    common = [name for name in train.columns if name in test.columns and (not names or name in names)]
    return pd.concat([train[common], test[common]], ignore_index=True), None


@report_tool
def finding(
    statistic: str,
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    columns: str | Sequence[str] = (),
    text: str = "{statistic} is {value:.4g}.",
    *,
    frame: str | None = None,
) -> Finding | None:
    """Make a finding: compute the statistic and put its value into a sentence.

    Parameters
    ----------
    statistic, train, test, columns
        As `compute` takes them.
    text
        The sentence, with places `{value}` (also `{value:.1%}`, `{value:,.0f}` …), `{column}` (the first), `{other}`
        (the second), `{target}` (the last), `{columns}` and `{statistic}`. Other braces stay as they are.
    frame
        `train`, `test` or `both`; None means both for statistics that compare the frames, else train.

    Returns
    -------
    The finding, or None when the value is not defined, for then there is nothing to say; `findings` leaves such out.

    Raises
    ------
    ValueError
        As `compute`.

    Examples
    --------
    >>> train = pd.DataFrame({"age": [20.0, None, 40.0, 60.0]})
    >>> finding("missing_share", train, columns="age", text="{value:.0%} of {column} is missing.").text
    '25% of age is missing.'
    >>> finding("skew", train.assign(age=1.0), columns="age") is None
    True
    """
    names = (columns,) if isinstance(columns, str) else tuple(columns)
    frame = frame or ("both" if _known(statistic).pair else "train")
    value = compute(statistic, frame, names, train, test)
    if not math.isfinite(value):
        return None
    return Finding(statistic, frame, names, value, _filled(text.replace("{statistic}", statistic), value, names))


def _filled(text: str, value: float, names: Sequence[str]) -> str:
    words = {
        "value": value,
        "column": names[0] if names else "",
        "other": names[1] if len(names) > 1 else "",
        "target": names[-1] if names else "",
        "columns": ", ".join(names),
    }
    return _PLACE.sub(lambda place: format(words[place[1]], place[2] or ("" if place[1] != "value" else ".4g")), text)


@report_tool
def findings(
    statistic: str,
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    columns: Sequence[str | Sequence[str]] = (),
    text: str = "{statistic} of {columns} is {value:.4g}.",
    *,
    frame: str | None = None,
) -> list[Finding]:
    """Make a finding for each column (or pair, or triple of columns); those without a value are left out.

    Parameters
    ----------
    columns
        Column names, or tuples of them for statistics of several columns.
    statistic, train, test, text, frame
        As `finding` takes them.

    Returns
    -------
    The findings in the order of `columns`.

    Examples
    --------
    >>> train = pd.DataFrame({"a": [1.0, None], "b": [1.0, 2.0], "y": [0.0, 1.0]})
    >>> [found.text for found in findings("missing_share", train, columns=["a", "b"], text="{column}: {value:.0%}")]
    ['a: 50%', 'b: 0%']
    """
    made = (finding(statistic, train, test, names, text, frame=frame) for names in columns)
    return [found for found in made if found is not None]
