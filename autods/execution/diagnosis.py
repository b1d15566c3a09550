"""Say what became of a job, and what its author should change."""

from __future__ import annotations

import re
import signal
from typing import Literal

from autods.execution.limits import Limits
from autods.execution.warm import Exit

__all__ = ["diagnose"]

_OUT_OF_MEMORY = re.compile(
    r"MemoryError|std::bad_alloc|can't allocate memory|Unable to allocate|Cannot allocate memory|bad allocation"
)
_HEADER = "Traceback (most recent call last):"
_AVAILABLE = "numpy, pandas, scipy, sklearn, lightgbm, xgboost, catboost, matplotlib and autods.tools"


Status = Literal["ok", "error", "timeout", "memory", "killed", "no_result"]


def diagnose(
    ended: Exit, stderr: str, limits: Limits, *, stopped: str | None, missing: list[str]
) -> tuple[Status, str]:
    """Return a job's status (see `ExecutionResult`) and a message that tells its author what to change.

    Parameters
    ----------
    ended
        How its process ended.
    stopped
        Which limit we killed it for: `timeout`, `memory`, `processes`, `disk`; None when it ended by itself.
    missing
        Results that it should have left and did not.
    """
    if stopped is not None:
        return _STOPPED[stopped][0], _STOPPED[stopped][1].format(limits=limits)
    code = ended["exit_code"]
    if code == 0:
        if not missing:
            return "ok", ""
        return "no_result", (
            f"The code ended without an error but left no {', '.join(missing)}: it probably called sys.exit() or "
            "os._exit(). Let the code run to its end."
        )
    if _OUT_OF_MEMORY.search(stderr[-4000:]):
        reason = _last_error(stderr) or "MemoryError"
        return "memory", f"{reason}. The limit is {limits.memory_mb} MB: use smaller or sparse arrays, or float32."
    if code < 0:
        return "killed", _killed(-code)
    return "error", _error(stderr) or f"The code ended with exit code {code}."


_STOPPED: dict[str, tuple[Status, str]] = {
    "timeout": ("timeout", "Killed after {limits.timeout_s:g} s: do less work (fewer rows, rounds or loops)."),
    "memory": (
        "memory",
        "Killed: it held more than {limits.memory_mb} MB (MemoryError). Use smaller or sparse arrays, or float32.",
    ),
    "processes": ("killed", "Killed: it ran more than {limits.max_processes} processes. Use n_jobs=1."),
    "disk": ("killed", "Killed: it wrote more than {limits.max_file_mb} MB. Write less."),
}


def _killed(number: int) -> str:
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    if name == "SIGKILL":
        return "The process was killed from outside (SIGKILL), perhaps because the machine ran out of memory."
    return f"The process died of {name} in native code (a library crashed): call it differently or use another."


def _error(stderr: str) -> str:
    error = _last_error(stderr)
    if error is None:
        return stderr.strip().splitlines()[-1] if stderr.strip() else ""
    place = _failing_line(stderr)
    return " ".join(part for part in (f"{error}{place}", _hint(error, stderr)) if part)


def _last_error(stderr: str) -> str | None:
    """Find the last exception's line: the first unindented line after the last traceback that is not its header."""
    start = stderr.rfind(_HEADER)
    lines = stderr[start + len(_HEADER) :].splitlines() if start >= 0 else stderr.splitlines()
    for position, line in enumerate(lines):
        if line and not line.startswith((" ", "\t")) and (start >= 0 or re.match(r"[\w.]*(Error|Exception)\b", line)):
            more = [text for text in lines[position + 1 :] if text.strip()][:6]
            return "\n".join([line, *more])[:1500]
    return None


def _failing_line(stderr: str) -> str:
    """Name the last line of the author's own file on the way to the error."""
    start = stderr.rfind(_HEADER)
    frames = re.findall(
        r'^  File "([^"]+)", line (\d+)(?:, in .*)?\n    (.*)$', stderr[max(start, 0) :], flags=re.MULTILINE
    )
    own = [frame for frame in frames if frame[0] == "code.py"] or [f for f in frames if "/lib/" not in f[0]]
    if not own:
        return ""
    path, number, text = own[-1]
    return f" (line {number} of {path.replace(chr(92), '/').rpartition('/')[2]}: {text.strip()})"


def _hint(error: str, stderr: str) -> str:
    if re.match(r"ModuleNotFoundError|ImportError: No module", error) or re.search(r"\bpip3?\b.*\binstall\b", stderr):
        return f"Packages cannot be installed here (no network, no new processes); use {_AVAILABLE}."
    if error.startswith("EOFError") and "input" in stderr:
        return "Nobody answers input(): write the value into the code."
    if error.startswith(("PermissionError", "BlockingIOError")) and re.search(
        r"subprocess|os\.fork|Process\(|_start\(", stderr
    ):
        return "New processes are refused here: use threads, or n_jobs=1."
    if re.search(r"socket|urlopen|gaierror|ConnectionError|URLError|Max retries", error + stderr[-3000:]):
        return "There is no network here: use only the inputs."
    if error.startswith(("PermissionError", "OSError: [Errno 30]")):
        return "Only the job's own folder can be written, and only its inputs and the libraries read."
    if error.startswith("OSError: [Errno 27]"):
        return "The file is larger than the limit allows."
    return ""
