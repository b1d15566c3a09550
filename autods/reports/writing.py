"""Writes everything a person finds in a run's folder."""

from __future__ import annotations

from pathlib import Path

from autods.reports.content import RunContent
from autods.reports.markdown import phase_report, run_report
from autods.workspace import write_atomic

__all__ = ["write_reports"]


def write_reports(content: RunContent, root: Path) -> None:
    """Write the reports."""
    for phase in content.phases:
        write_atomic(root / phase.file_name, phase_report(phase))
    write_atomic(root / "report.md", run_report(content))
