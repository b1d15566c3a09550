"""Gates run in a process of their own, and whatever happens there is a report."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from autods import unit_tests
from autods.config import Rules
from autods.execution import gate_runner
from autods.execution.context import file_hash, write_context
from autods.execution.gates import run_gates
from autods.execution.limits import Limits
from autods.execution.sandbox import Sandbox
from autods.phases import get_phase
from autods.records import GateCheck, GateReport, Intent, Plan, Step, Submission, Task

CLEANING = get_phase("cleaning")
TASK = Task(
    "t", "binary", ("y",), "accuracy", True, "labels", Submission(("id", "y"), "id", "labels"), ("no", "yes"), "id"
)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture
def context(tmp_path: Path) -> Path:
    """A cleaning that filled its one gap."""
    paths = {
        name: tmp_path / f"{name}.parquet" for name in ("before_train", "before_test", "after_train", "after_test")
    }
    frame = pd.DataFrame({"age": [20.0, np.nan, 31.0, 42.0], "town": ["Ulm", "Bonn", "Ulm", "Köln"]})
    for name, path in paths.items():
        (frame if name.startswith("before") else frame.fillna({"age": 30.0})).to_parquet(path)
    np.save(tmp_path / "y.npy", np.array([0, 1, 0, 1]))
    paths["y"] = tmp_path / "y.npy"
    plan = Plan("cleaning", (Step("fill age", "1 of 4 is missing", ("age",)),), Intent())
    return write_context(tmp_path / "context", phase=CLEANING, task=TASK, plan=plan, rules=Rules(), paths=paths)


def outcomes(report: GateReport) -> dict[str, str]:
    return {check.name: check.outcome for check in report.checks}


def own_gates(
    context: Path, source: str, sandbox: Sandbox, name: str = "test_cleaning_own.py", **options: float
) -> GateReport:
    folder = context.parent / "unit_tests"
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(source, encoding="utf-8")
    return run_gates(context, CLEANING, sandbox=sandbox, extra=folder, limits=Limits(**{"timeout_s": 60, **options}))


def test_a_good_cleaning_passes_every_gate(context: Path, sandbox: Sandbox) -> None:
    report = run_gates(context, CLEANING, sandbox=sandbox)
    assert report.passed, report.failures
    assert {"passed", "skipped"} >= set(outcomes(report).values())
    assert len(report.checks) > 15


def test_every_check_says_what_it_protects(context: Path, sandbox: Sandbox) -> None:
    assert all(check.protects for check in run_gates(context, CLEANING, sandbox=sandbox).checks)


def test_a_failed_gate_says_where_and_what_to_do(context: Path, sandbox: Sandbox) -> None:
    path = context.parent / "after_test.parquet"
    pd.read_parquet(path).assign(age=[20.0, np.nan, 31.0, 42.0]).to_parquet(path)
    failure = next(c for c in run_gates(context, CLEANING, sandbox=sandbox).failures if "missing_values" in c.name)
    assert failure.message.startswith("'age' of test is missing in 1 of 4 rows (row 1); fill it")


def test_a_warning_does_not_fail_the_phase(context: Path, sandbox: Sandbox) -> None:
    for side in ("train", "test"):
        path = context.parent / f"after_{side}.parquet"
        pd.read_parquet(path).assign(undeclared=[1, 2, 3, 4]).to_parquet(path)
    report = run_gates(context, CLEANING, sandbox=sandbox)
    assert outcomes(report)["test_added_columns_are_declared"] == "warned"
    assert report.passed


def test_an_artifact_that_is_not_there_fails_the_gates_that_need_it(context: Path, sandbox: Sandbox) -> None:
    (context.parent / "after_train.parquet").unlink()
    report = run_gates(context, CLEANING, sandbox=sandbox)
    assert outcomes(report)["test_every_row_is_kept"] == "failed"
    assert "left no after_train.parquet" in report.failures[0].message


def test_own_gates_use_the_same_fixtures(context: Path, sandbox: Sandbox) -> None:
    report = own_gates(
        context, "def test_ages(after):\n    '''Nobody is old.'''\n    assert after.train['age'].max() < 40\n", sandbox
    )
    (own,) = [check for check in report.checks if check.name == "test_ages"]
    assert (own.outcome, own.protects) == ("failed", "Nobody is old.")
    assert "42" in own.message


def test_own_gates_may_warn(context: Path, sandbox: Sandbox) -> None:
    source = "import pytest\n@pytest.mark.warn\ndef test_odd():\n    assert False, 'odd'\n"
    assert outcomes(own_gates(context, source, sandbox))["test_odd"] == "warned"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import os\ndef test_first(): pass\ndef test_crash(): os._exit(3)\n", "after test_first"),
        ("def test_(: pass\n", "SyntaxError"),
        ("import no_such_module\n", "no_such_module"),
        ("def check_nothing(): pass\n", "holds no gate"),
        ("def test_typo(no_such_fixture): pass\n", "no_such_fixture"),
        ("def test_bug(): return {}['age']\n", "The gate itself broke at test_cleaning_own.py:1: KeyError: 'age'"),
    ],
)
def test_a_broken_gate_file_is_a_failed_check(context: Path, sandbox: Sandbox, source: str, said: str) -> None:
    report = own_gates(context, source, sandbox)
    assert not report.passed
    assert said in report.failures[-1].message


def test_a_gate_that_hangs_is_a_failed_check(context: Path, sandbox: Sandbox) -> None:
    report = own_gates(context, "import time\ndef test_slow(): time.sleep(60)\n", sandbox, timeout_s=1.5)
    assert report.failures[-1].name == "gates_ran"
    assert "1.5" in report.failures[-1].message


def test_own_gates_cannot_change_what_they_judge(context: Path, sandbox: Sandbox) -> None:
    if not any(layer.startswith("Landlock") for layer in sandbox.layers):
        pytest.skip("This machine cannot confine files.")
    target = context.parent / "after_train.parquet"
    before = file_hash(target)
    own_gates(context, f"def test_write(): open({str(target)!r}, 'wb').close()\n", sandbox)
    assert file_hash(target) == before


def test_gates_of_another_phase_wait_for_it(context: Path, sandbox: Sandbox) -> None:
    report = own_gates(context, "def test_later(): assert False\n", sandbox, name="test_modeling.py")
    assert "test_later" not in outcomes(report)


def test_an_old_report_is_not_read_again(context: Path, sandbox: Sandbox) -> None:
    first, second = (len(run_gates(context, CLEANING, sandbox=sandbox).checks) for _ in range(2))
    assert first == second


def test_a_report_of_nothing_does_not_pass() -> None:
    assert not GateReport("cleaning", ()).passed
    assert GateReport("cleaning", (GateCheck("g", "p", "warned"),)).passed


def test_a_context_refuses_unknown_paths(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no path 'after_trian'; did you mean 'after_train'"):
        write_context(tmp_path, phase=CLEANING, task=TASK, plan=None, rules=Rules(), paths={"after_trian": tmp_path})


def test_the_runner_writes_a_line_a_gate_and_says_when_it_is_done(context: Path) -> None:
    report, own = context / "report.jsonl", Path(unit_tests.__file__).parent
    theirs = context / "test_theirs.py"
    source = "import pytest\ndef test_skips(): pytest.skip('nothing to see')\ndef test_bare(): assert 1 > 2\n"
    theirs.write_text(source, encoding="utf-8")
    assert gate_runner.main([str(context), str(report), str(own), str(own / "test_cleaning.py")]) == 0
    assert gate_runner.main([str(context), str(report), str(context), str(theirs)]) == 0
    lines = [json.loads(line) for line in report.read_text(encoding="utf-8").splitlines()]
    by_name = {line["name"]: line for line in lines if "name" in line}
    assert by_name["test_every_row_is_kept"]["outcome"] == "passed"
    assert by_name["test_skips"]["message"] == "nothing to see"
    assert by_name["test_bare"]["outcome"] == "failed"
    assert "1 > 2" in by_name["test_bare"]["message"]
    assert lines[-1] == {"finished": 1, "collected": 2}
