"""What generated code gives and gets: findings, candidates, and the facts of the task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Candidate", "Finding", "TaskFacts"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding of an exploration: a number that anyone can recompute, and what it means.

    Attributes
    ----------
    statistic
        A name in `autods.tools.STATISTICS`.
    frame
        `train`, `test` or `both`.
    columns
        The columns the statistic is computed on, in order; empty for statistics of the whole frame.
    value
        The number, as the statistic gives it.
    text
        One sentence with the number and what follows from it.
    """

    statistic: str
    frame: str
    columns: tuple[str, ...]
    value: float
    text: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """One estimator that the modeling phase offers.

    Attributes
    ----------
    estimator
        A scikit-learn-compatible estimator or pipeline, unfitted.
    space
        optuna distributions by parameter name (as `set_params` takes it) where tuning pays, else None.
    """

    estimator: Any
    space: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class TaskFacts:
    """What generated code may know of the task; never the labels.

    Attributes
    ----------
    kind
        `binary`, `multiclass`, `ordinal`, `multilabel`, `regression` or `multi_regression`.
    classes
        Labels in the order of their codes; empty for regression and multilabel.
    targets
        The target columns (joined to the frames of the EDA phases).
    columns
        Column names by semantic type (`numeric`, `integer_code`, `boolean`, `categorical`, `ordinal`, `datetime`,
        `text`, `id_like`, `constant`).
    """

    kind: str
    targets: tuple[str, ...]
    metric: str
    greater_is_better: bool
    needs: str
    classes: tuple[str, ...] = ()
    n_train: int = 0
    n_test: int = 0
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    effort: str = "standard"
    random_state: int = 0

    @property
    def is_classification(self) -> bool:
        """Whether the estimators must give class probabilities."""
        return self.kind in ("binary", "multiclass", "ordinal", "multilabel")
