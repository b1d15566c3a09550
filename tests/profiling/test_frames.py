"""The profile of whole frames: shares, drift, signals, repeats, how train and test were parted."""

import numpy as np
import pandas as pd
import pytest

from autods.profiling import Profile, profile_frames
from autods.records import from_json, to_json


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def test_moments_are_those_of_the_present_values(rng):
    values = np.append(rng.lognormal(0, 1, 500), [np.nan, np.inf])
    column = profile_frames(pd.DataFrame({"x": values})).columns["x"]
    present = values[np.isfinite(values)]
    assert column.missing_train == pytest.approx(1 / 502)
    assert (column.mean, column.standard_deviation) == pytest.approx((present.mean(), present.std()))
    assert column.quantiles == pytest.approx(np.quantile(present, [0.05, 0.25, 0.5, 0.75, 0.95]))
    assert column.skew == pytest.approx(pd.Series(present).skew(), rel=0.02)
    lower, upper = np.quantile(present, [0.25, 0.75])
    far = (present < lower - 1.5 * (upper - lower)) | (present > upper + 1.5 * (upper - lower))
    assert column.outlier_share == pytest.approx(far.mean())


def test_the_most_frequent_values_come_first():
    frame = pd.DataFrame(
        {"x": np.repeat(np.arange(100.0), np.arange(100)), "s": np.repeat(["a", "b", "c"], [1650, 2000, 1300])}
    )
    columns = profile_frames(frame).columns
    assert columns["x"].top[:2] == (("99", 99), ("98", 98))
    assert columns["s"].top == (("b", 2000), ("a", 1650), ("c", 1300))
    assert columns["x"].n_unique == 99


def test_cells_that_only_look_missing_are_counted_by_spelling():
    frame = pd.DataFrame({"doors": ["two", "four", "?", "?", " unknown", None]})
    column = profile_frames(frame).columns["doors"]
    assert column.missing_tokens == {"?": 2, " unknown": 1}
    assert column.missing_train == pytest.approx(1 / 6)


def test_numbers_that_may_stand_for_missing_are_told():
    frame = pd.DataFrame({"bmi": [20.0, 25.5, 31.0, -999.0, -999.0], "year": [2001, 2003, 1999, 2010, 1999]})
    columns = profile_frames(frame).columns
    assert columns["bmi"].sentinels == {"-999": 2}
    assert columns["year"].sentinels == {}


def test_what_reading_knows_is_added():
    profile = profile_frames(
        pd.DataFrame({"price": [1.0, np.nan]}),
        units={"price": "currency"},
        missing_tokens={"price": {"?": 1}, "gone": {"?": 1}},
    )
    assert profile.columns["price"].unit == "currency"
    assert profile.columns["price"].missing_tokens == {"?": 1}


def test_drift_and_unseen_levels_compare_test_with_train(rng):
    train = pd.DataFrame({"x": rng.normal(size=400), "s": ["a", "b"] * 200, "same": ["u", "v"] * 200})
    test = pd.DataFrame({"x": rng.normal(3, 1, 200), "s": ["a", "c"] * 100, "same": ["u", "v"] * 100})
    columns = profile_frames(train, test).columns
    assert columns["x"].drift > 0.8
    assert (columns["s"].drift, columns["s"].unseen_share) == (0.5, 0.5)
    assert (columns["same"].drift, columns["same"].unseen_share) == (0.0, 0.0)
    assert columns["x"].unseen_share is None


def test_a_signal_ranks_the_target_alone(rng):
    n = 600
    y = rng.integers(0, 2, n)
    train = pd.DataFrame({
        "strong": y + 0.5 * rng.normal(size=n), "noise": rng.normal(size=n), "leak": y * 2.0,
        "hump": np.where(y == 1, rng.normal(0, 0.3, n), rng.choice([-1, 1], n) + rng.normal(0, 0.3, n)),
        "levels": np.where(rng.random(n) < 0.2, "x", np.where(y == 1, "p", "q")),
        "unique": [f"town {k}x" for k in range(n)],
    })  # fmt: skip
    columns = profile_frames(train, y=y, kind="binary").columns
    assert columns["noise"].signal < 0.15 < 0.7 < columns["strong"].signal
    assert columns["hump"].signal > 0.7
    assert columns["levels"].signal > 0.7
    assert columns["unique"].signal < 0.15
    assert [name for name, column in columns.items() if column.near_perfect] == ["leak"]


@pytest.mark.parametrize("kind", ["multiclass", "regression", "multilabel", "multi_regression"])
def test_signals_exist_for_every_kind_of_target(rng, kind):
    x = rng.normal(size=300)
    y = {
        "multiclass": np.digitize(x, [-0.5, 0.5]),
        "regression": np.exp(x),
        "multilabel": np.stack([x > 0, rng.random(300) < 0.5], axis=1).astype(int),
        "multi_regression": np.stack([rng.normal(size=300), x], axis=1),
    }[kind]
    profile = profile_frames(pd.DataFrame({"x": x, "z": rng.normal(size=300)}), y=y, kind=kind)
    assert profile.columns["x"].signal > 0.9 > 0.3 > profile.columns["z"].signal
    assert profile.target.kind == kind


def test_without_a_varying_target_there_is_no_signal():
    frame = pd.DataFrame({"x": np.arange(30.0)})
    assert profile_frames(frame).columns["x"].signal is None
    assert profile_frames(frame, y=np.zeros(30, dtype=int), kind="binary").columns["x"].signal is None


