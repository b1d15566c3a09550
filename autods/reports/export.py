"""The run as code: `solution.py` and `solution.ipynb`, which re-create the submission byte for byte."""

from __future__ import annotations

import ast
import pprint
import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from autods.reports.content import RunContent
from autods.reports.harness import Recipe, harness_source
from autods.reports.modules import MergedModule, import_block, merge_modules, parameters_of
from autods.reports.rendering import render_code
from autods.reports.text import one_line, score_text
from autods.tools.records import TaskFacts

__all__ = ["solution_notebook", "solution_source"]

WIDTH = 110
ENVIRONMENT = """import os
import sys

# What decides the last digits, as it was when the run computed them: one thread, one order of sets.
SAME = {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
if __name__ == "__main__" and any(os.environ.get(name) != value for name, value in SAME.items()):
    os.environ.update(SAME)
    os.execv(sys.executable, [sys.executable, *sys.argv])"""
HARNESS = {
    "pathlib": ("Path",),
    "autods.competition": ("build_submission", "metric_of", "read_competition", "write_submission"),
    "autods.profiling": ("profile_frames",),
    "autods.records": ("Decision", "Folds"),
    "autods.tools": ("TaskFacts",),
    "autods.validation.blending": ("blend_outputs",),
    "autods.validation.cross_validation": ("fit_candidate",),
    "autods.validation.folds": ("choose_folds", "duplicate_groups", "fold_keys"),
    "autods.validation.preparation": ("configure", "repeatable"),
    "autods.validation.replay": ("as_stored", "transform"),
}
OWN_NAMES = (
    "SAME", "COMPETITION", "OUT", "SEED", "EFFORT", "N_SPLITS", "TASK", "CHOSEN", "DECISION", "main", "run_folds",
    "features", "submission",
)  # fmt: skip
RESERVED = {
    **dict.fromkeys(OWN_NAMES, ""),
    **{"os": "os", "sys": "sys", "np": "numpy"},
    **{name: f"{module}:{name}" for module, names in HARNESS.items() for name in names},
}


@dataclass(frozen=True)
class _Pieces:
    """The parts of the solution, as text, from which script and notebook are put together."""

    title: str
    facts: tuple[str, ...]
    versions: str
    imports: str
    phases: Mapping[str, str]
    choices: str
    main: str


def solution_source(content: RunContent, recipe: Recipe) -> str:
    """Write `solution.py`.

    Parameters
    ----------
    content
        The run.
    recipe
        What re-creates its submission.

    Returns
    -------
    str
        A module that needs nothing of the run but autods itself and the competition's folder.
    """
    pieces = _pieces(content, recipe)
    sections = [
        {"comments": [_comment(slug, recipe)], "code": pieces.phases[slug] or f"# {slug} adds nothing."}
        for slug in recipe.codes
    ]
    sections.append({"comments": ["The run's choices"], "code": pieces.choices})
    return render_code(
        "solution.py.j2",
        title=_docstring(pieces.title),
        facts=[_docstring(line) for line in pieces.facts],
        versions=_docstring(pieces.versions),
        environment=ENVIRONMENT,
        imports=pieces.imports,
        sections=sections,
        main=pieces.main,
    )


