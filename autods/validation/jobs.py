"""One fit as a job: what the harness asks of the sandbox, and what it gets back."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import pandas as pd

from autods.records import Folds, Kind
from autods.validation.cross_validation import fit_candidate
from autods.validation.preparation import configure
from autods.validation.scoring import held_out_rows

__all__ = ["Fit", "FitJob", "FitOutcome", "checked", "fit_here", "visible_targets"]


@dataclass(frozen=True)
class FitJob:
    """Fit one candidate on the run's folds.

    Attributes
    ----------
    name
        The candidate's name, or that of a tuning trial: `lightgbm#3`.
    base
        The key of `candidates(task)` whose estimator is fitted.
    parameters
        What `set_params` gets first.
    splits
        Only these folds, and no test rows: an audit. The child must get `visible_targets`, not all.
    timeout_s
        The limit on the child's wall time; infinite without a budget.
    """

    name: str
    base: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    splits: tuple[int, ...] | None = None
    timeout_s: float = float("inf")


@dataclass(frozen=True)
class FitOutcome:
    """What became of a job; arrays as in `FitResult`, None unless the status is `ok`.

    `folder`, relative to the run's folder, is where they were saved.
    """

    status: Literal["ok", "failed", "cut_off", "refused"]
    oof: np.ndarray | None = None
    test: np.ndarray | None = None
    by_repeat: np.ndarray | None = None
    seconds: float = 0.0
    folder: str = ""
    message: str = ""
    importance: Mapping[str, float] = field(default_factory=dict)


Fit = Callable[[FitJob], FitOutcome]


def visible_targets(job: FitJob, y: np.ndarray, folds: Folds) -> np.ndarray:
    """Return the targets that a job's child may see: all, or for an audit only those of its training rows.

    What is hidden is -1 or NaN, so that anything learnt from it changes the predictions.

    Examples
    --------
    >>> folds = Folds("plain", ((np.array([0]), np.array([1])), (np.array([1]), np.array([0]))), 2, 1, "", 2)
    >>> visible_targets(FitJob("a", "a", splits=(0,)), np.array([1, 1]), folds).tolist()
    [1, -1]
    """
    if job.splits is None:
        return y
    seen = np.unique(np.concatenate([folds.splits[split][0] for split in job.splits]))
    hidden = np.full_like(y, np.nan if y.dtype.kind == "f" else -1)
    hidden[seen] = y[seen]
    return hidden


def checked(outcome: FitOutcome, folds: Folds, n_outputs: int) -> FitOutcome:
    """Turn an outcome that claims to be ok but lacks predictions into a failed one that says what is missing.

    Examples
    --------
    >>> checked(FitOutcome("ok"), Folds("plain", (), 0, 0, "", 3), 1).message
    'There are no out-of-fold predictions.'
    """
    if outcome.status != "ok":
        return outcome
    message = ""
    if outcome.oof is None:
        message = "There are no out-of-fold predictions."
    elif outcome.oof.shape != (folds.n_rows, n_outputs):
        message = f"Out-of-fold predictions have the shape {outcome.oof.shape}, not {(folds.n_rows, n_outputs)}."
    elif not np.isfinite(outcome.oof[held_out_rows(folds)]).all():
        n_missing = int((~np.isfinite(outcome.oof[held_out_rows(folds)])).any(axis=1).sum())
        message = f"Out-of-fold predictions of {n_missing} rows are not finite."
    elif outcome.test is not None and not np.isfinite(outcome.test).all():
        n_missing = int((~np.isfinite(outcome.test)).any(axis=1).sum())
        message = f"Predictions of {n_missing} test rows are not finite."
    return replace(outcome, status="failed", message=message) if message else outcome


def fit_here(
    estimators: Mapping[str, Any],
    X: pd.DataFrame,
    y: np.ndarray,
    X_test: pd.DataFrame | None,
    folds: Folds,
    *,
    kind: Kind,
    n_outputs: int,
    seed: int,
    fit_rows: np.ndarray | None = None,
) -> Fit:
    """Make a `fit` that works in this process, one job at a time: for notebooks, where code is one's own.

    Examples
    --------
    >>> from sklearn.dummy import DummyRegressor
    >>> folds = Folds("plain", ((np.array([0]), np.array([1])), (np.array([1]), np.array([0]))), 2, 1, "", 2)
    >>> X, y = pd.DataFrame({"x": [0.0, 1.0]}), np.array([2.0, 2.0])
    >>> fit = fit_here({"mean": DummyRegressor()}, X, y, None, folds, kind="regression", n_outputs=1, seed=0)
    >>> fit(FitJob("mean", "mean")).oof.tolist()
    [[2.0], [2.0]]
    """

    def fit(job: FitJob) -> FitOutcome:
        started = time.perf_counter()
        try:
            result = fit_candidate(
                configure(estimators[job.base], job.parameters),
                X,
                visible_targets(job, y, folds),
                X_test if job.splits is None else None,
                folds,
                kind=kind,
                n_outputs=n_outputs,
                seed=seed,
                fit_rows=fit_rows,
                splits=job.splits,
            )
        except Exception as error:  # whatever an estimator raises is the candidate's failure
            message = " ".join([f"{type(error).__name__}: {error}", *getattr(error, "__notes__", [])])
            return FitOutcome("failed", seconds=time.perf_counter() - started, message=message)
        seconds = time.perf_counter() - started
        return FitOutcome(
            "ok", result.oof, result.test, result.by_repeat, seconds=seconds, importance=result.importance
        )

    return fit
