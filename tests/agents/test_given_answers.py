"""Plans and code that a person gives replace the reasoner's, and the report says so."""

import pytest

from autods.agents.attempts import load_attempt
from autods.errors import ConfigError
from autods.graph import run_phase
from autods.phases import get_phase
from autods.reasoners.rules import RuleReasoner
from autods.records import Summary

PLAN = """
steps:
  - action: draw the numbers
    because: I want to see them
    columns: [x]
    tool: plot_distributions
"""
CODE = '"""Mine."""\n\n\ndef explore(train):\n    return []\n'


@pytest.fixture
def attempt(bench, before, tmp_path):
    def try_deep_eda(reasoner=None, **given):
        files = {}
        for name, text in given.items():
            path = tmp_path / f"{name}.yaml"
            if text is not None:
                path.write_text(text)
            files[name] = {"deep_eda": path}
        context = bench(reasoner or RuleReasoner(), gates="off", **files)
        solution = run_phase(context, before(context, "deep_eda"), get_phase("deep_eda"))
        found = load_attempt(context, solution.attempts["deep_eda"])
        return found, context.workspace.load(Summary, context.workspace.path(found.folder) / "summary.json")

    return try_deep_eda


def test_a_given_plan_is_carried_out_as_given(attempt):
    tried, summary = attempt(plan=PLAN)
    assert [step.tool for step in tried.plan.steps] == ["plot_distributions"]
    assert tried.plan.author == "person"
    assert "plot_distributions(train, test, columns=['x'], out=out)" in tried.code
    assert any("the plan of plan.yaml was taken as given" in section.text for section in summary.sections)


def test_given_code_runs_as_it_stands(attempt):
    assert attempt(code=CODE)[0].code == CODE


def test_given_code_that_fails_is_debugged_like_any_other(attempt):
    tried, _ = attempt(code=CODE.replace("return []", "raise ValueError('no')"))
    assert tried.number > 1
    assert not tried.fallback
    assert "raise" not in tried.code


@pytest.mark.parametrize("text", ["steps: [{action: only}]", "just words", "steps: [", None])
def test_a_plan_that_cannot_be_read_is_refused_with_the_form_it_has(attempt, text):
    with pytest.raises(ConfigError, match=r"plan\.yaml for deep_eda cannot be read .*each with action and because"):
        attempt(plan=text)


def test_code_that_cannot_be_read_is_refused(attempt):
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        attempt(code=None)
