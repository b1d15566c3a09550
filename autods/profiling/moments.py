"""The profile of a column of numbers or of points in time."""

from __future__ import annotations

import numpy as np
import pandas as pd

from autods.profiling.facts import ColumnProfile
from autods.profiling.numbers import Numbers, measure, numeric_array
from autods.profiling.rows import RowHashes
from autods.profiling.semantics import meaning_of_numbers
from autods.tools.explore.drifts import ks_statistic
from autods.tools.explore.signals import Targets, number_signal

__all__ = ["is_near_perfect", "profile_datetimes", "profile_numbers"]

NEAR_PERFECT = 0.99
NEAR_PERFECT_ROWS = 50


def profile_numbers(
    train: pd.Series, test: pd.Series | None, targets: Targets | None, hashes: RowHashes | None
) -> ColumnProfile:
    """Profile a numeric or boolean column."""
    values = numeric_array(train)
    there = np.empty(0) if test is None else numeric_array(test)
    return _profile(train, values, None if test is None else there, targets, hashes)


def profile_datetimes(
    train: pd.Series, test: pd.Series | None, targets: Targets | None, hashes: RowHashes | None
) -> ColumnProfile:
    """Profile a column that is already a datetime; its numbers are seconds since 1970."""
    there = None if test is None else _seconds(test)
    return _profile(train, _seconds(train), there, targets, hashes, datetime=True)


def _seconds(series: pd.Series) -> np.ndarray:
    dates = pd.to_datetime(series, utc=True).dt.tz_localize(None)
    return np.where(dates.isna(), np.nan, dates.to_numpy("datetime64[us]").astype(np.int64) / 1e6)


def _profile(
    series: pd.Series,
    values: np.ndarray,
    there: np.ndarray | None,
    targets: Targets | None,
    hashes: RowHashes | None,
    *,
    datetime: bool = False,
) -> ColumnProfile:
    if hashes is not None:
        hashes.add_numbers(values, there)
    numbers, other = measure(values), None if there is None else np.sort(there[np.isfinite(there)])
    monotone = _is_monotone(values, numbers, there)
    missing = float(np.isnan(values).mean()) if values.size else 0.0
    meaning = meaning_of_numbers(str(series.name), numbers, values.size, complete=missing == 0, monotone=monotone)
    semantic = "datetime" if datetime and meaning.semantic != "constant" else meaning.semantic
    signal = None if targets is None or semantic == "constant" else number_signal(values[targets.rows], targets)
    return ColumnProfile(
        name=str(series.name),
        semantic=semantic,
        dtype=str(series.dtype),
        missing_train=missing,
        missing_test=float(np.isnan(there).mean()) if there is not None and there.size else 0.0,
        sentinels=sentinels(numbers),
        n_unique=numbers.n_unique,
        top=tuple((_spell(value), count) for value, count in numbers.top),
        minimum=numbers.minimum,
        maximum=numbers.maximum,
        mean=numbers.mean,
        standard_deviation=numbers.standard_deviation,
        quantiles=numbers.quantiles,
        skew=numbers.skew,
        outlier_share=numbers.outlier_share,
        unseen_share=_unseen_share(numbers, other),
        drift=_drift(numbers.values, other),
        signal=signal,
        near_perfect=is_near_perfect(signal, targets),
        monotone_in_row=monotone,
    )


def is_near_perfect(signal: float | None, targets: Targets | None) -> bool:
    """Whether a signal is so strong, on enough rows, that the column may give the target away."""
    return (
        signal is not None and targets is not None and signal >= NEAR_PERFECT and len(targets.rows) >= NEAR_PERFECT_ROWS
    )


def sentinels(numbers: Numbers) -> dict[str, int]:
    """Count numbers that stand for missing: a -999 or 9999 that recurs, far from all other values.

    Examples
    --------
    >>> sentinels(measure(np.array([1.0, 2.0, 4.0, -999.0, -999.0])))
    {'-999': 2}
    """
    values = numbers.values
    found: dict[str, int] = {}
    for sentinel in (-99.0, -999.0, -9999.0, -99999.0, 999.0, 9999.0, 99999.0, 999999.0):
        if not values.size or sentinel not in (values[0], values[-1]):
            continue
        first, last = np.searchsorted(values, sentinel), np.searchsorted(values, sentinel, side="right")
        rest = values[last:] if first == 0 else values[:first]
        if last - first >= 2 and rest.size and np.abs(rest - sentinel).min() > max(rest[-1] - rest[0], 10.0):
            found[str(int(sentinel))] = int(last - first)
    return found


def _is_monotone(values: np.ndarray, numbers: Numbers, there: np.ndarray | None) -> bool:
    """Whether the rows of train are ordered by the column, and those of test too where there are enough to tell."""
    if values.size < 10 or numbers.n_unique != values.size:
        return False
    sides = [values] if there is None or there.size < 3 else [values, there]
    return any(all(np.all(sign * np.diff(side) > 0) for side in sides) for sign in (1, -1))


def _unseen_share(numbers: Numbers, other: np.ndarray | None) -> float | None:
    if other is None or not other.size or not numbers.whole:
        return None
    places = np.searchsorted(numbers.values, other).clip(max=numbers.values.size - 1)
    return float(np.mean(numbers.values[places] != other))


def _drift(here: np.ndarray, there: np.ndarray | None) -> float | None:
    if there is None or not here.size or not there.size:
        return None
    # Of sorted values every k-th is a sample that keeps the distribution.
    drift: float = ks_statistic(*(values[:: max(1, values.size // 100_000)] for values in (here, there)))
    return drift


def _spell(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
