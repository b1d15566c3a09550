"""How much columns matter: when they are shuffled, and beside what chance would give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from autods.tools._checks import Columns, check_names, check_number, chosen
from autods.tools.explore._reports import report_tool
from autods.tools.explore.adversarial import design_of
from autods.tools.explore.columns import FEW_LEVELS, holds_numbers, numbers_of
from autods.tools.explore.signals import ranks

__all__ = ["null_importance", "permutation_importance_table"]

MAX_ROWS = 5000


@report_tool
def permutation_importance_table(
    estimator: Any,
    X: pd.DataFrame,
    y: Any,
    score: Callable[[Any, Any], float] | None = None,
    *,
    columns: Columns = None,
    n_repeats: int = 3,
    random_state: int = 0,
) -> pd.DataFrame:
    """Measure by how much an estimator's score falls when a column is shuffled; best on rows it has not learned from.

    Parameters
    ----------
    estimator
        A fitted estimator with `predict` (and `score`, when no `score` is given).
    X, y
        Rows to judge on, at most 5,000 of them are used.
    score
        Takes true and predicted values, greater is better; None means the estimator's own score.
    columns
        The columns to shuffle; None means all.
    n_repeats, random_state
        How often each column is shuffled, and the seed.

    Returns
    -------
    A table `column`, `importance`, `standard_deviation`, the most important first.

    Notes
    -----
    Of two columns that say the same neither seems important alone: look at their correlation too.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> X = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0] * 5, "b": [1.0, 0.0] * 10})
    >>> permutation_importance_table(LinearRegression().fit(X, X["a"]), X, X["a"])["column"].tolist()
    ['a', 'b']
    """
    check_number("n_repeats", n_repeats, 1, integer=True)
    names, truth = chosen(X, None, columns), np.asarray(y)
    generator = np.random.default_rng(random_state)
    if len(X) > MAX_ROWS:
        rows = np.sort(generator.choice(len(X), MAX_ROWS, replace=False))
        X, truth = X.iloc[rows], truth[rows]

    def scored(frame: pd.DataFrame) -> float:
        return float(estimator.score(frame, truth) if score is None else score(truth, estimator.predict(frame)))

    whole, orders = scored(X), [generator.permutation(len(X)) for _ in range(n_repeats)]
    falls = {
        column: [whole - scored(X.assign(**{column: X[column].array[order]})) for order in orders] for column in names
    }
    table = pd.DataFrame({
        "column": names,
        "importance": [float(np.mean(falls[column])) for column in names],
        "standard_deviation": [float(np.std(falls[column])) for column in names],
    })  # fmt: skip
    return table.sort_values("importance", ascending=False, kind="stable", ignore_index=True)


@report_tool
def null_importance(
    train: pd.DataFrame, target: str, columns: Columns = None, *, n_shuffles: int = 5, random_state: int = 0
) -> pd.DataFrame:
    """Compare each column's importance with what it has when the target is shuffled.

    Parameters
    ----------
    train
        The frame, with the target among its columns; at most 5,000 rows are used.
    target
        The target's column.
    columns
        Features to judge; None means all but the target.
    n_shuffles, random_state
        How many shuffled targets, and the seed.

    Returns
    -------
    A table `column`, `importance` (of a forest, over all 1), `null_importance` (the largest over the shuffles) and
    `gain` (the first over the second); columns with a gain below 1 tell no more than chance. The largest gain is first.

    Raises
    ------
    ValueError
        When the target hardly varies.

    Notes
    -----
    It guards against columns of many levels, to which a forest gives importance for nothing.

    Examples
    --------
    >>> train = pd.DataFrame({"good": [0, 1] * 50, "noise": [k * 37 % 100 for k in range(100)], "y": ["n", "p"] * 50})
    >>> null_importance(train, "y")["column"].tolist()
    ['good', 'noise']
    """
    check_names("target", target, train, None)
    check_number("n_shuffles", n_shuffles, 1, integer=True)
    names = [column for column in chosen(train, None, columns) if column != target]
    rows = np.flatnonzero(train[target].notna().to_numpy())
    generator = np.random.default_rng(random_state)
    if rows.size > MAX_ROWS:
        rows = np.sort(generator.choice(rows, MAX_ROWS, replace=False))
    truth = train[target].iloc[rows]
    if truth.nunique() < 2:
        raise ValueError(f"target={target!r} has {truth.nunique()} distinct value; importance needs at least 2.")
    X = np.apply_along_axis(_ranked, 0, design_of(train[names].iloc[rows])[0]) if names else np.empty((rows.size, 0))
    classes = not holds_numbers(truth) or truth.nunique() <= FEW_LEVELS
    y = np.asarray(pd.factorize(truth, sort=True)[0]) if classes else numbers_of(truth)
    actual = _forest_importance(X, y, classes, random_state)
    chance = [_forest_importance(X, generator.permutation(y), classes, random_state) for _ in range(n_shuffles)]
    null = np.max(chance, axis=0)
    table = pd.DataFrame({"column": names, "importance": actual, "null_importance": null})
    table["gain"] = table["importance"] / table["null_importance"].clip(lower=1e-9)
    return table.sort_values("gain", ascending=False, kind="stable", ignore_index=True)


def _ranked(values: np.ndarray) -> np.ndarray:
    """Ranks, in which no tail or overflow misleads random thresholds; missing comes before all."""
    return np.where(np.isnan(values), 0.0, ranks(np.nan_to_num(values)))


def _forest_importance(X: np.ndarray, y: np.ndarray, classes: bool, random_state: int) -> np.ndarray:
    """Impurity decrease of a small forest, not normalised away: weighed by how much the trees explain at all."""
    from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor

    kind = ExtraTreesClassifier if classes else ExtraTreesRegressor
    forest = kind(n_estimators=30, min_samples_leaf=5, max_features=0.5, random_state=random_state, n_jobs=1)
    trees = forest.fit(X, y).estimators_
    return np.asarray(np.mean([tree.tree_.compute_feature_importances(normalize=False) for tree in trees], axis=0))
