from __future__ import annotations

import dataclasses

import pytest
from markdown_it import MarkdownIt

from autods.records import Attempt, ExecutionResult, Review, Summary
from autods.reports.content import PhaseContent, RunContent, verdict
from autods.reports.markdown import phase_report, run_report
from autods.reports.trail import attempt_line, attempt_outcome, gates_line, isolation_sentence, settings_rows


def rendered(markdown):
    return MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown)


def test_a_phase_report_answers_both_questions_and_shows_gates_decisions_and_code(content):
    text = phase_report(content.phases[2])
    for part in (
        "# 3. Cleaning", "**What changed.** Two columns were filled", "**What the next phase must know.**", "## Gates",
        "1 passed, 1 warned", "## Decisions", "**accepted** (planner 5/5, developer 4/5)", "## Code", "def clean(train, test):",
    ):  # fmt: skip
        assert part in text


def test_code_keeps_its_blank_lines(content):
    assert "fill_missing_values\n\n\ndef clean" in phase_report(content.phases[2])


def test_whatever_columns_are_called_tables_keep_their_shape(content):
    html = rendered(phase_report(content.phases[2]))
    assert "<script>" not in html
    for table in html.split("<table>")[1:]:
        rows = table.split("</table>")[0].split("<tr>")[1:]
        assert len({row.count("<td") + row.count("<th") for row in rows}) == 1


def test_figures_are_linked_where_they_are(content):
    assert "![a picture](figures/x.png)" in phase_report(
        content.phases[0], {"out/figures/a picture.png": "figures/x.png"}
    )
    assert "![a picture](<out/figures/a picture.png>)" in phase_report(content.phases[0])


def test_a_plan_is_shown_unless_the_summary_tells_it(content):
    phase = content.phases[2]
    assert "## Plan" in phase_report(phase)
    section = phase.summary.sections[0]
    table = dataclasses.replace(section.tables[0], header=("step", "columns", "because"))
    told = dataclasses.replace(phase.summary, sections=(dataclasses.replace(section, tables=(table,)),))
    assert "## Plan" not in phase_report(dataclasses.replace(phase, summary=told))


def test_the_run_report_says_how_good_it_is_and_what_was_left_out(content):
    text = run_report(content, ["model_comparison"])
    for part in (
        "accuracy 0.8424 ± ", "better than the plain LightGBM", "better than the best constant", "(figures/model_comparison.png)",
        "| svm | – |", "failed: ValueError", "Cut off by the budget: neural_network.", "Tuning of lightgbm: 12 of 40 trials done.",
        "no clustering features were made", "landlock, seccomp, rlimits", "[3. Cleaning](03_cleaning.md)", "| budget_s | 120",
    ):  # fmt: skip
        assert part in text
    assert "<script>" not in rendered(text)


def test_a_run_that_ended_before_it_was_scored_has_a_report(tmp_path, task, content):
    bare = RunContent("r", tmp_path, tmp_path, task, content.config)
    assert "the run ended before it could be scored" in run_report(bare)
    assert "Nothing that was planned was left out" in run_report(bare)


def test_the_verdict_says_when_a_difference_is_noise(content):
    same = dataclasses.replace(content, baseline=content.score)
    assert "plain LightGBM" not in verdict(same)
    near = dataclasses.replace(content.baseline, value=0.84, folds=tuple(f + 0.0287 for f in content.baseline.folds))
    assert "plain LightGBM (within noise)" in verdict(dataclasses.replace(content, baseline=near))


@pytest.mark.parametrize(
    ("changes", "outcome", "words"),
    [
        ({"fallback": True, "note": "the vetted default"}, "fallback", "**the fallback**; the vetted default"),
        ({"execution": ExecutionResult("timeout", None, "", "", 9.0, 1.0, message="ran 600 s")}, "error", "**timeout**: `ran 600 s`"),
        ({"review": Review(False, {}, (), ("drop the id",))}, "rejected", "**sent back**; drop the id"),
        ({}, "accepted", "Plan 1, try 2"),
    ],
)  # fmt: skip
def test_the_trail_tells_what_became_of_each_attempt(content, changes, outcome, words):
    attempt: Attempt = dataclasses.replace(content.phases[2].accepted, **changes)
    assert attempt_outcome(attempt) == outcome
    assert words in attempt_line(attempt)


def test_a_failed_gate_is_named_in_the_trail(content):
    first = content.phases[2].attempts[0]
    assert attempt_outcome(first) == "gate"
    assert "`no_missing`: column 'Age': 177 rows are missing" in attempt_line(first)


def test_absent_gates_and_isolation_are_said(content):
    assert gates_line(None) == "no gates ran"
    assert "without confinement" in isolation_sentence(())


def test_settings_name_the_rules_that_were_set(content):
    config = content.config.model_copy(update={"rules": content.config.rules.model_copy(update={"z_threshold": 3.5})})
    assert ("rules.z_threshold", "3.5000") in settings_rows(config)


def test_an_empty_phase_has_a_report(content):
    phase = content.phases[0]
    bare = PhaseContent(
        phase.phase,
        Summary("background", "h", "c", "n"),
        (),
        dataclasses.replace(phase.accepted, plan=None, gates=None),
        phase.folder,
    )
    assert "no gates ran" in phase_report(bare)
