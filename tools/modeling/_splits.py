"""The inner split of an estimator's own training rows, on which it stops early."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from autods.tools._checks import check_choice

__all__ = ["InnerSplit", "inner_split"]

InnerSplit = Literal["auto", "stratified", "plain", "grouped", "stratified_grouped", "time", "leave_one_out"]


def inner_split(
    kind: InnerSplit,
    y: np.ndarray,
    *,
    classification: bool,
    share: float,
    groups: np.ndarray | None = None,
    random_state: int = 0,
) -> tuple[np.ndarray, np.ndarray]:
    """Split row numbers into a part to fit and a part to watch, both ascending.

    Parameters
    ----------
    kind
        The kind of the run's folds. `grouped` keeps the rows of a group together (plain when there are no groups);
        `time` watches the last rows, which must stand in the order of time; `auto` stratifies classes and splits
        values plainly.
    share
        The share of rows to watch.

    Raises
    ------
    ValueError
        When `kind` is unknown.

    Examples
    --------
    >>> fit, watch = inner_split("time", np.arange(10.0), classification=False, share=0.2)
    >>> watch.tolist()
    [8, 9]
    """
    check_choice("inner_split", kind, get_args(InnerSplit))
    generator = np.random.default_rng(random_state)
    n_watch = min(max(1, round(len(y) * share)), len(y) - 1)
    if kind == "time":
        watched = np.arange(len(y) - n_watch, len(y))
    elif kind in ("grouped", "stratified_grouped") and groups is not None and len(np.unique(groups)) > 1:
        watched = _watched_groups(np.asarray(groups), n_watch, generator)
    elif kind in ("auto", "stratified", "stratified_grouped", "grouped") and classification:
        watched = _watched_by_class(y, share, generator)
    else:
        watched = generator.permutation(len(y))[:n_watch]
    mask = np.zeros(len(y), dtype=bool)
    mask[watched] = True
    return np.flatnonzero(~mask), np.flatnonzero(mask)


def _watched_groups(groups: np.ndarray, n_watch: int, generator: np.random.Generator) -> np.ndarray:
    codes = np.unique(groups, return_inverse=True)[1]
    sizes = np.bincount(codes)
    order = generator.permutation(len(sizes))
    taken = order[: max(1, int(np.searchsorted(np.cumsum(sizes[order]), n_watch)))]
    return np.flatnonzero(np.isin(codes, taken[: len(sizes) - 1]))


def _watched_by_class(y: np.ndarray, share: float, generator: np.random.Generator) -> np.ndarray:
    parts = []
    for label in np.unique(y):
        rows = generator.permutation(np.flatnonzero(y == label))
        parts.append(rows[: min(round(len(rows) * share), len(rows) - 1)])
    watched = np.concatenate(parts)
    return watched if len(watched) else generator.permutation(len(y))[:1]
