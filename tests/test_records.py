import dataclasses
import json

import numpy as np
import pytest

from autods import records
from autods.records import (
    Decision,
    ExecutionResult,
    GateCheck,
    GateReport,
    Plan,
    Score,
    Step,
    Submission,
    Task,
    from_json,
    json_ready,
    to_json,
)

TASK = Task(
    "t", "binary", ("y",), "auroc", True, "probabilities", Submission(("id", "y"), "id", "probability", "1"), ("0", "1")
)


@pytest.mark.parametrize(
    "record",
    [
        TASK,
        Plan("cleaning", (Step("drop", "constant", ("a",), "drop_columns"),)),
        Decision("threshold", (0.4,)),
        Score(0.5, 0.1, (0.4, 0.6), "auroc", True),
    ],
    ids=lambda record: type(record).__name__,
)
def test_records_come_back_from_json_equal(record):
    assert from_json(type(record), to_json(record)) == record


def test_json_is_strict_where_numbers_are_not_finite():
    text = to_json({"a": float("nan"), "b": [np.inf, np.float64(1.5)], "c": np.int64(3), "d": np.array([1, 2])})
    assert json.loads(text, parse_constant=pytest.fail) == {"a": None, "b": [None, 1.5], "c": 3, "d": [1, 2]}


def test_json_ready_writes_what_it_does_not_know_as_text():
    assert json_ready({1: {"x"}, "p": complex(1, 2)}) == {"1": ["x"], "p": "(1+2j)"}


@pytest.mark.parametrize(("greater", "better"), [(True, False), (False, True)])
def test_a_score_compares_in_its_metric_s_direction(greater, better):
    low, high = (Score(value, 0.0, (), "m", greater) for value in (0.1, 0.2))
    assert low.better_than(high) is better


@pytest.mark.parametrize(
    ("outcomes", "passed"),
    [([], False), (["passed", "warned"], True), (["passed", "failed"], False), (["skipped"], True)],
)
def test_a_gate_report_passes_when_something_ran_and_nothing_failed(outcomes, passed):
    assert GateReport("cleaning", tuple(GateCheck("g", "p", outcome) for outcome in outcomes)).passed is passed


@pytest.mark.parametrize(
    ("kind", "classes", "targets", "outputs"),
    [
        ("binary", ("0", "1"), ("y",), 2),
        ("multilabel", (), ("a", "b"), 2),
        ("multi_regression", (), ("a", "b", "c"), 3),
    ],
)
def test_the_columns_of_a_prediction_array_follow_the_kind(kind, classes, targets, outputs):
    assert dataclasses.replace(TASK, kind=kind, classes=classes, targets=targets).n_outputs == outputs


def test_an_execution_is_ok_only_when_it_ended_well():
    assert ExecutionResult("ok", 0, "", "", 0.1, 10.0).ok
    assert not ExecutionResult("no_result", 0, "", "", 0.1, 10.0).ok


def test_all_names_are_sorted_and_exist():
    assert [name for name in records.__all__ if not hasattr(records, name)] == []
    capitals = [name for name in records.__all__ if name[0].isupper()]
    assert capitals == sorted(capitals)
