"""Numbers cut into intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from autods.tools._checks import Columns, check_choice, check_names, check_number, chosen
from autods.tools._frames import Frames, add_columns, as_number, frame_tool

__all__ = ["bin_columns"]


@frame_tool()
def bin_columns(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    columns: Columns,
    n_bins: int = 5,
    method: str = "quantile",
    edges: Sequence[float] | None = None,
    drop_original: bool = False,
) -> Frames:
    """Add `<column>_bin`: the number of the interval that the value falls into.

    Parameters
    ----------
    columns
        Columns of numbers.
    n_bins
        How many intervals; fewer where train's values repeat.
    method
        "quantile" (equally many rows of train in each) or "uniform" (equally wide).
    edges
        The inner edges, ascending, instead of n_bins and method: [18, 65] makes 0 below 18, 1 from 18, 2 from 65.
    drop_original
        Whether the column itself goes.

    Returns
    -------
    The frames with float64 columns, missing where the value is; test values beyond train's fall into the outer bins.

    Notes
    -----
    Use it where the relation has steps that are known (adult at 18), or as a key for `aggregate_by_group`. Trees bin by
    themselves and lose by it.

    Examples
    --------
    >>> train, test = bin_columns(pd.DataFrame({"Age": [4.0, 30.0, None]}), columns=["Age"], edges=[18, 65])
    >>> train["Age_bin"].tolist()
    [0.0, 1.0, nan]
    """
    check_number("n_bins", n_bins, 2, integer=True)
    check_choice("method", method, ("quantile", "uniform"))
    if edges is not None and (isinstance(edges, str) or not len(edges) or not (np.diff(edges) > 0).all()):
        raise ValueError(f"edges={edges!r} must be a list of ascending numbers.")
    names = chosen(train, test, check_names("columns", columns, train, test), holds="numbers")
    inner = {
        name: np.asarray(edges, dtype="float64") if edges is not None else _edges(train[name], n_bins, method)
        for name in names
    }

    def make(frame: pd.DataFrame) -> dict[str, Any]:
        made = {}
        for name in names:
            values = as_number(frame[name]).to_numpy()
            made[f"{name}_bin"] = np.where(np.isnan(values), np.nan, np.searchsorted(inner[name], values, side="right"))
        return made

    return add_columns(train, test, make, drop=names if drop_original else ())


def _edges(column: pd.Series, n_bins: int, method: str) -> np.ndarray:
    values = as_number(column).to_numpy()
    values = values[np.isfinite(values)]
    if not len(values):
        return np.empty(0)
    if method == "uniform":
        edges = np.linspace(values.min(), values.max(), n_bins + 1)[1:-1]
    else:
        edges = np.quantile(values, np.linspace(0, 1, n_bins + 1)[1:-1])
    return np.unique(edges[edges > values.min()])
