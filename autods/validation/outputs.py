"""One fitted estimator, whatever its interface, as the harness's outputs: rows × classes, or one column of values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from autods.records import Kind

__all__ = ["Constant", "FoldFit", "predict_outputs"]


@dataclass(frozen=True)
class Constant:
    """The prediction of a target that has one value in training; it stands where an estimator would refuse to fit."""

    row: tuple[float, ...]

    def outputs(self, n_rows: int) -> np.ndarray:
        """Repeat the row."""
        return np.tile(np.asarray(self.row), (n_rows, 1))


@dataclass(frozen=True)
class FoldFit:
    """What was fitted on one fold's training rows: one estimator, or one for each output column.

    Attributes
    ----------
    estimators
        Fitted estimators or constants.
    classes
        The class codes seen in training, by estimator; empty for values.
    limits
        The least and greatest value allowed, by estimator; empty for classes.
    """

    estimators: tuple[Any, ...]
    kind: Kind
    n_outputs: int
    classes: tuple[tuple[int, ...], ...] = ()
    limits: tuple[tuple[float, float], ...] = ()

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        """Return outputs, rows × n_outputs.

        Raises
        ------
        ValueError
            When predictions are missing or of the wrong shape; the message says how many or which.
        """
        if self.kind in ("regression", "multi_regression"):
            columns = [_values(e, X, limits) for e, limits in zip(self.estimators, self.limits, strict=True)]
            return np.column_stack(columns)
        if self.kind == "multilabel":
            pairs = zip(self.estimators, self.classes, strict=True)
            return np.column_stack([_probabilities(e, X, 2, seen)[:, 1] for e, seen in pairs])
        return _probabilities(self.estimators[0], X, self.n_outputs, self.classes[0])


def predict_outputs(fits: Sequence[FoldFit], X: pd.DataFrame) -> np.ndarray:
    """Return the mean of the fits' outputs; always summed in the same order, so that bytes agree.

    Examples
    --------
    >>> fit = FoldFit((Constant((0.25, 0.75)),), "binary", 2, classes=((0, 1),))
    >>> predict_outputs([fit, fit], pd.DataFrame(index=range(1))).tolist()
    [[0.25, 0.75]]
    """
    total = fits[0].predict(X)
    for fit in fits[1:]:
        total = total + fit.predict(X)
    return np.asarray(total / len(fits))


def _values(estimator: Any, X: pd.DataFrame, limits: tuple[float, float]) -> np.ndarray:
    if isinstance(estimator, Constant):
        return estimator.outputs(len(X))[:, 0]
    raw = np.asarray(_asked(estimator, "predict", X), dtype=np.float64)
    if raw.size != len(X):
        raise ValueError(
            f"predict gave an array of shape {raw.shape}; it must give one value for each of {len(X)} rows."
        )
    _refuse_missing(raw, "predict")
    return np.clip(raw.reshape(len(X)), *limits)


def _probabilities(estimator: Any, X: pd.DataFrame, n_classes: int, seen: tuple[int, ...]) -> np.ndarray:
    if isinstance(estimator, Constant):
        return estimator.outputs(len(X))
    if hasattr(estimator, "predict_proba"):
        method, raw = "predict_proba", np.asarray(_asked(estimator, "predict_proba", X), dtype=np.float64)
        raw = np.column_stack([1 - raw, raw]) if raw.size == len(X) and n_classes == 2 and raw.ndim == 1 else raw
    elif hasattr(estimator, "decision_function"):
        method, raw = (
            "decision_function",
            _squash(np.asarray(_asked(estimator, "decision_function", X), dtype=np.float64)),
        )
    else:
        method, raw = "predict", _spread(np.asarray(_asked(estimator, "predict", X)), n_classes, len(X))
        seen = tuple(range(n_classes))
    _refuse_missing(raw, method)
    return _normalised(_aligned(estimator, raw, n_classes, seen, method))


def _asked(estimator: Any, method: str, X: pd.DataFrame) -> Any:
    # A shallow copy: pandas copies on write, so an estimator that writes to it cannot change the next one's input.
    return getattr(estimator, method)(X.copy(deep=False))


def _aligned(estimator: Any, raw: np.ndarray, n_classes: int, seen: tuple[int, ...], method: str) -> np.ndarray:
    if method == "predict":
        return raw
    codes = np.asarray(getattr(estimator, "classes_", seen))
    if raw.ndim != 2 or raw.shape[1] != len(codes):
        codes = np.arange(n_classes)
    if raw.ndim != 2 or raw.shape[1] != len(codes):
        raise ValueError(f"{method} gave an array of shape {raw.shape}; it must give {n_classes} columns, one a class.")
    full = np.zeros((len(raw), n_classes))
    full[:, codes.astype(np.int64)] = raw
    return full


def _squash(scores: np.ndarray) -> np.ndarray:
    """Turn decision values into probabilities: the logistic function, or softmax for several classes."""
    if scores.ndim == 1:
        scores = np.column_stack([np.zeros(len(scores)), scores])
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def _spread(codes: np.ndarray, n_classes: int, n_rows: int) -> np.ndarray:
    """Put all probability on a predicted code; a value between two codes shares it so that it is the mean code."""
    values = np.clip(codes.astype(np.float64).reshape(n_rows), 0, n_classes - 1)
    _refuse_missing(values, "predict")
    low = np.floor(values).astype(np.int64)
    high = np.minimum(low + 1, n_classes - 1)
    full = np.zeros((n_rows, n_classes))
    full[np.arange(n_rows), low] += 1 - (values - low)
    full[np.arange(n_rows), high] += values - low
    return full


def _normalised(probabilities: np.ndarray) -> np.ndarray:
    clipped = np.clip(probabilities, 0.0, 1.0)
    total = clipped.sum(axis=1, keepdims=True)
    even = np.full_like(clipped, 1 / clipped.shape[1])
    return np.asarray(np.where(total > 0, clipped / np.where(total > 0, total, 1.0), even))


def _refuse_missing(raw: np.ndarray, method: str) -> None:
    missing = int(np.isnan(raw).sum())
    if missing:
        raise ValueError(f"{method} gave {missing} missing values (NaN); every row needs a prediction.")
