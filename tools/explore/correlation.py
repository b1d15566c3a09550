"""The figure of how numeric columns correlate."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from autods.tools._checks import Columns, chosen
from autods.tools.explore._reports import report_tool
from autods.tools.explore.canvas import CLASSES, TRAIN, Panels, drawing, label, save, thin

__all__ = ["plot_correlation"]


@report_tool
def plot_correlation(
    train: pd.DataFrame, columns: Columns = None, out: str | Path = ".", *, name: str = "correlation.png"
) -> str:
    """Draw the rank correlations of the numeric columns.

    Parameters
    ----------
    train
        The frame; a numeric target may be among its columns.
    columns
        Numeric columns, at most thirty are drawn: those with the strongest correlation; None means all numeric ones.
    out, name
        The folder for the picture, and its file name.

    Returns
    -------
    The file name, relative to `out`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plot_correlation(pd.DataFrame({"a": [1, 2, 3], "b": [3, 2, 1]}), out=folder)
    'correlation.png'
    """
    names = chosen(train, None, columns, holds="numbers")
    ranked = thin(np.arange(len(train)), 5000)
    sample = train[names].iloc[ranked].astype("float64").replace([np.inf, -np.inf], np.nan)
    table = sample.rank().corr(min_periods=3)
    strongest = (table.abs() - np.eye(len(names))).max().fillna(0).sort_values(ascending=False, kind="stable").index
    shown = [column for column in names if column in set(strongest[:30])]
    with drawing():
        side = max(3.4, 1.9 + 0.3 * len(shown))
        more = f", the {len(shown)} strongest of {len(names)}" if len(shown) < len(names) else ""
        panels = Panels(1, width=side + 0.6, height=side, left=1.7, heading=f"Rank correlation{more}")
        _heat(panels, table.loc[shown, shown].to_numpy(), [label(column, 20) for column in shown])
        return save(panels, out, name)


def _heat(panels: Panels, table: np.ndarray, names: list[str]) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    axes, places = panels.axes[0], np.arange(len(names))
    _, height = panels.figure.get_size_inches()
    panels.figure.subplots_adjust(bottom=1.55 / height, top=1 - 0.45 / height)
    if not names:
        axes.text(0.5, 0.5, "There is no numeric column.", ha="center", va="center")
        return
    colours = LinearSegmentedColormap.from_list("correlation", [CLASSES[1], "#fbfbfc", TRAIN])
    axes.imshow(np.where(np.isfinite(table), table, 0.0), cmap=colours, vmin=-1, vmax=1, interpolation="nearest")
    axes.set_xticks(places, names, rotation=90)
    axes.set_yticks(places, names)
    axes.grid(visible=False)
    size = 7.5 if len(names) <= 12 else 5.5
    for i, j in zip(*np.nonzero(np.isfinite(table)), strict=True):
        if i != j and (len(names) <= 12 or abs(table[i, j]) >= 0.5):
            dark = abs(table[i, j]) > 0.6
            axes.text(j, i, f"{table[i, j]:.1f}" if len(names) > 12 else f"{table[i, j]:.2f}", ha="center", va="center",
                      fontsize=size, color="white" if dark else "#30343a")  # fmt: skip
