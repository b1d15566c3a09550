"""What many tests share: a tiny competition, one finished run of it, and the command line as a function."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

ROWS = 90
# Few and quick, but two of them, so that there is something to blend.
QUICK = {"effort": "quick", "progress": "none", "rules": {"estimators": ["linear", "extra_trees"]}}


def pytest_configure(config: pytest.Config) -> None:
    """Know the mark of the gates, which tests import."""
    config.addinivalue_line("markers", "warn: a gate that warns instead of failing")


def make_frame(rows: int = ROWS, seed: int = 0) -> pd.DataFrame:
    draw = np.random.default_rng(seed)
    x, city = draw.normal(size=rows), draw.choice(["Oslo", "Rome", "Lima"], rows)
    age = np.where(draw.random(rows) < 0.2, np.nan, draw.integers(1, 80, rows))
    y = np.where(x + (city == "Rome") + 0.4 * draw.normal(size=rows) > 0, "yes", "no")
    return pd.DataFrame({"id": np.arange(rows) + 1000, "x": x.round(4), "age": age, "city": city, "y": y})


@pytest.fixture(scope="session")
def tiny_frame() -> pd.DataFrame:
    """Labelled rows with an id, a gap, a category and a target `y` of words."""
    return make_frame()


@pytest.fixture(scope="session")
def tiny(tmp_path_factory, tiny_frame) -> Any:
    """A competition's folder and its hidden answers; tests do not write there."""
    from autods.competition import competition_from_frame

    return competition_from_frame(
        tiny_frame, "y", tmp_path_factory.mktemp("competitions") / "tiny", metric="accuracy", id="id"
    )


@pytest.fixture
def competition(tiny, tmp_path) -> Path:
    """A copy of the tiny competition that a test may change."""
    import shutil

    return Path(shutil.copytree(tiny.folder, tmp_path / "tiny"))


@pytest.fixture(scope="session")
def quick() -> dict[str, Any]:
    """The settings of a run that is over soon."""
    return dict(QUICK)


@pytest.fixture(scope="session")
def finished(tiny, tmp_path_factory) -> Any:
    """One finished run of the tiny competition; tests only read it."""
    import autods

    return autods.run(tiny.folder, output=tmp_path_factory.mktemp("reports"), **QUICK)


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Any]:
    """One sandbox, its warm server started once, for all tests that only need one that works."""
    from autods.execution.sandbox import Sandbox

    with Sandbox() as started:
        yield started


@pytest.fixture
def warm(sandbox, monkeypatch) -> None:
    """Let the runs and predictions of a test share the sandbox that is warm already, instead of each starting its own."""
    monkeypatch.setattr("autods.runs._start_sandbox", lambda isolation: contextlib.nullcontext(sandbox))
    monkeypatch.setattr("autods.prediction.Sandbox", lambda: contextlib.nullcontext(sandbox))


@pytest.fixture
def finished_copy(finished, tmp_path) -> Any:
    """A copy of the finished run that a test may change."""
    import shutil

    import autods

    return autods.Run(Path(shutil.copytree(finished.path, tmp_path / "copy", symlinks=True)))


@pytest.fixture(scope="session")
def problems() -> Callable[[Path, Path], tuple[str, ...]]:
    """Say what is wrong with a submission for a competition's folder; nothing, when it is valid."""
    from autods.competition import read_competition, validate_submission

    def judge(submission: Path, folder: Path) -> tuple[str, ...]:
        read = read_competition(folder)
        frame = pd.read_csv(submission, dtype=str, keep_default_na=False)
        return tuple(validate_submission(frame, read.task, read.sample, read.test_keys))

    return judge


@dataclass(frozen=True)
class Outcome:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str


@pytest.fixture
def cli(capsys) -> Callable[..., Outcome]:
    """Call the command line in this process."""
    from autods.cli import main

    def call(*arguments: object) -> Outcome:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return Outcome(int(ended.value.code or 0), said.out, said.err)

    return call


@pytest.fixture
def execute_notebook() -> Callable[[Path, Path], None]:
    """Run a notebook's cells in a folder; skip where Jupyter is not installed."""
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")

    def execute(path: Path, folder: Path) -> None:
        notebook = nbformat.read(path, as_version=4)
        nbclient.NotebookClient(notebook, timeout=900, resources={"metadata": {"path": str(folder)}}).execute()

    return execute
