"""Whether train can be told from test, and by which columns."""

import numpy as np
import pandas as pd
import pytest

from autods.tools import adversarial_validation

RNG = np.random.default_rng(0)
N = 150
TRAIN = pd.DataFrame(
    {"same": RNG.normal(size=N), "town": RNG.choice(["a", "b"], N), "year": RNG.integers(2010, 2020, N)}
)
TEST = pd.DataFrame(
    {"same": RNG.normal(size=N), "town": RNG.choice(["a", "b"], N), "year": RNG.integers(2018, 2028, N)}
)


def test_a_shifted_column_is_found():
    result = adversarial_validation(TRAIN, TEST)
    assert result.auc > 0.85
    assert result.columns["column"].iloc[0] == "year"
    assert result.auc == pytest.approx(np.mean(result.folds))


def test_frames_that_look_alike_cannot_be_told():
    assert adversarial_validation(TRAIN, TEST, ["same", "town"]).auc < 0.62


def test_missing_and_unseen_levels_tell():
    test = TEST.assign(town="c", same=np.nan)
    assert adversarial_validation(TRAIN, test, "town").auc == 1.0
    assert adversarial_validation(TRAIN, test, "same").auc == 1.0


def test_too_few_rows_give_nan():
    result = adversarial_validation(TRAIN, TEST.iloc[:3])
    assert np.isnan(result.auc)
    assert result.folds == ()


def test_the_seed_decides():
    first, again = (adversarial_validation(TRAIN, TEST, random_state=5) for _ in range(2))
    assert first.auc == again.auc
    assert first.columns.equals(again.columns)


def test_of_large_frames_a_sample_is_used():
    train, test = (pd.DataFrame({"x": RNG.normal(size=6000)}) for _ in range(2))
    assert adversarial_validation(train, test).auc == pytest.approx(0.5, abs=0.05)
