"""Whole rows: repeats, and rows that train and test share, told by a hash built column by column."""

from __future__ import annotations

import numpy as np

__all__ = ["RowHashes"]

_ODD = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


class RowHashes:
    """A 64-bit hash of every row of train and test, built one column at a time.

    Examples
    --------
    >>> hashes = RowHashes(3, 1)
    >>> hashes.add_numbers(np.array([1.0, 1.0, 2.0]), np.array([2.0]))
    >>> hashes.duplicate_rows(), hashes.shared_rows()
    (1, 1)
    """

    def __init__(self, n_train: int, n_test: int) -> None:
        self.train = np.zeros(n_train, dtype=np.uint64)
        self.test = np.zeros(n_test, dtype=np.uint64)
        self.n_columns = 0

    def add_numbers(self, train: np.ndarray, test: np.ndarray | None) -> None:
        """Mix a numeric column in; every NaN is alike, as are 0 and -0."""
        self._add(_bits(train), None if test is None else _bits(test))

    def add_levels(self, hashes: np.ndarray, train: np.ndarray, test: np.ndarray | None) -> None:
        """Mix a column of levels in: the levels' hashes, and codes into them (-1 is missing)."""
        table = np.append(hashes, np.uint64(1))
        self._add(table[train], None if test is None else table[test])

    def _add(self, train: np.ndarray, test: np.ndarray | None) -> None:
        self.n_columns += 1
        for state, words in ((self.train, train), (self.test, test)):
            if words is not None and state.size:
                state ^= words
                state *= _ODD
                state ^= state >> _SHIFT

    def duplicate_rows(self) -> int:
        """Count the rows of train that repeat an earlier one."""
        return int(self.train.size - np.unique(self.train).size) if self.n_columns else 0

    def shared_rows(self) -> int:
        """Count the rows of test that occur in train."""
        return int(np.isin(self.test, self.train).sum()) if self.n_columns else 0

    def conflicting_rows(self, y: np.ndarray | None) -> int:
        """Count the rows of train whose features recur with another target."""
        if y is None or not self.n_columns or not self.duplicate_rows():
            return 0
        _, groups = np.unique(self.train, return_inverse=True)
        columns = np.asarray(y, dtype=np.float64).reshape(len(y), -1)
        differs = np.zeros(groups.max() + 1, dtype=bool)
        for column in columns.T:
            low = np.full(differs.size, np.inf)
            high = np.full(differs.size, -np.inf)
            np.minimum.at(low, groups, column)
            np.maximum.at(high, groups, column)
            differs |= low != high
        return int(differs[groups].sum())


def _bits(values: np.ndarray) -> np.ndarray:
    return np.where(np.isnan(values), np.nan, values + 0.0).view(np.uint64)
