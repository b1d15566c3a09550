"""Text to typed features: missing words, numbers, blanks around categories; the same type in train and test."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from autods.competition.conversion_log import ConversionLog
from autods.competition.missing import MISSING_WORDS, without_words, words_among_numbers
from autods.competition.numbers import (
    PROBE_VALUES,
    NumberFormat,
    cast_all,
    find_number_format,
    parse_numbers,
    writes_decimal_commas,
)
from autods.records import Note

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    Sides: TypeAlias = tuple[pa.Array, pa.Array]

__all__ = ["Features", "convert_features"]

STRAY_SHARE = 0.05
FEWEST_NUMBERS = 10


@dataclass(frozen=True)
class Features:
    """Typed features of both sides, and what was noted.

    `missing_tokens` counts, by column, the words of train that stood for missing; `units` names the unit of columns
    whose text had one.
    """

    train: pd.DataFrame
    test: pd.DataFrame
    notes: tuple[Note, ...] = ()
    missing_tokens: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)


def convert_features(train: pd.DataFrame, test: pd.DataFrame, *, decimal: str | None = None) -> Features:
    """Turn two frames of text with the same columns into numbers where train's text is numbers.

    Parameters
    ----------
    train, test
        Features as text; a missing cell is "".
    decimal
        The decimal sign; found out when None.

    Returns
    -------
    Features
        Columns are int64 (whole and complete on both sides), float64 or `str`. Cells of test that do not fit train's
        numbers become missing and are counted. Infinite numbers are missing.

    Examples
    --------
    >>> import pandas as pd
    >>> train = pd.DataFrame({"price": ["$5", "?", "$1,200"], "shop": [" a", "b", "NA"]}, dtype="str")
    >>> test = pd.DataFrame({"price": ["n/a", "soon", "$7"], "shop": ["a", "", "b"]}, dtype="str")
    >>> features = convert_features(train, test)
    >>> features.train["price"].tolist(), features.test["price"].tolist()
    ([5.0, nan, 1200.0], [nan, nan, 7.0])
    >>> print(features.notes[0].text)
    1 cell of price in the test data cannot be read as numbers ('soon'); taken as missing.
    """
    log = ConversionLog()
    probe = train.head(PROBE_VALUES)
    sign = decimal or _decimal_sign(_arrow_columns(probe))
    sides = [_arrow_columns(train), _arrow_columns(test[list(train.columns)])]
    columns = [
        _convert(name, (left, right), sign, log)
        for name, left, right in zip(map(str, train.columns), *sides, strict=True)
    ]
    typed = [_frame([pair[side] for pair in columns], frame) for side, frame in enumerate((train, test))]
    return Features(typed[0], typed[1], log.notes(), log.missing_tokens(), log.units)


def _arrow_columns(frame: pd.DataFrame) -> Iterator[pa.Array]:
    """Yield a text frame's columns as Arrow arrays, one at a time in memory."""
    import pyarrow as pa

    schema = pa.schema([(str(position), pa.large_string()) for position in range(frame.shape[1])])
    named = frame.set_axis(schema.names, axis=1)
    for column in pa.Table.from_pandas(named, schema, preserve_index=False).columns:
        yield column.combine_chunks()


def _frame(columns: Sequence[pa.Array], like: pd.DataFrame) -> pd.DataFrame:
    import pyarrow as pa

    frame: pd.DataFrame = pa.table(list(columns), names=[str(name) for name in like.columns]).to_pandas()
    frame.index = like.index
    return frame


def _decimal_sign(columns: Iterable[pa.Array]) -> str:
    verdicts = [writes_decimal_commas(column) for column in columns]
    return "," if any(verdicts) and verdicts.count(True) >= verdicts.count(False) else "."


def _convert(name: str, text: Sides, decimal: str, log: ConversionLog) -> Sides:
    """Convert one column; most are plain numbers and need no look at their words."""
    import pyarrow.compute as pc

    whole = _whole(text)
    if whole is not None:
        return whole
    clean = pc.utf8_trim_whitespace(text[0]), pc.utf8_trim_whitespace(text[1])
    known = without_words(clean[0], MISSING_WORDS), without_words(clean[1], MISSING_WORDS)
    numbers = _whole(known) or _plain(known)
    words = MISSING_WORDS
    if numbers is None:
        number_format = find_number_format(known[0].drop_null(), decimal)
        if number_format is not None:
            words = MISSING_WORDS | words_among_numbers(clean[0]) | words_among_numbers(clean[1])
            candidates = without_words(clean[0], words), without_words(clean[1], words)
            numbers = _formatted(candidates, number_format)
            known = known if numbers is None else candidates
        if number_format is None or numbers is None:
            return _keep_text(name, text, clean, known, log)
        log.take_away(name, number_format)
    log.count_words(name, clean, words)
    log.count_strays(name, known, numbers)
    return log.count_infinite(name, numbers)


def _keep_text(name: str, text: Sides, clean: Sides, known: Sides, log: ConversionLog) -> Sides:
    """Keep a column as text; beside other words for missing, `None` is a category: nothing there, as against unknown."""
    import pyarrow.compute as pc

    words = MISSING_WORDS
    if known[0].null_count:
        nones = pc.sum(pc.equal(clean[0], "None")).as_py() or 0
        if 0 < nones < known[0].null_count:
            words = MISSING_WORDS - {"None"}
            known = without_words(clean[0], words), without_words(clean[1], words)
    log.count_words(name, clean, words)
    log.count_trimmed(name, text, clean)
    return known


def _whole(text: Sides) -> Sides | None:
    """Read both sides as int64; None unless all cells are whole numbers."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if any(side.null_count for side in text) or not len(text[0]):
        return None
    train = cast_all(text[0], pa.int64())
    test = None if train is None else cast_all(text[1], pa.int64())
    if train is None or test is None:
        return None
    # Arrow reads 0x10 as sixteen; no data file means that.
    hexadecimal = any(pc.any(pc.match_substring(side, sign)).as_py() for side in text for sign in "xX")
    return None if hexadecimal else (train, test)


def _plain(text: Sides) -> Sides | None:
    """Read both sides as float64; None unless all cells are numbers or missing."""
    import pyarrow as pa

    if text[0].null_count == len(text[0]):
        return None
    train = cast_all(text[0], pa.float64())
    test = None if train is None else cast_all(text[1], pa.float64())
    return None if train is None or test is None else (train, test)


def _formatted(text: Sides, number_format: NumberFormat) -> Sides | None:
    """Read both sides in a format; None where too many of train's cells are no numbers."""
    import pyarrow.compute as pc

    train = parse_numbers(text[0], number_format)
    known = len(text[0]) - text[0].null_count
    strays = train.null_count - text[0].null_count
    if strays and (strays > STRAY_SHARE * known or len(pc.unique(train.drop_null())) < FEWEST_NUMBERS):
        return None
    return train, parse_numbers(text[1], number_format)
