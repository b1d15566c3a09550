"""The façade: start, resume, read and use a run."""

from __future__ import annotations

import contextlib
import datetime
import signal
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autods.competition import read_competition
from autods.config import RunConfig, load_config
from autods.errors import CompetitionError, ConfigError, RunNotFoundError, nearest
from autods.journal import Journal
from autods.progress import Mode, watch
from autods.records import Attempt, Competition, Score, Training
from autods.workspace import Workspace, content_key, find_run, library_versions

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Report", "Run", "find_competition", "resume", "run"]


class Report(str):
    """A report's Markdown; notebooks render it."""

    __slots__ = ()

    def _repr_markdown_(self) -> str:
        return str(self)


@dataclass(frozen=True)
class Run:
    """A finished or stopped run, read from its folder.

    Attributes
    ----------
    path
        The run's folder.
    """

    path: Path

    @property
    def submission(self) -> pd.DataFrame:
        """The submission as text, ids and labels as they are in the file."""
        import pandas as pd

        return pd.read_csv(self.path / "submission.csv", dtype=str, keep_default_na=False)

    @property
    def training(self) -> Training | None:
        """All candidates, the blend, the constant and the baseline; None when the modeling phase was not reached."""
        from autods.records import from_json

        found = sorted(
            (self.path / "work" / "attempts").glob("modeling-*/out/training.json"),
            key=lambda path: path.stat().st_mtime,
        )
        return from_json(Training, found[-1].read_bytes()) if found else None

    @property
    def validation_score(self) -> Score | None:
        """The harness's honest score of what was submitted, with its standard error."""
        training = self.training
        return None if training is None else training.blend.score if training.blend else training.baseline

    @property
    def solution(self) -> str:
        """The source of `solution.py`, which re-creates the submission."""
        return (self.path / "solution.py").read_text(encoding="utf-8")

    @property
    def attempts(self) -> pd.DataFrame:
        """All attempts: a row each with phase, iteration, number, status, gates, review and probe score."""
        import pandas as pd

        workspace = Workspace(self.path)
        paths = sorted((workspace.work / "attempts").glob("*/attempt.json"), key=lambda path: path.stat().st_mtime)
        rows = [_attempt_row(workspace.load(Attempt, path)) for path in paths]
        return pd.DataFrame(
            rows,
            columns=[
                "phase",
                "iteration",
                "number",
                "status",
                "gates",
                "accepted",
                "fallback",
                "probe",
                "wall_s",
                "folder",
            ],
        )

    def report(self, phase: str | None = None) -> Report:
        """Read the whole report, or one phase's by slug."""
        if phase is None:
            return Report((self.path / "report.md").read_text(encoding="utf-8"))
        found = sorted(self.path.glob(f"0?_{phase}.md"))
        if not found:
            raise RunNotFoundError(
                f"There is no report on {phase!r}; {nearest(phase, [p.stem[3:] for p in self.path.glob('0?_*.md')])}"
            )
        return Report(found[0].read_text(encoding="utf-8"))

    def predict(self, new: pd.DataFrame) -> pd.DataFrame:
        """Predict new rows with the fitted candidates of the final blend, in the submission's form."""
        from autods.prediction import predict

        return predict(Workspace(self.path), new)

    def resume(self, **overrides: Any) -> Run:
        """Go on where the run was stopped."""
        return resume(self.path, **overrides)

    def _repr_markdown_(self) -> str:
        return (self.path / "report.md").read_text(encoding="utf-8")


def _attempt_row(attempt: Attempt) -> dict[str, Any]:
    checks = [check for check in attempt.gates.checks if check.outcome != "skipped"] if attempt.gates else []
    return {
        "phase": attempt.phase,
        "iteration": attempt.iteration,
        "number": attempt.number,
        "status": attempt.execution.status if attempt.execution else "written",
        "gates": f"{sum(check.outcome in ('passed', 'warned') for check in checks)}/{len(checks)}",
        "accepted": bool(attempt.review and attempt.review.accept),
        "fallback": attempt.fallback,
        "probe": attempt.probe.value if attempt.probe else None,
        "wall_s": attempt.execution.wall_s if attempt.execution else None,
        "folder": attempt.folder,
    }


def find_competition(name: str | Path) -> Path:
    """Find a competition's folder: a path, or a name below competitions/.

    Raises
    ------
    CompetitionError
        When there is none; the message offers the nearest names.
    """
    for path in (Path(name), Path("competitions") / name):
        if path.is_dir():
            return path.resolve()
    known = [path.name for path in Path("competitions").glob("*") if path.is_dir()]
    raise CompetitionError(
        f"There is no competition {str(name)!r}: give a folder's path or a name below competitions/; {nearest(str(name), known)}"
    )


