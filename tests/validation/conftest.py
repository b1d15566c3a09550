"""Small competitions for the validation tests."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from autods.competition import metric_of
from autods.records import Folds, Submission, Task
from autods.validation.folds import choose_folds

NEEDS = dict.fromkeys(["accuracy", "balanced_accuracy", "f1", "f1_macro", "f1_micro", "qwk"], "labels")


@pytest.fixture
def make_task() -> Callable[..., Task]:
    def make(kind: str, metric: str, n_classes: int = 0, n_targets: int = 1, **facts: object) -> Task:
        targets = tuple(f"y{j}" for j in range(n_targets))
        needs = NEEDS.get(metric, "values" if "regression" in kind else "probabilities")
        classes = tuple(str(code) for code in range(n_classes))
        greater = metric not in ("rmse", "mae", "log_loss", "mcrmse", "rmsle", "smape")
        return Task("t", kind, targets, metric, greater, needs, Submission(targets, None, "values"), classes, **facts)

    return make


@pytest.fixture
def make_metric(make_task: Callable[..., Task]) -> Callable[..., object]:
    return lambda kind, metric, n_classes=0: metric_of(make_task(kind, metric, n_classes))


@pytest.fixture
def fold(make_task: Callable[..., Task]) -> Callable[..., Folds]:
    """Choose folds for a target, without keys unless given."""

    def choose(task: Task, y: np.ndarray, **options: object) -> Folds:
        keys = options.pop("keys", pd.DataFrame(index=range(len(y))))
        duplicates = options.pop("duplicates", None)
        profile = options.pop("profile", None)
        return choose_folds(task, profile, y, keys, duplicates, **{"effort": "standard", "seed": 0, **options})

    return choose


@pytest.fixture
def blobs() -> Callable[..., tuple[pd.DataFrame, np.ndarray]]:
    """Rows of classes that overlap: two numbers that tell something, one that tells nothing."""

    def make(n: int = 120, n_classes: int = 2, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
        generator = np.random.default_rng(seed)
        y = np.arange(n) % n_classes
        points = generator.normal(size=(n, 3)) + np.column_stack([y, y % 2, np.zeros(n)]) * 1.2
        return pd.DataFrame(points, columns=["a", "b", "noise"]), y

    return make
