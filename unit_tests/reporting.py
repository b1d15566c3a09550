"""Write what each gate said as one JSON line, at once, so that a crash loses no more than the gate that crashed."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

__all__ = ["Reporter"]


class Reporter:
    """A pytest plugin; the report is whole only when its last line holds `finished`, the exit status.

    Parameters
    ----------
    path
        The JSON-lines file to append to.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._records: dict[str, dict[str, Any]] = {}

    def _write(self, record: dict[str, Any]) -> None:
        with self.path.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(record) + "\n")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Add up what setup, call and teardown of a gate said."""
        report = yield
        start = {"name": item.name, "protects": _docstring(item), "outcome": "passed", "message": "", "wall_s": 0.0}
        record = self._records.setdefault(item.nodeid, start)
        record["wall_s"] += call.duration
        if call.excinfo is not None and record["outcome"] == "passed":
            warns = report.failed and item.get_closest_marker("warn") is not None
            record["outcome"] = "warned" if warns else report.outcome
            record["message"] = _message(call.excinfo)
        if call.when == "teardown":
            self._write(record)
        return report

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Report a file that cannot be imported as a failed gate."""
        if report.failed:
            name = Path(report.nodeid).name
            self._write(
                {"name": name, "protects": "The gates load.", "outcome": "failed", "message": report.longreprtext}
            )

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Close the report."""
        self._write({"finished": int(exitstatus), "collected": session.testscollected})


def _docstring(item: pytest.Item) -> str:
    return " ".join((getattr(getattr(item, "obj", None), "__doc__", None) or "").split())


def _message(failure: pytest.ExceptionInfo[BaseException]) -> str:
    error, last = failure.value, failure.traceback[-1]
    if isinstance(error, AssertionError | pytest.fail.Exception | pytest.skip.Exception):
        return str(error) or f"This does not hold: {last.statement}"
    return f"The gate itself broke at {Path(last.path).name}:{last.lineno + 1}: {type(error).__name__}: {error}"
