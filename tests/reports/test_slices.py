from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from autods.records import Decision, Submission, Task
from autods.reports.slices import error_slices, row_losses

SHAPE = Submission(("id", "y"), "id", "values")


def task(kind, metric="rmse", needs="values", classes=(), targets=("y",)):
    return Task("t", kind, targets, metric, True, needs, SHAPE, classes)


@pytest.mark.parametrize(
    ("asked", "y", "outputs", "decision", "losses"),
    [
        (task("binary", "f1", "labels", ("a", "b")), np.array([0, 1]), np.array([[0.6, 0.4], [0.6, 0.4]]),
         Decision("threshold", (0.3,)), [1.0, 0.0]),
        (task("multiclass", "log_loss", "probabilities", ("a", "b")), np.array([0]), np.array([[0.5, 0.5]]),
         Decision("none"), [np.log(2)]),
        (task("multilabel", "log_loss", "probabilities"), np.array([[1, 0]]), np.array([[0.5, 0.5]]),
         Decision("none"), [np.log(2)]),
        (task("regression"), np.array([1.0, 5.0]), np.array([[2.0], [2.0]]), Decision("none"), [1.0, 3.0]),
        (task("regression", "rmsle"), np.array([np.e - 1]), np.array([[0.0]]), Decision("none"), [1.0]),
        (task("multi_regression"), np.array([[0.0, 0.0], [2.0, 20.0]]), np.array([[1.0, 10.0], [2.0, 20.0]]),
         Decision("none"), [1.0, 0.0]),
    ],
)  # fmt: skip
def test_every_kind_has_a_loss_for_each_row(asked, y, outputs, decision, losses):
    assert row_losses(asked, y, outputs, decision) == pytest.approx(losses)


def test_the_part_that_errs_is_found_and_noise_is_not():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"noise": rng.normal(size=500), "size": rng.uniform(0, 100, 500), "kind": rng.choice(["a", "b"], 500)}
    )
    losses = (frame["size"] > 80).to_numpy(float) + rng.uniform(0, 0.2, 500)
    found = error_slices(frame, losses)
    assert {part.column for part in found} == {"size"}
    assert found[0].loss > 0.9
    assert found[0].ratio > 2


def test_missing_values_are_a_part_of_their_own():
    frame = pd.DataFrame({"deck": [np.nan] * 50 + ["A"] * 50})
    assert error_slices(frame, np.repeat([1.0, 0.0], 50))[0].values == "missing"


def test_rows_without_a_loss_are_left_out_and_few_rows_say_nothing():
    frame = pd.DataFrame({"a": ["x", "y"] * 50})
    losses = np.array([0.0, 1.0] * 50)
    losses[:50] = np.nan
    assert error_slices(frame, losses)[0].rows == 25
    assert error_slices(frame[:30], losses[50:80]) == ()
    assert error_slices(frame, np.ones(100)) == ()
