"""Nothing survives: not a job's children, not a killed parent's jobs; and a dead server is replaced."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from autods.errors import SandboxError
from autods.execution import warm
from autods.execution.limits import Limits
from autods.execution.sandbox import Sandbox
from autods.execution.warm import warm_server_works

ROOT = Path(__file__).parents[2]
SLEEPER = "import os, time\nopen('pid', 'w').write(str(os.getpid()))\nprint('here')\ntime.sleep(60)\n"

pytestmark = pytest.mark.skipif(not warm_server_works(), reason="there is no warm server on this system")


@pytest.fixture(autouse=True)
def nothing_preloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """These jobs need no library, and servers start faster so."""
    monkeypatch.setattr(warm, "PRELOADED", ())


def eventually(condition: Callable[[], bool], timeout_s: float = 20.0) -> bool:
    deadline = time.monotonic() + timeout_s
    while not (done := condition()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return done


def is_gone(pid: int) -> bool:
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def read_pid(path: Path) -> int:
    assert eventually(lambda: path.exists() and path.read_text() != "")
    return int(path.read_text())


def test_children_that_a_job_leaves_behind_are_killed_and_not_waited_for(sandbox: Sandbox, tmp_path: Path) -> None:
    script = tmp_path / "code.py"
    script.write_text(
        "import subprocess\np = subprocess.Popen(['/bin/sleep', '60'])\nopen('pid', 'w').write(str(p.pid))"
    )
    result = sandbox.run(script, folder=tmp_path / "job", limits=Limits(max_processes=3))
    assert (result.status, result.wall_s < 10) == ("ok", True)
    assert eventually(lambda: is_gone(read_pid(tmp_path / "job" / "pid")))


@pytest.mark.parametrize("served", [True, False])
def test_jobs_die_with_a_killed_parent(tmp_path: Path, served: bool) -> None:
    (tmp_path / "code.py").write_text(SLEEPER)
    parent = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from pathlib import Path\n"
            "from autods.execution import warm\n"
            "from autods.execution.sandbox import Sandbox\n"
            "warm.PRELOADED = ()\n"
            f"sandbox = Sandbox(warm={served})\n"
            "print(sandbox._server.pid if sandbox._server else 0, flush=True)\n"
            "sandbox.run(Path('code.py'), folder=Path('job'))\n",
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout is not None
    server = int(parent.stdout.readline())
    job = read_pid(tmp_path / "job" / "pid")
    parent.kill()
    parent.communicate()
    assert eventually(lambda: is_gone(job))
    assert server == 0 or eventually(lambda: is_gone(server))


def test_a_server_that_dies_is_replaced_once_and_then_done_without(tmp_path: Path) -> None:
    script = tmp_path / "code.py"
    script.write_text("print('done')")
    with Sandbox() as sandbox:
        first = sandbox._server
        assert first is not None
        os.kill(first.pid, signal.SIGKILL)
        assert sandbox.run(script, folder=tmp_path / "job").stdout == "done\n"
        second = sandbox._server
        assert second is not None
        assert second is not first
        os.kill(second.pid, signal.SIGKILL)
        assert sandbox.run(script, folder=tmp_path / "job").stdout == "done\n"
        assert sandbox._server is None


def test_a_job_that_loses_its_server_is_run_again(tmp_path: Path) -> None:
    script = tmp_path / "code.py"
    script.write_text("import time, os\nopen('pid', 'w').write(str(os.getpid()))\ntime.sleep(0.5)\nprint('done')")
    with Sandbox() as sandbox:
        server = sandbox._server
        assert server is not None
        outputs: list[str] = []
        thread = threading.Thread(target=lambda: outputs.append(sandbox.run(script, folder=tmp_path / "job").stdout))
        thread.start()
        job = read_pid(tmp_path / "job" / "pid")
        os.kill(server.pid, signal.SIGKILL)
        assert eventually(lambda: is_gone(job))
        thread.join(30)
    assert outputs == ["done\n"]


def test_closing_ends_what_runs(tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text(SLEEPER)
    sandbox = Sandbox()
    ends: list[object] = []

    def run() -> None:
        try:
            ends.append(sandbox.run(tmp_path / "code.py", folder=tmp_path / "job").status)
        except SandboxError as error:
            ends.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    job = read_pid(tmp_path / "job" / "pid")
    sandbox.close()
    thread.join(10)
    assert eventually(lambda: is_gone(job))
    assert len(ends) == 1
    with pytest.raises(SandboxError, match="closed"):
        sandbox.run(tmp_path / "code.py", folder=tmp_path / "job")


def test_modules_can_be_loaded_ahead(tmp_path: Path) -> None:
    script = tmp_path / "code.py"
    script.write_text("import sys\nprint('wave' in sys.modules, 'not_there' in sys.modules)")
    with Sandbox() as sandbox:
        assert sandbox.run(script, folder=tmp_path / "job").stdout == "False False\n"
        sandbox.preload("wave", "not_there")
        assert sandbox.run(script, folder=tmp_path / "job").stdout == "True False\n"
