"""What stands in for what isolation takes away behaves like it."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from autods.execution import adaptation
from autods.execution.adaptation import _ThreadsSemaphore

LOCK, RECURSIVE = 1, 0


def test_a_lock_is_held_once() -> None:
    lock = _ThreadsSemaphore(LOCK, 1, 1)
    assert lock.acquire()
    assert not lock.acquire(block=False)
    assert lock._is_zero()
    lock.release()
    assert lock._get_value() == 1


def test_a_recursive_lock_is_held_again_by_its_own_thread_only() -> None:
    lock = _ThreadsSemaphore(RECURSIVE, 1, 1)
    with lock, lock:
        assert (lock._count(), lock._is_mine()) == (2, True)
        others: list[bool] = []
        thread = threading.Thread(target=lambda: others.append(lock.acquire(block=False)))
        thread.start()
        thread.join()
    assert others == [False]
    assert (lock._count(), lock._is_zero()) == (0, False)


def test_a_semaphore_is_not_released_beyond_its_value() -> None:
    semaphore = _ThreadsSemaphore(LOCK, 2, 2)
    with semaphore:
        pass
    with pytest.raises(ValueError, match="too many times"):
        semaphore.release()


def test_a_wait_for_a_lock_ends() -> None:
    lock = _ThreadsSemaphore(LOCK, 0, 1)
    assert not lock.acquire(timeout=0.01)


@pytest.fixture
def forgiving(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*arguments: object, **options: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "utime", refused)
    adaptation._forgive_times()


@pytest.mark.usefixtures("forgiving")
def test_times_that_cannot_be_set_are_forgiven(tmp_path: Path) -> None:
    path = tmp_path / "made"
    path.touch()
    path.touch()
    assert path.exists()
    with pytest.raises(FileNotFoundError):
        os.utime(tmp_path / "absent")
