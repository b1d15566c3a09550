"""Attempts to get out: none succeeds where the layer that stops it holds."""

from __future__ import annotations

import os
import signal
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from autods.errors import SandboxError
from autods.execution import isolation, landlock, seccomp
from autods.execution.isolation import available_layers, check_isolation
from autods.execution.limits import Limits
from autods.execution.sandbox import Sandbox
from autods.records import ExecutionResult

Run = Callable[..., ExecutionResult]

needs_landlock = pytest.mark.skipif(not landlock.abi(), reason="this machine has no Landlock")
needs_seccomp = pytest.mark.skipif(not seccomp.available(), reason="this machine has no seccomp")


@pytest.mark.parametrize(
    "attempt",
    [
        "socket.create_connection(('127.0.0.1', 9), timeout=1)",
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))",
        "socket.socket(socket.AF_UNIX).connect('/run/x.sock')",
        "urllib.request.urlopen('http://127.0.0.1:9/', timeout=1)",
    ],
)
@needs_seccomp
def test_there_is_no_network(run: Run, attempt: str) -> None:
    result = run(f"import socket, urllib.request\n{attempt}")
    assert result.status == "error"
    assert "Operation not permitted" in result.message
    assert "There is no network here" in result.message


@needs_landlock
def test_files_of_the_person_cannot_be_read(run_either: Run, tmp_path: Path) -> None:
    secret = tmp_path / "answers.csv"
    secret.write_text("1,0")
    for place in (secret, Path("/etc/passwd"), Path(f"/proc/{os.getpid()}/environ"), Path("/proc/1/environ")):
        result = run_either(f"print(open({str(place)!r}).read())")
        assert (result.status, result.stdout) == ("error", ""), place
        assert "PermissionError" in result.message


@needs_landlock
def test_a_planted_link_leads_nowhere(run: Run, tmp_path: Path) -> None:
    (tmp_path / "answers.csv").write_text("1,0")
    result = run(f"import os\nos.symlink({str(tmp_path / 'answers.csv')!r}, 'link')\nprint(open('link').read())")
    assert (result.status, result.stdout) == ("error", "")


@needs_landlock
@pytest.mark.parametrize("place", ["../outside", "/tmp/autods-outside", "/dev/shm/autods-outside"])
def test_nothing_outside_can_be_written(run: Run, tmp_path: Path, place: str) -> None:
    result = run(f"open({place!r}, 'w').write('x')")
    assert result.status == "error"
    assert "Only the job's own folder" in result.message
    assert not (tmp_path / "job" / place).exists()


