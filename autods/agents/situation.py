"""What is known when an agent asks its question, gathered from the artifacts of the solution so far."""

from __future__ import annotations

from pathlib import Path

from autods.agents.attempts import load_attempt, load_solution, parent_folder
from autods.agents.context import PhaseState, RunContext
from autods.phases import Phase, get_phase
from autods.profiling import Profile
from autods.reasoners.base import Situation, Try
from autods.records import (
    Attempt,
    ExecutionResult,
    Folds,
    GateReport,
    Plan,
    Score,
    Solution,
    Summary,
    Training,
    from_json,
)
from autods.tools import Finding

__all__ = ["attempt_try", "describe", "findings_of", "folds_of", "probe_before", "profile_of", "training_of"]


def describe(context: RunContext, state: PhaseState) -> Situation:
    """Build the situation of a phase from its parent solution."""
    competition, workspace = context.competition, context.workspace
    solution, phase = load_solution(context, state["parent"]), get_phase(state["phase"])
    # The first phase makes the frames that it is then asked about.
    frames = (
        parent_folder(context, solution, phase.frames_from)
        if phase.frames_from
        else workspace.path(state["attempt"]) / "out"
    )
    done = {slug: load_attempt(context, folder) for slug, folder in solution.attempts.items()}
    return Situation(
        task=competition.task,
        config=context.config,
        profile=profile_of(frames),
        overview=competition.overview,
        description=competition.description,
        instructions="\n".join(filter(None, [competition.instructions, context.config.instructions])),
        notes=competition.notes,
        files=competition.files,
        tables={name: tuple(map(str, frame.columns)) for name, frame in competition.tables.items()},
        findings={
            slug: findings_of(workspace.path(a.folder) / "out") for slug, a in done.items() if _is(slug, "findings")
        },
        plans={slug: a.plan for slug, a in done.items() if a.plan},
        summaries={
            slug: workspace.load(Summary, workspace.path(a.folder) / "summary.json") for slug, a in done.items()
        },
        scores={slug: a.probe for slug, a in done.items() if a.probe},
        constant=_score(workspace.work / "baseline" / "constant.json"),
        baseline=_score(workspace.work / "baseline" / "lightgbm.json"),
        folds=folds_of(context),
    )


def attempt_try(context: RunContext, attempt: Attempt) -> Try:
    """An attempt as the reasoner sees it."""
    execution = attempt.execution or ExecutionResult("ok", 0, "", "", 0.0, 0.0)
    gates = attempt.gates or GateReport(attempt.phase, ())
    return Try(attempt.plan or Plan(attempt.phase, ()), attempt.code, execution, gates, attempt.probe)


def probe_before(context: RunContext, phase: Phase, solution: Solution) -> Score | None:
    """The probe's score on the frames that a phase started from: the plain LightGBM's on raw columns, at first."""
    before = load_attempt(context, solution.attempts[phase.frames_from]).probe if phase.frames_from else None
    return before or _score(context.workspace.work / "baseline" / "lightgbm.json")


def findings_of(out: Path) -> tuple[Finding, ...]:
    """The findings that an exploration left."""
    path = out / "findings.json"
    return from_json(tuple[Finding, ...], path.read_bytes()) if path.exists() else ()


def profile_of(out: Path) -> Profile:
    """The profile of an artifact's frames."""
    return from_json(Profile, (out / "profile.json").read_bytes())


def training_of(out: Path) -> Training | None:
    """What the modeling phase found, where it did."""
    path = out / "training.json"
    return from_json(Training, path.read_bytes()) if path.exists() else None


def folds_of(context: RunContext) -> Folds | None:
    """The run's folds, once they are fixed."""
    from autods.validation.folds import load_folds

    return load_folds(context.workspace.folds) if context.workspace.folds.exists() else None


def _score(path: Path) -> Score | None:
    return from_json(Score, path.read_bytes()) if path.exists() else None


def _is(slug: str, produces: str) -> bool:
    return get_phase(slug).produces == produces