def solution_notebook(content: RunContent, recipe: Recipe) -> str:
    """Write `solution.ipynb`: the same code in cells, under the headlines of the phases; it runs from top to bottom."""
    import nbformat
    from nbformat import v4

    pieces = _pieces(content, recipe)
    cells = [
        ("markdown", f"# {pieces.title}\n\n" + "\n\n".join(pieces.facts) + f"\n\n{pieces.versions}"),
        ("code", pieces.imports),
    ]
    for slug in recipe.codes:
        cells += [("markdown", f"## {slug.replace('_', ' ').capitalize()}\n\n{recipe.headlines.get(slug, '')}".strip())]
        cells += [("code", pieces.phases[slug])] if pieces.phases[slug] else []
    cells += [("markdown", "## The run's choices"), ("code", pieces.choices)]
    cells += [
        ("markdown", "## Fit, blend, submit"),
        ("code", pieces.main),
        ("code", "submission = main()\nsubmission.head()"),
    ]
    made: dict[str, Any] = {"markdown": v4.new_markdown_cell, "code": v4.new_code_cell}
    notebook = v4.new_notebook(  # type: ignore[no-untyped-call]
        cells=[made[kind](text, id=f"cell-{number}") for number, (kind, text) in enumerate(cells)],
        metadata={
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
    )
    return str(nbformat.writes(notebook)) + "\n"  # type: ignore[no-untyped-call]


# --- the parts -------------------------------------------------------------------------------------------------------
def _pieces(content: RunContent, recipe: Recipe) -> _Pieces:
    merged: MergedModule = merge_modules(recipe.codes, recipe.entry_points, RESERVED)
    facts = (
        f"Run {content.run_id} of {one_line(content.task.name)}: {content.submitted.replace('`', '')}.",
        f"Validation score, out of fold: {score_text(content.score)}.",
    )
    versions = "Versions: " + ", ".join(f"{name} {version}" for name, version in content.versions.items())
    return _Pieces(
        title=f"The solution of {one_line(content.task.name)}, exported by autods.",
        facts=facts,
        versions="\n".join(textwrap.wrap(versions, WIDTH)),
        imports=_imports(merged),
        phases={slug: body.strip("\n") for slug, body in merged.bodies.items()},
        choices=_choices(content, recipe),
        main=harness_source(recipe),
    )


def _imports(merged: MergedModule) -> str:
    harness = "\n".join(f"from {module} import {', '.join(names)}" for module, names in HARNESS.items())
    return import_block(ast.parse(f"import numpy as np\n{harness}\n{merged.imports}").body)


def _choices(content: RunContent, recipe: Recipe) -> str:
    modeling = tuple(recipe.codes)[-1]
    chosen = {name: (c.base, dict(c.parameters), c.weight) for name, c in recipe.chosen.items()}
    lines = [
        f"COMPETITION = {str(content.competition)!r}",
        'OUT = "submission.csv"',
        f"SEED = {content.config.seed}",
        f"EFFORT = {content.config.effort!r}",
        f"N_SPLITS = {content.config.rules.n_splits!r}",
        "",
        "# What the phases were told of the task.",
        _facts_literal("TASK", recipe.facts[modeling]),
    ]
    for slug in recipe.frame_phases:
        if "task" in parameters_of(recipe.codes[slug], recipe.entry_points[slug]):
            lines.append(_facts_literal(f"{slug.upper()}_TASK", recipe.facts[slug]))
    lines += [
        "",
        "# The blend: name, candidate, tuned parameters, weight.",
        f"CHOSEN = {_literal(chosen, 9)}",
        f"DECISION = Decision({recipe.decision.kind!r}, {recipe.decision.values!r})",
    ]
    return "\n".join(lines)


def _facts_literal(name: str, facts: TaskFacts) -> str:
    plain = replace(facts, columns={kind: tuple(names) for kind, names in facts.columns.items()})
    fields = [f"    {key}={_literal(getattr(plain, key), len(key) + 5)}," for key in TaskFacts.__dataclass_fields__]
    return "\n".join([f"{name} = TaskFacts(", *fields, ")"])


def _literal(value: Any, indent: int) -> str:
    text = pprint.pformat(value, width=WIDTH - indent, compact=True, sort_dicts=False)
    return text.replace("\n", "\n" + " " * indent)


def _comment(slug: str, recipe: Recipe) -> str:
    return one_line(f"{slug.replace('_', ' ').capitalize()}: {recipe.headlines.get(slug, '')}").rstrip(": ")


def _docstring(text: str) -> str:
    return re.sub(r'"{3,}', "'''", text.replace("\\", "/"))
