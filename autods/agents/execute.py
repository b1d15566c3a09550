"""Runs an attempt's code; what is done with it follows from what the phase produces."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
from langgraph.runtime import Runtime

from autods.agents.attempts import load_attempt, load_solution, parent_folder, update_attempt
from autods.agents.context import PhaseState, RunContext
from autods.agents.probing import excluded_rows, facts_of, frames_in, limits, probe
from autods.agents.situation import probe_before, profile_of, training_of
from autods.agents.training import train_candidates
from autods.execution import jobs
from autods.execution.context import file_hash
from autods.phases import Phase, Produces, get_phase
from autods.profiling import profile_frames
from autods.records import Attempt, ExecutionResult, Solution, to_json
from autods.validation.storage import read_frame, write_frame
from autods.workspace import write_atomic

__all__ = ["execute", "execute_attempt"]


def execute(state: PhaseState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Execute the attempt, unless its outcome is there already."""
    context, phase = runtime.context, get_phase(state["phase"])
    attempt = load_attempt(context, state["attempt"])
    if attempt.execution is None or _was_cut_short(context, attempt):
        context.tell("agent", phase=phase.slug, agent="developer", doing="executes")
        attempt = execute_attempt(context, phase, load_solution(context, state["parent"]), attempt)
    return {"attempt": attempt.folder}


def _was_cut_short(context: RunContext, attempt: Attempt) -> bool:
    """Whether an earlier walk ran out of time in this attempt and there is time now; finished fits are looked up."""
    training = training_of(context.workspace.path(attempt.folder) / "out")
    return training is not None and bool(training.cut_off) and not context.out_of_time


def execute_attempt(context: RunContext, phase: Phase, parent: Solution, attempt: Attempt) -> Attempt:
    """Run the attempt's code in the sandbox and save what became of it."""
    given = parent_folder(context, parent, phase.frames_from or phase.slug)
    facts = _PRODUCERS[phase.produces](context, phase, parent, attempt, given)
    context.check_stop()
    done = update_attempt(context, attempt.folder, gates=None, review=None, **facts)
    if done.execution is not None:
        context.journal.append(
            "executed",
            attempt=done.folder,
            status=done.execution.status,
            wall_s=done.execution.wall_s,
            message=done.execution.message,
        )
    return done


def _explore(context: RunContext, phase: Phase, parent: Solution, attempt: Attempt, given: Path) -> dict[str, Any]:
    folder = context.workspace.path(attempt.folder)
    raw = parent_folder(context, parent, "background")
    joined = folder / "given" / "train.parquet"
    joined.parent.mkdir(exist_ok=True)
    train, target = read_frame(given / "train.parquet"), read_frame(raw / "target.parquet")
    write_frame(
        pd.concat([train, target[[name for name in target.columns if name not in train.columns]]], axis=1), joined
    )
    frames = dataclasses.replace(frames_in(given, raw / "tables"), train=joined)
    explored = jobs.explore(
        context.sandbox,
        folder / "code.py",
        folder=folder,
        frames=frames,
        task=facts_of(context, profile_of(given)),
        limits=limits(context, phase.timeout_s),
        entry_point=phase.entry_point or "",
    )
    joined.unlink()
    return {"execution": explored.execution}


def _transform(context: RunContext, phase: Phase, parent: Solution, attempt: Attempt, given: Path) -> dict[str, Any]:
    folder, competition = context.workspace.path(attempt.folder), context.competition
    out = folder / "out"
    transformed = jobs.transform(
        context.sandbox,
        folder / "code.py",
        folder=folder,
        frames=frames_in(given, parent_folder(context, parent, "background") / "tables"),
        task=facts_of(context, profile_of(given)),
        limits=limits(context, phase.timeout_s),
        entry_point=phase.entry_point or "",
    )
    if transformed.train is None or transformed.test is None:
        return {"execution": transformed.execution}
    if not (out / "exclude.parquet").exists() and (given / "exclude.parquet").exists():
        write_atomic(out / "exclude.parquet", (given / "exclude.parquet").read_bytes())
    if _unchanged(given, out):
        write_atomic(out / "profile.json", (given / "profile.json").read_bytes())
        return {"execution": transformed.execution, "probe": probe_before(context, phase, parent)}
    train, test = read_frame(transformed.train), read_frame(transformed.test)
    profile = profile_frames(train, test, y=competition.y, kind=competition.task.kind, keys=competition.keys)
    write_atomic(out / "profile.json", to_json(profile))
    context.tell("agent", phase=phase.slug, agent="harness", doing="probes the frames")
    score = probe(context, out, folder / "probe", excluded_rows(out, len(train)))
    return {"execution": transformed.execution, "probe": score}


def _unchanged(given: Path, out: Path) -> bool:
    """Whether a phase left every frame as it was, so that profile and probe would say the same again."""
    names = ("train.parquet", "test.parquet", "exclude.parquet")
    return all(_hash(given / name) == _hash(out / name) for name in names)


def _hash(path: Path) -> str | None:
    return file_hash(path) if path.exists() else None


def _offer(context: RunContext, phase: Phase, parent: Solution, attempt: Attempt, given: Path) -> dict[str, Any]:
    folder = context.workspace.path(attempt.folder)
    offered = jobs.list_candidates(
        context.sandbox,
        folder / "code.py",
        folder=folder,
        task=facts_of(context, profile_of(given)),
        limits=limits(context, phase.timeout_s),
        entry_point=phase.entry_point or "",
    )
    if not offered.offers:
        return {"execution": offered.execution}
    training = train_candidates(context, attempt, offered.offers, given)
    failed = [result for result in training.results if result.status == "failed"]
    execution = offered.execution
    if training.blend is None and len(failed) == len(training.results):
        execution = ExecutionResult(
            "error", 1, "", "", execution.wall_s, execution.peak_memory_mb, execution.isolation, failed[0].message
        )
    return {"execution": execution, "probe": training.blend.score if training.blend else None}


_PRODUCERS: dict[Produces, Callable[[RunContext, Phase, Solution, Attempt, Path], dict[str, Any]]] = {
    "findings": _explore,
    "frames": _transform,
    "candidates": _offer,
}
