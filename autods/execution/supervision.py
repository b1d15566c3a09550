"""Watch one job from start to end: its output, its clock, its memory, its processes and what it writes."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from pathlib import Path

from autods.errors import SandboxError
from autods.execution import seccomp
from autods.execution.capture import Capture
from autods.execution.child import GREETING, Job
from autods.execution.diagnosis import diagnose
from autods.execution.warm import Child, Exit
from autods.records import ExecutionResult

__all__ = ["supervise"]

_POLL_S = 0.2
_POLLS_PER_LOOK_AT_DISK = 5
_KILL_TIMEOUT_S = 10.0
_LAST_OUTPUT_S = 2.0


def supervise(
    start: Callable[[Job, int, int], AbstractContextManager[Child]], job: Job, results: Sequence[str]
) -> ExecutionResult:
    """Start a job, watch it to its end and say what became of it."""
    captures = Capture(job.limits.max_output_kb), Capture(job.limits.max_output_kb)
    pipes = [os.pipe(), os.pipe()]
    readers = [capture.read_from(pipe[0]) for capture, pipe in zip(captures, pipes, strict=True)]
    with ExitStack() as stack:
        try:
            child = stack.enter_context(start(job, pipes[0][1], pipes[1][1]))
        finally:
            for _, end in pipes:
                os.close(end)
        began = time.monotonic()  # not before: the first job waits for the server
        watch = _Watch(child, job)
        ended, stopped = watch.to_the_end(began + job.limits.timeout_s)
    for reader in readers:
        reader.join(_LAST_OUTPUT_S)  # whoever still holds a pipe open is not waited for
    wall_s = time.monotonic() - began
    stdout, (stderr, layers) = captures[0].text(), _greeting(captures[1].text())
    if layers is None and stopped is None and ended["exit_code"] >= 0:
        last = stderr.strip().splitlines()[-1:] or ["it said nothing"]
        raise SandboxError(f"The sandbox could not confine a job (exit code {ended['exit_code']}): {last[0]}")
    missing = [name for name in results if not _is_file(Path(job.folder) / name)]
    status, message = diagnose(ended, stderr, job.limits, stopped=stopped, missing=missing)
    return ExecutionResult(
        status=status,
        exit_code=ended["exit_code"],
        stdout=stdout,
        stderr=stderr,
        wall_s=wall_s,
        peak_memory_mb=max(watch.peak_mb, ended.get("peak_memory_mb", 0.0)),
        isolation=tuple(layers or ()),
        message=message,
    )


class _Watch:
    """Looks at a running child now and then, and kills it when it goes beyond a limit."""

    def __init__(self, child: Child, job: Job) -> None:
        import psutil

        self._child, self._limits, self._folder = child, job.limits, job.folder
        confined = job.isolation != "limits" and seccomp.available()
        self._alone = confined and job.limits.max_processes == 1
        self._process: psutil.Process | None = None
        with suppress(psutil.Error):
            self._process = psutil.Process(child.pid)
        self.peak_mb = 0.0

    def to_the_end(self, deadline: float) -> tuple[Exit, str | None]:
        """Wait for the end; return how it ended and the limit it was killed for."""
        looks = 0
        while True:
            if ended := self._child.wait(max(min(_POLL_S, deadline - time.monotonic()), 0.001)):
                return ended, None
            looks += 1
            if stopped := self._beyond(deadline, disk=looks % _POLLS_PER_LOOK_AT_DISK == 0):
                self._child.kill()
                ended = self._child.wait(_KILL_TIMEOUT_S)
                return ended or Exit(exit_code=None), stopped

    def _beyond(self, deadline: float, *, disk: bool) -> str | None:
        """Name the limit that the job is beyond, if any."""
        if time.monotonic() >= deadline:
            return "timeout"
        processes, memory_mb = self._size()
        self.peak_mb = max(self.peak_mb, memory_mb)
        if memory_mb > self._limits.memory_mb:
            return "memory"
        if processes > self._limits.max_processes:
            return "processes"
        if disk and _written_mb(self._folder) > self._limits.max_file_mb:
            return "disk"
        return None

    def _size(self) -> tuple[int, float]:
        """Count the job's processes and their resident memory."""
        import psutil

        if self._process is None:
            return 0, 0.0
        with suppress(psutil.Error):
            memory = self._process.memory_info().rss
            tree = [] if self._alone else self._process.children(recursive=True)
            for process in tree:
                with suppress(psutil.Error):
                    memory += process.memory_info().rss
            return 1 + len(tree), memory / 2**20
        return 0, 0.0


def _written_mb(folder: str) -> float:
    """Add up the files of a folder, links not followed."""
    total = 0
    folders = [folder]
    while folders:
        with suppress(OSError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                elif entry.is_file(follow_symlinks=False):
                    total += entry.stat(follow_symlinks=False).st_size
    return total / 2**20


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _greeting(stderr: str) -> tuple[str, list[str] | None]:
    """Take the child's first line, which says the layers that hold, from what it wrote after it."""
    before, found, after = stderr.partition(GREETING)
    if not found:
        return stderr, None
    line, _, rest = after.partition("\n")
    return before + rest, json.loads(line)
