"""`doctor`: does everything that a run needs work on this machine?"""

from __future__ import annotations

import functools
import platform
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import typer

from autods.errors import AutoDSError

__all__ = ["COMMANDS", "doctor"]

ROWS = 120


def doctor() -> None:
    """Run the real path end to end on a tiny input: sandbox, gates, every estimator; say what is missing."""
    from rich.console import Console

    console, healthy = Console(), True
    for name, check in _checks():
        started = time.monotonic()
        try:
            mark, text = "[green]✔[/green]", check()
        except (AutoDSError, ImportError, ValueError, RuntimeError, OSError) as error:
            healthy, mark, text = False, "[red]✘[/red]", str(error)
        console.print(f"{mark} {name:22} {text} [dim]({time.monotonic() - started:.1f} s)[/dim]", highlight=False)
    raise typer.Exit(0 if healthy else 1)


def _checks() -> Iterator[tuple[str, Callable[[], str]]]:
    yield "python", _python
    yield "libraries", _libraries
    yield "isolation", _isolation
    yield "sandbox", _sandbox
    for name in _estimators():
        yield name, functools.partial(_fits, name)
    yield "a whole run", _whole_run


def _python() -> str:
    from autods.config import available_cores

    return f"{platform.python_version()} on {platform.system()} {platform.machine()}, {available_cores()} cores"


def _libraries() -> str:
    from autods.workspace import library_versions

    return ", ".join(f"{name} {version}" for name, version in library_versions().items())


def _isolation() -> str:
    from autods.execution.isolation import available_layers

    return ", ".join(available_layers())


def _sandbox() -> str:
    from autods.execution.sandbox import Sandbox

    with tempfile.TemporaryDirectory() as scratch, Sandbox() as sandbox:
        script = Path(scratch) / "hello.py"
        script.write_text("print('hello')", encoding="utf-8")
        result = sandbox.run(script, folder=Path(scratch) / "job")
    if result.stdout.strip() != "hello":
        raise AutoDSError(
            f"the sandbox did not run a script: {result.status}: {result.message or result.stderr[-200:]}"
        )
    return "runs a script and reads its output"


def _estimators() -> tuple[str, ...]:
    return (
        "lightgbm",
        "xgboost",
        "catboost",
        "random_forest",
        "extra_trees",
        "linear",
        "svm",
        "k_nearest_neighbors",
        "neural_network",
    )


def _tiny() -> Any:
    import numpy as np
    import pandas as pd

    draw = np.random.default_rng(0)
    x, city = draw.normal(size=ROWS), draw.choice(["Oslo", "Rome", "Lima"], ROWS)
    y = np.where(x + (city == "Rome") + 0.5 * draw.normal(size=ROWS) > 0, "yes", "no")
    return pd.DataFrame({"id": range(ROWS), "x": x, "city": city, "y": y})


def _fits(name: str) -> str:
    from autods import tools

    frame = _tiny()
    try:
        estimator = getattr(tools, name)("binary")
        estimator.fit(frame[["x", "city"]], (frame["y"] == "yes").astype(int))
    except ImportError as error:
        return f"[yellow]not installed[/yellow]: {error}"
    accuracy = ((estimator.predict_proba(frame[["x", "city"]])[:, 1] > 0.5) == (frame["y"] == "yes")).mean()
    if accuracy < 0.6:
        raise AutoDSError(f"fits, but its accuracy on its own training rows is only {accuracy:.2f}")
    return "fits and predicts"


def _whole_run() -> str:
    import autods

    with tempfile.TemporaryDirectory() as scratch:
        finished = autods.run(_tiny(), target="y", effort="quick", progress="none", output=Path(scratch))
        attempts, rows = finished.attempts, len(finished.submission)
    failed = attempts[~attempts["accepted"]]
    if len(failed) or not rows:
        raise AutoDSError(f"the run did not pass every gate: {failed[['phase', 'status', 'gates']].to_dict('records')}")
    gates = int(attempts["gates"].str.partition("/")[0].astype(int).sum())
    return f"six phases accepted, {gates} gates passed, {rows} rows predicted"


COMMANDS = (doctor,)
