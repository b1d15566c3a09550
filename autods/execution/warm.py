"""Start children for jobs: forks of a warm server (milliseconds each), or fresh interpreters where there is none.

Either way a child's output comes through pipes that this process reads, and it does not outlive this process.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from pathlib import Path
from typing import IO, Any, Protocol

import autods
from autods.errors import SandboxError
from autods.execution.child import Job
from autods.execution.environment import child_environment, server_environment
from autods.execution.isolation import package_folders

__all__ = ["MESSAGE_SIZE", "Child", "Exit", "FreshChild", "ServerGone", "WarmServer", "warm_server_works"]

_ROOT = Path(autods.__file__).parents[1]
_START_TIMEOUT_S = 120.0
MESSAGE_SIZE = 1 << 17
EVERYTHING = (
    ":*"  # after a module's name: with all that its __all__ offers, which a façade imports when it is asked for
)

PRELOADED = (
    "autods.tools" + EVERYTHING, "numpy", "pandas", "pyarrow", "pyarrow.parquet", "pyarrow.dataset", "scipy.stats",
    "scipy.sparse", "joblib", "sklearn.compose", "sklearn.ensemble", "sklearn.impute", "sklearn.linear_model",
    "sklearn.metrics", "sklearn.model_selection", "sklearn.pipeline", "sklearn.preprocessing", "sklearn.decomposition",
    "sklearn.svm", "sklearn.neighbors", "sklearn.naive_bayes", "sklearn.feature_extraction.text", "lightgbm", "xgboost",
    "catboost", "threadpoolctl", "pydantic", "pytest", "matplotlib.backends.backend_agg", "matplotlib.figure",
    "optuna.distributions", "autods.records", "autods.phases", "autods.unit_tests", "autods.competition",
    "autods.profiling", "autods.validation.cross_validation", "autods.validation.folds", "autods.validation.replay",
    "autods.execution.runner", "autods.execution.gate_runner",
)  # fmt: skip


class Exit(dict[str, Any]):
    """How a child ended: `exit_code`, and `peak_memory_mb` where the system tells."""


class ServerGone(SandboxError):
    """The warm server ended while a job ran; the job may be tried again."""


class Child(Protocol):
    """A running job."""

    pid: int

    def wait(self, timeout_s: float) -> Exit | None:
        """Wait for its end; None when it still runs."""

    def kill(self) -> None:
        """Kill it with all it started."""


def warm_server_works() -> bool:
    """Whether forking from a warm server is safe here."""
    return sys.platform == "linux"


def _command(module: str, *arguments: str) -> list[str]:
    # -I would also ignore PYTHONHASHSEED, on which the order of sets depends; the environment is clean anyway.
    # Packages may come from where a clean environment does not look (the user's, a .pth), and a checkout is not
    # installed at all: these folders are named, and come last, so that they shadow nothing.
    folders = [str(folder) for folder in (*package_folders(), _ROOT)]
    code = f"import sys; sys.path += [f for f in {folders!r} if f not in sys.path]; from {module} import main; main()"
    return [sys.executable, "-s", "-P", "-X", "utf8", "-c", code, *arguments]


class FreshChild:
    """A job in an interpreter of its own, started from nothing."""

    def __init__(self, job: Job, stdout: int, stderr: int) -> None:
        options: dict[str, Any] = {"start_new_session": True} if os.name == "posix" else {"creationflags": 0x200}
        self._process = subprocess.Popen(
            _command("autods.execution.child", job.to_json()),
            stdin=subprocess.PIPE,  # its other end closes when this process dies, however it dies
            stdout=stdout,
            stderr=stderr,
            env=child_environment(Path(job.folder)),
            cwd=job.folder,
            **options,
        )
        self.pid = self._process.pid
        self._over = False

    def wait(self, timeout_s: float) -> Exit | None:
        """Wait for its end; None when it still runs."""
        ended = self._wait_posix(timeout_s) if os.name == "posix" else self._wait_elsewhere(timeout_s)
        if ended is not None:
            self._kill_tree()
            self._over = True
            assert self._process.stdin is not None
            self._process.stdin.close()
        return ended

    def _wait_posix(self, timeout_s: float) -> Exit | None:
        deadline, pause_s = time.monotonic() + timeout_s, 0.001
        while True:
            pid, status, usage = os.wait4(self.pid, os.WNOHANG)
            if pid:
                self._process.returncode = os.waitstatus_to_exitcode(status)
                peak = usage.ru_maxrss / (1024 if sys.platform == "linux" else 2**20)
                return Exit(exit_code=self._process.returncode, peak_memory_mb=peak)
            if (left_s := deadline - time.monotonic()) <= 0:
                return None
            time.sleep(min(pause_s, left_s))
            pause_s = min(2 * pause_s, 0.05)

    def _wait_elsewhere(self, timeout_s: float) -> Exit | None:
        try:
            return Exit(exit_code=self._process.wait(timeout_s))
        except subprocess.TimeoutExpired:
            return None

    def kill(self) -> None:
        """Kill it with all it started."""
        if not self._over:  # its number may be another's by now
            self._kill_tree()

    def _kill_tree(self) -> None:
        import psutil

        with contextlib.suppress(ProcessLookupError, PermissionError, psutil.Error):
            if os.name == "posix":
                os.killpg(self.pid, signal.SIGKILL)
            else:
                for process in (*psutil.Process(self.pid).children(recursive=True), self._process):
                    process.kill()


class _ForkedChild:
    """A job in a fork of the warm server."""

    def __init__(self, server: WarmServer, number: int, pid: int, ended: Future[Exit]) -> None:
        self._server, self._number, self._ended, self.pid = server, number, ended, pid

    def wait(self, timeout_s: float) -> Exit | None:
        try:
            return self._ended.result(timeout_s)
        except FutureTimeoutError:
            return None

    def kill(self) -> None:
        self._server._send({"kill": self._number})


class WarmServer:
    """A process that has the libraries loaded and forks a child for every job.

    Starting it returns at once; the first job waits until it is ready. Any number of threads may start jobs.
    """

    def __init__(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket = ours
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        with theirs:
            self._process = subprocess.Popen(
                _command("autods.execution.server", str(theirs.fileno()), *PRELOADED),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                env=server_environment(),
                cwd="/",
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._started: dict[int, Future[int]] = {}
        self._ended: dict[int, Future[Exit]] = {}
        self._ready: Future[float] = Future()
        self._gone = False
        threading.Thread(target=self._listen, name="autods-warm-server", daemon=True).start()

    @property
    def pid(self) -> int:
        """The server's process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it can take jobs."""
        return not self._gone

    def wait_ready(self, timeout_s: float = _START_TIMEOUT_S) -> float:
        """Wait until the libraries are loaded; return the seconds that took."""
        try:
            return self._ready.result(timeout_s)
        except FutureTimeoutError:
            self.close()
            raise ServerGone(f"The sandbox's server was not ready after {timeout_s:.0f} s.") from None

    def start(self, job: Job, stdout: int, stderr: int) -> Child:
        """Fork a child for a job, its output going to these descriptors."""
        self.wait_ready()
        number = next(self._numbers)
        started: Future[int] = Future()
        ended: Future[Exit] = Future()
        with self._lock:
            if self._gone:
                raise ServerGone(self._obituary())
            self._started[number], self._ended[number] = started, ended
        self._send({"number": number, "job": job.to_json()}, [stdout, stderr])
        return _ForkedChild(self, number, started.result(), ended)

    def preload(self, *modules: str) -> None:
        """Have the server import more modules, for every later job; those that are missing are passed over."""
        self._send({"preload": modules})

    def close(self) -> None:
        """End the server and every job that still runs."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _send(self, request: dict[str, Any], descriptors: list[int] | None = None) -> None:
        message = json.dumps(request).encode()
        if len(message) > MESSAGE_SIZE:
            raise SandboxError(
                f"A job's description has {len(message)} bytes and may have {MESSAGE_SIZE}; give it fewer inputs."
            )
        with contextlib.suppress(OSError):  # the listening thread says it to whoever waits
            socket.send_fds(self._socket, [message], descriptors or [])

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while message := self._socket.recv(MESSAGE_SIZE):
                self._take(json.loads(message))
        with self._lock:
            self._gone = True
            waiting: list[Future[Any]] = [self._ready, *self._started.values(), *self._ended.values()]
        self._process.wait()
        for future in waiting:
            if not future.done():
                future.set_exception(ServerGone(self._obituary()))
        self._socket.close()
        self._errors.close()

    def _take(self, answer: dict[str, Any]) -> None:
        if "ready" in answer:
            self._ready.set_result(answer["ready"])
            return
        number = answer.pop("number")
        if "pid" in answer:
            self._started.pop(number).set_result(answer["pid"])
        elif "error" in answer:
            self._ended.pop(number)
            self._started.pop(number).set_exception(SandboxError(f"The sandbox {answer['error']}."))
        else:
            self._ended.pop(number).set_result(Exit(answer))

    def _obituary(self) -> str:
        if not self._errors.closed:
            self._errors.seek(0)
            if lines := self._errors.read().decode("utf-8", "replace").strip().splitlines():
                return f"The sandbox's server ended: {lines[-1]}"
        return f"The sandbox's server ended with code {self._process.returncode}."
