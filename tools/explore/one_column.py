"""Statistics of one column; each gives a float, NaN where it is not defined."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pandas as pd

from autods.tools.explore.columns import MISSING_WORDS, finite, holds_numbers, level_codes, numbers_of
from autods.tools.explore.two_columns import spearman

__all__ = ["ONE_COLUMN"]

_NUMBER_LIKE = re.compile(r"\s*[$€£¥₹]?\s*[-+]?(\d{1,3}(,\d{3})+|\d+)([.,]\d+)?\s*[%A-Za-z]{0,8}\s*")
_RARE_SHARE = 0.01


def missing_share(column: pd.Series) -> float:
    """The share of missing cells."""
    return float(column.isna().mean()) if len(column) else np.nan


def missing_word_share(column: pd.Series) -> float:
    """The share of cells that only look missing: `?`, `NA`, `unknown`, blanks."""
    if holds_numbers(column) or not len(column):
        return 0.0 if len(column) else np.nan
    return float(column.dropna().astype("str").str.strip().str.lower().isin(MISSING_WORDS).sum() / len(column))


def n_unique(column: pd.Series) -> float:
    """The number of distinct present values."""
    return float(column.nunique())


def unique_share(column: pd.Series) -> float:
    """Distinct values per present cell: 1 when no value recurs."""
    return float(column.nunique() / column.count()) if column.count() else np.nan


def _counts(column: pd.Series) -> np.ndarray:
    codes = level_codes(column)
    return np.bincount(codes[codes >= 0]) if (codes >= 0).any() else np.empty(0, dtype=np.int64)


def share_of_top_level(column: pd.Series) -> float:
    """The most frequent value's share of the present cells."""
    counts = _counts(column)
    return float(counts.max() / counts.sum()) if counts.size else np.nan


def share_of_rarest_level(column: pd.Series) -> float:
    """The least frequent value's share of the present cells."""
    counts = _counts(column)
    return float(counts.min() / counts.sum()) if counts.size else np.nan


def imbalance(column: pd.Series) -> float:
    """The most frequent value's count over the least frequent one's."""
    counts = _counts(column)
    return float(counts.max() / counts.min()) if counts.size else np.nan


def rare_level_share(column: pd.Series) -> float:
    """The share of present cells whose level has less than 1 % of them."""
    counts = _counts(column)
    return float(counts[counts < _RARE_SHARE * counts.sum()].sum() / counts.sum()) if counts.size else np.nan


def rows_per_level(column: pd.Series) -> float:
    """The mean number of rows a level has."""
    counts = _counts(column)
    return float(counts.mean()) if counts.size else np.nan


def mean(column: pd.Series) -> float:
    """The mean of the numbers."""
    values = finite(numbers_of(column))
    return float(np.mean(values)) if values.size else np.nan


def median(column: pd.Series) -> float:
    """The median of the numbers."""
    values = finite(numbers_of(column))
    return float(np.median(values)) if values.size else np.nan


def standard_deviation(column: pd.Series) -> float:
    """The standard deviation of the numbers (of the sample: n - 1)."""
    values = finite(numbers_of(column))
    return float(np.std(values, ddof=1)) if values.size > 1 else np.nan


def minimum(column: pd.Series) -> float:
    """The smallest number."""
    values = finite(numbers_of(column))
    return float(values.min()) if values.size else np.nan


def maximum(column: pd.Series) -> float:
    """The largest number."""
    values = finite(numbers_of(column))
    return float(values.max()) if values.size else np.nan


def lower_quartile(column: pd.Series) -> float:
    """A quarter of the numbers lie below it."""
    values = finite(numbers_of(column))
    return float(np.quantile(values, 0.25)) if values.size else np.nan


def upper_quartile(column: pd.Series) -> float:
    """A quarter of the numbers lie above it."""
    values = finite(numbers_of(column))
    return float(np.quantile(values, 0.75)) if values.size else np.nan


def skew(column: pd.Series) -> float:
    """The moment coefficient of skewness: 0 is symmetric, above 1 a long right tail."""
    return _standardised(column, 3)


