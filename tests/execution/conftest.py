"""One warm sandbox for all tests of execution, and ways to run a few lines in it."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from autods.execution.sandbox import Sandbox
from autods.records import ExecutionResult

Run = Callable[..., ExecutionResult]


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def fresh_sandbox() -> Iterator[Sandbox]:
    with Sandbox(warm=False) as sandbox:
        yield sandbox


@pytest.fixture(params=["warm", "fresh"])
def either(request: pytest.FixtureRequest) -> Sandbox:
    """Both ways to start a job must mean the same."""
    sandbox: Sandbox = request.getfixturevalue("sandbox" if request.param == "warm" else "fresh_sandbox")
    return sandbox


def runner_of(sandbox: Sandbox, folder: Path) -> Run:
    def run(code: str, **options: Any) -> ExecutionResult:
        script = folder / "code.py"
        script.write_text(textwrap.dedent(code), encoding="utf-8")
        return sandbox.run(script, folder=folder / "job", **options)

    return run


@pytest.fixture
def run(sandbox: Sandbox, tmp_path: Path) -> Run:
    """Run some lines in the warm sandbox."""
    return runner_of(sandbox, tmp_path)


@pytest.fixture
def run_either(either: Sandbox, tmp_path: Path) -> Run:
    """Run some lines in a warm fork and in a fresh interpreter."""
    return runner_of(either, tmp_path)
