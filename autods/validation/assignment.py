"""Which fold holds out which row: plain arithmetic on row numbers, the same on any machine."""

from __future__ import annotations

import numpy as np

from autods.records import Kind

__all__ = ["assign_groups", "assign_rows", "splits_of", "strata_of", "time_splits"]

Split = tuple[np.ndarray, np.ndarray]


def strata_of(y: np.ndarray, kind: Kind, n_splits: int) -> np.ndarray:
    """Return the stratum of each row, so that folds get the same share of each.

    Parameters
    ----------
    y
        Targets in the harness's form.
    kind
        The task's kind: classes are their own strata, values fall into quantile bins, label sets into combinations.
    n_splits
        The number of folds; strata of values hold at least as many rows.

    Examples
    --------
    >>> strata_of(np.array([0.1, 9.0, 0.2, 8.0]), "regression", 2).tolist()
    [0, 1, 0, 1]
    """
    if kind == "multilabel":
        combinations, counts = np.unique(y, axis=0, return_inverse=True, return_counts=True)[1:]
        combinations = combinations.ravel()
        rare = counts[combinations] < n_splits
        # A combination too rare to be spread over the folds joins those with as many labels.
        return np.where(rare, len(counts) + y.sum(axis=1), combinations).astype(np.int64)
    if kind not in ("regression", "multi_regression"):
        return y.astype(np.int64)
    values = y if y.ndim == 1 else _common_scale(y)
    n_bins = max(1, min(10, len(values) // n_splits))
    ranks = np.empty(len(values), dtype=np.int64)
    ranks[np.argsort(values, kind="stable")] = np.arange(len(values))
    return ranks * n_bins // len(values)


def _common_scale(y: np.ndarray) -> np.ndarray:
    known = np.where(np.isfinite(y), y, 0.0)
    spread = known.std(axis=0)
    return np.asarray(((known - known.mean(axis=0)) / np.where(spread > 0, spread, 1.0)).mean(axis=1))


def assign_rows(strata: np.ndarray, n_splits: int, random_state: np.random.Generator) -> np.ndarray:
    """Deal the rows of each stratum to the folds in turn.

    Dealing goes on from one stratum to the next, so that folds differ by at most one row in all and in each stratum.

    Examples
    --------
    >>> folds = assign_rows(np.array([0, 0, 1, 1]), 2, np.random.default_rng(0))
    >>> sorted(folds[:2].tolist()), sorted(folds[2:].tolist())
    ([0, 1], [0, 1])
    """
    order = random_state.permutation(len(strata))
    order = order[np.argsort(strata[order], kind="stable")]
    folds = np.empty(len(strata), dtype=np.int64)
    folds[order] = np.arange(len(strata)) % n_splits
    return folds


def assign_groups(
    groups: np.ndarray, strata: np.ndarray, n_splits: int, random_state: np.random.Generator
) -> np.ndarray:
    """Give whole groups to folds, large ones first, each to the fold that is emptiest in the group's main stratum.

    Examples
    --------
    >>> folds = assign_groups(np.array([7, 7, 8, 9]), np.zeros(4, dtype=int), 2, np.random.default_rng(0))
    >>> bool(folds[0] == folds[1]), sorted(np.bincount(folds).tolist())
    (True, [2, 2])
    """
    codes = np.unique(groups, return_inverse=True)[1].ravel()
    sizes = np.bincount(codes)
    mains = _main_strata(codes, np.unique(strata, return_inverse=True)[1].ravel())
    order = random_state.permutation(len(sizes))
    order = order[np.argsort(-sizes[order], kind="stable")]
    load = np.zeros((int(mains.max()) + 1, n_splits))
    fold_of = np.empty(len(sizes), dtype=np.int64)
    whole = np.zeros(n_splits)
    n_large = int((sizes > 1).sum())
    for group in order[:n_large]:
        fold = int(np.lexsort((whole, load[mains[group]]))[0])
        fold_of[group] = fold
        load[mains[group], fold] += sizes[group]
        whole[fold] += sizes[group]
    singles = order[n_large:]
    for stratum in np.unique(mains[singles]):
        members = singles[mains[singles] == stratum]
        fold_of[members] = np.repeat(np.arange(n_splits), _fill(load[stratum], whole, len(members)))
        whole += np.bincount(fold_of[members], minlength=n_splits)
    return fold_of[codes]


def _main_strata(codes: np.ndarray, strata: np.ndarray) -> np.ndarray:
    """The most frequent stratum of each group (the first of those that tie)."""
    pairs, counts = np.unique(np.column_stack([codes, strata]), axis=0, return_counts=True)
    order = np.lexsort((pairs[:, 1], -counts, pairs[:, 0]))
    first = np.unique(pairs[order, 0], return_index=True)[1]
    return np.asarray(pairs[order[first], 1])


def _fill(load: np.ndarray, whole: np.ndarray, n: int) -> np.ndarray:
    """How many of n single rows each fold takes so that loads end as even as they can."""
    order = np.lexsort((whole, load))
    levels = load[order]
    n_filled = 1
    while n_filled < len(levels) and (levels[n_filled] * n_filled - levels[:n_filled].sum()) < n:
        n_filled += 1
    level, rest = divmod(int(n + levels[:n_filled].sum()), n_filled)
    taken = np.zeros(len(load), dtype=np.int64)
    taken[order[:n_filled]] = level - levels[:n_filled] + (np.arange(n_filled) < rest)
    return taken


def splits_of(folds: np.ndarray, n_splits: int) -> list[Split]:
    """Turn fold numbers into pairs of row numbers to train on and to hold out.

    Examples
    --------
    >>> [(train.tolist(), valid.tolist()) for train, valid in splits_of(np.array([0, 1, 0]), 2)]
    [([1], [0, 2]), ([0, 2], [1])]
    """
    return [(np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)) for fold in range(n_splits)]


def time_splits(moments: np.ndarray, n_splits: int) -> list[Split]:
    """Hold out n_splits blocks of the later half, one after the other; train on all that came before each.

    Rows of one moment stay together. Row numbers stand in the order of time.

    Examples
    --------
    >>> [(train.tolist(), valid.tolist()) for train, valid in time_splits(np.array([0, 1, 2, 3]), 2)]
    [([0, 1], [2]), ([0, 1, 2], [3])]
    """
    order = np.argsort(moments, kind="stable")
    ordered = moments[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    wanted = len(order) / 2 + len(order) / 2 * np.arange(n_splits) / n_splits
    # The start of the first moment at or after each wanted place; never the very first row.
    cuts = np.unique(starts[np.clip(np.searchsorted(starts, wanted), 1, len(starts) - 1)])
    ends = np.r_[cuts[1:], len(order)]
    return [(order[:cut], order[cut:end]) for cut, end in zip(cuts, ends, strict=True)]
