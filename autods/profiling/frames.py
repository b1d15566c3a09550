"""One pass over train and test: `profile_frames`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np
import pandas as pd

from autods.profiling.facts import ColumnProfile, Profile, TargetProfile
from autods.profiling.levels import profile_levels
from autods.profiling.moments import profile_datetimes, profile_numbers
from autods.profiling.numbers import measure
from autods.profiling.rows import RowHashes
from autods.profiling.splits import group_candidate, time_candidate
from autods.tools.explore.signals import Targets, targets_of

__all__ = ["profile_frames"]


def profile_frames(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    y: np.ndarray | None = None,
    kind: str | None = None,
    keys: pd.DataFrame | None = None,
    test_keys: pd.DataFrame | None = None,
    units: Mapping[str, str] | None = None,
    missing_tokens: Mapping[str, Mapping[str, int]] | None = None,
) -> Profile:
    """Profile every column of train and test, their rows, and how columns relate to the target.

    Parameters
    ----------
    train, test
        Features; test may be None. Columns of train that test lacks are profiled on train alone.
    y, kind
        The target as `records.Competition` holds it, and the kind of task; without them there is no `signal`.
    keys, test_keys
        Id, group and time columns, which are looked at as groups and time only.
    units, missing_tokens
        What reading already turned into numbers or NaN, by column; it is added to what is found here.

    Returns
    -------
    Profile
        Columns in the order of train.

    Examples
    --------
    >>> train = pd.DataFrame({"size": ["S", "L", "M", "S"], "price": [1.5, 2.0, None, 4.0]})
    >>> profile = profile_frames(train)
    >>> profile.columns["size"].semantic, profile.columns["size"].ordinal_levels
    ('ordinal', ('S', 'M', 'L'))
    >>> profile.columns["price"].missing_train
    0.25
    """
    test = train.iloc[:0] if test is None else test
    targets = None if y is None else targets_of(y, classes=kind not in ("regression", "multi_regression", None))
    hashes = RowHashes(len(train), len(test))
    columns: dict[str, ColumnProfile] = {}
    groups: list[str] = []
    times: list[str] = []
    for name in train.columns:
        there = test[name] if name in test.columns else None
        # Numbers near the limits of a float overflow; what is not finite then is left out.
        with np.errstate(over="ignore", invalid="ignore"):
            column = _profile_column(train[name], there, targets, hashes)
        _note_split(column, train[name], there, groups, times)
        # That an amount was not seen before means nothing once groups are judged.
        amount = column.semantic in ("numeric", "datetime")
        columns[name] = dataclasses.replace(column, unseen_share=None) if amount else column
    for name in [] if keys is None or test_keys is None else keys.columns.intersection(test_keys.columns):
        key = _profile_column(keys[name], test_keys[name], None, None)  # type: ignore[index]
        _note_split(key, keys[name], test_keys[name], groups, times)  # type: ignore[index]
    return Profile(
        n_train=len(train),
        n_test=len(test),
        columns=_with_what_reading_knows(columns, units or {}, missing_tokens or {}),
        duplicate_rows=hashes.duplicate_rows(),
        conflicting_rows=hashes.conflicting_rows(y),
        shared_rows=hashes.shared_rows(),
        group_candidates=tuple(dict.fromkeys(groups)),
        time_candidates=tuple(dict.fromkeys(times)),
        target=None if y is None else _profile_target(y, kind),
        memory_mb=round(sum(int(f.memory_usage(deep=True, index=False).sum()) for f in (train, test)) / 2**20, 3),
    )


def _profile_column(
    train: pd.Series, test: pd.Series | None, targets: Targets | None, hashes: RowHashes | None
) -> ColumnProfile:
    if isinstance(train.dtype, pd.DatetimeTZDtype) or pd.api.types.is_datetime64_dtype(train.dtype):
        return profile_datetimes(train, test, targets, hashes)
    if pd.api.types.is_numeric_dtype(train.dtype) and (test is None or pd.api.types.is_numeric_dtype(test.dtype)):
        return profile_numbers(train, test, targets, hashes)
    return profile_levels(train, test, targets, hashes)


def _note_split(
    column: ColumnProfile, train: pd.Series, test: pd.Series | None, groups: list[str], times: list[str]
) -> None:
    if group_candidate(column, len(train)):
        groups.append(column.name)
    if test is not None and time_candidate(column, train, test):
        times.append(column.name)


def _with_what_reading_knows(
    columns: dict[str, ColumnProfile], units: Mapping[str, str], tokens: Mapping[str, Mapping[str, int]]
) -> dict[str, ColumnProfile]:
    for name in columns.keys() & (units.keys() | tokens.keys()):
        column = columns[name]
        columns[name] = dataclasses.replace(
            column,
            unit=column.unit or units.get(name),
            missing_tokens={**column.missing_tokens, **tokens.get(name, {})},
        )
    return columns


def _profile_target(y: np.ndarray, kind: str | None) -> TargetProfile:
    kind = kind or "regression"
    if kind == "multilabel":
        shares = np.asarray(y, dtype=np.float64).reshape(len(y), -1).mean(axis=0)
        return TargetProfile(kind, len(y), 2, class_shares=tuple(float(share) for share in shares))
    if kind in ("binary", "multiclass", "ordinal"):
        counts = np.bincount(np.asarray(y, dtype=np.int64))
        present = counts[counts > 0]
        return TargetProfile(
            kind, len(y), int(present.size),
            class_shares=tuple(float(count) / max(1, len(y)) for count in counts),
            imbalance=float(present.max() / present.min()) if present.size else None,
        )  # fmt: skip
    values = np.asarray(y, dtype=np.float64)
    numbers = measure(values if values.ndim == 1 else values[:, 0])
    return TargetProfile(
        kind, len(y), numbers.n_unique,
        minimum=numbers.minimum, maximum=numbers.maximum, mean=numbers.mean,
        standard_deviation=numbers.standard_deviation, quantiles=numbers.quantiles, skew=numbers.skew,
        outlier_share=numbers.outlier_share,
        zero_share=float(np.mean(numbers.values == 0)) if numbers.values.size else None,
        whole_numbers=numbers.whole,
    )  # fmt: skip
