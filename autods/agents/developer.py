"""The Developer: writes the phase's module; when it failed, writes it so that it passes."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from autods.agents.attempts import load_attempt, load_solution, new_attempt
from autods.agents.context import PhaseState, RunContext
from autods.agents.situation import attempt_try, describe
from autods.errors import ConfigError
from autods.phases import get_phase
from autods.reasoners.base import CodeQuestion, DebugQuestion, Try
from autods.records import GiveUp, Plan

__all__ = ["developer"]


def developer(state: PhaseState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Write the code of the plan at first, then debug it try by try."""
    context, phase = runtime.context, get_phase(state["phase"])
    context.check_stop()
    plan = context.workspace.load(Plan, context.workspace.path(state["plan"]))
    tries = tuple(attempt_try(context, load_attempt(context, folder)) for folder in state["tries"])
    context.tell(
        "agent", phase=phase.slug, agent="developer", doing="debugs" if tries else "writes", number=len(tries) + 1
    )
    situation = describe(context, state)
    given = _given_code(context, phase.slug) if not tries else None
    if given is not None:
        code: str | GiveUp = given
    elif not tries:
        code = context.reasoner.write(CodeQuestion(phase, situation, plan))
    else:
        afresh = _alike(tries[-context.config.regenerate_after :], context.config.regenerate_after)
        code = context.reasoner.debug(DebugQuestion(phase, situation, plan, tries, afresh))
    if isinstance(code, GiveUp):
        return {"failure": code.reason}
    parent = load_solution(context, state["parent"])
    attempt = new_attempt(context, phase, parent, plan, code, state["iteration"], len(tries) + 1)
    context.journal.append(
        "attempted", phase=phase.slug, attempt=attempt.folder, iteration=attempt.iteration, number=attempt.number
    )
    return {"attempt": attempt.folder, "tries": [*state["tries"], attempt.folder], "failure": ""}


def _given_code(context: RunContext, slug: str) -> str | None:
    path = context.config.code.get(slug)
    try:
        return path.read_text(encoding="utf-8") if path else None
    except OSError as error:
        raise ConfigError(
            f"The code {path} for {slug} cannot be read: {error.strerror}; give the path of a Python module."
        ) from None


def _alike(tries: tuple[Try, ...], regenerate_after: int) -> bool:
    """Whether the last tries all failed the same way, so that another small fix is not worth trying."""
    causes = {t.execution.message or ",".join(check.name for check in t.gates.failures) for t in tries}
    return len(tries) >= regenerate_after and len(causes) == 1
