"""The trusted code inside the sandbox, here without one: its operations and what it prints."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from autods.execution import child, jobs, runner
from autods.execution.child import Job
from autods.execution.limits import Limits
from autods.records import ExecutionResult, Folds
from autods.tools.records import TaskFacts
from autods.validation.storage import read_frame, write_frame

TASK = TaskFacts("regression", ("y",), "rmse", False, "values", n_train=20, n_test=20)
ROWS = np.arange(20)
FOLDS = Folds("plain", ((ROWS[:10], ROWS[10:]), (ROWS[10:], ROWS[:10])), 2, 1, "", 20)
CODE = """
from autods.tools.records import Candidate, Finding


def explore(train, out):
    (out / "a.png").write_bytes(b"picture")
    return [Finding("count", "train", (), float(len(train)), "20 rows")]


def clean(train, test):
    return train.assign(exclude_from_fit=train["x"] > 18), test


def candidates(task):
    from optuna.distributions import IntDistribution
    from sklearn.tree import DecisionTreeRegressor

    return {"tree": Candidate(DecisionTreeRegressor(random_state=0), {"max_depth": IntDistribution(1, 3)})}


def broken(train):
    return train["nope"]
"""


class InProcess:
    """Stands in for the sandbox: calls the runner here."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def run(
        self,
        module: str,
        arguments: Sequence[str],
        *,
        folder: Path,
        inputs: Mapping[str, Path],
        limits: Limits,
        results: Sequence[str],
    ) -> ExecutionResult:
        for name, path in inputs.items():
            shutil.copyfile(path, folder / name)
        with self._monkeypatch.context() as patch:
            patch.chdir(folder)
            code = runner.main(list(arguments))
        stderr = self._capsys.readouterr().err
        return ExecutionResult("error" if code else "ok", code, "", stderr, 0.0, 0.0, message=stderr)


@pytest.fixture
def given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    (tmp_path / "code.py").write_text(CODE)
    sandbox: Any = InProcess(monkeypatch, capsys)
    return {
        "sandbox": sandbox,
        "code": tmp_path / "code.py",
        "folder": tmp_path / "a",
        "task": TASK,
        "limits": Limits(),
    }


@pytest.fixture
def frames(tmp_path: Path) -> jobs.Frames:
    for name in ("train", "test"):
        write_frame(pd.DataFrame({"x": ROWS.astype(float)}), tmp_path / f"{name}.parquet")
    return jobs.Frames(tmp_path / "train.parquet", tmp_path / "test.parquet")


def test_exploring_leaves_findings_and_figures(given: dict[str, Any], frames: jobs.Frames) -> None:
    explored = jobs.explore(**given, frames=frames)
    assert explored.findings[0].value == 20
    assert explored.figures[0].read_bytes() == b"picture"


def test_cleaning_leaves_frames_and_the_rows_left_out(given: dict[str, Any], frames: jobs.Frames) -> None:
    done = jobs.transform(**given, frames=frames, entry_point="clean")
    assert done.exclude is not None
    assert read_frame(done.exclude)["row"].tolist() == [19]


def test_candidates_are_listed_fitted_and_predict(given: dict[str, Any], frames: jobs.Frames) -> None:
    offered = jobs.list_candidates(**given)
    assert [offer.name for offer in offered.offers] == ["tree"]
    options = given | {"folder": given["folder"] / "fit"}
    fitted = jobs.fit(
        **options, candidate="tree", frames=frames, y=ROWS * 2.0, folds=FOLDS, parameters={"max_depth": 2}
    )
    assert fitted.estimators is not None
    predicted = jobs.predict(**options, estimators=fitted.estimators, test=frames.test)
    np.testing.assert_array_equal(predicted.test, fitted.test)


def test_repeats_are_kept_apart(given: dict[str, Any], frames: jobs.Frames) -> None:
    repeated = Folds("plain", FOLDS.splits * 2, 2, 2, "", 20)
    fitted = jobs.fit(**given, candidate="tree", frames=frames, y=ROWS * 2.0, folds=repeated, keep_estimators=False)
    assert fitted.by_repeat is not None
    assert fitted.by_repeat.shape == (2, 20, 1)
    assert fitted.estimators is None


def test_a_traceback_shows_the_authors_line_and_none_of_ours(given: dict[str, Any], frames: jobs.Frames) -> None:
    stderr = jobs.explore(**given, frames=frames, entry_point="broken").execution.stderr
    assert re.search(r'  File "code.py", line \d+, in broken\n    return train\["nope"\]', stderr)
    assert "runner.py" not in stderr


def test_what_is_wrong_with_a_return_value_has_no_traceback(given: dict[str, Any], frames: jobs.Frames) -> None:
    stderr = jobs.explore(**given, frames=frames, entry_point="candidates").execution.stderr
    assert stderr.startswith("TypeError: candidates() returned dict")


def test_the_job_with_its_token_is_gone_before_the_code_runs(given: dict[str, Any], frames: jobs.Frames) -> None:
    given["code"].write_text("import os\ndef explore():\n    assert not os.path.exists('job.json')\n    return []")
    assert jobs.explore(**given, frames=frames).execution.ok


def job_of(script: Path) -> Job:
    return Job(str(script.parent), str(script), None, ("a",), Limits(), (), "limits")


@pytest.mark.parametrize(
    "lines, code, words",
    [
        ("import sys\nassert sys.argv[1:] == ['a']", 0, ""),
        ("import sys\nsys.exit()", 0, ""),
        ("import sys\nsys.exit(4)", 4, ""),
        ("import sys\nsys.exit('no rows')", 1, "no rows\n"),
        ("1 / 0", 1, "ZeroDivisionError: division by zero\n"),
        ("raise KeyboardInterrupt", 1, "KeyboardInterrupt\n"),
    ],
)
def test_a_script_ends_with_its_exit_code(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    lines: str,
    code: int,
    words: str,
) -> None:
    script = tmp_path / "script.py"
    script.write_text(lines)
    monkeypatch.setattr("sys.argv", [])
    monkeypatch.setattr("sys.path", list(__import__("sys").path))
    monkeypatch.setattr(child, "adapt", lambda **_: None)
    assert child._run(job_of(script)) == code
    stderr = capsys.readouterr().err
    assert stderr.endswith(words)
    assert "child.py" not in stderr


def test_a_job_survives_its_way_as_json(tmp_path: Path) -> None:
    job = job_of(tmp_path / "é.py")
    assert Job.from_json(job.to_json()) == job
    assert "\n" not in job.to_json()
    assert json.loads(job.to_json())["limits"]["max_processes"] == 1
