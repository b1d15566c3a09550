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
import warnings
from collections.abc import Iterable
from typing import NoReturn

from autods.execution import libc
from autods.execution.child import Job, finish, start
from autods.execution.isolation import library_paths
from autods.execution.warm import EVERYTHING, MESSAGE_SIZE

__all__ = ["main", "serve"]


def serve(connection: socket.socket, preloaded: Iterable[str]) -> None:
    """Import these modules, then answer requests until the other end is gone."""
    began = time.perf_counter()
    # Later Pythons warn of threads at a fork; the one here is Arrow's allocator's, which knows how to be forked.
    warnings.filterwarnings("ignore", message=".*multi-threaded.*fork", category=DeprecationWarning)
    _preload(preloaded)
    _look_at_the_machine()
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
            module = importlib.import_module(name.removesuffix(EVERYTHING))
            for attribute in module.__all__ if name.endswith(EVERYTHING) else ():
                getattr(module, attribute)
    gc.collect()
    gc.freeze()


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
        _answer(connection, answer | {"peak_memory_mb": usage.ru_maxrss / 1024})


def _kill(pid: int) -> None:
    """Kill the child and its whole process group, which is its session's only one."""
    for kill in (os.kill, os.killpg):  # the group may not be there yet
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def _answer(connection: socket.socket, answer: dict[str, object]) -> None:
    with contextlib.suppress(ConnectionError):
        connection.sendall(json.dumps(answer).encode())


def main() -> None:
    """Serve on the descriptor of the first argument, with the modules of the others loaded."""
    with socket.socket(fileno=int(sys.argv[1])) as connection:
        serve(connection, sys.argv[2:])
    os._exit(0)
