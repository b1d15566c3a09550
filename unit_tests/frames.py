"""The gates of every phase that leaves frames: rows, order, columns, types, and a probe that did not get worse."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import pytest

from autods.records import Plan, Score, Task
from autods.unit_tests.artifacts import Pair
from autods.unit_tests.wording import first_rows, listed, number

__all__ = [
    "identical_columns",
    "test_columns_are_the_same_in_train_and_test",
    "test_every_class_is_still_learned",
    "test_every_row_is_kept",
    "test_excluded_rows_have_reasons",
    "test_keys_and_target_stay_outside",
    "test_nothing_is_infinite",
    "test_probe_is_not_worse",
    "test_rows_keep_their_order",
    "test_train_and_test_are_treated_alike",
    "undeclared_drops",
]


def test_every_row_is_kept(before: Pair, after: Pair) -> None:
    """Predictions and labels belong to rows by position: none may be dropped or added."""
    for (name, given), (_, left) in zip(before.items(), after.items(), strict=True):
        assert len(left) == len(given), (
            f"{name} has {len(left)} rows where {len(given)} were given; keep every row"
            " (mark those that should not be learned from with exclude_from_fit)."
        )


def test_rows_keep_their_order(before: Pair, after: Pair) -> None:
    """A row that moves takes another row's label and id: rows stay where they were."""
    for (name, given), (_, left) in zip(before.items(), after.items(), strict=True):
        if len(given) != len(left):
            pytest.fail(f"{name} has {len(left)} rows, not {len(given)}, so the order cannot be compared.")
        moved = {
            column: rows for column in list(given.columns) if (rows := _moved_rows(given, left, column)) is not None
        }
        assert not moved, (
            f"The rows of {name} are in another order: {listed(moved)} hold the same values in other rows"
            f" ({first_rows(next(iter(moved.values())))} differ); do not sort, shuffle or merge the rows."
        )


def _moved_rows(given: pd.DataFrame, left: pd.DataFrame, column: str) -> pd.Series | None:
    """Say which rows of a column changed, when all its values are still there but elsewhere."""
    if column not in left or left[column].dtype != given[column].dtype:
        return None
    if left[column].equals(given[column]):
        return None
    known = given[column].notna()
    old, new = given.loc[known, column], left.loc[known, column]
    differs = ~_equal(old, new)
    if not differs.any():
        return None
    counts, counts_left = old.value_counts(), left[column].value_counts()
    if (counts_left.reindex(counts.index).fillna(0) < counts).any():
        return None
    recoded = pd.DataFrame({"old": old, "new": new}).drop_duplicates()
    one_to_one = not recoded["old"].duplicated().any() and len(counts) <= len(old) / 2
    return None if one_to_one else differs


def _equal(old: pd.Series, new: pd.Series) -> pd.Series:
    same: pd.Series = (old == new).fillna(False).astype(bool) | (old.isna() & new.isna())
    return same


def test_columns_are_the_same_in_train_and_test(after: Pair) -> None:
    """Both frames have the same columns in the same order, of the same types, each with a name of its own."""
    train, test = after.train, after.test
    assert train.shape[1] > 0, "No column is left; keep at least one feature."
    for name, frame in after.items():
        repeated = frame.columns[frame.columns.duplicated()]
        assert repeated.empty, f"{name} has columns of the same name: {listed(repeated)}; rename or drop one of each."
        unnamed = [column for column in frame.columns if not isinstance(column, str) or not column.strip()]
        assert not unnamed, f"{name} has column names that are not text: {listed(unnamed)}; name every column."
    extra = [column for column in train.columns if column not in test.columns]
    lacking = [column for column in test.columns if column not in train.columns]
    assert not extra, f"{listed(extra)} are in train only; do the same to test."
    assert not lacking, f"{listed(lacking)} are in test only; make test's columns from what train has."
    assert list(train.columns) == list(test.columns), (
        "Train and test have their columns in different orders; end with test = test[train.columns]."
    )
    differing = [
        f"{c!r} ({train[c].dtype} in train, {test[c].dtype} in test)" for c in train if train[c].dtype != test[c].dtype
    ]
    assert not differing, (
        f"Types differ: {', '.join(differing[:5])}; give both frames the same type (astype, or the same categories)."
    )


def test_keys_and_target_stay_outside(before: Pair, after: Pair, task: Task) -> None:
    """A feature frame that holds the target leaks it; ids tell rows apart without saying anything of new ones."""
    keys = [name for name in (task.id_column, task.group_column, task.time_column) if name is not None]
    forbidden = {*task.targets, *(name for name in keys if name not in before.train)}
    for name, frame in after.items():
        inside = [column for column in frame.columns if column in forbidden]
        assert not inside, (
            f"{name} holds {listed(inside)}, which is a target or key; drop it, or rename what only has its name."
        )


def test_nothing_is_infinite(after: Pair) -> None:
    """Estimators refuse or misread infinite numbers, such as a division by zero leaves."""
    for name, frame in after.items():
        for column, values in frame.select_dtypes("number").items():
            infinite = np.isinf(values.to_numpy(dtype=np.float64, na_value=np.nan))
            assert not infinite.any(), (
                f"{column!r} of {name} is infinite in {first_rows(infinite)};"
                " guard the division or logarithm, or turn infinite into missing and fill it."
            )


