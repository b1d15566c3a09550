"""Fixtures that load a phase's artifacts for the gates.

A gate asks for what it judges by name: `def test_ages(after: Pair, plan: Plan) -> None`. What it cannot find, it fails.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

from autods.records import Folds, Plan, Score, Task, Training
from autods.tools import Finding
from autods.unit_tests.artifacts import Artifacts, Fit, Pair
from autods.unit_tests.reporting import Reporter

if TYPE_CHECKING:
    from autods.profiling import Profile


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take the context folder and the report's path."""
    parser.addoption("--context", type=Path, help="the gate context folder, which holds context.json")
    parser.addoption("--report", type=Path, help="where to write one JSON line a gate")


def pytest_configure(config: pytest.Config) -> None:
    """Report what the gates say."""
    config.addinivalue_line("markers", "warn: what this gate finds is odd but may be legitimate")
    if config.getoption("--report") is not None:
        config.pluginmanager.register(Reporter(config.getoption("--report")), "autods-gates")


@pytest.fixture(scope="session")
def artifacts(request: pytest.FixtureRequest) -> Artifacts:
    """All artifacts of the context folder."""
    return Artifacts(request.config.getoption("--context"))


@pytest.fixture(scope="session")
def task(artifacts: Artifacts) -> Task:
    """What is asked."""
    return artifacts.task


@pytest.fixture(scope="session")
def plan(artifacts: Artifacts) -> Plan:
    """The phase's plan, with its declared intent."""
    return artifacts.plan


@pytest.fixture(scope="session")
def rules(artifacts: Artifacts) -> Mapping[str, Any]:
    """The person's typed rules."""
    return artifacts.rules


@pytest.fixture(scope="session")
def scores(artifacts: Artifacts) -> Mapping[str, Score]:
    """Scores by name: probe_before, probe_after, constant, baseline."""
    return artifacts.scores


@pytest.fixture(scope="session")
def hashes(artifacts: Artifacts) -> Mapping[str, str]:
    """SHA-256 of files by path key, as the run wrote them."""
    return artifacts.hashes


@pytest.fixture(scope="session")
def raw(artifacts: Artifacts) -> Pair:
    """The frames as read."""
    return artifacts.raw


@pytest.fixture(scope="session")
def before(artifacts: Artifacts) -> Pair:
    """The frames that the phase was given."""
    return artifacts.before


@pytest.fixture(scope="session")
def after(artifacts: Artifacts) -> Pair:
    """The frames that the phase left."""
    return artifacts.after


@pytest.fixture(scope="session")
def seen(artifacts: Artifacts) -> Pair:
    """The frames that an exploration saw, target joined."""
    return artifacts.seen


@pytest.fixture(scope="session")
def target(artifacts: Artifacts) -> pd.DataFrame:
    """The target columns as spelled."""
    return artifacts.target


@pytest.fixture(scope="session")
def y(artifacts: Artifacts) -> np.ndarray:
    """The target as codes or numbers."""
    return artifacts.y


@pytest.fixture(scope="session")
def keys(artifacts: Artifacts) -> pd.DataFrame:
    """Id, group and time columns of the labelled rows."""
    return artifacts.keys


@pytest.fixture(scope="session")
def test_keys(artifacts: Artifacts) -> pd.DataFrame:
    """Id, group and time columns of the test rows."""
    return artifacts.test_keys


@pytest.fixture(scope="session")
def sample(artifacts: Artifacts) -> pd.DataFrame | None:
    """The sample submission as text, or None."""
    return artifacts.sample


@pytest.fixture(scope="session")
def excluded(artifacts: Artifacts) -> pd.DataFrame:
    """Rows left out of fitting: row and reason."""
    return artifacts.excluded


@pytest.fixture(scope="session")
def findings(artifacts: Artifacts) -> tuple[Finding, ...]:
    """What the exploration found."""
    return artifacts.findings


@pytest.fixture(scope="session")
def figures(artifacts: Artifacts) -> tuple[Path, ...]:
    """The figures' files."""
    return artifacts.figures


@pytest.fixture(scope="session")
def overview(artifacts: Artifacts) -> pd.DataFrame:
    """The exploration's table of columns."""
    return artifacts.overview


@pytest.fixture(scope="session")
def profile(artifacts: Artifacts) -> Profile | None:
    """The profile of the frames given, or None."""
    return artifacts.profile


@pytest.fixture(scope="session")
def folds(artifacts: Artifacts) -> Folds:
    """The run's folds."""
    return artifacts.folds


@pytest.fixture(scope="session")
def training(artifacts: Artifacts) -> Training:
    """All that modeling found."""
    return artifacts.training


@pytest.fixture(scope="session")
def oof(artifacts: Artifacts) -> np.ndarray:
    """The blend's out-of-fold predictions."""
    return artifacts.oof


@pytest.fixture(scope="session")
def test_predictions(artifacts: Artifacts) -> np.ndarray:
    """The blend's test predictions."""
    return artifacts.test_predictions


@pytest.fixture(scope="session")
def fits(artifacts: Artifacts) -> Mapping[str, Fit]:
    """The predictions of the blend's candidates by name."""
    return artifacts.fits


@pytest.fixture(scope="session")
def submission(artifacts: Artifacts) -> pd.DataFrame:
    """The submission as text."""
    return artifacts.submission
