"""Can train be told from test? Cross-validated gradient boosting on both, and the columns that tell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from autods.tools._checks import Columns, chosen
from autods.tools.explore._reports import report_tool
from autods.tools.explore.columns import holds_numbers, holds_text, numbers_of
from autods.tools.explore.signals import ranks

__all__ = ["Adversarial", "adversarial_scores", "adversarial_validation", "auc_of", "design_of"]

MAX_ROWS = 2500
MAX_COLUMNS = 100
N_SPLITS = 3


@dataclass(frozen=True)
class Adversarial:
    """How well train can be told from test.

    Attributes
    ----------
    auc
        The mean over folds: 0.5 when they look alike, 1 when a row always shows where it is from.
    folds
        The AUC of each fold.
    columns
        A table `column`, `importance`: by how much the AUC falls when the column is shuffled, largest first.
    """

    auc: float
    folds: tuple[float, ...]
    columns: pd.DataFrame


def auc_of(score: np.ndarray, truth: np.ndarray) -> float:
    """The area under the ROC curve of a score for a 0/1 truth."""
    ones = int(truth.sum())
    zeros = truth.size - ones
    if not ones or not zeros:
        return np.nan
    return float((ranks(score)[truth == 1].sum() - ones * (ones + 1) / 2) / (ones * zeros))


def design_of(*frames: pd.DataFrame) -> list[np.ndarray]:
    """Turn frames of the same columns into float matrices: numbers as they are, levels coded alike in all frames.

    Text becomes its length, an all-missing column zeros; levels are numbered from the most frequent, ties in sorted order.
    """
    n_rows = np.cumsum([len(frame) for frame in frames])[:-1]
    matrix = np.empty((sum(map(len, frames)), frames[0].shape[1]))
    for j, name in enumerate(frames[0].columns):
        parts = [frame[name] for frame in frames]
        if all(map(holds_numbers, parts)):
            matrix[:, j] = np.concatenate([numbers_of(part) for part in parts])
            continue
        joint = pd.concat([part.astype("str") for part in parts], ignore_index=True)
        if holds_text(joint):
            matrix[:, j] = joint.str.len().to_numpy(dtype=np.float64, na_value=np.nan)
        else:
            codes, _ = pd.factorize(joint, sort=True)
            counts = np.bincount(codes[codes >= 0])
            place = np.empty(counts.size)
            place[np.argsort(-counts, kind="stable")] = np.arange(counts.size)
            matrix[:, j] = np.where(codes >= 0, np.append(place, np.nan)[codes], np.nan)
    matrix[~np.isfinite(matrix)] = np.nan
    matrix[:, np.isnan(matrix).all(axis=0)] = 0.0
    return list(np.split(matrix, n_rows))


def _sample(frame: pd.DataFrame, n_rows: int, seed: int) -> pd.DataFrame:
    if len(frame) <= n_rows:
        return frame
    return frame.iloc[np.sort(np.random.default_rng(seed).choice(len(frame), n_rows, replace=False))]


def _fits(train: pd.DataFrame, test: pd.DataFrame, random_state: int) -> Iterator[tuple[Any, np.ndarray, np.ndarray]]:
    """Give the estimator of each fold with its held-out rows."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.model_selection import StratifiedKFold
    from threadpoolctl import threadpool_limits

    names = [name for name in train.columns if name in test.columns][:MAX_COLUMNS]
    train, test = (_sample(frame[names], MAX_ROWS, random_state) for frame in (train, test))
    if not names or min(len(train), len(test)) < 2 * N_SPLITS:
        return
    matrix = np.concatenate(design_of(train, test))
    truth = np.repeat([0, 1], [len(train), len(test)])
    splits = StratifiedKFold(N_SPLITS, shuffle=True, random_state=random_state).split(matrix, truth)
    estimator = {"max_iter": 30, "max_leaf_nodes": 15, "min_samples_leaf": 10, "early_stopping": False}
    with threadpool_limits(1):
        for fit_rows, held_out in splits:
            fitted = HistGradientBoostingClassifier(**estimator, random_state=random_state)
            fitted.fit(matrix[fit_rows], truth[fit_rows])
            yield fitted, matrix[held_out], truth[held_out]


def adversarial_scores(train: pd.DataFrame, test: pd.DataFrame, random_state: int = 0) -> tuple[float, ...]:
    """The AUC of each fold with which train is told from test; empty when there are too few rows."""
    return tuple(auc_of(fitted.predict_proba(X)[:, 1], truth) for fitted, X, truth in _fits(train, test, random_state))


@report_tool
def adversarial_validation(
    train: pd.DataFrame, test: pd.DataFrame, columns: Columns = None, *, random_state: int = 0
) -> Adversarial:
    """Test whether train can be told from test, and by which columns.

    Parameters
    ----------
    train, test
        The frames; at most 2,500 rows of each are used, drawn with `random_state`.
    columns
        Features to tell them by, at most 100 of them; None means all that both have. Leave ids out: they always tell.
    random_state
        The seed of the draw, the folds and the classifier.

    Returns
    -------
    The cross-validated AUC and the importance of each column; the AUC is NaN when there are too few rows.

    Notes
    -----
    Above about 0.6 a validation score on train may not hold on test: drop or repair the first columns of the table, or
    validate on the rows that look most like test. It says nothing of drift in how the target depends on features.

    Examples
    --------
    >>> train = pd.DataFrame({"year": [2019.0, 2020.0] * 30, "size": range(60)})
    >>> test = pd.DataFrame({"year": [2021.0, 2022.0] * 30, "size": range(60)})
    >>> result = adversarial_validation(train, test)
    >>> result.auc > 0.95, result.columns["column"].iloc[0]
    (True, 'year')
    """
    names = chosen(train, test, columns)[:MAX_COLUMNS]
    generator = np.random.default_rng(random_state)
    scores, drops = [], []
    for fitted, X, truth in _fits(train[names], test[names], random_state):
        score = auc_of(fitted.predict_proba(X)[:, 1], truth)
        order = generator.permutation(len(X))
        scores.append(score)
        drops.append([score - auc_of(_shuffled(fitted, X, j, order), truth) for j in range(len(names))])
    importance = np.mean(drops, axis=0) if drops else np.full(len(names), np.nan)
    table = pd.DataFrame({"column": names, "importance": importance})
    table = table.sort_values("importance", ascending=False, kind="stable", ignore_index=True)
    return Adversarial(float(np.mean(scores)) if scores else np.nan, tuple(scores), table)


def _shuffled(fitted: Any, X: np.ndarray, column: int, order: np.ndarray) -> np.ndarray:
    other = X.copy()
    other[:, column] = X[order, column]
    return np.asarray(fitted.predict_proba(other)[:, 1])
