"""The Planner: what the phase shall do, each step with its reason."""

from __future__ import annotations

import dataclasses
from typing import Any

import yaml
from langgraph.runtime import Runtime

from autods.agents.attempts import load_attempt
from autods.agents.context import PhaseState, RunContext
from autods.agents.situation import attempt_try, describe
from autods.errors import ConfigError
from autods.phases import get_phase
from autods.reasoners.base import PlanQuestion
from autods.records import GiveUp, Plan, from_json, to_json
from autods.tools.manual import group as tool_group
from autods.workspace import content_key

__all__ = ["allowed", "planner"]


def planner(state: PhaseState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Plan the phase, or plan it again with the review of what was rejected."""
    context, phase = runtime.context, get_phase(state["phase"])
    iteration = state.get("iteration", 0) + 1
    context.check_stop()
    context.tell("agent", phase=phase.slug, agent="planner", doing="plans", iteration=iteration)
    rejected = load_attempt(context, state["attempt"]) if state.get("attempt") else None
    question = PlanQuestion(
        phase=phase,
        situation=describe(context, state),
        iteration=iteration,
        rejected=attempt_try(context, rejected) if rejected else None,
        review=rejected.review if rejected else None,
    )
    plan = _given_plan(context, phase.slug) or context.reasoner.plan(question)
    if isinstance(plan, GiveUp):
        return {"failure": plan.reason, "iteration": iteration, "tries": []}
    plan = allowed(plan, context.config.tools)
    path = context.workspace.work / "plans" / f"{phase.slug}-{content_key(plan)}.json"
    context.workspace.save(path, plan)
    context.journal.append(
        "planned", phase=phase.slug, iteration=iteration, plan=context.workspace.relative(path), steps=len(plan.steps)
    )
    return {"plan": context.workspace.relative(path), "iteration": iteration, "tries": [], "failure": ""}


def allowed(plan: Plan, setting: str) -> Plan:
    """Leave out the steps whose tools the setting `tools` rules out; explorations look at all times.

    Examples
    --------
    >>> from autods.records import Step
    >>> plan = Plan("feature_engineering", (Step("ratios", "strong", tool="ratios"), Step("keep", "nothing new")))
    >>> [step.action for step in allowed(plan, "cleaning").steps]
    ['keep']
    """
    if setting == "all":
        return plan
    groups = {"explore", *setting.split(",")}
    steps = tuple(step for step in plan.steps if step.tool is None or tool_group(step.tool) in groups)
    return dataclasses.replace(
        plan, steps=steps, obeyed=(*plan.obeyed, f"tools = {setting}: no other tools were used.")
    )


def _given_plan(context: RunContext, slug: str) -> Plan | None:
    path = context.config.plan.get(slug)
    if path is None:
        return None
    try:
        fields = yaml.safe_load(path.read_text(encoding="utf-8"))
        plan = from_json(Plan, to_json({"phase": slug, "author": "person", **fields}))
    except (OSError, ValueError, TypeError, yaml.YAMLError) as error:
        cause = " ".join(str(error).split())
        raise ConfigError(
            f"The plan {path} for {slug} cannot be read ({cause}); it is YAML or JSON with `steps:`, each with action and because."
        ) from None
    return Plan(
        plan.phase, plan.steps, plan.intent, (*plan.obeyed, f"the plan of {path.name} was taken as given"), "person"
    )
