"""The gates between the phases: pytest judges the attempt's artifacts in a process of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from langgraph.runtime import Runtime

from autods.agents.attempts import load_attempt, load_solution, parent_folder, update_attempt
from autods.agents.context import PhaseState, RunContext
from autods.agents.situation import probe_before
from autods.execution.context import file_hash, write_context
from autods.execution.gates import run_gates
from autods.phases import Phase, get_phase
from autods.records import Attempt, Score, Solution, from_json

__all__ = ["gate", "gate_attempt", "record_hashes"]

# Where an attempt's outputs lie, by the gate context's names; what a phase does not leave is not named.
OUTPUTS = {
    "after_train": "train.parquet",
    "after_test": "test.parquet",
    "exclude": "exclude.parquet",
    "findings": "findings.json",
    "figures": "figures",
    "overview": "overview.csv",
    "training": "training.json",
    "oof": "oof.npy",
    "test_predictions": "test_predictions.npy",
}
RAW = {
    "raw_train": "train.parquet",
    "raw_test": "test.parquet",
    "keys": "keys.parquet",
    "test_keys": "test_keys.parquet",
    "target": "target.parquet",
    "sample": "sample.parquet",
    "profile": "profile.json",
    "y": "y.npy",
}


def gate(state: PhaseState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Run the phase's gates on the attempt, unless they are switched off or have judged it before."""
    gate_attempt(
        runtime.context, get_phase(state["phase"]), load_solution(runtime.context, state["parent"]), state["attempt"]
    )
    return {"attempt": state["attempt"]}


def gate_attempt(context: RunContext, phase: Phase, parent: Solution, attempt_folder: str) -> None:
    """Judge one attempt and save the report."""
    attempt = load_attempt(context, attempt_folder)
    if attempt.gates is not None or context.config.gates == "off":
        return
    context.tell("agent", phase=phase.slug, agent="gate", doing="checks")
    folder = write_context(
        context.workspace.path(attempt.folder) / "context",
        phase=phase,
        task=context.competition.task,
        plan=attempt.plan,
        rules=context.config.rules,
        paths=_paths(context, phase, parent, attempt),
        scores=_scores(context, phase, parent, attempt),
        hashes=_hashes(context, parent),
    )
    extra = context.competition.path / "unit_tests"
    report = run_gates(folder, phase, sandbox=context.sandbox, extra=extra if extra.is_dir() else None)
    context.check_stop()
    update_attempt(context, attempt.folder, gates=report)
    outcomes = {check.name: check.outcome for check in report.checks if check.outcome != "passed"}
    context.journal.append("gated", phase=phase.slug, attempt=attempt.folder, passed=report.passed, not_passed=outcomes)


def _paths(context: RunContext, phase: Phase, parent: Solution, attempt: Attempt) -> dict[str, Path]:
    out = context.workspace.path(attempt.folder) / "out"
    raw = parent_folder(context, parent, "background") if "background" in parent.attempts else out
    before = parent_folder(context, parent, phase.frames_from) if phase.frames_from else raw
    paths = {name: raw / file for name, file in RAW.items()}
    paths |= {
        "before_train": before / "train.parquet",
        "before_test": before / "test.parquet",
        "run": context.workspace.root,
    }
    paths |= {name: out / file for name, file in OUTPUTS.items()}
    paths |= {"folds": context.workspace.folds, "submission": context.workspace.submission}
    return {name: path for name, path in paths.items() if path.exists()}


def _scores(context: RunContext, phase: Phase, parent: Solution, attempt: Attempt) -> dict[str, Score | None]:
    baseline = context.workspace.work / "baseline"
    scores = {
        name: from_json(Score, path.read_bytes())
        for name in ("constant", "lightgbm")
        if (path := baseline / f"{name}.json").exists()
    }
    return {
        # A probe that there was no time for compares with nothing.
        "probe_before": probe_before(context, phase, parent) if attempt.probe else None,
        "probe_after": attempt.probe,
        "constant": scores.get("constant"),
        "baseline": scores.get("lightgbm"),
    }


def _hashes(context: RunContext, parent: Solution) -> dict[str, str]:
    if "background" not in parent.attempts:
        return {}
    recorded = context.journal.events("hashes")
    return dict(recorded[-1]["files"]) if recorded else {}


def record_hashes(context: RunContext, raw: Path) -> None:
    """Note the bytes of what no phase may change, as the run wrote them."""
    files = {"raw_train": raw / "train.parquet", "raw_test": raw / "test.parquet", "folds": context.workspace.folds}
    context.journal.append("hashes", files={name: file_hash(path) for name, path in files.items() if path.exists()})
