"""How a text file is written: its encoding, and how its lines are cut into fields."""

from __future__ import annotations

import codecs
import contextlib
import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Dialect", "decode", "find_dialect"]

SEPARATORS = (",", "\t", ";", "|")
NO_SEPARATOR = "\x1f"
SAMPLE_CHARACTERS = 1 << 18
SAMPLE_ROWS = 200
MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """The separator, the header's fields, the number of lines up to and with it, and what rows have beyond it.

    `extra` is `row_names` when rows have one field more, an unnamed first column, `trailing` when every row ends in a
    separator, else None. `quoting` is false where quotes are letters like any other.
    """

    separator: str
    header: tuple[str, ...]
    header_lines: int = 1
    extra: str | None = None
    quoting: bool = True

    @property
    def width(self) -> int:
        """The number of fields in a row."""
        return len(self.header) + (self.extra is not None)


def decode(data: bytes) -> tuple[str, str]:
    """Decode a file's bytes by their mark, else as UTF-8, else as cp1252; return the text and the encoding's name.

    A file that is UTF-8 but for a few bytes keeps its UTF-8 letters, and only those bytes are read as cp1252.

    Examples
    --------
    >>> decode("café".encode("cp1252"))
    ('café', 'cp1252')
    >>> decode("café".encode("utf-16"))
    ('café', 'utf-16')
    """
    for mark, encoding in MARKS:
        if data.startswith(mark):
            return data.decode(encoding, errors="replace"), encoding
    head = data[:4096]
    if head.count(0) > len(head) // 4:
        encoding = "utf-16-le" if head[1::2].count(0) >= head[::2].count(0) else "utf-16-be"
        return data.decode(encoding, errors="replace"), encoding
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return _decode_single_bytes(data)


def _decode_single_bytes(data: bytes) -> tuple[str, str]:
    mixed = data.decode("utf-8", errors="surrogateescape")
    stray = len(re.findall("[\udc80-\udcff]", mixed))
    letters = len(re.findall("[^\x00-\x7f\udc80-\udcff]", mixed))
    if letters > stray:
        table = {0xDC00 + byte: _cp1252(byte) for byte in range(0x80, 0x100)}
        return mixed.translate(table), "utf-8 with cp1252 bytes"
    return "".join(map(_cp1252, data)) if _has_gaps(data) else data.decode("cp1252"), "cp1252"


def _cp1252(byte: int) -> str:
    try:
        return bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)


def _has_gaps(data: bytes) -> bool:
    return any(bytes([byte]) in data for byte in (0x81, 0x8D, 0x8F, 0x90, 0x9D))


def find_dialect(text: str, *, prefer: str = ",") -> Dialect:
    r"""Find the separator and the header of a text file from its first rows.

    Parameters
    ----------
    text
        The file's text.
    prefer
        The separator to take when several fit equally well.

    Examples
    --------
    >>> find_dialect("id;size;y\n1;3,5;0\n").separator
    ';'
    """
    skipped, sample = _skip_blank_lines(text[:SAMPLE_CHARACTERS])
    if declared := re.fullmatch(r'"?sep=(.)"?\s*', sample.partition("\n")[0]):
        skipped, sample = skipped + 1, sample.partition("\n")[2]
        return _dialect(sample, declared[1], skipped)
    order = sorted(SEPARATORS, key=lambda separator: separator != prefer)
    best = max(order, key=lambda separator: _fit(_rows(sample, separator)[0]))
    rows, _ = _rows(sample, best)
    one_column = bool(rows) and len(rows[0]) == 1 and any(len(row) != 1 for row in rows)
    return _dialect(sample, NO_SEPARATOR if one_column else best, skipped)


def _skip_blank_lines(sample: str) -> tuple[int, str]:
    skipped = 0
    while sample and not sample.partition("\n")[0].strip():
        _, found, sample = sample.partition("\n")
        skipped += bool(found)
    return skipped, sample


def _rows(sample: str, separator: str) -> tuple[list[list[str]], int]:
    """Parse the first rows; return them and the number of lines the first one takes."""
    rows: list[list[str]] = []
    header_lines = 1
    reader = csv.reader(io.StringIO(sample, newline=""), delimiter=separator)
    with contextlib.suppress(csv.Error):
        for row in reader:
            if row:
                rows.append(row)
            if len(rows) == 1:
                header_lines = reader.line_num
            if len(rows) > SAMPLE_ROWS:
                break
    last_may_be_cut = len(sample) >= SAMPLE_CHARACTERS - 1 and 1 < len(rows) <= SAMPLE_ROWS
    return (rows[:-1] if last_may_be_cut else rows), header_lines


def _fit(rows: Sequence[Sequence[str]]) -> tuple[float, int]:
    width = len(rows[0]) if rows else 0
    if width < 2:
        return 0.0, 0
    body = rows[1:]
    share = sum(len(row) in (width, width + 1) for row in body) / len(body) if body else 1.0
    return round(share, 1), width


def _dialect(sample: str, separator: str, skipped: int) -> Dialect:
    rows, header_lines = _rows(sample, separator)
    header = tuple(rows[0]) if rows else ()
    body = rows[1:]
    longer = [row for row in body if len(row) == len(header) + 1]
    extra = None
    if len(header) > 1 and longer and len(longer) > 0.9 * len(body):
        extra = "row_names" if any(row[-1] for row in longer) else "trailing"
    return Dialect(separator, header, skipped + header_lines, extra)
