"""Landlock: how a process gives up the file system for good, by system calls alone (Linux 5.13 and newer).

Rules follow the real path of what is opened, so neither symlinks nor `..` lead out. Root is held as well.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

from autods.execution.libc import checked, library, no_new_privileges

__all__ = ["abi", "restrict"]

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same numbers on every architecture
_EXECUTE, _WRITE, _READ, _LIST = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_TRUNCATE, _IOCTL = 1 << 14, 1 << 15
_OF_A_FILE = _EXECUTE | _WRITE | _READ | _TRUNCATE | _IOCTL


def abi() -> int:
    """Return the kernel's Landlock version, 0 where there is none."""
    if sys.platform != "linux":
        return 0
    return max(int(library().syscall(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(1))), 0)


def _all_rights(version: int) -> int:
    """All file rights that this version knows: what is not named in a rule is then refused."""
    rights = (1 << 13) - 1
    for since, right in ((2, 1 << 13), (3, _TRUNCATE), (5, _IOCTL)):
        rights |= right if version >= since else 0
    return rights


def restrict(readable: Iterable[Path], writable: Iterable[Path]) -> int:
    """Leave this process and its children only these paths, for good; return the kernel's Landlock version.

    Parameters
    ----------
    readable, writable
        Files and folders; a folder stands for all beneath it. Those that do not exist are passed over.
    """
    version = abi()
    rights = _all_rights(version)
    network, scope = (3 if version >= 4 else 0), (3 if version >= 6 else 0)
    attributes = struct.pack("QQQ", rights, network, scope)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = checked(
        library().syscall(_CREATE, ctypes.c_char_p(attributes), ctypes.c_size_t(size), ctypes.c_uint32(0))
    )
    try:
        for paths, granted in ((readable, _EXECUTE | _READ | _LIST), (writable, rights)):
            for path in paths:
                _allow(ruleset, path, granted)
        no_new_privileges()
        checked(library().syscall(_RESTRICT, ruleset, ctypes.c_uint32(0)))
    finally:
        os.close(ruleset)
    return version


def _allow(ruleset: int, path: Path, rights: int) -> None:
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        granted = rights if path.is_dir() else rights & _OF_A_FILE
        rule = struct.pack("=Qi", granted, opened)
        checked(library().syscall(_ADD, ruleset, 1, ctypes.c_char_p(rule), ctypes.c_uint32(0)))
    finally:
        os.close(opened)
