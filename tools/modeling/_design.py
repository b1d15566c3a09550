"""A proper design matrix for estimators that add or measure distances: imputed, scaled, one-hot, optionally curved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from autods.tools.modeling._frames import (
    category_codes,
    learn_columns,
    numeric_values,
    text_statistics,
)

__all__ = ["DesignEncoder"]

SKEW_TO_COMPRESS = 1.0
MOST_CODE_LEVELS = 16
FEWEST_KNOT_VALUES = 12
DENSE_CELLS = 20_000_000
MOST_DENSE_INDICATORS = 400


@dataclass(frozen=True)
class Numeric:
    """How one column of numbers becomes columns of the design."""

    source: str
    median: float
    scale: float | None
    mean: float
    deviation: float
    lowest: float
    highest: float
    indicator: bool
    n_values: int
    codes: np.ndarray
    knots: np.ndarray

    @property
    def width(self) -> int:
        """The number of columns it gives."""
        return 1 + self.indicator + len(self.codes) + max(0, len(self.knots) - 2)

    def encode(self, values: np.ndarray) -> np.ndarray:
        """Impute, compress, standardise and clip to the range of training; add indicator, code and spline columns."""
        missing = np.isnan(values)
        filled = np.where(missing, self.median, values)
        compressed = filled if self.scale is None else np.arcsinh(filled / self.scale)
        standard = np.clip((compressed - self.mean) / self.deviation, self.lowest, self.highest)
        parts = [standard]
        if self.indicator:
            parts.append(missing.astype(np.float64))
        parts += [((filled == code) & ~missing).astype(np.float64) for code in self.codes]
        parts += _natural_spline(standard, self.knots)
        return np.column_stack(parts)


def _natural_spline(values: np.ndarray, knots: np.ndarray) -> list[np.ndarray]:
    """The curved columns of a natural cubic spline (linear beyond the outer knots)."""
    if len(knots) < 3:
        return []
    last, before = knots[-1], knots[-2]

    def bend(knot: float) -> np.ndarray:
        curve = np.maximum(values - knot, 0) ** 3 - np.maximum(values - last, 0) ** 3
        return np.asarray(curve / (last - knot))

    span = (knots[-1] - knots[0]) ** 2
    return [(bend(knot) - bend(before)) / span for knot in knots[:-2]]


@dataclass(frozen=True)
class Levels:
    """How one column of categories becomes indicator columns; `others` takes rare, and then also unseen, levels."""

    source: str
    levels: np.ndarray
    kept: np.ndarray
    others: bool
    missing: bool

    @property
    def width(self) -> int:
        """The number of columns it gives."""
        return len(self.kept) + self.others + self.missing

    def places(self, codes: np.ndarray, missing: np.ndarray) -> np.ndarray:
        """The indicator column of each row, -1 for none."""
        place = np.full(len(self.levels) + 1, len(self.kept) if self.others else -1)
        place[self.kept] = np.arange(len(self.kept))
        found = place[codes]
        return np.where(missing, len(self.kept) + self.others if self.missing else -1, found)


class DesignEncoder:
    """Learn a design matrix on training rows; `encode` gives it dense, or sparse where dense would be large.

    Indicators of categories are its last `n_indicators` columns; `curved` marks the columns of numbers with many
    values, `sources` names each column's original.

    Parameters
    ----------
    frame
        Training rows.
    splines
        Whether each number with many values also gets the columns of a natural cubic spline.
    fewest
        Levels with fewer rows share one column.
    most_levels
        At most this many levels of a column get one of their own.
    one_hot_codes
        Whether whole numbers with few values are given indicator columns besides.
    """

    def __init__(
        self,
        frame: pd.DataFrame,
        *,
        splines: bool = False,
        fewest: int = 4,
        most_levels: int = 200,
        one_hot_codes: bool = True,
    ) -> None:
        self.columns = learn_columns(frame)
        self.numeric = [
            _learn_numeric(source, values, splines, one_hot_codes) for source, values in self._numbers(frame)
        ]
        self.levels = [
            _learn_levels(name, category_codes(frame[name], levels), levels, fewest, most_levels)
            for name, levels in self.columns.categories.items()
            if len(levels)
        ]
        parts = [part for part in (*self.numeric, *self.levels) if part is not None]
        self.sources = tuple(part.source for part in parts for _ in range(part.width))
        self.curved = tuple(
            isinstance(part, Numeric) and place == 0 and part.n_values > MOST_CODE_LEVELS
            for part in parts
            for place in range(part.width)
        )
        self.n_indicators = sum(part.width for part in self.levels)
        self.is_sparse = self.n_indicators > MOST_DENSE_INDICATORS or len(frame) * self.n_indicators > DENSE_CELLS

    def encode(self, frame: pd.DataFrame) -> Any:
        """Give the design of a frame as float64 array or CSR matrix."""
        from scipy import sparse

        blocks = [
            learnt.encode(values)
            for learnt, (_, values) in zip(self.numeric, self._numbers(frame), strict=True)
            if learnt is not None
        ]
        dense = np.hstack(blocks) if blocks else np.empty((len(frame), 0))
        indicators = self._indicators(frame)
        if self.is_sparse:
            return sparse.hstack([sparse.csr_matrix(dense), indicators], format="csr")
        return np.hstack([dense, indicators.toarray()])

    def _numbers(self, frame: pd.DataFrame) -> Iterator[tuple[str, np.ndarray]]:
        """All that is read as numbers: numbers, places of ordered levels, statistics of text."""
        for name in self.columns.numeric:
            yield name, numeric_values(frame[name])
        for name, levels in self.columns.ordered.items():
            codes = category_codes(frame[name], levels)
            yield name, np.where(codes < 0, np.nan, codes)
        for name in self.columns.text:
            yield from ((name, values) for values in text_statistics(frame[name]).T)

    def _indicators(self, frame: pd.DataFrame) -> Any:
        from scipy import sparse

        rows, places, offset = [np.empty(0, np.int64)], [np.empty(0, np.int64)], 0
        for part in self.levels:
            found = part.places(category_codes(frame[part.source], part.levels), frame[part.source].isna().to_numpy())
            rows.append(np.flatnonzero(found >= 0))
            places.append(found[found >= 0] + offset)
            offset += part.width
        row, place = np.concatenate(rows), np.concatenate(places)
        return sparse.csr_matrix((np.ones(len(row)), (row, place)), shape=(len(frame), offset))


def _learn_numeric(source: str, values: np.ndarray, splines: bool, one_hot_codes: bool) -> Numeric | None:
    """Learn median, compression, scale, codes and knots of one column; None when it tells nothing."""
    present = values[~np.isnan(values)]
    unique = np.unique(present)
    indicator = 0 < len(present) < len(values)
    if len(unique) < 2 and not indicator:
        return None
    median = float(np.median(present)) if len(present) else 0.0
    scale = _compression(present) if len(unique) > MOST_CODE_LEVELS else None
    filled = np.where(np.isnan(values), median, values)
    compressed = filled if scale is None else np.arcsinh(filled / scale)
    mean, deviation = float(compressed.mean()), float(compressed.std()) or 1.0
    standard = (compressed - mean) / deviation
    is_code = one_hot_codes and 3 <= len(unique) <= MOST_CODE_LEVELS and bool((unique == np.floor(unique)).all())
    knots = np.empty(0)
    if splines and len(unique) >= FEWEST_KNOT_VALUES:
        knots = np.unique(np.quantile(standard, (0.05, 0.275, 0.5, 0.725, 0.95)))
    return Numeric(
        source, median, scale, mean, deviation, float(standard.min()), float(standard.max()), indicator,
        len(unique), unique if is_code else np.empty(0), knots,
    )  # fmt: skip


def _compression(present: np.ndarray) -> float | None:
    """The scale at which to compress a skewed column by the inverse hyperbolic sine; None where it is not skewed."""
    deviation = present.std()
    size = float(np.median(np.abs(present[present != 0]))) if present.any() else 0.0
    if deviation == 0 or size == 0:
        return None
    skew = float(np.mean(((present - present.mean()) / deviation) ** 3))
    return size if abs(skew) > SKEW_TO_COMPRESS and np.isfinite(skew) else None


def _learn_levels(source: str, codes: np.ndarray, levels: np.ndarray, fewest: int, most_levels: int) -> Levels:
    counts = np.bincount(codes[codes >= 0], minlength=len(levels))
    frequent = np.argsort(-counts, kind="stable")[:most_levels]
    kept = np.sort(frequent[counts[frequent] >= min(fewest, counts.max())])
    return Levels(source, levels, kept, others=len(kept) < len(levels), missing=bool((codes < 0).any()))
