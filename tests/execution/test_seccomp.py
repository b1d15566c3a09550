"""The filter, run by a small machine of our own: what it answers to which call, on both architectures."""

from __future__ import annotations

import os
import platform

import pytest

from autods.execution import seccomp

ALLOW, KILL, REFUSED, IGNORED, NOT_THERE = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050000, 0x00050026
CALLS = {
    "x86_64": {
        "read": 0,
        "socket": 41,
        "socketpair": 53,
        "clone": 56,
        "clone3": 435,
        "execve": 59,
        "kill": 62,
        "prctl": 157,
        "chmod": 91,
    },
    "aarch64": {
        "read": 63,
        "socket": 198,
        "socketpair": 199,
        "clone": 220,
        "clone3": 435,
        "execve": 221,
        "kill": 129,
        "prctl": 167,
        "chmod": 52,
    },
}
CODES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


@pytest.fixture(params=["x86_64", "aarch64"])
def machine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(platform, "machine", lambda: request.param)
    return str(request.param)


def answer(machine: str, call: str | int, first: int = 0, *, processes: bool = False, code: int | None = None) -> int:
    """Run the filter as the kernel would."""
    steps = list(seccomp._steps(processes))
    number = CALLS[machine][call] if isinstance(call, str) else call
    memory = {0: number, 4: CODES[machine] if code is None else code, 16: first}
    position, accumulator = 0, 0
    while True:
        operation, if_true, if_false, operand = steps[position]
        position += 1
        if operation == 0x20:
            accumulator = memory[operand]
        elif operation == 0x06:
            return operand
        else:
            holds = {0x15: accumulator == operand, 0x35: accumulator >= operand, 0x45: bool(accumulator & operand)}[
                operation
            ]
            position += if_true if holds else if_false


def test_ordinary_calls_are_allowed(machine: str) -> None:
    assert {answer(machine, call) for call in ("read", "socketpair")} == {ALLOW}


def test_sockets_are_refused_whatever_their_family(machine: str) -> None:
    assert {answer(machine, "socket", family, processes=p) for family in (1, 2, 10, 17) for p in (True, False)} == {
        REFUSED
    }


def test_threads_may_start_and_processes_may_not(machine: str) -> None:
    thread, process = 0x003D0F00, 0x01200011
    assert answer(machine, "clone", thread) == ALLOW
    assert answer(machine, "clone", process) == REFUSED
    assert answer(machine, "clone3") == NOT_THERE
    assert answer(machine, "execve") == REFUSED


def test_processes_may_start_where_they_are_allowed(machine: str) -> None:
    assert {answer(machine, call, 0x11, processes=True) for call in ("clone", "clone3", "execve")} == {ALLOW}


def test_signals_go_to_the_process_itself_alone(machine: str) -> None:
    assert answer(machine, "kill", os.getpid()) == ALLOW
    assert {answer(machine, "kill", pid) for pid in (0, 1, 2**32 - 1)} == {REFUSED}


def test_only_the_call_that_frees_it_from_its_parent_is_refused_of_prctl(machine: str) -> None:
    assert answer(machine, "prctl", 1) == REFUSED
    assert answer(machine, "prctl", 15) == ALLOW


def test_modes_of_files_are_left_alone_without_an_error(machine: str) -> None:
    assert answer(machine, "chmod") == IGNORED


def test_calls_of_another_architecture_end_the_process(machine: str) -> None:
    assert answer(machine, "read", code=0x40000003) == KILL


def test_the_second_numbering_of_x86_is_refused() -> None:
    if platform.machine() == "x86_64":
        assert answer("x86_64", 0x40000000 + 41) == REFUSED
