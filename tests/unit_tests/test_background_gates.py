"""Each gate of the background fails on a minimal wrong brief and lets legitimate odd competitions pass."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

from autods.records import Fact, LongIds, Submission, Task
from autods.unit_tests import test_background as gates
from autods.unit_tests.artifacts import Pair

FACTS = {name: Fact("v", "the sample says so", 0.9) for name in ("targets", "kind", "metric", "submission")}
TASK = Task(
    "t",
    "binary",
    ("y",),
    "accuracy",
    True,
    "labels",
    Submission(("id", "y"), "id", "labels"),
    ("no", "yes"),
    "id",
    facts=FACTS,
)
RAW = Pair(pd.DataFrame({"x": [1.0, 2.0, 3.0]}), pd.DataFrame({"x": [4.0, 5.0]}))
TARGET = pd.DataFrame({"y": ["no", "yes", "no"]})
Y = np.array([0, 1, 0])
KEYS = pd.DataFrame({"id": ["1", "2", "3"]})
TEST_KEYS = pd.DataFrame({"id": ["07", "08"]})
SAMPLE = pd.DataFrame({"id": ["08", "07"], "y": ["no", "no"]})


def task(**changes: object) -> Task:
    return dataclasses.replace(TASK, **changes)  # type: ignore[arg-type]


def test_a_right_brief_passes() -> None:
    gates.test_target_is_present(TASK, TARGET, RAW)
    gates.test_labels_are_in_order(TASK, Y, RAW)
    gates.test_there_is_something_to_learn(TASK, Y)
    gates.test_named_columns_exist(TASK, KEYS, TEST_KEYS, RAW)
    gates.test_features_are_common(RAW)
    gates.test_ids_match_the_sample(TASK, SAMPLE, TEST_KEYS)
    gates.test_sample_has_the_tasks_header(TASK, SAMPLE)
    gates.test_sample_and_test_ask_for_the_same_rows(TASK, SAMPLE, TEST_KEYS)
    gates.test_metric_is_known_and_fits(TASK)
    gates.test_metric_has_its_usual_direction(TASK)
    gates.test_facts_have_evidence(TASK)
    gates.test_facts_are_sure(TASK)
    gates.test_ids_are_unique(TASK, KEYS, TEST_KEYS)
    gates.test_classes_are_balanced_enough(TASK, Y)


# --- the target ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("changed", "target", "raw", "said"),
    [
        (task(targets=()), TARGET, RAW, "names no target"),
        (task(targets=("z",)), TARGET, RAW, "'z' are not in train"),
        (TASK, TARGET.iloc[1:], RAW, "2 labels for 3 rows"),
        (TASK, TARGET.assign(y=["no", None, "no"]), RAW, "missing in 1 labelled rows"),
        (TASK, TARGET, Pair(RAW.train.assign(y=0), RAW.test), "among the features of train"),
    ],
)
def test_a_wrong_target_is_refused(changed: Task, target: pd.DataFrame, raw: Pair, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        gates.test_target_is_present(changed, target, raw)


@pytest.mark.parametrize(
    ("changed", "y", "said"),
    [
        (TASK, Y[1:], "2 labels for 3 rows"),
        (task(kind="regression", classes=()), np.array([1.0, np.nan, 2.0]), "1 labels are missing or infinite"),
        (TASK, np.array([0, 2, 0]), "codes 2"),
        (task(classes=("no", "no")), Y, "Classes are listed twice"),
        (task(classes=("no", "yes", "so")), Y, "A binary task has two classes, not 3"),
        (
            task(kind="multi_regression", targets=("a", "b"), classes=()),
            np.ones((3, 3)),
            "3 columns of labels for 2 targets",
        ),
    ],
)
def test_labels_that_do_not_fit_the_task_are_refused(changed: Task, y: np.ndarray, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        gates.test_labels_are_in_order(changed, y, RAW)


def test_a_class_without_rows_and_several_targets_pass() -> None:
    gates.test_labels_are_in_order(task(kind="multiclass", classes=("no", "yes", "so")), Y, RAW)
    several = task(kind="multilabel", targets=("a", "b"), classes=())
    gates.test_labels_are_in_order(several, np.array([[0, 1], [1, 1], [0, 1]]), RAW)


def test_one_label_in_all_rows_is_odd() -> None:
    with pytest.raises(AssertionError, match="All rows of train have the same 'y'"):
        gates.test_there_is_something_to_learn(TASK, np.zeros(3, int))


def test_labels_named_like_missing_values_are_present() -> None:
    gates.test_target_is_present(TASK, TARGET.assign(y=["NA", "None", "nan"]), RAW)


# --- columns and ids -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("changed", "keys", "test_keys", "said"),
    [
        (task(id_column="nr"), KEYS, TEST_KEYS, "id column 'nr' is not in test"),
        (task(group_column="user"), KEYS, TEST_KEYS, "group column 'user' is not in train"),
        (task(time_column="day"), KEYS.assign(day="1"), TEST_KEYS, "time column 'day' is not in test"),
        (TASK, KEYS.iloc[1:], TEST_KEYS, "2 keys for 3 rows of train"),
    ],
)
def test_columns_that_are_not_there_are_refused(
    changed: Task, keys: pd.DataFrame, test_keys: pd.DataFrame, said: str
) -> None:
    with pytest.raises(AssertionError, match=said):
        gates.test_named_columns_exist(changed, keys, test_keys, RAW)


def test_a_train_without_ids_passes() -> None:
    gates.test_named_columns_exist(TASK, KEYS[[]], TEST_KEYS, RAW)


def test_a_group_that_is_a_feature_is_there() -> None:
    gates.test_named_columns_exist(task(group_column="x"), KEYS, TEST_KEYS, RAW)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (Pair(RAW.train[[]], RAW.test[[]]), "no feature in common"),
        (Pair(RAW.train, RAW.test.rename(columns={"x": "z"})), "features of train and test differ"),
        (Pair(RAW.train.iloc[:0], RAW.test), "no labelled row"),
        (Pair(RAW.train, RAW.test.iloc[:0]), "Test has no row"),
    ],
)
def test_frames_that_cannot_be_predicted_from_are_refused(raw: Pair, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        gates.test_features_are_common(raw)


def test_the_wrong_id_column_is_refused() -> None:
    with pytest.raises(
        AssertionError, match="2 of the 2 ids that the sample asks for are not in test: '08', '07'; correct `id:`"
    ):
        gates.test_ids_match_the_sample(TASK, SAMPLE, pd.DataFrame({"id": ["a", "b", "c"]}))


def test_other_ids_for_as_many_rows_are_odd() -> None:
    others = pd.DataFrame({"id": ["a", "b"]})
    gates.test_ids_match_the_sample(TASK, SAMPLE, others)
    with pytest.raises(AssertionError, match="asks for 2 ids that test does not have"):
        gates.test_sample_and_test_ask_for_the_same_rows(TASK, SAMPLE, others)


@pytest.mark.parametrize(
    ("sample", "keys", "said"),
    [
        (["08", "07", "99"], ["07", "08"], "asks for 1 ids that test does not have: '99'"),
        (["08"], ["07", "08"], "Test has 1 ids that the sample does not ask for: '07'"),
        (["07", "08"], ["07", "07", "08"], r"repeated a different number of times in sample \(2 rows\) and test \(3\)"),
    ],
)
def test_a_few_ids_on_one_side_are_odd(sample: list[str], keys: list[str], said: str) -> None:
    asked, there = pd.DataFrame({"id": sample, "y": "no"}), pd.DataFrame({"id": keys})
    gates.test_ids_match_the_sample(TASK, asked, there)
    with pytest.raises(AssertionError, match=said):
        gates.test_sample_and_test_ask_for_the_same_rows(TASK, asked, there)


def test_ids_that_agree_as_numbers_match() -> None:
    gates.test_ids_match_the_sample(TASK, SAMPLE.assign(id=["8", "7"]), TEST_KEYS)


def test_long_ids_match() -> None:
    long = Submission(("id", "value"), "id", "values", long_ids=LongIds("_", "row_target"))
    changed = task(kind="multi_regression", targets=("a", "b"), classes=(), submission=long)
    sample = pd.DataFrame({"id": ["07_a", "07_b", "08_a", "08_b"], "value": "0"})
    gates.test_ids_match_the_sample(changed, sample, TEST_KEYS)
    gates.test_sample_and_test_ask_for_the_same_rows(changed, sample, TEST_KEYS)


@pytest.mark.parametrize("changed", [TASK, task(submission=Submission(("y",), None, "labels"), id_column=None)])
def test_without_sample_or_ids_there_is_nothing_to_match(changed: Task) -> None:
    with pytest.raises(pytest.skip.Exception):
        gates.test_ids_match_the_sample(changed, None if changed is TASK else SAMPLE[["y"]], TEST_KEYS)


def test_another_header_is_refused() -> None:
    with pytest.raises(AssertionError, match="The sample's header is 'id', 'z', the task says 'id', 'y'"):
        gates.test_sample_has_the_tasks_header(TASK, SAMPLE.rename(columns={"y": "z"}))


def test_repeated_ids_are_odd() -> None:
    with pytest.raises(AssertionError, match=r"1 rows of train repeat an id of 'id' \('1'\)"):
        gates.test_ids_are_unique(TASK, KEYS.assign(id=["1", "1", "3"]), TEST_KEYS)


# --- metric and facts ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (task(metric="acuracy"), "'acuracy' cannot be used"),
        (
            task(metric="rmse", greater_is_better=False, needs="values"),
            "rmse scores 'regression', 'multi_regression', not binary",
        ),
        (task(metric="own", custom_metric="/no/such/metric.py"), "'own' cannot be used"),
    ],
)
def test_a_metric_that_does_not_fit_is_refused(changed: Task, said: str) -> None:
    with pytest.raises((AssertionError, pytest.fail.Exception), match=said):
        gates.test_metric_is_known_and_fits(changed)


def test_a_metric_in_the_wrong_direction_is_odd() -> None:
    with pytest.raises(AssertionError, match="says that smaller accuracy is better; usually"):
        gates.test_metric_has_its_usual_direction(task(greater_is_better=False))


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({}, "no facts about 'targets', 'kind'"),
        (FACTS | {"kind": Fact("binary", " ", 0.9)}, "kind = 'binary' has no evidence"),
        (FACTS | {"kind": Fact("binary", "two values", 1.2)}, "confidence of kind is 1.2"),
    ],
)
def test_facts_without_evidence_are_refused(facts: dict[str, Fact], said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        gates.test_facts_have_evidence(task(facts=facts))


def test_guesses_are_odd() -> None:
    with pytest.raises(AssertionError, match=r"kind = ordinal \(30%: few values\)"):
        gates.test_facts_are_sure(task(facts=FACTS | {"kind": Fact("ordinal", "few values", 0.3)}))


def test_a_rare_class_is_odd() -> None:
    with pytest.raises(AssertionError, match=r"Classes are rare: yes \(1 %\)"):
        gates.test_classes_are_balanced_enough(TASK, np.r_[np.zeros(99, int), 1])
