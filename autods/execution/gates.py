"""Run a phase's gates, ours and the person's, each in a process of its own; whatever happens there becomes a report."""

from __future__ import annotations

import contextlib
import importlib.resources
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autods.execution.limits import Limits
from autods.execution.sandbox import Sandbox
from autods.phases import PHASES, Phase
from autods.records import ExecutionResult, GateCheck, GateReport

__all__ = ["gate_files", "run_gates"]

_RUNNER = "autods.execution.gate_runner"


def run_gates(
    context_folder: Path, phase: Phase, *, sandbox: Sandbox, extra: Path | None = None, limits: Limits | None = None
) -> GateReport:
    """Judge what a phase left.

    Parameters
    ----------
    context_folder
        A folder that `write_context` wrote; the gates write their reports into it.
    phase
        The phase; its gates are `autods/unit_tests/test_<slug>.py`.
    sandbox
        Where they run: reading artifacts only, writing nothing but the report.
    extra
        The competition's own `unit_tests/`, when it has any; see `gate_files`.
    limits
        What each of the processes may use; two minutes when None.

    Returns
    -------
    GateReport
        One check a gate. A process that crashes, hangs or runs no gate is a failed check.
    """
    start = time.monotonic()
    limits = limits or Limits(timeout_s=120)
    own = Path(str(importlib.resources.files("autods.unit_tests")))
    checks = _run(context_folder, "gates", own, [own / f"test_{phase.slug}.py"], sandbox, limits)
    theirs = gate_files(extra, phase) if extra is not None else []
    if extra is not None and theirs:
        checks += _run(context_folder, "extra_gates", extra.resolve(), theirs, sandbox, limits)
    return GateReport(phase.slug, tuple(checks), time.monotonic() - start)


def gate_files(folder: Path, phase: Phase) -> list[Path]:
    """List a person's gate files for a phase: `test_<slug>*.py`; files named for no phase are run with the last one.

    Examples
    --------
    >>> import tempfile
    >>> from autods.phases import get_phase
    >>> folder = Path(tempfile.mkdtemp())
    >>> for name in ("test_cleaning_ages.py", "test_prices.py"):
    ...     (folder / name).touch()
    >>> [path.name for path in gate_files(folder, get_phase("cleaning"))]
    ['test_cleaning_ages.py']
    >>> [path.name for path in gate_files(folder, get_phase("modeling"))]
    ['test_prices.py']
    """
    files = sorted(folder.glob("test_*.py"))
    named = {path: other for path in files for other in PHASES if path.stem.startswith(f"test_{other.slug}")}
    return [path for path in files if named.get(path, PHASES[-1]) == phase]


def _run(
    context_folder: Path, name: str, root: Path, files: Sequence[Path], sandbox: Sandbox, limits: Limits
) -> list[GateCheck]:
    folder = context_folder.resolve()
    report = folder / f"{name}.jsonl"
    report.unlink(missing_ok=True)
    arguments = [str(part) for part in (folder, report, root, *(path.resolve() for path in files))]
    result = sandbox.run(_RUNNER, arguments, folder=folder, limits=limits, readable=[root, *_artifacts(folder)])
    return _read_report(report, files, result)


def _artifacts(folder: Path) -> list[Path]:
    """List the files that the gates of a context may read."""
    context = json.loads((folder / "context.json").read_text(encoding="utf-8"))
    named = [*context["paths"].values(), *filter(None, [context["task"].get("custom_metric")])]
    return [path for path in map(Path, named) if path.exists()]


def _read_report(report: Path, files: Sequence[Path], result: ExecutionResult) -> list[GateCheck]:
    lines: list[dict[str, Any]] = []
    if report.exists():
        # A process that was killed while it wrote leaves half a line.
        with contextlib.suppress(ValueError):
            for line in report.read_text(encoding="utf-8").splitlines():
                lines.append(json.loads(line))
    checks = [GateCheck(**line) for line in lines if "name" in line]
    names = ", ".join(path.name for path in files)
    problem = ""
    if not result.ok or not lines or "finished" not in lines[-1]:
        after = f" after {checks[-1].name}" if checks else ""
        problem = (
            f"The process that runs {names} did not come to its end{after}: {result.message or result.stdout[-500:]}"
        )
    elif not checks:
        problem = f"{names} holds no gate; a gate is a function whose name starts with test_."
    if problem:
        checks.append(GateCheck("gates_ran", "Every gate gives a verdict.", "failed", problem, result.wall_s))
    return checks
