"""Fitting one candidate on the run's folds; the same function in the sandbox and in a replayed solution."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from autods.records import Folds, Kind
from autods.validation.outputs import Constant, FoldFit, predict_outputs
from autods.validation.preparation import fit_arguments, prepare, repeatable, seed_of

__all__ = ["FitResult", "FoldFit", "fit_candidate", "importance_of", "predict_outputs"]

# Rows that a fit learned from and is asked about again; enough to see how much it remembers.
MOST_REMEMBERED = 1_000


@dataclass(frozen=True)
class FitResult:
    """What a candidate's fits gave.

    Attributes
    ----------
    oof
        Out-of-fold outputs, rows × outputs; the mean over repeats, NaN where a row was never held out.
    by_repeat
        The same for each repeat, repeats × rows × outputs.
    test
        Outputs for the test rows: the mean over the fits; None without test rows.
    estimators
        The fits that predict new rows (see `predict_outputs`).
    fold_seconds
        Seconds of each fit and its held-out predictions.
    importance
        Shares of the features, the mean over fits; empty where estimators have none.
    learned
        The first fit's outputs for rows that it learned from (column 0 is the row number): how much it remembers.
    """

    oof: np.ndarray
    by_repeat: np.ndarray
    test: np.ndarray | None
    estimators: tuple[FoldFit, ...]
    fold_seconds: tuple[float, ...]
    importance: Mapping[str, float] = field(default_factory=dict)
    learned: np.ndarray | None = None


@dataclass(frozen=True)
class _Problem:
    """What every fold's fit needs."""

    estimator: Any
    X: pd.DataFrame
    y: np.ndarray
    kind: Kind
    n_outputs: int
    seed: int
    fold_kind: str
    fit_rows: np.ndarray | None
    groups: np.ndarray | None


