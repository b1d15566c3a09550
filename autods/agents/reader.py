"""The Reader: files and overview in, a typed brief out, each fact with its evidence and confidence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from langgraph.runtime import Runtime

from autods.agents.attempts import load_solution, new_attempt, update_attempt
from autods.agents.context import PhaseState, RunContext
from autods.agents.submitting import submit_constant
from autods.phases import get_phase
from autods.profiling import Profile, profile_frames
from autods.records import Competition, ExecutionResult, Plan, Step, to_json
from autods.validation.storage import write_frame
from autods.workspace import write_atomic

__all__ = ["reader", "write_brief"]


def reader(state: PhaseState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Read the competition into a brief and the frames that all later phases start from."""
    context, phase = runtime.context, get_phase(state["phase"])
    context.tell("agent", phase=phase.slug, agent="reader", doing="reads files and overview")
    plan = _plan(context.competition)
    attempt = new_attempt(context, phase, load_solution(context, state["parent"]), plan, "", iteration=1, number=1)
    if attempt.execution is None:
        submit_constant(context)
        started = context.clock.elapsed()
        write_brief(context.competition, context.workspace.path(attempt.folder) / "out")
        wall_s = context.clock.elapsed() - started
        update_attempt(context, attempt.folder, execution=ExecutionResult("ok", 0, "", "", wall_s, 0.0))
    return {"attempt": attempt.folder, "tries": [attempt.folder], "iteration": 1}


def _plan(competition: Competition) -> Plan:
    steps = [
        Step(f"{name}: {fact.value}", f"{fact.evidence} (confidence {fact.confidence:.0%})")
        for name, fact in competition.task.facts.items()
    ]
    obeyed = tuple(
        f"competition.yaml sets {name}"
        for name, fact in competition.task.facts.items()
        if "competition.yaml" in fact.evidence
    )
    return Plan("background", tuple(steps), obeyed=obeyed)


def _target(competition: Competition) -> pd.DataFrame:
    """The target as explorations see it: labels as spelled, values as numbers."""
    if competition.task.is_classification:
        return competition.target
    return pd.DataFrame(competition.y.reshape(len(competition.y), -1), columns=list(competition.task.targets))


def write_brief(competition: Competition, out: Path) -> Profile:
    """Write the brief's artifacts: features, target and keys apart, tables, task, notes and the profile."""
    out.mkdir(parents=True, exist_ok=True)
    frames: dict[str, pd.DataFrame | None] = {
        "train": competition.train,
        "test": competition.test,
        "target": _target(competition),
        "keys": competition.keys,
        "test_keys": competition.test_keys,
        "sample": competition.sample,
    }
    for name, frame in frames.items():
        if frame is not None:
            write_frame(frame, out / f"{name}.parquet")
    for name, frame in competition.tables.items():
        (out / "tables").mkdir(exist_ok=True)
        write_frame(frame, out / "tables" / f"{name}.parquet")
    np.save(out / "y.npy", competition.y)
    profile = profile_frames(
        competition.train,
        competition.test,
        y=competition.y,
        kind=competition.task.kind,
        keys=competition.keys,
        test_keys=competition.test_keys,
    )
    write_atomic(out / "profile.json", to_json(profile))
    write_atomic(out / "notes.json", to_json(competition.notes))
    write_atomic(out / "task.json", to_json(competition.task))
    return profile
