"""Each gate of feature engineering fails on a minimal broken artifact and lets legitimate odd data pass."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from autods.records import Intent, Kind, Plan, Submission, Task
from autods.unit_tests import test_feature_engineering as gates
from autods.unit_tests.artifacts import Pair

N = 60


def plan(**intent: object) -> Plan:
    return Plan("feature_engineering", (), Intent(**intent))  # type: ignore[arg-type]


def task(kind: Kind = "binary", *targets: str) -> Task:
    classes = ("no", "yes") if kind == "binary" else ()
    return Task(
        "t", kind, targets or ("y",), "auroc", True, "probabilities", Submission(("id", "y"), "id", "values"), classes
    )


def cleaned() -> Pair:
    generator = np.random.default_rng(0)
    made = [
        pd.DataFrame({"age": generator.integers(20, 60, N), "name": [f"n {i}" for i in range(N)]}) for _ in range(2)
    ]
    return Pair(*made)


def with_column(name: str, make: Callable[[pd.DataFrame], object]) -> Pair:
    return Pair(*(frame.assign(**{name: make(frame)}) for _, frame in cleaned().items()))


def test_a_feature_that_its_arithmetic_left_missing_is_refused() -> None:
    left = with_column("ratio", lambda f: np.where(f.index == 2, np.nan, 1.0 * f["age"]))
    with pytest.raises(AssertionError, match=r"'ratio' of train is missing in 1 rows \(row 2\); guard"):
        gates.test_missing_values_come_from_the_cleaned_columns(cleaned(), left, plan())
    gates.test_missing_values_come_from_the_cleaned_columns(cleaned(), left, plan(keep_missing=("ratio",)))


def test_gaps_that_cleaning_left_may_stay() -> None:
    gappy = with_column("deck", lambda f: np.where(f.index % 2, None, "A"))
    gates.test_missing_values_come_from_the_cleaned_columns(gappy, gappy, plan())


@pytest.mark.parametrize("value", [0, "same", np.nan, None, pd.Timestamp("2020-01-01")])
def test_a_constant_feature_is_refused(value: object) -> None:
    with pytest.raises(AssertionError, match="'flat' have one value in all rows of train"):
        gates.test_every_feature_varies(with_column("flat", lambda f: [value] * N))


def test_a_feature_that_is_there_or_not_varies() -> None:
    gates.test_every_feature_varies(with_column("there", lambda f: np.where(f.index == 1, 1.0, np.nan)))


def test_a_constant_column_is_not_refused_when_there_is_no_other() -> None:
    only = pd.DataFrame({"flat": [1] * N})
    with pytest.raises(pytest.skip.Exception):
        gates.test_every_feature_varies(Pair(only, only))


def test_a_feature_that_repeats_another_is_refused() -> None:
    with pytest.raises(AssertionError, match="age = copy"):
        gates.test_no_feature_repeats_another(with_column("copy", lambda f: f["age"]))


def test_features_that_differ_in_one_test_row_pass() -> None:
    left = with_column("copy", lambda f: f["age"])
    left.test.loc[N - 1, "copy"] = 0
    gates.test_no_feature_repeats_another(left)


def test_too_many_features_are_refused() -> None:
    wide = pd.DataFrame(np.zeros((2, 301)), columns=[f"f{i}" for i in range(301)])
    with pytest.raises(AssertionError, match="There are 301 columns, made of 2; at most 300"):
        gates.test_features_are_few_enough(cleaned(), Pair(wide, wide))
    gates.test_features_are_few_enough(Pair(wide, wide), Pair(wide, wide))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda f: f.drop(columns="name"), "'name', but it is gone"),
        (lambda f: f.assign(name=range(N)), "'name', but it is int64 now"),
    ],
)
def test_text_that_was_to_be_kept_is_missed(change: Callable[[pd.DataFrame], pd.DataFrame], said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        gates.test_text_is_kept_as_planned(Pair(*(change(f) for _, f in cleaned().items())), plan(keep_text=("name",)))


@pytest.mark.parametrize("dtype", ["str", "object", "category"])
def test_text_of_any_type_is_text(dtype: str) -> None:
    kept = Pair(*(frame.astype({"name": dtype}) for _, frame in cleaned().items()))
    gates.test_text_is_kept_as_planned(kept, plan(keep_text=("name",)))


def test_undeclared_drops_are_odd() -> None:
    left = Pair(*(frame[["name"]] for _, frame in cleaned().items()))
    with pytest.raises(AssertionError, match="'age' are gone"):
        gates.test_dropped_columns_are_declared(cleaned(), left, plan())
    gates.test_dropped_columns_are_declared(cleaned(), left, plan(drop=("age",)))


# --- what gives the target away --------------------------------------------------------------------------------------
Y = np.arange(N) % 3 == 0


@pytest.mark.parametrize(
    "feature",
    [Y, ~Y, np.where(Y, "alive", "dead"), np.where(Y, 100.0, 0.0) + np.linspace(0, 1, N)],
    ids=["copy", "opposite", "word", "threshold"],
)
def test_a_feature_that_tells_the_class_is_odd(feature: object) -> None:
    with pytest.raises(AssertionError, match="'leak' alone tell 'y'"):
        gates.test_no_feature_gives_the_target_away(with_column("leak", lambda f: feature), Y.astype(int), task())


def test_a_feature_that_tells_the_value_is_odd() -> None:
    y = np.linspace(0, 9, N) ** 2
    leaky = with_column("leak", lambda f: -np.sqrt(y))
    with pytest.raises(AssertionError, match="'leak' alone tell 'price'"):
        gates.test_no_feature_gives_the_target_away(leaky, y, task("regression", "price"))


def test_each_label_is_looked_at() -> None:
    y = np.column_stack([np.arange(N) % 2, Y])
    with pytest.raises(AssertionError, match="'leak' alone tell 'b'"):
        gates.test_no_feature_gives_the_target_away(with_column("leak", lambda f: Y), y, task("multilabel", "a", "b"))


@pytest.mark.parametrize(
    ("feature", "y"),
    [
        (np.where(np.arange(N) % 10 == 0, 1 - Y, Y), Y),
        (np.arange(N), Y),
        ([f"name {i}" for i in range(N)], Y),
        (np.zeros(N), np.arange(N) == 0),
    ],
    ids=["good but not perfect", "row number", "names", "one positive"],
)
def test_ordinary_features_are_not_odd(feature: object, y: np.ndarray) -> None:
    gates.test_no_feature_gives_the_target_away(with_column("fine", lambda f: feature), y.astype(int), task())
