"""Run a script beside its inputs: isolated, limited, and gone to the last process when it ends."""

from __future__ import annotations

import functools
import shutil
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from autods.errors import SandboxError
from autods.execution.child import Job
from autods.execution.isolation import Isolation, available_layers, check_isolation
from autods.execution.limits import Limits
from autods.execution.supervision import supervise
from autods.execution.warm import Child, FreshChild, ServerGone, WarmServer, warm_server_works
from autods.records import ExecutionResult

__all__ = ["Sandbox"]


class Sandbox:
    """Runs scripts; any number of threads may call `run` at once.

    Parameters
    ----------
    isolation
        `auto` takes the strongest layers the machine has, `strict` refuses less than all, `limits` takes only limits.
    warm
        Whether to fork jobs from a warm server, which starts now, in the background. Without it, and where forking is
        not safe, every job is a fresh interpreter.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "hello.py").write_text("print('hello')")
    >>> with Sandbox(warm=False) as sandbox:
    ...     result = sandbox.run(folder / "hello.py", folder=folder / "job")
    >>> result.status, result.stdout
    ('ok', 'hello\\n')
    """

    def __init__(self, isolation: Isolation = "auto", *, warm: bool = True) -> None:
        check_isolation(isolation)
        self.isolation = isolation
        self._server = WarmServer() if warm and warm_server_works() else None
        self._restarted = False
        self._closed = False
        self._lock = threading.RLock()  # a signal's handler may close what its thread is starting
        self._running: set[Child] = set()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers of isolation that hold, for the report."""
        layers = available_layers()
        return (
            layers
            if self.isolation != "limits"
            else tuple(x for x in layers if not x.startswith(("Landlock", "seccomp")))
        )

    def close(self) -> None:
        """End the warm server and every job that still runs; their callers get a result or a `SandboxError`."""
        self._closed = True
        with self._lock:
            running = list(self._running)
        for child in running:
            child.kill()
        if self._server is not None:
            self._server.close()

    def preload(self, *modules: str) -> None:
        """Have later jobs find these modules loaded (torch takes seconds); nothing happens without a server."""
        if self._server is not None:
            self._server.preload(*modules)

    def run(
        self,
        script: Path | str,
        arguments: Sequence[str] = (),
        *,
        folder: Path,
        inputs: Mapping[str, Path] | None = None,
        limits: Limits | None = None,
        readable: Sequence[Path] = (),
        results: Sequence[str] = (),
    ) -> ExecutionResult:
        """Run a script in its folder and say what became of it.

        Parameters
        ----------
        script
            The path of a script, or the dotted name of a module with a `main(arguments) -> int`.
        folder
            The working folder, made if absent: the only place the script may write.
        inputs
            Files (or folders) to find in the working folder, by name there. The originals stay as they are, whatever
            the script does.
        limits
            What it may use.
        readable
            Further files and folders it may read.
        results
            Files that it must leave in the folder; one that is missing makes the status `no_result`. Files of these
            names that are there before are removed.

        Raises
        ------
        SandboxError
            When the sandbox itself breaks; whatever the script does is a value.
        """
        limits = limits or Limits()
        folder = folder.resolve()
        folder.mkdir(parents=True, exist_ok=True)
        for name in results:
            (folder / name).unlink(missing_ok=True)
        inputs = {name: path.resolve() for name, path in (inputs or {}).items()}
        self._place(folder, inputs)
        path = script.resolve() if isinstance(script, Path) else None
        reads = [*inputs.values(), *(place.resolve() for place in readable), *([path] if path else [])]
        job = Job(
            folder=str(folder),
            script=str(path) if path else None,
            module=None if path else str(script),
            arguments=tuple(arguments),
            limits=limits,
            readable=tuple(str(place) for place in reads),
            isolation=self.isolation,
        )
        while True:
            server = self._server
            try:
                return supervise(functools.partial(self._started, server), job, results)
            except ServerGone:
                self._replace(server)

    def _place(self, folder: Path, inputs: Mapping[str, Path]) -> None:
        """Put the inputs into the folder: as links where Landlock keeps the originals from being written, else as copies."""
        linked = any(layer.startswith("Landlock") for layer in self.layers)
        for name, original in inputs.items():
            if original.is_relative_to(folder):
                raise ValueError(
                    f"The input {original} lies in the working folder {folder}, where the script may change it."
                )
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.unlink(missing_ok=True)
            if linked:
                place.symlink_to(original)
            elif original.is_dir():
                shutil.copytree(original, place)
            else:
                shutil.copyfile(original, place)
                place.chmod(0o444)

    @contextmanager
    def _started(self, server: WarmServer | None, job: Job, stdout: int, stderr: int) -> Iterator[Child]:
        """Start a job and know it while it runs."""
        child = server.start(job, stdout, stderr) if server is not None else FreshChild(job, stdout, stderr)
        with self._lock:
            self._running.add(child)
        try:
            yield child
        finally:
            with self._lock:
                self._running.discard(child)

    def _replace(self, gone: WarmServer | None) -> None:
        """Start another server for one that is gone, once; if that goes too, every job is a fresh interpreter."""
        with self._lock:
            if self._closed:
                raise SandboxError("The sandbox is closed.")
            if self._server is not gone:
                return  # another thread did
            self._server = None if self._restarted else WarmServer()
            self._restarted = True