@needs_seccomp
def test_modes_and_times_of_files_outside_stay(run: Run, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.touch(0o600)
    before = victim.stat()
    run(f"import os\nos.chmod({str(victim)!r}, 0o777)\nos.utime({str(victim)!r}, (1, 1))")
    after = victim.stat()
    assert (after.st_mode, after.st_mtime_ns) == (before.st_mode, before.st_mtime_ns)


def test_the_environment_holds_no_secret(sandbox: Sandbox, run_either: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    result = run_either("import os\nprint(dict(os.environ), open('/proc/self/environ').read())")
    assert "sk-secret" not in result.stdout
    assert "'MPLBACKEND': 'Agg'" in result.stdout


def test_home_and_temporary_files_lie_in_the_jobs_folder(run_either: Run, tmp_path: Path) -> None:
    result = run_either("import os, tempfile\nprint(tempfile.gettempdir(), os.path.expanduser('~'))")
    assert result.stdout == f"{tmp_path / 'job'} {tmp_path / 'job'}\n"


@needs_seccomp
@pytest.mark.parametrize(
    "attempt",
    [
        "os.fork()",
        "subprocess.run(['/bin/true'])",
        "os.execv('/bin/true', ['true'])",
        "multiprocessing.get_context('fork').Process(target=print).start()",
        "os.setsid()",
        "os.kill(os.getppid(), 9)",
        "os.kill(-1, 9)",
        "os.kill(0, 9)",
    ],
)
def test_other_processes_are_neither_started_nor_reached(run: Run, attempt: str) -> None:
    result = run(f"import multiprocessing, os, subprocess\n{attempt}")
    assert result.status == "error"
    assert "Operation not permitted" in result.message


@needs_seccomp
def test_a_job_cannot_ask_to_outlive_the_server(run: Run) -> None:
    code = "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\nprint(libc.prctl(1, 0), ctypes.get_errno())"
    assert run(code).stdout == "-1 1\n"


def test_threads_and_the_libraries_that_use_them_work(run_either: Run) -> None:
    code = """
        import asyncio, multiprocessing, shutil, tempfile
        from concurrent.futures import ThreadPoolExecutor
        from multiprocessing.pool import ThreadPool
        from pathlib import Path
        from joblib import Parallel, delayed

        with ThreadPoolExecutor(3) as pool:
            assert list(pool.map(abs, [-1, -2])) == [1, 2]
        with ThreadPool(3) as pool:
            assert pool.map(abs, [-1, -2]) == [1, 2]
        assert Parallel(n_jobs=4)(delayed(abs)(-i) for i in range(3)) == [0, 1, 2]
        assert asyncio.run(asyncio.sleep(0, result=5)) == 5
        lock = multiprocessing.RLock()
        with lock, lock:
            assert not multiprocessing.Event().is_set()
        Path("made").touch()
        Path("made").touch()
        shutil.copy2("made", "copied")
        assert Path("copied").exists()
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"x")
    """
    result = run_either(code)
    assert result.ok, result.stderr
    assert not result.stderr


@pytest.mark.parametrize(
    "lines",
    [
        "import lightgbm as l; l.LGBMClassifier(n_estimators=3, verbose=-1, n_jobs=2).fit(X, y)",
        "import xgboost as x; x.XGBClassifier(n_estimators=3).fit(X, y)",
        "import catboost as c; c.CatBoostClassifier(iterations=3, verbose=0).fit(X, y)",
        "import matplotlib.pyplot as plt; plt.plot([1, 2]); plt.savefig('a.png')",
        "import psutil; psutil.virtual_memory(); psutil.Process().memory_info(); psutil.cpu_count()",
        "import pandas as pd; pd.DataFrame(X).to_parquet('a.parquet'); pd.read_parquet('a.parquet')",
    ],
)
def test_the_libraries_work_inside(run: Run, lines: str) -> None:
    result = run(f"import numpy as np\nX, y = np.arange(80.0).reshape(40, 2), np.arange(40) % 2\n{lines}")
    assert result.ok, result.stderr


@pytest.mark.slow
def test_torch_works_inside(run: Run) -> None:
    pytest.importorskip("torch")
    assert run("import torch\nprint(torch.nn.Linear(2, 1)(torch.ones(1, 2)).shape)").ok


@needs_landlock
@needs_seccomp
def test_the_layers_that_hold_are_reported(run_either: Run, sandbox: Sandbox) -> None:
    held = run_either("").isolation
    assert held == sandbox.layers
    assert [layer.split()[0] for layer in held] == ["Landlock", "seccomp", "rlimits", "clean"]


def test_limits_alone_are_said_to_be_limits_alone(tmp_path: Path) -> None:
    script = tmp_path / "code.py"
    script.write_text("print(open('/etc/passwd').read())")
    with Sandbox("limits", warm=False) as sandbox:
        result = sandbox.run(script, folder=tmp_path / "job")
    assert result.ok
    assert [layer.split()[0] for layer in result.isolation] == ["rlimits", "clean"]


def test_strict_is_refused_where_a_layer_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation.landlock, "abi", lambda: 0)
    with pytest.raises(SandboxError, match="needs Landlock and seccomp"):
        check_isolation("strict")
    assert not any(layer.startswith("Landlock") for layer in available_layers())


def test_processes_may_be_allowed_and_are_then_counted(sandbox: Sandbox, tmp_path: Path) -> None:
    script = tmp_path / "code.py"
    script.write_text(
        textwrap.dedent("""
            import subprocess, sys, time
            print(subprocess.run(["/bin/echo", "child"], capture_output=True, text=True).stdout, flush=True)
            many = [subprocess.Popen(["/bin/sleep", "30"]) for _ in range(6)]
            time.sleep(30)
        """)
    )
    result = sandbox.run(script, folder=tmp_path / "job", limits=Limits(max_processes=4))
    assert result.stdout.startswith("child")
    assert (result.status, result.exit_code) == ("killed", -signal.SIGKILL)
    assert "more than 4 processes" in result.message
