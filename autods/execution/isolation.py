"""Confine the process that is about to run generated code: the layers the machine has, strongest first.

Landlock leaves it its folder, its inputs and the libraries; seccomp takes the network, other processes and new ones;
root's capabilities are dropped; rlimits bound memory and files. A process calls `confine` on itself, before it loads
code that nobody has read.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from autods.errors import SandboxError
from autods.execution import landlock, libc, seccomp

__all__ = ["Isolation", "available_layers", "confine", "library_paths", "package_folders"]

Isolation = Literal["auto", "strict", "limits"]

# What may be mapped beyond what may be resident: allocators' arenas and threads' stacks.
_ADDRESS_HEADROOM_MB = 4096
_SYSTEM = (
    "/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/localtime", "/etc/timezone", "/etc/fonts",
    "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/self", "/proc/sys/vm", "/sys/devices/system",
    "/sys/fs/cgroup", "/sys/kernel/mm/transparent_hugepage",
)  # fmt: skip
# Where these come from, what they need comes from.
_NEEDED = ("numpy", "pandas", "sklearn", "lightgbm", "pydantic")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random", "/dev/full")


def available_layers() -> tuple[str, ...]:
    """Name the layers of isolation that this machine has, as a run's report says them.

    Examples
    --------
    >>> available_layers()[-1]
    'clean environment'
    """
    layers = []
    if version := landlock.abi():
        layers.append(f"Landlock {version} (no files but the job's own)")
    if seccomp.available():
        layers.append("seccomp (no network, no other processes)")
    if os.name == "posix":
        layers.append("rlimits (memory, files)")
    return (*layers, "clean environment")


def confine(
    writable: Iterable[Path],
    readable: Iterable[Path] = (),
    *,
    memory_mb: int,
    max_file_mb: int,
    processes: bool = False,
    isolation: Isolation = "auto",
) -> tuple[str, ...]:
    """Confine this process and whatever it starts, for good.

    Parameters
    ----------
    writable
        The only folders it may write.
    readable
        What it may read beside them, the interpreter and the libraries.
    memory_mb, max_file_mb
        See `Limits`.
    processes
        Whether it may start processes.
    isolation
        `auto` takes all layers that the machine has, `strict` refuses less than all, `limits` takes rlimits only.

    Returns
    -------
    tuple of str
        The layers that hold.

    Raises
    ------
    SandboxError
        When `strict` is asked and the machine has neither Landlock nor seccomp.
    """
    layers = available_layers()
    check_isolation(isolation)
    if isolation == "limits":
        layers = tuple(layer for layer in layers if not layer.startswith(("Landlock", "seccomp")))
    if os.name == "posix":
        _limit(memory_mb, max_file_mb)
    if any(layer.startswith("Landlock") for layer in layers):
        reads = (*map(Path, _SYSTEM), *library_paths(), *readable)
        landlock.restrict(reads, (*writable, *map(Path, _DEVICES)))
    if any(layer.startswith("seccomp") for layer in layers):
        libc.drop_capabilities()
        seccomp.restrict(processes=processes)
    return layers


def check_isolation(isolation: Isolation) -> None:
    """Refuse `strict` where the machine has less than all layers."""
    layers = available_layers()
    if isolation == "strict" and not (landlock.abi() and seccomp.available()):
        raise SandboxError(
            f"Isolation 'strict' needs Landlock and seccomp, and this machine has only {', '.join(layers)}; "
            "use Linux 5.13 or newer, a container, or isolation 'auto'."
        )


def _limit(memory_mb: int, max_file_mb: int) -> None:
    import resource

    bounds = [(resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, max_file_mb << 20)]
    if sys.platform == "linux":  # elsewhere a bound on addresses is not dependable; the parent watches what is resident
        mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        bounds.append((resource.RLIMIT_AS, mapped + ((memory_mb + _ADDRESS_HEADROOM_MB) << 20)))
    for kind, bound in bounds:
        hard = resource.getrlimit(kind)[1]
        bound = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
        resource.setrlimit(kind, (bound, bound))


def package_folders() -> tuple[Path, ...]:
    """List the folders that installed packages are imported from: of the environment, of the user, or wherever."""
    named = [entry for entry in map(Path, sys.path) if entry.name in ("site-packages", "dist-packages")]
    specs = [importlib.util.find_spec(package) for package in _NEEDED]
    homes = [Path(spec.origin).parents[1] for spec in specs if spec and spec.origin]
    return tuple(dict.fromkeys([*named, *homes]))


@functools.cache
def library_paths() -> tuple[Path, ...]:
    """List what Python needs to read: interpreter, standard library, installed packages and this library's own code.

    A checkout's root is not among them: it may hold competitions with their answers.
    """
    paths = {Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    prefixes = {Path(prefix).resolve() for prefix in (sys.prefix, sys.base_prefix, sys.exec_prefix)} - {Path("/")}
    paths |= {prefix / part for prefix in prefixes for part in ("lib", "pyvenv.cfg")}
    paths |= set(package_folders())
    paths |= {Path(sys.executable), Path(sys.executable).resolve()}
    for package in ("autods", "autods.tools", "autods.unit_tests"):
        spec = importlib.util.find_spec(package)
        for place in (spec.submodule_search_locations or ()) if spec else ():
            if package == "autods" and not (Path(place) / "errors.py").is_file():
                continue  # a checkout's root, which stands in for tools/ and unit_tests/
            # With an editable install the files are symlinks out of the package's folder.
            paths |= {Path(place), (Path(place) / "__init__.py").resolve().parent}
    return tuple(sorted(paths))
