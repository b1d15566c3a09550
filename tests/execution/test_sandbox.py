"""What code that breaks other sandboxes does in ours: it becomes a value that says what to change."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from autods.execution.limits import Limits
from autods.execution.sandbox import Sandbox
from autods.records import ExecutionResult

Run = Callable[..., ExecutionResult]


def test_a_script_runs_in_its_folder_with_its_arguments(run_either: Run, tmp_path: Path) -> None:
    result = run_either("import os, sys\nprint(os.getcwd(), *sys.argv[1:])", arguments=["a", "b"])
    assert (result.status, result.exit_code) == ("ok", 0)
    assert result.stdout == f"{tmp_path / 'job'} a b\n"
    assert result.peak_memory_mb > 0


def test_code_that_swallows_interrupts_is_killed_at_the_limit(run_either: Run) -> None:
    code = """
        import signal, time
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print("started")
        while True:
            try:
                time.sleep(0.2)
            except BaseException:
                pass
    """
    began = time.monotonic()
    result = run_either(code, limits=Limits(timeout_s=0.8))
    assert time.monotonic() - began < 5
    assert (result.status, result.stdout) == ("timeout", "started\n")
    assert "0.8 s" in result.message


def test_showing_a_plot_does_not_wait_for_a_window(run: Run) -> None:
    assert run("import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\nprint('on')").stdout == "on\n"


def test_nobody_answers_input(run_either: Run) -> None:
    result = run_either("n = int(input('How many trees? '))")
    assert result.status == "error"
    assert result.message.startswith("EOFError")
    assert "line 1 of code.py" in result.message
    assert "Nobody answers input()" in result.message


@pytest.mark.parametrize("isolation", ["auto", "limits"])
def test_inputs_stay_as_they_are_whatever_the_code_does(tmp_path: Path, isolation: str) -> None:
    original = tmp_path / "given" / "train.csv"
    original.parent.mkdir()
    original.write_text("a\n1\n2\n")
    script = tmp_path / "code.py"
    script.write_text(
        "import os, shutil\n"
        "from pathlib import Path\n"
        "print(Path('train.csv').read_text())\n"
        "for attempt in (lambda: Path('train.csv').write_text(''), lambda: os.truncate('train.csv', 0),\n"
        "                lambda: Path('train.csv').chmod(0)):\n"
        "    try:\n        attempt()\n    except OSError:\n        pass\n"
        "shutil.rmtree('.', ignore_errors=True)\n"
    )
    with Sandbox(isolation, warm=False) as sandbox:  # type: ignore[arg-type]
        result = sandbox.run(script, folder=tmp_path / "job", inputs={"train.csv": original})
    assert result.stdout.startswith("a\n1\n2")
    assert original.read_text() == "a\n1\n2\n"
    assert original.stat().st_mode & 0o444


def test_an_input_inside_the_working_folder_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "job").mkdir()
    (tmp_path / "job" / "a.csv").touch()
    with pytest.raises(ValueError, match="lies in the working folder"):
        run("", inputs={"b.csv": tmp_path / "job" / "a.csv"})


def test_of_a_hundred_megabytes_head_and_tail_are_kept(run_either: Run) -> None:
    code = """
        import sys
        print("first line")
        for _ in range(100):
            sys.stdout.write("x" * 1_000_000)
        print("\\nlast line")
    """
    result = run_either(code, limits=Limits(max_output_kb=8))
    assert result.status == "ok"
    assert result.stdout.startswith("first line")
    assert result.stdout.endswith("last line\n")
    assert "bytes of output cut" in result.stdout
    assert len(result.stdout) < 9000


def test_an_early_exit_without_a_result_is_no_success(run_either: Run, tmp_path: Path) -> None:
    (tmp_path / "job").mkdir()
    (tmp_path / "job" / "submission.csv").write_text("stale")
    result = run_either("import sys\nprint('too little data')\nsys.exit(0)", results=["submission.csv"])
    assert (result.status, result.exit_code) == ("no_result", 0)
    assert "submission.csv" in result.message
    assert "sys.exit()" in result.message
    assert not (tmp_path / "job" / "submission.csv").exists()


def test_a_link_is_no_result(run: Run) -> None:
    result = run("import os\nos.symlink('/etc/passwd', 'answer')", results=["answer"])
    assert result.status == "no_result"


def test_packages_cannot_be_installed_and_the_message_says_so(run: Run) -> None:
    code = "import subprocess, sys\nsubprocess.check_call([sys.executable, '-m', 'pip', 'install', 'not-there-xyz'])"
    result = run(code)
    assert result.status == "error"
    assert "cannot be installed" in result.message
    assert "sklearn" in result.message


def test_a_missing_package_is_named(run: Run) -> None:
    message = run("import some_missing_package_xyz").message
    assert "some_missing_package_xyz" in message
    assert "cannot be installed" in message


def test_nested_parallelism_stays_in_one_process_and_a_huge_array_is_a_memory_error(run: Run) -> None:
    code = """
        import numpy as np
        from sklearn.ensemble import RandomForestClassifier
        from sklearn.model_selection import cross_val_score
        X = np.arange(40.0).reshape(20, 2)
        forest = RandomForestClassifier(n_estimators=3, n_jobs=-1)
        print(len(cross_val_score(forest, X, np.arange(20) % 2, cv=2, n_jobs=4)), flush=True)
        np.ones((200_000, 200_000))
    """
    result = run(code)
    assert result.stdout == "2\n"
    assert result.status == "memory"
    assert "MemoryError" in result.message


def test_memory_that_is_really_held_is_bounded(run: Run) -> None:
    result = run("import numpy as np, time\na = np.ones(80_000_000)\ntime.sleep(20)", limits=Limits(memory_mb=400))
    assert result.status == "memory"
    assert result.wall_s < 10
    assert "400 MB" in result.message


def test_a_crash_in_native_code_is_a_value(run_either: Run) -> None:
    result = run_either("import ctypes\nctypes.string_at(0)")
    assert result.status == "killed"
    assert "SIGSEGV" in result.message


def test_one_file_may_not_be_larger_than_the_limit(run: Run) -> None:
    result = run("open('big', 'wb').write(bytes(3_000_000))", limits=Limits(max_file_mb=1))
    assert result.status == "error"
    assert "larger than the limit" in result.message


def test_many_files_together_may_not_be_larger_than_the_limit(run: Run) -> None:
    code = """
        import time
        for i in range(8):
            open(f"part{i}", "wb").write(bytes(500_000))
        time.sleep(20)
    """
    result = run(code, limits=Limits(max_file_mb=1))
    assert (result.status, result.wall_s < 10) == ("killed", True)
    assert "wrote more than 1 MB" in result.message


def test_the_exit_code_of_the_script_is_kept(run_either: Run) -> None:
    assert run_either("import sys\nsys.exit(7)").exit_code == 7


def test_what_an_exit_says_is_the_message(run: Run) -> None:
    result = run("import sys\nsys.exit('no rows left')")
    assert (result.exit_code, result.message) == (1, "no rows left")


def test_jobs_run_at_the_same_time_and_do_not_mix(sandbox: Sandbox, tmp_path: Path) -> None:
    script = tmp_path / "code.py"
    script.write_text("import sys, time\ntime.sleep(0.5)\nprint(sys.argv[1])")

    def one(number: int) -> str:
        return sandbox.run(script, [str(number)], folder=tmp_path / str(number)).stdout

    sandbox.run(script, ["warm-up"], folder=tmp_path / "first")
    began = time.monotonic()
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(one, range(4))) == ["0\n", "1\n", "2\n", "3\n"]
    assert time.monotonic() - began < 1.8
