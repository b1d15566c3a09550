from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from autods.competition.submission import (
    align_rows,
    build_submission,
    score_submission,
    validate_submission,
    write_submission,
)
from autods.errors import UserError
from autods.records import Decision, LongIds, Submission, Task

KEYS = pd.DataFrame({"id": ["001", "1e5", "9007199254740993"]})
PAIR = np.array([[0.9, 0.1], [0.3, 0.7], [0.5, 0.5]])
THREE = np.array([[0.7, 0.2, 0.1], [0.1, 0.3, 0.6], [0.3, 0.4, 0.3]])
NONE = Decision("none")


def task(kind="binary", metric="accuracy", needs="labels", shape=None, classes=("no", "yes"), targets=("y",), **more):
    shape = shape or Submission(("id", "y"), "id", "labels")
    greater = metric not in ("rmse", "rmsle", "log_loss", "mcrmse", "rmse_log")
    return Task(
        "t", kind, targets, metric, greater, needs, shape, classes, id_column=more.pop("id_column", "id"), **more
    )


def values(metric="rmse", **shape):
    columns = shape.pop("columns", ("id", "y"))
    return task("regression", metric, "values", Submission(columns, "id", "values", **shape), ())


# --- forms -----------------------------------------------------------------------------------------------------------
def test_labels_are_spelled_as_in_train_and_ids_as_in_the_test():
    frame = build_submission(task(), None, KEYS, PAIR, Decision("threshold", (0.5,)))
    assert frame.to_dict("list") == {"id": ["001", "1e5", "9007199254740993"], "y": ["no", "yes", "yes"]}


def test_a_probability_is_of_the_positive_class():
    shape = Submission(("id", "y"), "id", "probability", positive_class="no")
    frame = build_submission(task(metric="auroc", needs="probabilities", shape=shape), None, KEYS, PAIR, NONE)
    assert frame["y"].tolist() == [0.9, 0.3, 0.5]


def test_class_columns_come_in_the_samples_order():
    shape = Submission(("c", "id", "a", "b"), "id", "class_probabilities", column_classes=("c", "a", "b"))
    asked = task("multiclass", "log_loss", "probabilities", shape, ("a", "b", "c"))
    frame = build_submission(asked, None, KEYS, THREE, NONE)
    assert list(frame.columns) == ["c", "id", "a", "b"]
    assert frame.iloc[0].tolist() == [0.1, "001", 0.7, 0.2]
    assert validate_submission(frame, asked, None, KEYS) == ()


def test_targets_are_matched_to_columns_by_name_else_by_position():
    outputs = np.array([[1.0, 2.0]])
    keys = KEYS[:1]
    named = task("multi_regression", "mcrmse", "values", Submission(("id", "b", "a"), "id", "values"), (), ("a", "b"))
    placed = task("multi_regression", "mcrmse", "values", Submission(("id", "p", "q"), "id", "values"), (), ("a", "b"))
    assert build_submission(named, None, keys, outputs, NONE).iloc[0].tolist() == ["001", 2.0, 1.0]
    assert build_submission(placed, None, keys, outputs, NONE).iloc[0].tolist() == ["001", 1.0, 2.0]


def test_integers_in_the_sample_round_nothing_unless_the_metric_wants_labels():
    outputs = np.array([[1.5], [2.25], [3.0]])
    frame = build_submission(values(integer_values=True), None, KEYS, outputs, NONE)
    assert frame["y"].tolist() == [1.5, 2.25, 3.0]


def test_labels_of_a_multilabel_task_are_zeros_and_ones():
    shape = Submission(("id", "a", "b"), "id", "values", integer_values=True)
    asked = task("multilabel", "f1_macro", "labels", shape, (), ("a", "b"))
    frame = build_submission(asked, None, KEYS, np.array([[0.2, 0.9], [0.6, 0.1], [0.5, 0.5]]), NONE)
    assert frame[["a", "b"]].to_numpy().tolist() == [[0, 1], [1, 0], [1, 1]]


def test_map_at_k_lists_the_most_probable_labels():
    asked = task("multiclass", "map@2", "probabilities", classes=("a", "b", "c"))
    frame = build_submission(asked, None, KEYS, THREE, NONE)
    assert frame["y"].tolist() == ["a b", "c b", "b a"]
    assert validate_submission(frame, asked, None, KEYS) == ()


def test_a_value_below_the_metrics_domain_is_lifted_to_it():
    outputs = np.array([[-3.0], [1.0], [0.0]])
    assert build_submission(values("rmsle"), None, KEYS, outputs, NONE)["y"].tolist() == [0.0, 1.0, 0.0]
    assert build_submission(values("rmse_log"), None, KEYS, outputs, NONE)["y"].min() > 0


# --- rows ------------------------------------------------------------------------------------------------------------
def test_rows_come_in_the_samples_order():
    sample = pd.DataFrame({"id": ["1e5", "9007199254740993", "001"], "y": ["0"] * 3})
    frame = build_submission(values(), sample, KEYS, np.array([[1.0], [2.0], [3.0]]), NONE)
    assert frame.to_dict("list") == {"id": ["1e5", "9007199254740993", "001"], "y": [2.0, 3.0, 1.0]}


