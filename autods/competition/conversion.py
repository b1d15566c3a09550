"""Text to typed features: missing words, numbers, blanks around categories; the same type in train and test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from autods.competition.conversion_log import ConversionLog
from autods.competition.numbers import PROBE_VALUES, NumberFormat, cast_all, find_number_format, parse_numbers, writes_decimal_commas
from autods.records import Note

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = ["MISSING_WORDS", "Features", "blank_or_missing", "convert_features", "is_empty", "trimmed"]

MISSING_WORDS = frozenset(
    [
        "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA", "NULL",
        "NaN", "None", "n/a", "nan", "null", "NaT", "\\N", "?",
    ]
)  # fmt: skip
MISSING_AMONG_NUMBERS = frozenset(
    [
        "-", "--", "---", ".", "..", "*", "??", "unknown", "missing", "none", "nil", "na", "n.a.", "n/d", "nd", "n.d.",
        "not available", "not applicable", "not known", "undefined", "null", "nan", "blank", "#value!", "#div/0!", "#ref!",
        "tbd", "n\\a",
    ]
)  # fmt: skip
STRAY_SHARE = 0.05
FEWEST_NUMBERS = 10
PROBE_ROWS = 50


@dataclass(frozen=True)
class Features:
    """Typed features of both sides, what was noted, and the words that stood for missing, with their counts in train."""

    train: pd.DataFrame
    test: pd.DataFrame
    notes: tuple[Note, ...] = ()
    missing_tokens: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


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
    sign = decimal or _decimal_sign([_arrow(probe[name]) for name in probe.columns])
    columns = [_convert(str(name), _arrow(train[name]), _arrow(test[name]), sign, log) for name in train.columns]
    typed = [_frame([pair[side] for pair in columns], frame) for side, frame in enumerate((train, test))]
    return Features(typed[0], typed[1], log.notes(), log.missing_tokens())


def _frame(columns: Sequence[pa.Array], like: pd.DataFrame) -> pd.DataFrame:
    import pyarrow as pa

    frame = pa.table(list(columns), names=[str(name) for name in like.columns]).to_pandas()
    frame.index = like.index
    return frame


def trimmed(text: pd.Series) -> pd.Series:
    """Take the blanks around every cell away."""
    import pandas as pd
    import pyarrow.compute as pc

    return pd.Series(pc.utf8_trim_whitespace(_arrow(text)).to_pandas(), index=text.index, name=text.name)


def blank_or_missing(text: pd.Series) -> pd.Series:
    """Tell which cells are empty or a word for missing.

    Examples
    --------
    >>> import pandas as pd
    >>> blank_or_missing(pd.Series(["1", " ", "NA"], dtype="str")).tolist()
    [False, True, True]
    """
    return trimmed(text).isin(["", *MISSING_WORDS])


def is_empty(text: pd.Series) -> bool:
    """Whether a column has nothing but empty cells and words for missing."""
    words = {"", *MISSING_WORDS}
    if any(cell.strip() not in words for cell in text.head(PROBE_ROWS).tolist()):
        return False
    return bool(blank_or_missing(text).all())


def _arrow(text: pd.Series) -> pa.Array:
    import pyarrow as pa

    array = pa.Array.from_pandas(text, type=pa.large_string())
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def _decimal_sign(columns: Sequence[pa.Array]) -> str:
    verdicts = [writes_decimal_commas(column) for column in columns]
    return "," if any(verdicts) and verdicts.count(True) >= verdicts.count(False) else "."


def _convert(name: str, train: pa.Array, test: pa.Array, decimal: str, log: ConversionLog) -> tuple[pa.Array, pa.Array]:
    import pyarrow.compute as pc

    clean = pc.utf8_trim_whitespace(train), pc.utf8_trim_whitespace(test)
    known = _known(clean[0], MISSING_WORDS), _known(clean[1], MISSING_WORDS)
    whole = _whole(known)
    if whole is not None:
        return whole
    plain = _plain(known)
    if plain is None:
        words = MISSING_WORDS | _words_among_numbers(clean)
        candidates = _known(clean[0], words), _known(clean[1], words)
        number_format = _numeric_format(candidates[0], decimal)
        if number_format is None:
            return _words(name, (train, test), clean, known, log)
        if number_format.description:
            log.formats[number_format.description].append(name)
        known, plain = candidates, tuple(parse_numbers(side, number_format) for side in candidates)
    else:
        words = MISSING_WORDS
    log.count_words(name, clean, words)
    log.count_strays(name, known, plain)
    return log.count_infinite(name, plain)


def _words(
    name: str,
    before: tuple[pa.Array, pa.Array],
    clean: tuple[pa.Array, pa.Array],
    known: tuple[pa.Array, pa.Array],
    log: ConversionLog,
) -> tuple[pa.Array, pa.Array]:
    """Keep a column as text; beside other words for missing, `None` is a category: nothing there, as against unknown."""
    import pyarrow.compute as pc

    words = MISSING_WORDS
    nones = pc.sum(pc.equal(clean[0], "None")).as_py() or 0
    if nones and known[0].null_count > nones:
        words = MISSING_WORDS - {"None"}
        known = _known(clean[0], words), _known(clean[1], words)
    log.count_words(name, clean, words)
    log.count_trimmed(name, before, clean)
    return known


def _known(text: pa.Array, words: frozenset[str]) -> pa.Array:
    """Replace empty cells and the words for missing by null."""
    import pyarrow as pa
    import pyarrow.compute as pc

    missing = pc.is_in(text, value_set=pa.array(["", *sorted(words)], text.type))
    return pc.if_else(missing, None, text) if pc.any(missing).as_py() else text


def _words_among_numbers(sides: tuple[pa.Array, pa.Array]) -> frozenset[str]:
    """Find, as spelled, the words that mean missing only where a column is otherwise numeric."""
    import pyarrow.compute as pc

    found: set[str] = set()
    for side in sides:
        short = side.filter(pc.less_equal(pc.utf8_length(side), max(map(len, MISSING_AMONG_NUMBERS))))
        wordlike = short.filter(pc.invert(pc.match_substring_regex(short, r"\d")))
        found.update(word for word in pc.unique(wordlike).to_pylist() if word.casefold() in MISSING_AMONG_NUMBERS)
    return frozenset(found)


def _whole(sides: tuple[pa.Array, pa.Array]) -> tuple[pa.Array, pa.Array] | None:
    import pyarrow as pa
    import pyarrow.compute as pc

    if any(side.null_count for side in sides) or not len(sides[0]):
        return None
    numbers = cast_all(sides[0], pa.int64()), cast_all(sides[1], pa.int64())
    if numbers[0] is None or numbers[1] is None:
        return None
    # Arrow reads 0x10 as sixteen; no data file means that.
    hexadecimal = any(pc.any(pc.match_substring(side, sign)).as_py() for side in sides for sign in "xX")
    return None if hexadecimal else (numbers[0], numbers[1])


def _plain(sides: tuple[pa.Array, pa.Array]) -> tuple[pa.Array, pa.Array] | None:
    import pyarrow as pa

    if sides[0].null_count == len(sides[0]):
        return None
    numbers = cast_all(sides[0], pa.float64()), cast_all(sides[1], pa.float64())
    return None if numbers[0] is None or numbers[1] is None else (numbers[0], numbers[1])


def _numeric_format(text: pa.Array, decimal: str) -> NumberFormat | None:
    """Learn the format of train's numbers; None where too many cells are no numbers."""
    import pyarrow.compute as pc

    values = pc.unique(text.drop_null())
    number_format = find_number_format(values, decimal)
    if number_format is None:
        return None
    numbers = parse_numbers(values, number_format)
    strays = values.filter(pc.is_null(numbers))
    if not len(strays):
        return number_format
    share = pc.sum(pc.is_in(text, value_set=strays)).as_py() / (len(text) - text.null_count)
    few = len(values) - len(strays) < FEWEST_NUMBERS
    return None if few or share > STRAY_SHARE else number_format
