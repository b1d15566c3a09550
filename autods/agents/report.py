"""The last node: everything about the run, gathered once and written for people, machines and whoever re-runs it."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import numpy as np
from langgraph.runtime import Runtime

from autods.agents.attempts import load_attempt, load_solution
from autods.agents.context import RunContext, RunState
from autods.agents.situation import describe, folds_of, training_of
from autods.phases import PHASES
from autods.records import Attempt, Solution, Summary, Training
from autods.reports.content import PhaseContent, RunContent
from autods.reports.slices import error_slices, row_losses
from autods.reports.writing import write_reports
from autods.workspace import library_versions

__all__ = ["gather", "report"]


def report(state: RunState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Write the six reports, the whole one, the solution as script and notebook, and the manifest."""
    context = runtime.context
    context.tell("agent", agent="summarizer", doing="writes the reports")
    solution = load_solution(context, state.get("solution", ""))
    write_reports(gather(context, solution), context.workspace.root)
    context.journal.append("finished", solution=solution.key)
    return {}


def gather(context: RunContext, solution: Solution) -> RunContent:
    """Collect the content of all reports from the journal and the artifacts."""
    workspace, competition = context.workspace, context.competition
    phases = tuple(
        _phase_content(context, solution, number)
        for number, phase in enumerate(PHASES)
        if phase.slug in solution.attempts
    )
    training = (
        training_of(workspace.path(solution.attempts["modeling"]) / "out") if "modeling" in solution.attempts else None
    )
    situation = describe(
        context, {"phase": PHASES[0].slug, "parent": solution.key, "attempt": solution.attempts[PHASES[0].slug]}
    )
    started = context.journal.events("started")[0]["at"]
    timings = {content.phase.slug: content.seconds for content in phases} | {"total": context.clock.elapsed()}
    return RunContent(
        run_id=workspace.run_id,
        root=workspace.root,
        competition=competition.path,
        task=competition.task,
        config=context.config,
        phases=phases,
        notes=competition.notes,
        files=competition.files,
        folds=folds_of(context),
        training=training,
        constant=situation.constant,
        baseline=situation.baseline,
        probes=situation.scores,
        slices=_slices(context, solution, training),
        timings=timings,
        isolation=context.sandbox.layers,
        versions=library_versions(),
        not_done=tuple(_not_done(context, solution)),
        started=datetime.datetime.fromtimestamp(started).isoformat(sep=" ", timespec="seconds"),
        submission=workspace.submission,
    )


def _phase_content(context: RunContext, solution: Solution, number: int) -> PhaseContent:
    phase, workspace = PHASES[number], context.workspace
    accepted = load_attempt(context, solution.attempts[phase.slug])
    tried = [event["attempt"] for event in context.journal.events("attempted") if event["phase"] == phase.slug]
    attempts: list[Attempt] = [load_attempt(context, folder) for folder in dict.fromkeys([*tried, accepted.folder])]
    begun = [event["at"] for event in context.journal.events("phase") if event["phase"] == phase.slug]
    ended = [event["at"] for event in context.journal.events("accepted") if event["phase"] == phase.slug]
    folder = workspace.path(accepted.folder)
    summary = workspace.load(Summary, folder / "summary.json")
    return PhaseContent(
        phase, summary, tuple(attempts), accepted, folder, max(0.0, ended[-1] - begun[-1]) if begun and ended else 0.0
    )


def _slices(context: RunContext, solution: Solution, training: Training | None) -> Any:
    """Where the submitted predictions err most, by the raw columns."""
    if training is None or training.blend is None:
        return ()
    oof = np.load(_out(context, solution, "modeling") / "oof.npy", allow_pickle=False)
    losses = row_losses(context.competition.task, context.competition.y, oof, training.blend.decision)
    return error_slices(context.competition.train, losses)


def _out(context: RunContext, solution: Solution, slug: str) -> Path:
    return context.workspace.path(solution.attempts[slug]) / "out"


def _not_done(context: RunContext, solution: Solution) -> list[str]:
    left = [phase.title for phase in PHASES if phase.slug not in solution.attempts]
    if not left:
        return []
    reason = f"stop_after = {context.config.stop_after}" if context.config.stop_after else "the budget was used up"
    return [f"{', '.join(left)}: not begun, because {reason}."]
