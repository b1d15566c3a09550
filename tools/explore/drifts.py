"""Statistics that compare test with train."""

from __future__ import annotations

import numpy as np
import pandas as pd

from autods.tools.explore.adversarial import adversarial_scores
from autods.tools.explore.columns import finite, holds_numbers, numbers_of
from autods.tools.explore.frames import row_keys

__all__ = ["FRAME_PAIR", "ONE_COLUMN_PAIR", "ks_statistic", "total_variation"]

_RARE_COUNT = 10


def ks_statistic(train: np.ndarray, test: np.ndarray) -> float:
    """The Kolmogorov-Smirnov statistic of two sorted arrays; NaN when one is empty."""
    if not train.size or not test.size:
        return np.nan
    points = np.concatenate((train, test))
    shares = [np.searchsorted(values, points, side="right") / values.size for values in (train, test)]
    return float(np.max(np.abs(shares[0] - shares[1])))


def total_variation(train: np.ndarray, test: np.ndarray) -> float:
    """The total variation distance of two arrays of counts by level; levels with few rows count as one."""
    if not train.sum() or not test.sum():
        return np.nan
    rare = train + test < _RARE_COUNT
    shares = [np.append(counts[~rare], counts[rare].sum()) / counts.sum() for counts in (train, test)]
    return float(np.abs(shares[0] - shares[1]).sum() / 2)


def _counts(train: pd.Series, test: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    if holds_numbers(train) and holds_numbers(test):
        both = pd.Series(np.concatenate([numbers_of(train), numbers_of(test)]))
    else:
        both = pd.concat([train.astype("str"), test.astype("str")], ignore_index=True)
    codes, levels = pd.factorize(both)
    parts = codes[: len(train)], codes[len(train) :]
    here, there = (np.bincount(part[part >= 0], minlength=len(levels)) for part in parts)
    return here, there


def drift(train: pd.Series, test: pd.Series) -> float:
    """How far test's values are from train's, 0 to 1: Kolmogorov-Smirnov for numbers, total variation for levels."""
    if holds_numbers(train) and holds_numbers(test):
        return ks_statistic(*(np.sort(finite(numbers_of(column))) for column in (train, test)))
    return total_variation(*_counts(train, test))


def unseen_share(train: pd.Series, test: pd.Series) -> float:
    """The share of test's present cells whose value train does not have."""
    here, there = _counts(train, test)
    return float(there[here == 0].sum() / there.sum()) if there.sum() else np.nan


def beyond_range_share(train: pd.Series, test: pd.Series) -> float:
    """The share of test's numbers below train's smallest or above its largest."""
    here, there = finite(numbers_of(train)), finite(numbers_of(test))
    return float(np.mean((there < here.min()) | (there > here.max()))) if here.size and there.size else np.nan


def missing_share_difference(train: pd.Series, test: pd.Series) -> float:
    """Test's missing share less train's."""
    return float(test.isna().mean() - train.isna().mean()) if len(train) and len(test) else np.nan


def mean_shift(train: pd.Series, test: pd.Series) -> float:
    """Test's mean less train's, in standard deviations of train."""
    here, there = finite(numbers_of(train)), finite(numbers_of(test))
    if here.size < 2 or not there.size or not here.std() > 0:
        return np.nan
    return float((there.mean() - here.mean()) / here.std())


def shared_row_share(train: pd.DataFrame, test: pd.DataFrame) -> float:
    """The share of test's rows that occur in train, in these columns (all common ones when none is named)."""
    if not train.size or not test.size:
        return np.nan
    here, there = row_keys(train, test)
    return float(np.isin(there, here).mean())


def adversarial_auc(train: pd.DataFrame, test: pd.DataFrame) -> float:
    """How well train can be told from test by these columns, as cross-validated AUC: 0.5 when not at all."""
    scores = adversarial_scores(train, test)
    return float(np.mean(scores)) if len(scores) else np.nan


ONE_COLUMN_PAIR = {
    function.__name__: function
    for function in (beyond_range_share, drift, mean_shift, missing_share_difference, unseen_share)
}
FRAME_PAIR = {function.__name__: function for function in (adversarial_auc, shared_row_share)}
