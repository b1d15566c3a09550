"""Tools that make numbers of numbers: arithmetic, combinations, rows, bins."""

import numpy as np
import pandas as pd
import pytest

from autods.tools import (
    bin_columns,
    combine_categories,
    count_missing,
    count_values,
    create_feature_combinations,
    create_polynomial_features,
    differences,
    ratios,
    row_statistics,
    sum_columns,
)

nan = float("nan")


def test_a_ratio_to_zero_is_missing_not_infinite() -> None:
    train, _ = ratios(pd.DataFrame({"a": [1.0, 0.0, 1e308, nan], "b": [0, 0, 1, 1]}), pairs=[("a", "b")])
    np.testing.assert_array_equal(train["a_per_b"], [nan, nan, 1e308, nan])


def test_one_pair_needs_no_list() -> None:
    assert "a_minus_b" in differences(pd.DataFrame({"a": [3], "b": [1]}), pairs=("a", "b"))[0]


def test_datetimes_differ_in_days() -> None:
    train = pd.DataFrame({"a": pd.to_datetime(["2021-03-01T12:00", None]), "b": pd.to_datetime(["2021-02-28"] * 2)})
    np.testing.assert_array_equal(differences(train, pairs=[("a", "b")])[0]["a_minus_b"], [1.5, nan])


@pytest.mark.parametrize("pairs", ["ab", [("a",)], [("a", "b", "c")], ["ab"], 3])
def test_what_is_no_pair_is_refused(pairs: object) -> None:
    with pytest.raises((ValueError, TypeError), match="pairs"):
        ratios(pd.DataFrame({"a": [1], "b": [2]}), pairs=pairs)


def test_text_and_dates_have_no_ratio() -> None:
    train = pd.DataFrame({"a": [1], "t": ["x"], "when": pd.to_datetime(["2021-01-01"])})
    with pytest.raises(ValueError, match="column 't' of train has type str, but numbers are needed"):
        ratios(train, pairs=[("a", "t")])
    with pytest.raises(ValueError, match="column 'when' of train has type datetime64"):
        differences(train, pairs=[("when", "a")])


def test_sums_count_missing_as_zero_unless_all_are() -> None:
    train = pd.DataFrame({"a": [1.0, nan, nan], "b": [2.0, 2.0, nan]})
    np.testing.assert_array_equal(sum_columns(train, columns=["a", "b"], name="s", add=1)[0]["s"], [4, 3, nan])


def test_products_have_readable_names_and_no_copies() -> None:
    train, _ = create_polynomial_features(pd.DataFrame({"a": [2], "b": [3]}), columns=["a", "b"], degree=3)
    assert list(train) == ["a", "b", "a^2", "a * b", "b^2", "a^3", "a^2 * b", "a * b^2", "b^3"]
    assert train["a^2 * b"].item() == 12
    crossed, _ = create_polynomial_features(
        pd.DataFrame({"a": [2], "b": [3]}), columns=["a", "b"], interaction_only=True
    )
    assert list(crossed) == ["a", "b", "a * b"]


def test_a_flood_of_columns_is_refused() -> None:
    wide = pd.DataFrame(np.ones((2, 60)), columns=[f"c{number}" for number in range(60)])
    for tool in (create_polynomial_features, create_feature_combinations):
        with pytest.raises(ValueError, match=r"would give .* 1\d\d\d new columns, more than 1000; name fewer"):
            tool(wide, columns=list(wide))


def test_sums_of_combinations_are_missing_where_a_part_is() -> None:
    train = pd.DataFrame({"a": [1.0, nan], "b": [2.0, 2.0], "c": [3.0, 3.0]})
    summed, _ = create_feature_combinations(
        train, columns=["a", "b", "c"], combination_type="addition", max_combination_size=3
    )
    np.testing.assert_array_equal(summed["a + b + c"], [6, nan])


def test_categories_are_combined_with_what_is_missing() -> None:
    train = pd.DataFrame({"a": ["x", None], "n": [1.0, nan]})
    assert combine_categories(train, pairs=[("a", "n")])[0]["a_and_n"].tolist() == ["x|1", "missing|missing"]


def test_missing_values_and_values_are_counted_by_row() -> None:
    train = pd.DataFrame({"a": [0, 1], "b": [0.0, nan], "t": ["no", None], "u": ["no", "yes"]})
    assert count_missing(train)[0]["missing_count"].tolist() == [0, 2]
    assert count_values(train)[0]["0_count"].tolist() == [2, 0]
    assert count_values(train, value="no", name="noes")[0]["noes"].tolist() == [2, 0]


def test_row_statistics_leave_missing_and_infinite_out() -> None:
    train = pd.DataFrame({"a": [1.0, nan, nan], "b": [3.0, 5.0, np.inf]})
    result, _ = row_statistics(train, statistics=["mean", "max", "min", "median"])
    np.testing.assert_array_equal(result["row_mean"], [2, 5, nan])
    np.testing.assert_array_equal(result["row_max"], [3, 5, nan])


def test_bins_are_learned_from_train_and_hold_what_lies_beyond() -> None:
    train, test = pd.DataFrame({"x": np.arange(100.0)}), pd.DataFrame({"x": [-5.0, 99.0, 1e9, nan, np.inf]})
    binned, binned_test = bin_columns(train, test, columns="x", n_bins=4)
    assert binned["x_bin"].value_counts().tolist() == [25] * 4
    np.testing.assert_array_equal(binned_test["x_bin"], [0, 3, 3, nan, 3])


def test_repeated_values_make_fewer_bins() -> None:
    binned, _ = bin_columns(pd.DataFrame({"x": [0.0] * 90 + [5.0] * 10}), columns="x", n_bins=5)
    assert binned["x_bin"].nunique() <= 2


def test_edges_must_ascend() -> None:
    with pytest.raises(ValueError, match=r"edges=\[65, 18\] must be a list of ascending numbers"):
        bin_columns(pd.DataFrame({"x": [1.0]}), columns="x", edges=[65, 18])
