"""Writes a submission, only when it is valid; the last valid one stays otherwise."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np

from autods.agents.context import RunContext
from autods.competition import build_submission, default_decision, metric_of, validate_submission, write_submission
from autods.records import Decision, Score

__all__ = ["submit", "submit_constant"]


def submit(
    context: RunContext,
    outputs: np.ndarray,
    decision: Decision,
    name: str,
    copy: Path | None = None,
    score: Score | None = None,
) -> bool:
    """Build, validate and write the submission of some test outputs.

    Parameters
    ----------
    context
        The run.
    outputs
        Predictions for the test rows, rows × outputs.
    decision
        How they become labels or values.
    name
        What made them, for people.
    copy
        Where to keep a copy that later submissions do not replace.
    score
        Their validation score, when there is one.

    Returns
    -------
    bool
        Whether it was valid and is now the run's submission.
    """
    competition = context.competition
    frame = build_submission(competition.task, competition.sample, competition.test_keys, outputs, decision)
    problems = validate_submission(frame, competition.task, competition.sample, competition.test_keys)
    context.journal.append("submission", name=name, valid=not problems, problems=problems, score=score)
    if problems:
        context.tell("note", text=f"the submission of {name} is not valid and was not taken: {problems[0]}")
        return False
    write_submission(frame, context.workspace.submission)
    if copy is not None:
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(context.workspace.submission, copy)
    context.tell("submission", text=name, name=name, score=score)
    return True


def submit_constant(context: RunContext) -> None:
    """Submit the best constant prediction: the first valid submission, as soon as the task is known."""
    competition, task = context.competition, context.competition.task
    constant = metric_of(task).best_constant(competition.y, task.kind, task.n_outputs)
    outputs = np.tile(constant, (len(competition.test), 1))
    copy = context.workspace.work / "baseline" / "constant.csv"
    submit(context, outputs, default_decision(task.kind, task.needs), "best constant", copy)
