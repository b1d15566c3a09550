import pytest

from autods.agents.attempts import accept, load_attempt, load_solution, new_attempt, update_attempt
from autods.phases import get_phase
from autods.records import Plan, Score, Solution, Step

PHASE, PLAN = get_phase("cleaning"), Plan("cleaning", (Step("do", "a reason"),))
ROOT = Solution("", None, {})


@pytest.fixture
def attempt(bench):
    def make(context=None, parent=ROOT, code="pass", plan=PLAN):
        return new_attempt(context or bench(), PHASE, parent, plan, code, iteration=1, number=1)

    return make


def test_an_attempt_keeps_its_code_and_record(bench, attempt):
    context = bench()
    made = attempt(context)
    assert (context.workspace.path(made.folder) / "code.py").read_text() == "pass"
    assert load_attempt(context, made.folder) == made


def test_what_is_known_of_an_attempt_is_saved_at_once(bench, attempt):
    context = bench()
    made = attempt(context)
    update_attempt(context, made.folder, note="seen")
    assert load_attempt(context, made.folder).note == "seen"


def test_the_same_attempt_is_returned_as_it_stands(bench, attempt):
    context = bench()
    made = attempt(context)
    update_attempt(context, made.folder, note="seen")
    assert attempt(context).note == "seen"


@pytest.mark.parametrize(
    "change",
    [{"code": "pass  # other"}, {"plan": None}, {"parent": Solution("k", None, {"background": "elsewhere"})}],
)
def test_whatever_decides_the_outcome_names_another_attempt(attempt, change):
    assert attempt(**change).key != attempt().key


@pytest.mark.parametrize("settings", [{"seed": 1}, {"effort": "thorough"}, {"rules": {"z_threshold": 3}}])
def test_settings_that_decide_the_outcome_name_another_attempt(bench, attempt, settings):
    assert attempt(bench(**settings)).key != attempt(bench()).key


def test_settings_that_do_not_decide_the_outcome_name_the_same(bench, attempt):
    assert attempt(bench(budget_s=60, n_jobs=1)).key == attempt(bench()).key


def test_the_empty_key_is_the_root(bench):
    assert load_solution(bench(), "") == ROOT


def test_accepting_grows_the_tree_by_a_child_with_the_attempts_score(bench, attempt):
    context, score = bench(), Score(0.8, 0.1, (), "accuracy", True)
    made = update_attempt(context, attempt(context).folder, probe=score)
    child = accept(context, ROOT, made)
    assert load_solution(context, child.key) == child
    assert (child.parent, child.score, dict(child.attempts)) == (None, score, {"cleaning": made.folder})
    assert context.journal.events("accepted")[-1]["solution"] == child.key
