"""Figures of predictions against the truth."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from autods.tools.explore._reports import report_tool
from autods.tools.explore.canvas import CLASSES, GREY, TRAIN, Panels, drawing, label, percent_axis, save, thin

__all__ = ["plot_calibration", "plot_confusion", "plot_residuals", "same_length"]


def same_length(**arrays: np.ndarray) -> None:
    """Check that arrays have the same number of rows, at least one."""
    lengths = {name: len(array) for name, array in arrays.items()}
    if len(set(lengths.values())) > 1 or 0 in lengths.values():
        listed = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise ValueError(f"{' and '.join(lengths)} must have the same number of rows, at least one: {listed}.")


@report_tool
def plot_confusion(
    y: Any, predicted: Any, out: str | Path = ".", *, classes: Sequence[str] = (), name: str = "confusion.png"
) -> str:
    """Draw the confusion matrix: rows are true classes, cells their shares and counts.

    Parameters
    ----------
    y, predicted
        True and predicted class codes, from 0.
    out, name
        The folder for the picture, and its file name.
    classes
        The classes' names in the order of the codes; with more than 25 only the 25 most frequent are drawn.

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
    ...     plot_confusion([0, 1, 1], [0, 1, 0], folder, classes=["no", "yes"])
    'confusion.png'
    """
    truth, guess = np.asarray(y, dtype=np.int64), np.asarray(predicted, dtype=np.int64)
    same_length(y=truth, predicted=guess)
    size = max(int(max(truth.max(), guess.max())) + 1, len(classes))
    table = np.bincount(truth * size + guess, minlength=size * size).reshape(size, size)
    kept = np.sort(np.argsort(-table.sum(axis=1), kind="stable")[:25])
    names = [label(classes[code] if code < len(classes) else code, 18) for code in kept]
    table = table[np.ix_(kept, kept)]
    shares = table / np.maximum(1, table.sum(axis=1, keepdims=True))
    with drawing():
        from matplotlib.colors import LinearSegmentedColormap

        side = max(3.2, 1.8 + 0.42 * len(names))
        panels = Panels(1, width=side + 0.5, height=side, left=1.5, heading="Confusion: true class by row")
        panels.figure.subplots_adjust(bottom=1.3 / side, top=1 - 0.5 / (side + 0.35))
        axes, places = panels.axes[0], np.arange(len(names))
        axes.imshow(shares, cmap=LinearSegmentedColormap.from_list("share", ["#f7f8fa", TRAIN]), vmin=0, vmax=1)
        axes.set_xticks(places, names, rotation=90 if max(map(len, names)) > 4 else 0)
        axes.set_yticks(places, names)
        axes.set_xlabel("predicted")
        axes.grid(visible=False)
        for i, j in zip(*np.nonzero(table), strict=True):
            text = f"{shares[i, j]:.0%}\n{table[i, j]:,}" if len(names) <= 10 else f"{table[i, j]:,}"
            axes.text(j, i, text, ha="center", va="center", fontsize=8 if len(names) <= 10 else 6,
                      color="white" if shares[i, j] > 0.55 else "#30343a")  # fmt: skip
        return save(panels, out, name)


@report_tool
def plot_residuals(y: Any, predicted: Any, out: str | Path = ".", *, name: str = "residuals.png") -> str:
    """Draw predictions against true values, residuals against predictions, and their histogram.

    Parameters
    ----------
    y, predicted
        True and predicted values.
    out, name
        The folder for the picture, and its file name.

    Returns
    -------
    The file name, relative to `out`.

    Raises
    ------
    ValueError
        When the arrays differ in length or no pair is finite.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plot_residuals([1.0, 2.0, 3.0], [1.1, 1.8, 3.3], folder)
    'residuals.png'
    """
    truth, guess = np.asarray(y, dtype=np.float64), np.asarray(predicted, dtype=np.float64)
    same_length(y=truth, predicted=guess)
    there = np.isfinite(truth) & np.isfinite(guess)
    truth, guess = truth[there], guess[there]
    same_length(y=truth, predicted=guess)
    residuals = truth - guess
    with drawing():
        panels = Panels(3, width=3.8, height=3.1, heading="Residuals: true value less prediction")
        first, second, third = panels.axes
        low, high = float(min(truth.min(), guess.min())), float(max(truth.max(), guess.max()))
        first.scatter(thin(guess, 4000), thin(truth, 4000), s=6, color=TRAIN, alpha=0.35, linewidths=0)
        first.plot([low, high], [low, high], color=CLASSES[1], linewidth=1.2)
        first.set(title="true by predicted", xlabel="predicted")
        second.scatter(thin(guess, 4000), thin(residuals, 4000), s=6, color=TRAIN, alpha=0.35, linewidths=0)
        second.axhline(0, color=CLASSES[1], linewidth=1.2)
        second.set(title="residual by predicted", xlabel="predicted")
        third.hist(residuals, bins=40, color=TRAIN, alpha=0.8)
        third.axvline(float(np.median(residuals)), color=CLASSES[1], linewidth=1.5)
        third.set(title=f"residuals, median {np.median(residuals):.3g}")
        return save(panels, out, name)


@report_tool
def plot_calibration(
    y: Any,
    probabilities: Any,
    out: str | Path = ".",
    *,
    classes: Sequence[str] = (),
    n_bins: int = 10,
    name: str = "calibration.png",
) -> str:
    """Draw how often a class is true where a probability is predicted for it, and how probabilities are distributed.

    Parameters
    ----------
    y
        True class codes, from 0; or 0/1 by row and label.
    probabilities
        Of code 1 (one dimension), or rows by classes; of more than two classes the eight most frequent are drawn.
    out, name
        The folder for the picture, and its file name.
    classes
        The classes' names in the order of the codes.
    n_bins
        The number of bins, each with as many rows.

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
    ...     plot_calibration([0, 1, 1, 0], [0.2, 0.9, 0.6, 0.4], folder)
    'calibration.png'
    """
    truth, scores = np.asarray(y), np.asarray(probabilities, dtype=np.float64)
    same_length(y=truth, probabilities=scores)
    curves = _curves(truth, scores, list(classes))
    with drawing():
        entries = dict(zip(curves, CLASSES, strict=False))
        panels = Panels(2, width=4.2, height=3.4, heading="Calibration", entries=entries)
        first, second = panels.axes
        first.plot([0, 1], [0, 1], color=GREY, linewidth=1, linestyle="--")
        for (member, score), colour in zip(curves.values(), CLASSES, strict=False):
            groups = np.array_split(np.argsort(score, kind="stable"), min(n_bins, max(1, score.size // 5)))
            first.plot([score[g].mean() for g in groups], [member[g].mean() for g in groups], color=colour,
                       marker="o", markersize=3.5, linewidth=1.5)  # fmt: skip
            second.hist(score, bins=np.linspace(0, 1, 26).tolist(), histtype="step", color=colour, linewidth=1.4)
        first.set(title="share that is true", xlabel="predicted probability", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
        second.set(title="rows by probability", xlabel="predicted probability")
        percent_axis(first.yaxis)
        return save(panels, out, name)


def _curves(truth: np.ndarray, scores: np.ndarray, classes: list[str]) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """By class its 0/1 truth and its probability; of two classes only the second."""
    if scores.ndim == 1 or scores.shape[1] == 1:
        name = classes[-1] if classes else "1"
        return {name: ((truth.ravel() == 1).astype(float), scores.ravel())}
    names = [classes[code] if code < len(classes) else str(code) for code in range(scores.shape[1])]
    if truth.ndim == 2:
        return {names[j]: (truth[:, j].astype(float), scores[:, j]) for j in range(min(len(names), len(CLASSES)))}
    codes = [1] if scores.shape[1] == 2 else np.argsort(-np.bincount(truth, minlength=len(names)), kind="stable")[:8]
    return {names[code]: ((truth == code).astype(float), scores[:, code]) for code in codes}
