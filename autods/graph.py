"""The state machine: one compiled subgraph serves all six phases; the run's graph is a line of them."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from autods.agents.attempts import load_attempt, load_solution
from autods.agents.baseline import baseline, fix_folds
from autods.agents.context import PhaseState, RunContext, RunState
from autods.agents.developer import developer
from autods.agents.execute import execute
from autods.agents.fallback import fallback
from autods.agents.gate import gate
from autods.agents.planner import planner
from autods.agents.reader import reader
from autods.agents.report import report
from autods.agents.reviewer import reviewer
from autods.agents.summarizer import summarizer
from autods.phases import PHASES, Phase, get_phase
from autods.records import Solution

__all__ = ["mermaid", "phase_graph", "run_graph", "run_phase"]


def run_phase(context: RunContext, parent: Solution, phase: Phase) -> Solution:
    """Try one phase on top of a solution; the one way to do so, wherever in the tree of solutions.

    Parameters
    ----------
    context
        The run's services.
    parent
        The accepted attempts so far.
    phase
        The phase to try.

    Returns
    -------
    Solution
        The parent with this phase's accepted attempt (or its fallback) added.
    """
    state: PhaseState = {
        "phase": phase.slug,
        "parent": parent.key,
        "iteration": 0,
        "tries": [],
        "attempt": "",
        "failure": "",
    }
    final = phase_graph().invoke(state, context=context)
    return load_solution(context, final["solution"])


@functools.cache
def phase_graph() -> Any:
    """Compile the subgraph of a phase: plan, write, execute, gate, review, summarize, with its two loops."""
    graph = StateGraph(PhaseState, context_schema=RunContext)
    for node in (reader, planner, developer, execute, gate, reviewer, fallback, summarizer):
        graph.add_node(node.__name__, node)
    graph.add_conditional_edges(START, _first, ["reader", "planner"])
    graph.add_edge("reader", "gate")
    graph.add_conditional_edges("planner", _after_answer("developer"), ["developer", "fallback"])
    graph.add_conditional_edges("developer", _after_answer("execute"), ["execute", "fallback"])
    graph.add_conditional_edges("execute", _after_execute, ["gate", "developer", "fallback"])
    graph.add_conditional_edges("gate", _after_gate, ["reviewer", "developer", "fallback"])
    graph.add_conditional_edges("reviewer", _after_review, ["summarizer", "planner", "fallback"])
    graph.add_edge("fallback", "summarizer")
    graph.add_edge("summarizer", END)
    return graph.compile()


def _first(state: PhaseState) -> str:
    return "planner" if get_phase(state["phase"]).entry_point else "reader"


def _after_answer(then: str) -> Callable[[PhaseState], str]:
    def route(state: PhaseState) -> str:
        return "fallback" if state.get("failure") else then

    return route


def _after_execute(state: PhaseState, runtime: Runtime[RunContext]) -> str:
    attempt = load_attempt(runtime.context, state["attempt"])
    return "gate" if attempt.execution and attempt.execution.ok else _debug_or_fall_back(state, runtime)


def _after_gate(state: PhaseState, runtime: Runtime[RunContext]) -> str:
    attempt = load_attempt(runtime.context, state["attempt"])
    return "reviewer" if attempt.gates is None or attempt.gates.passed else _debug_or_fall_back(state, runtime)


def _debug_or_fall_back(state: PhaseState, runtime: Runtime[RunContext]) -> str:
    spent = len(state["tries"]) > runtime.context.config.debug_attempts or runtime.context.out_of_time
    return "fallback" if spent or get_phase(state["phase"]).entry_point is None else "developer"


def _after_review(state: PhaseState, runtime: Runtime[RunContext]) -> str:
    attempt = load_attempt(runtime.context, state["attempt"])
    if attempt.review is None or attempt.review.accept:
        return "summarizer"
    spent = state["iteration"] >= runtime.context.config.iterations or runtime.context.out_of_time
    return "fallback" if spent or get_phase(state["phase"]).entry_point is None else "planner"


def _phase_node(phase: Phase) -> Any:
    def node(state: RunState, runtime: Runtime[RunContext]) -> dict[str, str]:
        context = runtime.context
        context.check_stop()
        context.tell("phase", phase=phase.slug, title=phase.title)
        context.journal.append("phase", phase=phase.slug)
        return {"solution": run_phase(context, load_solution(context, state.get("solution", "")), phase).key}

    return node


def run_graph(checkpointer: Any = None) -> Any:
    """Compile the graph of a run: background, the baselines, the phases with the folds between, the report."""
    graph = StateGraph(RunState, context_schema=RunContext)
    graph.add_node("baseline", baseline)
    graph.add_node("folds", fix_folds)
    graph.add_node("report", report)
    for phase in PHASES:
        graph.add_node(phase.slug, _phase_node(phase))
    slugs = [phase.slug for phase in PHASES]
    line = [slugs[0], "baseline", slugs[1], "folds", *slugs[2:], "report"]
    graph.add_edge(START, line[0])
    for node, following in itertools.pairwise(line):
        # The first submissions are made however little time there is.
        if following in ("baseline", "report"):
            graph.add_edge(node, following)
        else:
            graph.add_conditional_edges(node, _go_on(following), [following, "report"])
    graph.add_edge("report", END)
    return graph.compile(checkpointer=checkpointer)


def _go_on(following: str) -> Callable[[RunState, Runtime[RunContext]], str]:
    slugs = [phase.slug for phase in PHASES]

    def route(state: RunState, runtime: Runtime[RunContext]) -> str:
        context = runtime.context
        last = context.config.stop_after
        stop = last is not None and following in slugs[slugs.index(last) + 1 :]
        return "report" if stop or context.out_of_time else following

    return route


def mermaid() -> str:
    """Draw both graphs as Mermaid text: the run's, then the phase's."""
    drawn: list[str] = [graph.get_graph().draw_mermaid() for graph in (run_graph(), phase_graph())]
    return "\n".join(drawn)
