"""The warm server: a process with the libraries loaded that forks a child for every job (Linux).

It reads requests from one socket and writes answers to it, one message each. It ends, and kills every child, when the
socket does; its children die with it. It never runs generated code itself.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import selectors
import signal
import socket
import sys
import time
import traceback
from collections.abc import Iterable
from typing import NoReturn

from autods.execution import libc
from autods.execution.child import Job, finish, start
from autods.execution.isolation import library_paths
from autods.execution.warm import MESSAGE_SIZE

__all__ = ["PRELOADED", "main", "serve"]

PRELOADED = (
    "numpy", "pandas", "pyarrow", "pyarrow.parquet", "pyarrow.dataset", "scipy.stats", "scipy.sparse", "joblib",
    "sklearn.compose", "sklearn.ensemble", "sklearn.impute", "sklearn.linear_model", "sklearn.metrics",
    "sklearn.model_selection", "sklearn.pipeline", "sklearn.preprocessing", "sklearn.decomposition", "sklearn.svm",
    "sklearn.neighbors", "sklearn.naive_bayes", "sklearn.feature_extraction.text", "lightgbm", "threadpoolctl",
    "pydantic", "pytest", "matplotlib.backends.backend_agg", "matplotlib.figure", "optuna.distributions",
    "autods.records", "autods.phases", "autods.unit_tests", "autods.competition", "autods.profiling",
    "autods.validation.cross_validation", "autods.validation.folds", "autods.validation.replay",
    "autods.validation.storage", "autods.execution.runner",
)  # fmt: skip


def serve(connection: socket.socket) -> None:
    """Answer requests until the other end is gone."""
    began = time.perf_counter()
    _preload_tools()
    _look_at_the_machine()
    _preload(PRELOADED)
    wakeup, waker = os.pipe()
    os.set_blocking(waker, False)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    _answer(connection, {"ready": time.perf_counter() - began})
    children: dict[int, int] = {}  # request numbers by process id
    with selectors.DefaultSelector() as selector:
        selector.register(connection, selectors.EVENT_READ)
        selector.register(wakeup, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fd == wakeup:
                    os.read(wakeup, 4096)
                    _reap(children, connection)
                elif not _receive(connection, children):
                    for pid in children:
                        _kill(pid)
                    return


def _preload(names: Iterable[str]) -> None:
    """Import modules; this is only for speed, so what is missing is left for the job that needs it to say."""
    for name in names:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    gc.collect()
    gc.freeze()


def _preload_tools() -> None:
    tools = importlib.import_module("autods.tools")
    for name in tools.__all__:
        with contextlib.suppress(ImportError):
            getattr(tools, name)


def _look_at_the_machine() -> None:
    """Ask now, and keep, what children may not ask: the joblib way to count cores starts a process."""
    import joblib

    joblib.cpu_count(only_physical_cores=True)
    library_paths()


def _receive(connection: socket.socket, children: dict[int, int]) -> bool:
    """Carry out one request; False when the other end is gone."""
    try:
        message, descriptors, *_ = socket.recv_fds(connection, MESSAGE_SIZE, 2)
    except ConnectionError:
        return False
    if not message:
        return False
    request = json.loads(message)
    if "preload" in request:
        _preload(request["preload"])
        return True
    if "kill" in request:
        for pid, number in children.items():
            if number == request["kill"]:
                _kill(pid)
        return True
    server = os.getpid()
    try:
        pid = os.fork()
        if pid == 0:
            _become(Job.from_json(request["job"]), server, *descriptors)
    except OSError as error:
        _answer(connection, {"number": request["number"], "error": f"cannot start a process: {error}"})
        return True
    finally:
        for descriptor in descriptors:
            os.close(descriptor)
    children[pid] = request["number"]
    _answer(connection, {"number": request["number"], "pid": pid})
    return True


def _become(job: Job, server: int, stdout: int, stderr: int) -> NoReturn:
    """Turn this fork into the job's process; never returns."""
    code = 70
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        libc.die_with_parent(signal.SIGKILL)
        os.setsid()
        null = os.open(os.devnull, os.O_RDONLY)
        for source, target in ((null, 0), (stdout, 1), (stderr, 2)):
            os.dup2(source, target)
        os.closerange(3, max(map(int, os.listdir("/proc/self/fd"))) + 1)
        if os.getppid() == server:  # else it died before it could take us with it
            code = start(job)
    except BaseException:
        traceback.print_exc()
    finish(code)


def _reap(children: dict[int, int], connection: socket.socket) -> None:
    """Report every child that has ended, and end what it left behind."""
    while children:
        # Looked at before it is reaped: until then its number, and so its group's, belongs to no one else.
        ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if ended is None:
            return
        _kill(ended.si_pid)
        pid, status, usage = os.wait4(ended.si_pid, 0)
        answer = {"number": children.pop(pid, None), "exit_code": os.waitstatus_to_exitcode(status)}
        _answer(
            connection, answer | {"cpu_s": usage.ru_utime + usage.ru_stime, "peak_memory_mb": usage.ru_maxrss / 1024}
        )


def _kill(pid: int) -> None:
    """Kill the child and its whole process group, which is its session's only one."""
    for kill in (os.kill, os.killpg):  # the group may not be there yet
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def _answer(connection: socket.socket, answer: dict[str, object]) -> None:
    with contextlib.suppress(ConnectionError):
        connection.sendall(json.dumps(answer).encode())


def main() -> None:
    """Serve on the descriptor that is the last argument."""
    with socket.socket(fileno=int(sys.argv[-1])) as connection:
        serve(connection)
    os._exit(0)
