"""A seccomp filter: no network, no look into or signal to other processes and, where asked, no new processes.

Landlock guards what is opened; this guards what Landlock does not see. Threads, pipes and socket pairs stay free.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from collections.abc import Iterator

from autods.execution.libc import checked, library, no_new_privileges

__all__ = ["available", "restrict"]

_ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
_FIRST_X32_CALL = 0x40000000
_CLONE_THREAD = 0x00010000
_PR_SET_PDEATHSIG = 1

# Numbers on (x86-64, aarch64); None where the architecture has no such call.
_DENIED: dict[str, tuple[int | None, int | None]] = {
    "socket": (41, 198),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424), "tkill": (200, 130), "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240), "setsid": (112, 157), "setpgid": (109, 154),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "open_tree": (428, 428),
    "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433),
    "mount_setattr": (442, 442), "unshare": (272, 97), "setns": (308, 268), "open_by_handle_at": (304, 265),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106), "kexec_load": (246, 104),
    "kexec_file_load": (320, 294), "reboot": (169, 142), "swapon": (167, 224), "swapoff": (168, 225),
    "shmget": (29, 194), "semget": (64, 190), "msgget": (68, 186), "mq_open": (240, 180),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "removexattr": (197, 14),
    "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "utime": (132, None), "utimes": (235, None), "futimesat": (261, None), "utimensat": (280, 88),
}  # fmt: skip
# Landlock does not see modes and owners; libraries call these on their own files, so they succeed and do nothing.
_IGNORED: dict[str, tuple[int | None, int | None]] = {
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, None), "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54),
}  # fmt: skip
_NEW_PROCESS: dict[str, tuple[int | None, int | None]] = {
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281),
}  # fmt: skip
_CLONE, _CLONE3, _PRCTL, _KILL, _TGKILL = (56, 220), (435, 435), (157, 167), (62, 129), (234, 131)

_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL_PROCESS, _FAIL_WITH = 0x7FFF0000, 0x80000000, 0x00050000
_CALL, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16


def available() -> bool:
    """Whether this machine has seccomp filters that we can write."""
    if sys.platform != "linux" or platform.machine() not in _ARCHITECTURES:
        return False
    # A filter at address 0 fails with EFAULT where the kernel has filters, with EINVAL where it does not.
    library().prctl(22, 2, 0, 0, 0)
    return ctypes.get_errno() == errno.EFAULT


def restrict(*, processes: bool) -> None:
    """Filter the system calls of this process and its children, for good.

    Parameters
    ----------
    processes
        Whether new processes may be started. If not, signals may go to this process alone.
    """
    program = b"".join(struct.pack("HBBI", *step) for step in _steps(processes))
    buffer = ctypes.create_string_buffer(program, len(program))

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_void_p))

    no_new_privileges()
    checked(library().prctl(22, 2, ctypes.byref(Program(len(program) // 8, ctypes.addressof(buffer))), 0, 0))


def _steps(processes: bool) -> Iterator[tuple[int, int, int, int]]:
    """Yield the filter's instructions: (operation, steps to skip if true, steps to skip if false, operand)."""
    code, column = _ARCHITECTURES[platform.machine()]
    denied, fine = _FAIL_WITH | errno.EPERM, _FAIL_WITH
    yield _LOAD, 0, 0, _ARCHITECTURE
    yield _JUMP_EQUAL, 1, 0, code
    yield _RETURN, 0, 0, _KILL_PROCESS
    yield _LOAD, 0, 0, _CALL
    yield _JUMP_AT_LEAST, 0, 1, _FIRST_X32_CALL
    yield _RETURN, 0, 0, denied
    answers = [(_DENIED, denied), (_IGNORED, fine), *([] if processes else [(_NEW_PROCESS, denied)])]
    for table, answer in answers:
        for numbers in table.values():
            if (number := numbers[column]) is not None:
                yield _JUMP_EQUAL, 0, 1, number
                yield _RETURN, 0, 0, answer
    yield from _when(_PRCTL[column], _JUMP_EQUAL, _PR_SET_PDEATHSIG, denied, _ALLOW)
    if not processes:
        # clone3 hides its flags behind a pointer; told that there is none, the C library takes clone.
        yield _JUMP_EQUAL, 0, 1, _CLONE3[column]
        yield _RETURN, 0, 0, _FAIL_WITH | errno.ENOSYS
        yield from _when(_CLONE[column], _JUMP_ANY_BIT, _CLONE_THREAD, _ALLOW, denied)
        for number in (_KILL[column], _TGKILL[column]):
            yield from _when(number, _JUMP_EQUAL, os.getpid(), _ALLOW, denied)
    yield _RETURN, 0, 0, _ALLOW


def _when(number: int, test: int, operand: int, if_true: int, if_false: int) -> Iterator[tuple[int, int, int, int]]:
    """Answer one call by its first argument."""
    yield _JUMP_EQUAL, 0, 4, number
    yield _LOAD, 0, 0, _FIRST_ARGUMENT
    yield test, 0, 1, operand
    yield _RETURN, 0, 0, if_true
    yield _RETURN, 0, 0, if_false
