"""What every node of a run works with: the run's folder, journal, settings, reasoner, sandbox and clock."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypedDict

from autods.config import RunConfig
from autods.errors import RunStopped
from autods.execution.sandbox import Sandbox
from autods.journal import Journal
from autods.reasoners.base import Reasoner
from autods.records import Competition
from autods.workspace import Workspace

__all__ = ["Clock", "PhaseState", "RunContext", "RunState"]


class RunState(TypedDict, total=False):
    """The position of a run: the key of the solution so far."""

    solution: str


class PhaseState(TypedDict, total=False):
    """The position inside a phase; paths are relative to the run's folder."""

    phase: str
    parent: str
    iteration: int
    plan: str
    tries: list[str]
    attempt: str
    solution: str
    failure: str


@dataclass(frozen=True)
class Clock:
    """The wall time of a run; only the harness looks at it.

    Parameters
    ----------
    now
        A monotonic clock in seconds.
    started
        Its reading when this process began the run.
    budget_s
        The cap; None for none.
    spent_s
        Seconds that earlier processes spent on the same run.
    """

    now: Callable[[], float]
    started: float
    budget_s: float | None = None
    spent_s: float = 0.0

    def elapsed(self) -> float:
        """Seconds that the run has taken, earlier processes included."""
        return self.spent_s + self.now() - self.started

    def left(self) -> float:
        """Seconds of the budget that remain; infinite without one."""
        return float("inf") if self.budget_s is None else self.budget_s - self.elapsed()


@dataclass(frozen=True)
class RunContext:
    """The services of a run, handed to every node by LangGraph's runtime context."""

    workspace: Workspace
    journal: Journal
    config: RunConfig
    competition: Competition
    reasoner: Reasoner
    sandbox: Sandbox
    clock: Clock
    listener: Callable[[Mapping[str, Any]], None]
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def reserve_s(self) -> float:
        """Seconds of the budget kept for the blend, the audit and the reports."""
        return 0.0 if self.clock.budget_s is None else min(10.0, 0.12 * self.clock.budget_s)

    @property
    def out_of_time(self) -> bool:
        """Whether what is left of the budget is needed to finish."""
        return self.clock.left() <= self.reserve_s

    def timeout(self, limit_s: float) -> float:
        """The limit of one execution: its own, or what the budget leaves."""
        return max(0.5, min(limit_s, self.clock.left() - self.reserve_s))

    def tell(self, event: str, **facts: Any) -> None:
        """Report progress to whoever watches; the journal keeps decisions, not progress."""
        self.listener({"event": event, "elapsed_s": self.clock.elapsed(), "left_s": self.clock.left(), **facts})

    def check_stop(self) -> None:
        """Leave the run here when the person stopped it; what is finished is saved.

        Raises
        ------
        RunStopped
            After the first Ctrl-C.
        """
        if self.stop.is_set():
            raise RunStopped(
                f"The run {self.workspace.root} was stopped; go on with `autods resume {self.workspace.root}`."
            )
