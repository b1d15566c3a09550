"""The Reviewer: accepts an attempt, or says what to change."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from autods.agents.attempts import load_attempt, load_solution, update_attempt
from autods.agents.context import PhaseState, RunContext
from autods.agents.situation import attempt_try, describe, findings_of, probe_before, profile_of, training_of
from autods.phases import get_phase
from autods.reasoners.base import ReviewQuestion
from autods.records import GiveUp, Review

__all__ = ["reviewer"]


def reviewer(state: PhaseState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Judge the attempt by plan, code, output, gate report and scores."""
    context, phase = runtime.context, get_phase(state["phase"])
    context.tell("agent", phase=phase.slug, agent="reviewer", doing="reviews")
    attempt = load_attempt(context, state["attempt"])
    out = context.workspace.path(attempt.folder) / "out"
    question = ReviewQuestion(
        phase=phase,
        situation=describe(context, state),
        attempt=attempt_try(context, attempt),
        probe_before=probe_before(context, phase, load_solution(context, state["parent"])),
        findings=findings_of(out),
        profile_after=profile_of(out) if (out / "profile.json").exists() else None,
        training=training_of(out),
    )
    review = context.reasoner.review(question)
    if isinstance(review, GiveUp):
        review = Review(True, {}, findings=(f"No review: {review.reason}.",))
    update_attempt(context, attempt.folder, review=review)
    context.journal.append(
        "reviewed", phase=phase.slug, attempt=attempt.folder, accept=review.accept, scores=review.scores
    )
    return {"attempt": attempt.folder}
