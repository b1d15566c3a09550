"""Frames between phases: Parquet files that come back with the same columns, types, levels and rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import pandas as pd

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["read_frame", "write_frame"]

_NOTES = b"autods"
# Parquet keeps the levels of text categories only; those of other types are noted beside the table.
_NOTED_LEVELS = "iufb"


def write_frame(frame: pd.DataFrame, path: Path | IO[bytes]) -> None:
    """Write a frame as Parquet; its index is not kept.

    Raises
    ------
    ValueError
        When a column holds what Parquet cannot; the message names the column and the remedy.

    Examples
    --------
    >>> import io
    >>> buffer = io.BytesIO()
    >>> write_frame(pd.DataFrame({"floor": pd.Categorical([2, None], categories=[1, 2])}), buffer)
    >>> read_frame(buffer)["floor"].dtype.categories.tolist()
    [1, 2]
    """
    import pyarrow.parquet as pq

    table = _table(frame)
    notes = {
        "rows": len(frame),
        "levels": {str(name): _levels(frame[name]) for name in frame if _is_noted(frame[name])},
    }
    pq.write_table(table.replace_schema_metadata({**(table.schema.metadata or {}), _NOTES: json.dumps(notes)}), path)


def read_frame(path: Path | IO[bytes]) -> pd.DataFrame:
    """Read a Parquet file that `write_frame`, or anything else, wrote; the index is 0, 1, 2 …"""
    import pyarrow.parquet as pq

    # As one file: a folder with = in its name must not become a column.
    with pq.ParquetFile(path) as file:
        table = file.read()
    notes = json.loads((table.schema.metadata or {}).get(_NOTES, b"{}"))
    if not table.column_names:
        return pd.DataFrame(index=pd.RangeIndex(notes.get("rows", 0)), columns=pd.Index([], dtype="str"))
    frame: pd.DataFrame = table.to_pandas()
    for name, levels in notes.get("levels", {}).items():
        categories = pd.Index(levels["values"], dtype=levels["type"])
        frame[name] = pd.Categorical(table.column(name).to_pylist(), categories=categories, ordered=levels["ordered"])
    return frame.reset_index(drop=True)


def _table(frame: pd.DataFrame) -> pa.Table:
    import pyarrow as pa

    problems = (pa.ArrowException, TypeError, ValueError)
    for name in frame.columns:
        if (
            isinstance(frame[name].dtype, pd.CategoricalDtype)
            and frame[name].cat.categories.dtype.kind not in "OUTiufbM"
        ):
            raise ValueError(_refusal(frame, name, "levels that are no text or numbers"))
    try:
        return pa.Table.from_pandas(frame, preserve_index=False)
    except problems as error:
        for name in frame.columns:
            try:
                pa.Table.from_pandas(frame[[name]], preserve_index=False)
            except problems as reason:
                raise ValueError(_refusal(frame, name, str(reason.args[0]))) from error
        raise


def _refusal(frame: pd.DataFrame, name: str, reason: str) -> str:
    return (
        f"The column {name!r} of type {frame[name].dtype} cannot be stored ({reason}); "
        "make it numbers, booleans, text, a category of text or a datetime."
    )


def _is_noted(column: pd.Series[Any]) -> bool:
    return isinstance(column.dtype, pd.CategoricalDtype) and column.cat.categories.dtype.kind in _NOTED_LEVELS


def _levels(column: pd.Series[Any]) -> dict[str, Any]:
    categories = column.cat.categories
    return {"values": categories.tolist(), "type": str(categories.dtype), "ordered": bool(column.cat.ordered)}
