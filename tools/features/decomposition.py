"""Columns of numbers condensed into fewer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from autods.tools._checks import Columns, check_number, chosen
from autods.tools._frames import Frames, add_columns, frame_tool, number_table

__all__ = ["Filled", "perform_pca"]


# Squares of anything larger would overflow.
HUGE = 1e100


class Filled:
    """Numbers without missing values: the median of train for what is missing, and train's scale if wanted."""

    def __init__(self, train: pd.DataFrame, names: list[str], scale: bool) -> None:
        self.names = names
        numbers = self._numbers(train)
        self.median = numbers.median().fillna(0.0)
        filled = numbers.fillna(self.median)
        self.mean = filled.mean() if scale else filled.mean() * 0.0
        spread = filled.std(ddof=0) if scale else filled.mean() * 0.0 + 1.0
        self.spread = spread.mask(~(spread > 0), 1.0)

    def _numbers(self, frame: pd.DataFrame) -> pd.DataFrame:
        return number_table(frame, self.names).clip(-HUGE, HUGE)

    def of(self, frame: pd.DataFrame) -> np.ndarray:
        """Return the numbers of a frame, filled and scaled by train."""
        return ((self._numbers(frame).fillna(self.median) - self.mean) / self.spread).to_numpy(dtype="float64")


@frame_tool()
def perform_pca(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    columns: Columns = None,
    n_components: int | float = 0.95,
    scale: bool = True,
    drop_original: bool = False,
) -> Frames:
    """Add the principal components of columns, found in train.

    Parameters
    ----------
    columns
        Columns of numbers; None means all. Missing values count as train's median.
    n_components
        How many, or the share of variance they must explain (below 1).
    scale
        Whether to bring the columns to one scale first.
    drop_original
        Whether the columns themselves go.

    Returns
    -------
    The frames with float64 columns `pca_1`, `pca_2`, ….

    Notes
    -----
    Use it where many columns measure nearly the same (sensors, spectra, survey items). Trees rarely gain from it.

    Examples
    --------
    >>> train = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": [2.0, 4.0, 6.0, 8.1], "c": [1.0, -1.0, 1.0, -1.0]})
    >>> train, _ = perform_pca(train, n_components=2, drop_original=True)
    >>> list(train)
    ['pca_1', 'pca_2']
    """
    check_number("n_components", n_components, above=0)
    if n_components >= 1 and n_components != int(n_components):
        raise ValueError(f"n_components={n_components!r} must be a whole number, or a share below 1.")
    names = chosen(train, test, columns, holds="numbers")
    if not names or len(train) < 2:
        return train, test
    filled = Filled(train, names, scale)
    components = _fit_pca(filled.of(train), n_components)

    def make(frame: pd.DataFrame) -> dict[str, Any]:
        scores = (filled.of(frame) - components[0]) @ components[1].T
        return {f"pca_{number + 1}": scores[:, number] for number in range(scores.shape[1])}

    return add_columns(train, test, make, drop=names if drop_original else ())


def _fit_pca(numbers: np.ndarray, n_components: int | float) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean and the components, of which there is at least one."""
    from sklearn.decomposition import PCA

    most = min(numbers.shape)
    pca = PCA(n_components=min(int(n_components), most) if n_components >= 1 else None, svd_solver="full")
    with np.errstate(all="ignore"):
        pca.fit(numbers)
        explained = np.cumsum(np.nan_to_num(pca.explained_variance_ratio_))
    enough = len(explained) if n_components >= 1 else int(np.searchsorted(explained, n_components) + 1)
    return pca.mean_, pca.components_[: min(max(enough, 1), len(explained))]
