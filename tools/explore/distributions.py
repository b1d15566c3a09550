"""Figures of how columns are distributed: in train and test, and where they drift apart."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from autods.tools._checks import Columns, chosen, is_datetime
from autods.tools.explore._reports import report_tool
from autods.tools.explore.canvas import MAX_PANELS, TEST, TRAIN, Panels, drawing, label, percent_axis, save, thin
from autods.tools.explore.columns import finite, holds_numbers, holds_text, levels_of, numbers_of
from autods.tools.explore.drifts import drift

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["as_float", "plot_distributions", "plot_drift", "shown_numbers"]

_FEW = 12
_SECONDS_A_YEAR = 365.2425 * 86400


@report_tool
def plot_distributions(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    columns: Columns = None,
    out: str | Path = ".",
    *,
    name: str = "distributions.png",
) -> str:
    """Draw how each column is distributed, train and test side by side.

    Parameters
    ----------
    train, test
        The frames; test may be None.
    columns
        At most twelve are drawn, the first ones; None means all columns of both.
    out
        The folder for the picture.
    name
        The picture's file name.

    Returns
    -------
    The file name, relative to `out`.

    Notes
    -----
    Numbers get a histogram (the far tails are cut off and counted in the corner), levels their most frequent values,
    text the number of words.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plot_distributions(pd.DataFrame({"age": [20.0, 30.0, 41.0]}), out=folder)
    'distributions.png'
    """
    names = chosen(train, test, columns)
    return _draw(train, test, names, {}, out, name, "Distributions")


@report_tool
def plot_drift(
    train: pd.DataFrame, test: pd.DataFrame, columns: Columns = None, out: str | Path = ".", *, name: str = "drift.png"
) -> str:
    """Draw the columns in which test is furthest from train, the furthest first.

    Parameters
    ----------
    train, test
        The frames.
    columns
        The columns to compare; None means all of both. The twelve with the largest drift are drawn.
    out, name
        The folder for the picture, and its file name.

    Returns
    -------
    The file name, relative to `out`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plot_drift(pd.DataFrame({"a": [1.0, 2.0]}), pd.DataFrame({"a": [5.0, 6.0]}), out=folder)
    'drift.png'
    """
    names = chosen(train, test, columns)
    drifts = {column: drift(train[column], test[column]) for column in names}
    ordered = sorted(names, key=lambda column: -np.nan_to_num(drifts[column], nan=-1.0))
    return _draw(train, test, ordered, drifts, out, name, "Largest drift between train and test")


def _draw(
    train: pd.DataFrame,
    test: pd.DataFrame | None,
    names: list[str],
    drifts: dict[str, float],
    out: str | Path,
    name: str,
    heading: str,
) -> str:
    shown = names[:MAX_PANELS]
    more = f" ({len(shown)} of {len(names)} columns)" if len(shown) < len(names) else ""
    with drawing():
        entries = {"train": TRAIN} | ({} if test is None else {"test": TEST})
        panels = Panels(len(shown), heading=heading + more, entries=entries)
        if not shown:
            panels.axes[0].text(0.5, 0.5, "There is no column to draw.", ha="center", va="center")
        for axes, column in zip(panels.axes, shown, strict=False):
            distance = drifts.get(column, np.nan)
            axes.set_title(label(column) + (f"   {distance:.2f}" if np.isfinite(distance) else ""))
            _panel(axes, train[column], None if test is None else test[column])
        return save(panels, out, name)


def _panel(axes: Axes, train: pd.Series, test: pd.Series | None) -> None:
    parts = [train] if test is None else [train, test]
    if all(map(holds_numbers, parts)):
        numbers = [thin(finite(numbers_of(part))) for part in parts]
        if is_datetime(train):
            numbers = [1970 + values / _SECONDS_A_YEAR for values in numbers]
        if numbers[0].size and np.unique(np.concatenate(numbers)).size > _FEW:
            return _histogram(axes, numbers)
    elif holds_text(train):
        axes.set_xlabel("words")
        return _histogram(axes, [_words(part) for part in parts])
    return _bars(axes, parts)


def _words(column: pd.Series) -> np.ndarray:
    return np.array([len(text.split()) for text in thin(column.dropna().astype("str").to_numpy(), 5000)], dtype=float)


def shown_numbers(values: np.ndarray) -> tuple[float, float]:
    """The range to draw: all values, or the middle 99 % where the tails would squeeze it."""
    low, inner_low, inner_high, high = np.quantile(values, [0, 0.005, 0.995, 1])
    reach = 2 * (inner_high - inner_low)
    if reach <= 0:
        return float(low), float(high)
    return float(low if low > inner_low - reach else inner_low), float(
        high if high < inner_high + reach else inner_high
    )


def _histogram(axes: Axes, numbers: list[np.ndarray]) -> None:
    together = np.concatenate(numbers)
    if not together.size:
        axes.text(0.5, 0.5, "no value", ha="center", va="center", transform=axes.transAxes)
        return
    low, high = shown_numbers(together)
    whole = bool(np.all(together == np.floor(together))) and high - low <= 40
    edges = np.arange(low - 0.5, high + 1.5) if whole else np.linspace(low, high if high > low else low + 1, 31)
    for values, colour, filled in zip(numbers, (TRAIN, TEST), (True, False), strict=False):
        shares = np.histogram(values, edges)[0] / max(1, values.size)
        if filled:
            axes.stairs(shares, edges, fill=True, color=colour, alpha=0.55, linewidth=0)
        else:
            axes.stairs(shares, edges, color=colour, linewidth=1.4)
    percent_axis(axes.yaxis)
    axes.grid(axis="x", visible=False)
    beyond = float(np.mean((together < low) | (together > high)))
    if beyond > 0:
        axes.text(0.99, 0.97, f"{beyond:.1%} beyond", ha="right", va="top", fontsize=7, transform=axes.transAxes)


def _bars(axes: Axes, parts: list[pd.Series]) -> None:
    counts = [levels_of(part).value_counts() for part in parts]
    joint = counts[0] if len(counts) == 1 else counts[0].add(counts[1], fill_value=0)
    numeric = holds_numbers(parts[0])
    order = list(joint.sort_values(ascending=False, kind="stable").index[: _FEW if numeric else 8])
    if numeric:
        order.sort(key=as_float)
    places = np.arange(len(order))
    height = 0.8 / len(parts)
    for i, (count, part, colour) in enumerate(zip(counts, parts, (TRAIN, TEST), strict=False)):
        shares = count.reindex(order).fillna(0).to_numpy(dtype=float) / max(1, part.count())
        axes.barh(places + (i - (len(parts) - 1) / 2) * height, shares, height, color=colour, alpha=0.85)
    axes.set_yticks(places, [label(level, 13) for level in order])
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    percent_axis(axes.xaxis)
    if len(joint) > len(order):
        axes.text(0.99, 0.03, f"{len(joint) - len(order):,} more levels", ha="right", va="bottom", fontsize=7,
                  transform=axes.transAxes)  # fmt: skip


def as_float(level: str) -> float:
    """Read a level of a numeric column, to put levels in order."""
    try:
        return float(level)
    except ValueError:
        return float(level == "True")