def test_repeated_ids_keep_their_turn():
    sample, keys = pd.DataFrame({"id": ["a", "b", "a"]}), pd.DataFrame({"id": ["b", "a", "a"]})
    assert align_rows(values(), sample, keys).tolist() == [1, 0, 2]


def test_ids_that_agree_only_as_numbers_are_matched_and_spelled_as_in_the_sample():
    sample, keys = pd.DataFrame({"id": ["2.0", "1.0"]}), pd.DataFrame({"id": ["1", "2"]})
    frame = build_submission(values(), sample, keys, np.array([[1.0], [2.0]]), NONE)
    assert frame.to_dict("list") == {"id": ["2.0", "1.0"], "y": [2.0, 1.0]}


def test_an_id_that_the_test_lacks_gets_the_mean_prediction():
    sample, keys = pd.DataFrame({"id": ["a", "z"]}), pd.DataFrame({"id": ["a", "b"]})
    frame = build_submission(values(), sample, keys, np.array([[1.0], [3.0]]), NONE)
    assert frame["y"].tolist() == [1.0, 2.0]


def test_ids_that_have_nothing_in_common_are_aligned_by_position():
    sample, keys = pd.DataFrame({"id": ["0", "1"]}), pd.DataFrame({"id": ["x", "y"]})
    assert align_rows(values(), sample, keys).tolist() == [0, 1]


def test_without_sample_and_without_id_rows_are_numbered():
    frame = build_submission(values(), None, pd.DataFrame(index=range(2)), np.array([[1.0], [3.0]]), NONE)
    assert frame["id"].tolist() == ["0", "1"]


def test_a_sample_without_id_column_is_filled_by_position():
    asked = task("regression", "rmse", "values", Submission(("y",), None, "values"), (), id_column=None)
    frame = build_submission(asked, pd.DataFrame({"y": ["0", "0", "0"]}), KEYS, np.array([[1.0], [2.0], [3.0]]), NONE)
    assert frame.to_dict("list") == {"y": [1.0, 2.0, 3.0]}
    assert validate_submission(frame, asked, None, KEYS) == ()


# --- long ids --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("order", "ids", "expected"),
    [
        ("row_target", ["1_a", "1_b", "2_a", "2_b"], [1.0, 2.0, 3.0, 4.0]),
        ("target_row", ["1_a", "2_a", "1_b", "2_b"], [1.0, 3.0, 2.0, 4.0]),
    ],
)
def test_long_ids_have_a_row_for_each_row_and_target(order, ids, expected):
    asked = long_task(order)
    frame = build_submission(asked, None, pd.DataFrame({"id": ["1", "2"]}), np.array([[1.0, 2.0], [3.0, 4.0]]), NONE)
    assert frame.to_dict("list") == {"row_id": ids, "value": expected}


def test_a_long_sample_decides_the_order():
    sample = pd.DataFrame({"row_id": ["2_b", "1_a", "2_a", "1_b"], "value": ["0"] * 4})
    keys, outputs = pd.DataFrame({"id": ["1", "2"]}), np.array([[1.0, 2.0], [3.0, 4.0]])
    frame = build_submission(long_task(), sample, keys, outputs, NONE)
    assert frame["value"].tolist() == [4.0, 1.0, 3.0, 2.0]
    assert validate_submission(frame, long_task(), sample, keys) == ()


def long_task(order="row_target"):
    shape = Submission(("row_id", "value"), "row_id", "values", long_ids=LongIds("_", order))
    return task("multi_regression", "mcrmse", "values", shape, (), ("a", "b"))


# --- what a site would refuse ----------------------------------------------------------------------------------------
GOOD = pd.DataFrame({"id": KEYS["id"], "y": [0.1, 0.2, 0.3]})


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda f: f[["y", "id"]], "the columns are ['y', 'id']"),
        (lambda f: f[:2], "there are 2 rows; there must be 3"),
        (lambda f: f.assign(id=["001", "1e5", "8"]), "1 id that nobody asked for: ['8']"),
        (lambda f: f.assign(id=["1", "1e5", "9007199254740993"]), "1 id missing: ['001']"),
        (lambda f: f.iloc[[1, 0, 2]], "row 0 has id '1e5' where '001' belongs"),
        (lambda f: f.assign(y=[0.1, np.nan, 0.2]), "1 value not a finite number, first in row 1"),
        (lambda f: f.assign(y=["0.1", "high", "0.2"]), "first in row 1 ('high')"),
        (lambda f: f.assign(y=[0.1, np.inf, 0.2]), "not a finite number"),
        (lambda f: f.assign(y=[0.1, 1.2, -0.2]), "2 values outside 0 to 1, first in row 1 (1.2)"),
    ],
)
def test_each_problem_is_named(spoil, problem):
    asked = task(metric="auroc", needs="probabilities", shape=Submission(("id", "y"), "id", "probability"))
    assert validate_submission(GOOD, asked, None, KEYS) == ()
    problems = " | ".join(validate_submission(spoil(GOOD), asked, None, KEYS))
    assert problem in problems


