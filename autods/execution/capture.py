"""Keep the head and the tail of what a job prints, and no more, while it prints."""

from __future__ import annotations

import os
import threading
from collections import deque

__all__ = ["Capture"]

_CHUNK = 1 << 16


class Capture:
    """The first and the last bytes written to a pipe; what lies between is counted and let go.

    Examples
    --------
    >>> capture = Capture(limit_kb=1)
    >>> capture.add(b"first" + b"." * 5000 + b"last")
    >>> text = capture.text()
    >>> text.startswith("first"), "[… 3985 bytes of output cut …]" in text, text.endswith("last")
    (True, True, True)
    """

    def __init__(self, limit_kb: int) -> None:
        self._half = max(limit_kb * 1024 // 2, 1)
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self._cut = 0
        self._lock = threading.Lock()

    def add(self, data: bytes) -> None:
        """Take what was written next."""
        with self._lock:
            room = self._half - len(self._head)
            if room > 0:
                self._head += data[:room]
                data = data[room:]
            if not data:
                return
            self._tail.append(data)
            self._tail_size += len(data)
            while self._tail and self._tail_size - len(self._tail[0]) >= self._half:
                gone = len(self._tail.popleft())
                self._tail_size -= gone
                self._cut += gone

    def text(self) -> str:
        """Return what was kept, with a mark where something was cut."""
        with self._lock:
            tail = b"".join(self._tail)
            head = bytes(self._head)
            cut = self._cut + max(len(tail) - self._half, 0)
        if not cut:
            return (head + tail).decode("utf-8", "replace")
        kept = tail[-self._half :].decode("utf-8", "replace")
        return f"{head.decode('utf-8', 'replace')}\n[… {cut} bytes of output cut …]\n{kept}"

    def read_from(self, descriptor: int) -> threading.Thread:
        """Read a pipe to its end in a thread of its own, then close it."""
        thread = threading.Thread(target=self._drain, args=(descriptor,), name="autods-capture", daemon=True)
        thread.start()
        return thread

    def _drain(self, descriptor: int) -> None:
        try:
            while data := os.read(descriptor, _CHUNK):
                self.add(data)
        finally:
            os.close(descriptor)
