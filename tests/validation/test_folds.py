"""Which rows are held out together, and why."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from autods.records import Folds
from autods.validation.folds import choose_folds, duplicate_groups, fold_keys, folds_digest, load_folds, save_folds


def assert_partition(folds: Folds) -> None:
    for repeat in range(folds.n_repeats):
        splits = folds.splits[repeat * folds.n_splits : (repeat + 1) * folds.n_splits]
        held_out = np.concatenate([valid for _, valid in splits])
        assert sorted(held_out) == list(range(folds.n_rows))
        for train, valid in splits:
            assert min(len(train), len(valid)) > 0
            assert sorted([*train, *valid]) == list(range(folds.n_rows))


def test_every_repeat_holds_out_every_row_once(make_task, fold):
    y = np.arange(300) % 3
    folds = fold(make_task("multiclass", "accuracy", 3), y)
    assert (folds.kind, folds.n_splits, folds.n_repeats) == ("stratified", 5, 3)
    assert_partition(folds)


def test_every_fold_has_the_same_share_of_each_class(make_task, fold):
    y = (np.arange(1000) < 100).astype(int)
    folds = fold(make_task("binary", "auroc", 2), y)
    assert {int(y[valid].sum()) for _, valid in folds.splits} == {20}


def test_values_are_stratified_by_quantiles(make_task, fold):
    y = np.random.default_rng(0).lognormal(sigma=2, size=200)
    folds = fold(make_task("regression", "rmse"), y)
    top = y >= np.quantile(y, 0.9)
    assert folds.kind == "stratified"
    assert {int(top[valid].sum()) for _, valid in folds.splits} == {4}


def test_label_sets_are_spread_over_the_folds(make_task, fold):
    y = np.column_stack([np.arange(200) % 2, np.arange(200) < 20])
    folds = fold(make_task("multilabel", "auroc", n_targets=2), y.astype(np.int64))
    assert_partition(folds)
    assert {int(y[valid, 1].sum()) for _, valid in folds.splits} == {4}


@pytest.mark.parametrize(
    "n_rows, effort, expected", [(900, "quick", 1), (900, "standard", 3), (900, "thorough", 5), (1000, "thorough", 1)]
)
def test_small_data_are_held_out_repeatedly(make_task, fold, n_rows, effort, expected):
    assert fold(make_task("binary", "auroc", 2), np.arange(n_rows) % 2, effort=effort).n_repeats == expected


def test_many_rows_get_fewer_folds(make_task, fold):
    assert fold(make_task("regression", "rmse"), np.arange(200_001.0)).n_splits == 3


def test_a_persons_number_of_folds_binds(make_task, fold):
    folds = fold(make_task("binary", "auroc", 2), np.arange(100) % 2, n_splits=7)
    assert folds.n_splits == 7


def test_a_small_class_cuts_the_number_of_folds(make_task, fold):
    y = (np.arange(200) < 3).astype(int)
    folds = fold(make_task("binary", "auroc", 2), y)
    assert folds.n_splits == 3
    assert "cut to the 3 rows of the smallest class" in folds.reason


def test_a_class_with_one_member_cuts_nothing_and_is_said(make_task, fold):
    y = np.r_[0, np.arange(99) % 2 + 1]
    folds = fold(make_task("multiclass", "accuracy", 3), y)
    assert folds.n_splits == 5
    assert "rare" in folds.reason


def test_a_handful_of_rows_are_left_out_one_by_one(make_task, fold):
    folds = fold(make_task("binary", "auroc", 2), np.array([0, 1, 0, 1]))
    assert (folds.kind, folds.n_splits) == ("leave_one_out", 4)
    assert_partition(folds)


def test_one_row_holds_out_nothing_and_says_so(make_task, fold):
    folds = fold(make_task("regression", "rmse"), np.array([1.0]))
    assert folds.splits == ()
    assert "1 labelled row" in folds.reason


@pytest.mark.parametrize("kind, metric", [("multiclass", "accuracy"), ("regression", "rmse")])
def test_a_constant_target_is_split_plainly_or_by_nothing(make_task, fold, kind, metric):
    y = np.zeros(50, dtype=np.int64 if kind == "multiclass" else np.float64)
    assert_partition(fold(make_task(kind, metric, 1 if kind == "multiclass" else 0), y))


def test_the_same_seed_gives_the_same_folds(make_task, fold):
    task, y = make_task("binary", "auroc", 2), np.arange(100) % 2
    assert folds_digest(fold(task, y, seed=4)) == folds_digest(fold(task, y, seed=4))
    assert folds_digest(fold(task, y, seed=4)) != folds_digest(fold(task, y, seed=5))


def test_groups_stay_together(make_task, fold):
    group = np.repeat(np.arange(40), 5)
    task = make_task("binary", "auroc", 2, group_column="who")
    folds = fold(task, np.arange(200) % 2, keys=pd.DataFrame({"who": group.astype(str)}))
    assert folds.kind == "stratified_grouped"
    assert_partition(folds)
    for train, valid in folds.splits:
        assert not set(group[train]) & set(group[valid])
    assert folds.groups is not None
    assert len(np.unique(folds.groups)) == 40


def test_groups_of_very_different_sizes_still_fill_every_fold(make_task, fold):
    group = np.r_[np.zeros(60), np.repeat(np.arange(1, 5), 3), np.arange(5, 60)].astype(int)
    task = make_task("regression", "rmse", group_column="who")
    folds = fold(task, np.random.default_rng(0).normal(size=len(group)), keys=pd.DataFrame({"who": group}))
    assert_partition(folds)


def test_one_group_only_cannot_be_held_out(make_task, fold):
    task = make_task("binary", "auroc", 2, group_column="who")
    assert fold(task, np.arange(100) % 2, keys=pd.DataFrame({"who": ["me"] * 100})).kind == "stratified"


@pytest.mark.parametrize(
    "moments",
    [
        pd.Series(pd.date_range("2024-01-01", periods=100)),
        pd.Series(pd.date_range("2024-01-01", periods=100)).astype("str"),
        pd.Series(np.arange(100)).astype("str"),
    ],
    ids=["datetime", "text", "numbers as text"],
)
def test_later_rows_are_predicted_from_earlier_ones(make_task, fold, moments):
    order = np.random.default_rng(0).permutation(100)
    task = make_task("regression", "rmse", time_column="when")
    folds = fold(task, np.arange(100.0), keys=pd.DataFrame({"when": moments.iloc[order].to_numpy()}))
    assert (folds.kind, folds.n_splits, folds.n_repeats) == ("time", 5, 1)
    for train, valid in folds.splits:
        assert order[train].max() < order[valid].min()
        assert len(train) >= 50
        assert (np.diff(order[train]) > 0).all(), "rows stand in the order of time"


def test_rows_of_one_moment_are_never_on_both_sides(make_task, fold):
    when = np.repeat(np.arange(10), 10)
    task = make_task("regression", "rmse", time_column="when")
    folds = fold(task, np.arange(100.0), keys=pd.DataFrame({"when": when}))
    for train, valid in folds.splits:
        assert when[train].max() < when[valid].min()


def test_a_time_column_that_cannot_be_read_is_passed_over(make_task, fold):
    task = make_task("binary", "auroc", 2, time_column="when")
    assert fold(task, np.arange(50) % 2, keys=pd.DataFrame({"when": ["soon", "later"] * 25})).kind == "stratified"


def test_exact_duplicates_share_a_fold(make_task, fold):
    duplicates = np.r_[np.arange(90), np.arange(10)]
    folds = fold(make_task("binary", "auroc", 2), np.arange(100) % 2, duplicates=duplicates)
    assert folds.kind == "stratified_grouped"
    assert folds.groups is None, "copies are no groups that an estimator should know of"
    assert "10 rows are exact duplicates" in folds.reason
    for train, valid in folds.splits:
        assert not set(duplicates[train]) & set(duplicates[valid])


def test_duplicates_that_are_most_of_the_data_are_not_kept_together(make_task, fold):
    folds = fold(make_task("binary", "auroc", 2), np.arange(100) % 2, duplicates=np.arange(100) % 4)
    assert folds.kind == "stratified"
    assert "duplicates" in folds.reason


def profile_with(**columns: SimpleNamespace) -> SimpleNamespace:
    times = tuple(name for name, column in columns.items() if column.drift is not None)
    groups = tuple(name for name, column in columns.items() if column.unseen_share is not None)
    return SimpleNamespace(columns=columns, time_candidates=times, group_candidates=groups)


def test_a_group_that_the_test_rows_never_share_proves_a_split_by_group(make_task, fold):
    task, group = make_task("binary", "auroc", 2), np.repeat(np.arange(25), 4)
    keys = pd.DataFrame({"site": group})
    proof = profile_with(site=SimpleNamespace(unseen_share=1.0, drift=None, semantic="categorical"))
    shared = profile_with(site=SimpleNamespace(unseen_share=0.2, drift=None, semantic="categorical"))
    assert fold(task, np.arange(100) % 2, keys=keys, profile=proof).kind == "stratified_grouped"
    assert fold(task, np.arange(100) % 2, keys=keys, profile=shared).kind == "stratified"


def test_a_time_that_the_test_rows_never_share_proves_a_split_by_time(make_task, fold):
    task, keys = make_task("regression", "rmse"), pd.DataFrame({"day": np.arange(100) // 2})
    later = profile_with(day=SimpleNamespace(drift=1.0, unseen_share=None, semantic="integer_code"))
    running_number = profile_with(day=SimpleNamespace(drift=1.0, unseen_share=None, semantic="id_like"))
    assert fold(task, np.arange(100.0), keys=keys, profile=later).kind == "time"
    assert fold(task, np.arange(100.0), keys=keys, profile=running_number).kind == "stratified"


def test_fold_keys_joins_the_columns_that_the_profile_offers(make_task):
    train = pd.DataFrame({"day": [1, 2], "site": [1, 1], "x": [0.1, 0.2]})
    profile = SimpleNamespace(time_candidates=("day",), group_candidates=("site",))
    keys = fold_keys(make_task("regression", "rmse"), profile, train, pd.DataFrame({"id": ["a", "b"]}))
    assert list(keys) == ["id", "day", "site"]


def test_duplicate_groups_tell_equal_rows_of_any_type():
    frame = pd.DataFrame(
        {"a": [1.0, np.nan, 1.0, np.nan], "b": ["x", None, "x", None], "c": pd.Categorical(list("mnmn"))}
    )
    assert duplicate_groups(frame).tolist() == [0, 1, 0, 1]
    assert duplicate_groups(pd.DataFrame(index=range(3))).tolist() == [0, 1, 2]


def test_folds_come_back_from_their_file(make_task, fold, tmp_path):
    task = make_task("binary", "auroc", 2, group_column="who")
    folds = fold(task, np.arange(100) % 2, keys=pd.DataFrame({"who": np.arange(100) // 4}))
    save_folds(folds, tmp_path / "folds.npz")
    back = load_folds(tmp_path / "folds.npz")
    assert folds_digest(back) == folds_digest(folds)
    assert (back.kind, back.reason, back.n_repeats) == (folds.kind, folds.reason, folds.n_repeats)
    assert np.array_equal(back.groups, folds.groups)


def test_missing_targets_of_several_do_not_stop_the_folds(make_task):
    y = np.where(np.arange(120).reshape(60, 2) % 7 == 0, np.nan, 1.0)
    task = make_task("multi_regression", "mcrmse", n_targets=2)
    folds = choose_folds(task, None, y, pd.DataFrame(index=range(60)), None, effort="quick", seed=0)
    assert_partition(folds)
