import pytest

from autods.reasoners.rules.reviewing import gates_sentence, plan_section, probe_change, score_text
from autods.records import GateReport, Plan, Step


@pytest.mark.parametrize(
    "gain, verdict",
    [(0.1, "better beyond noise"), (-0.1, "worse beyond noise"), (0.0, "no different within noise")],
)
def test_a_change_of_the_probe_is_judged_against_its_noise(score, gain, verdict):
    assert probe_change(score(0.8), score(0.8 + gain)).text.endswith(f"paired by fold: {verdict}")


def test_a_lower_error_is_a_gain(score):
    before, after = (
        score(3.0, metric="rmse", greater_is_better=False),
        score(2.0, metric="rmse", greater_is_better=False),
    )
    assert probe_change(before, after).better


def test_nothing_is_compared_when_a_probe_is_absent(score):
    assert probe_change(None, score(0.8)) is None
    assert score_text(None) == "not measured"


def test_the_gates_are_told_in_a_sentence(attempt):
    report = attempt(failed=[("test_ids", "ids differ")], warned=[("test_odd", "Column 'a' is odd.")]).gates
    assert gates_sentence(report) == "1 gate passed, 1 failed (`test_ids`), 1 warned: Column 'a' is odd."


def test_gates_that_were_off_are_told_as_such():
    assert gates_sentence(GateReport("cleaning", ())) == "The gates were switched off."


@pytest.mark.parametrize(
    "facts, developer",
    [({}, 5.0), ({"warned": [("test_odd", "odd")]}, 4.0), ({"status": "error"}, 1.0)],
)
def test_the_developer_is_scored_by_execution_and_gates(review, situation, attempt, facts, developer):
    assert review("cleaning", situation(), attempt(**facts)).scores["developer"] == developer


def test_a_plan_without_reasons_scores_less(review, situation, attempt):
    planned = Plan("cleaning", (Step("do", ""),))
    assert review("cleaning", situation(), attempt(planned)).scores["planner"] == 4.0


def test_the_plan_is_told_with_what_was_obeyed():
    section = plan_section(Plan("cleaning", (Step("fill", "few", ("age",), "fill_missing_values"),), obeyed=("z = 3",)))
    assert section.tables[0].rows == (("fill", "`age`", "`fill_missing_values`", "few"),)
    assert "- z = 3" in section.text
