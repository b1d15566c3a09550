"""The kind of the task, decided by the metric first, then by the target's values, then by the sample submission."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from autods.competition.metrics import VALUES, Metric
from autods.competition.target_values import TargetValues
from autods.records import Fact, Kind, Note

__all__ = ["KindFound", "default_metric", "infer_kind"]

MANY_VALUES = 20
CLASS_WORDS = re.compile(r"\b(classif|class(es)?\b|categor|which type|label|probabilit)", re.IGNORECASE)
NUMBER_WORDS = re.compile(
    r"\b(regress|predict the (number|value|price|amount|count)|continuous|how (much|many))", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class KindFound:
    """The kind with its fact; `metric_fits` is false where the metric found cannot score such a target."""

    kind: Kind
    fact: Fact
    metric_fits: bool = True
    notes: tuple[Note, ...] = ()


def infer_kind(
    targets: Sequence[TargetValues],
    metric: Metric | None,
    *,
    class_columns: int = 0,
    sample_values: Sequence[str] = (),
    overview: str = "",
) -> KindFound:
    """Decide the kind.

    Parameters
    ----------
    targets
        The target columns, read.
    metric
        The metric that is asked for, if one was found.
    class_columns
        How many columns of classes the sample submission has.
    sample_values
        Distinct values of the sample's column for a single target.
    overview
        The overview's text; consulted last.

    Examples
    --------
    >>> import pandas as pd
    >>> from autods.competition.metrics import get_metric
    >>> from autods.competition.target_values import read_target
    >>> rings = read_target(pd.Series(["3", "13", "4", "3"], dtype="str", name="rings"))
    >>> infer_kind([rings], get_metric("mae")).kind, infer_kind([rings], get_metric("accuracy")).kind
    ('regression', 'multiclass')
    """
    if metric is not None:
        found = _by_metric(targets, metric, class_columns)
        if found is not None:
            return found
    if len(targets) > 1:
        kind, evidence, confidence = _of_several(targets)
    else:
        kind, evidence, confidence = _of_one(targets[0], class_columns, sample_values, overview)
    notes: tuple[Note, ...] = ()
    if metric is not None:
        text = f"{metric.title} cannot score a target like {targets[0].name} ({evidence}); it is not used."
        notes = (Note(targets[0].name, text, "warning"),)
    return KindFound(kind, Fact(kind, evidence, confidence), metric is None, notes)


def _by_metric(targets: Sequence[TargetValues], metric: Metric, class_columns: int) -> KindFound | None:
    """Decide by the metric; None where it does not fit the target."""
    if len(targets) > 1:
        return _several_by_metric(targets, metric)
    target = targets[0]
    numeric = target.numbers is not None
    scores_values = any(kind in VALUES for kind in metric.kinds)
    scores_classes = any(kind not in VALUES for kind in metric.kinds)
    if scores_values and not scores_classes:
        if not numeric:
            return None
        return KindFound("regression", Fact("regression", f"{metric.title} scores numbers", 0.97))
    if scores_values and numeric and target.n_values > 2 and not class_columns:
        return KindFound("regression", Fact("regression", f"{target.n_values:,} distinct numbers", 0.9))
    if numeric and not class_columns and _is_measure(target):
        return None
    kind = _class_kind(target, metric.name, class_columns)
    evidence = f"{metric.title} scores classes, {target.name} has {target.n_values:,}"
    return KindFound(kind, Fact(kind, evidence, 0.97))


def _several_by_metric(targets: Sequence[TargetValues], metric: Metric) -> KindFound | None:
    names = f"{len(targets)} targets"
    if "multi_regression" in metric.kinds and all(target.numbers is not None for target in targets):
        evidence = f"{names}, {metric.title} scores numbers"
        return KindFound("multi_regression", Fact("multi_regression", evidence, 0.97))
    if "multilabel" in metric.kinds and all(target.is_flag for target in targets):
        evidence = f"{names} of 0 and 1, {metric.title} scores labels"
        return KindFound("multilabel", Fact("multilabel", evidence, 0.97))
    return None


def _is_measure(target: TargetValues) -> bool:
    """Whether a numeric target cannot be classes: fractions in many values, or nearly a value a row."""
    rows = int(target.present.sum())
    return (not target.whole and target.n_values > MANY_VALUES) or (
        target.n_values > 200 and target.n_values > 0.5 * rows
    )


def _class_kind(target: TargetValues, metric: str, class_columns: int) -> Kind:
    if class_columns > 2:
        return "multiclass"
    if target.n_values == 2 or (target.n_values == 1 and target.is_flag):
        return "binary"
    return "ordinal" if metric == "qwk" and target.numbers is not None and target.whole else "multiclass"


def _of_several(targets: Sequence[TargetValues]) -> tuple[Kind, str, float]:
    if all(target.is_flag for target in targets):
        return "multilabel", f"{len(targets)} targets of 0 and 1", 0.8
    return "multi_regression", f"{len(targets)} targets that are not all 0 and 1", 0.8


def _of_one(
    target: TargetValues, class_columns: int, sample_values: Sequence[str], overview: str
) -> tuple[Kind, str, float]:
    kind = _class_kind(target, "", class_columns)
    n_values = f"{target.n_values:,} distinct values"
    if class_columns:
        return kind, "the sample submission has a column for every class", 0.95
    if target.numbers is None:
        return kind, f"words, {n_values}", 0.95
    if target.n_values <= 2 and target.whole:
        return kind, f"{n_values} of whole numbers", 0.9
    if not target.whole or target.n_values > MANY_VALUES:
        return "regression", f"numbers, {n_values}", 0.9
    if any("." in value for value in sample_values):
        return "regression", f"{n_values}, and the sample submission shows fractions", 0.75
    if NUMBER_WORDS.search(overview) and not CLASS_WORDS.search(overview):
        return "regression", f"{n_values}, and the overview speaks of a number", 0.7
    rows = int(target.present.sum())
    if rows >= 5 * target.n_values and target.numbers[target.present].min() >= 0:
        return kind, f"{n_values} of whole numbers in {rows:,} rows", 0.55
    return "regression", f"numbers, {n_values} in {rows:,} rows", 0.55


def default_metric(kind: Kind, *, class_columns: bool, probability: bool) -> str:
    """Return what a practitioner expects where nothing is said.

    Examples
    --------
    >>> default_metric("binary", class_columns=False, probability=True)
    'auroc'
    """
    if kind in ("binary", "multiclass"):
        if class_columns:
            return "log_loss"
        return "auroc" if probability and kind == "binary" else "accuracy"
    return {"ordinal": "qwk", "multilabel": "mean_column_auroc", "multi_regression": "mcrmse"}.get(kind, "rmse")
