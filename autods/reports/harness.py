"""The part of an exported solution that does again what the run's harness did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from autods.records import Decision
from autods.reports.modules import parameters_of
from autods.tools.records import TaskFacts

__all__ = ["Chosen", "Recipe", "harness_source"]


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


def harness_source(recipe: Recipe) -> str:
    """Write the functions that do again what the run's harness did: folds, features, fits, blend, submission."""
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
    profile = profile_frames(competition.train, competition.test, y=y, kind=task.kind, keys=keys, test_keys=competition.test_keys)
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
