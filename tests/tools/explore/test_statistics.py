"""Each statistic says what its description promises, and none fails on odd data."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest

from autods.tools import STATISTICS, compute

RNG = np.random.default_rng(3)
N = 400
X, Z = RNG.normal(size=N), RNG.normal(size=N)
GROUP = np.where(X > 0, "up", "down")

TRAIN = pd.DataFrame({
    "x": X, "z": Z, "twice": 2 * X, "cube": X**3, "square": X**2, "noise": RNG.normal(size=N), "sorted": np.arange(N),
    "gaps": np.where(GROUP == "up", np.nan, X), "gaps_too": np.where(GROUP == "up", np.nan, Z),
    "group": GROUP, "other": np.where(GROUP == "up", "u", "d"), "random": RNG.choice(["p", "q", "r"], N),
    "long": np.exp(2 * X), "zeros": np.where(Z > 0, 0.0, -1.0), "wild": np.append(RNG.normal(size=N - 4), [90.0, 95.0, 99.0, -80.0]),
    "few": ["a"] * (N - 2) + ["b"] * 2, "words": ["one two", "one two three four"] * (N // 2),
    "money": ["$1,200", "12%", "x y", None] * (N // 4), "odd": ["?", " NA ", "good", None] * (N // 4),
    "product": X * Z, "ratio": X / Z, "sum": X + Z, "difference": X - Z, "both": (X > 0) ^ (Z > 0),
    "copies": np.repeat(np.arange(N // 4), 4), "endless": np.where(Z > 0, np.inf, 1.0), "ones": np.ones(N),
    "when": pd.date_range("2020-01-01", periods=N, tz="UTC"), "length": [("spam " * (3 if up else 1)) + str(k) for k, up in enumerate(X > 0)],
})  # fmt: skip
TEST = pd.DataFrame({
    "x": X[: N // 2] + 2, "z": Z[: N // 2], "group": ["up", "new"] * (N // 4), "gaps": np.ones(N // 2),
    "random": ["p"] * (N // 2),
})  # fmt: skip

EXPECTED = [
    ("n_rows", [], N), ("n_columns", [], TRAIN.shape[1]), ("n_columns", ["x", "z"], 2), ("duplicate_share", ["copies"], 0.75),
    ("duplicate_share", ["x"], 0.0), ("missing_cell_share", ["x", "money"], 0.125), ("complete_row_share", ["x", "money"], 0.75),
    ("n_constant_columns", [], 1), ("n_columns_with_missing", ["x", "money", "odd"], 2),
    ("missing_share", ["money"], 0.25), ("missing_word_share", ["odd"], 0.5), ("n_unique", ["random"], 3), ("unique_share", ["copies"], 0.25),
    ("share_of_top_level", ["few"], 1 - 2 / N), ("share_of_rarest_level", ["few"], 2 / N), ("imbalance", ["few"], (N - 2) / 2),
    ("rare_level_share", ["few"], 2 / N), ("rows_per_level", ["copies"], 4), ("mean", ["sorted"], (N - 1) / 2), ("median", ["sorted"], (N - 1) / 2),
    ("standard_deviation", ["x"], X.std(ddof=1)), ("minimum", ["sorted"], 0), ("maximum", ["sorted"], N - 1),
    ("lower_quartile", ["sorted"], (N - 1) / 4), ("upper_quartile", ["sorted"], 3 * (N - 1) / 4), ("skew", ["sorted"], 0),
    ("outlier_share_z", ["wild"], 4 / N), ("infinite_share", ["endless"], np.mean(Z > 0)), ("zero_share", ["zeros"], np.mean(Z > 0)),
    ("negative_share", ["zeros"], np.mean(Z <= 0)), ("whole_number_share", ["sorted"], 1), ("number_like_share", ["money"], 2 / 3),
    ("mean_words", ["words"], 3), ("mean_length", ["group"], 2 + 2 * np.mean(X <= 0)), ("grows_with_rows", ["when"], 1), ("grows_with_rows", ["sorted"], 1),
    ("pearson", ["x", "twice"], 1), ("spearman", ["x", "cube"], 1), ("eta_squared", ["copies", "copies"], 1), ("cramers_v", ["group", "other"], 1),
    ("mutual_information", ["group", "other"], -sum(p * np.log(p) for p in (np.mean(X > 0), np.mean(X <= 0)))),
    ("missing_association", ["gaps", "group"], 1), ("missing_together", ["gaps", "gaps_too"], 1), ("equal_share", ["x", "x"], 1),
    ("equal_share", ["gaps", "gaps"], 1), ("equal_share", ["group", "other"], 0), ("determines", ["group", "other"], 1), ("determines", ["few", "sorted"], 2 / N),
    ("range_of_level_means", ["group", "x"], X[X > 0].mean() - X[X <= 0].mean()), ("signal", ["x", "group"], 1), ("signal", ["cube", "x"], 1),
]  # fmt: skip


@pytest.mark.parametrize("statistic, columns, value", EXPECTED)
def test_the_value_is_what_it_should_be(statistic, columns, value):
    assert compute(statistic, "train", columns, TRAIN) == pytest.approx(
        value, abs=0.003 if statistic == "cramers_v" else 1e-9
    )


AROUND = [
    ("skew", ["long"], 2, 30), ("kurtosis", ["wild"], 20, 500), ("kurtosis", ["x"], -1, 1), ("log_skew", ["long"], -0.5, 2),
    ("outlier_share_iqr", ["long"], 0.05, 0.2), ("eta_squared", ["random", "x"], 0, 0.03), ("eta_squared_adjusted", ["copies", "noise"], -0.2, 0.15),
    ("cramers_v", ["random", "group"], 0, 0.15), ("pearson", ["x", "noise"], -0.15, 0.15), ("signal", ["noise", "group"], 0, 0.2),
    ("bend", ["x", "square"], 0.5, 1), ("bend", ["x", "cube"], -0.2, 0.01), ("interaction_gain", ["x", "z", "both"], 0.6, 1),
    ("product_gain", ["x", "z", "product"], 0.3, 1), ("ratio_gain", ["x", "z", "ratio"], 0.3, 1), ("sum_gain", ["x", "z", "sum"], 0.2, 1),
    ("difference_gain", ["x", "z", "difference"], 0.2, 1), ("sum_gain", ["x", "noise", "group"], -1, 0), ("text_length_signal", ["length", "group"], 0.9, 1),
]  # fmt: skip


@pytest.mark.parametrize("statistic, columns, low, high", AROUND)
def test_the_value_lies_where_it_should(statistic, columns, low, high):
    assert low <= compute(statistic, "train", columns, TRAIN) <= high


@pytest.mark.parametrize(
    "statistic, columns, low, high",
    [
        ("drift", ["x"], 0.6, 0.9), ("drift", ["z"], 0, 0.1), ("drift", ["random"], 0.5, 0.8), ("unseen_share", ["group"], 0.5, 0.5),
        ("beyond_range_share", ["x"], 0.05, 0.5), ("mean_shift", ["x"], 1.5, 2.5), ("missing_share_difference", ["gaps"], -0.6, -0.4),
        ("adversarial_auc", ["x"], 0.9, 1), ("adversarial_auc", ["z"], 0.3, 0.62), ("shared_row_share", ["z"], 1, 1), ("shared_row_share", ["x"], 0, 0),
    ],
)  # fmt: skip
def test_train_and_test_are_compared(statistic, columns, low, high):
    assert low <= compute(statistic, "both", columns, TRAIN, TEST) <= high


def test_a_statistic_of_test_or_of_both_uses_those_rows():
    assert compute("n_unique", "test", ["group"], TRAIN, TEST) == 2
    assert compute("n_unique", "both", ["group"], TRAIN, TEST) == 3
    assert compute("n_rows", "both", [], TRAIN, TEST) == N + N // 2


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("missing_shar", "train", ["x"], TRAIN), "'missing_share'"),
        (("missing_share", "valid", ["x"], TRAIN), "'train', 'test' and 'both'"),
        (("missing_share", "train", ["xx"], TRAIN), "there is no column 'xx'; did you mean 'x'"),
        (("missing_share", "train", ["x", "z"], TRAIN), "takes one column, not 2"),
        (("missing_share", "test", ["x"], TRAIN), "needs test, which is None"),
        (("drift", "train", ["x"], TRAIN, TEST), "frame must be 'both'"),
        (("unseen_share", "both", ["noise"], TRAIN, TEST), "there is no column 'noise'"),
    ],
)
def test_a_wrong_call_says_what_is_allowed(arguments, message):
    with pytest.raises(ValueError, match=message):
        compute(*arguments)


def test_the_registry_is_closed_and_says_what_each_statistic_is():
    with pytest.raises(TypeError):
        STATISTICS["mine"] = len
    assert list(STATISTICS) == sorted(STATISTICS)
    assert all(statistic.description.endswith(".") for statistic in STATISTICS.values())


def _odd_frames():
    n, draw = 45, np.random.default_rng(0)
    texts = pd.Series([None] * n, dtype="str")
    some = draw.integers(0, 2, n)
    return {
        "no rows": pd.DataFrame({"a": np.empty(0), "b": pd.Series([], dtype="str"), "y": np.empty(0)}),
        "one row": pd.DataFrame({"a": [1.0], "b": ["x"], "y": [1]}),
        "two rows": pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"], "y": ["p", "q"]}),
        "all missing": pd.DataFrame({"a": np.full(n, np.nan), "b": texts, "y": some}),
        "constant": pd.DataFrame({"a": np.ones(n), "b": ["c"] * n, "y": some}),
        "infinite": pd.DataFrame({"a": [np.inf, 1.0, -np.inf] * 15, "b": ["$x_{1}\\", "_a", None] * 15, "y": draw.normal(size=n)}),
        "huge": pd.DataFrame({"a": draw.normal(size=n) * 1e307, "b": ["日本語", "العربية", "😀"] * 15, "y": draw.normal(size=n)}),
        "nullable": pd.DataFrame({"a": pd.array([1, None, 2] * 15, dtype="Int64"), "b": pd.Categorical(["x", "y", None] * 15), "y": some == 1}),
        "objects": pd.DataFrame({"a": pd.date_range("2020", periods=n, tz="UTC"), "b": pd.Series([1, "x", None] * 15, dtype=object), "y": [f"c{k % 12}" for k in range(n)]}),
        "gaps in the target": pd.DataFrame({"a": draw.normal(size=n), "b": [f"w x y z {k}" for k in range(n)], "y": np.where(some == 1, np.nan, draw.normal(size=n))}),
    }  # fmt: skip


ODD = _odd_frames()


@pytest.mark.parametrize("name", ODD)
def test_odd_data_give_a_number_or_nan_and_the_same_again(name):
    frame = ODD[name]
    for statistic, test in itertools.product(STATISTICS.values(), [frame.drop(columns="y"), frame.iloc[:0, :2]]):
        pool = ["a", "b"] if statistic.pair else ["a", "b", "y"]
        for columns in itertools.permutations(pool, statistic.n_columns):
            where = "both" if statistic.pair else "train"
            values = [compute(statistic.name, where, columns, frame, test) for _ in range(2)]
            assert isinstance(values[0], float)
            assert values[0] == values[1] or math.isnan(values[0])


def test_nothing_is_changed_by_looking():
    kept = TRAIN.copy(deep=True)
    compute("signal", "train", ["gaps", "group"], TRAIN)
    compute("adversarial_auc", "both", [], TRAIN, TEST)
    pd.testing.assert_frame_equal(TRAIN, kept)


def test_the_order_of_rows_does_not_rename_classes():
    frame = TRAIN[["x", "group"]]
    assert compute("signal", "train", ["x", "group"], frame) == compute(
        "signal", "train", ["x", "group"], frame.assign(group=frame["group"] + "!")
    )
