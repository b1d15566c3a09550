"""The gates of the submission fail on what a site would refuse or score as noise and let legitimate odd ones pass."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

from autods.competition.submission import build_submission
from autods.records import Blend, Decision, Score, Submission, Task, Training
from autods.unit_tests import test_modeling as gates

N = 60
TASK = Task(
    "t", "binary", ("y",), "accuracy", True, "labels", Submission(("id", "y"), "id", "labels"), ("no", "yes"), "id"
)
Y = np.arange(N) % 3 // 2
TEST_KEYS = pd.DataFrame({"id": [f"0{i}" for i in range(6)]})
SAMPLE = pd.DataFrame({"id": [f"0{i}" for i in (3, 1, 0, 5, 4, 2)], "y": "no"})


def outputs(shares: np.ndarray) -> np.ndarray:
    return np.column_stack([1 - shares, shares])


TEST = outputs(np.array([0.12, 0.85, 0.25, 0.75, 0.25, 0.15]))
SCORE = Score(0.5, 0.1, (0.5,), "accuracy", True)
DECISION = Decision("threshold", (0.4,))
TRAINING = Training((), Blend({"a": 1.0}, DECISION, SCORE), SCORE, None, "")
SUBMISSION = build_submission(TASK, SAMPLE, TEST_KEYS, TEST, DECISION)


def regression() -> Task:
    return Task("t", "regression", ("y",), "rmse", False, "values", Submission(("id", "y"), "id", "values"), (), "id")


def with_value(array: np.ndarray, row: int, value: object) -> np.ndarray:
    copy = array.copy()
    copy[row] = value
    return copy


def test_the_submission_passes() -> None:
    gates.test_header_is_the_samples(SUBMISSION, SAMPLE, TASK)
    gates.test_ids_are_the_test_rows(SUBMISSION, SAMPLE, TEST_KEYS, TASK)
    gates.test_submission_is_valid(SUBMISSION, SAMPLE, TEST_KEYS, TASK)
    gates.test_submission_holds_the_predictions(SUBMISSION, SAMPLE, TEST_KEYS, TEST, TRAINING, TASK)
    gates.test_predictions_are_not_all_alike(SUBMISSION, TASK)
    gates.test_predictions_look_like_the_labels(TEST, Y, TASK)


@pytest.mark.parametrize("columns", [["y", "id"], ["id", "z"], ["\ufeffid", "y"]])
def test_another_header_is_refused(columns: list[str]) -> None:
    wrong = SUBMISSION[columns] if columns == ["y", "id"] else SUBMISSION.set_axis(columns, axis=1)
    with pytest.raises(AssertionError, match="it must be 'id', 'y'"):
        gates.test_header_is_the_samples(wrong, SAMPLE, TASK)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (SUBMISSION.iloc[1:], "5 rows, it must have 6"),
        (SUBMISSION.iloc[::-1].reset_index(drop=True), "the same ids in another order: rows 0, 1"),
        (SUBMISSION.assign(id=[3, 1, 0, 5, 4, 2]).astype(str), "other ids: .*row 0 has '3' where '03' belongs"),
    ],
)
def test_other_ids_are_refused(wrong: pd.DataFrame, said: str) -> None:
    with pytest.raises((AssertionError, pytest.fail.Exception), match=said):
        gates.test_ids_are_the_test_rows(wrong, SAMPLE, TEST_KEYS, TASK)


def test_without_a_sample_the_order_is_that_of_test() -> None:
    made = build_submission(TASK, None, TEST_KEYS, TEST, Decision("argmax"))
    gates.test_ids_are_the_test_rows(made, None, TEST_KEYS, TASK)
    with pytest.raises(pytest.fail.Exception, match="another order"):
        gates.test_ids_are_the_test_rows(SUBMISSION, None, TEST_KEYS, TASK)


@pytest.mark.parametrize("label", ["Yes", "1", "", "yes "])
def test_labels_that_train_does_not_spell_are_refused(label: str) -> None:
    with pytest.raises(AssertionError, match="not valid"):
        gates.test_submission_is_valid(SUBMISSION.assign(y=[label, *SUBMISSION["y"][1:]]), SAMPLE, TEST_KEYS, TASK)


def test_numbers_that_are_none_are_refused() -> None:
    task = regression()
    made = pd.DataFrame({"id": TEST_KEYS["id"], "y": ["1.0", "nan", "2", "3", "4", "5"]})
    with pytest.raises(AssertionError, match="not a finite number"):
        gates.test_submission_is_valid(made, None, TEST_KEYS, task)


def test_hard_labels_where_probabilities_are_asked_are_valid_but_not_the_predictions() -> None:
    task = dataclasses.replace(
        TASK, metric="auroc", needs="probabilities", submission=Submission(("id", "y"), "id", "probability")
    )
    hard = pd.DataFrame({"id": TEST_KEYS["id"], "y": ["0", "1", "0", "1", "0", "0"]})
    gates.test_submission_is_valid(hard, None, TEST_KEYS, task)
    with pytest.raises(AssertionError, match="cells of 'y' are not the predictions of their test rows"):
        gates.test_submission_holds_the_predictions(hard, None, TEST_KEYS, TEST, TRAINING, task)


def test_rows_of_others_are_refused() -> None:
    mixed = SUBMISSION.assign(y=SUBMISSION["y"].to_numpy()[::-1])
    with pytest.raises(AssertionError, match="are not the predictions of their test rows"):
        gates.test_submission_holds_the_predictions(mixed, SAMPLE, TEST_KEYS, TEST, TRAINING, TASK)


def test_all_alike_is_odd() -> None:
    with pytest.raises(AssertionError, match="All rows of 'y' hold the same value: 'no'"):
        gates.test_predictions_are_not_all_alike(SUBMISSION.assign(y="no"), TASK)
    gates.test_predictions_are_not_all_alike(SUBMISSION.iloc[:1], TASK)


def test_other_shares_than_trains_are_odd() -> None:
    with pytest.raises(AssertionError, match=r"yes 90% \(train 33%\)"):
        gates.test_predictions_look_like_the_labels(outputs(np.full(200, 0.9)), Y, TASK)


def test_another_mean_than_trains_is_odd() -> None:
    y = np.linspace(0, 10, N)
    gates.test_predictions_look_like_the_labels(np.full((6, 1), 6.0), y, regression())
    with pytest.raises(AssertionError, match="'y': 20 on average, 5 in train"):
        gates.test_predictions_look_like_the_labels(np.full((6, 1), 20.0), y, regression())


def test_runaway_numbers_are_odd() -> None:
    y = np.linspace(0, 10, N)
    gates.test_numbers_stay_within_reason(np.full((6, 1), 14.9), y, regression())
    with pytest.raises(AssertionError, match=r"1 predictions are far outside train's 0 to 10 \(row 2, up to 99\)"):
        gates.test_numbers_stay_within_reason(with_value(np.full((6, 1), 5.0), 2, 99), y, regression())
