"""Writes everything that a person finds in a run's folder."""

from __future__ import annotations

import re
from pathlib import Path

from autods.reports.content import PhaseContent, RunContent
from autods.reports.export import solution_notebook, solution_source
from autods.reports.figures import as_png, run_figures
from autods.reports.html import html_report
from autods.reports.manifest import manifest
from autods.reports.markdown import phase_report, run_report
from autods.reports.recipe import recipe_of
from autods.workspace import write_atomic

__all__ = ["write_reports"]


def write_reports(content: RunContent, root: Path) -> tuple[Path, ...]:
    """Write the reports, their pictures, the solution and the manifest.

    Parameters
    ----------
    content
        The run.
    root
        The folder to write to.

    Returns
    -------
    tuple of Path
        What was written, pictures not counted.
    """
    written = []
    for phase in content.phases:
        links = _copy_figures(phase, root)
        written.append(write_atomic(root / phase.file_name, phase_report(phase, links)))
    figures = run_figures(content)
    for name, figure in figures.items():
        write_atomic(root / "figures" / f"{name}.png", as_png(figure))
    written.append(write_atomic(root / "report.md", run_report(content, list(figures))))
    written.append(write_atomic(root / "report.html", html_report(content, figures)))
    recipe = recipe_of(content)
    if recipe is not None:
        written.append(write_atomic(root / "solution.py", solution_source(content, recipe)))
        written.append(write_atomic(root / "solution.ipynb", solution_notebook(content, recipe)))
    written.append(write_atomic(root / "manifest.json", manifest(content)))
    return tuple(written)


def _copy_figures(phase: PhaseContent, root: Path) -> dict[str, str]:
    """Copy a phase's figures to where people look, under names that any link can hold; return the links."""
    links = {}
    for section in phase.summary.sections:
        for figure in section.figures:
            source = phase.folder / figure
            if source.is_file():
                name = f"{phase.phase.slug}_{re.sub(r'[^A-Za-z0-9.-]+', '_', source.name)}"
                write_atomic(root / "figures" / name, source.read_bytes())
                links[figure] = f"figures/{name}"
    return links
