"""The audit of a blend: one fold of each member, fitted again without the targets that it predicts."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from autods.records import Folds
from autods.validation.jobs import FitJob, FitOutcome

__all__ = ["audit_jobs", "reproduced"]


def audit_jobs(members: Mapping[str, FitJob], folds: Folds, seed: int) -> list[FitJob]:
    """Return a job for each member that fits one fold again, drawn at random.

    Examples
    --------
    >>> folds = Folds("plain", ((np.array([0]), np.array([1])), (np.array([1]), np.array([0]))), 2, 1, "", 2)
    >>> [job.splits in [(0,), (1,)] for job in audit_jobs({"a": FitJob("a", "a")}, folds, seed=0)]
    [True]
    """
    generator = np.random.default_rng([seed, 0xA0D17])
    drawn = generator.integers(0, len(folds.splits), len(members)).tolist()
    return [
        FitJob(job.name, job.base, job.parameters, splits=(split,))
        for job, split in zip(members.values(), drawn, strict=True)
    ]


def reproduced(job: FitJob, audit: FitOutcome, original: FitOutcome, folds: Folds) -> float:
    """Return the largest absolute difference between the audit's predictions and the original's; NaN without either.

    Examples
    --------
    >>> folds = Folds("plain", ((np.array([0]), np.array([1])), (np.array([1]), np.array([0]))), 2, 1, "", 2)
    >>> outcome = FitOutcome("ok", oof=np.array([[1.0], [2.0]]))
    >>> reproduced(FitJob("a", "a", splits=(1,)), outcome, outcome, folds)
    0.0
    """
    if job.splits is None or audit.status != "ok":
        return float("nan")
    split = job.splits[0]
    again, first = _of_repeat(audit, split, folds), _of_repeat(original, split, folds)
    if again is None or first is None:
        return float("nan")
    valid = folds.splits[split][1]
    return float(np.max(np.abs(again[valid] - first[valid])))


def _of_repeat(outcome: FitOutcome, split: int, folds: Folds) -> np.ndarray | None:
    if outcome.by_repeat is not None:
        return np.asarray(outcome.by_repeat[split // folds.n_splits])
    return outcome.oof if folds.n_repeats == 1 else None
