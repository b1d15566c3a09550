"""Running a solution again: the harness that an exported solution.py calls, made of the run's own functions.

Usage, as in solution.py::

    from autods.validation import replay

    recipe = replay.Recipe(members={"lightgbm": replay.Member("lightgbm")}, weights={"lightgbm": 1.0}, ...)
    replay.solve("competitions/titanic", recipe, clean=clean, engineer=engineer, candidates=candidates,
                 output="submission.csv")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd

from autods.errors import AutoDSError
from autods.records import Competition, Decision, Folds
from autods.tools.records import TaskFacts
from autods.validation.blending import blend_outputs
from autods.validation.cross_validation import FitResult, fit_candidate
from autods.validation.folds import choose_folds, duplicate_groups, fold_keys, folds_digest
from autods.validation.preparation import configure
from autods.validation.transforming import Transformed, as_stored, call, transform

__all__ = ["Member", "Recipe", "Solved", "Transformed", "as_stored", "call", "run_folds", "solve", "transform"]


@dataclass(frozen=True)
class Member:
    """A candidate of the blend: its name in `candidates(task)`, and the parameters that tuning set."""

    base: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Recipe:
    """All that a run decided and that its code does not say.

    Attributes
    ----------
    members, weights
        The blend, by name; none for the best constant.
    decision
        How probabilities become labels.
    facts
        What each phase's code was told of the task, by phase slug.
    seed, effort, n_splits
        What the folds were chosen by.
    folds_digest
        `folds_digest` of the run's folds; None to take whatever folds the data give.
    fit
        `folds`: the mean of a fit on each fold; `once`: one fit on all rows.
    """

    members: Mapping[str, Member]
    weights: Mapping[str, float]
    decision: Decision
    facts: Mapping[str, TaskFacts]
    seed: int = 0
    effort: Literal["quick", "standard", "thorough"] = "standard"
    n_splits: int | None = None
    folds_digest: str | None = None
    fit: Literal["folds", "once"] = "folds"


@dataclass(frozen=True)
class Solved:
    """The submission, the outputs it was made of, and the fits by member."""

    submission: pd.DataFrame
    outputs: np.ndarray
    fits: Mapping[str, FitResult]


def solve(
    competition: Competition | str | Path,
    recipe: Recipe,
    *,
    candidates: Callable[..., Mapping[str, Any]] | None = None,
    clean: Callable[..., Any] | None = None,
    engineer: Callable[..., Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    output: str | Path | None = None,
    on_member: Callable[[str], None] = lambda name: None,
) -> Solved:
    """Make a run's submission again, byte for byte.

    Parameters
    ----------
    competition
        The competition, or its folder.
    recipe
        What the run decided.
    candidates, clean, engineer
        The phases' entry points; a phase that is None changes nothing.
    settings
        Facts on top of the folder's competition.yaml, as the run had them.
    output
        Where to write the submission; None for nowhere.
    on_member
        Called with a member's name before it is fitted.

    Raises
    ------
    AutoDSError
        When the data give other folds than the run's, or the recipe names a candidate that is not offered.
    """
    from autods.competition import build_submission, metric_of, read_competition, write_submission

    if not isinstance(competition, Competition):
        competition = read_competition(Path(competition), settings=settings)
    task = competition.task
    fits: dict[str, FitResult] = {}
    if recipe.members and candidates is not None:
        fits = _fit_members(competition, recipe, candidates, clean, engineer, on_member)
        outputs = blend_outputs({name: _test(fit) for name, fit in fits.items()}, recipe.weights)
    else:
        row = metric_of(task).best_constant(competition.y, task.kind, task.n_outputs)
        outputs = np.tile(row, (len(competition.test), 1))
    submission = build_submission(task, competition.sample, competition.test_keys, outputs, recipe.decision)
    if output is not None:
        write_submission(submission, Path(output))
    return Solved(submission, outputs, fits)


def run_folds(competition: Competition, recipe: Recipe) -> Folds:
    """Choose the folds that the run chose.

    Raises
    ------
    AutoDSError
        When they differ: the data are not those of the run.
    """
    from autods.profiling import profile_frames

    task, y = competition.task, competition.y
    if recipe.fit == "once":
        rows = np.arange(len(y))
        return Folds("plain", ((rows, rows[:1]),), 1, 1, "one fit on all rows", len(y))
    profile = profile_frames(competition.train, competition.test, y=y, kind=task.kind, keys=competition.keys)
    keys = fold_keys(task, profile, competition.train, competition.keys)
    duplicates = duplicate_groups(competition.train)
    folds = choose_folds(
        task, profile, y, keys, duplicates, effort=recipe.effort, seed=recipe.seed, n_splits=recipe.n_splits
    )
    if recipe.folds_digest not in (None, folds_digest(folds)):
        raise AutoDSError(
            f"The data in {competition.path} give folds {folds_digest(folds)}, the run had {recipe.folds_digest}: they are "
            "not the data of the run. Restore them, or set folds_digest=None to solve these data the same way."
        )
    return folds


def _fit_members(
    competition: Competition,
    recipe: Recipe,
    candidates: Callable[..., Mapping[str, Any]],
    clean: Callable[..., Any] | None,
    engineer: Callable[..., Any] | None,
    on_member: Callable[[str], None],
) -> dict[str, FitResult]:
    task = competition.task
    train, test, fit_rows = _features(competition, recipe, clean, engineer)
    offered = call(candidates, task=recipe.facts.get("modeling"))
    unknown = sorted({member.base for member in recipe.members.values()} - set(offered))
    if unknown:
        raise AutoDSError(f"The recipe names the candidate {unknown[0]!r}; candidates(task) offers {sorted(offered)}.")
    folds = run_folds(competition, recipe)
    fits: dict[str, FitResult] = {}
    for name, member in recipe.members.items():
        on_member(name)
        fits[name] = fit_candidate(
            configure(offered[member.base].estimator, member.parameters),
            train,
            competition.y,
            test,
            folds,
            kind=task.kind,
            n_outputs=task.n_outputs,
            seed=recipe.seed,
            fit_rows=fit_rows,
        )
    return fits


def _features(
    competition: Competition, recipe: Recipe, clean: Callable[..., Any] | None, engineer: Callable[..., Any] | None
) -> tuple[pd.DataFrame, pd.DataFrame, np.ndarray | None]:
    """What the candidates learn from: every frame passes through its file, as it did between the run's phases."""
    train, test = as_stored(competition.train), as_stored(competition.test)
    tables = {name: as_stored(table) for name, table in competition.tables.items()}
    fit_rows: np.ndarray | None = None
    for slug, function in (("cleaning", clean), ("feature_engineering", engineer)):
        if function is None:
            continue
        done = transform(function, train, test, tables=tables, task=recipe.facts.get(slug))
        train, test = as_stored(done.train), as_stored(done.test)
        # A later phase that marks rows decides anew; one that marks none keeps what was marked.
        fit_rows = fit_rows if done.fit_rows is None else done.fit_rows
    return train, test, fit_rows


def _test(fit: FitResult) -> np.ndarray:
    if fit.test is None:
        raise AutoDSError("There are no test rows to predict.")
    return fit.test
