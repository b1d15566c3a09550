"""Debugging by rules: find the step that failed by the traceback or the gate's message, leave it out, write the rest."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable

from autods.reasoners.base import CodeQuestion, DebugQuestion, Try
from autods.records import GiveUp, Step

__all__ = ["blame", "debug"]

_LINE = re.compile(r"code\.py\"?,? (?:line |:)(\d+)|line (\d+) of code\.py")


def debug(question: DebugQuestion, write: Callable[[CodeQuestion], str | GiveUp]) -> str | GiveUp:
    """Write the module without every step that a try so far was blamed on.

    Parameters
    ----------
    question
        The tries so far, the latest last.
    write
        The phase's writer.

    Returns
    -------
    str or GiveUp
        The code, or why there is nothing left to leave out.
    """
    steps = list(question.plan.steps)
    for attempt in question.tries:
        culprit = blame(attempt, steps)
        if culprit is None:
            return GiveUp(f"no step of the plan can be blamed for: {attempt.execution.message or 'a failed gate'}")
        steps.remove(culprit)
    plan = dataclasses.replace(question.plan, steps=tuple(steps))
    code = write(CodeQuestion(question.phase, question.situation, plan))
    if isinstance(code, str) and code in {attempt.code for attempt in question.tries}:
        return GiveUp("leaving a step out did not change the code")
    return code


def blame(attempt: Try, steps: list[Step]) -> Step | None:
    """Name the step that a try failed on: by the failing line, else by the columns that the messages name, else the last."""
    with_tool = [step for step in steps if step.tool]
    if not with_tool:
        return None
    if not attempt.execution.ok:
        found = _LINE.findall(attempt.execution.message + "\n" + attempt.execution.stderr)
        number = int(next(filter(None, found[-1]))) if found else 0
        lines = attempt.code.splitlines()[:number]
        for line in reversed(lines):
            for step in with_tool:
                if f"{step.tool}(" in line:
                    return _of_line(line, [other for other in with_tool if other.tool == step.tool])
    text = " ".join([attempt.execution.message, *(check.message for check in attempt.gates.failures)])
    touching = [
        step for step in with_tool if any(f"{column!r}" in text or f"`{column}`" in text for column in step.columns)
    ]
    return (touching or with_tool)[-1]


def _of_line(line: str, alike: list[Step]) -> Step:
    """Of steps that call the same tool, the one whose first column the line shows."""
    return next((step for step in alike if step.columns and repr(step.columns[0]) in line), alike[0])
