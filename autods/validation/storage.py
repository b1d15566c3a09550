"""Frames between phases: Parquet files that come back with the same columns, types, levels and rows."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import IO, Any

import pandas as pd

__all__ = ["read_frame", "write_frame"]

_NOTES = b"autods"


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
    import pyarrow as pa

    problems = (pa.ArrowException, TypeError, ValueError)
    try:
        _write(frame, path)
    except problems as error:
        for name in frame.columns:
            try:
                _write(frame[[name]], io.BytesIO())
            except problems as reason:
                raise ValueError(
                    f"The column {name!r} of type {frame[name].dtype} cannot be stored ({reason.args[0]}); "
                    "make it numbers, booleans, text, a category of text or a datetime."
                ) from error
        raise


def _write(frame: pd.DataFrame, path: Path | IO[bytes]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_pandas(frame, preserve_index=False)
    notes = {"rows": len(frame), "levels": {name: _levels(frame[name]) for name in frame if _is_noted(frame[name])}}
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


def _is_noted(column: pd.Series[Any]) -> bool:
    """Whether Parquet would lose its levels: those of text it keeps, when there is a row."""
    if not isinstance(column.dtype, pd.CategoricalDtype):
        return False
    return len(column) == 0 or column.cat.categories.dtype.kind in "iufb"


def _levels(column: pd.Series[Any]) -> dict[str, Any]:
    categories = column.cat.categories
    return {"values": categories.tolist(), "type": str(categories.dtype), "ordered": bool(column.cat.ordered)}
