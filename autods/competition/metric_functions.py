"""The metrics themselves: numbers from the truth and predictions in the harness's form.

`y` is codes (rows,), 0/1 (rows, labels) or values (rows, targets); predictions are codes, probabilities
(rows × classes or labels) or values (rows × targets). scikit-learn does the work; what is added here keeps a score
a number when a fold lacks a class, predictions are constant, or a value falls outside a metric's domain.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

__all__ = [
    "accuracy",
    "auroc",
    "average_precision",
    "balanced_accuracy",
    "brier",
    "cohen_kappa",
    "f1",
    "f1_averaged",
    "gini",
    "log_loss",
    "mae",
    "mape",
    "matthews",
    "mean_average_precision",
    "medae",
    "mse",
    "pearson",
    "quadratic_kappa",
    "r2",
    "rmse",
    "rmse_log",
    "rmsle",
    "rmspe",
    "smape",
    "spearman",
]

# Below this a logarithm is taken of the floor itself: a finite, heavy penalty for a value that has none.
LOG_FLOOR = 1e-15


# --- labels ----------------------------------------------------------------------------------------------------------
def accuracy(y: np.ndarray, codes: np.ndarray) -> float:
    """Return the share of rows that are right (every label of them, when there are several)."""
    from sklearn.metrics import accuracy_score

    return float(accuracy_score(y, codes))


def balanced_accuracy(y: np.ndarray, codes: np.ndarray) -> float:
    """Return the mean recall over the classes that occur in y."""
    from sklearn.metrics import recall_score

    return float(recall_score(y, codes, labels=np.unique(y), average="macro", zero_division=0))


def f1(y: np.ndarray, codes: np.ndarray) -> float:
    """Return F1 of the positive class; the macro mean for several classes; the mean over rows for several labels."""
    from sklearn.metrics import f1_score

    if y.ndim == 2:
        # A row without any label, predicted without any, is right.
        return float(f1_score(y, codes, average="samples", zero_division=1.0))
    if max(y.max(initial=0), codes.max(initial=0)) > 1:
        return float(f1_score(y, codes, average="macro", zero_division=0))
    return float(f1_score(y, codes, average="binary", zero_division=0))


def f1_averaged(average: Literal["macro", "micro", "weighted"]) -> Callable[[np.ndarray, np.ndarray], float]:
    """Make the F1 that averages over classes in this way."""

    def function(y: np.ndarray, codes: np.ndarray) -> float:
        from sklearn.metrics import f1_score

        return float(f1_score(y, codes, average=average, zero_division=0))

    return function


def matthews(y: np.ndarray, codes: np.ndarray) -> float:
    """Return Matthews' correlation coefficient; 0 when either side is constant."""
    from sklearn.metrics import matthews_corrcoef

    return float(matthews_corrcoef(y, codes)) if np.ptp(y) and np.ptp(codes) else 0.0


def cohen_kappa(y: np.ndarray, codes: np.ndarray) -> float:
    """Return Cohen's kappa: agreement beyond chance."""
    return _kappa(y, codes, lambda distance: (distance != 0).astype(np.float64))


def quadratic_kappa(y: np.ndarray, codes: np.ndarray) -> float:
    """Return quadratic weighted kappa over the class codes."""
    return _kappa(y, codes, lambda distance: distance.astype(np.float64) ** 2)


def _kappa(y: np.ndarray, codes: np.ndarray, cost: Callable[[np.ndarray], np.ndarray]) -> float:
    # Distances are between codes, so that a class which a fold lacks does not bring its neighbours nearer.
    n = int(max(y.max(), codes.max())) + 1
    observed = np.bincount(y * n + codes, minlength=n * n).reshape(n, n).astype(np.float64)
    expected = np.outer(observed.sum(axis=1), observed.sum(axis=0)) / len(y)
    costs = cost(np.subtract.outer(np.arange(n), np.arange(n)))
    by_chance = float((costs * expected).sum())
    return 1.0 - float((costs * observed).sum()) / by_chance if by_chance else 1.0


# --- probabilities ---------------------------------------------------------------------------------------------------
def _indicators(y: np.ndarray, n_columns: int) -> np.ndarray:
    return y if y.ndim == 2 else (y[:, None] == np.arange(n_columns)).astype(np.int64)


def _one_against_rest(y: np.ndarray, outputs: np.ndarray, score: Callable[[np.ndarray, np.ndarray], float]) -> float:
    """Average over the columns that hold both outcomes; NaN when none does."""
    truth, outputs = (y[:, None], outputs[:, 1:]) if y.ndim == 1 and outputs.shape[1] == 2 else (y, outputs)
    truth = _indicators(truth, outputs.shape[1])
    both = [column for column in range(outputs.shape[1]) if 0 < truth[:, column].sum() < len(truth)]
    return float(np.mean([score(truth[:, j], outputs[:, j]) for j in both])) if both else float("nan")


def auroc(y: np.ndarray, outputs: np.ndarray) -> float:
    """Return the area under the ROC curve; the mean over classes (one against the rest) or labels when several."""
    from sklearn.metrics import roc_auc_score

    return _one_against_rest(y, outputs, roc_auc_score)


def average_precision(y: np.ndarray, outputs: np.ndarray) -> float:
    """Return average precision (area under the precision-recall curve), averaged like `auroc`."""
    from sklearn.metrics import average_precision_score

    return _one_against_rest(y, outputs, average_precision_score)


