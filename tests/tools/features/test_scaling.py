import numpy as np
import pandas as pd
import pytest
from scipy.stats import skew

from autods.tools import cluster_features, perform_pca, scale_features, transform_skewed

nan = float("nan")


@pytest.fixture
def skewed() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {"amount": rng.lognormal(0, 1, 500), "even": rng.normal(0, 1, 500), "debt": -rng.lognormal(0, 1, 500)}
    )


@pytest.mark.parametrize(
    "method, expected", [("standard", [-1, 0, 1]), ("minmax", [0, 0.5, 1]), ("robust", [-1, 0, 1])]
)
def test_train_sets_the_scale(method: str, expected: list[float]) -> None:
    scaled, test = scale_features(pd.DataFrame({"x": [1.0, nan, 3.0]}), pd.DataFrame({"x": [2.0]}), method=method)
    np.testing.assert_allclose(scaled["x"], [expected[0], nan, expected[2]])
    assert test["x"].item() == expected[1]


def test_constant_columns_become_zero() -> None:
    for method in ("standard", "minmax", "robust"):
        assert scale_features(pd.DataFrame({"x": [5.0, 5.0]}), method=method)[0]["x"].tolist() == [0, 0]


def test_only_skewed_columns_are_transformed_by_default(skewed: pd.DataFrame) -> None:
    result, _ = transform_skewed(skewed)
    assert [column for column in skewed if not result[column].equals(skewed[column])] == ["amount", "debt"]


@pytest.mark.parametrize("method", ["auto", "log1p", "box-cox", "yeo-johnson", "quantile"])
def test_skew_falls_and_order_stays(method: str, skewed: pd.DataFrame) -> None:
    result, _ = transform_skewed(skewed, columns=["amount"], method=method)
    assert abs(skew(result["amount"])) < abs(skew(skewed["amount"])) / 2
    assert (result["amount"].argsort() == skewed["amount"].argsort()).mean() > 0.99


@pytest.mark.parametrize("method, limit", [("log1p", "-1"), ("box-cox", "0")])
def test_values_that_a_method_cannot_take_are_refused(method: str, limit: str, skewed: pd.DataFrame) -> None:
    with pytest.raises(
        ValueError, match=rf"'debt' has the value .* takes values above {limit}; use method='yeo-johnson'"
    ):
        transform_skewed(skewed, columns=["debt"], method=method)


def test_values_of_test_that_a_method_cannot_take_count_as_trains_smallest(skewed: pd.DataFrame) -> None:
    for method in ("log1p", "box-cox"):
        test = pd.DataFrame({"amount": [-9.0, skewed["amount"].min()]})
        result = transform_skewed(skewed[["amount"]], test, columns=["amount"], method=method)[1]["amount"]
        assert result[0] == result[1]


def test_pca_keeps_as_many_components_as_the_share_needs() -> None:
    x = np.random.default_rng(0).normal(size=300)
    train = pd.DataFrame({"a": x, "b": 2 * x, "c": -x, "d": np.random.default_rng(1).normal(size=300)})
    assert list(perform_pca(train, n_components=0.99, drop_original=True)[0]) == ["pca_1", "pca_2"]
    assert list(perform_pca(train, n_components=9)[0]) == ["a", "b", "c", "d", "pca_1", "pca_2", "pca_3", "pca_4"]
    with pytest.raises(ValueError, match=r"n_components=1.5 must be a whole number, or a share below 1"):
        perform_pca(train, n_components=1.5)


def test_missing_values_count_as_the_median() -> None:
    train = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [1.0, 0.0, 1.0]})
    test = pd.DataFrame({"a": [nan, 2.0], "b": [0.0, 0.0]})
    result = perform_pca(train, test)[1]
    assert result.loc[0, ["pca_1", "pca_2"]].tolist() == result.loc[1, ["pca_1", "pca_2"]].tolist()


def test_clusters_are_those_of_train_and_numbered_in_order() -> None:
    train = pd.DataFrame({"x": [9.0, 9.1, 0.0, 0.1]})
    for seed in (0, 1, 2):
        result, test = cluster_features(train, pd.DataFrame({"x": [100.0, -3.0]}), n_clusters=2, random_state=seed)
        assert (result["cluster"].tolist(), test["cluster"].tolist()) == ([1, 1, 0, 0], [1, 0])
    assert list(result) == ["x", "cluster", "cluster_distance_1", "cluster_distance_2"]


def test_there_are_no_more_clusters_than_distinct_rows() -> None:
    result, _ = cluster_features(pd.DataFrame({"x": [1.0, 1.0, 2.0]}), n_clusters=8, distances=False)
    assert result["cluster"].nunique() == 2
