"""What a job in the sandbox may use."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Limits"]


@dataclass(frozen=True, slots=True)
class Limits:
    """What one job may use; beyond a limit it is killed, or the call that goes beyond it is refused.

    Attributes
    ----------
    timeout_s
        Wall-clock seconds; then the whole process tree is killed.
    memory_mb
        Resident memory of the process tree.
    max_processes
        Processes, the job's own included; 1 means that it may start none (threads are free).
    max_file_mb
        What the job may write into its folder: in one file, and in all together.
    max_output_kb
        What is kept of each of stdout and stderr: the first and the last half of it.

    Examples
    --------
    >>> Limits(timeout_s=60).memory_mb
    4096
    """

    timeout_s: float = 600.0
    memory_mb: int = 4096
    max_processes: int = 1
    max_file_mb: int = 4096
    max_output_kb: int = 64
