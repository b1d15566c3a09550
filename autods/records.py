"""The data-only records that the parts of autods hand to each other.

Every record is a frozen dataclass that goes to JSON and back with `to_json` and `from_json`; arrays and frames
live in files (Parquet, npz) or in the few records named `…Data`-like below that never go to JSON (`Competition`, `Folds`).
"""

from __future__ import annotations

import dataclasses
import functools
import json
import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, cast

from pydantic import BeforeValidator

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from pydantic import TypeAdapter

__all__ = [
    "Attempt",
    "Blend",
    "CandidateResult",
    "Competition",
    "Decision",
    "ExecutionResult",
    "Fact",
    "FileFact",
    "Folds",
    "GateCheck",
    "GateReport",
    "GiveUp",
    "Intent",
    "Kind",
    "LongIds",
    "Note",
    "Plan",
    "Review",
    "Score",
    "Section",
    "Solution",
    "Step",
    "Submission",
    "Summary",
    "Table",
    "Task",
    "Training",
    "from_json",
    "json_ready",
    "to_json",
]

Kind = Literal["binary", "multiclass", "ordinal", "multilabel", "regression", "multi_regression"]
Needs = Literal["labels", "probabilities", "values"]
Record = TypeVar("Record")
# A number that may be unknown: NaN here, null in JSON.
Number = Annotated[float, BeforeValidator(lambda value: math.nan if value is None else value)]


# --- the competition -------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Fact:
    """One inferred fact: its value as text, why it is believed, and how sure (0 to 1)."""

    value: str
    evidence: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Note:
    """Something repaired, assumed or odd that a person should be told; `subject` is a file or column."""

    subject: str
    text: str
    severity: Literal["info", "warning"] = "info"


@dataclass(frozen=True, slots=True)
class FileFact:
    """One file of the competition's folder as it was read."""

    name: str
    role: Literal[
        "train", "test", "sample_submission", "table", "overview", "description", "instructions", "config", "other"
    ]
    rows: int | None = None
    columns: int | None = None
    encoding: str | None = None
    separator: str | None = None
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class LongIds:
    """How a long submission writes one row per test row and target: `id = f"{row_id}{separator}{target}"`."""

    separator: str
    order: Literal["row_target", "target_row"]


