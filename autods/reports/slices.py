"""Where predictions err most: parts of the data whose loss is above the average beyond noise."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from autods.competition.decisions import decide
from autods.records import Decision, Task

__all__ = ["ErrorSlice", "error_slices", "row_losses"]


@dataclass(frozen=True, slots=True)
class ErrorSlice:
    """One part of the rows: its column and values, how many rows, its mean loss and that of all rows."""

    column: str
    values: str
    rows: int
    loss: float
    overall: float

    @property
    def ratio(self) -> float:
        """How many times the average loss this is."""
        return self.loss / self.overall if self.overall else float("inf")


def row_losses(task: Task, y: np.ndarray, outputs: np.ndarray, decision: Decision) -> np.ndarray:
    """Return a loss for each row: 1 for a wrong label, log loss of probabilities, the absolute error of values.

    Errors of several targets are made comparable by each target's spread; logarithmic metrics err in logarithms.

    Examples
    --------
    >>> from autods.records import Submission
    >>> task = Task("t", "binary", ("y",), "accuracy", True, "labels", Submission(("id", "y"), "id", "labels"), ("a", "b"))
    >>> row_losses(task, np.array([0, 1]), np.array([[0.9, 0.1], [0.8, 0.2]]), Decision("threshold", (0.5,))).tolist()
    [0.0, 1.0]
    """
    if task.is_classification and task.needs == "labels":
        wrong = decide(outputs, decision, task.kind) != y
        return np.asarray(wrong.mean(axis=1) if wrong.ndim == 2 else wrong, dtype=np.float64)
    if task.is_classification:
        shares = np.clip(outputs, 1e-15, 1.0)
        if task.kind == "multilabel":
            return np.asarray(-np.log(np.where(y == 1, shares, np.clip(1 - outputs, 1e-15, 1.0))).mean(axis=1))
        return np.asarray(-np.log(shares[np.arange(len(y)), y] / shares.sum(axis=1)))
    truth = y.reshape(len(y), -1)
    if task.metric in ("rmsle", "rmse_log"):
        truth, outputs = np.log1p(np.maximum(truth, 0)), np.log1p(np.maximum(outputs, 0))
    spread = truth.std(axis=0) if truth.shape[1] > 1 else np.ones(1)
    return np.asarray((np.abs(truth - outputs) / np.where(spread > 0, spread, 1.0)).mean(axis=1))


def error_slices(
    frame: pd.DataFrame, losses: np.ndarray, *, most: int = 10, smallest: int = 20, beyond: float = 2.5
) -> tuple[ErrorSlice, ...]:
    """Find the parts of the data with the highest loss.

    Parameters
    ----------
    frame
        The raw features; row i has `losses[i]`.
    losses
        A loss for each row; rows with NaN are left out.
    most
        How many parts to return; at most two of a column.
    smallest
        The fewest rows of a part.
    beyond
        Standard errors by which a part's loss must exceed the average.

    Examples
    --------
    >>> frame = pd.DataFrame({"sex": ["f", "m"] * 50})
    >>> error_slices(frame, np.array([0.0, 1.0] * 50))
    (ErrorSlice(column='sex', values='m', rows=50, loss=1.0, overall=0.5),)
    """
    known = np.isfinite(losses)
    frame, losses = frame.loc[known].reset_index(drop=True), losses[known]
    if len(losses) < 2 * smallest or losses.std() == 0:
        return ()
    overall, spread = float(losses.mean()), float(losses.std())
    found: list[tuple[float, ErrorSlice]] = []
    for column in frame.columns:
        parts = []
        for values, mask in _parts(frame[column]):
            rows = int(mask.sum())
            if not smallest <= rows <= len(losses) - smallest:
                continue
            loss = float(losses[mask].mean())
            excess = (loss - overall) / (spread / np.sqrt(rows))
            if excess > beyond:
                parts.append((float(excess), ErrorSlice(str(column), values, rows, loss, overall)))
        found += sorted(parts, key=lambda item: -item[0])[:2]
    return tuple(part for _, part in sorted(found, key=lambda item: (-item[0], item[1].column))[:most])


def _parts(values: pd.Series) -> Iterator[tuple[str, np.ndarray]]:
    """Yield a column's parts: its levels when few or text, else fifths by value; missing apart."""
    missing = values.isna().to_numpy()
    if missing.any():
        yield "missing", missing
    if pd.api.types.is_numeric_dtype(values) and values.nunique() > 10:
        numbers = values.to_numpy(dtype=np.float64, na_value=np.nan)
        edges = np.unique(np.nanquantile(numbers, np.linspace(0, 1, 6)))
        for i, (low, high) in enumerate(itertools.pairwise(edges)):
            inside = (numbers >= low) & ((numbers < high) | ((i == len(edges) - 2) & (numbers == high)))
            yield f"{low:.4g} to {high:.4g}", inside
        return
    for level in values.value_counts().index[:30]:
        yield str(level), (values == level).fillna(False).to_numpy(dtype=bool)
