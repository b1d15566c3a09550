"""Attempts on disk: the code, the plan and what came of them, each saved as soon as it is known."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from autods.agents.context import RunContext
from autods.phases import Phase
from autods.records import Attempt, Plan, Solution
from autods.workspace import content_key, library_versions, write_atomic

__all__ = ["accept", "load_attempt", "load_solution", "new_attempt", "parent_folder", "save_attempt", "update_attempt"]

_RECORD = "attempt.json"


def new_attempt(
    context: RunContext,
    phase: Phase,
    parent: Solution,
    plan: Plan | None,
    code: str,
    iteration: int,
    number: int,
    **facts: Any,
) -> Attempt:
    """Make the folder of an attempt, named by everything that decides its outcome; one that exists is returned as it stands."""
    key = content_key(phase.slug, code, plan, dict(parent.attempts), _deciding(context), library_versions())
    folder = context.workspace.attempt_folder(phase.slug, key)
    if (folder / _RECORD).exists():
        return load_attempt(context, context.workspace.relative(folder))
    attempt = Attempt(phase.slug, key, iteration, number, context.workspace.relative(folder), plan, code, **facts)
    write_atomic(folder / "code.py", code)
    return save_attempt(context, attempt)


def _deciding(context: RunContext) -> dict[str, Any]:
    config = context.config
    return {
        "data": context.competition.fingerprint,
        "effort": config.effort,
        "seed": config.seed,
        "rules": config.rules.model_dump(),
    }


def save_attempt(context: RunContext, attempt: Attempt) -> Attempt:
    """Write an attempt's record whole."""
    context.workspace.save(context.workspace.path(attempt.folder) / _RECORD, attempt)
    return attempt


def load_attempt(context: RunContext, folder: str) -> Attempt:
    """Read the attempt of a folder (relative to the run's)."""
    return context.workspace.load(Attempt, context.workspace.path(folder) / _RECORD)


def update_attempt(context: RunContext, folder: str, **changes: Any) -> Attempt:
    """Save what has become known of an attempt."""
    return save_attempt(context, dataclasses.replace(load_attempt(context, folder), **changes))


def load_solution(context: RunContext, key: str) -> Solution:
    """Read a solution of this run; the empty key is the root, which has no phase yet."""
    return context.workspace.load(Solution, _solution_path(context, key)) if key else Solution("", None, {})


def accept(context: RunContext, parent: Solution, attempt: Attempt) -> Solution:
    """Add an attempt to a solution: the one way the tree of solutions grows."""
    attempts = {**parent.attempts, attempt.phase: attempt.folder}
    solution = Solution(content_key(attempts), parent.key or None, attempts, attempt.probe or parent.score)
    context.workspace.save(_solution_path(context, solution.key), solution)
    context.journal.append(
        "accepted", phase=attempt.phase, attempt=attempt.folder, solution=solution.key, fallback=attempt.fallback
    )
    return solution


def parent_folder(context: RunContext, solution: Solution, slug: str) -> Path:
    """The outputs of the accepted attempt at a phase."""
    return context.workspace.path(solution.attempts[slug]) / "out"


def _solution_path(context: RunContext, key: str) -> Path:
    return context.workspace.work / "solutions" / f"{key}.json"
