"""A solution that is run again gives the same submission."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression

from autods.competition import build_submission, read_competition, write_submission
from autods.config import RunConfig
from autods.errors import AutoDSError
from autods.records import Competition, Decision, from_json, to_json
from autods.tools.records import Candidate, TaskFacts
from autods.validation import replay
from autods.validation.folds import folds_digest
from autods.validation.jobs import fit_here
from autods.validation.training import train


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    generator = np.random.default_rng(0)
    frame = pd.DataFrame(generator.normal(size=(90, 3)).round(3), columns=["a", "b", "c"])
    frame.insert(0, "id", np.arange(90))
    frame["color"] = np.array(["red", "green", None])[generator.integers(0, 3, 90)]
    frame["won"] = np.where(frame["a"] + generator.normal(size=90) > 0, "yes", "no")
    frame.iloc[:60].to_csv(tmp_path / "train.csv", index=False)
    frame.iloc[60:].drop(columns="won").to_csv(tmp_path / "test.csv", index=False)
    frame.iloc[60:][["id", "won"]].assign(won="no").to_csv(tmp_path / "sample_submission.csv", index=False)
    return tmp_path


def clean(train, test):
    train, test = (frame.assign(color=frame["color"].fillna("none").astype("category")) for frame in (train, test))
    return train.assign(exclude_from_fit=train["c"] > 2.2), test


def engineer(train, test, task):
    return tuple(
        frame.drop(columns="color").assign(ab=frame["a"] * frame["b"], red=frame["color"] == "red", n=task.n_train)
        for frame in (train, test)
    )


def candidates(task):
    return {
        "logistic": Candidate(LogisticRegression(max_iter=500)),
        "forest": Candidate(ExtraTreesClassifier(12, random_state=task.random_state)),
    }


def facts_of(competition: Competition) -> TaskFacts:
    task = competition.task
    return TaskFacts(task.kind, task.targets, task.metric, task.greater_is_better, task.needs, task.classes, n_train=60)


def recipe_of(competition: Competition, **changes: object) -> replay.Recipe:
    facts = dict.fromkeys(["cleaning", "feature_engineering", "modeling"], facts_of(competition))
    given = {
        "members": {"forest": replay.Member("forest", {"min_samples_leaf": 3}), "logistic": replay.Member("logistic")},
        "weights": {"forest": 0.6, "logistic": 0.4},
        "decision": Decision("threshold", (0.5,)),
        "facts": facts,
        "seed": 7,
        "effort": "quick",
    }
    return replay.Recipe(**{**given, **changes})


PHASES = {"clean": clean, "engineer": engineer, "candidates": candidates}


def test_a_runs_submission_is_made_again_byte_for_byte(folder, tmp_path):
    competition = read_competition(folder)
    task, facts = competition.task, facts_of(competition)
    recipe = recipe_of(competition)
    folds = replay.run_folds(competition, recipe)
    cleaned = replay.transform(clean, competition.train, competition.test, task=facts)
    built = replay.transform(engineer, replay.as_stored(cleaned.train), replay.as_stored(cleaned.test), task=facts)
    fit = fit_here(
        {name: candidate.estimator for name, candidate in candidates(facts).items()},
        replay.as_stored(built.train), competition.y, replay.as_stored(built.test), folds,
        kind=task.kind, n_outputs=task.n_outputs, seed=7, fit_rows=cleaned.fit_rows,
    )  # fmt: skip
    from autods.competition import metric_of

    best = train(
        ["logistic", "forest"], {}, fit,
        task=task, metric=metric_of(task), y=competition.y, folds=folds, config=RunConfig(effort="quick", seed=7),
    ).best  # fmt: skip
    submission = build_submission(task, competition.sample, competition.test_keys, best.test, best.decision)
    write_submission(submission, tmp_path / "run.csv")

    members = {name: replay.Member(name) for name in best.weights}
    again = recipe_of(
        competition, members=members, weights=best.weights, decision=best.decision, folds_digest=folds_digest(folds)
    )
    solved = replay.solve(folder, again, **PHASES, output=tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "run.csv").read_bytes()
    assert solved.outputs.tobytes() == best.test.tobytes()


def test_tuned_parameters_are_set(folder):
    competition = read_competition(folder)
    solved = replay.solve(competition, recipe_of(competition), **PHASES)
    assert solved.fits["forest"].estimators[0].estimators[0].min_samples_leaf == 3


def test_a_recipe_goes_to_json_and_back(folder):
    competition = read_competition(folder)
    recipe = recipe_of(competition)
    back = from_json(replay.Recipe, to_json(recipe))
    first, second = (replay.solve(competition, r, **PHASES).outputs for r in (recipe, back))
    assert first.tobytes() == second.tobytes()


def test_phases_may_change_nothing(folder):
    competition = read_competition(folder)
    numbers = competition.train.drop(columns="color"), competition.test.drop(columns="color")
    recipe = recipe_of(competition, members={"logistic": replay.Member("logistic")}, weights={"logistic": 1.0})
    solved = replay.solve(competition, recipe, clean=lambda train, test: numbers, candidates=candidates)
    assert solved.submission.shape == (30, 2)


def test_a_solution_without_members_is_the_best_constant(folder):
    competition = read_competition(folder)
    solved = replay.solve(competition, recipe_of(competition, members={}, weights={}))
    assert solved.submission["won"].nunique() == 1


def test_one_fit_on_all_rows_may_be_asked_for(folder):
    competition = read_competition(folder)
    solved = replay.solve(competition, recipe_of(competition, fit="once"), **PHASES)
    assert len(solved.fits["forest"].estimators) == 1


def test_other_data_are_refused_unless_asked_for(folder):
    competition = read_competition(folder)
    with pytest.raises(AutoDSError, match="the run had 0123"):
        replay.solve(competition, recipe_of(competition, folds_digest="0123"), **PHASES)


def test_a_member_that_is_not_offered_is_named(folder):
    competition = read_competition(folder)
    recipe = recipe_of(competition, members={"gone": replay.Member("gone")}, weights={"gone": 1.0})
    with pytest.raises(
        AutoDSError, match=r"names the candidate 'gone'; candidates\(task\) offers \['forest', 'logistic'\]"
    ):
        replay.solve(competition, recipe, **PHASES)


def test_progress_names_the_members_in_turn(folder):
    competition = read_competition(folder)
    told: list[str] = []
    replay.solve(competition, recipe_of(competition), **PHASES, on_member=told.append)
    assert told == ["forest", "logistic"]