def test_train_and_test_are_treated_alike(before: Pair, after: Pair) -> None:
    """Scaling, encoding or filling train and test apart gives a value two meanings and spoils predictions silently."""
    for column in before.columns:
        if any(
            column not in frame or len(frame) != len(given)
            for (_, given), (_, frame) in zip(before.items(), after.items(), strict=True)
        ):
            continue
        wrong = _treated_apart(before, after, column)
        assert wrong is None, (
            f"{column!r} changed in one way in train and in another in test: {wrong};"
            " learn the change from train once and apply it to both."
        )


def _treated_apart(before: Pair, after: Pair, column: str) -> str | None:
    """Compare what became of values that occur in both frames, where in train a value decides its successor."""
    changed = [
        not given[column].equals(left[column])
        for given, left in ((before.train, after.train), (before.test, after.test))
    ]
    if not any(changed) or after.train[column].dtype != after.test[column].dtype:
        return None
    pairs = pd.DataFrame({"old": before.train[column], "new": after.train[column]}).dropna(subset="old")
    mapping = pairs.drop_duplicates()
    if mapping["old"].duplicated().any() or len(pairs) - len(mapping) < 10:
        return None
    expected = mapping.set_index("old")["new"]
    shared = before.test[column].isin(expected.index)
    old = before.test.loc[shared, column]
    found, due = after.test.loc[shared, column].reset_index(drop=True), expected.loc[old].reset_index(drop=True)
    if pd.api.types.is_float_dtype(found.dtype):
        apart = pd.Series(~np.isclose(found, due, rtol=1e-9, atol=1e-12, equal_nan=True))
    else:
        apart = ~_equal(due, found)
    if apart.sum() < max(5, 0.05 * len(apart)):
        return None
    first = int(np.flatnonzero(apart)[0])
    in_test = f"{found.iloc[first]!r} in test (row {old.index[first]})"
    return f"{old.iloc[first]!r} became {due.iloc[first]!r} in train but {in_test}"


def test_excluded_rows_have_reasons(before: Pair, excluded: pd.DataFrame) -> None:
    """A row is left out of fitting for a reason, and never more than a fifth of them."""
    if excluded.empty:
        return
    outside = ~excluded["row"].isin(range(len(before.train)))
    assert not outside.any(), f"Rows {listed(excluded.loc[outside, 'row'])} are excluded but do not exist."
    silent = excluded["reason"].fillna("").str.strip().eq("")
    assert not silent.any(), (
        f"Rows {listed(excluded.loc[silent, 'row'])} are excluded without a reason; fill exclude_reason."
    )
    share = excluded["row"].nunique() / len(before.train)
    assert share <= 0.2, f"{share:.0%} of the rows are excluded from fitting; at most 20% may be: narrow the condition."


def test_every_class_is_still_learned(excluded: pd.DataFrame, y: np.ndarray, task: Task) -> None:
    """A class whose rows are all excluded can never be predicted."""
    if excluded.empty or task.kind not in ("binary", "multiclass", "ordinal"):
        return
    left = np.delete(y, excluded["row"].to_numpy(dtype=np.int64))
    lost = sorted(set(y.tolist()) - set(left.tolist()))
    assert not lost, f"Every row of the classes {listed(task.classes[c] for c in lost)} is excluded; keep some of each."


def test_probe_is_not_worse(scores: Mapping[str, Score]) -> None:
    """A plain LightGBM on the run's folds must not do worse on these frames than on those given, beyond noise."""
    if "probe_before" not in scores:
        pytest.skip("There is no probe of the frames given to compare with.")
    assert "probe_after" in scores, (
        "The probe could not be trained on these frames; look for columns that no estimator can take."
    )
    from autods.validation.scoring import paired_difference

    old, new = scores["probe_before"], scores["probe_after"]
    gain, error = paired_difference(new, old)
    jitter = 1e-9 * max(1.0, abs(old.value))
    assert not gain < -max(2 * (error if np.isfinite(error) else np.inf), jitter), (
        f"The probe went from {number(old.value)} to {number(new.value)} ({old.metric}): worse by {number(-gain)}, with"
        f" a standard error of {number(error)} over the folds; undo the step that lost something informative."
    )


def identical_columns(pair: Pair) -> list[tuple[str, str]]:
    """Pair every column that holds the values of an earlier one, in train and in test, with that one."""
    alike: dict[bytes, list[str]] = {}
    couples = []
    for column in pair.columns:
        head = b"".join(_hashes(frame[column].iloc[:1000]).tobytes() for _, frame in pair.items())
        earlier = alike.setdefault(head, [])
        original = next((name for name in earlier if _same_column(pair, name, column)), None)
        if original is None:
            earlier.append(column)
        else:
            couples.append((original, column))
    return couples


def _hashes(column: pd.Series) -> np.ndarray:
    """Hash values one by one; equal values have equal hashes."""
    values = column.to_numpy() if column.dtype.kind in "iufb" else column.astype("object").to_numpy()
    hashed: np.ndarray = (
        pd.util.hash_array(values, categorize=False) if values.dtype != bool else values.astype("uint64")
    )
    return hashed


def _same_column(pair: Pair, one: str, other: str) -> bool:
    return all(frame[one].equals(frame[other]) for _, frame in pair.items())


def undeclared_drops(before: Pair, after: Pair, plan: Plan) -> list[str]:
    """List the columns that went without the plan saying so."""
    return [column for column in before.columns if column not in after.train and column not in plan.intent.drop]
