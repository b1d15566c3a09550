"""The harness between the phases: the first submissions, and the run's folds."""

from __future__ import annotations

from typing import Any

import numpy as np
from langgraph.runtime import Runtime

from autods.agents.attempts import load_attempt, load_solution, parent_folder
from autods.agents.context import RunContext, RunState
from autods.agents.gate import record_hashes
from autods.agents.probing import probe, probe_test_outputs
from autods.agents.situation import profile_of
from autods.agents.submitting import submit
from autods.competition import default_decision, metric_of
from autods.records import Folds
from autods.validation.folds import choose_folds, duplicate_groups, fold_keys, save_folds
from autods.validation.scoring import constant_score

__all__ = ["baseline", "fix_folds"]


def baseline(state: RunState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Submit the plain LightGBM on the raw columns, when there is time for it."""
    context, task = runtime.context, runtime.context.competition.task
    competition, folder = context.competition, context.workspace.work / "baseline"
    if context.out_of_time or (folder / "lightgbm.csv").exists():
        return {}
    raw = parent_folder(context, load_solution(context, state["solution"]), "background")
    record_hashes(context, raw)
    everything = np.arange(len(competition.y))
    once = Folds("plain", ((everything, everything[:1]),), 1, 1, "one fit on all rows", len(everything))
    outputs = probe_test_outputs(context, raw, once, folder / "lightgbm")
    if outputs is not None:
        np.save(folder / "lightgbm.npy", outputs)
        submit(context, outputs, default_decision(task.kind, task.needs), "plain LightGBM", folder / "lightgbm.csv")
    return {}


def fix_folds(state: RunState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Fix the folds of the run, then score the constant and the plain LightGBM on them: the references of every report."""
    context, competition = runtime.context, runtime.context.competition
    solution = load_solution(context, state["solution"])
    raw, config, task = parent_folder(context, solution, "background"), context.config, competition.task
    if not context.workspace.folds.exists():
        profile = profile_of(raw)
        keys = fold_keys(task, profile, competition.train, competition.keys)
        duplicates = duplicate_groups(competition.train)
        folds = choose_folds(
            task,
            profile,
            competition.y,
            keys,
            duplicates,
            effort=config.effort,
            seed=config.seed,
            n_splits=config.rules.n_splits,
        )
        save_folds(folds, context.workspace.folds)
        record_hashes(context, raw)
        context.journal.append(
            "folds", kind=folds.kind, n_splits=folds.n_splits, n_repeats=folds.n_repeats, reason=folds.reason
        )
        context.tell("note", text=f"folds: {folds.reason}")
        constant = constant_score(metric_of(task), competition.y, task.kind, task.n_outputs, folds)
        context.workspace.save(context.workspace.work / "baseline" / "constant.json", constant)
    background = load_attempt(context, solution.attempts["background"])
    score = background.probe or probe(context, raw, context.workspace.work / "baseline" / "folds")
    if score is not None:
        context.workspace.save(context.workspace.work / "baseline" / "lightgbm.json", score)
        context.tell(
            "note",
            text=f"plain LightGBM on the raw columns: {score.metric} {score.value:.4f} ± {score.standard_error:.4f}",
        )
    return {}
