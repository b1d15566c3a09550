"""The figure of how the target depends on columns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from autods.tools._checks import Columns, check_names, chosen
from autods.tools.explore._reports import report_tool
from autods.tools.explore.canvas import (
    CLASSES,
    GREY,
    MAX_PANELS,
    TRAIN,
    Panels,
    drawing,
    label,
    percent_axis,
    save,
    thin,
)
from autods.tools.explore.columns import FEW_LEVELS, holds_numbers, holds_text, levels_of, numbers_of
from autods.tools.explore.distributions import as_float, shown_numbers
from autods.tools.explore.two_columns import signals_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_target_relation"]

_MOST_LEVELS = 8
_MOST_CLASSES = len(CLASSES)


@report_tool
def plot_target_relation(
    train: pd.DataFrame,
    target: str,
    columns: Columns = None,
    out: str | Path = ".",
    *,
    name: str = "target_relation.png",
) -> str:
    """Draw how the target depends on each column.

    Parameters
    ----------
    train
        The frame, with the target among its columns.
    target
        The target's column.
    columns
        At most twelve are drawn, those that rank the target best; None means all but the target.
    out, name
        The folder for the picture, and its file name.

    Returns
    -------
    The file name, relative to `out`.

    Notes
    -----
    Two classes: the share of the rarer one by level or by bins of numbers, with its 95 % interval. More classes: the
    shares of all. Numbers: a cloud with the median of bins, or the 5, 25, 50, 75 and 95 % quantiles by level. Titles carry the statistic `signal`.

    Examples
    --------
    >>> import tempfile
    >>> train = pd.DataFrame({"age": range(40), "survived": ["yes", "no"] * 20})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plot_target_relation(train, "survived", ["age"], out=folder)
    'target_relation.png'
    """
    check_names("target", target, train, None)
    names = [column for column in chosen(train, None, columns) if column != target]
    texts = [column for column in names if holds_text(train[column])]
    train = train.assign(**{column: train[column].astype("str").str.len() for column in texts})
    signals = {column: float(np.nan_to_num(value)) for column, value in signals_of(train, names, target).items()}
    shown = sorted(names, key=lambda column: -signals[column])[:MAX_PANELS]
    more = f" ({len(shown)} of {len(names)} columns)" if len(shown) < len(names) else ""
    with drawing():
        view = _target_view(train[target])
        entries = dict(zip(view.classes, CLASSES, strict=False))
        if len(entries) <= 2:
            entries = {f"share of {name}": TRAIN for name in view.classes[-1:]}
        panels = Panels(len(shown), heading=f"{label(target)} by column, strongest first{more}", entries=entries)
        for axes, column in zip(panels.axes, shown, strict=False):
            axes.set_title(f"{label(column)}   {signals[column]:.2f}")
            axes.set_xlabel("characters" if column in texts else "")
            _relation(axes, train[column], view)
        return save(panels, out, name)


class _View:
    """The target as it is drawn: numbers, or classes (of two the rarer last)."""

    def __init__(self, values: np.ndarray, classes: list[str]) -> None:
        self.values = values
        self.classes = classes


def _target_view(target: pd.Series) -> _View:
    if holds_numbers(target) and target.nunique() > FEW_LEVELS:
        return _View(numbers_of(target), [])
    levels = levels_of(target)
    counts = levels.value_counts()
    classes = [str(level) for level in counts.index[:_MOST_CLASSES]]
    if len(classes) > 2 or len(counts) > _MOST_CLASSES:
        classes.sort()
    codes = {level: float(code) for code, level in enumerate(classes)}
    return _View(levels.map(codes).to_numpy(dtype=np.float64, na_value=np.nan), classes)


def _relation(axes: Axes, column: pd.Series, view: _View) -> None:
    known = np.isfinite(view.values)
    column, values = column[known], view.values[known]
    if column.count() == 0:
        return
    if holds_numbers(column) and column.nunique() > FEW_LEVELS / 2:
        numbers = numbers_of(column)
        present = np.isfinite(numbers)
        draw = _by_bins if view.classes else _cloud
        draw(axes, numbers[present], values[present], view.classes)
        return
    levels = levels_of(column).fillna("(missing)")
    common = [str(level) for level in levels.value_counts().index[:_MOST_LEVELS]]
    if holds_numbers(column):
        common.sort(key=lambda level: (level == "(missing)", as_float(level)))
    groups = [values[(levels == level).to_numpy()] for level in common]
    draw_levels = _by_level if view.classes else _boxes
    draw_levels(axes, groups, view.classes, float(np.mean(values == len(view.classes) - 1)))
    axes.set_yticks(np.arange(len(common)), [label(level, 13) for level in common])
    axes.set_ylim(max(1, len(common)) - 0.5, -0.5)
    axes.grid(axis="y", visible=False)
    for place, group in enumerate(groups):
        axes.text(1.0, place, f"{group.size:,}", transform=axes.get_yaxis_transform(), ha="right", va="center",
                  fontsize=6.5, color=GREY)  # fmt: skip


def _padded(low: float, high: float) -> tuple[float, float]:
    pad = 0.04 * (high - low) or 1.0
    return low - pad, high + pad


def _bins(numbers: np.ndarray, n_bins: int) -> tuple[np.ndarray, list[np.ndarray]]:
    """The medians of quantile bins, and the rows in each."""
    edges = np.unique(np.quantile(numbers, np.linspace(0, 1, n_bins + 1)))
    bins = np.clip(np.searchsorted(edges, numbers, side="right") - 1, 0, max(0, len(edges) - 2))
    members = [np.flatnonzero(bins == b) for b in np.unique(bins)]
    return np.array([np.median(numbers[rows]) for rows in members]), members


def _cloud(axes: Axes, numbers: np.ndarray, values: np.ndarray, _classes: list[str]) -> None:
    centres, members = _bins(numbers, 12)
    axes.scatter(thin(numbers, 1500), thin(values, 1500), s=5, color=TRAIN, alpha=0.3, linewidths=0)
    axes.plot(
        centres,
        [np.median(values[rows]) for rows in members],
        color=CLASSES[1],
        linewidth=1.8,
        marker="o",
        markersize=3,
    )
    axes.set_xlim(*_padded(*shown_numbers(numbers)))
    axes.set_ylim(*_padded(*shown_numbers(values)))


def _by_bins(axes: Axes, numbers: np.ndarray, values: np.ndarray, classes: list[str]) -> None:
    centres, members = _bins(numbers, 10)
    if len(classes) > 2:
        shares = [[np.mean(values[rows] == code) for rows in members] for code in range(len(classes))]
        axes.stackplot(centres, shares, colors=CLASSES[: len(classes)], alpha=0.85, linewidth=0)
        axes.set_ylim(0, 1)
    else:
        counts = np.array([rows.size for rows in members])
        ones = np.array([np.mean(values[rows] == len(classes) - 1) for rows in members])
        low, high = _interval(ones, counts)
        axes.fill_between(centres, low, high, color=TRAIN, alpha=0.15, linewidth=0)
        axes.plot(centres, ones, color=TRAIN, linewidth=1.6, marker="o", markersize=3)
        axes.axhline(float(np.mean(values == len(classes) - 1)), color=GREY, linewidth=1, linestyle="--")
        axes.set_ylim(bottom=0)
    percent_axis(axes.yaxis)


def _interval(shares: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Wilson's 95 % interval, which is honest for few rows and for shares of 0 and 1."""
    z = 1.96
    centre = (shares + z * z / (2 * counts)) / (1 + z * z / counts)
    reach = z / (1 + z * z / counts) * np.sqrt(shares * (1 - shares) / counts + z * z / (4 * counts * counts))
    return np.clip(centre - reach, 0, 1), np.clip(centre + reach, 0, 1)


