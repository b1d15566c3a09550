"""The Markdown reports: one a phase, and the run's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from autods.records import Attempt, GateReport, Plan, Table
from autods.reports.comparison import comparison_rows
from autods.reports.content import PhaseContent, RunContent, verdict
from autods.reports.figures import CAPTIONS
from autods.reports.rendering import render_markdown
from autods.reports.text import cell, code_span, dollars, duration, number, one_line, score_text
from autods.reports.trail import attempt_line, gates_line, isolation_sentence, obeyed, plan_is_told, settings_rows

__all__ = ["markdown_table", "phase_report", "run_report"]


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table whose cells cannot break it.

    Examples
    --------
    >>> print(markdown_table(("name", "n"), (("a|b", "1"),)))
    | name | n |
    | --- | --- |
    | a\\|b | 1 |
    """
    lines = [[cell(name) or " " for name in header], ["---"] * len(header)]
    lines += [[cell(str(value)) for value in row] for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def phase_report(content: PhaseContent, links: Mapping[str, str] | None = None) -> str:
    """Write a phase's report.

    Parameters
    ----------
    content
        The phase.
    links
        Where each figure is found from the report's place, by its path in the attempt's folder; by default that path.

    Returns
    -------
    str
        Markdown.
    """
    links = links or {}
    summary, attempt, plan = content.summary, content.accepted, content.accepted.plan
    sections = [
        {
            "heading": section.heading,
            "text": section.text,
            "tables": [_table(table) for table in section.tables],
            "figures": [
                {"name": cell(PurePosixPath(path).stem), "link": _link(links.get(path, path))}
                for path in section.figures
            ],
        }
        for section in summary.sections
    ]
    return render_markdown(
        "phase.md.j2",
        number=content.phase.number,
        title=content.phase.title,
        goal=content.phase.goal,
        summary=summary,
        sections=sections,
        plan="" if plan is None or plan_is_told(summary) else _plan(plan),
        obeyed=plan.obeyed if plan is not None and not plan_is_told(summary) else (),
        gates_line=gates_line(attempt.gates),
        gates=_gates(attempt.gates),
        trail=[dollars(attempt_line(one)) for one in content.attempts] or ["No attempt was made."],
        review=attempt.review.findings if attempt.review else (),
        code=attempt.code,
    )


def _link(path: str) -> str:
    return f"<{path}>" if any(sign in path for sign in " ()<>") else path


def _table(table: Table) -> dict[str, Any]:
    return {"caption": table.caption, "markdown": markdown_table(table.header, table.rows)}


def _plan(plan: Plan) -> str:
    rows = [
        (s.action, ", ".join(map(code_span, s.columns)), f"`{s.tool}`" if s.tool else "", s.because) for s in plan.steps
    ]
    return markdown_table(("step", "columns", "tool", "because"), rows)


def _gates(report: GateReport | None) -> str:
    if report is None or not report.checks:
        return ""
    rows = [(check.outcome, f"`{check.name}`", check.protects, check.message) for check in report.checks]
    return markdown_table(("verdict", "gate", "protects", "message"), rows)


def run_report(content: RunContent, figures: Sequence[str] = ()) -> str:
    """Write the run's report.

    Parameters
    ----------
    content
        The run.
    figures
        The names of the pictures that stand in `figures/`.

    Returns
    -------
    str
        Markdown.
    """
    slices = [
        (f"`{one_line(s.column)}`", s.values, f"{s.rows:,}", number(s.loss), f"{s.ratio:.1f} ×") for s in content.slices
    ]
    return render_markdown(
        "report.md.j2",
        task=content.task,
        verdict=verdict(content),
        scores=_scores(content),
        figures=figures,
        captions=CAPTIONS,
        folds=content.folds,
        slices=markdown_table(("column", "values", "rows", "mean loss", "of the average"), slices) if slices else "",
        phases=_phases(content),
        obeyed=obeyed(content),
        left_out=content.left_out,
        notes=content.notes,
        settings=markdown_table(("setting", "value"), settings_rows(content.config)),
        run_id=content.run_id,
        started=content.started,
        total=content.timings.get("total"),
        isolation=isolation_sentence(content.isolation),
        versions=", ".join(f"{name} {version}" for name, version in content.versions.items()) or "not recorded",
    )


def _scores(content: RunContent) -> str:
    rows = [
        (
            f"**{row.name}**" if row.role == "blend" else row.name,
            number(row.score.value) if row.score else "–",
            number(row.score.standard_error) if row.score else "–",
            f"{100 * row.weight:.0f} %" if row.weight is not None else "",
            duration(row.seconds) if row.seconds is not None else "",
            row.remark,
        )
        for row in comparison_rows(content)
    ]
    header = ("candidate", content.task.metric, "standard error", "weight", "time", "")
    return markdown_table(header, rows) if rows else ""


def _phases(content: RunContent) -> str:
    rows = []
    for phase in content.phases:
        report: Attempt = phase.accepted
        name = f"[{phase.phase.number}. {phase.phase.title}]({phase.file_name})"
        probe = score_text(content.probes[phase.phase.slug]) if phase.phase.slug in content.probes else ""
        rows.append(
            (name, dollars(one_line(phase.summary.headline)), gates_line(report.gates), probe, duration(phase.seconds))
        )
    header = "| phase | what came of it | gates | probe | time |\n| --- | --- | --- | --- | --- |"
    # Headlines are Markdown already; only what would end the cell is escaped.
    lines = ["| " + " | ".join(value.replace("|", "\\|") for value in row) + " |" for row in rows]
    return "\n".join([header, *lines])
