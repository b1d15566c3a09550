"""Predicting new rows with a finished run: its own code on the new rows, its fitted candidates, its blend and decision."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from autods.competition import as_test_rows, build_submission, read_table
from autods.errors import RunNotFoundError, UserError
from autods.execution import jobs
from autods.execution.facts import task_facts
from autods.execution.limits import Limits
from autods.execution.sandbox import Sandbox
from autods.journal import Journal
from autods.phases import PHASES
from autods.profiling import Profile
from autods.records import Attempt, ExecutionResult, Solution, Task, Training
from autods.tools import TaskFacts
from autods.validation.storage import read_frame, write_frame
from autods.workspace import Workspace

__all__ = ["predict", "predict_file"]


def predict_file(workspace: Workspace, path: Path) -> pd.DataFrame:
    """Predict the rows of a file in any form that a test file may have."""
    return predict(workspace, read_table(path).frame)


def predict(workspace: Workspace, new: pd.DataFrame) -> pd.DataFrame:
    """Predict new rows.

    Parameters
    ----------
    workspace
        A finished run.
    new
        Rows with the test file's columns, as text or already typed.

    Returns
    -------
    pandas.DataFrame
        A row for each new row, in the submission's form; the id column is taken from `new` where it is there.

    Raises
    ------
    RunNotFoundError
        When the run has no blend yet.
    UserError
        When the run's code cannot work on the new rows.

    Notes
    -----
    Joint features (counts and ranks over train and test together) are computed over train and the new rows, so a row's
    prediction can depend on the rows it comes with.
    """
    solution, training = _finished(workspace)
    raw = workspace.path(solution.attempts["background"]) / "out"
    task = workspace.load(Task, raw / "task.json")
    rows, keys = as_test_rows(new, task, read_frame(raw / "test.parquet"))
    with tempfile.TemporaryDirectory(prefix="autods-") as scratch, Sandbox() as sandbox:
        folder = Path(scratch)
        write_frame(rows, folder / "new.parquet")
        features = _transformed(workspace, solution, task, sandbox, folder)
        outputs = _blended(workspace, solution, training, task, sandbox, folder, features)
    assert training.blend is not None
    return build_submission(task, None, keys, outputs, training.blend.decision)


def _finished(workspace: Workspace) -> tuple[Solution, Training]:
    accepted = Journal(workspace.work / "journal.jsonl", lambda: 0.0).events("accepted")
    if not accepted or accepted[-1]["phase"] != PHASES[-1].slug:
        raise RunNotFoundError(
            f"The run {workspace.root} has no blend to predict with; finish it with `autods resume {workspace.root}`."
        )
    solution = workspace.load(Solution, workspace.work / "solutions" / f"{accepted[-1]['solution']}.json")
    path = workspace.path(solution.attempts[PHASES[-1].slug]) / "out" / "training.json"
    training = workspace.load(Training, path) if path.exists() else None
    if training is None or training.blend is None:
        raise RunNotFoundError(
            f"The run {workspace.root} finished no candidate, so there is nothing to predict with; run it with a larger budget."
        )
    return solution, training


def _facts(workspace: Workspace, task: Task, out: Path) -> TaskFacts:
    profile = workspace.load(Profile, out / "profile.json")
    config = Journal(workspace.work / "journal.jsonl", lambda: 0.0).latest("config")
    return task_facts(task, profile, effort=config["effort"], seed=config["seed"])


def _transformed(workspace: Workspace, solution: Solution, task: Task, sandbox: Sandbox, folder: Path) -> Path:
    """Apply the accepted code of every phase that changes frames to train and the new rows; give the new rows' features."""
    test = folder / "new.parquet"
    for phase in PHASES:
        if phase.produces != "frames":
            continue
        attempt = workspace.load(Attempt, workspace.path(solution.attempts[phase.slug]) / "attempt.json")
        given = workspace.path(solution.attempts[phase.frames_from or ""]) / "out"
        done = jobs.transform(
            sandbox,
            workspace.path(attempt.folder) / "code.py",
            folder=folder / phase.slug,
            frames=jobs.Frames(given / "train.parquet", test),
            task=_facts(workspace, task, given),
            limits=Limits(timeout_s=phase.timeout_s),
            entry_point=phase.entry_point or "",
        )
        if done.test is None:
            raise UserError(_cannot(phase.title, done.execution))
        test = done.test
    return test


def _blended(
    workspace: Workspace,
    solution: Solution,
    training: Training,
    task: Task,
    sandbox: Sandbox,
    folder: Path,
    features: Path,
) -> np.ndarray:
    assert training.blend is not None
    attempt = workspace.path(solution.attempts[PHASES[-1].slug])
    facts = _facts(workspace, task, workspace.path(solution.attempts[PHASES[-1].frames_from or ""]) / "out")
    results = {result.name: result for result in training.results}
    total: np.ndarray | None = None
    for name, weight in training.blend.weights.items():
        done = jobs.predict(
            sandbox,
            attempt / "code.py",
            folder=folder / name,
            estimators=workspace.path(results[name].folder) / "estimators.joblib",
            test=features,
            task=facts,
            limits=Limits(),
        )
        if done.test is None:
            raise UserError(_cannot(name, done.execution))
        total = weight * done.test if total is None else total + weight * done.test
    assert total is not None
    return total


def _cannot(what: str, execution: ExecutionResult) -> str:
    return f"{what} cannot work on the new rows ({execution.message}); give them the test file's columns."