def fit_candidate(
    estimator: Any,
    X: pd.DataFrame,
    y: np.ndarray,
    X_test: pd.DataFrame | None,
    folds: Folds,
    *,
    kind: Kind,
    n_outputs: int,
    seed: int,
    fit_rows: np.ndarray | None = None,
    groups: np.ndarray | None = None,
    on_fold: Callable[[int, int], None] | None = None,
    splits: Sequence[int] | None = None,
) -> FitResult:
    """Fit an estimator on every fold, predict what is held out, and predict the test rows.

    Bytes depend on the arguments only: one thread, and every seed follows from `seed` and the fold's number.

    Parameters
    ----------
    estimator
        scikit-learn-compatible; it is cloned, never fitted itself.
    X, y
        The labelled rows and targets in the harness's form.
    X_test
        The test rows; None for none.
    folds
        The run's folds. Time-ordered folds predict the test rows by one more fit on all rows.
    kind, n_outputs
        The task's kind and number of outputs.
    seed
        The run's seed.
    fit_rows
        False for rows that no fit may use; they are still scored.
    groups
        Group codes for estimators that take `groups`; by default the folds' own.
    on_fold
        Called with the number of finished fits and of all, for progress.
    splits
        Only these folds (for the audit), without test rows' extra fit; by default all.

    Raises
    ------
    Exception
        Whatever a fit raises, with a note that names the fold: one failing fold fails the candidate.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> X, y = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0]}), np.array([0.0, 1.0, 2.0, 3.0])
    >>> low, high = np.array([0, 1]), np.array([2, 3])
    >>> folds = Folds("plain", ((low, high), (high, low)), 2, 1, "", 4)
    >>> tree = DecisionTreeRegressor()
    >>> fit_candidate(tree, X, y, None, folds, kind="regression", n_outputs=1, seed=0).oof[:, 0].tolist()
    [2.0, 2.0, 1.0, 1.0]
    """
    groups = folds.groups if groups is None else groups
    problem = _Problem(estimator, X, y, kind, n_outputs, seed, folds.kind, fit_rows, groups)
    chosen = range(len(folds.splits)) if splits is None else splits
    whole = splits is None and (folds.kind == "time" or not folds.splits)
    n_fits = len(chosen) + whole
    by_repeat = np.full((max(1, folds.n_repeats), len(X), n_outputs), np.nan)
    fits: list[FoldFit] = []
    seconds: list[float] = []
    with repeatable(seed):
        for number in chosen:
            started = time.perf_counter()
            train, valid = folds.splits[number]
            try:
                fit = _fit(problem, train, number)
                by_repeat[number // folds.n_splits, valid] = fit.predict(X.iloc[valid].reset_index(drop=True))
            except Exception as error:
                error.add_note(f"This happened in fold {number + 1} of {len(folds.splits)}.")
                raise
            fits.append(fit)
            seconds.append(time.perf_counter() - started)
            if on_fold is not None:
                on_fold(len(fits), n_fits)
        learned = None if splits is not None or not fits else _remembered(problem, fits[0], folds.splits[chosen[0]][0])
        if whole:
            fits = [_fit(problem, _in_order(folds), len(folds.splits))]
        test = None if X_test is None else predict_outputs(fits, X_test)
    return FitResult(
        _mean_over_repeats(by_repeat), by_repeat, test, tuple(fits), tuple(seconds), _mean_importance(fits), learned
    )


def importance_of(estimator: Any) -> dict[str, float]:
    """Return the share of each feature in what an estimator learnt; empty where it does not say.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> importance_of(DecisionTreeRegressor().fit(pd.DataFrame({"x": [0.0, 1.0]}), [0.0, 1.0]))
    {'x': 1.0}
    """
    if getattr(estimator, "steps", None):
        return importance_of(estimator.steps[-1][1])
    if callable(getattr(estimator, "importance", None)):
        return {str(name): float(share) for name, share in estimator.importance().items()}
    names = getattr(estimator, "feature_names_in_", None)
    weights = getattr(estimator, "feature_importances_", None)
    if weights is None:
        weights = getattr(estimator, "coef_", None)
    if names is None or weights is None:
        return {}
    weights = np.abs(np.atleast_2d(np.asarray(weights, dtype=np.float64))).mean(axis=0)
    total = float(weights.sum())
    if len(weights) != len(names) or total <= 0:
        return {}
    return {str(name): float(weight) / total for name, weight in zip(names, weights, strict=True)}


def _in_order(folds: Folds) -> np.ndarray:
    """All rows, in the order of time where folds have one."""
    return np.concatenate(folds.splits[-1]) if folds.splits else np.arange(folds.n_rows)


def _fit(problem: _Problem, train: np.ndarray, number: int) -> FoldFit:
    rows = train if problem.fit_rows is None else train[problem.fit_rows[train]]
    rows = rows if len(rows) else train
    per_column = problem.kind in ("multilabel", "multi_regression")
    targets = [problem.y[:, j] for j in range(problem.y.shape[1])] if per_column else [problem.y]
    fitted = [_fit_column(problem, rows, target, number, j) for j, target in enumerate(targets)]
    estimators = tuple(estimator for estimator, _ in fitted)
    if problem.kind in ("regression", "multi_regression"):
        return FoldFit(estimators, problem.kind, problem.n_outputs, limits=tuple(_limits(seen) for _, seen in fitted))
    classes = tuple(tuple(np.unique(seen).tolist()) for _, seen in fitted)
    return FoldFit(estimators, problem.kind, problem.n_outputs, classes=classes)


def _fit_column(
    problem: _Problem, rows: np.ndarray, target: np.ndarray, number: int, column: int
) -> tuple[Any, np.ndarray]:
    """Fit one estimator; return it with the targets that it saw."""
    target = target.reshape(-1)
    rows = rows[np.isfinite(target[rows])] if target.dtype.kind == "f" else rows
    seen = target[rows]
    if len(seen) == 0 or seen.min() == seen.max():
        return _constant(problem, seen), seen
    fresh = prepare(problem.estimator, seed=seed_of(problem.seed, number, column), fold_kind=problem.fold_kind)
    arguments = fit_arguments(fresh, None if problem.groups is None else problem.groups[rows])
    fresh.fit(problem.X.iloc[rows].reset_index(drop=True), seen.copy(), **arguments)
    return fresh, seen


def _constant(problem: _Problem, seen: np.ndarray) -> Constant:
    if problem.kind in ("regression", "multi_regression"):
        return Constant((float(seen[0]) if len(seen) else 0.0,))
    # One pseudo-row for each class: a class that training lacks is improbable, not impossible.
    n_classes = 2 if problem.kind == "multilabel" else problem.n_outputs
    counts = np.bincount(seen, minlength=n_classes) + 1.0
    return Constant(tuple((counts / counts.sum()).tolist()))


def _limits(seen: np.ndarray) -> tuple[float, float]:
    """How far values may go: one range of the training target beyond it, so that no fit can run away."""
    if len(seen) == 0:
        return 0.0, 0.0
    low, high = float(seen.min()), float(seen.max())
    return low - (high - low), high + (high - low)


def _remembered(problem: _Problem, fit: FoldFit, train: np.ndarray) -> np.ndarray | None:
    """A fit's outputs for some of the rows that it learned from, their numbers in column 0."""
    learned = train if problem.fit_rows is None else train[problem.fit_rows[train]]
    if not len(learned):
        return None
    rows = learned[np.unique(np.linspace(0, len(learned) - 1, MOST_REMEMBERED).astype(int))]
    return np.column_stack([rows, fit.predict(problem.X.iloc[rows].reset_index(drop=True))])


def _mean_over_repeats(by_repeat: np.ndarray) -> np.ndarray:
    if len(by_repeat) == 1:
        return np.asarray(by_repeat[0])
    known = np.isfinite(by_repeat)
    n_known = known.sum(axis=0)
    total = np.where(known, by_repeat, 0.0).sum(axis=0)
    return np.where(n_known > 0, total / np.maximum(n_known, 1), np.nan)


def _mean_importance(fits: Sequence[FoldFit]) -> dict[str, float]:
    shares = [importance_of(estimator) for fit in fits for estimator in fit.estimators]
    totals: dict[str, float] = {}
    for share in shares:
        for name, value in share.items():
            totals[name] = totals.get(name, 0.0) + value
    whole = sum(totals.values())
    ordered = sorted(totals.items(), key=lambda item: (-item[1], item[0]))
    return {name: value / whole for name, value in ordered} if whole > 0 else {}
