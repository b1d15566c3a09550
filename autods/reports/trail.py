"""What every report says about attempts, gates, settings and isolation, in the same words."""

from __future__ import annotations

from collections import Counter

from autods.config import RunConfig
from autods.records import Attempt, GateReport, Summary
from autods.reports.content import RunContent
from autods.reports.text import code_span, number, one_line, score_text

__all__ = [
    "attempt_line",
    "attempt_outcome",
    "gates_line",
    "headers_of",
    "isolation_sentence",
    "obeyed",
    "plan_is_told",
    "settings_rows",
]


def gates_line(report: GateReport | None) -> str:
    """Say how the gates judged.

    Examples
    --------
    >>> from autods.records import GateCheck
    >>> gates_line(GateReport("cleaning", (GateCheck("rows", "rows", "passed"), GateCheck("ids", "ids", "warned"))))
    '1 passed, 1 warned'
    """
    if report is None or not report.checks:
        return "no gates ran"
    counts = Counter(check.outcome for check in report.checks)
    return ", ".join(f"{counts[name]} {name}" for name in ("passed", "warned", "failed", "skipped") if counts[name])


def attempt_outcome(attempt: Attempt) -> str:
    """Return in one word what became of an attempt: `accepted`, `rejected`, `gate`, `error` or `fallback`."""
    if attempt.fallback:
        return "fallback"
    if attempt.execution is not None and not attempt.execution.ok:
        return "error"
    if attempt.gates is not None and attempt.gates.failures:
        return "gate"
    return "rejected" if attempt.review is not None and not attempt.review.accept else "accepted"


def attempt_line(attempt: Attempt) -> str:
    """Tell one attempt in a line of Markdown."""
    author = attempt.plan.author if attempt.plan else "the harness"
    steps = f"{len(attempt.plan.steps)} steps" if attempt.plan else "no plan"
    said = [f"Plan {attempt.iteration}, try {attempt.number} ({author}, {steps})"]
    if attempt.execution is not None:
        ran = f"ran in {attempt.execution.wall_s:.1f} s" if attempt.execution.ok else f"**{attempt.execution.status}**"
        said.append(ran if attempt.execution.ok else f"{ran}: {code_span(attempt.execution.message[:300])}")
    if attempt.gates is not None and attempt.gates.checks:
        failed = "; ".join(f"`{check.name}`: {one_line(check.message)[:200]}" for check in attempt.gates.failures)
        said.append(f"gates {gates_line(attempt.gates)}" + (f" ({failed})" if failed else ""))
    if attempt.probe is not None:
        said.append(f"probe {score_text(attempt.probe)}")
    if attempt.review is not None:
        marks = ", ".join(f"{agent} {number_of_five(score)}" for agent, score in attempt.review.scores.items())
        said.append(("**accepted**" if attempt.review.accept else "**sent back**") + (f" ({marks})" if marks else ""))
        said += [one_line(suggestion) for suggestion in attempt.review.suggestions]
    if attempt.fallback:
        said.append("**the fallback**")
    if attempt.note:
        said.append(one_line(attempt.note))
    return "; ".join(said) + "."


def number_of_five(score: float) -> str:
    """Write a review's score.

    Examples
    --------
    >>> number_of_five(4.0)
    '4/5'
    """
    return f"{score:g}/5"


def plan_is_told(summary: Summary) -> bool:
    """Whether the summary already shows the plan, by a table that has a column of reasons."""
    return bool({"because", "evidence"} & headers_of(summary))


def headers_of(summary: Summary) -> set[str]:
    """Return the column names of all tables of a summary."""
    return {name for section in summary.sections for table in section.tables for name in table.header}


def obeyed(content: RunContent) -> tuple[str, ...]:
    """Return all sentences on instructions and rules that plans followed, each once."""
    plans = [phase.accepted.plan for phase in content.phases if phase.accepted.plan]
    return tuple(dict.fromkeys(sentence for plan in plans for sentence in plan.obeyed))


def settings_rows(config: RunConfig) -> list[tuple[str, str]]:
    """Return all settings as rows of a table; the rules that are set are rows of their own."""
    values = config.model_dump(mode="json")
    rules = {f"rules.{name}": value for name, value in values.pop("rules").items() if value is not None}
    return [(name, _said(value)) for name, value in {**values, **rules}.items()]


def _said(value: object) -> str:
    if value is None or value in ("", {}, []):
        return "–"
    return number(value) if isinstance(value, float) and not value.is_integer() else f"{value}"


def isolation_sentence(layers: tuple[str, ...]) -> str:
    """Say what held while candidates' code ran.

    Examples
    --------
    >>> isolation_sentence(("landlock", "seccomp"))
    'Generated code was confined by landlock, seccomp.'
    """
    if not layers:
        return "Generated code ran without confinement other than limits on time and memory."
    return f"Generated code was confined by {', '.join(layers)}."
