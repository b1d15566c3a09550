import numpy as np
import pytest

from autods.agents.baseline import baseline, fix_folds
from autods.agents.situation import folds_of
from autods.agents.submitting import submit_constant


class Runtime:
    def __init__(self, context):
        self.context = context


@pytest.fixture
def state(bench, before):
    return {"solution": before(bench(), "preliminary_eda").key}


def test_the_folds_of_a_run_are_fixed_once(bench, before):
    context = bench(seed=5)
    kept, n_folds = context.workspace.folds.read_bytes(), len(context.journal.events("folds"))
    fix_folds({"solution": before(context, "cleaning").key}, Runtime(context))
    assert context.workspace.folds.read_bytes() == kept
    assert len(context.journal.events("folds")) == n_folds


def test_every_labelled_row_is_held_out_once(bench):
    context = bench()
    held_out = np.concatenate([valid for _, valid in folds_of(context).splits])
    assert sorted(held_out) == list(range(len(context.competition.y)))


def test_a_rule_sets_the_number_of_folds(bench, before):
    context = bench(rules={"n_splits": 3})
    context.workspace.folds.unlink()
    fix_folds({"solution": before(context, "cleaning").key}, Runtime(context))
    assert folds_of(context).n_splits == 3


def test_the_constant_is_submitted_before_anything_is_fitted(bench):
    submit_constant(bench())
    assert [event["text"] for event in bench.told if event["event"] == "submission"] == ["best constant"]


def test_the_plain_lightgbm_waits_for_a_budget_with_time_left(bench, state):
    baseline(state, Runtime(bench(budget_s=10, elapsed_s=9.9)))
    assert [event for event in bench.told if event["event"] == "submission"] == []


def test_the_first_submissions_are_kept_beside_the_final_one(bench):
    folder = bench().workspace.work / "baseline"
    constant = (folder / "constant.csv").read_text().splitlines()
    assert len({line.split(",")[1] for line in constant[1:]}) == 1
    assert (folder / "lightgbm.csv").exists()
