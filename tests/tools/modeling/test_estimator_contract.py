"""What every estimator keeps: any frame in, codes as they come, the same bytes again, and sentences when it cannot."""

from __future__ import annotations

import importlib.util
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier, is_regressor

from autods import tools

SMALL: dict[str, dict[str, Any]] = {
    "baseline_lightgbm": {"n_estimators": 5},
    "lightgbm": {"n_estimators": 5},
    "xgboost": {"n_estimators": 5},
    "catboost": {"n_estimators": 5},
    "random_forest": {"n_estimators": 5},
    "extra_trees": {"n_estimators": 5},
    "linear": {},
    "elastic_net": {"C": 1.0},
    "svm": {"C": 1.0},
    "gaussian_process": {"max_rows": 40},
    "k_nearest_neighbors": {},
    "naive_bayes_text": {"alpha": 0.5},
    "text_linear": {"C": 1.0},
    "neural_network": {"n_epochs": 2, "width": 8, "n_members": 2},
}
CASES = [
    pytest.param(name, kind, id=f"{name}-{kind}")
    for name in SMALL
    for kind in ("binary", "multiclass", "regression")
    if not (name == "naive_bayes_text" and kind == "regression")
    and not (name == "neural_network" and importlib.util.find_spec("torch") is None)
]
N_TRAIN, N_TEST = 80, 25

Make = Callable[[], Any]


def nasty_frame(n: int, seed: int, *, unseen: bool = False) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    town = rng.choice(["Rome", "Oslo", "Bonn", None], n)
    number = np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n))
    number[:2] = np.inf, -np.inf
    frame = pd.DataFrame(
        {
            "number": number,
            'odd [name] {a}: "b", c': rng.integers(0, 5, n),
            "flag $x$": rng.random(n) < 0.5,
            "town\nname": pd.Series(town, dtype="str"),
            "size": pd.Categorical(rng.choice(["s", "m", "l"], n), ["s", "m", "l"], ordered=True),
            "colour": pd.Categorical(rng.choice(["red", "blue"], n)),
            "code": pd.Categorical(rng.integers(1, 4, n)),
            "when": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 900, n), unit="D"),
            "when_utc": pd.date_range("2024", periods=n, freq="h", tz="Europe/Oslo"),
            "took": pd.to_timedelta(rng.integers(0, 900, n), unit="s"),
            "nullable": pd.Series(rng.integers(0, 3, n), dtype="Int64").mask(rng.random(n) < 0.3),
            "maybe": pd.Series(rng.random(n) < 0.5, dtype="boolean").mask(rng.random(n) < 0.3),
            "mixed": pd.Series([1, "one", None, 2.5, True] * n, dtype=object)[:n],
            "huge": rng.normal(size=n) * 1e300,
            "empty": np.full(n, np.nan),
            "constant": 1,
            "text": [f"the {a} and number {i} of it" for i, a in enumerate(rng.choice(["cat", "dog"], n))],
        }
    )
    frame.loc[3, "when"] = pd.NaT
    if unseen:
        frame["town\nname"] = frame["town\nname"].where(rng.random(n) < 0.5, "Atlantis")
        frame["colour"] = pd.Categorical(["green"] * n)
        frame["empty"] = 3.0
        frame.loc[:, "text"] = None
        frame = frame.reindex([*range(n - 1), -1]).reset_index(drop=True)
    return frame[list(frame.columns[::-1])] if unseen else frame


@pytest.fixture(scope="module")
def train() -> pd.DataFrame:
    return nasty_frame(N_TRAIN, 0)


@pytest.fixture(scope="module")
def test() -> pd.DataFrame:
    return nasty_frame(N_TEST, 1, unseen=True)


def target(frame: pd.DataFrame, kind: str) -> np.ndarray:
    signal = frame["flag $x$"].to_numpy(dtype=float) + np.nan_to_num(frame["number"], posinf=0, neginf=0)
    if kind == "regression":
        return signal * 1000 + 1e6
    if kind == "binary":
        return (signal > 0.5).astype(int)
    return np.where(signal > 1, 7, np.where(signal > 0, 2, 0))


def make(name: str, kind: str, **parameters: Any) -> Any:
    return getattr(tools, name)(kind, **{**SMALL[name], **parameters})


