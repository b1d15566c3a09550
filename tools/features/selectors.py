"""Selection of columns by the target: steps of a pipeline, fitted inside folds."""

from __future__ import annotations

from typing import Any

from autods.tools._checks import check_choice, check_number
from autods.tools._frames import fold_tool

__all__ = ["perform_rfe", "select_k_best"]

KINDS = ("binary", "multiclass", "ordinal", "regression")


@fold_tool
def perform_rfe(
    *,
    kind: str = "binary",
    n_features_to_select: int | float = 0.5,
    step: int | float = 0.1,
    estimator: Any = None,
    random_state: int = 0,
) -> Any:
    """Make a transformer that keeps the columns that survive recursive feature elimination.

    Parameters
    ----------
    kind
        "binary", "multiclass", "ordinal" or "regression": which estimator judges when none is given.
    n_features_to_select
        Columns to keep: a number, or a share below 1.
    step
        Columns to drop in each round: a number, or a share below 1.
    estimator
        An estimator with `coef_` or `feature_importances_`; None means a random forest of 100 trees.
    random_state
        The seed of that forest.

    Returns
    -------
    A scikit-learn transformer for numbers without missing values; a step of a pipeline after encoding and filling.

    Notes
    -----
    Use it in `candidates` with many columns and few rows. It fits the estimator many times: costly on large data.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(200, 4))
    >>> perform_rfe(n_features_to_select=1).fit(X, X[:, 2] > 0).get_support().tolist()
    [False, False, True, False]
    """
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
    from sklearn.feature_selection import RFE

    check_choice("kind", kind, KINDS)
    check_number("n_features_to_select", n_features_to_select, above=0)
    check_number("step", step, above=0)
    forest = RandomForestRegressor if kind == "regression" else RandomForestClassifier
    judge = forest(n_estimators=100, random_state=random_state, n_jobs=1) if estimator is None else estimator
    return RFE(judge, n_features_to_select=n_features_to_select, step=step)


@fold_tool
def select_k_best(*, kind: str = "binary", k: int | str = 20, score: str = "f", random_state: int = 0) -> Any:
    """Make a transformer that keeps the k columns most related to the target, each taken alone.

    Parameters
    ----------
    kind
        "binary", "multiclass", "ordinal" or "regression".
    k
        Columns to keep, or "all".
    score
        "f" (linear relation, fast) or "mutual_information" (any relation, slower).
    random_state
        The seed of the mutual information estimate.

    Returns
    -------
    A scikit-learn transformer for numbers without missing values; with fewer than k columns it keeps all.

    Notes
    -----
    Use it in `candidates` before neighbours or linear estimators on many columns.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(200, 4))
    >>> select_k_best(kind="regression", k=1).fit(X, X[:, 3]).get_support().tolist()
    [False, False, False, True]
    """
    from functools import partial

    from sklearn.feature_selection import (
        SelectKBest,
        f_classif,
        f_regression,
        mutual_info_classif,
        mutual_info_regression,
    )

    check_choice("kind", kind, KINDS)
    check_choice("score", score, ("f", "mutual_information"))
    if k != "all":
        check_number("k", k, 1, integer=True)
    regression = kind == "regression"
    if score == "f":
        return SelectKBest(f_regression if regression else f_classif, k=k)
    information = mutual_info_regression if regression else mutual_info_classif
    return SelectKBest(partial(information, random_state=random_state), k=k)