def test_unknown_and_missing_labels_are_named():
    frame = pd.DataFrame({"id": KEYS["id"], "y": ["yes", "maybe", None]})
    problems = validate_submission(frame, task(), None, KEYS)
    assert problems == (
        "column 'y': 1 label missing, first in row 2",
        "column 'y': labels that train does not have: ['maybe']; known are ['no', 'yes']",
    )


def test_a_value_without_a_score_and_a_row_without_a_probability_are_named():
    low = GOOD.assign(y=[1.0, -2.0, 3.0])
    assert "1 value below 0, which rmsle has no score for" in validate_submission(low, values("rmsle"), None, KEYS)[0]
    shape = Submission(("id", "a", "b"), "id", "class_probabilities", column_classes=("a", "b"))
    empty = pd.DataFrame({"id": KEYS["id"], "a": [0.0, 0.5, 1.0], "b": [0.0, 0.5, 0.0]})
    asked = task("multiclass", "log_loss", "probabilities", shape, ("a", "b"))
    assert "1 row without any probability, first row 0" in validate_submission(empty, asked, None, KEYS)[0]


# --- the file --------------------------------------------------------------------------------------------------------
def test_the_file_is_plain_utf8_with_quotes_only_where_needed(tmp_path):
    frame = pd.DataFrame({"id": ["1,5", "é"], "y": [0.1 + 0.2, 1e-20]})
    write_submission(frame, tmp_path / "submission.csv")
    expected = 'id,y\n"1,5",0.30000000000000004\né,1e-20\n'
    assert (tmp_path / "submission.csv").read_bytes() == expected.encode()
    assert [path.name for path in tmp_path.iterdir()] == ["submission.csv"]


# --- the hidden answers ----------------------------------------------------------------------------------------------
def _files(tmp_path, submission, answers):
    submission.to_csv(tmp_path / "s.csv", index=False)
    answers.to_csv(tmp_path / "a.csv", index=False)
    return tmp_path / "s.csv", tmp_path / "a.csv"


def test_answers_are_matched_by_id_in_any_order(tmp_path):
    answers = pd.DataFrame({"id": ["9007199254740993", "001", "1e5"], "y": ["yes", "no", "no"]})
    frame = build_submission(task(), None, KEYS, PAIR, Decision("threshold", (0.5,)))
    assert score_submission(task(), *_files(tmp_path, frame, answers)) == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("asked", "outputs", "answers", "score"),
    [
        (task(metric="auroc", needs="probabilities", shape=Submission(("id", "y"), "id", "probability", "no")),
         PAIR, {"y": ["no", "yes", "no"]}, 1.0),
        (task("multiclass", "log_loss", "probabilities", Submission(
            ("id", "c", "a", "b"), "id", "class_probabilities", column_classes=("c", "a", "b")), ("a", "b", "c")),
         THREE, {"y": ["a", "c", "b"]}, -np.log([0.7, 0.6, 0.4]).mean()),
        (task("multiclass", "map@2", "probabilities", classes=("a", "b", "c")), THREE, {"y": ["a", "b", "c"]}, 0.5),
        (values("rmse"), np.array([[1.0], [2.0], [3.0]]), {"y": [1, 2, 6]}, np.sqrt(3.0)),
        (task("multilabel", "accuracy", "labels", Submission(("id", "a", "b"), "id", "values"), (), ("a", "b")),
         np.array([[0.9, 0.1], [0.1, 0.1], [0.9, 0.9]]), {"a": [1, 0, 1], "b": [0, 1, 1]}, 2 / 3),
        (long_task(), np.array([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]]), {"a": [1, 1, 1], "b": [2, 2, 2]}, 1.0),
    ],
)  # fmt: skip
def test_every_form_is_scored(asked, outputs, answers, score, tmp_path):
    frame = build_submission(asked, None, KEYS, outputs, NONE)
    truth = pd.DataFrame({"id": KEYS["id"], **answers})
    assert score_submission(asked, *_files(tmp_path, frame, truth)) == pytest.approx(score)


def test_answers_of_a_long_submission_may_be_long_too(tmp_path):
    frame = pd.DataFrame({"row_id": ["1_a", "1_b"], "value": [1.0, 2.0]})
    asked = task("multi_regression", "rmse", "values", long_task().submission, (), ("a", "b"))
    assert score_submission(asked, *_files(tmp_path, frame, frame[::-1].assign(value=[2.0, 3.0]))) == pytest.approx(
        2**0.5
    )


def test_an_invalid_submission_is_refused_in_one_sentence(tmp_path):
    frame, answers = pd.DataFrame({"id": ["1"], "y": ["yes"]}), pd.DataFrame({"id": ["2"], "y": ["no"]})
    with pytest.raises(UserError, match=r"s.csv is not a valid submission: column 'id': 1 id that nobody asked for"):
        score_submission(task(), *_files(tmp_path, frame, answers))
    with pytest.raises(UserError, match="has no column 'y'"):
        score_submission(task(), *_files(tmp_path, frame, answers[["id"]]))
    with pytest.raises(UserError, match="cannot be read"):
        score_submission(task(), tmp_path / "none.csv", tmp_path / "a.csv")
