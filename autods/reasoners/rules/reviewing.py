"""What all reviews and summaries by rules share: the gates in a sentence, the probe before and after, the plan as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autods.reasoners.base import ReviewQuestion, SummaryQuestion
from autods.reasoners.rules.writing import count, listed
from autods.records import GateReport, Plan, Review, Score, Section, Table
from autods.validation.scoring import paired_difference

__all__ = [
    "ProbeChange",
    "gates_section",
    "gates_sentence",
    "plan_section",
    "probe_change",
    "review_by_gates",
    "score_text",
]


@dataclass(frozen=True, slots=True)
class ProbeChange:
    """How the probe's score changed, in the metric's good direction, paired by fold."""

    gain: float
    standard_error: float

    @property
    def worse(self) -> bool:
        """Whether the loss is beyond noise."""
        return self.gain < 0 and -self.gain > 2 * self.standard_error

    @property
    def better(self) -> bool:
        """Whether the gain is beyond noise."""
        return self.gain > 0 and self.gain > 2 * self.standard_error

    @property
    def text(self) -> str:
        """The verdict in words."""
        verdict = (
            "better beyond noise"
            if self.better
            else "worse beyond noise"
            if self.worse
            else "no different within noise"
        )
        return f"{self.gain:+.4f} ± {self.standard_error:.4f} paired by fold: {verdict}"


def probe_change(before: Score | None, after: Score | None) -> ProbeChange | None:
    """Compare two probe scores on the same folds; None unless both are there."""
    return ProbeChange(*paired_difference(after, before)) if before and after else None


def score_text(score: Score | None) -> str:
    """A score for prose."""
    return "not measured" if score is None else f"{score.metric} {score.value:.4f} ± {score.standard_error:.4f}"


def gates_sentence(report: GateReport) -> str:
    """Say how the gates judged."""
    if not report.checks:
        return "The gates were switched off."
    warned = [check for check in report.checks if check.outcome == "warned"]
    passed = sum(check.outcome == "passed" for check in report.checks)
    text = f"{count(passed, 'gate')} passed"
    text += (
        f", {len(report.failures)} failed ({listed([check.name for check in report.failures])})"
        if report.failures
        else ""
    )
    return text + (f", {len(warned)} warned: " + " ".join(check.message for check in warned) if warned else ".")


def review_by_gates(question: ReviewQuestion, findings: Sequence[str] = (), suggestions: Sequence[str] = ()) -> Review:
    """Score the agents by what the gates and the execution say; reject only with a suggestion that can be acted on."""
    report, attempt = question.attempt.gates, question.attempt
    warned = sum(check.outcome == "warned" for check in report.checks)
    developer = 5.0 if attempt.execution.ok and report.passed and not warned else 4.0 if attempt.execution.ok else 1.0
    reasons = all(step.because for step in attempt.plan.steps)
    planner = 2.0 if suggestions else 5.0 if reasons else 4.0
    scores = {"planner": planner, "developer": developer}
    return Review(not suggestions, scores, (gates_sentence(report), *findings), tuple(suggestions))


def plan_section(plan: Plan, heading: str = "What was done, and why") -> Section:
    """The plan as a table: step, columns, tool and reason."""
    rows = tuple(
        (step.action, listed(step.columns), f"`{step.tool}`" if step.tool else "", step.because) for step in plan.steps
    )
    obeyed = "".join(f"\n- {sentence}" for sentence in plan.obeyed)
    text = f"The person's instructions and rules that were obeyed:\n{obeyed}" if obeyed else ""
    return Section(heading, text, (Table(("step", "columns", "tool", "because"), rows),))


def gates_section(question: SummaryQuestion) -> Section:
    """The gates' verdicts."""
    return Section(
        "How it was checked", gates_sentence(question.attempt.gates) + " " + " ".join(question.review.findings[1:])
    )
