"""When a phase still fails: the last state that passed goes on, and the report says so."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from autods.agents.attempts import load_attempt, load_solution, new_attempt, update_attempt
from autods.agents.context import PhaseState, RunContext
from autods.agents.execute import execute_attempt
from autods.agents.gate import gate_attempt
from autods.errors import AutoDSError
from autods.phases import Produces, get_phase
from autods.records import Attempt, Plan, Step

__all__ = ["FALLBACK_CODE", "PhaseFailed", "fallback"]

# What each kind of phase does at the least; cleaning's default leaves frames that are clean already as they are.
FALLBACK_CODE: dict[Produces, str] = {
    "findings": '''"""No exploration: the phase's own code failed."""


def explore(train, test, task, out):
    """Return no findings."""
    return []
''',
    "frames": '''"""The vetted default: finite, complete columns and nothing else."""

from autods.tools import fill_missing_values, replace_infinite


def clean(train, test):
    """Make infinite values missing and fill what is missing."""
    train, test = replace_infinite(train, test)
    return fill_missing_values(train, test, method="auto")


engineer = clean
''',
    "candidates": '''"""The plain LightGBM alone."""

from autods.tools import Candidate, baseline_lightgbm


def candidates(task):
    """Offer the reference as the only candidate."""
    return {"baseline_lightgbm": Candidate(baseline_lightgbm(task.kind))}
''',
}


class PhaseFailed(AutoDSError):
    """A phase failed for good and `fallback=off` forbids to go on without it."""


def fallback(state: PhaseState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Take the best attempt that passed its gates, else the vetted default of the phase's kind."""
    context, phase = runtime.context, get_phase(state["phase"])
    failed = load_attempt(context, state["attempt"]) if state.get("attempt") else None
    cause = state.get("failure") or _cause(failed)
    context.journal.append("fallback", phase=phase.slug, cause=cause)
    if context.config.fallback == "off":
        n_tries = len(state.get("tries", []))
        tries = "1 try" if n_tries == 1 else f"{n_tries} tries"
        raise PhaseFailed(f"{phase.title} failed after {tries}: {cause}; run with fallback=on to go on without it.")
    passed = failed and failed.execution and failed.execution.ok and (failed.gates is None or failed.gates.passed)
    if failed and (passed or phase.produces not in FALLBACK_CODE):
        update_attempt(context, failed.folder, fallback=True, note=f"Kept, although: {cause}")
        return {"attempt": failed.folder}
    plan = Plan(phase.slug, (Step("keep to the vetted default", f"the phase's own code failed: {cause}"),))
    parent = load_solution(context, state["parent"])
    note = f"The vetted default, because: {cause}"
    attempt = new_attempt(
        context,
        phase,
        parent,
        plan,
        FALLBACK_CODE[phase.produces],
        state.get("iteration", 1),
        0,
        fallback=True,
        note=note,
    )
    attempt = execute_attempt(context, phase, parent, attempt)
    if attempt.execution and attempt.execution.ok:
        gate_attempt(context, phase, parent, attempt.folder)
    return {"attempt": attempt.folder}


def _cause(failed: Attempt | None) -> str:
    if failed is None:
        return "there was no code"
    if failed.execution and not failed.execution.ok:
        return failed.execution.message or failed.execution.status
    if failed.gates and not failed.gates.passed:
        return "; ".join(f"{check.name}: {check.message}" for check in failed.gates.failures)
    return "; ".join(failed.review.suggestions) if failed.review else "rejected"
