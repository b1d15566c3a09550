"""What became of a job, told so that its author knows what to change."""

from __future__ import annotations

import pytest

from autods.execution.diagnosis import diagnose
from autods.execution.limits import Limits
from autods.execution.warm import Exit

TRACEBACK = """a warning before
Traceback (most recent call last):
  File "code.py", line 3, in clean
    return train.drop(columns=["no"])
           ^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/venv/lib/python3.11/site-packages/pandas/core/frame.py", line 10, in drop
    raise KeyError(labels)
KeyError: "['no'] not found in axis"
This happened in fold 2 of 5.
"""


def told(
    stderr: str = "", code: int = 1, *, stopped: str | None = None, missing: list[str] | None = None
) -> tuple[str, str]:
    return diagnose(
        Exit(exit_code=code), stderr, Limits(timeout_s=7, memory_mb=100), stopped=stopped, missing=missing or []
    )


def test_an_error_comes_with_the_authors_own_line_and_its_notes() -> None:
    status, message = told(TRACEBACK)
    assert status == "error"
    assert message.startswith("KeyError: \"['no'] not found in axis\"\nThis happened in fold 2 of 5.")
    assert '(line 3 of code.py: return train.drop(columns=["no"]))' in message


def test_of_several_tracebacks_the_last_counts() -> None:
    chained = "Traceback (most recent call last):\nValueError: first\n\nDuring handling, another:\n\n" + TRACEBACK
    assert told(chained)[1].startswith("KeyError")


def test_a_syntax_error_is_placed() -> None:
    stderr = 'Traceback (most recent call last):\n  File "code.py", line 2\n    return train test\n    ^\nSyntaxError: invalid syntax\n'
    assert told(stderr)[1] == "SyntaxError: invalid syntax (line 2 of code.py: return train test)"


def test_an_error_without_a_traceback_is_found() -> None:
    assert told("some warning\nValueError: clean returned None; it must return (train, test)\n")[1].startswith(
        "ValueError: clean"
    )


@pytest.mark.parametrize(
    "stderr",
    [
        "Traceback (most recent call last):\nMemoryError\n",
        "Traceback (most recent call last):\nnumpy._core._exceptions._ArrayMemoryError: Unable to allocate 298. GiB\n",
        "terminate called after throwing an instance of 'std::bad_alloc'\n",
    ],
)
def test_running_out_of_memory_is_told_apart(stderr: str) -> None:
    status, message = told(stderr, code=-6 if "terminate" in stderr else 1)
    assert status == "memory"
    assert "100 MB" in message


@pytest.mark.parametrize(
    "code, status, words",
    [
        (0, "ok", ""),
        (3, "error", "exit code 3"),
        (-11, "killed", "SIGSEGV"),
        (-9, "killed", "out of memory"),
        (-99, "killed", "signal 99"),
    ],
)
def test_ends_without_a_word_are_told_by_the_exit_code(code: int, status: str, words: str) -> None:
    assert told(code=code)[0] == status
    assert words in told(code=code)[1]


@pytest.mark.parametrize(
    "stopped, status, words",
    [
        ("timeout", "timeout", "7 s"),
        ("memory", "memory", "100 MB"),
        ("processes", "killed", "n_jobs=1"),
        ("disk", "killed", "wrote"),
    ],
)
def test_a_limit_is_named(stopped: str, status: str, words: str) -> None:
    told_status, message = told(code=-9, stopped=stopped)
    assert (told_status, words in message) == (status, True)


def test_a_missing_result_is_named() -> None:
    assert told(code=0, missing=["out/done.json"]) == ("no_result", told(code=0, missing=["out/done.json"])[1])
    assert "out/done.json" in told(code=0, missing=["out/done.json"])[1]
