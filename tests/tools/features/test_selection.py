import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from autods.tools import (
    correlation_feature_selection,
    perform_rfe,
    select_k_best,
    target_encode,
    variance_feature_selection,
)


@pytest.fixture
def numbers() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    return pd.DataFrame(
        {"x": x, "copy": -2 * x + 1, "near": x + rng.normal(0, 0.05, 200), "cube": x**7, "free": rng.normal(size=200)}
    )


def test_the_first_of_near_copies_stays(numbers: pd.DataFrame) -> None:
    assert list(correlation_feature_selection(numbers)[0]) == ["x", "cube", "free"]
    assert list(correlation_feature_selection(numbers, threshold=1.0)[0]) == ["x", "near", "cube", "free"]
    assert list(correlation_feature_selection(numbers, method="spearman")[0]) == ["x", "free"]


def test_the_order_given_says_which_to_keep(numbers: pd.DataFrame) -> None:
    assert list(correlation_feature_selection(numbers, columns=["copy", "x"])[0]) == ["copy", "near", "cube", "free"]


def test_columns_that_hardly_vary_go() -> None:
    train = pd.DataFrame({"a": [1e9, 1e9], "b": [np.nan, np.nan], "c": [0.0, 0.1], "d": [0.0, 9.0]})
    assert list(variance_feature_selection(train)[0]) == ["c", "d"]
    assert list(variance_feature_selection(train, threshold=1.0)[0]) == ["d"]


@pytest.mark.parametrize("score", ["f", "mutual_information"])
@pytest.mark.parametrize("kind", ["binary", "regression"])
def test_the_best_columns_are_selected(kind: str, score: str) -> None:
    X = np.random.default_rng(0).normal(size=(200, 4))
    y = X[:, 2] if kind == "regression" else X[:, 2] > 0
    assert select_k_best(kind=kind, k=1, score=score).fit(X, y).get_support().tolist() == [False, False, True, False]


def test_elimination_takes_any_estimator_with_coefficients() -> None:
    X = np.random.default_rng(0).normal(size=(200, 3))
    selector = perform_rfe(n_features_to_select=1, estimator=LogisticRegression()).fit(X, X[:, 1] > 0)
    assert selector.get_support().tolist() == [False, True, False]


def test_a_wrong_call_says_what_is_allowed() -> None:
    with pytest.raises(ValueError, match="kind='multilabel' is not allowed"):
        select_k_best(kind="multilabel")
    with pytest.raises(TypeError, match=r"perform_rfe has no parameter 'columns'"):
        perform_rfe(columns=["a"])
    with pytest.raises(TypeError, match=r"threshold=True must be a number at least 0"):
        variance_feature_selection(pd.DataFrame({"a": [1]}), threshold=True)


TOWNS = pd.DataFrame({"town": ["a", "b", None, "c"] * 25, "size": np.arange(100.0)})
CODES = np.array([0, 1, 1, 0] * 25)


def test_levels_become_means_and_unseen_ones_the_overall_mean() -> None:
    encoder = target_encode(smoothing=0).fit(TOWNS, CODES)
    encoded = encoder.transform(pd.DataFrame({"town": ["a", "b", None, "new"], "size": [1.0] * 4}))
    assert encoded["town_mean"].tolist() == [0, 1, 1, 0.5]
    assert list(encoded) == encoder.get_feature_names_out().tolist() == ["town_mean", "size"]


def test_no_row_sees_its_own_target() -> None:
    unique = pd.DataFrame({"id": [f"r{number}" for number in range(40)]})
    y = np.arange(40) % 2
    means = target_encode(smoothing=0).fit_transform(unique, y)["id_mean"]
    assert abs(np.corrcoef(means, y)[0, 1]) < 0.9
    assert means.between(0.3, 0.7).all()


def test_every_class_of_many_gets_a_column() -> None:
    encoder = target_encode().fit(TOWNS, np.array([0, 1, 2, 0] * 25))
    assert list(encoder.transform(TOWNS)) == ["town_mean_0", "town_mean_1", "town_mean_2", "size"]


def test_a_target_of_floats_is_a_quantity() -> None:
    encoded = target_encode(smoothing=0).fit(TOWNS, np.array([1.0, 2.0, 3.0, 4.0] * 25)).transform(TOWNS)
    assert encoded["town_mean"].head(4).tolist() == [1, 2, 3, 4]


def test_it_is_a_step_of_a_pipeline_and_can_be_cloned() -> None:
    pipeline = clone(make_pipeline(target_encode(columns="town", random_state=1), LogisticRegression(max_iter=500)))
    assert pipeline.fit(TOWNS, CODES).predict_proba(TOWNS.head(3)).shape == (3, 2)


def test_the_seed_decides_the_inner_folds() -> None:
    y = np.random.default_rng(0).normal(size=100)
    first, second, other = (target_encode(random_state=seed).fit_transform(TOWNS, y) for seed in (0, 0, 1))
    assert first.equals(second)
    assert not first.equals(other)


def test_frames_without_categories_and_empty_ones_pass_through() -> None:
    sizes = TOWNS[["size"]]
    assert target_encode().fit(sizes, CODES).transform(sizes).equals(sizes)
    assert target_encode().fit_transform(sizes, CODES).equals(sizes)
    assert target_encode().fit(TOWNS, CODES).transform(TOWNS.head(0)).shape == (0, 2)


def test_an_unknown_column_is_named_with_the_nearest() -> None:
    with pytest.raises(ValueError, match=r"there is no column 'twon': did you mean 'town'"):
        target_encode(columns=["twon"]).fit(TOWNS, CODES)