@dataclass(frozen=True, slots=True)
class Submission:
    """The shape of a valid submission.

    `columns` is the whole header in order. `form` says what the value columns hold: `labels` (as spelled in train),
    `probability` (of `positive_class`), `class_probabilities` (one column a class, `column_classes` in the order of
    the value columns), `values` (numbers, one column a target; also one probability a label of a multilabel task).
    `copied_columns` are further columns of the test that name a row together with the id (store and date).
    """

    columns: tuple[str, ...]
    id_column: str | None
    form: Literal["labels", "probability", "class_probabilities", "values"]
    positive_class: str | None = None
    column_classes: tuple[str, ...] = ()
    long_ids: LongIds | None = None
    integer_values: bool = False
    copied_columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked: all that the phases need to know of the competition, as plain JSON.

    `classes` are the labels as a submission spells them, in the order of the class codes 0…K-1 (for `binary` the
    positive class is last, code 1; for `ordinal` ascending); empty for regression and multilabel.
    `facts` holds the evidence by name (`id`, `targets`, `kind`, `metric`, `submission`, …).
    `custom_metric` is the path of a metric file of the folder, when `metric` is not one of ours.
    """

    name: str
    kind: Kind
    targets: tuple[str, ...]
    metric: str
    greater_is_better: bool
    needs: Needs
    submission: Submission
    classes: tuple[str, ...] = ()
    id_column: str | None = None
    group_column: str | None = None
    time_column: str | None = None
    facts: Mapping[str, Fact] = field(default_factory=dict)
    custom_metric: str | None = None

    @property
    def is_classification(self) -> bool:
        """Whether predictions are class probabilities (rows × classes, or rows × labels for multilabel)."""
        return self.kind in ("binary", "multiclass", "ordinal", "multilabel")

    @property
    def n_outputs(self) -> int:
        """Columns of a prediction array: classes (2 for binary), labels of a multilabel task, or regression targets."""
        return len(self.classes) if self.kind in ("binary", "multiclass", "ordinal") else len(self.targets)


@dataclass(frozen=True)
class Competition:
    """A competition as read: features without target and keys, the target apart, and everything that was noticed.

    Row i of `train`, `keys` and `y` belong together, as do row i of `test` and `test_keys`; all have a RangeIndex.
    `y` is int64 codes (rows,) for binary, multiclass and ordinal; int64 0/1 (rows, labels) for multilabel; float64
    (rows,) for regression and (rows, targets) for multi_regression. `target` holds the target columns as spelled.
    `keys` has the id, group and time columns as text or datetime. `sample` is the sample submission as text.
    `missing_tokens` counts, by feature, the words of train that were read as missing (`{"Alley": {"NA": 1369}}`);
    `units` names the units that were taken away to read a feature as numbers (`{"price": "currency"}`).
    """

    task: Task
    path: Path
    train: pd.DataFrame
    test: pd.DataFrame
    y: np.ndarray
    target: pd.DataFrame
    keys: pd.DataFrame
    test_keys: pd.DataFrame
    sample: pd.DataFrame | None
    tables: Mapping[str, pd.DataFrame]
    overview: str
    description: str
    instructions: str
    notes: tuple[Note, ...]
    files: tuple[FileFact, ...]
    settings: Mapping[str, Any]
    fingerprint: str
    missing_tokens: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)


# --- folds, scores, predictions --------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Folds:
    """The run's folds: pairs of row numbers (train, valid) into the labelled rows.

    For every kind but `time`, each repeat's valid parts cover every row once; for `time` only later rows are held out,
    and row numbers stand in the order of time. `groups` (rows,) are the codes of real groups, None when there are none.
    """

    kind: Literal["stratified", "plain", "grouped", "stratified_grouped", "time", "leave_one_out"]
    splits: tuple[tuple[np.ndarray, np.ndarray], ...]
    n_splits: int
    n_repeats: int
    reason: str
    n_rows: int
    groups: np.ndarray | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """A validation score: the mean over folds with its standard error, in the competition's metric.

    Unknown numbers are NaN: the error of a single fold, a fold that the metric cannot score.
    """

    value: Number
    standard_error: Number
    folds: tuple[Number, ...]
    metric: str
    greater_is_better: bool

    def better_than(self, other: Score) -> bool:
        """Whether this score's value is better than the other's, in the metric's own direction."""
        return self.value > other.value if self.greater_is_better else self.value < other.value


@dataclass(frozen=True, slots=True)
class Decision:
    """How predictions become what the metric and the submission want.

    `argmax` (most probable class), `threshold` (binary: code 1 at or above values[0]; multilabel: one threshold a
    label), `multipliers` (argmax of probability × values, one a class), `cutpoints` (ordinal: the expected class code
    cut at K-1 ascending values), `none` (predictions are used as they are).
    """

    kind: Literal["argmax", "threshold", "multipliers", "cutpoints", "none"]
    values: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class CandidateResult:
    """What became of one candidate (or one tuning trial of it).

    `folder` (relative to the run's folder) holds oof.npy (rows × outputs; the mean over repeats, NaN where never held
    out), test.npy and fit.json.
    """

    name: str
    status: Literal["ok", "failed", "cut_off", "refused"]
    score: Score | None = None
    seconds: float = 0.0
    parameters: Mapping[str, Any] = field(default_factory=dict)
    base: str | None = None
    folder: str = ""
    message: str = ""
    importance: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Blend:
    """The final blend: weights by candidate name (they sum to 1), the decision and the honest score."""

    weights: Mapping[str, float]
    decision: Decision
    score: Score
    method: str = "greedy"


@dataclass(frozen=True, slots=True)
class Training:
    """All that the modeling phase found."""

    results: tuple[CandidateResult, ...]
    blend: Blend | None
    constant: Score
    baseline: Score | None
    folds: str
    audit: Mapping[str, Number] = field(default_factory=dict)
    cut_off: tuple[str, ...] = ()
    not_done: tuple[str, ...] = ()


# --- plans, executions, gates, reviews -------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Step:
    """One step of a plan: what is done, to which columns, with which tool, and because of what."""

    action: str
    because: str
    columns: tuple[str, ...] = ()
    tool: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Intent:
    """What a plan declares, so that gates compare what happened with what was meant.

    In `keep_missing` a name that ends in `*` stands for all features whose names begin so.
    """

    keep_missing: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    add: tuple[str, ...] = ()
    clip: tuple[str, ...] = ()
    keep_text: tuple[str, ...] = ()
    exclude_rows: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """A phase's plan. `obeyed` says, a sentence each, which instructions and rules of the person it follows."""

    phase: str
    steps: tuple[Step, ...]
    intent: Intent = field(default_factory=Intent)
    obeyed: tuple[str, ...] = ()
    author: str = "rules"


