"""Fits of penalised linear estimators whose strength is chosen on inner splits of their own training rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autods.tools.modeling._splits import InnerSplit, inner_split

__all__ = [
    "ELASTIC_STRENGTHS",
    "LOGISTIC_STRENGTHS",
    "RIDGE_PENALTIES",
    "Ridge",
    "Splits",
    "fit_logistic",
    "fit_ridge",
    "inner_splits",
]

LOGISTIC_STRENGTHS = (0.01, 0.05, 0.25, 1.0, 5.0)
ELASTIC_STRENGTHS = (0.02, 0.1, 0.5, 2.0)
RIDGE_PENALTIES = tuple(10.0**power for power in np.arange(-4, 2.1, 0.5))
MOST_SEARCH_ROWS = 10_000
MOST_GRAM_COLUMNS = 4000

Splits = Sequence[tuple[np.ndarray, np.ndarray]]


def inner_splits(
    kind: InnerSplit, target: np.ndarray, classification: bool, groups: np.ndarray | None, random_state: int
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Give five inner splits on up to 1,000 rows, two up to 5,000, then one; of at most 10,000 rows to fit."""
    n_splits = 1 if kind == "time" else 5 if len(target) <= 1000 else 2 if len(target) <= 5000 else 1
    splits = []
    for number in range(n_splits):
        fit, watch = inner_split(
            kind,
            target,
            classification=classification,
            share=0.2,
            groups=groups,
            random_state=random_state + 7919 * number,
        )
        if len(fit) > MOST_SEARCH_ROWS:
            generator = np.random.default_rng(random_state)
            fit = np.sort(generator.choice(fit, MOST_SEARCH_ROWS, replace=False))
        splits.append((fit, watch))
    return splits


def fit_logistic(
    design: Any,
    codes: np.ndarray,
    weight: np.ndarray | None,
    splits: Splits,
    strengths: Iterable[float],
    l1_ratio: float = 0.0,
) -> Any:
    """Fit logistic regression, at the inverse penalty with the least log loss on the inner splits."""
    strengths = sorted(strengths)
    best = strengths[0]
    if len(strengths) > 1:
        losses = np.zeros(len(strengths))
        for fit, watch in splits:
            losses += _logistic_path(design, codes, weight, fit, watch, strengths, l1_ratio)
        best = strengths[int(np.argmin(losses))]
    estimator = _logistic(design.shape, len(np.unique(codes)), best, l1_ratio)
    return estimator.fit(design, codes, sample_weight=weight)


def _logistic(shape: tuple[int, int], n_classes: int, strength: float, l1_ratio: float) -> Any:
    from sklearn.linear_model import LogisticRegression

    if l1_ratio > 0:
        return LogisticRegression(
            C=strength, l1_ratio=l1_ratio, solver="saga", max_iter=100, tol=1e-3, random_state=0, warm_start=True
        )
    newton = n_classes == 2 and shape[1] <= 300 and shape[0] > shape[1]
    return LogisticRegression(
        C=strength, solver="newton-cholesky" if newton else "lbfgs", max_iter=300, tol=1e-4, warm_start=not newton
    )


def _logistic_path(
    design: Any,
    codes: np.ndarray,
    weight: np.ndarray | None,
    fit: np.ndarray,
    watch: np.ndarray,
    strengths: list[float],
    l1_ratio: float,
) -> np.ndarray:
    """The weighted log loss on watched rows at each strength; classes absent from the fit cost what 1e-6 does."""
    present = np.unique(codes[fit])
    if len(present) < 2:
        return np.zeros(len(strengths))
    losses = []
    known = design[fit]
    estimator = _logistic(known.shape, len(present), strengths[0], l1_ratio)
    for strength in strengths:
        estimator.set_params(C=strength)
        estimator.fit(known, codes[fit], sample_weight=None if weight is None else weight[fit])
        probability = np.zeros((len(watch), codes.max() + 1))
        probability[:, present] = estimator.predict_proba(design[watch])
        loss = -np.log(np.clip(probability[np.arange(len(watch)), codes[watch]], 1e-6, 1.0))
        losses.append(float(np.average(loss, weights=None if weight is None else weight[watch])))
    return np.asarray(losses)


@dataclass
class Ridge:
    """A fitted ridge regression."""

    coef_: np.ndarray
    intercept_: float

    def predict(self, design: Any) -> np.ndarray:
        """Predict values."""
        return np.asarray(design @ self.coef_).ravel() + self.intercept_


def fit_ridge(
    design: Any,
    target: np.ndarray,
    weight: np.ndarray | None,
    splits: Splits,
    strengths: Iterable[float] | None = None,
    penalties: Sequence[float] = RIDGE_PENALTIES,
) -> Ridge:
    """Fit ridge at the penalty with the least squared error on the inner splits.

    `strengths` are inverse penalties, as of logistic regression; None tries `penalties`, which are per row.
    """
    n_rows = design.shape[0]
    grid = list(penalties) if strengths is None else [1.0 / (strength * n_rows) for strength in strengths]
    best = grid[0]
    if len(grid) > 1:
        losses = np.zeros(len(grid))
        for fit, watch in splits:
            path = _ridge_path(design[fit], target[fit], None if weight is None else weight[fit], grid)
            observed = target[watch]
            for place, ridge in enumerate(path):
                error = (ridge.predict(design[watch]) - observed) ** 2
                losses[place] += np.average(error, weights=None if weight is None else weight[watch])
        best = grid[int(np.argmin(losses))]
    return _ridge_path(design, target, weight, [best])[0]


def _ridge_path(design: Any, target: np.ndarray, weight: np.ndarray | None, grid: Sequence[float]) -> list[Ridge]:
    """Ridge at each penalty per row, from one eigendecomposition of the Gram matrix (LSQR where that is too wide)."""
    n_rows, n_columns = design.shape
    mass = np.ones(n_rows) if weight is None else weight * (n_rows / weight.sum())
    mean = np.asarray(design.T @ mass).ravel() / n_rows
    middle = float(mass @ target) / n_rows
    if n_columns > MOST_GRAM_COLUMNS:
        return [_wide_ridge(design, target, mass, middle, penalty) for penalty in grid]
    weighted = design.multiply(mass[:, None]).tocsr() if hasattr(design, "multiply") else design * mass[:, None]
    gram = design.T @ weighted
    gram = np.asarray(gram.todense() if hasattr(gram, "todense") else gram) - n_rows * np.outer(mean, mean)
    moment = np.asarray(design.T @ (mass * (target - middle))).ravel()
    values, vectors = np.linalg.eigh(gram)
    rotated = vectors.T @ moment
    values = np.maximum(values, 0.0)
    solved = [vectors @ (rotated / (values + penalty * n_rows)) for penalty in grid]
    return [Ridge(coefficients, middle - float(mean @ coefficients)) for coefficients in solved]


def _wide_ridge(design: Any, target: np.ndarray, mass: np.ndarray, middle: float, penalty: float) -> Ridge:
    from scipy import sparse
    from scipy.sparse.linalg import lsqr

    root = np.sqrt(mass)
    rows = sparse.diags(root) @ sparse.csr_matrix(design)
    coefficients = lsqr(rows, root * (target - middle), damp=float(np.sqrt(penalty * len(target))), iter_lim=200)[0]
    return Ridge(coefficients, middle)