def kurtosis(column: pd.Series) -> float:
    """The excess kurtosis: 0 for a normal distribution, large for heavy tails."""
    return _standardised(column, 4) - 3


def _standardised(column: pd.Series, power: int) -> float:
    values = finite(numbers_of(column))
    if values.size < 3:
        return np.nan
    centre, deviation = float(np.mean(values)), float(np.std(values))
    if not deviation > 1e-12 * max(1.0, abs(centre)):
        return np.nan
    return float(np.mean(((values - centre) / deviation) ** power))


def log_skew(column: pd.Series) -> float:
    """The skewness of log(1 + x); not defined when a number is below 0."""
    values = finite(numbers_of(column))
    if not values.size or values.min() < 0:
        return np.nan
    return _standardised(pd.Series(np.log1p(values)), 3)


def outlier_share_iqr(column: pd.Series) -> float:
    """The share of numbers beyond 1.5 interquartile ranges of the quartiles."""
    values = finite(numbers_of(column))
    if not values.size:
        return np.nan
    lower, upper = np.quantile(values, [0.25, 0.75])
    reach = 1.5 * (upper - lower)
    return float(np.mean((values < lower - reach) | (values > upper + reach)))


def outlier_share_z(column: pd.Series) -> float:
    """The share of numbers more than three standard deviations from the mean."""
    values = finite(numbers_of(column))
    if values.size < 2:
        return np.nan
    return float(np.mean(np.abs(values - values.mean()) > 3 * values.std()))


def zero_share(column: pd.Series) -> float:
    """The share of zeros among the numbers."""
    values = finite(numbers_of(column))
    return float(np.mean(values == 0)) if values.size else np.nan


def negative_share(column: pd.Series) -> float:
    """The share of numbers below zero."""
    values = finite(numbers_of(column))
    return float(np.mean(values < 0)) if values.size else np.nan


def infinite_share(column: pd.Series) -> float:
    """The share of cells that are infinite."""
    return float(np.isinf(numbers_of(column)).mean()) if len(column) else np.nan


def whole_number_share(column: pd.Series) -> float:
    """The share of numbers without a fraction."""
    values = finite(numbers_of(column))
    return float(np.mean(values == np.floor(values))) if values.size else np.nan


def _mean_over_cells(column: pd.Series, measure: Callable[[str], float]) -> float:
    """Measure each distinct spelling once, and weigh it by its cells."""
    codes, levels = pd.factorize(column.astype("str"))
    counts = np.bincount(codes[codes >= 0], minlength=len(levels))
    measured = np.array([measure(str(level)) for level in levels], dtype=np.float64)
    return float((measured * counts).sum() / counts.sum()) if counts.sum() else np.nan


def number_like_share(column: pd.Series) -> float:
    """The share of present cells that read as a number, perhaps with a currency, percent or unit."""
    if holds_numbers(column):
        return 1.0 if column.count() else np.nan
    return _mean_over_cells(column, lambda cell: _NUMBER_LIKE.fullmatch(cell) is not None)


def mean_words(column: pd.Series) -> float:
    """The mean number of words of the present cells."""
    return _mean_over_cells(column, lambda cell: len(cell.split()))


def mean_length(column: pd.Series) -> float:
    """The mean number of characters of the present cells."""
    return _mean_over_cells(column, len)


def grows_with_rows(column: pd.Series) -> float:
    """The rank correlation of the numbers with their row's number: 1 when rows are sorted by them."""
    return spearman(column, pd.Series(np.arange(len(column)), index=column.index))


ONE_COLUMN = {
    function.__name__: function
    for function in (
        grows_with_rows, imbalance, infinite_share, kurtosis, log_skew, lower_quartile, maximum, mean, mean_length,
        mean_words, median, minimum, missing_share, missing_word_share, n_unique, negative_share, number_like_share,
        outlier_share_iqr, outlier_share_z, rare_level_share, rows_per_level, share_of_rarest_level, share_of_top_level,
        skew, standard_deviation, unique_share, upper_quartile, whole_number_share, zero_share,
    )
}  # fmt: skip
