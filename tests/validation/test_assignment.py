"""Dealing rows to folds."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from autods.validation.assignment import assign_groups, assign_rows, time_splits

STRATA = st.lists(st.integers(0, 4), min_size=6, max_size=80).map(np.array)


@settings(max_examples=50, deadline=None)
@given(STRATA, st.integers(2, 5), st.integers(0, 99))
def test_folds_differ_by_one_row_at_most_in_all_and_in_each_stratum(strata, n_splits, seed):
    folds = assign_rows(strata, n_splits, np.random.default_rng(seed))
    for part in [folds, *(folds[strata == stratum] for stratum in np.unique(strata))]:
        assert np.ptp(np.bincount(part, minlength=n_splits)) <= 1


@settings(max_examples=50, deadline=None)
@given(STRATA, st.integers(2, 5), st.integers(0, 99))
def test_groups_are_whole_and_every_fold_gets_one(groups, n_splits, seed):
    n_splits = min(n_splits, len(np.unique(groups)))
    folds = assign_groups(groups, np.arange(len(groups)) % 2, n_splits, np.random.default_rng(seed))
    assert all(len(np.unique(folds[groups == group])) == 1 for group in np.unique(groups))
    assert len(np.unique(folds)) == n_splits


def test_groups_of_one_row_are_dealt_as_evenly_as_rows():
    strata = np.arange(100) % 4
    folds = assign_groups(np.arange(100), strata, 5, np.random.default_rng(0))
    assert {int(n) for stratum in range(4) for n in np.bincount(folds[strata == stratum])} == {5}


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 9), min_size=2, max_size=60).map(np.array), st.integers(1, 5))
def test_time_splits_never_look_ahead(moments, n_splits):
    if np.ptp(moments) == 0:
        return
    for train, valid in time_splits(moments, n_splits):
        assert len(train) > 0
        assert len(valid) > 0
        assert moments[train].max() < moments[valid].min()
