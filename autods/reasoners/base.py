"""The typed questions that the agents ask, and who may answer them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from autods.config import RunConfig
from autods.phases import Phase
from autods.profiling import Profile
from autods.records import (
    ExecutionResult,
    FileFact,
    Folds,
    GateReport,
    GiveUp,
    Note,
    Plan,
    Review,
    Score,
    Summary,
    Task,
    Training,
)
from autods.tools import Finding

__all__ = [
    "CodeQuestion",
    "DebugQuestion",
    "PlanQuestion",
    "Reasoner",
    "ReviewQuestion",
    "Situation",
    "SummaryQuestion",
    "Try",
]


@dataclass(frozen=True)
class Situation:
    """What is known when a question is asked: the same for every agent and every reasoner.

    Attributes
    ----------
    profile
        The profile of the frames that this phase reads (raw, cleaned or engineered).
    findings
        By slug of the finished EDA phases.
    plans, summaries
        By slug of the finished phases.
    constant, baseline
        Scores of the best constant and of the plain LightGBM on the raw columns, once folds are fixed.
    scores
        Probe scores by slug of the finished `frames` phases.
    """

    task: Task
    config: RunConfig
    profile: Profile
    overview: str = ""
    description: str = ""
    instructions: str = ""
    notes: tuple[Note, ...] = ()
    files: tuple[FileFact, ...] = ()
    tables: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    findings: Mapping[str, tuple[Finding, ...]] = field(default_factory=dict)
    plans: Mapping[str, Plan] = field(default_factory=dict)
    summaries: Mapping[str, Summary] = field(default_factory=dict)
    scores: Mapping[str, Score] = field(default_factory=dict)
    constant: Score | None = None
    baseline: Score | None = None
    folds: Folds | None = None


@dataclass(frozen=True)
class Try:
    """One execution of a phase's code: what ran, what came of it, what it left."""

    plan: Plan
    code: str
    execution: ExecutionResult
    gates: GateReport
    probe: Score | None = None
    outcome: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class PlanQuestion:
    """What should this phase do? On later iterations with the rejected try and its review."""

    phase: Phase
    situation: Situation
    iteration: int = 1
    rejected: Try | None = None
    review: Review | None = None


@dataclass(frozen=True)
class CodeQuestion:
    """Write the module that carries out the plan."""

    phase: Phase
    situation: Situation
    plan: Plan


@dataclass(frozen=True)
class DebugQuestion:
    """The code failed or a gate did; `tries` are all so far, the latest last. Write it so that it passes."""

    phase: Phase
    situation: Situation
    plan: Plan
    tries: tuple[Try, ...]
    afresh: bool = False


@dataclass(frozen=True)
class ReviewQuestion:
    """Is this try good enough to build on?"""

    phase: Phase
    situation: Situation
    attempt: Try
    probe_before: Score | None = None
    findings: tuple[Finding, ...] = ()
    profile_after: Profile | None = None
    training: Training | None = None


@dataclass(frozen=True)
class SummaryQuestion:
    """Tell a person, and the next phase, what this phase did."""

    phase: Phase
    situation: Situation
    attempt: Try
    review: Review
    probe_before: Score | None = None
    findings: tuple[Finding, ...] = ()
    figures: tuple[str, ...] = ()
    profile_after: Profile | None = None
    training: Training | None = None


class Reasoner(Protocol):
    """Who answers the agents' questions; every answer may be `GiveUp`."""

    name: str

    def plan(self, question: PlanQuestion) -> Plan | GiveUp:
        """Plan a phase."""

    def write(self, question: CodeQuestion) -> str | GiveUp:
        """Write a phase's module."""

    def debug(self, question: DebugQuestion) -> str | GiveUp:
        """Write the module so that what failed passes."""

    def review(self, question: ReviewQuestion) -> Review | GiveUp:
        """Accept a try, or say what to change."""

    def summarize(self, question: SummaryQuestion) -> Summary | GiveUp:
        """Write a phase's report."""
