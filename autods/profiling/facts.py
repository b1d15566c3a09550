"""What a profile says: data-only records that go to JSON and back (`records.to_json`, `records.from_json`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["ColumnProfile", "Pattern", "Profile", "Semantic", "TargetProfile"]

Semantic = Literal[
    "numeric", "integer_code", "boolean", "categorical", "ordinal", "datetime", "text", "id_like", "constant"
]


@dataclass(frozen=True, slots=True)
class Pattern:
    """How the strings of a column are built, so that they can be split.

    Attributes
    ----------
    kind
        `delimited` (always `n_parts` parts between `separator`, as `B/45/P`), `list` (a varying number of recurring
        parts, as `Action|Comedy`), `prefix_number` (an optional prefix, then a number, as `A/5 21171` or `C85`) or
        `person_name` (`Braund, Mr. Owen Harris`).
    separator
        What stands between the parts; empty for `prefix_number`.
    n_parts
        The usual number of parts.
    share
        The share of present values that are built like this.
    """

    kind: Literal["delimited", "list", "prefix_number", "person_name"]
    separator: str
    n_parts: int
    share: float


@dataclass(frozen=True, slots=True)
class ColumnProfile:
    """One column of train and test; numbers are of train's present values unless the name says test.

    Attributes
    ----------
    semantic
        What the column is, whatever its dtype: `integer_code` are whole numbers that may be labels or grades, `boolean`
        are 0/1 and truthy words, `ordinal` words with a known order, `constant` columns hold one state.
    missing_train, missing_test
        The shares of cells that are missing (NaN).
    missing_tokens
        Cells of train that only look missing, by spelling (`?`, `NA`, `unknown` …); not in the shares above.
    sentinels
        Numbers that may stand for missing (-999, 9999 …: they recur, far from all others), with their counts.
    top
        The at most ten most frequent values with their counts.
    quantiles
        At 5, 25, 50, 75 and 95 %.
    outlier_share
        The share beyond 1.5 interquartile ranges of the quartiles.
    unit
        For numbers written as text: `currency`, `percent`, `thousands`, `decimal_comma`, `multiplier` (`3k`) or the
        unit itself (`kg`).
    unseen_share
        The share of present test cells whose level train does not have.
    drift
        Kolmogorov-Smirnov statistic (numeric) or total variation distance (levels; rare ones counted together).
    signal
        How well the column alone ranks the target, 0 to 1, on held-out halves; None without a target.
    near_perfect
        Whether the column alone gives the target away.
    monotone_in_row
        Whether values strictly grow or fall with the row number, in train and in test (where it has three rows or more).
    pattern
        How the strings are built, when they are structured.
    ordinal_levels
        Levels of an ordinal column in ascending order; levels that only mean `unknown` are left out.
    """

    name: str
    semantic: Semantic
    dtype: str
    missing_train: float = 0.0
    missing_test: float = 0.0
    missing_tokens: Mapping[str, int] = field(default_factory=dict)
    sentinels: Mapping[str, int] = field(default_factory=dict)
    n_unique: int = 0
    top: tuple[tuple[str, int], ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    mean: float | None = None
    standard_deviation: float | None = None
    quantiles: tuple[float, ...] = ()
    skew: float | None = None
    outlier_share: float | None = None
    unit: str | None = None
    unseen_share: float | None = None
    drift: float | None = None
    signal: float | None = None
    near_perfect: bool = False
    monotone_in_row: bool = False
    pattern: Pattern | None = None
    avg_words: float | None = None
    ordinal_levels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TargetProfile:
    """The target: class shares (by code, in order) for classes, moments for values; of several targets the first.

    Attributes
    ----------
    class_shares
        By class code; for multilabel the share of ones by label; empty for regression.
    imbalance
        The largest class share over the smallest; None for regression.
    """

    kind: str
    n_rows: int
    n_unique: int
    class_shares: tuple[float, ...] = ()
    imbalance: float | None = None
    minimum: float | None = None
    maximum: float | None = None
    mean: float | None = None
    standard_deviation: float | None = None
    quantiles: tuple[float, ...] = ()
    skew: float | None = None
    outlier_share: float | None = None
    zero_share: float | None = None
    whole_numbers: bool = False


@dataclass(frozen=True, slots=True)
class Profile:
    """Train and test as wholes, and every column of them.

    Attributes
    ----------
    duplicate_rows
        Rows of train that repeat an earlier row in every feature.
    conflicting_rows
        Rows of train whose features recur with another target.
    shared_rows
        Rows of test that occur in train.
    group_candidates
        Columns whose repeated levels train and test do not share: evidence that folds should be grouped.
    time_candidates
        Columns of time in which test is later than train: evidence that folds should be ordered.
    """

    n_train: int
    n_test: int
    columns: Mapping[str, ColumnProfile]
    duplicate_rows: int = 0
    conflicting_rows: int = 0
    shared_rows: int = 0
    group_candidates: tuple[str, ...] = ()
    time_candidates: tuple[str, ...] = ()
    target: TargetProfile | None = None
    memory_mb: float = 0.0

    def names(self, *semantics: Semantic) -> tuple[str, ...]:
        """Name the columns of these semantic types, in frame order; of all when none is given.

        Examples
        --------
        >>> age = ColumnProfile("age", "numeric", "float64")
        >>> Profile(3, 0, {"age": age}).names("numeric", "boolean")
        ('age',)
        """
        return tuple(name for name, column in self.columns.items() if not semantics or column.semantic in semantics)

    def by_semantic(self) -> dict[str, tuple[str, ...]]:
        """Group the column names by semantic type, as `TaskFacts.columns` wants them."""
        groups: dict[str, list[str]] = {}
        for name, column in self.columns.items():
            groups.setdefault(column.semantic, []).append(name)
        return {semantic: tuple(names) for semantic, names in groups.items()}
