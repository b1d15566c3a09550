"""Figures that compare: scores by size, features by importance, candidates by score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from autods.tools.explore._reports import report_tool
from autods.tools.explore.canvas import GREY, TEST, TRAIN, Panels, drawing, label, save
from autods.tools.explore.predictions import same_length

__all__ = ["plot_importance", "plot_learning_curve", "plot_scores"]


@report_tool
def plot_learning_curve(
    sizes: Sequence[float],
    train_scores: Any,
    valid_scores: Any,
    out: str | Path = ".",
    *,
    metric: str = "score",
    name: str = "learning_curve.png",
) -> str:
    """Draw how the score grows with the number of rows (or rounds) learned from.

    Parameters
    ----------
    sizes
        The numbers of rows or rounds.
    train_scores, valid_scores
        Scores by size, or by size and fold (then with a band of one standard deviation).
    out, name
        The folder for the picture, and its file name.
    metric
        The score's name.

    Returns
    -------
    The file name, relative to `out`.

    Raises
    ------
    ValueError
        When the arrays differ in length or are empty.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plot_learning_curve([100, 200], [0.9, 0.88], [0.7, 0.75], folder, metric="accuracy")
    'learning_curve.png'
    """
    curves = {"train": np.asarray(train_scores, dtype=float), "held out": np.asarray(valid_scores, dtype=float)}
    same_length(sizes=np.asarray(sizes), train_scores=curves["train"], valid_scores=curves["held out"])
    with drawing():
        entries = {"train": TRAIN, "held out": TEST}
        panels = Panels(1, width=5.6, height=3.4, heading=f"Learning curve: {label(metric)}", entries=entries)
        axes = panels.axes[0]
        for scores, colour in zip(curves.values(), (TRAIN, TEST), strict=True):
            scores = scores.reshape(len(sizes), -1)
            centre, spread = scores.mean(axis=1), scores.std(axis=1)
            axes.plot(sizes, centre, color=colour, marker="o", markersize=4, linewidth=1.6)
            axes.fill_between(sizes, centre - spread, centre + spread, color=colour, alpha=0.15, linewidth=0)
        axes.set(xlabel="learned from", ylabel=label(metric))
        return save(panels, out, name)


@report_tool
def plot_importance(
    importance: Mapping[str, float], out: str | Path = ".", *, most: int = 25, name: str = "importance.png"
) -> str:
    """Draw the most important features.

    Parameters
    ----------
    importance
        By feature; negative ones are drawn to the left.
    out, name
        The folder for the picture, and its file name.
    most
        How many features at most.

    Returns
    -------
    The file name, relative to `out`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plot_importance({"age": 3.0, "fare": 1.0}, folder)
    'importance.png'
    """
    ordered = sorted(importance.items(), key=lambda item: (-abs(item[1]), item[0]))[:most]
    more = f", {len(ordered)} of {len(importance)}" if len(ordered) < len(importance) else ""
    return _ranked([(feature, value, 0.0) for feature, value in ordered], f"Importance{more}", out, name)


@report_tool
def plot_scores(
    scores: Mapping[str, tuple[float, float]],
    out: str | Path = ".",
    *,
    metric: str = "score",
    greater_is_better: bool = True,
    name: str = "scores.png",
) -> str:
    """Draw validation scores with their standard errors, the best on top.

    Parameters
    ----------
    scores
        By candidate its score and standard error.
    out, name
        The folder for the picture, and its file name.
    metric, greater_is_better
        The score's name and direction.

    Returns
    -------
    The file name, relative to `out`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plot_scores({"lightgbm": (0.84, 0.01), "constant": (0.62, 0.02)}, folder, metric="accuracy")
    'scores.png'
    """
    sign = -1 if greater_is_better else 1
    ordered = sorted(scores.items(), key=lambda item: (sign * item[1][0], item[0]))
    rows = [(candidate, value, error) for candidate, (value, error) in ordered if np.isfinite(value)][:30]
    return _ranked(rows, f"{label(metric)}, with one standard error", out, name, dots=True)


def _ranked(
    rows: list[tuple[str, float, float]], heading: str, out: str | Path, name: str, *, dots: bool = False
) -> str:
    places, values = np.arange(len(rows)), np.array([value for _, value, _ in rows])
    with drawing():
        panels = Panels(1, width=6.6, height=max(2.0, 0.9 + 0.23 * len(rows)), left=2.0, heading=heading)
        axes = panels.axes[0]
        if dots:
            errors = np.nan_to_num([error for _, _, error in rows])
            axes.errorbar(values, places, xerr=errors, fmt="o", color=TRAIN, ecolor=GREY, markersize=5, elinewidth=1.4)
        else:
            axes.barh(places, values, 0.72, color=TRAIN, alpha=0.85)
        axes.set_yticks(places, [label(feature, 28) for feature, _, _ in rows])
        axes.set_ylim(max(1, len(rows)) - 0.5, -0.5)
        axes.grid(axis="y", visible=False)
        return save(panels, out, name)
