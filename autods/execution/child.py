"""What a sandboxed process does before the code it was started for: environment, limits, isolation, then that code.

The warm server's forks call `start`; where there is no server, `python -c … autods.execution.child.main()` does.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import runpy
import signal
import sys
import tempfile
import threading
import traceback
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NoReturn

from autods.execution.adaptation import adapt
from autods.execution.environment import child_environment
from autods.execution.isolation import Isolation, confine
from autods.execution.limits import Limits

__all__ = ["GREETING", "Job", "main", "start"]

# The first thing on stderr, before any code but ours has run: the layers of isolation that hold.
GREETING = "autods-sandbox: "
_BROKEN = 70


@dataclass(frozen=True, slots=True)
class Job:
    """One job as it is sent to a child: `script` is a path, or `module` names a module with a `main(arguments)`."""

    folder: str
    script: str | None
    module: str | None
    arguments: tuple[str, ...]
    limits: Limits
    readable: tuple[str, ...]
    isolation: Isolation

    def to_json(self) -> str:
        """Write it on one line."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str | bytes) -> Job:
        """Read it back."""
        fields = json.loads(text)
        fields["limits"] = Limits(**fields["limits"])
        return cls(**fields | {"arguments": tuple(fields["arguments"]), "readable": tuple(fields["readable"])})


def start(job: Job, lifeline: int | None = None) -> int:
    """Prepare this process for the job, run it and return the exit code.

    `lifeline` is a pipe from the parent: at its end this process ends too.
    """
    try:
        _prepare_streams()
        sys.dont_write_bytecode = True
        os.environ.clear()
        os.environ.update(child_environment(Path(job.folder)))
        tempfile.tempdir = None  # what it remembers is the warm server's
        os.chdir(job.folder)
        layers = confine(
            [Path(job.folder)],
            [Path(path) for path in job.readable],
            memory_mb=job.limits.memory_mb,
            max_file_mb=job.limits.max_file_mb,
            processes=job.limits.max_processes > 1,
            isolation=job.isolation,
        )
    except Exception:
        traceback.print_exc()
        return _BROKEN
    if lifeline is not None:  # only now: a thread started earlier would not be confined
        threading.Thread(target=_die_with, args=(lifeline,), daemon=True).start()
    print(GREETING + json.dumps(layers), file=sys.stderr, flush=True)
    return _run(job)


def _run(job: Job) -> int:
    adapt(processes=job.limits.max_processes > 1)
    try:
        if job.module is not None:
            module = __import__(job.module, fromlist=["main"])
            return int(module.main(list(job.arguments)) or 0)
        assert job.script is not None
        sys.argv = [job.script, *job.arguments]
        sys.path.insert(0, str(Path(job.script).parent))
        runpy.run_path(job.script, run_name="__main__")
    except SystemExit as leaving:
        if leaving.code is None or isinstance(leaving.code, int):
            return leaving.code or 0
        print(leaving.code, file=sys.stderr)
        return 1
    except BaseException as error:
        print_traceback(error)
        return 1
    return 0


def print_traceback(error: BaseException) -> None:
    """Print the traceback without our own frames at its top."""
    here = {__file__, runpy.__file__, "<frozen runpy>"}
    shown = error.__traceback__
    while shown is not None and shown.tb_next is not None and shown.tb_frame.f_code.co_filename in here:
        shown = shown.tb_next
    traceback.print_exception(type(error), error, shown, file=sys.stderr)


def _prepare_streams() -> None:
    """Give this process text streams that write every line at once, so that a kill loses none."""
    sys.stdin = io.TextIOWrapper(io.FileIO(0, "r", closefd=False), encoding="utf-8")
    for name, descriptor in (("stdout", 1), ("stderr", 2)):
        raw = io.BufferedWriter(io.FileIO(descriptor, "w", closefd=False))
        setattr(sys, name, io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", line_buffering=True))
    vars(sys).update({f"__{name}__": getattr(sys, name) for name in ("stdin", "stdout", "stderr")})


def main() -> None:
    """Run the job that is the last argument; stdin is the parent's line of life."""
    job = Job.from_json(sys.argv[-1])
    lifeline = os.dup(0)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    sys.argv = sys.argv[:1]
    finish(start(job, lifeline))


def finish(code: int) -> NoReturn:
    """Leave at once: nothing the job registered runs, and no thread of it is waited for."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    os._exit(code)


def _die_with(lifeline: int) -> None:
    with contextlib.suppress(OSError):
        while os.read(lifeline, 1):
            pass
    if os.name == "posix":
        with contextlib.suppress(OSError):
            os.killpg(0, signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)
    os._exit(_BROKEN)
