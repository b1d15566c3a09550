"""Numbers on another scale: standardised, or made less skewed."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from autods.tools._checks import Columns, check_choice, check_number, chosen
from autods.tools._frames import Frames, as_number, frame_tool, map_both

__all__ = ["scale_features", "transform_skewed"]

Transform = Callable[[np.ndarray], np.ndarray]
SCALES = ("standard", "minmax", "robust")
METHODS = ("auto", "log1p", "box-cox", "yeo-johnson", "quantile")
HUGE = 1e100


def _finite(column: pd.Series) -> np.ndarray:
    values = as_number(column).to_numpy()
    return np.asarray(values[np.isfinite(values)])


def _apply(train: pd.DataFrame, test: pd.DataFrame | None, transforms: dict[str, Transform]) -> Frames:
    def change(frame: pd.DataFrame) -> pd.DataFrame:
        new = {n: pd.Series(f(as_number(frame[n]).to_numpy()), index=frame.index) for n, f in transforms.items()}
        return frame.assign(**new)

    return map_both(train, test, change)


@frame_tool()
def scale_features(
    train: pd.DataFrame, test: pd.DataFrame | None = None, *, columns: Columns = None, method: str = "standard"
) -> Frames:
    """Bring columns to one scale, that of train.

    Parameters
    ----------
    columns
        Columns of numbers; None means all.
    method
        "standard" (mean 0, standard deviation 1), "minmax" (0 to 1; test may lie outside) or "robust" (median 0,
        interquartile range 1).

    Returns
    -------
    The frames; the columns are float64, missing stays missing, constant columns become 0.

    Notes
    -----
    Use it before distances and decompositions on frames. Linear estimators and networks of `autods.tools` scale by
    themselves, and trees do not need it.

    Examples
    --------
    >>> train, test = scale_features(pd.DataFrame({"x": [0.0, 10.0]}), pd.DataFrame({"x": [5.0]}), method="minmax")
    >>> train["x"].tolist(), test["x"].tolist()
    ([0.0, 1.0], [0.5])
    """
    check_choice("method", method, SCALES)
    names = chosen(train, test, columns, holds="numbers")
    return _apply(train, test, {name: _scale(_finite(train[name]), method) for name in names})


def _scale(values: np.ndarray, method: str) -> Transform:
    from sklearn.preprocessing import MinMaxScaler, RobustScaler, StandardScaler

    if not len(values):
        return lambda column: column
    scaler: Any = {"standard": StandardScaler, "minmax": MinMaxScaler, "robust": RobustScaler}[method]()
    scaler.fit(np.clip(values, -HUGE, HUGE).reshape(-1, 1))
    centre = {"standard": "mean_", "minmax": "data_min_", "robust": "center_"}[method]
    spread = {"standard": "scale_", "minmax": "data_range_", "robust": "scale_"}[method]
    middle, width = float(getattr(scaler, centre)[0]), float(getattr(scaler, spread)[0])
    return lambda column: (column - middle) / (width or 1.0)


@frame_tool()
def transform_skewed(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    columns: Columns = None,
    method: str = "auto",
    threshold: float = 1.0,
) -> Frames:
    """Make skewed columns less so.

    Parameters
    ----------
    columns
        Columns of numbers; None means those with more than 10 distinct values whose absolute skew in train exceeds the
        threshold.
    method
        "auto" (log1p for columns without negative values, else yeo-johnson), "log1p", "box-cox" (positive values),
        "yeo-johnson" or "quantile" (ranks made normal).
    threshold
        The skew for columns=None.

    Returns
    -------
    The frames; the columns are float64, missing stays missing. Values of test below what the method takes are set to
    the smallest value of train first.

    Raises
    ------
    ValueError
        When a named column has values in train that the method does not take.

    Notes
    -----
    Use it for amounts (fares, areas, incomes) before linear estimators, neighbours or networks. Trees do not see it.

    Examples
    --------
    >>> import numpy as np
    >>> train, _ = transform_skewed(pd.DataFrame({"Fare": [0.0, np.expm1(1), np.expm1(2)]}), columns=["Fare"])
    >>> train["Fare"].round(6).tolist()
    [0.0, 1.0, 2.0]
    """
    check_choice("method", method, METHODS)
    check_number("threshold", threshold, 0)

    from scipy.stats import skew

    def skewed(column: pd.Series) -> bool:
        values = _finite(column)
        if len(np.unique(values)) <= 10 or not _takes(values, method):
            return False
        return bool(abs(float(skew(values, bias=False))) > threshold)

    names = chosen(train, test, columns, holds="numbers", default=skewed)
    for name in names:
        values = _finite(train[name])
        if not _takes(values, method):
            limit = "-1" if method == "log1p" else "0"
            raise ValueError(
                f"columns: {name!r} has the value {values.min():g}, but method={method!r} takes values above {limit}; "
                "use method='yeo-johnson'."
            )
    return _apply(train, test, {name: _unskew(_finite(train[name]), method) for name in names})


def _takes(values: np.ndarray, method: str) -> bool:
    lowest = values.min(initial=np.inf)
    return bool(lowest > {"log1p": -1.0, "box-cox": 0.0}.get(method, -np.inf))


def _unskew(values: np.ndarray, method: str) -> Transform:
    if len(np.unique(values)) < 2:
        return lambda column: column
    lowest = values.min()
    if method == "log1p" or (method == "auto" and lowest >= 0):
        return lambda column: np.log1p(np.maximum(column, lowest))
    if method == "quantile":
        return _quantile(values)
    return _power(values, "box-cox" if method == "box-cox" else "yeo-johnson", lowest)


def _quantile(values: np.ndarray) -> Transform:
    from sklearn.preprocessing import QuantileTransformer

    quantiles = min(1000, len(values))
    transformer = QuantileTransformer(n_quantiles=quantiles, output_distribution="normal", subsample=None)
    transformer.fit(values.reshape(-1, 1))
    return _by_rows(transformer, -np.inf)


def _power(values: np.ndarray, method: str, lowest: float) -> Transform:
    from sklearn.preprocessing import PowerTransformer

    transformer = PowerTransformer(method=method, standardize=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        transformer.fit(values.reshape(-1, 1))
    return _by_rows(transformer, lowest if method == "box-cox" else -np.inf)


def _by_rows(transformer: Any, lowest: float) -> Transform:
    """Apply a fitted transformer to the finite values of a column; the others become missing."""

    def transform(column: np.ndarray) -> np.ndarray:
        result = np.full(len(column), np.nan)
        finite = np.isfinite(column)
        if finite.any():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)
                result[finite] = transformer.transform(np.maximum(column[finite], lowest).reshape(-1, 1))[:, 0]
        return np.where(np.isfinite(result), result, np.nan)

    return transform
