"""The overview: one row a column."""

from __future__ import annotations

import numpy as np
import pandas as pd

from autods.tools.explore._reports import report_tool
from autods.tools.explore.columns import finite, holds_numbers, numbers_of

__all__ = ["overview_table"]


@report_tool
def overview_table(
    train: pd.DataFrame, test: pd.DataFrame | None = None, *, max_rows: int | None = None
) -> pd.DataFrame:
    """Describe every column of train (and of test) in one row.

    Parameters
    ----------
    train, test
        The frames; test may be None.
    max_rows
        Show at most this many columns, and in a last row how many more there are; None shows all.

    Returns
    -------
    A table with `column`, `type`, `missing_train`, `missing_test` (shares), `n_unique`, `minimum`, `mean`, `maximum`
    (of numbers) and `examples` (the most frequent values), in the order of train; columns of test alone come last.

    Examples
    --------
    >>> table = overview_table(pd.DataFrame({"port": ["S", "S", None], "age": [1.0, 2.0, 4.5]}))
    >>> table[["column", "type", "missing_train", "n_unique", "examples"]]
      column     type  missing_train  n_unique       examples
    0   port      str         0.3333         1              S
    1    age  float64         0.0000         3  1.0, 2.0, 4.5
    """
    only_test = [] if test is None else [name for name in test.columns if name not in train.columns]
    names = [*train.columns, *only_test]
    shown = names if max_rows is None else names[:max_rows]
    rows = [_row(name, train, test) for name in shown]
    if len(shown) < len(names):
        rows.append({"column": f"… and {len(names) - len(shown)} more columns"})
    header = ["column", "type", "missing_train", "missing_test", "n_unique", "minimum", "mean", "maximum", "examples"]
    return pd.DataFrame(rows, columns=header)


def _row(name: str, train: pd.DataFrame, test: pd.DataFrame | None) -> dict[str, object]:
    there = test is not None and name in test.columns
    column = train[name] if name in train.columns else test[name]  # type: ignore[index]
    row: dict[str, object] = {
        "column": name,
        "type": str(column.dtype),
        "missing_train": round(float(column.isna().mean()), 4) if name in train.columns and len(column) else np.nan,
        "missing_test": round(float(test[name].isna().mean()), 4) if there and len(test) else np.nan,  # type: ignore[index, arg-type]
        "n_unique": int(column.nunique()),
        "examples": _examples(column),
    }
    if holds_numbers(column) and not pd.api.types.is_datetime64_any_dtype(column.dtype):
        values = finite(numbers_of(column))
        if values.size:
            row |= {
                word: float(f"{f(values):.6g}")
                for word, f in (("minimum", np.min), ("mean", np.mean), ("maximum", np.max))
            }
    return row


def _examples(column: pd.Series, n: int = 3, length: int = 40) -> str:
    sample = column.dropna()
    sample = sample.iloc[:: max(1, len(sample) // 5000)]
    counts = sample.astype("str").value_counts(sort=True)
    texts = [" ".join(str(text).split()) for text in counts.index[:n]]
    return ", ".join(text if len(text) <= length else text[: length - 1] + "…" for text in texts)
