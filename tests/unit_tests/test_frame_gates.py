"""The gates that every phase with frames shares: rows, order, columns, train and test alike, the probe."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from autods.records import Score, Submission, Task
from autods.unit_tests import frames as gates
from autods.unit_tests.artifacts import Pair

TASK = Task(
    "t",
    "binary",
    ("y",),
    "auroc",
    True,
    "probabilities",
    Submission(("id", "y"), "id", "probability"),
    ("n", "y"),
    "id",
)


def frames(n: int = 40) -> Pair:
    generator = np.random.default_rng(0)

    def frame() -> pd.DataFrame:
        towns = generator.choice(["Ulm", "Bonn", "Köln"], n)
        return pd.DataFrame(
            {"age": generator.integers(20, 60, n).astype(float), "size": generator.normal(size=n), "town": towns}
        )

    return Pair(frame(), frame())


def changed(pair: Pair, change: Callable[[pd.DataFrame], pd.DataFrame], side: str = "both") -> Pair:
    return Pair(
        change(pair.train) if side in ("both", "train") else pair.train,
        change(pair.test) if side in ("both", "test") else pair.test,
    )


# --- rows ------------------------------------------------------------------------------------------------------------
def test_dropped_rows_are_refused() -> None:
    with pytest.raises(AssertionError, match="train has 39 rows where 40 were given; keep every row"):
        gates.test_every_row_is_kept(frames(), changed(frames(), lambda f: f.iloc[1:], "train"))


def test_frames_as_they_were_keep_rows_and_order() -> None:
    gates.test_every_row_is_kept(frames(), frames())
    gates.test_rows_keep_their_order(frames(), frames())


def test_shuffled_rows_are_refused_though_the_index_was_reset() -> None:
    shuffled = changed(frames(), lambda f: f.sample(frac=1, random_state=0).reset_index(drop=True), "test")
    with pytest.raises(AssertionError, match="rows of test are in another order: 'age', 'size'"):
        gates.test_rows_keep_their_order(frames(), shuffled)


def test_shuffled_rows_are_refused_though_gaps_were_filled_meanwhile() -> None:
    given = changed(frames(), lambda f: pd.DataFrame({"age": f["age"].where(f.index > 3)}))
    left = changed(given, lambda f: f.fillna(30.0).sort_values("age", ignore_index=True), "train")
    with pytest.raises(AssertionError, match="another order"):
        gates.test_rows_keep_their_order(given, left)


def test_filled_clipped_and_respelled_columns_are_in_order() -> None:
    given = changed(frames(), lambda f: f.assign(age=f["age"].where(f.index > 3)))
    left = changed(given, lambda f: f.assign(age=f["age"].fillna(30).clip(25, 50), town=f["town"].str.upper()))
    gates.test_rows_keep_their_order(given, left)


def test_levels_swapped_one_for_one_are_in_order() -> None:
    flags = pd.DataFrame({"flag": [0, 1] * 20})
    gates.test_rows_keep_their_order(Pair(flags, flags), Pair(1 - flags, 1 - flags))


# --- columns ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("change", "side", "said"),
    [
        (lambda f: f.assign(new=1), "train", "'new' are in train only"),
        (lambda f: f.assign(new=1), "test", "'new' are in test only"),
        (lambda f: f[["town", "age", "size"]], "test", "different orders"),
        (lambda f: f.assign(age=f["age"].astype(int)), "test", r"'age' \(float64 in train, int64 in test\)"),
        (
            lambda f: f.assign(town=f["town"].astype("category").cat.add_categories("Rom")),
            "test",
            "Types differ: 'town'",
        ),
        (lambda f: f.set_axis(["age", "age", "town"], axis=1), "both", "same name: 'age'"),
        (lambda f: f.set_axis(["age", "", "town"], axis=1), "both", "not text"),
        (lambda f: f.set_axis(["age", 7, "town"], axis=1), "both", "not text"),
        (lambda f: f[[]], "both", "No column is left"),
    ],
)
def test_frames_that_differ_are_refused(change: Callable[[pd.DataFrame], pd.DataFrame], side: str, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        gates.test_columns_are_the_same_in_train_and_test(changed(frames(), change, side))


def test_frames_alike_pass() -> None:
    gates.test_columns_are_the_same_in_train_and_test(changed(frames(), lambda f: f.assign(**{"a.b $": 1})))


@pytest.mark.parametrize("name", ["y", "id"])
def test_keys_and_targets_are_refused(name: str) -> None:
    with pytest.raises(AssertionError, match=f"train holds '{name}'"):
        gates.test_keys_and_target_stay_outside(frames(), changed(frames(), lambda f: f.assign(**{name: 1})), TASK)


def test_a_group_that_was_a_feature_all_along_may_stay() -> None:
    task = Task(
        "t", "binary", ("y",), "auroc", True, "probabilities", TASK.submission, ("n", "y"), "id", group_column="town"
    )
    gates.test_keys_and_target_stay_outside(frames(), frames(), task)


def test_infinite_numbers_are_refused() -> None:
    with pytest.raises(AssertionError, match="'size' of test is infinite in rows 0, 1"):
        gates.test_nothing_is_infinite(
            changed(frames(), lambda f: f.assign(size=f["size"].mask(f.index < 2, np.inf)), "test")
        )


def test_missing_numbers_and_whole_numbers_are_not_infinite() -> None:
    gates.test_nothing_is_infinite(
        changed(frames(), lambda f: f.assign(a=np.nan, b=2**62, c=pd.array([None] * len(f), "Int64")))
    )


# --- train and test alike --------------------------------------------------------------------------------------------
def test_scaling_apart_is_refused() -> None:
    apart = changed(frames(), lambda f: f.assign(age=(f["age"] - f["age"].mean()) / f["age"].std()))
    with pytest.raises(AssertionError, match=r"'age' changed in one way in train and in another in test: .* became"):
        gates.test_train_and_test_are_treated_alike(frames(), apart)


def test_encoding_apart_is_refused() -> None:
    given = Pair(frames().train, frames().test.replace({"town": {"Bonn": "Ulm"}}))
    apart = changed(
        given, lambda f: f.assign(town=f["town"].map({t: i for i, t in enumerate(sorted(f["town"].unique()))}))
    )
    with pytest.raises(AssertionError, match="'town'"):
        gates.test_train_and_test_are_treated_alike(given, apart)


def test_a_change_learned_from_train_passes() -> None:
    train = frames().train
    together = changed(frames(), lambda f: f.assign(age=(f["age"] - train["age"].mean()) / train["age"].std()))
    gates.test_train_and_test_are_treated_alike(frames(), together)


def test_a_column_repaired_by_means_of_another_passes() -> None:
    mixed = changed(frames(), lambda f: f.assign(age=f["age"] + (f["town"] == "Ulm")))
    gates.test_train_and_test_are_treated_alike(frames(), mixed)


def test_gaps_filled_by_group_pass() -> None:
    given = changed(frames(), lambda f: f.assign(age=f["age"].where(f.index % 5 > 0)))
    left = changed(
        given, lambda f: f.assign(age=f["age"].fillna(f["town"].map({"Ulm": 30.0, "Bonn": 40.0, "Köln": 50.0})))
    )
    gates.test_train_and_test_are_treated_alike(given, left)


# --- the probe -------------------------------------------------------------------------------------------------------
def score(*folds: float, greater_is_better: bool = True) -> Score:
    return Score(float(np.mean(folds)), 0.01, folds, "auroc" if greater_is_better else "rmse", greater_is_better)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (score(0.80, 0.82, 0.78), score(0.70, 0.73, 0.69)),
        (score(1.0, 1.2, 1.1, greater_is_better=False), score(1.5, 1.6, 1.7, greater_is_better=False)),
    ],
)
def test_a_probe_worse_in_every_fold_is_refused(before: Score, after: Score) -> None:
    with pytest.raises(AssertionError, match=r"The probe went from .* worse by .* undo"):
        gates.test_probe_is_not_worse({"probe_before": before, "probe_after": after})


@pytest.mark.parametrize(
    "after",
    [
        score(0.80, 0.82, 0.78),
        score(0.90, 0.92, 0.88),
        score(0.85, 0.70, 0.80),
        score(0.80 - 1e-12, 0.82 - 1e-12, 0.78 - 1e-12),
    ],
    ids=["same", "better", "worse within noise", "jitter"],
)
def test_a_probe_that_is_not_worse_beyond_noise_passes(after: Score) -> None:
    gates.test_probe_is_not_worse({"probe_before": score(0.80, 0.82, 0.78), "probe_after": after})


def test_a_probe_that_could_not_run_is_refused() -> None:
    with pytest.raises(AssertionError, match="could not be trained"):
        gates.test_probe_is_not_worse({"probe_before": score(0.8)})


def test_without_a_probe_before_there_is_nothing_to_compare() -> None:
    with pytest.raises(pytest.skip.Exception):
        gates.test_probe_is_not_worse({})


# --- excluded rows ---------------------------------------------------------------------------------------------------
def excluded(*rows: int, reason: str = "typed twice") -> pd.DataFrame:
    return pd.DataFrame({"row": np.array(rows, dtype=np.int64), "reason": pd.Series([reason] * len(rows), dtype="str")})


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (excluded(1, reason=" "), "Rows 1 are excluded without a reason"),
        (excluded(99), "do not exist"),
        (excluded(*range(9)), "22% of the rows"),
    ],
)
def test_undue_exclusions_are_refused(rows: pd.DataFrame, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        gates.test_excluded_rows_have_reasons(frames(), rows)


def test_due_exclusions_pass() -> None:
    gates.test_excluded_rows_have_reasons(frames(), excluded(0, 39))
    gates.test_excluded_rows_have_reasons(frames(), excluded())


def test_excluding_the_whole_of_a_class_is_refused() -> None:
    y = np.array([0, 0, 1, 0])
    with pytest.raises(AssertionError, match="classes 'y' is excluded"):
        gates.test_every_class_is_still_learned(excluded(2), y, TASK)
    gates.test_every_class_is_still_learned(excluded(0), y, TASK)
