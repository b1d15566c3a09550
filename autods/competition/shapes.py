"""The shape of the submission: its header, its id, and what its value columns hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from autods.competition.conversion_log import counted, listed
from autods.competition.metrics import Metric
from autods.competition.sample import SampleParts
from autods.competition.settings import Settings
from autods.errors import CompetitionError
from autods.records import Fact, Kind, LongIds, Submission

__all__ = ["find_submission"]


def find_submission(
    kind: Kind,
    metric: Metric,
    targets: Sequence[str],
    classes: Sequence[str],
    settings: Settings,
    *,
    header: Mapping[str, str] | None = None,
    parts: SampleParts | None = None,
    class_columns: Sequence[tuple[str, str]] = (),
    id_column: str | None = None,
) -> tuple[Submission, Fact]:
    """Find the shape of the submission from the sample, the kind and the metric; the settings override it.

    Parameters
    ----------
    kind, metric, targets, classes
        The task as found.
    settings
        `submission:` of competition.yaml.
    header, parts
        The sample's columns with their names as spelled, and its parts; None without a sample.
    class_columns
        Pairs of value column and class, where the sample has a column a class.
    id_column
        The id of the test.

    Examples
    --------
    >>> from autods.competition.metrics import get_metric
    >>> shape, _ = find_submission("binary", get_metric("auroc"), ["y"], ["0", "1"], Settings(), id_column="id")
    >>> shape.columns, shape.form, shape.positive_class
    (('id', 'y'), 'probability', '1')
    """
    stated = settings.submission
    form = stated.get("form") or _form(kind, metric, parts, class_columns)
    columns, owner, evidence, confidence = _columns(form, targets, classes, header, parts, id_column)
    column_classes = tuple(label for _, label in class_columns) or tuple(classes)
    shape = Submission(
        columns=tuple(stated.get("columns") or columns),
        id_column=str(stated["id_column"]) if stated.get("id_column") else owner,
        form=form,
        positive_class=classes[-1] if form == "probability" and classes else None,
        column_classes=tuple(stated.get("column_classes") or column_classes) if form == "class_probabilities" else (),
        long_ids=_long_ids(stated, settings.source) or (parts.long_ids if parts else None),
        integer_values=bool(stated.get("integer_values", False)),
        copied_columns=tuple(header[name] for name in parts.copied) if header is not None and parts is not None else (),
    )
    _check(shape, kind, len(targets) if kind != "multilabel" or form == "values" else 1, classes, settings)
    if stated:
        evidence, confidence = f"stated in {settings.source}; {evidence}", 1.0
    return shape, Fact(f"{form}: {listed(shape.columns)}", evidence, confidence)


def _form(kind: Kind, metric: Metric, parts: SampleParts | None, class_columns: Sequence[tuple[str, str]]) -> Any:
    if kind in ("regression", "multi_regression", "multilabel"):
        return "values"
    if class_columns:
        return "class_probabilities"
    wants_probabilities = metric.needs != "labels" and metric.top_k is None
    if kind == "binary":
        return "probability" if wants_probabilities else "labels"
    one_column = parts is not None and len(parts.values) == 1
    return "class_probabilities" if wants_probabilities and not one_column else "labels"


def _columns(
    form: str,
    targets: Sequence[str],
    classes: Sequence[str],
    header: Mapping[str, str] | None,
    parts: SampleParts | None,
    id_column: str | None,
) -> tuple[tuple[str, ...], str | None, str, float]:
    if header is not None and parts is not None:
        shown = f"the header of the sample submission; {parts.evidence}"
        owner = None if parts.id_column is None else header[parts.id_column]
        return tuple(header.values()), owner, shown, 0.98 if form != "labels" or len(parts.values) == 1 else 0.7
    one_a_class = form == "class_probabilities"
    values = tuple(f"{targets[0]}_{label}" for label in classes) if one_a_class else tuple(targets)
    columns = (id_column, *values) if id_column is not None else values
    return columns, id_column, "no sample submission; the id and the targets in test order", 0.6


def _long_ids(stated: Any, source: str) -> LongIds | None:
    section = stated.get("long_ids")
    if not section:
        return None
    order = section.get("order", "row_target") if isinstance(section, dict) else None
    if order not in ("row_target", "target_row") or "separator" not in section:
        raise CompetitionError(
            f"{source}: submission.long_ids is {section!r}; write `separator:` and `order: row_target` or `target_row`."
        )
    return LongIds(str(section["separator"]), cast(Any, order))


def _check(shape: Submission, kind: Kind, n_targets: int, classes: Sequence[str], settings: Settings) -> None:
    """Refuse a stated shape that contradicts itself; an inferred one cannot."""
    n_values = len(shape.columns) - (shape.id_column is not None) - len(shape.copied_columns)
    if shape.id_column is not None and shape.id_column not in shape.columns:
        raise CompetitionError(
            f"{settings.source}: submission.id_column {shape.id_column!r} is not among its columns {listed(shape.columns)}."
        )
    if shape.form in ("labels", "probability", "class_probabilities") and not classes and kind != "multilabel":
        raise CompetitionError(
            f"{settings.source} states the submission form {shape.form}, but the target is {kind} and has no classes; "
            "write `form: values`."
        )
    if shape.form == "class_probabilities" and shape.long_ids is None and len(shape.column_classes) != n_values:
        raise CompetitionError(
            f"The submission has {counted(n_values, 'value column')} for the classes {listed(shape.column_classes)}; "
            "write `submission: {column_classes: [...]}`, one class a column, in competition.yaml."
        )
    due = {"labels": 1, "probability": 1, "values": n_targets}.get(shape.form, n_values)
    if shape.long_ids is None and n_values != due:
        raise CompetitionError(
            f"The submission has {counted(n_values, 'column')} to fill ({listed(shape.columns)}), but the target is {kind} and fills "
            f"{due}; name the targets or write `submission:` in competition.yaml."
        )
    unknown = [label for label in shape.column_classes if label not in classes]
    if unknown:
        raise CompetitionError(
            f"submission.column_classes names {unknown[0]!r}, which is no class; the classes are {listed(tuple(classes))}."
        )
