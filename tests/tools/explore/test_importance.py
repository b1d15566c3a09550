"""How much columns matter: shuffled, and beside chance."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from autods.tools import null_importance, permutation_importance_table

RNG = np.random.default_rng(0)
N = 300
X = pd.DataFrame({"good": RNG.normal(size=N), "noise": RNG.normal(size=N), "codes": RNG.permutation(N).astype(float)})
Y = (X["good"] + 0.3 * RNG.normal(size=N) > 0).astype(int)


def test_shuffling_what_matters_costs_score():
    table = permutation_importance_table(LogisticRegression().fit(X, Y), X, Y)
    assert table["column"].iloc[0] == "good"
    assert table["importance"].iloc[0] > 0.3
    assert table["importance"].iloc[1:].abs().max() < 0.05


def test_a_score_of_ones_own_and_chosen_columns_can_be_given():
    table = permutation_importance_table(
        LogisticRegression().fit(X, Y),
        X,
        Y,
        lambda y, guess: -float(np.mean(y != guess)),
        columns=["noise"],
        n_repeats=1,
    )
    assert table["column"].tolist() == ["noise"]


@pytest.mark.parametrize("target", ["classes", "values"])
def test_only_what_tells_more_than_chance_gains(target):
    y = np.where(Y == 1, "p", "n") if target == "classes" else X["good"] * 3
    table = null_importance(X.assign(y=y, town=RNG.choice(["a", "b"], N)), "y").set_index("column")
    assert table["gain"].idxmax() == "good"
    assert table.loc["good", "gain"] > 2
    assert table.loc[["noise", "codes", "town"], "gain"].max() < 2


def test_rows_without_a_target_are_left_out():
    frame = X.assign(y=np.where(RNG.random(N) < 0.3, np.nan, X["good"]))
    assert null_importance(frame, "y", n_shuffles=1)["column"].iloc[0] == "good"


def test_a_target_that_does_not_vary_is_refused():
    with pytest.raises(ValueError, match="at least 2"):
        null_importance(X.assign(y=1), "y")


def test_of_large_frames_a_sample_is_used():
    frame = pd.DataFrame({"x": RNG.normal(size=8000)})
    frame["y"] = frame["x"] > 0
    estimator = LogisticRegression().fit(frame[["x"]], frame["y"])
    assert permutation_importance_table(estimator, frame[["x"]], frame["y"], n_repeats=1)["importance"][0] > 0.3
    assert null_importance(frame, "y", n_shuffles=1)["gain"][0] > 2
