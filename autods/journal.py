"""The journal: all attempts and decisions of a run, on disk, append-only; the truth about the run."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autods.records import json_ready

__all__ = ["Journal"]


@dataclass(frozen=True)
class Journal:
    """Events as JSON lines, each flushed to the disk before `append` returns.

    Parameters
    ----------
    path
        The file `work/journal.jsonl` of a run.
    clock
        Gives the time of an event in seconds since the epoch.

    Examples
    --------
    >>> import tempfile
    >>> journal = Journal(Path(tempfile.mkdtemp()) / "journal.jsonl", clock=lambda: 0.0)
    >>> journal.append("phase_done", phase="cleaning")
    >>> journal.events("phase_done")
    [{'event': 'phase_done', 'at': 0.0, 'phase': 'cleaning'}]
    """

    path: Path
    clock: Callable[[], float]
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    def append(self, event: str, **facts: Any) -> None:
        """Add one event."""
        line = json.dumps(json_ready({"event": event, "at": round(self.clock(), 3), **facts}), ensure_ascii=False)
        with self._lock:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab") as handle:
                if handle.tell() and not self._ends_whole():
                    handle.write(b"\n")
                handle.write(line.encode() + b"\n")
                handle.flush()
                os.fsync(handle.fileno())

    def events(self, *names: str) -> list[dict[str, Any]]:
        """Read the events, all or those named; a last line cut by a crash is left out."""
        if not self.path.exists():
            return []
        found = []
        for line in self.path.read_bytes().splitlines():
            try:
                event = json.loads(line)
            except ValueError:
                continue
            if not names or event["event"] in names:
                found.append(event)
        return found

    def latest(self, fact: str) -> Any:
        """Give a fact as the last event that has it says.

        Examples
        --------
        >>> import tempfile
        >>> journal = Journal(Path(tempfile.mkdtemp()) / "journal.jsonl", clock=lambda: 0.0)
        >>> for seed in (1, 2):
        ...     journal.append("started", config={"seed": seed})
        >>> journal.latest("config")
        {'seed': 2}
        """
        return next(event[fact] for event in reversed(self.events()) if fact in event)

    def active_s(self, *begins: str) -> float:
        """Sum the seconds that processes worked on the run: from each event that begins one to the last before the next.

        Examples
        --------
        >>> import itertools, tempfile
        >>> ticks = itertools.chain([0.0, 5.0, 100.0], itertools.repeat(103.0))
        >>> journal = Journal(Path(tempfile.mkdtemp()) / "journal.jsonl", clock=lambda: next(ticks))
        >>> for event in ("started", "planned", "resumed", "finished"):
        ...     journal.append(event)
        >>> journal.active_s("started", "resumed")
        8.0
        """
        total, begun, last = 0.0, None, 0.0
        for event in self.events():
            if event["event"] in begins:
                total, begun = total + (last - begun if begun is not None else 0.0), event["at"]
            last = event["at"]
        return total + (last - begun if begun is not None else 0.0)

    def _ends_whole(self) -> bool:
        with self.path.open("rb") as handle:
            handle.seek(-1, os.SEEK_END)
            return handle.read(1) == b"\n"
