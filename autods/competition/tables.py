"""One table file as text: every cell exactly as it is spelled, and what had to be repaired to read it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from autods.competition.dialect import Dialect, decode, find_dialect
from autods.competition.parsing import BadLine, parse_text
from autods.competition.sources import Source, sources_of
from autods.errors import CompetitionError
from autods.records import Note

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = ["Reading", "read_source", "read_table", "unique_names"]


@dataclass(frozen=True)
class Reading:
    """A table as read: all cells text (an empty cell is ""), columns named uniquely.

    `header` holds the names as spelled, blanks and repetitions included; `bad_lines` are the lines left out.
    """

    name: str
    frame: pd.DataFrame
    header: tuple[str, ...]
    encoding: str
    separator: str | None
    bad_lines: tuple[BadLine, ...] = ()
    notes: tuple[Note, ...] = ()

    def renamed(self, names: Sequence[str]) -> Reading:
        """Return this table with other column names, in order."""
        frame = self.frame.copy(deep=False)
        frame.columns = list(names)
        return replace(self, frame=frame)


def read_table(path: str | Path) -> Reading:
    """Read one table file (csv, tsv, txt, parquet; plain, gzipped or zipped) as text.

    Parameters
    ----------
    path
        The file. Encoding, separator and packing are found out.

    Returns
    -------
    Reading
        The frame of text, and what was found out and repaired.

    Raises
    ------
    CompetitionError
        When there is no such file, it cannot be opened, or it holds no table.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "parts.csv"
    ...     _ = path.write_bytes("code;size\\n007;1,5\\n".encode("utf-16"))
    ...     reading = read_table(path)
    >>> reading.frame.to_dict("list"), reading.separator, reading.encoding
    ({'code': ['007'], 'size': ['1,5']}, ';', 'utf-16')
    """
    path = Path(path)
    if not path.is_file():
        raise CompetitionError(f"There is no file {path}; check the name.")
    sources, notes = sources_of(path)
    if len(sources) != 1:
        held = ", ".join(source.name for source in sources) or "no table"
        why = "".join(f" ({note.text.rstrip('.')})" for note in notes)
        raise CompetitionError(
            f"{path.name} holds {held}{why}; give one csv, tsv, txt or parquet file, plain or packed."
        )
    reading = read_source(sources[0])
    return replace(reading, notes=(*notes, *reading.notes))


def read_source(source: Source) -> Reading:
    """Read one source as text; see `read_table`."""
    data = source.read_bytes()
    if source.suffix in (".parquet", ".pq") or data[:4] == b"PAR1":
        return _read_parquet(source, data)
    text, encoding = decode(data)
    if "\x00" in text or ("\r" in text and "\n" not in text):
        text = text.replace("\x00", "").replace("\r", "\n")
        encoding = encoding if encoding != "utf-8" else "utf-8 with odd line ends"
    dialect = find_dialect(text, prefer="\t" if source.suffix in (".tsv", ".tab") else ",")
    if not dialect.header:
        raise CompetitionError(f"{source.label} is empty; it needs a header line and rows.")
    encoded = data if encoding == "utf-8" else text.encode("utf-8", errors="replace")
    table, bad_lines = parse_text(encoded, dialect)
    header, table, notes = _header(source, dialect, table)
    notes += _encoding_notes(source, encoding)
    frame = _frame(table, unique_names(header))
    separator = None if len(header) == 1 else dialect.separator
    return Reading(source.label, frame, header, encoding, separator, bad_lines, notes)


def unique_names(header: Sequence[str], reserved: Iterable[str] = ()) -> tuple[str, ...]:
    """Give every column a name of its own: blanks trimmed, repetitions numbered past every name that is taken.

    Examples
    --------
    >>> unique_names(["id", "score", "score", "score.1"])
    ('id', 'score', 'score.2', 'score.1')
    """
    trimmed = [name.strip() or f"Unnamed: {position}" for position, name in enumerate(header)]
    taken = {*trimmed, *reserved}
    seen: set[str] = set()
    names = []
    for name in trimmed:
        unique, copy = name, 0
        while unique in seen or (copy and unique in taken):
            copy += 1
            unique = f"{name}.{copy}"
        seen.add(unique)
        taken.add(unique)
        names.append(unique)
    return tuple(names)


def _header(source: Source, dialect: Dialect, table: pa.Table) -> tuple[tuple[str, ...], pa.Table, tuple[Note, ...]]:
    import pyarrow.compute as pc

    header = dialect.header
    notes: tuple[Note, ...] = ()
    if dialect.extra == "row_names":
        header = ("", *header)
    elif dialect.extra == "trailing":
        header = (*header, "")
    table = _without_blank_end(table)
    if len(header) > 1 and not header[-1].strip() and pc.all(pc.equal(table.column(len(header) - 1), "")).as_py():
        header, table = header[:-1], table.remove_column(len(header) - 1)
        notes += (
            Note(source.label, f"Every line of {source.label} ends in a separator; the empty column was dropped."),
        )
    return header, table, notes


def _without_blank_end(table: pa.Table) -> pa.Table:
    """Drop the rows without a single value that spreadsheets leave below the table."""
    last = table.num_rows
    while last and not any(column[last - 1].as_py().strip() for column in table.columns):
        last -= 1
    return table.slice(0, last)


def _encoding_notes(source: Source, encoding: str) -> tuple[Note, ...]:
    if encoding in ("utf-8", "utf-8-sig"):
        return ()
    return (Note(source.label, f"{source.label} is not UTF-8; it was read as {encoding}."),)


def _frame(table: pa.Table, names: Sequence[str]) -> pd.DataFrame:
    frame: pd.DataFrame = table.rename_columns(list(names)).to_pandas()
    return frame


def _read_parquet(source: Source, data: bytes) -> Reading:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        table = parquet.read_table(pa.BufferReader(data))
    except pa.ArrowException as error:
        raise CompetitionError(f"{source.label} is no readable Parquet file ({error}); write it again.") from None
    named = [(name, column) for name, column in zip(table.column_names, table.columns, strict=True)]
    kept = [(name, column) for name, column in named if not name.startswith("__index_level_")]
    header = tuple(name for name, _ in kept)
    cells = [_spelled(column) for _, column in kept]
    text = pa.table(cells, names=[str(position) for position in range(len(cells))])
    return Reading(source.label, _frame(text, unique_names(header)), header, "parquet", None)


def _spelled(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Spell the values of a typed column as Python does."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_boolean(column.type):
        spelled = pc.if_else(column, "True", "False")
    elif pa.types.is_nested(column.type) or pa.types.is_binary(column.type):
        spelled = pa.chunked_array([[None if value is None else str(value) for value in column.to_pylist()]])
    else:
        spelled = column
    return pc.fill_null(spelled.cast(pa.large_string()), "")
