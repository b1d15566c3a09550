"""Let libraries work without what isolation takes away: new processes, shared memory, the times of files.

None of this isolates anything; it only spares honest code an error.
"""

from __future__ import annotations

import os
import threading
from typing import Any

__all__ = ["adapt"]

_RECURSIVE = 0  # the kind of multiprocessing.RLock; all others are semaphores


def adapt(*, processes: bool) -> None:
    """Prepare this process; `processes` says whether it may start others."""
    if os.name == "posix":
        _forgive_times()
    if not processes:
        _share_locks_between_threads()
        _prefer_threads()


def _prefer_threads() -> None:
    """Have joblib, and what builds on it, run in threads."""
    try:
        from joblib import parallel
    except ImportError:
        return
    parallel.register_parallel_backend("threading", parallel.ThreadingBackend, make_default=True)


class _ThreadsSemaphore:
    """Stands in for `_multiprocessing.SemLock`, whose own lies in /dev/shm; thread pools ask for it too."""

    SEM_VALUE_MAX = 2**31 - 1

    def __init__(self, kind: int, value: int, maxvalue: int, name: str = "", unlink: bool = True) -> None:
        self.kind, self.maxvalue, self.handle, self.name = kind, maxvalue, 0, None
        self._value, self._owner, self._depth = value, 0, 0
        self._changed = threading.Condition()

    def acquire(self, block: bool = True, timeout: float | None = None) -> bool:
        me = threading.get_ident()
        with self._changed:
            if not (self.kind == _RECURSIVE and self._depth and self._owner == me):
                if not self._changed.wait_for(lambda: self._value > 0, timeout if block else 0):
                    return False
                self._value -= 1
            self._owner, self._depth = me, self._depth + 1
            return True

    def release(self) -> None:
        with self._changed:
            self._depth -= 1
            if self.kind == _RECURSIVE and self._depth:
                return
            if self._value >= self.maxvalue:
                raise ValueError("semaphore or lock released too many times")
            self._value += 1
            self._changed.notify()

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *exception: object) -> None:
        self.release()

    def _count(self) -> int:
        return self._depth

    def _is_mine(self) -> bool:
        return self._depth > 0 and self._owner == threading.get_ident()

    def _get_value(self) -> int:
        return self._value

    def _is_zero(self) -> bool:
        return self._value == 0

    def _after_fork(self) -> None:
        """There is no fork after which it could be shared."""


def _share_locks_between_threads() -> None:
    try:
        import _multiprocessing
    except ImportError:
        return
    _multiprocessing.SemLock = _ThreadsSemaphore


def _forgive_times() -> None:
    """Let copies of files keep the time of copying instead of failing."""
    set_times = os.utime

    def utime(path: Any, *arguments: Any, **options: Any) -> None:
        try:
            set_times(path, *arguments, **options)
        except PermissionError:
            if not isinstance(path, int) and not os.path.lexists(path):
                raise FileNotFoundError(path) from None

    os.utime = utime
    # Path.touch and shutil ask whether these are supported, by identity.
    for supported in (os.supports_fd, os.supports_follow_symlinks, os.supports_dir_fd):
        if set_times in supported:
            supported.add(utime)
