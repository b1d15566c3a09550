"""The figure of how the target is distributed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from autods.tools._checks import check_names
from autods.tools.explore._reports import report_tool
from autods.tools.explore.canvas import CLASSES, TRAIN, Panels, drawing, label, percent_axis, save
from autods.tools.explore.columns import FEW_LEVELS, finite, holds_numbers, levels_of, numbers_of

__all__ = ["plot_target"]


@report_tool
def plot_target(train: pd.DataFrame, target: str, out: str | Path = ".", *, name: str = "target.png") -> str:
    """Draw how the target is distributed: shares of classes, or a histogram of values and of their logarithm.

    Parameters
    ----------
    train
        The frame, with the target among its columns.
    target
        The target's column.
    out, name
        The folder for the picture, and its file name.

    Returns
    -------
    The file name, relative to `out`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plot_target(pd.DataFrame({"survived": ["yes", "no", "no"]}), "survived", out=folder)
    'target.png'
    """
    check_names("target", target, train, None)
    values = finite(numbers_of(train[target])) if holds_numbers(train[target]) else np.empty(0)
    with drawing():
        if np.unique(values).size > FEW_LEVELS:
            logs = [np.log1p(values)] if values.min() >= 0 else []
            panels = Panels(1 + len(logs), width=5.0, height=3.2, heading=f"The target {label(target)}")
            for axes, numbers, words in zip(panels.axes, [values, *logs], ("values", "log(1 + value)"), strict=False):
                axes.hist(numbers, bins=40, color=TRAIN, alpha=0.8)
                axes.axvline(float(np.median(numbers)), color=CLASSES[1], linewidth=1.5)
                axes.set_title(f"{words}, median {np.median(numbers):.4g}")
                axes.grid(axis="x", visible=False)
        else:
            panels = _class_shares(train[target], target)
        return save(panels, out, name)


def _class_shares(column: pd.Series, target: str) -> Panels:
    counts = levels_of(column).value_counts()
    shown = counts.iloc[:30]
    panels = Panels(
        1, width=6.4, height=max(2.2, 0.9 + 0.26 * len(shown)), left=1.7, heading=f"The target {label(target)}"
    )
    axes, places = panels.axes[0], np.arange(len(shown))
    shares = shown.to_numpy(dtype=float) / max(1, counts.sum())
    axes.barh(places, shares, 0.75, color=TRAIN, alpha=0.85)
    for place, (share, count) in enumerate(zip(shares, shown, strict=True)):
        axes.text(share, place, f" {share:.1%} ({count:,})", va="center", fontsize=8)
    axes.set_yticks(places, [label(level) for level in shown.index])
    axes.set_ylim(max(1, len(shown)) - 0.5, -0.5)
    axes.set_xlim(0, 1.22 * max(shares, default=1.0))
    axes.set_title(f"share of rows, {len(counts)} classes")
    axes.grid(axis="y", visible=False)
    percent_axis(axes.xaxis)
    return panels
