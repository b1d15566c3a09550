"""The run as code: `solution.py` and `solution.ipynb`, which re-create the submission byte for byte."""

from __future__ import annotations

import pprint
import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from autods.records import Decision
from autods.reports.content import RunContent
from autods.reports.modules import MergedModule, merge_modules, parameters_of
from autods.reports.rendering import render_code
from autods.reports.text import one_line, score_text
from autods.tools.records import TaskFacts

__all__ = ["Chosen", "Recipe", "solution_notebook", "solution_source"]

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
RESERVED = (
    "os", "sys", "np", "SAME", "COMPETITION", "OUT", "SEED", "EFFORT", "N_SPLITS", "TASK", "CHOSEN", "DECISION", "main",
    "run_folds", "features", *(name for names in HARNESS.values() for name in names),
)  # fmt: skip


@dataclass(frozen=True)
class Chosen:
    """One member of the blend: the key of `candidates(task)`, what `set_params` gets, and its weight."""

    base: str
    parameters: Mapping[str, Any]
    weight: float


@dataclass(frozen=True)
class Recipe:
    """What re-creates a submission.

    Attributes
    ----------
    codes, entry_points
        Source and entry point of the phases that change frames and of the one that offers candidates, by slug, in order.
    facts
        The facts of the task as each of them saw it, by slug.
    chosen, decision
        The blend's members by name, in the order they are summed, and how its outputs become labels.
    headlines
        What came of each phase, by slug.
    one_fit
        Whether candidates were fitted once on all rows instead of on the folds.
    """

    codes: Mapping[str, str]
    entry_points: Mapping[str, str]
    facts: Mapping[str, TaskFacts]
    chosen: Mapping[str, Chosen]
    decision: Decision
    headlines: Mapping[str, str]
    one_fit: bool = False

    @property
    def frame_phases(self) -> tuple[str, ...]:
        """The phases that change frames."""
        return tuple(self.codes)[:-1]


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
    made = {"markdown": v4.new_markdown_cell, "code": v4.new_code_cell}
    notebook = v4.new_notebook(
        cells=[made[kind](text, id=f"cell-{number}") for number, (kind, text) in enumerate(cells)],
        metadata={
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
    )
    return str(nbformat.writes(notebook)) + "\n"


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
        main=_main(recipe),
    )


def _imports(merged: MergedModule) -> str:
    harness = "\n".join(_import_line(module, names) for module, names in HARNESS.items())
    own = [line for line in merged.imports.splitlines() if line]
    future = [line for line in own if line.startswith("from __future__")]
    rest = "\n".join(line for line in own if line not in future)
    return "\n\n".join(part for part in ("\n".join(future), "import numpy as np\n" + harness, rest) if part)


def _import_line(module: str, names: tuple[str, ...]) -> str:
    return f"from {module} import {', '.join(names)}"


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


def _main(recipe: Recipe) -> str:
    functions = [_folds_function(recipe), _features_function(recipe)] if recipe.chosen else []
    return "\n\n\n".join([*functions, _main_function(recipe)])


def _folds_function(recipe: Recipe) -> str:
    if recipe.one_fit:
        return '''def run_folds(competition):
    """One fit on all rows, as the plain LightGBM's submission had."""
    rows = np.arange(len(competition.y))
    return Folds("plain", ((rows, rows[:1]),), 1, 1, "one fit on all rows", len(rows))'''
    return '''def run_folds(competition):
    """The folds of the run."""
    task, keys, y = competition.task, competition.keys, competition.y
    profile = profile_frames(competition.train, competition.test, y=y, kind=task.kind, keys=keys)
    keys = fold_keys(task, profile, competition.train, keys)
    duplicates = duplicate_groups(competition.train)
    return choose_folds(task, profile, y, keys, duplicates, effort=EFFORT, seed=SEED, n_splits=N_SPLITS)'''


def _features_function(recipe: Recipe) -> str:
    taken = {slug: parameters_of(recipe.codes[slug], recipe.entry_points[slug]) for slug in recipe.frame_phases}
    lines = [
        "def features(competition):",
        '    """The frames that candidates learn from and predict, and which rows they may learn from (None: all)."""',
        "    train, test, fit_rows = as_stored(competition.train), as_stored(competition.test), None",
    ]
    if any("tables" in names for names in taken.values()):
        lines.append("    tables = {name: as_stored(table) for name, table in competition.tables.items()}")
    for slug in recipe.frame_phases:
        entry = recipe.entry_points[slug]
        more = ", tables=tables" if "tables" in taken[slug] else ""
        more += f", task={slug.upper()}_TASK" if "task" in taken[slug] else ""
        lines += [
            f"    done = transform({entry}, train, test{more})",
            "    train, test = as_stored(done.train), as_stored(done.test)",
            "    fit_rows = fit_rows if done.fit_rows is None else done.fit_rows",
        ]
    return "\n".join([*lines, "    return train, test, fit_rows"])


def _main_function(recipe: Recipe) -> str:
    if not recipe.chosen:
        return '''def main(folder=COMPETITION, out=OUT):
    """Read, predict the best constant, write; return the submission."""
    competition = read_competition(Path(folder))
    task = competition.task
    constant = metric_of(task).best_constant(competition.y, task.kind, task.n_outputs)
    outputs = np.tile(constant, (len(competition.test), 1))
    submission = build_submission(task, competition.sample, competition.test_keys, outputs, DECISION)
    write_submission(submission, Path(out))
    return submission'''
    entry = list(recipe.entry_points.values())[-1]
    return f'''def main(folder=COMPETITION, out=OUT):
    """Read, transform, fit, blend, decide, write; return the submission."""
    competition = read_competition(Path(folder))
    task = competition.task
    folds = run_folds(competition)
    with repeatable(SEED):
        X, X_test, fit_rows = features(competition)
        offered = {entry}(TASK)
    outputs = {{}}
    for name, (base, parameters, _) in CHOSEN.items():
        estimator = configure(offered[base].estimator, parameters)
        fitted = fit_candidate(
            estimator, X, competition.y, X_test, folds,
            kind=task.kind, n_outputs=task.n_outputs, seed=SEED, fit_rows=fit_rows,
        )
        outputs[name] = fitted.test
    blended = blend_outputs(outputs, {{name: weight for name, (_, _, weight) in CHOSEN.items()}})
    submission = build_submission(task, competition.sample, competition.test_keys, blended, DECISION)
    write_submission(submission, Path(out))
    return submission'''


def _comment(slug: str, recipe: Recipe) -> str:
    return one_line(f"{slug.replace('_', ' ').capitalize()}: {recipe.headlines.get(slug, '')}").rstrip(": ")


def _docstring(text: str) -> str:
    return re.sub(r'"{3,}', "'''", text.replace("\\", "/"))
