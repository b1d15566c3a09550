"""Rows grouped by their numbers, and how far they are from the groups."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from autods.tools._checks import Columns, check_number, chosen
from autods.tools._frames import Frames, add_columns, frame_tool
from autods.tools.features.decomposition import Filled

__all__ = ["cluster_features"]


@frame_tool()
def cluster_features(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    columns: Columns = None,
    n_clusters: int = 8,
    distances: bool = True,
    prefix: str = "cluster",
    random_state: int = 0,
) -> Frames:
    """Add the k-means cluster of each row, and its distance to every centre.

    Parameters
    ----------
    columns
        Columns of numbers; None means all. Missing values count as train's median, and all are brought to one scale.
    n_clusters
        How many clusters; fewer where train has fewer distinct rows.
    distances
        Whether to add `<prefix>_distance_1`, ….
    prefix
        The name of the column of clusters, and the start of the distances' names.
    random_state
        The seed of k-means.

    Returns
    -------
    The frames with an int64 column and float64 columns.

    Notes
    -----
    Use it where closeness has a meaning over several columns together (coordinates, measurements). Few columns of the
    same kind work better than all.

    Examples
    --------
    >>> train = pd.DataFrame({"x": [0.0, 0.1, 9.0, 9.1]})
    >>> train, _ = cluster_features(train, n_clusters=2, distances=False)
    >>> train["cluster"].nunique(), train["cluster"][0] == train["cluster"][1]
    (2, np.True_)
    """
    check_number("n_clusters", n_clusters, 2, integer=True)
    names = chosen(train, test, columns, holds="numbers")
    if not names or not len(train):
        return train, test
    filled = Filled(train, names, scale=True)
    centres = _centres(filled.of(train), n_clusters, random_state)

    def make(frame: pd.DataFrame) -> dict[str, Any]:
        away = _distances(filled.of(frame), centres)
        made: dict[str, Any] = {prefix: away.argmin(axis=1).astype("int64")}
        if distances:
            made |= {f"{prefix}_distance_{number + 1}": away[:, number] for number in range(len(centres))}
        return made

    return add_columns(train, test, make)


def _centres(numbers: np.ndarray, n_clusters: int, random_state: int) -> np.ndarray:
    """Return the centres in a fixed order, so that the numbers of the clusters do not hang on the seed alone."""
    from sklearn.cluster import KMeans

    distinct = len(np.unique(numbers, axis=0))
    means = KMeans(n_clusters=min(n_clusters, distinct), n_init=4, random_state=random_state).fit(numbers)
    centres = np.asarray(means.cluster_centers_, dtype="float64")
    return centres[np.lexsort(centres.T[::-1])]


def _distances(numbers: np.ndarray, centres: np.ndarray) -> np.ndarray:
    return np.stack([np.sqrt(((numbers - centre) ** 2).sum(axis=1)) for centre in centres], axis=1)
