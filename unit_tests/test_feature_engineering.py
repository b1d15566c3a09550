"""Gates of feature engineering: features that every candidate can take and that each say something."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from autods.records import Plan, Task
from autods.unit_tests.artifacts import Pair
from autods.unit_tests.frames import (
    identical_columns,
    test_columns_are_the_same_in_train_and_test,
    test_every_class_is_still_learned,
    test_every_row_is_kept,
    test_excluded_rows_have_reasons,
    test_keys_and_target_stay_outside,
    test_nothing_is_infinite,
    test_probe_is_not_worse,
    test_rows_keep_their_order,
    test_train_and_test_are_treated_alike,
    undeclared_drops,
)
from autods.unit_tests.wording import first_rows, listed

__all__ = [
    "test_columns_are_the_same_in_train_and_test",
    "test_dropped_columns_are_declared",
    "test_every_class_is_still_learned",
    "test_every_feature_varies",
    "test_every_row_is_kept",
    "test_excluded_rows_have_reasons",
    "test_features_are_few_enough",
    "test_keys_and_target_stay_outside",
    "test_missing_values_come_from_the_cleaned_columns",
    "test_no_feature_gives_the_target_away",
    "test_no_feature_repeats_another",
    "test_nothing_is_infinite",
    "test_probe_is_not_worse",
    "test_rows_keep_their_order",
    "test_text_is_kept_as_planned",
    "test_train_and_test_are_treated_alike",
]

_COLUMNS_PER_CLEANED = 5
_COLUMNS_ALWAYS_ALLOWED = 300
_ROWS_LOOKED_AT = 20_000
_FEW = 5


def test_missing_values_come_from_the_cleaned_columns(before: Pair, after: Pair, plan: Plan) -> None:
    """A feature is missing only where its cleaned column was, or where the plan means it; else its making failed."""
    for name, frame in after.items():
        for column in frame.columns[frame.isna().any()]:
            missing = frame[column].isna()
            known = column in before.train and (before.train[column].isna().any() or before.test[column].isna().any())
            assert known or _is_meant(column, plan.intent.keep_missing), (
                f"{column!r} of {name} is missing in {missing.sum()} rows ({first_rows(missing)}); guard the arithmetic"
                " or the mapping that left it so, or declare it in the plan's intent.keep_missing."
            )


def _is_meant(column: str, keep_missing: tuple[str, ...]) -> bool:
    """Whether the plan names the column, itself or by a beginning that ends in `*`."""
    return any(column == name or (name.endswith("*") and column.startswith(name[:-1])) for name in keep_missing)


def test_every_feature_varies(after: Pair) -> None:
    """A column with one value in train cannot tell rows apart."""
    constant = [column for column in after.train if _is_constant(after.train[column])]
    if len(constant) == after.train.shape[1] == 1:
        pytest.skip("The only column is constant; there is nothing else to offer.")
    assert not constant, f"{listed(constant)} have one value in all rows of train; drop them from both frames."


def _is_constant(column: pd.Series) -> bool:
    missing = column.isna()
    return bool(missing.all() or (not missing.any() and (column == column.iloc[0]).all()))


def test_no_feature_repeats_another(after: Pair) -> None:
    """Two columns with the same values share their importance and slow everything down."""
    same = identical_columns(after)
    assert not same, f"These columns hold the same values: {listed(map(' = '.join, same))}; drop one of each."


def test_features_are_few_enough(before: Pair, after: Pair) -> None:
    """More columns than this cost time and memory and find chance patterns."""
    limit = max(_COLUMNS_PER_CLEANED * before.train.shape[1], _COLUMNS_ALWAYS_ALLOWED)
    found = after.train.shape[1]
    assert found <= limit, (
        f"There are {found} columns, made of {before.train.shape[1]}; at most {limit} are allowed: keep the strongest."
    )


def test_text_is_kept_as_planned(after: Pair, plan: Plan) -> None:
    """Text that a candidate's own pipeline is to read must still be text."""
    for column in plan.intent.keep_text:
        assert column in after.train, f"The plan keeps the text {column!r}, but it is gone; keep it in both frames."
        kept = pd.api.types.is_string_dtype(after.train[column]) or after.train[column].dtype == "category"
        assert kept, f"The plan keeps the text {column!r}, but it is {after.train[column].dtype} now; leave it as text."


@pytest.mark.warn
def test_dropped_columns_are_declared(before: Pair, after: Pair, plan: Plan) -> None:
    """A cleaned column that goes should go on purpose."""
    gone = undeclared_drops(before, after, plan)
    assert not gone, f"{listed(gone)} are gone but not in the plan's intent.drop."


@pytest.mark.warn
def test_no_feature_gives_the_target_away(after: Pair, y: np.ndarray, task: Task) -> None:
    """A feature that alone tells the target is a gift or a leak: something known only afterwards."""
    rows = np.linspace(0, len(y) - 1, min(len(y), _ROWS_LOOKED_AT)).astype(np.int64)
    for name, target in zip(task.targets, y[rows].reshape(len(rows), -1).T, strict=True):
        tells = _tells_the_class if task.is_classification else _tells_the_value
        telling = [column for column in after.train if tells(after.train[column].iloc[rows], target)]
        assert not telling, (
            f"{listed(telling)} alone tell {name!r}; make sure that they are known before the answer is."
        )


def _tells_the_value(feature: pd.Series, target: np.ndarray) -> bool:
    if not pd.api.types.is_numeric_dtype(feature) or len(feature) < _FEW or len(np.unique(target)) < _FEW:
        return False
    return bool(abs(feature.rank().corr(pd.Series(target, index=feature.index).rank())) >= 0.9999)


def _tells_the_class(feature: pd.Series, target: np.ndarray) -> bool:
    codes, classes = pd.factorize(target)
    sizes = np.bincount(codes)
    if len(sizes) < 2 or np.sort(sizes)[-2] < _FEW:
        return False
    levels, names = pd.factorize(feature, use_na_sentinel=False)
    most_wrong = 0.001 * len(codes)
    if len(names) <= 0.1 * len(codes):
        table = np.bincount(levels * len(classes) + codes, minlength=len(names) * len(classes)).reshape(len(names), -1)
        return bool(len(codes) - table.max(axis=1).sum() <= most_wrong)
    if not pd.api.types.is_numeric_dtype(feature):
        return False
    ordered = codes[np.argsort(feature.to_numpy(dtype=np.float64, na_value=np.nan), kind="stable")]
    return bool(np.count_nonzero(np.diff(ordered)) <= len(classes) - 1 + most_wrong)