def log_loss(y: np.ndarray, outputs: np.ndarray) -> float:
    """Return the logarithmic loss; rows are clipped and made to sum to 1 first; the mean over labels when several."""
    p = np.clip(outputs, LOG_FLOOR, 1 - LOG_FLOOR)
    if y.ndim == 2:
        return float(-np.mean(np.where(y == 1, np.log(p), np.log1p(-p))))
    p = p / p.sum(axis=1, keepdims=True)
    return float(-np.mean(np.log(p[np.arange(len(y)), y])))


def brier(y: np.ndarray, outputs: np.ndarray) -> float:
    """Return the Brier score: of the positive class, summed over several classes, averaged over several labels."""
    if y.ndim == 1 and outputs.shape[1] > 2:
        return float(np.mean(np.sum((outputs - _indicators(y, outputs.shape[1])) ** 2, axis=1)))
    p = outputs if y.ndim == 2 else outputs[:, 1]
    return float(np.mean((p - y) ** 2))


def mean_average_precision(k: int) -> Callable[[np.ndarray, np.ndarray], float]:
    """Make MAP@k: the mean over rows of the average precision of the k most probable labels."""

    def function(y: np.ndarray, outputs: np.ndarray) -> float:
        truth = _indicators(y, outputs.shape[1])
        top = np.argsort(-outputs, axis=1, kind="stable")[:, :k]
        hits = np.take_along_axis(truth, top, axis=1)
        precision = np.cumsum(hits, axis=1) / np.arange(1, top.shape[1] + 1)
        relevant = np.minimum(truth.sum(axis=1), k)
        return float(np.mean((precision * hits).sum(axis=1) / np.maximum(relevant, 1)))

    return function


# --- values ----------------------------------------------------------------------------------------------------------
def mse(y: np.ndarray, values: np.ndarray) -> float:
    """Return the mean squared error, averaged over targets."""
    return float(np.mean((y - values) ** 2))


def rmse(y: np.ndarray, values: np.ndarray) -> float:
    """Return the root mean squared error; the mean over the targets' own (MCRMSE) when several."""
    return float(np.mean(np.sqrt(np.mean((y - values) ** 2, axis=0))))


def mae(y: np.ndarray, values: np.ndarray) -> float:
    """Return the mean absolute error, averaged over targets."""
    return float(np.mean(np.abs(y - values)))


def medae(y: np.ndarray, values: np.ndarray) -> float:
    """Return the median absolute error, averaged over targets."""
    return float(np.mean(np.median(np.abs(y - values), axis=0)))


def rmsle(y: np.ndarray, values: np.ndarray) -> float:
    """Return the root mean squared logarithmic error; negative numbers count as 0, in truth and predictions."""
    return rmse(np.log1p(np.maximum(y, 0)), np.log1p(np.maximum(values, 0)))


def rmse_log(y: np.ndarray, values: np.ndarray) -> float:
    """Return the RMSE between logarithms; numbers that have none count as 1e-15."""
    return rmse(np.log(np.maximum(y, LOG_FLOOR)), np.log(np.maximum(values, LOG_FLOOR)))


def mape(y: np.ndarray, values: np.ndarray) -> float:
    """Return the mean absolute percentage error as a share (0.1 is 10 %)."""
    from sklearn.metrics import mean_absolute_percentage_error

    return float(mean_absolute_percentage_error(y, values))


def smape(y: np.ndarray, values: np.ndarray) -> float:
    """Return the symmetric mean absolute percentage error, 0 to 200; 0 where truth and prediction are both 0."""
    scale = np.abs(y) + np.abs(values)
    return float(200 * np.mean(np.abs(y - values) / np.where(scale > 0, scale, 1.0)))


def rmspe(y: np.ndarray, values: np.ndarray) -> float:
    """Return the root mean squared percentage error as a share; rows whose truth is 0 are left out."""
    known = y != 0
    if not known.any():
        return 0.0
    return float(np.sqrt(np.mean(((y[known] - values[known]) / y[known]) ** 2)))


def r2(y: np.ndarray, values: np.ndarray) -> float:
    """Return the coefficient of determination, averaged over targets; 0 for a constant truth that is missed."""
    residual = np.sum((y - values) ** 2, axis=0)
    total = np.sum((y - y.mean(axis=0)) ** 2, axis=0)
    known = np.where(total > 0, 1.0 - residual / np.where(total > 0, total, 1.0), np.where(residual > 0, 0.0, 1.0))
    return float(np.mean(known))


def pearson(y: np.ndarray, values: np.ndarray) -> float:
    """Return Pearson's correlation, averaged over targets; 0 where either side is constant."""
    return float(np.mean([_correlation(y[:, j], values[:, j]) for j in range(y.shape[1])]))


def spearman(y: np.ndarray, values: np.ndarray) -> float:
    """Return Spearman's rank correlation, averaged over targets; 0 where either side is constant."""
    from scipy.stats import rankdata

    return pearson(rankdata(y, axis=0), rankdata(values, axis=0))


def _correlation(a: np.ndarray, b: np.ndarray) -> float:
    a, b = a - a.mean(), b - b.mean()
    # Scaled first, so that neither huge nor tiny numbers leave the range of a float when squared.
    a, b = (x / (np.abs(x).max(initial=0) or 1.0) for x in (a, b))
    scale = float(np.sqrt((a @ a) * (b @ b)))
    return float(np.clip((a @ b) / scale, -1, 1)) if scale > 1e-12 else 0.0


def gini(y: np.ndarray, outputs: np.ndarray) -> float:
    """Return the normalised Gini coefficient, tied predictions sharing their rank; 2·AUROC - 1 for two classes."""
    from scipy.stats import rankdata

    truth = y.astype(np.float64).reshape(len(y), -1)[:, 0]
    centred = truth - truth.mean()
    best = float(centred @ rankdata(truth))
    return float(centred @ rankdata(outputs[:, -1])) / best if best else 0.0
