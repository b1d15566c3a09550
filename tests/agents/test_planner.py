import pytest

from autods.agents.planner import allowed
from autods.records import Plan, Step

TOOLS = ("fill_missing_values", "ratios", "lightgbm", "findings", None)
PLAN = Plan("feature_engineering", tuple(Step("s", "r", tool=tool) for tool in TOOLS))


@pytest.mark.parametrize(
    ("setting", "tools"),
    [
        ("all", ["fill_missing_values", "ratios", "lightgbm", "findings", None]),
        ("cleaning,features", ["fill_missing_values", "ratios", "findings", None]),
        ("cleaning", ["fill_missing_values", "findings", None]),
        ("none", ["findings", None]),
    ],
)
def test_steps_with_tools_that_are_ruled_out_are_left_out(setting, tools):
    assert [step.tool for step in allowed(PLAN, setting).steps] == tools


def test_a_plan_that_was_cut_says_so():
    assert "tools = cleaning" in allowed(PLAN, "cleaning").obeyed[-1]
