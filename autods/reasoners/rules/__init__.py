"""The rule reasoner: a deterministic expert, one module a phase, found by the phase's slug."""

from __future__ import annotations

import importlib
from types import ModuleType

from autods.phases import Phase
from autods.reasoners.base import CodeQuestion, DebugQuestion, PlanQuestion, ReviewQuestion, SummaryQuestion
from autods.records import GiveUp, Plan, Review, Summary

__all__ = ["RuleReasoner"]


class RuleReasoner:
    """Answers every agent's question by rules; no network, no key, the same answer every time."""

    name = "rules"

    def plan(self, question: PlanQuestion) -> Plan | GiveUp:
        """Plan a phase from the profile, the findings so far and the person's rules."""
        plan: Plan | GiveUp = _home(question.phase).plan(question)
        return plan

    def write(self, question: CodeQuestion) -> str | GiveUp:
        """Write the plan's steps as a short commented module."""
        code: str | GiveUp = _home(question.phase).write(question)
        return code

    def debug(self, question: DebugQuestion) -> str | GiveUp:
        """Leave out the step that failed, and write the rest."""
        from autods.reasoners.rules.debugging import debug

        return debug(question, _home(question.phase).write)

    def review(self, question: ReviewQuestion) -> Review | GiveUp:
        """Compare what happened with plan, gates and scores."""
        review: Review | GiveUp = _home(question.phase).review(question)
        return review

    def summarize(self, question: SummaryQuestion) -> Summary | GiveUp:
        """Say in prose with numbers what the phase did."""
        summary: Summary | GiveUp = _home(question.phase).summarize(question)
        return summary


def _home(phase: Phase) -> ModuleType:
    return importlib.import_module(f"autods.reasoners.rules.{phase.slug}")
