"""Shows a run as it goes: a live table on a terminal, plain lines elsewhere, a live picture without widgets in notebooks."""

from __future__ import annotations

import contextlib
import html
import importlib
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from autods.phases import PHASES
from autods.records import Score

__all__ = ["Board", "Listener", "Mode", "format_score", "format_seconds", "watch"]

Listener = Callable[[Mapping[str, Any]], None]
Mode = Literal["auto", "live", "lines", "notebook", "none"]


def format_seconds(seconds: float) -> str:
    """Write a duration for people.

    Examples
    --------
    >>> format_seconds(75.2), format_seconds(4)
    ('1m15s', '4s')
    """
    minutes, rest = divmod(round(max(seconds, 0)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}h{minutes:02d}m" if hours else f"{minutes}m{rest:02d}s" if minutes else f"{rest}s"


def format_score(score: Score | None) -> str:
    """Write a score with its standard error.

    Examples
    --------
    >>> format_score(Score(0.83156, 0.0123, (), "accuracy", True))
    'accuracy 0.8316 ± 0.0123'
    """
    return "–" if score is None else f"{score.metric} {score.value:.4f} ± {score.standard_error:.4f}"


@dataclass
class Board:
    """What there is to show, kept up to date by the run's events."""

    headlines: dict[str, str] = field(default_factory=dict)
    phase: str = ""
    doing: str = ""
    elapsed_s: float = 0.0
    left_s: float = float("inf")
    best: Score | None = None
    best_name: str = ""
    submission: str = ""

    def update(self, event: Mapping[str, Any]) -> str | None:
        """Take in one event; return the line that is worth keeping, if any."""
        self.elapsed_s, self.left_s = (
            float(event.get("elapsed_s", self.elapsed_s)),
            float(event.get("left_s", self.left_s)),
        )
        kind = event["event"]
        if kind == "phase":
            self.phase, self.doing = str(event["phase"]), ""
            return f"▸ {event['title']}"
        if kind == "phase_done":
            self.headlines[str(event["phase"])] = str(event["headline"])
            return f"  {event['headline']}"
        if kind == "submission":
            self.submission = str(event["text"])
            self.best, self.best_name = event.get("score") or self.best, str(event.get("name", self.best_name))
            return f"  submission.csv: {event['text']}" + (
                f" ({format_score(event['score'])})" if event.get("score") else ""
            )
        if kind == "note":
            return f"  {event['text']}"
        if kind == "candidate":
            self.doing = f"{event['name']} {format_score(event.get('score'))}"
            return f"    {event['name']}: {format_score(event.get('score')) if event.get('score') else event.get('text', '')}"
        self.doing = f"{event.get('agent', '')} {event.get('doing', '')}".strip()
        return None

    @property
    def clock(self) -> str:
        """Elapsed time, and what is left of the budget."""
        left = "" if self.left_s == float("inf") else f", {format_seconds(self.left_s)} left"
        return f"{format_seconds(self.elapsed_s)}{left}"

    def rows(self) -> list[tuple[str, str, str]]:
        """One row a phase: mark, title, and what is known or being done."""
        rows = []
        for phase in PHASES:
            done, now = phase.slug in self.headlines, phase.slug == self.phase
            mark = "✔" if done else "▸" if now else "·"
            rows.append((mark, phase.title, self.headlines.get(phase.slug, self.doing if now else "")))
        return rows


@contextlib.contextmanager
def watch(mode: Mode = "auto") -> Iterator[Listener]:
    """Open a display and give the listener that feeds it."""
    chosen = _choose() if mode == "auto" else mode
    board, lock = Board(), threading.Lock()
    with _VIEWS[chosen](board) as show:

        def listen(event: Mapping[str, Any]) -> None:
            with lock:
                show(board.update(event))

        yield listen


def _choose() -> Mode:
    shell = sys.modules.get("IPython")
    if shell is not None and getattr(shell.get_ipython(), "kernel", None) is not None:
        return "notebook"
    return "live" if sys.stderr.isatty() else "lines"


@contextlib.contextmanager
def _live(board: Board) -> Iterator[Callable[[str | None], None]]:
    from rich.console import Console, Group
    from rich.live import Live
    from rich.table import Table
    from rich.text import Text

    def picture() -> Group:
        table = Table.grid(padding=(0, 1), expand=False)
        for mark, title, text in board.rows():
            table.add_row(
                mark,
                Text(title, style="bold" if mark == "▸" else ""),
                Text(text, style="dim" if mark == "✔" else "", no_wrap=True, overflow="ellipsis"),
            )
        return Group(table, Text(f"{board.clock}  ·  best {format_score(board.best)} {board.best_name}", style="cyan"))

    with Live(get_renderable=picture, console=Console(stderr=True), refresh_per_second=4):
        yield lambda line: None


@contextlib.contextmanager
def _lines(board: Board) -> Iterator[Callable[[str | None], None]]:
    def show(line: str | None) -> None:
        if line is not None:
            sys.stderr.write(f"[{board.clock}] {line}\n")
            sys.stderr.flush()

    yield show


@contextlib.contextmanager
def _notebook(board: Board) -> Iterator[Callable[[str | None], None]]:
    display_module: Any = importlib.import_module("IPython.display")

    def picture() -> Any:
        rows = "".join(
            f"<tr><td>{m}</td><td><b>{t}</b></td><td style='text-align:left'>{html.escape(x)}</td></tr>"
            for m, t, x in board.rows()
        )
        return display_module.HTML(
            f"<table>{rows}</table><p>{board.clock} · best {html.escape(format_score(board.best))} {html.escape(board.best_name)}</p>"
        )

    handle = display_module.display(picture(), display_id=True)
    yield lambda line: handle.update(picture())


@contextlib.contextmanager
def _none(board: Board) -> Iterator[Callable[[str | None], None]]:
    yield lambda line: None


_VIEWS = {"live": _live, "lines": _lines, "notebook": _notebook, "none": _none}
