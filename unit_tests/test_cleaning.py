"""Gates of cleaning: what was repaired is what the plan declared, and nothing else was lost on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import pytest

from autods.records import Plan
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
from autods.unit_tests.wording import first_rows, listed, number

if TYPE_CHECKING:
    from autods.profiling import Profile

__all__ = [
    "test_added_columns_are_declared",
    "test_category_spellings_agree",
    "test_columns_are_the_same_in_train_and_test",
    "test_declared_drops_are_gone",
    "test_dropped_columns_are_declared",
    "test_every_class_is_still_learned",
    "test_every_row_is_kept",
    "test_excluded_rows_are_declared",
    "test_excluded_rows_have_reasons",
    "test_keys_and_target_stay_outside",
    "test_missing_values_are_declared",
    "test_no_added_column_repeats_another",
    "test_no_column_repeats_another",
    "test_nothing_is_infinite",
    "test_outliers_are_treated_as_planned",
    "test_placeholders_are_gone",
    "test_probe_is_not_worse",
    "test_rows_keep_their_order",
    "test_train_and_test_are_treated_alike",
]

_MOST_LEVELS = 200


def test_missing_values_are_declared(after: Pair, plan: Plan) -> None:
    """Only columns that the plan leaves missing on purpose may have missing values."""
    for name, frame in after.items():
        for column in frame.columns[frame.isna().any()]:
            missing = frame[column].isna()
            assert column in plan.intent.keep_missing, (
                f"{column!r} of {name} is missing in {missing.sum()} of {len(frame)} rows ({first_rows(missing)});"
                " fill it, or declare it in the plan's intent.keep_missing."
            )


def test_dropped_columns_are_declared(before: Pair, after: Pair, plan: Plan) -> None:
    """A column goes only where the plan says so."""
    gone = undeclared_drops(before, after, plan)
    assert not gone, f"{listed(gone)} are gone but not in the plan's intent.drop; keep them."


def test_declared_drops_are_gone(after: Pair, plan: Plan) -> None:
    """What the plan drops is dropped."""
    kept = [column for column in plan.intent.drop if column in after.train or column in after.test]
    assert not kept, f"The plan drops {listed(kept)}, but they are still there; drop them."


@pytest.mark.warn
def test_added_columns_are_declared(before: Pair, after: Pair, plan: Plan) -> None:
    """Cleaning repairs; a column it adds should be announced."""
    new = [column for column in after.train if column not in before.train and column not in plan.intent.add]
    assert not new, f"{listed(new)} are new but not in the plan's intent.add; features belong to feature engineering."


def test_no_added_column_repeats_another(before: Pair, after: Pair) -> None:
    """A new column with the values of another says nothing new."""
    new = [couple for couple in identical_columns(after) if set(couple) - set(before.train.columns)]
    assert not new, f"These columns hold the same values: {listed(map(' = '.join, new))}; drop the new one of each."


@pytest.mark.warn
def test_no_column_repeats_another(before: Pair, after: Pair) -> None:
    """Two columns with the same values share their importance and slow everything down."""
    old = [couple for couple in identical_columns(after) if not set(couple) - set(before.train.columns)]
    assert not old, f"These columns hold the same values: {listed(map(' = '.join, old))}; a plan may drop one of each."


def test_excluded_rows_are_declared(excluded: pd.DataFrame, plan: Plan) -> None:
    """Rows are left out of fitting only where the plan says so."""
    assert excluded.empty or plan.intent.exclude_rows, (
        f"{len(excluded)} rows are excluded from fitting, but the plan excludes none; keep them."
    )


def test_outliers_are_treated_as_planned(before: Pair, after: Pair, plan: Plan) -> None:
    """What the plan clips ends within train's own range, with one pair of limits for train and test."""
    for column in plan.intent.clip:
        if column in plan.intent.drop:
            continue
        assert column in after.train, f"The plan clips {column!r}, but it is gone; keep it."
        old, new, test = before.train[column], after.train[column], after.test[column]
        assert pd.api.types.is_numeric_dtype(new), f"The plan clips {column!r}, but it is {new.dtype}, not a number."
        assert new.nunique() > 1 or old.nunique() <= 1, f"Clipping left {column!r} with one value; use wider limits."
        if not pd.api.types.is_numeric_dtype(old):
            continue
        beyond = new.min() < old.min() or new.max() > old.max()
        assert not beyond, (
            f"{column!r} reaches from {number(new.min())} to {number(new.max())}, beyond the {number(old.min())} to"
            f" {number(old.max())} that it had; clip it and do not scale it here."
        )
        clipped = new.min() > old.min(), new.max() < old.max()
        outside = (clipped[0] & (test < new.min())) | (clipped[1] & (test > new.max()))
        assert not outside.any(), (
            f"{column!r} of test passes the limits that train was clipped to, {number(new.min())} to"
            f" {number(new.max())} ({first_rows(outside)}); clip test with the limits learned from train."
        )
        assert any(clipped) or not _has_outliers(before, plan, column), (
            f"The plan clips {column!r}, but its outliers are still there; clip them."
        )


def _has_outliers(before: Pair, plan: Plan, column: str) -> bool:
    """Whether the tool that the plan names would clip the column as it was."""
    import autods.tools

    for step in plan.steps:
        if column in step.columns and step.tool is not None and step.tool.startswith("detect_and_handle_outliers"):
            parameters = {**step.parameters, "columns": [column], "method": "clip"}
            clipped, _ = getattr(autods.tools, step.tool)(before.train[[column]], None, **parameters)
            return not clipped[column].equals(before.train[column])
    return False


def test_category_spellings_agree(after: Pair, plan: Plan) -> None:
    """Levels that differ only in case or blanks are one level spelled twice; codes of two letters may mean it."""
    for column in after.train.select_dtypes(["str", "object", "category"]):
        levels = [pd.Series(frame[column].dropna().astype("str").unique(), dtype="str") for _, frame in after.items()]
        if column in plan.intent.keep_text or len(levels[0]) > _MOST_LEVELS:
            continue
        known = {_plain(level) for level in levels[0]}
        every = pd.concat(levels).drop_duplicates()
        every = every[~every.str.fullmatch(r"\w{1,2}") & every.map(_plain).isin(known)]
        twice = every[every.map(_plain).duplicated(keep=False)]
        assert twice.empty, (
            f"{column!r} spells levels in more than one way: {listed(twice)}; give each one spelling in train and test."
        )


def _plain(level: str) -> str:
    return " ".join(level.split()).casefold()


def test_placeholders_are_gone(after: Pair, plan: Plan, profile: Profile | None) -> None:
    """A '?' or 'unknown' that stands for a missing value is no level and no number."""
    if profile is None:
        pytest.skip("The frames have no profile.")
    for column, facts in profile.columns.items():
        if column in plan.intent.keep_missing or column not in after.train:
            continue
        left = sorted(set(facts.missing_tokens) & set(after.train[column].dropna().astype("str").unique()))
        assert not left, (
            f"{column!r} still holds {listed(left)}, which stand for missing; fill them or"
            " declare them in the plan's intent.keep_missing."
        )
