"""Probabilities from scores that are none: a small logistic regression on scores of rows held out inside the fit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Calibrator", "held_out_scores", "inner_folds"]

Scores = Callable[[Any], np.ndarray]


def inner_folds(
    codes: np.ndarray, groups: np.ndarray | None, n_splits: int, random_state: int
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Give each row a fold, classes spread evenly and groups kept whole; fit rows that lack a class are allowed."""
    generator = np.random.default_rng(random_state)
    if groups is not None:
        members = np.unique(groups, return_inverse=True)[1]
        fold = (generator.permutation(members.max() + 1) % n_splits)[members]
    else:
        fold = np.empty(len(codes), dtype=np.int64)
        start = 0
        for code in np.unique(codes):
            rows = generator.permutation(np.flatnonzero(codes == code))
            fold[rows] = (np.arange(len(rows)) + start) % n_splits
            start += len(rows)
    return [
        (np.flatnonzero(fold != part), np.flatnonzero(fold == part)) for part in range(n_splits) if (fold == part).any()
    ]


def held_out_scores(
    fit: Callable[[np.ndarray], tuple[np.ndarray, Scores]],
    design: Any,
    n_outputs: int,
    folds: list[tuple[np.ndarray, np.ndarray]],
) -> np.ndarray:
    """Score every row by a fit on the other folds.

    `fit` takes row numbers and gives the outputs it can score and a function that scores a design; outputs it cannot
    score get its least score.
    """
    scores = np.zeros((design.shape[0], n_outputs))
    for known, watched in folds:
        present, score = fit(known)
        found = score(design[watched])
        block = np.full((len(watched), n_outputs), found.min() if found.size else 0.0)
        block[:, present] = found
        scores[watched] = block
    return scores


@dataclass
class Calibrator:
    """Turns rows × classes scores into probabilities."""

    mean: np.ndarray
    deviation: np.ndarray
    estimator: Any

    @classmethod
    def fit(cls, scores: np.ndarray, codes: np.ndarray, weight: np.ndarray | None) -> Calibrator:
        """Learn from scores of held-out rows and their classes."""
        from sklearn.linear_model import LogisticRegression

        mean, deviation = scores.mean(axis=0), scores.std(axis=0)
        deviation[deviation == 0] = 1.0
        estimator = LogisticRegression(C=10.0, max_iter=200)
        estimator.fit((scores - mean) / deviation, codes, sample_weight=weight)
        return cls(mean, deviation, estimator)

    def probabilities(self, scores: np.ndarray) -> np.ndarray:
        """Give rows × classes probabilities."""
        return np.asarray(self.estimator.predict_proba((scores - self.mean) / self.deviation))