def test_class_targets_have_shares_and_values_have_moments():
    frame = pd.DataFrame({"x": np.arange(20.0)})
    classes = profile_frames(frame, y=np.repeat([0, 1], [15, 5]), kind="binary").target
    values = profile_frames(frame, y=np.append(np.zeros(10), np.arange(10.0)), kind="regression").target
    assert (classes.class_shares, classes.imbalance) == ((0.75, 0.25), 3.0)
    assert (values.zero_share, values.maximum, values.whole_numbers) == (11 / 20, 9.0, True)


def test_repeated_shared_and_conflicting_rows_are_counted():
    train = pd.DataFrame({"x": [1.0, 1.0, 2.0, np.nan, np.nan], "s": ["a", "a", "b", None, None]})
    test = pd.DataFrame({"x": [2.0, 2.0, 3.0], "s": ["b", "c", "b"]})
    profile = profile_frames(train, test, y=np.array([0, 1, 0, 1, 1]), kind="binary")
    assert (profile.duplicate_rows, profile.shared_rows, profile.conflicting_rows) == (2, 1, 2)


def test_rows_that_differ_only_in_the_place_of_values_are_different():
    train = pd.DataFrame({"x": [1.0, 2.0, 0.0], "y": [2.0, 1.0, -0.0]})
    assert profile_frames(train).duplicate_rows == 0


def test_whole_and_broken_numbers_of_two_types_are_compared_by_value():
    profile = profile_frames(pd.DataFrame({"x": [1, 2, 3]}), pd.DataFrame({"x": [1.0, np.nan]}))
    assert profile.shared_rows == 1


def test_levels_that_recur_in_train_but_not_in_test_suggest_groups(rng):
    users = pd.Series([f"u{k}" for k in range(40)])
    train = pd.DataFrame({"user": users[rng.integers(0, 30, 300)].to_numpy(), "town": rng.choice(["a", "b"], 300)})
    test = pd.DataFrame({"user": users[rng.integers(30, 40, 100)].to_numpy(), "town": rng.choice(["a", "b"], 100)})
    assert profile_frames(train, test).group_candidates == ("user",)
    assert profile_frames(train[["town"]], test[["town"]], keys=train, test_keys=test).group_candidates == ("user",)
    assert profile_frames(train, train.iloc[:90]).group_candidates == ()


@pytest.mark.parametrize("spell", [lambda days: days, lambda days: days.strftime("%d/%m/%Y")])
def test_a_test_set_later_than_train_suggests_time(spell):
    days = pd.date_range("2020-01-01", periods=300)
    frame = pd.DataFrame({"day": spell(days), "x": np.arange(300) % 7})
    assert profile_frames(frame[:200], frame[200:]).time_candidates == ("day",)
    mixed = frame.sample(frac=1, random_state=0).reset_index(drop=True)
    assert profile_frames(mixed[:200], mixed[200:]).time_candidates == ()


def test_columns_of_train_alone_are_profiled_without_test():
    profile = profile_frames(pd.DataFrame({"x": [1.0, 2.0], "y": [1.5, 2.5]}), pd.DataFrame({"x": [1.0]}))
    assert profile.columns["y"].drift is None
    assert list(profile.columns) == ["x", "y"]


def test_names_are_given_by_semantic_type():
    frame = pd.DataFrame({"a": [0.5, 1.5], "b": ["x", "y"], "c": ["low", "high"]})
    profile = profile_frames(frame)
    assert profile.names("numeric", "ordinal") == ("a", "c")
    assert profile.names() == ("a", "b", "c")
    assert profile.by_semantic() == {"numeric": ("a",), "categorical": ("b",), "ordinal": ("c",)}


ODD = {
    "no rows": pd.DataFrame({"a": np.empty(0), "b": pd.Series([], dtype="str")}),
    "no columns": pd.DataFrame(index=range(3)),
    "one row": pd.DataFrame({"a": [1.0], "b": ["x"]}),
    "all missing": pd.DataFrame({"a": [np.nan] * 30, "b": pd.Series([None] * 30, dtype="str")}),
    "infinite": pd.DataFrame({"a": [np.inf, -np.inf, 1.0] * 10}),
    "near the limit of floats": pd.DataFrame({"a": np.arange(-15.0, 15.0) * 1e307}),
    "nullable": pd.DataFrame(
        {"a": pd.array([1, None, 3], dtype="Int64"), "b": pd.array([True, None, False], dtype="boolean")}
    ),
    "category": pd.DataFrame({"a": pd.Categorical(["x", "y", None])}),
    "mixed objects": pd.DataFrame({"a": pd.Series([1, "x", None, 2.5], dtype=object)}),
    "numbers in train, text in test": pd.DataFrame({"a": [1.0, 2.0, 3.0]}),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_frames_have_profiles_that_go_to_json_and_back(name):
    frame = ODD[name]
    test = pd.DataFrame({"a": ["p", "q"]}) if name.startswith("numbers in train") else frame.iloc[:0]
    kept = frame.copy(deep=True)
    profile = profile_frames(frame, test, y=np.arange(len(frame), dtype=float), kind="regression")
    assert from_json(Profile, to_json(profile)) == profile
    pd.testing.assert_frame_equal(frame, kept)