def _by_level(axes: Axes, groups: list[np.ndarray], classes: list[str], everyone: float) -> None:
    places, left = np.arange(len(groups)), np.zeros(len(groups))
    if len(classes) > 2:
        for code, colour in zip(range(len(classes)), CLASSES, strict=False):
            shares = np.array([np.mean(group == code) for group in groups])
            axes.barh(places, shares, 0.75, left=left, color=colour, alpha=0.85)
            left = left + shares
        axes.set_xlim(0, 1.18)
    else:
        shares = np.array([np.mean(group == len(classes) - 1) for group in groups])
        low, high = _interval(shares, np.array([group.size for group in groups]))
        axes.barh(places, shares, 0.75, color=TRAIN, alpha=0.85)
        axes.hlines(places, low, high, color="#30343a", linewidth=1)
        axes.axvline(everyone, color=GREY, linewidth=1, linestyle="--")
        axes.set_xlim(0, 1.18 * max([everyone, *high]))
    percent_axis(axes.xaxis)


def _boxes(axes: Axes, groups: list[np.ndarray], _classes: list[str], _everyone: float) -> None:
    quantiles = np.array([np.quantile(group, [0.05, 0.25, 0.5, 0.75, 0.95]) for group in groups])
    places = np.arange(len(groups))
    axes.hlines(places, quantiles[:, 0], quantiles[:, 4], color=GREY, linewidth=1)
    axes.barh(places, quantiles[:, 3] - quantiles[:, 1], 0.6, left=quantiles[:, 1], color=TRAIN, alpha=0.65)
    axes.vlines(quantiles[:, 2], places - 0.3, places + 0.3, color=CLASSES[1], linewidth=2)
    low, high = float(quantiles.min()), float(quantiles.max())
    axes.set_xlim(low - 0.04 * (high - low or 1), high + 0.2 * (high - low or 1))
