"""The figure of what is missing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from autods.tools._checks import Columns, chosen
from autods.tools.explore._reports import report_tool
from autods.tools.explore.canvas import TEST, TRAIN, Panels, drawing, label, percent_axis, save

__all__ = ["plot_missingness"]

_MOST_COLUMNS = 30
_MOST_ROWS = 300


@report_tool
def plot_missingness(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    columns: Columns = None,
    out: str | Path = ".",
    *,
    name: str = "missingness.png",
) -> str:
    """Draw how much is missing of each column, and which cells of sampled rows.

    Parameters
    ----------
    train, test
        The frames; test may be None.
    columns
        The columns to look at; None means all of both. At most thirty are drawn, those that miss most.
    out, name
        The folder for the picture, and its file name.

    Returns
    -------
    The file name, relative to `out`.

    Notes
    -----
    Columns whose marks lie on the same rows are missing together: one indicator serves them all.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plot_missingness(pd.DataFrame({"age": [20.0, None], "port": ["S", "C"]}), out=folder)
    'missingness.png'
    """
    names = chosen(train, test, columns)
    shares = train[names].isna().mean()
    there = None if test is None else test[names].isna().mean()
    most = shares if there is None else shares.combine(there, max)
    missing = most[most > 0].sort_values(ascending=False, kind="stable").index.tolist()
    shown = (missing or names)[:_MOST_COLUMNS]
    with drawing():
        height = max(2.6, 0.9 + 0.19 * len(shown))
        heading = f"Missing values: {len(missing)} of {len(names)} columns" if missing else "No value is missing"
        entries = {"train": TRAIN} | ({} if test is None else {"test": TEST})
        panels = Panels(2, width=5.2, height=height, left=1.6, columns=2, heading=heading, entries=entries)
        _bars(panels, shares[shown], None if there is None else there[shown])
        _cells(panels, train, shown)
        return save(panels, out, name)


def _bars(panels: Panels, train: pd.Series, test: pd.Series | None) -> None:
    axes, places = panels.axes[0], np.arange(len(train))
    height = 0.8 if test is None else 0.4
    axes.barh(places if test is None else places - height / 2, train, height, color=TRAIN, alpha=0.85)
    if test is not None:
        axes.barh(places + height / 2, test, height, color=TEST, alpha=0.85)
    axes.set_yticks(places, [label(column) for column in train.index])
    axes.set_ylim(len(train) - 0.5, -0.5)
    axes.set_xlim(0, max(0.01, train.max(), 0 if test is None else test.max()) * 1.05)
    axes.set_title("share of cells missing")
    axes.grid(axis="y", visible=False)
    percent_axis(axes.xaxis)


def _cells(panels: Panels, train: pd.DataFrame, names: list[str]) -> None:
    from matplotlib.colors import ListedColormap

    axes = panels.axes[1]
    step = max(1, -(-len(train) // _MOST_ROWS))
    cells = train[names].isna().to_numpy()[::step].T
    if cells.size:
        axes.imshow(
            cells, aspect="auto", interpolation="nearest", cmap=ListedColormap(["#eceef1", TRAIN]), vmin=0, vmax=1,
            extent=(0, len(train), len(names) - 0.5, -0.5),
        )  # fmt: skip
    axes.set_yticks(np.arange(len(names)), [label(column) for column in names])
    axes.set_title("missing cells by row of train")
    axes.grid(visible=False)
    axes.set_xlabel("row" if step == 1 else f"row (one of {step:,} is drawn)")
