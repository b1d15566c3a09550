import numpy as np
import pandas as pd
import pytest

from autods.tools import detect_and_handle_outliers_iqr, detect_and_handle_outliers_zscore

tools = pytest.mark.parametrize("tool", [detect_and_handle_outliers_iqr, detect_and_handle_outliers_zscore])


@pytest.fixture
def train() -> pd.DataFrame:
    return pd.DataFrame({"x": [*np.linspace(0, 1, 99), 50.0], "n": [*range(99), 5000], "t": ["a"] * 100})


@tools
def test_train_sets_the_limits_for_both(tool, train: pd.DataFrame) -> None:
    test = pd.DataFrame({"x": [-99.0, 0.5, np.nan, 99.0], "n": [-9999, 5, 6, 9999], "t": ["a"] * 4})
    clipped, clipped_test = tool(train, test)
    assert clipped["x"].max() == clipped_test["x"].max() < 50
    assert clipped_test["x"].iloc[1] == 0.5
    assert clipped_test["x"].isna().tolist() == [False, False, True, False]
    assert clipped["n"].dtype == clipped_test["n"].dtype == "int64"
    assert clipped["n"].max() == clipped_test["n"].max()


@tools
def test_outliers_can_be_marked(tool, train: pd.DataFrame) -> None:
    marked, _ = tool(train, columns=["x"], method="mark")
    assert marked["x"].equals(train["x"])
    assert marked["x_outlier"].tolist() == [0] * 99 + [1]


@tools
def test_rows_of_outliers_can_be_excluded_from_fitting(tool, train: pd.DataFrame) -> None:
    excluded, test = tool(train, train.head(3), columns=["x"], method="exclude")
    assert excluded["exclude_from_fit"].sum() == 1
    assert excluded["exclude_reason"].iloc[-1].startswith("x lies beyond")
    assert list(test) == list(train)


@tools
def test_a_column_of_zeros_keeps_its_amounts(tool) -> None:
    pool = pd.DataFrame({"pool": [0] * 200 + list(range(500, 520))})
    assert tool(pool)[0].equals(pool)


@tools
def test_a_column_of_zeros_with_a_few_amounts_is_left_alone(tool) -> None:
    rare = pd.DataFrame({"rare": [0] * 200 + [400, 500, 600]})
    assert tool(rare, columns=["rare"])[0].equals(rare)


@tools
def test_codes_and_flags_are_left_alone_by_default(tool) -> None:
    codes = pd.DataFrame({"code": [1, 2, 3, 100] * 20, "flag": [True, False] * 40})
    assert tool(codes)[0].equals(codes)


@tools
def test_a_wrong_call_says_what_is_allowed(tool, train: pd.DataFrame) -> None:
    with pytest.raises(ValueError, match="method='remove' is not allowed: there are 'clip', 'exclude', 'mark'"):
        tool(train, method="remove")
    with pytest.raises(ValueError, match=r"column 't' of train has type str, but numbers are needed; parse_numbers"):
        tool(train, columns=["t"])
    with pytest.raises(ValueError, match=r"(factor|threshold)=0 must be a number greater than 0"):
        tool(train, **{"factor" if "iqr" in tool.__name__ else "threshold": 0})
