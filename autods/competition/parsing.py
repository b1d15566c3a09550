"""A text table cut into cells by pyarrow, and the lines that cannot be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from autods.competition.dialect import Dialect

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["BadLine", "parse_text"]

BLOCK_BYTES = 1 << 24


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that does not have as many fields as the header: its number in the file, the fields seen and expected."""

    number: int
    fields: int
    expected: int


def parse_text(data: bytes, dialect: Dialect) -> tuple[pa.Table, tuple[BadLine, ...]]:
    r"""Parse the lines after the header, all cells text.

    It parses fast; where a line does not fit, it parses again and collects such lines, without quotes if those are stray.

    Examples
    --------
    >>> table, bad_lines = parse_text(b"a,b\n1,2\n3,4,5\n", Dialect(",", ("a", "b")))
    >>> table.num_rows, bad_lines
    (1, (BadLine(number=3, fields=3, expected=2),))
    """
    import pyarrow as pa

    parts = data.split(b"\n", dialect.header_lines)
    body = parts[-1] if len(parts) > dialect.header_lines else b""
    if not body.strip():
        return _empty(dialect), ()
    body = body if body.endswith(b"\n") else body + b"\n"
    stray_quote = body.count(b'"') % 2 == 1
    if not stray_quote:
        try:
            return _parse_csv(body, dialect), ()
        except pa.ArrowInvalid:
            pass
    quoted = _parse_leniently(body, dialect)
    unquoted = _parse_leniently(body, replace(dialect, quoting=False)) if b'"' in body else quoted
    if len(unquoted[1]) < len(quoted[1]) or (stray_quote and not unquoted[1]):
        return _strip_quotes(unquoted[0]), unquoted[1]
    return quoted


def _parse_leniently(body: bytes, dialect: Dialect) -> tuple[pa.Table, tuple[BadLine, ...]]:
    import pyarrow as pa

    invalid: list[Any] = []

    def keep(row: Any) -> str:
        invalid.append(row)
        return "skip"

    try:
        table = _parse_csv(body, dialect, keep)
    except pa.ArrowInvalid:
        # An unclosed quote swallows the rest of the file: no line can be told from another.
        count = body.count(b"\n")
        return _empty(dialect), tuple(BadLine(dialect.header_lines + 1 + i, 0, dialect.width) for i in range(count))
    lines = []
    position, number = 0, dialect.header_lines + 1
    blank = f'{dialect.separator} \t\r\n"'
    for row in (row for row in invalid if row.text.strip(blank)):
        found = body.find(row.text.encode("utf-8"), position)
        if found >= 0:
            number += body.count(b"\n", position, found)
            position = found
        lines.append(BadLine(number, row.actual_columns, row.expected_columns))
    return table, tuple(lines)


def _parse_csv(body: bytes, dialect: Dialect, on_invalid: Any = None) -> pa.Table:
    import pyarrow as pa
    from pyarrow import csv

    names = _positions(dialect)
    quoted = dialect.quoting and b'"' in body
    parse_options = csv.ParseOptions(
        delimiter=dialect.separator,
        quote_char='"' if quoted else False,
        newlines_in_values=quoted,
        ignore_empty_lines=len(names) > 1,
        invalid_row_handler=on_invalid,
    )
    convert_options = csv.ConvertOptions(
        column_types={name: pa.large_string() for name in names}, strings_can_be_null=False, check_utf8=False
    )

    def read(block_bytes: int) -> pa.Table:
        read_options = csv.ReadOptions(column_names=names, block_size=block_bytes)
        return csv.read_csv(pa.BufferReader(body), read_options, parse_options, convert_options)

    try:
        return read(min(BLOCK_BYTES, len(body) + 1))
    except pa.ArrowInvalid as error:
        if "straddling" not in str(error):
            raise
        return read(len(body) + 1)


def _positions(dialect: Dialect) -> list[str]:
    return [str(position) for position in range(dialect.width)]


def _empty(dialect: Dialect) -> pa.Table:
    import pyarrow as pa

    return pa.table({name: pa.array([], pa.large_string()) for name in _positions(dialect)})


def _strip_quotes(table: pa.Table) -> pa.Table:
    import pyarrow.compute as pc

    columns = [
        pc.replace_substring(pc.replace_substring_regex(column, r'(?s)^"(.*)"$', r"\1"), '""', '"')
        for column in table.columns
    ]
    return type(table).from_arrays(columns, names=table.column_names)
