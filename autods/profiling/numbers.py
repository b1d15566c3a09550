"""Statistics of a numeric column, all read off one sorted copy."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

__all__ = ["Numbers", "measure", "numeric_array", "skew_of"]

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, slots=True)
class Numbers:
    """The present, finite values of a numeric column, sorted, and what was counted on the way."""

    values: np.ndarray
    n_unique: int
    top: tuple[tuple[float, int], ...]
    top_levels: np.ndarray | None
    mean: float | None
    standard_deviation: float | None
    quantiles: tuple[float, ...]
    skew: float | None
    outlier_share: float | None
    whole: bool

    @property
    def minimum(self) -> float | None:
        """The smallest value, None when there is none."""
        return float(self.values[0]) if self.values.size else None

    @property
    def maximum(self) -> float | None:
        """The largest value, None when there is none."""
        return float(self.values[-1]) if self.values.size else None


def numeric_array(series: pd.Series) -> np.ndarray:
    """Give a numeric or boolean column as float64 with NaN for what is missing."""
    values = series.to_numpy()
    if values.dtype != object and np.issubdtype(values.dtype, np.number):
        return np.asarray(values, dtype=np.float64)
    return series.to_numpy(dtype=np.float64, na_value=np.nan)


def skew_of(values: np.ndarray, mean: float, standard_deviation: float) -> float | None:
    """The moment coefficient of skewness; None for a column that hardly varies."""
    if values.size < 3 or not standard_deviation > 1e-12 * max(1.0, abs(mean)):
        return None
    centred = (values - mean) / standard_deviation
    skew = float(np.mean(centred * centred * centred))
    return skew if math.isfinite(skew) else None


def measure(values: np.ndarray) -> Numbers:
    """Sort the finite values of `values` and take every statistic from them."""
    present = np.sort(values[np.isfinite(values)])
    if not present.size:
        return Numbers(present, 0, (), None, None, None, (), None, None, False)
    starts = np.flatnonzero(np.concatenate(([True], present[1:] != present[:-1])))
    counts = np.diff(np.append(starts, present.size))
    order = _most_frequent(counts)
    with np.errstate(over="ignore", invalid="ignore"):
        mean, deviation = float(np.mean(present)), float(np.std(present))
    finite = math.isfinite(mean) and math.isfinite(deviation)
    levels = present[starts]
    quantiles = np.quantile(present, QUANTILES)
    return Numbers(
        values=present,
        n_unique=int(starts.size),
        top=tuple((float(levels[i]), int(counts[i])) for i in order),
        top_levels=levels if levels.size <= 1000 else None,
        mean=mean if finite else None,
        standard_deviation=deviation if finite else None,
        quantiles=tuple(float(q) for q in quantiles) if np.isfinite(quantiles).all() else (),
        skew=skew_of(present, mean, deviation) if finite else None,
        outlier_share=_outlier_share(present, float(quantiles[1]), float(quantiles[3])),
        whole=bool(np.all(levels == np.floor(levels))),
    )


def _most_frequent(counts: np.ndarray, n: int = 10) -> np.ndarray:
    if counts.size > 4 * n:
        threshold = np.partition(counts, counts.size - n)[counts.size - n]
        candidates = np.flatnonzero(counts >= threshold) if threshold > 1 else np.flatnonzero(counts > 1)
        candidates = candidates if candidates.size else np.arange(n)
    else:
        candidates = np.arange(counts.size)
    return candidates[np.argsort(-counts[candidates], kind="stable")][:n]


def _outlier_share(present: np.ndarray, lower: float, upper: float) -> float:
    reach = 1.5 * (upper - lower)
    below = np.searchsorted(present, lower - reach, side="left")
    above = present.size - np.searchsorted(present, upper + reach, side="right")
    return float((below + above) / present.size)
