"""The words by which files say that a value is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = [
    "MISSING_AMONG_LABELS",
    "MISSING_AMONG_NUMBERS",
    "MISSING_WORDS",
    "as_arrow",
    "blank_or_missing",
    "empty_columns",
    "trimmed",
    "without_words",
    "words_among_numbers",
]

# Missing wherever they stand, as pandas takes them, and `?`, `NaT` and SQL's `\N`.
MISSING_WORDS = frozenset(
    [
        "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA", "NULL",
        "NaN", "None", "n/a", "nan", "null", "NaT", "\\N", "?",
    ]
)  # fmt: skip
# Among labels that are words `NA`, `None` and `null` may be labels like any other.
MISSING_AMONG_LABELS = frozenset(MISSING_WORDS - {"NA", "N/A", "None", "NULL", "null", "n/a"})
# Missing only in a column that is otherwise numeric; compared without case.
MISSING_AMONG_NUMBERS = frozenset(
    [
        "-", "--", "---", ".", "..", "*", "??", "unknown", "missing", "none", "nil", "na", "n.a.", "n/d", "nd", "n.d.",
        "not available", "not applicable", "not known", "undefined", "null", "nan", "blank", "#value!", "#div/0!", "#ref!",
        "tbd", "n\\a",
    ]
)  # fmt: skip
PROBE_ROWS = 50


def as_arrow(text: pd.Series) -> pa.Array:
    """Return a text column as one Arrow array."""
    import pyarrow as pa

    array = pa.Array.from_pandas(text, type=pa.large_string())
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def trimmed(text: pd.Series) -> pd.Series:
    """Take the blanks around every cell away."""
    import pandas as pd
    import pyarrow.compute as pc

    return pd.Series(pc.utf8_trim_whitespace(as_arrow(text)).to_pandas().array, index=text.index, name=text.name)


def blank_or_missing(text: pd.Series) -> pd.Series:
    """Tell which cells are empty or a word for missing.

    Examples
    --------
    >>> import pandas as pd
    >>> blank_or_missing(pd.Series(["1", " ", "NA"], dtype="str")).tolist()
    [False, True, True]
    """
    return trimmed(text).isin(["", *MISSING_WORDS])


def empty_columns(frame: pd.DataFrame) -> list[str]:
    """Name the columns that have nothing but empty cells and words for missing.

    Examples
    --------
    >>> import pandas as pd
    >>> empty_columns(pd.DataFrame({"a": ["", "NA"], "b": ["", "5"]}, dtype="str"))
    ['a']
    """
    words = {"", *MISSING_WORDS}
    head = frame.head(PROBE_ROWS).to_numpy(dtype=object)
    blank = [all(cell.strip() in words for cell in head[:, position]) for position in range(frame.shape[1])]
    suspects = [str(name) for name, is_blank in zip(frame.columns, blank, strict=True) if is_blank]
    return [name for name in suspects if blank_or_missing(frame[name]).all()]


def without_words(text: pa.Array, words: frozenset[str]) -> pa.Array:
    """Replace empty cells and these words by null.

    Examples
    --------
    >>> import pyarrow as pa
    >>> without_words(pa.array(["a", "", "?"]), MISSING_WORDS).to_pylist()
    ['a', None, None]
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    missing = pc.is_in(text, value_set=pa.array(["", *sorted(words)], text.type))
    return pc.if_else(missing, None, text) if pc.any(missing).as_py() else text


def words_among_numbers(text: pa.Array) -> frozenset[str]:
    """Find, as spelled, the words that mean missing only where a column is otherwise numeric.

    Examples
    --------
    >>> import pyarrow as pa
    >>> sorted(words_among_numbers(pa.array(["1", "Unknown", "red", "-"])))
    ['-', 'Unknown']
    """
    import pyarrow.compute as pc

    short = text.filter(pc.less_equal(pc.utf8_length(text), max(map(len, MISSING_AMONG_NUMBERS))))
    without_digit = short.filter(pc.invert(pc.match_substring_regex(short, r"\d")))
    return frozenset(word for word in pc.unique(without_digit).to_pylist() if word.casefold() in MISSING_AMONG_NUMBERS)
