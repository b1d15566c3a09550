"""What a run trained is made again from its functions, byte for byte."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression

from autods.competition import get_metric
from autods.config import RunConfig
from autods.validation.blending import blend_outputs
from autods.validation.cross_validation import fit_candidate
from autods.validation.folds import choose_folds, duplicate_groups, folds_digest
from autods.validation.jobs import fit_here
from autods.validation.preparation import configure
from autods.validation.replay import as_stored, transform
from autods.validation.training import train

CANDIDATES = {"logistic": LogisticRegression(max_iter=500), "forest": ExtraTreesClassifier(12)}


def clean(train, test):
    train, test = (frame.assign(color=frame["color"].fillna("none").astype("category")) for frame in (train, test))
    return train.assign(exclude_from_fit=train["a"] > 2.2), test


def engineer(train, test):
    return tuple(
        frame.drop(columns="color").assign(ab=frame["a"] * frame["b"], red=frame["color"] == "red")
        for frame in (train, test)
    )


@pytest.fixture
def raw(blobs):
    X, y = blobs()
    X["color"] = np.array(["red", "green", None])[np.arange(120) % 3]
    return X[:90], X[90:].reset_index(drop=True), y[:90]


def replayed(task, frames, y, members: dict[str, dict], weights: dict[str, float]) -> np.ndarray:
    """The steps of a solution.py."""
    train_frame, test_frame, fit_rows = as_stored(frames[0]), as_stored(frames[1]), None
    for function in (clean, engineer):
        done = transform(function, train_frame, test_frame)
        train_frame, test_frame = as_stored(done.train), as_stored(done.test)
        fit_rows = fit_rows if done.fit_rows is None else done.fit_rows
    keys = pd.DataFrame(index=range(len(y)))
    folds = choose_folds(task, None, y, keys, duplicate_groups(frames[0]), effort="quick", seed=7)
    outputs = {
        name: fit_candidate(
            configure(CANDIDATES[name], parameters), train_frame, y, test_frame, folds,
            kind=task.kind, n_outputs=task.n_outputs, seed=7, fit_rows=fit_rows,
        ).test
        for name, parameters in members.items()
    }  # fmt: skip
    return blend_outputs(outputs, weights)


def test_a_runs_predictions_are_made_again(raw, make_task):
    train_frame, test_frame, y = raw
    task = make_task("binary", "log_loss", 2)
    cleaned = transform(clean, train_frame, test_frame)
    built = transform(engineer, as_stored(cleaned.train), as_stored(cleaned.test))
    keys, duplicates = pd.DataFrame(index=range(90)), duplicate_groups(train_frame)
    folds = choose_folds(task, None, y, keys, duplicates, effort="quick", seed=7)
    fit = fit_here(
        CANDIDATES, as_stored(built.train), y, as_stored(built.test), folds,
        kind="binary", n_outputs=2, seed=7, fit_rows=cleaned.fit_rows,
    )  # fmt: skip
    best = train(
        list(CANDIDATES), {}, fit, task=task, metric=get_metric("log_loss"), y=y, folds=folds,
        config=RunConfig(effort="quick", seed=7),
    ).best  # fmt: skip
    assert cleaned.fit_rows.sum() < 90
    again = replayed(task, (train_frame, test_frame), y, {name: {} for name in best.weights}, best.weights)
    assert again.tobytes() == best.test.tobytes()


def test_a_members_parameters_are_part_of_it(raw, make_task):
    task = make_task("binary", "log_loss", 2)
    first, tuned = (
        replayed(task, raw[:2], raw[2], {"forest": parameters}, {"forest": 1.0})
        for parameters in ({}, {"min_samples_leaf": 5})
    )
    assert first.tobytes() != tuned.tobytes()


def test_other_rows_give_other_folds(raw, make_task):
    task, y = make_task("binary", "log_loss", 2), raw[2]
    first, other = (
        choose_folds(task, None, part, pd.DataFrame(index=range(len(part))), None, effort="quick", seed=7)
        for part in (y, y[:80])
    )
    assert folds_digest(first) != folds_digest(other)
