"""The Summarizer: tells a person, and the next phase, what this phase did; the solution grows by it."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from autods.agents.attempts import accept, load_attempt, load_solution
from autods.agents.context import PhaseState, RunContext
from autods.agents.situation import attempt_try, describe, findings_of, probe_before, profile_of, training_of
from autods.phases import get_phase
from autods.reasoners.base import SummaryQuestion
from autods.records import GiveUp, Review, Summary

__all__ = ["summarizer"]


def summarizer(state: PhaseState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Write the phase's summary beside the attempt and accept it into the solution."""
    context, phase = runtime.context, get_phase(state["phase"])
    context.tell("agent", phase=phase.slug, agent="summarizer", doing="summarizes")
    attempt, parent = load_attempt(context, state["attempt"]), load_solution(context, state["parent"])
    out = context.workspace.path(attempt.folder) / "out"
    question = SummaryQuestion(
        phase=phase,
        situation=describe(context, state),
        attempt=attempt_try(context, attempt),
        review=attempt.review or Review(True, {}),
        probe_before=probe_before(context, phase, parent),
        findings=findings_of(out),
        figures=tuple(sorted(path.relative_to(out.parent).as_posix() for path in (out / "figures").glob("*.png"))),
        profile_after=profile_of(out) if (out / "profile.json").exists() else None,
        training=training_of(out),
    )
    summary = context.reasoner.summarize(question)
    if isinstance(summary, GiveUp):
        summary = Summary(
            phase.slug,
            f"{phase.title}: no summary ({summary.reason})",
            "See the attempt's record.",
            "Nothing was said.",
        )
    context.workspace.save(out.parent / "summary.json", summary)
    solution = accept(context, parent, attempt)
    context.tell("phase_done", phase=phase.slug, headline=summary.headline, score=attempt.probe)
    return {"solution": solution.key}
