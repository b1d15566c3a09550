"""How probabilities become labels: the one place where a decision is applied."""

from __future__ import annotations

import numpy as np

from autods.records import Decision, Kind, Needs

__all__ = ["decide", "default_decision", "expected_code"]


def default_decision(kind: Kind, needs: Needs) -> Decision:
    """Return the decision that is used until a better one is found out of fold.

    Parameters
    ----------
    kind
        The task's kind.
    needs
        What the metric wants; only `labels` needs a decision.

    Examples
    --------
    >>> default_decision("binary", "labels")
    Decision(kind='threshold', values=(0.5,))
    >>> default_decision("binary", "probabilities").kind
    'none'
    """
    if needs != "labels" or kind in ("regression", "multi_regression"):
        return Decision("none")
    return Decision("threshold", (0.5,)) if kind in ("binary", "multilabel") else Decision("argmax")


def decide(outputs: np.ndarray, decision: Decision, kind: Kind) -> np.ndarray:
    """Turn outputs into class codes (rows,), or 0/1 (rows, labels) for a multilabel task.

    Parameters
    ----------
    outputs
        Probabilities, rows × classes (rows × labels for multilabel).
    decision
        How; `none` gives the outputs back as they are.
    kind
        The task's kind.

    Raises
    ------
    ValueError
        When the decision's values do not fit the outputs.

    Examples
    --------
    >>> decide(np.array([[0.6, 0.4], [0.8, 0.2]]), Decision("threshold", (0.3,)), "binary").tolist()
    [1, 0]
    >>> decide(np.array([[0.5, 0.3, 0.2]]), Decision("multipliers", (1.0, 2.0, 1.0)), "multiclass").tolist()
    [1]
    """
    if decision.kind == "none":
        return outputs
    values = np.asarray(decision.values, dtype=np.float64)
    width = outputs.shape[1]
    if decision.kind == "threshold":
        if kind == "multilabel":
            _check(decision, len(values) in (1, width), f"1 or {width} values")
            return np.asarray(outputs >= values, dtype=np.int64)
        _check(decision, len(values) == 1 and width == 2, "one value and two classes")
        return np.asarray(outputs[:, 1] >= values[0], dtype=np.int64)
    if decision.kind == "multipliers":
        _check(decision, len(values) == width, f"{width} values")
        return np.asarray(np.argmax(outputs * values, axis=1))
    if decision.kind == "cutpoints":
        _check(
            decision, len(values) == width - 1 and bool(np.all(np.diff(values) >= 0)), f"{width - 1} ascending values"
        )
        return np.asarray(np.searchsorted(values, expected_code(outputs), side="right"))
    return np.asarray(np.argmax(outputs, axis=1))


def expected_code(outputs: np.ndarray) -> np.ndarray:
    """Return the mean class code of each row under its probabilities; an ordinal task's point prediction.

    Examples
    --------
    >>> expected_code(np.array([[0.5, 0.0, 0.5], [0.0, 2.0, 0.0]])).tolist()
    [1.0, 1.0]
    """
    total = outputs.sum(axis=1)
    return np.asarray(outputs @ np.arange(outputs.shape[1]) / np.where(total > 0, total, 1.0))


def _check(decision: Decision, fits: bool, allowed: str) -> None:
    if not fits:
        raise ValueError(f"The decision {decision.kind} has values {decision.values}; here it needs {allowed}.")