def outputs(estimator: Any, frame: pd.DataFrame, kind: str) -> np.ndarray:
    return np.asarray(estimator.predict(frame) if kind == "regression" else estimator.predict_proba(frame))


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_any_frame_goes_in_and_finite_predictions_come_out(
    name: str, kind: str, train: pd.DataFrame, test: pd.DataFrame
) -> None:
    before = train.copy()
    y = target(train, kind)
    estimator = make(name, kind).fit(train, y)
    pd.testing.assert_frame_equal(train, before)
    found = outputs(estimator, test, kind)
    assert np.isfinite(found).all()
    if kind == "regression":
        assert found.shape == (N_TEST,)
        assert found.min() > 0
    else:
        assert estimator.classes_.tolist() == sorted(set(y.tolist()))
        assert found.shape == (N_TEST, len(estimator.classes_))
        assert np.allclose(found.sum(axis=1), 1)
        assert set(estimator.predict(test).tolist()) <= set(y.tolist())
    assert set(estimator.importance()) <= set(train.columns)


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_a_second_fit_of_a_clone_gives_the_same_bytes_and_so_does_a_pickle(
    name: str, kind: str, train: pd.DataFrame, test: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    y = target(train, kind)
    first = make(name, kind, random_state=3)
    second = clone(first)
    expected = outputs(first.fit(train, y), test, kind)
    assert outputs(second.fit(train, y), test, kind).tobytes() == expected.tobytes()
    assert outputs(pickle.loads(pickle.dumps(first)), test, kind).tobytes() == expected.tobytes()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_a_row_is_predicted_alike_whatever_rows_stand_beside_it(
    name: str, kind: str, train: pd.DataFrame, test: pd.DataFrame
) -> None:
    estimator = make(name, kind).fit(train, target(train, kind))
    whole = outputs(estimator, test, kind)
    assert np.allclose(outputs(estimator, test.iloc[[7]], kind), whole[[7]], rtol=1e-5, atol=1e-7)
    assert len(outputs(estimator, test.iloc[[]], kind)) == 0


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_weights_and_groups_are_taken(name: str, kind: str, train: pd.DataFrame, test: pd.DataFrame) -> None:
    y = target(train, kind)
    weight = np.random.default_rng(0).random(N_TRAIN) + 0.1
    estimator = make(name, kind).fit(train, y, sample_weight=weight, groups=np.arange(N_TRAIN) // 4)
    assert np.isfinite(outputs(estimator, test, kind)).all()


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_a_target_of_one_value_is_predicted_as_it_is(name: str, kind: str, train: pd.DataFrame) -> None:
    estimator = make(name, kind).fit(train, np.full(N_TRAIN, 4))
    assert (estimator.predict(train) == 4).all()
    assert estimator.importance() == {}


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_a_frame_without_a_usable_column_gives_the_prior(name: str, kind: str) -> None:
    y = np.array([0, 1, 1, 1] * 5)
    for frame in (pd.DataFrame(index=range(20)), pd.DataFrame({"empty": np.full(20, np.nan)})):
        estimator = make(name, kind).fit(frame, y)
        found = outputs(estimator, frame, kind)
        assert np.allclose(found[:, 1] if found.ndim == 2 else found, 0.75, atol=0.12)


@pytest.mark.parametrize("name", SMALL)
def test_scikit_learn_knows_what_it_is(name: str) -> None:
    classifier = make(name, "binary")
    assert is_classifier(classifier)
    assert is_regressor(make(name, "regression"))
    assert not hasattr(make(name, "regression"), "predict_proba")
    assert classifier.get_params()["kind"] == "binary"


@pytest.mark.parametrize("name", SMALL)
def test_wrong_calls_are_answered_by_a_sentence(name: str, train: pd.DataFrame) -> None:
    with pytest.raises(ValueError, match="kind='binry' is not allowed: did you mean 'binary'"):
        make(name, "binry")
    with pytest.raises(TypeError, match=r"(no parameter|unexpected keyword argument) 'random_sate'"):
        make(name, "binary", random_sate=1)


def test_a_missing_column_is_named(train: pd.DataFrame) -> None:
    estimator = make("linear", "binary").fit(train, target(train, "binary"))
    with pytest.raises(ValueError, match=r"lacks the columns \['huge'\]"):
        estimator.predict(train.drop(columns="huge"))


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (np.zeros((3, 2)), r"y has the shape \(3, 2\); give one value for each of the 3 rows"),
        (np.array([1.0, np.nan, 2.0]), "y has 1 values that are no finite numbers"),
    ],
)
def test_a_target_that_does_not_fit_is_refused(y: np.ndarray, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make("linear", "regression").fit(pd.DataFrame({"x": [1, 2, 3]}), y)


def test_an_array_is_as_good_as_a_frame() -> None:
    X = np.arange(40.0).reshape(20, 2)
    assert set(make("lightgbm", "regression").fit(X, X[:, 0]).importance()) == {"0", "1"}


def test_labels_may_be_words() -> None:
    frame = pd.DataFrame({"x": np.arange(40.0)})
    words = np.where(frame["x"] < 20, "low", "up")
    assert make("random_forest", "binary").fit(frame, words).predict(frame).tolist() == words.tolist()


def test_balanced_classes_count_alike() -> None:
    frame = pd.DataFrame({"x": np.zeros(100)})
    frame.loc[0, "x"] = 1e-9
    y = np.array([0] * 90 + [1] * 10)
    plain = make("linear", "binary", C=1.0).fit(frame, y).predict_proba(frame)[50, 1]
    balanced = make("linear", "binary", C=1.0, class_weight="balanced").fit(frame, y).predict_proba(frame)[50, 1]
    assert plain == pytest.approx(0.1, abs=0.02)
    assert balanced == pytest.approx(0.5, abs=0.02)
