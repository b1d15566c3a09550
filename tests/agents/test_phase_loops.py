"""The two loops of a phase, debugging and reviewing, with a reasoner that answers as each test says."""

import pytest

from autods.agents.attempts import load_attempt
from autods.agents.fallback import PhaseFailed
from autods.graph import run_phase
from autods.phases import get_phase
from autods.records import GiveUp, Intent, Plan, Review, Step, Summary

RAISES = 'def explore(train):\n    raise KeyError("no such column")\n'
RAISES_OTHERWISE = 'def explore(train):\n    raise ValueError("too few rows")\n'
EXPLORES = "def explore(train):\n    return []\n"
EXPLORES_TOO = '"""Again."""\n\n\ndef explore(train):\n    return []\n'
LOSES_X = 'def clean(train, test):\n    return train.assign(x=float("nan")), test.assign(x=float("nan"))\n'
CLEANS = "def clean(train, test):\n    return train, test\n"
BARE = Plan("deep_eda", (Step("look", "a reason"),))
NO, YES = Review(False, {"planner": 2.0}, (), ("look closer",)), Review(True, {"planner": 5.0})


@pytest.fixture
def explore(bench, before, scripted):
    """Try the deep EDA with scripted answers; give the accepted attempt and the run's context."""

    def attempt(phase="deep_eda", gates="off", elapsed_s=0.0, settings=None, **answers):
        reasoner = scripted(**({"plan": [BARE]} | answers))
        context = bench(reasoner, gates=gates, elapsed_s=elapsed_s, **(settings or {}))
        solution = run_phase(context, before(context, phase), get_phase(phase))
        return load_attempt(context, solution.attempts[phase]), context

    return attempt


def asked(context, name):
    return [question for kind, question in context.reasoner.asked if kind == name]


def new_events(context, name):
    """The events since the copied run was finished."""
    events = context.journal.events()
    begun = max(number for number, event in enumerate(events) if event["event"] == "finished")
    return [event for event in events[begun:] if event["event"] == name]


def test_code_that_works_is_reviewed_and_accepted_at_once(explore):
    attempt, context = explore(write=[EXPLORES])
    assert (attempt.iteration, attempt.number, attempt.fallback) == (1, 1, False)
    assert [kind for kind, _ in context.reasoner.asked] == ["plan", "write", "review", "summarize"]


def test_code_that_fails_is_debugged_with_what_went_wrong(explore):
    attempt, context = explore(write=[RAISES], debug=[EXPLORES])
    assert attempt.number == 2
    (question,) = asked(context, "debug")
    assert "no such column" in question.tries[-1].execution.message
    assert question.tries[-1].code == RAISES


def test_a_gate_that_fails_is_debugged_with_its_message(explore):
    plan = Plan("cleaning", (Step("leave age as it is", "a reason"),), Intent(keep_missing=("age",)))
    attempt, context = explore("cleaning", gates="on", plan=[plan], write=[LOSES_X], debug=[CLEANS])
    (question,) = asked(context, "debug")
    assert any("'x'" in check.message for check in question.tries[0].gates.failures)
    assert (attempt.number, attempt.gates.passed, attempt.fallback) == (2, True, False)


def test_debugging_ends_after_as_many_tries_as_are_set(explore):
    attempt, context = explore(write=[RAISES], debug=[RAISES_OTHERWISE, RAISES], settings={"debug_attempts": 1})
    assert len(asked(context, "debug")) == 1
    assert attempt.fallback


def test_after_alike_failures_the_code_is_written_afresh(explore):
    again = [RAISES + f"# {number}\n" for number in range(2)]
    settings = {"regenerate_after": 3, "debug_attempts": 3}
    _, context = explore(write=[RAISES], debug=[*again, EXPLORES], settings=settings)
    assert [question.afresh for question in asked(context, "debug")] == [False, False, True]


def test_unlike_failures_are_not_written_afresh(explore):
    settings = {"regenerate_after": 2, "debug_attempts": 3}
    _, context = explore(write=[RAISES], debug=[RAISES_OTHERWISE, EXPLORES], settings=settings)
    assert not any(question.afresh for question in asked(context, "debug"))


def test_a_rejected_attempt_is_planned_again_with_its_review(explore):
    attempt, context = explore(write=[EXPLORES, EXPLORES_TOO], review=[NO, YES])
    assert attempt.iteration == 2
    first, second = asked(context, "plan")
    assert first.review is None
    assert second.review.suggestions == ("look closer",)
    assert second.rejected.code == EXPLORES


def test_when_all_plans_are_rejected_the_last_that_passed_is_kept_and_said(explore):
    attempt, context = explore(write=[EXPLORES, EXPLORES_TOO], review=[NO], settings={"iterations": 2})
    assert len(asked(context, "plan")) == 2
    assert (attempt.code, attempt.fallback) == (EXPLORES_TOO, True)
    assert attempt.note == "Kept, although: look closer"


@pytest.mark.parametrize("answer", ["plan", "write"])
def test_who_gives_up_is_replaced_by_the_vetted_default(explore, answer):
    attempt, context = explore(**{answer: [GiveUp("out of words")]})
    assert attempt.fallback
    assert attempt.execution.ok
    assert [event["cause"] for event in new_events(context, "fallback")] == ["out of words"]


def test_giving_up_on_debugging_falls_back_too(explore):
    attempt, _ = explore(write=[RAISES], debug=[GiveUp("no idea")])
    assert attempt.fallback


def test_without_fallback_a_phase_that_fails_ends_the_run(explore):
    with pytest.raises(PhaseFailed, match=r"Deep EDA failed after 1 try: .*no such column.*run with fallback=on"):
        explore(write=[RAISES], settings={"debug_attempts": 0, "fallback": "off"})


def test_when_time_is_up_a_failure_is_not_debugged(explore):
    attempt, context = explore(write=[RAISES], elapsed_s=59.0, settings={"budget_s": 60})
    assert asked(context, "debug") == []
    assert attempt.fallback


def test_a_reviewer_who_gives_up_lets_the_attempt_pass(explore):
    attempt, _ = explore(write=[EXPLORES], review=[GiveUp("too long")])
    assert attempt.accepted
    assert attempt.review.findings == ("No review: too long.",)


def test_a_summarizer_who_gives_up_leaves_a_summary_that_says_so(explore):
    attempt, context = explore(write=[EXPLORES], summarize=[GiveUp("too long")])
    summary = context.workspace.load(Summary, context.workspace.path(attempt.folder) / "summary.json")
    assert summary.headline == "Deep EDA: no summary (too long)"


def test_switched_off_gates_do_not_judge(explore):
    attempt, _ = explore(write=[EXPLORES], gates="off")
    assert attempt.gates is None


def test_what_was_tried_before_is_looked_up_and_not_executed_again(bench, before):
    context = bench(rules={"estimators": ["linear", "extra_trees"]})
    run_phase(context, before(context, "deep_eda"), get_phase("deep_eda"))
    assert new_events(context, "executed") == []
    assert new_events(context, "gated") == []


def test_progress_is_told_agent_by_agent(bench, explore):
    explore(write=[EXPLORES])
    doing = [event["agent"] for event in bench.told if event["event"] == "agent"]
    assert doing == ["planner", "developer", "developer", "reviewer", "summarizer"]
    assert bench.told[-1]["event"] == "phase_done"