@dataclass(frozen=True, slots=True)
class ExecutionResult:
    """What happened to code in the sandbox; a failure is a value. `message` tells the Developer what to change."""

    status: Literal["ok", "error", "timeout", "memory", "killed", "no_result"]
    exit_code: int | None
    stdout: str
    stderr: str
    wall_s: float
    peak_memory_mb: float
    isolation: tuple[str, ...] = ()
    message: str = ""

    @property
    def ok(self) -> bool:
        """Whether the code ran to its end and left its result."""
        return self.status == "ok"


@dataclass(frozen=True, slots=True)
class GateCheck:
    """One gate's verdict. `protects` is what it protects; `message` names column, rows and what to do."""

    name: str
    protects: str
    outcome: Literal["passed", "failed", "warned", "skipped"]
    message: str = ""
    wall_s: float = 0.0


@dataclass(frozen=True, slots=True)
class GateReport:
    """All gates of one attempt."""

    phase: str
    checks: tuple[GateCheck, ...]
    wall_s: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether no gate failed and at least one ran."""
        return bool(self.checks) and all(check.outcome != "failed" for check in self.checks)

    @property
    def failures(self) -> tuple[GateCheck, ...]:
        """The failed checks."""
        return tuple(check for check in self.checks if check.outcome == "failed")


@dataclass(frozen=True, slots=True)
class Review:
    """The Reviewer's verdict; `scores` from 1 to 5 by agent, pass at 3 or more."""

    accept: bool
    scores: Mapping[str, float]
    findings: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try at one phase. `folder`, relative to the run's folder, holds its code and artifacts."""

    phase: str
    key: str
    iteration: int
    number: int
    folder: str
    plan: Plan | None
    code: str
    execution: ExecutionResult | None = None
    gates: GateReport | None = None
    review: Review | None = None
    probe: Score | None = None
    fallback: bool = False
    note: str = ""

    @property
    def accepted(self) -> bool:
        """Whether it ran, passed its gates and was not rejected."""
        ran = self.execution is None or self.execution.ok
        return ran and (self.gates is None or self.gates.passed) and (self.review is None or self.review.accept)


@dataclass(frozen=True, slots=True)
class Solution:
    """One accepted attempt per phase so far: attempt folders by phase slug; a node of the tree that search walks."""

    key: str
    parent: str | None
    attempts: Mapping[str, str]
    score: Score | None = None


@dataclass(frozen=True, slots=True)
class GiveUp:
    """A reasoner's answer when it cannot answer."""

    reason: str


# --- reports ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Table:
    """A small table of a report, cells already text."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a phase's report: prose, tables, and figures by path relative to the attempt's folder."""

    heading: str
    text: str
    tables: tuple[Table, ...] = ()
    figures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Summary:
    """The Summarizer's report on a phase; two questions are always answered."""

    phase: str
    headline: str
    what_changed: str
    next_must_know: str
    sections: tuple[Section, ...] = ()


# --- JSON ------------------------------------------------------------------------------------------------------------
@functools.cache
def _adapter(record_type: Any) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(record_type)


def json_ready(value: Any) -> Any:
    """Turn a record, or anything made of records, arrays, paths and numbers, into plain JSON values; NaN becomes None.

    Examples
    --------
    >>> json_ready({"score": float("nan"), "columns": ("a", "b")})
    {'score': None, 'columns': ['a', 'b']}
    """
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: json_ready(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): json_ready(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [json_ready(item) for item in value]
    if hasattr(value, "tolist"):
        return json_ready(value.tolist())
    return str(value)


def to_json(record: Any) -> str:
    """Write a record as strict JSON (no NaN), keys in field order."""
    return json.dumps(json_ready(record), ensure_ascii=False, indent=1, allow_nan=False)


def from_json(record_type: type[Record], text: str | bytes) -> Record:
    """Read a record back.

    Examples
    --------
    >>> from_json(Note, to_json(Note("train.csv", "line 21 has 6 fields"))).subject
    'train.csv'
    """
    record: Record = _adapter(cast("Hashable", record_type)).validate_json(text)
    return record
