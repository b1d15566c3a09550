"""A run's folder: where everything is, written so that a crash at any moment leaves whole files only."""

from __future__ import annotations

import contextlib
import datetime
import functools
import hashlib
import importlib.metadata
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from autods.errors import RunNotFoundError
from autods.records import from_json, to_json

__all__ = ["Workspace", "content_key", "find_run", "library_versions", "list_runs", "write_atomic"]

Record = TypeVar("Record")
_LIBRARIES = (
    "autods",
    "numpy",
    "pandas",
    "scikit-learn",
    "lightgbm",
    "xgboost-cpu",
    "xgboost",
    "catboost",
    "torch",
    "scipy",
)


def write_atomic(path: Path, content: str | bytes) -> Path:
    """Write a file whole or not at all: to a neighbour first, then renamed over the target."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(content.encode() if isinstance(content, str) else content)
    os.replace(part, path)
    return path


def content_key(*parts: Any) -> str:
    """Hash texts, records and plain values to a short key that names an artifact.

    Examples
    --------
    >>> content_key("clean", {"seed": 0}) == content_key("clean", {"seed": 0})
    True
    """
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part if isinstance(part, bytes) else to_json(part).encode())
        digest.update(b"\0")
    return digest.hexdigest()[:16]


@functools.cache
def library_versions() -> dict[str, str]:
    """Name the installed versions of the libraries that decide a run's bytes."""
    versions = {}
    for name in _LIBRARIES:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            versions[name] = importlib.metadata.version(name)
    return versions


@dataclass(frozen=True)
class Workspace:
    """The paths of one run's folder; methods only read and write records whole."""

    root: Path

    @classmethod
    def create(cls, output: Path, competition: str, started: datetime.datetime) -> Workspace:
        """Make a new run's folder `output/<competition>/<run-id>` and point `latest` at it."""
        parent = output / re.sub(r"[^\w.-]+", "_", competition)
        run_id = f"{started:%Y%m%d-%H%M%S}"
        number = 1
        while True:
            root = parent / (run_id if number == 1 else f"{run_id}-{number}")
            with contextlib.suppress(FileExistsError):
                root.mkdir(parents=True)
                break
            number += 1
        latest = parent / "latest"
        with contextlib.suppress(OSError):
            if latest.is_symlink():
                latest.unlink()
            latest.symlink_to(root.name, target_is_directory=True)
        workspace = cls(root.resolve())
        workspace.work.mkdir()
        return workspace

    @property
    def run_id(self) -> str:
        """The run's name: the folder's."""
        return self.root.name

    @property
    def work(self) -> Path:
        """Everything that is not meant for a person's eyes first."""
        return self.root / "work"

    @property
    def submission(self) -> Path:
        """The best valid submission so far."""
        return self.root / "submission.csv"

    @property
    def folds(self) -> Path:
        """The run's folds."""
        return self.work / "folds.npz"

    def attempt_folder(self, slug: str, key: str) -> Path:
        """The folder of one attempt."""
        return self.work / "attempts" / f"{slug}-{key}"

    def path(self, relative: str) -> Path:
        """A path of a record, made absolute."""
        return self.root / relative

    def relative(self, path: Path) -> str:
        """A path below the run's folder, as records hold it."""
        return path.relative_to(self.root).as_posix()

    def save(self, path: Path, record: Any) -> Path:
        """Write a record as JSON, whole."""
        return write_atomic(path, to_json(record))

    def load(self, record_type: type[Record], path: Path) -> Record:
        """Read a record that `save` wrote."""
        return from_json(record_type, path.read_bytes())

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the run for this process; the lock dies with its owner.

        Raises
        ------
        RunNotFoundError
            When another process holds it.
        """
        with (self.work / "lock").open("a+") as handle:
            if not _try_lock(handle.fileno()):
                raise RunNotFoundError(
                    f"The run {self.root} is held by another process; wait for it, or end it, and resume then."
                )
            yield


def _try_lock(descriptor: int) -> bool:
    try:
        import fcntl
    except ModuleNotFoundError:
        import msvcrt

        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
        except OSError:
            return False
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def list_runs(output: Path) -> list[Workspace]:
    """List the runs below an output folder, the newest first."""
    journals = output.glob("*/*/work/journal.jsonl")
    roots = {journal.parent.parent.resolve() for journal in journals}
    return [Workspace(root) for root in sorted(roots, key=lambda root: (root.name, root.parent.name), reverse=True)]


def find_run(reference: str | Path | None, output: Path) -> Workspace:
    """Find a run by folder, by run-id, by competition (its latest), or the newest of all.

    Raises
    ------
    RunNotFoundError
        When there is none; the message says where it looked.
    """
    if reference is not None and (Path(reference) / "work" / "journal.jsonl").is_file():
        return Workspace(Path(reference).resolve())
    runs = list_runs(output)
    name = None if reference is None else Path(reference).name
    for workspace in runs:
        if name in (None, workspace.run_id, workspace.root.parent.name):
            return workspace
    known = ", ".join(sorted({run.root.parent.name for run in runs})[:5]) or "none"
    raise RunNotFoundError(
        f"There is no run {str(reference or '')!r} below {output}/; runs exist for: {known}. Start one with `autods run`."
    )