def run(
    competition: str | Path | pd.DataFrame,
    *,
    target: str | list[str] | None = None,
    test: pd.DataFrame | None = None,
    metric: str | None = None,
    budget: str | float | None = None,
    memory: str | int | None = None,
    effort: str | None = None,
    seed: int | None = None,
    progress: Mode = "auto",
    **settings: Any,
) -> Run:
    """Take a competition through the six phases to a validated submission, six reports and a solution.

    Parameters
    ----------
    competition
        A folder's path, a name below competitions/, or a frame with `target` given.
    target, test, metric
        For a frame: the target column(s), the rows to predict (30 % are held out when absent), the metric.
    budget
        The cap on wall time (`"2m"`); none by default.
    memory
        The cap on memory (`"8g"`).
    effort
        `quick`, `standard` (default) or `thorough`: how much work.
    seed
        The seed of everything; 0 by default.
    progress
        How to show the run; `auto` chooses.
    **settings
        Any other field of `RunConfig`, such as `instructions="…"`, `rules={…}`, `stop_after="cleaning"`.

    Returns
    -------
    Run
        The finished run.

    Raises
    ------
    CompetitionError
        When the competition cannot be predicted.
    ConfigError
        When a setting is unknown or out of range.
    RunStopped
        After Ctrl-C.
    """
    started = time.monotonic()
    if isinstance(competition, str | Path):
        folder = find_competition(competition)
    else:
        folder = Path(tempfile.mkdtemp(prefix="autods-")) / "frame"
        from autods.competition import competition_from_frame

        competition_from_frame(competition, target, folder, test=test, metric=metric)
    overrides = {"budget_s": budget, "memory_mb": memory, "effort": effort, "seed": seed, **settings}
    _check_files(load_config({}, {}, **overrides))
    with _start_sandbox(str(settings.get("isolation", "auto"))) as sandbox:
        read = read_competition(folder)
        config = load_config(read.settings, **overrides)
        workspace = Workspace.create(config.output, read.task.name, datetime.datetime.now())
        journal = Journal(workspace.work / "journal.jsonl", time.time)
        facts = {
            "competition": folder,
            "fingerprint": read.fingerprint,
            "config": config.model_dump(mode="json"),
            "versions": library_versions(),
        }
        with workspace.locked():
            journal.append("started", **facts)
            return _drive(workspace, journal, config, read, sandbox, progress, started, spent_s=0.0)


def _check_files(config: RunConfig) -> None:
    """Refuse a plan or code that is not there before the run begins, not when its phase does."""
    for option, given in (("plan", config.plan), ("code", config.code)):
        for slug, path in given.items():
            if not path.is_file():
                raise ConfigError(
                    f"There is no file {path} to take the {option} of {slug} from; give the path of one that exists."
                )


def resume(
    reference: str | Path | None = None,
    *,
    output: str | Path = "reports",
    budget: str | float | None = None,
    progress: Mode = "auto",
    **settings: Any,
) -> Run:
    """Go on with a run that was stopped or killed; what is finished is looked up, not done again.

    With other settings than the run had, such as a larger `budget` or `code={"cleaning": path}`, it is walked again
    from the start: what the settings leave as it was is looked up, the rest is made anew.

    Parameters
    ----------
    reference
        The run's folder, its run-id, its competition (the latest run), or None for the newest run of all.
    output
        The folder that runs are written to.
    budget
        A new cap on the run's whole wall time.
    progress
        How to show the run.
    **settings
        Fields of `RunConfig` to change from here on.

    Raises
    ------
    RunNotFoundError
        When there is no such run or another process holds it.
    CompetitionError
        When the competition's files have changed since.
    """
    started = time.monotonic()
    workspace = find_run(reference, Path(output))
    journal = Journal(workspace.work / "journal.jsonl", time.time)
    facts = journal.events("started")[0]
    config = load_config(journal.latest("config"), {}, budget_s=budget, **settings)
    with workspace.locked(), _start_sandbox(config.isolation) as sandbox:
        read = read_competition(Path(facts["competition"]))
        if read.fingerprint != facts["fingerprint"]:
            raise CompetitionError(
                f"The files in {facts['competition']} have changed since the run began; restore them, or start anew with `autods run`."
            )
        changed = [
            f"{name} {old} → {library_versions().get(name)}"
            for name, old in facts["versions"].items()
            if library_versions().get(name) != old
        ]
        spent_s = journal.active_s("started", "resumed")
        journal.append("resumed", changed_versions=changed, config=config.model_dump(mode="json"))
        return _drive(workspace, journal, config, read, sandbox, progress, started, spent_s)


@contextlib.contextmanager
def _start_sandbox(isolation: str) -> Iterator[Any]:
    from autods.execution.sandbox import Sandbox

    with Sandbox(isolation) as sandbox:  # type: ignore[arg-type]
        yield sandbox


def _drive(
    workspace: Workspace,
    journal: Journal,
    config: RunConfig,
    competition: Competition,
    sandbox: Any,
    progress: Mode,
    started: float,
    spent_s: float,
) -> Run:
    from autods.agents.context import Clock, RunContext
    from autods.reasoners.rules import RuleReasoner

    clock = Clock(time.monotonic, started, config.budget_s, spent_s)
    with watch(progress) as listener:
        context = RunContext(workspace, journal, config, competition, RuleReasoner(), sandbox, clock, listener)
        with _stop_on_interrupt(context.stop, sandbox.close):
            try:
                _walk(context)
            except Exception:
                if not context.stop.is_set():
                    raise
                context.check_stop()
            finally:
                journal.append("paused")
    return Run(workspace.root)


def _walk(context: Any) -> None:
    from langgraph.checkpoint.sqlite import SqliteSaver

    from autods.graph import run_graph

    with contextlib.closing(
        sqlite3.connect(context.workspace.work / "graph.sqlite", check_same_thread=False)
    ) as connection:
        connection.execute("pragma journal_mode=wal")
        connection.execute("pragma synchronous=normal")
        app = run_graph(SqliteSaver(connection))
        # Other settings are another walk over the same artifacts.
        walk = content_key(context.config.model_dump(mode="json"))
        position = {"configurable": {"thread_id": walk}, "recursion_limit": 500}
        state = app.get_state(position)
        first: dict[str, Any] | None = None if state.created_at else {"solution": ""}
        app.invoke(first, position, context=context, durability="sync")


@contextlib.contextmanager
def _stop_on_interrupt(stop: threading.Event, kill_children: Callable[[], None]) -> Iterator[None]:
    """The first Ctrl-C ends the children and lets the run stop at what is saved; the second is Python's own."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def handle(number: int, frame: Any) -> None:
        stop.set()
        kill_children()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
