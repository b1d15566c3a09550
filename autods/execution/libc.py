"""The few calls of the C library that isolation needs and Python does not offer."""

from __future__ import annotations

import ctypes
import functools
import os
import struct

__all__ = ["checked", "die_with_parent", "drop_capabilities", "library", "no_new_privileges"]

_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS = 1, 38
_CAPSET = {"x86_64": 126, "aarch64": 91}
# Root in a container often works in folders of another user: these two keep them readable; Landlock does the rest.
_KEPT_CAPABILITIES = (1 << 1) | (1 << 2)  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH


@functools.cache
def library() -> ctypes.CDLL:
    """Return the C library of this process."""
    return ctypes.CDLL(None, use_errno=True)


def checked(result: int) -> int:
    """Return a call's result, or raise its errno as OSError."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def no_new_privileges() -> None:
    """Give up privileges that setuid programs would bring; the kernel asks for it before Landlock and seccomp."""
    checked(library().prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))


def die_with_parent(signal_number: int) -> None:
    """Have the kernel send this signal when the thread that started this process ends."""
    checked(library().prctl(_PR_SET_PDEATHSIG, signal_number, 0, 0, 0))


def drop_capabilities() -> bool:
    """Give up root's special powers (raising limits, reading other processes, mounting); whether that was possible."""
    number = _CAPSET.get(os.uname().machine)
    if number is None:
        return False
    header = struct.pack("Ii", 0x20080522, 0)
    kept = _KEPT_CAPABILITIES if os.geteuid() == 0 else 0
    data = struct.pack("6I", kept, kept, 0, 0, 0, 0)
    return bool(library().syscall(number, ctypes.c_char_p(header), ctypes.c_char_p(data)) == 0)
