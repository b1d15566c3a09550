import pytest

from autods.phases import get_phase
from autods.reasoners.base import DebugQuestion
from autods.reasoners.rules.debugging import blame
from autods.records import GiveUp, Plan, Step

CLIP = Step("clip", "far out", ("fare",), "detect_and_handle_outliers_iqr", {"factor": 20.0})
FILL = Step("fill", "few are missing", ("age",), "fill_missing_values", {"method": "median"})
FILL_OTHER = Step("fill", "few are missing", ("fare",), "fill_missing_values", {"method": "mean"})
SAY = Step("leave the rest", "on purpose", ("city",))
PLAN = Plan("cleaning", (CLIP, FILL, FILL_OTHER, SAY))


@pytest.fixture
def code(situation, write):
    return write(PLAN, situation())


def line_of(code, text):
    return next(number for number, line in enumerate(code.splitlines(), 1) if text in line)


@pytest.fixture
def debug(reasoner, situation):
    def ask(*tries, plan=PLAN):
        return reasoner.debug(DebugQuestion(get_phase("cleaning"), situation(), plan, tries))

    return ask


@pytest.mark.parametrize("text, culprit", [("iqr(", CLIP), ("['age']", FILL), ("['fare'], method", FILL_OTHER)])
def test_a_traceback_blames_the_step_of_its_line(attempt, code, text, culprit):
    message = f'File "code.py", line {line_of(code, text)}, in clean'
    assert blame(attempt(PLAN, code, status="error", stderr=message), list(PLAN.steps)) == culprit


def test_a_gate_blames_the_last_step_that_touches_the_column_it_names(attempt, code):
    tried = attempt(PLAN, code, failed=[("test_finite", "column 'fare': 3 rows are infinite")])
    assert blame(tried, list(PLAN.steps)) == FILL_OTHER


def test_a_failure_that_names_nothing_blames_the_last_step_with_a_tool(attempt, code):
    assert blame(attempt(PLAN, code, status="memory"), list(PLAN.steps)) == FILL_OTHER


def test_the_step_that_failed_is_left_out_and_the_rest_stays(debug, attempt, code):
    repaired = debug(attempt(PLAN, code, failed=[("test_probe", "column `age` is odd")]))
    assert "'age'" not in repaired
    assert "detect_and_handle_outliers_iqr" in repaired


def test_each_further_failure_leaves_out_one_step_more(debug, attempt, code):
    failed = attempt(PLAN, code, status="error")
    assert debug(failed, failed).count("train, test = ") == 1
    assert debug(failed, failed, failed).count("train, test = ") == 0


def test_when_nothing_is_left_to_leave_out_rules_give_up(debug, attempt, code):
    failed = attempt(PLAN, code, status="error", message="KeyError: 'x'")
    answer = debug(*[failed] * 4)
    assert isinstance(answer, GiveUp)
    assert "KeyError: 'x'" in answer.reason


def test_a_plan_without_tools_cannot_be_debugged(debug, attempt):
    bare = Plan("cleaning", (SAY,))
    assert isinstance(debug(attempt(bare, status="error"), plan=bare), GiveUp)


def test_code_that_would_come_out_the_same_is_not_tried_again(debug, attempt, code):
    failed = attempt(PLAN, code, status="error")
    once = debug(failed)
    answer = debug(attempt(PLAN, once, status="error"))
    assert isinstance(answer, GiveUp)
