import numpy as np
import pandas as pd
import pytest

from autods.tools import aggregate_by_group, group_size

nan = float("nan")
TRAIN = pd.DataFrame(
    {"g": ["a", "a", "b", None], "h": [1, 2, 1, 1], "x": [1.0, 3.0, nan, 7.0], "t": ["u", "v", "u", "u"]}
)
TEST = pd.DataFrame({"g": ["a", "c"], "h": [1, 1], "x": [8.0, np.inf], "t": ["u", None]})


def test_sizes_count_both_frames_and_missing_keys_make_no_group() -> None:
    train, test = group_size(TRAIN, TEST, by="g")
    assert (train["g_size"].tolist(), test["g_size"].tolist()) == ([3, 3, 1, 0], [3, 1])


def test_several_columns_make_a_group() -> None:
    train, test = group_size(TRAIN, TEST, by=["g", "h"], name="peers")
    assert (train["peers"].tolist(), test["peers"].tolist()) == ([2, 1, 1, 0], [2, 1])


@pytest.mark.parametrize(
    "statistic, expected",
    [
        ("mean", [4, 4, nan, nan]),
        ("median", [3, 3, nan, nan]),
        ("min", [1, 1, nan, nan]),
        ("max", [8, 8, nan, nan]),
        ("sum", [12, 12, 0, nan]),
        ("count", [3, 3, 0, nan]),
        ("std", [np.std([1, 3, 8], ddof=1)] * 2 + [nan, nan]),
        ("rank", [1 / 3, 2 / 3, nan, nan]),
    ],
)
def test_statistics_are_taken_over_both_frames(statistic: str, expected: list[float]) -> None:
    train, _ = aggregate_by_group(TRAIN, TEST, by="g", columns=["x"], statistics=statistic)
    np.testing.assert_allclose(train[f"x_{statistic}_by_g"], expected)


def test_distinct_values_of_text_can_be_counted() -> None:
    train, _ = aggregate_by_group(TRAIN, TEST, by="g", columns=["t"], statistics=["nunique"])
    assert train["t_nunique_by_g"].fillna(-1).tolist() == [2, 2, 1, -1]


def test_a_row_is_compared_with_its_group() -> None:
    train, _ = aggregate_by_group(TRAIN, TEST, by="g", columns="x", statistics=[], relative=["difference", "ratio"])
    np.testing.assert_allclose(train["x_difference_by_g"], [-3, -1, nan, nan])
    np.testing.assert_allclose(train["x_ratio_by_g"], [0.25, 0.75, nan, nan])


def test_a_wrong_call_says_what_is_allowed() -> None:
    with pytest.raises(ValueError, match=r"statistics='avg' is not allowed"):
        aggregate_by_group(TRAIN, by="g", statistics="avg")
    with pytest.raises(ValueError, match="column 't' of train has type str, but numbers are needed"):
        aggregate_by_group(TRAIN, by="g", columns=["t"])
    for tool in (group_size, aggregate_by_group):
        with pytest.raises(ValueError, match=r"by=\[\] must name at least one column"):
            tool(TRAIN, by=[])
