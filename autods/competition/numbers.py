"""Numbers written as text: `1,234`, `$5`, `12%`, `3,5`, `(7)`, `5 kg`. How a column writes them is learned once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autods.competition.missing import MISSING_AMONG_NUMBERS

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["PROBE_VALUES", "NumberFormat", "cast_all", "find_number_format", "parse_numbers", "writes_decimal_commas"]

CURRENCIES = "$€£¥₹₽₩"
CURRENCY_WORDS = r"US\$|USD|EUR|GBP|CHF|CAD|AUD|JPY|CNY|INR|Rs\.?|BRL|R\$|kr|SEK|NOK|DKK|PLN"
GROUP = "[ \u00a0\u202f'’]"
PLAIN = r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?"
INFINITE = r"[+-]?(inf|Inf|INF|infinity|Infinity|INFINITY)"
ANY_NUMBER = re.compile(
    rf"^\(?[+\-\u2212]?\s*({CURRENCY_WORDS}|[{CURRENCIES}])?\s*[+\-\u2212]?\.?\d[\d.,\s'’eE+-]*\)?\s*[^\d\s]{{0,12}}$"
)
PROBE_VALUES = 400


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """How a column writes numbers: its decimal sign, and the unit words in front of or behind them."""

    decimal: str = "."
    prefix: str = ""
    suffix: str = ""
    marks: tuple[str, ...] = ()

    @property
    def unit(self) -> str | None:
        """The unit in one word: `currency`, `percent`, a word such as `kg`, or `thousands` for separators alone."""
        if self.prefix or "currency signs" in self.marks:
            return "currency"
        if "percent signs" in self.marks:
            return "percent"
        return self.suffix or ("thousands" if "thousands separators" in self.marks else None)

    @property
    def description(self) -> str:
        """What is taken away, for a note."""
        named = ["decimal commas" if self.decimal == "," else "", *self.marks]
        named += [f"the unit {word!r}" for word in (self.prefix, self.suffix) if word]
        return ", ".join(word for word in named if word)


def parse_numbers(values: pa.Array, number_format: NumberFormat) -> pa.Array:
    """Read text as float64 in a known format; what is no number becomes null, infinite words stay infinite.

    Examples
    --------
    >>> import pyarrow as pa
    >>> parse_numbers(pa.array(["$1,234.5", "(7)", "12%", "red"]), NumberFormat()).to_pylist()
    [1234.5, -7.0, 12.0, None]
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    plain = cast_all(values, pa.float64()) if number_format == NumberFormat() else None
    if plain is not None:
        return plain
    text = pc.utf8_trim_whitespace(values)
    text = pc.replace_substring_regex(text, r"^\((.*)\)$", r"-\1")
    text = pc.replace_substring_regex(text, "\u2212", "-")
    text = pc.replace_substring_regex(text, rf"^([+-]?)\s*[{CURRENCIES}]\s*([+-]?)", r"\1\2")
    text = pc.replace_substring_regex(text, rf"\s*[{CURRENCIES}%]$", "")
    text = _without_words(text, number_format)
    text = _without_groups(text, number_format.decimal)
    is_number = pc.match_substring_regex(text, rf"^({PLAIN}|{INFINITE})$")
    return pc.cast(pc.if_else(is_number, text, None), pa.float64())


def cast_all(values: pa.Array, number_type: pa.DataType) -> pa.Array | None:
    """Cast text to numbers; None when a cell is none.

    Examples
    --------
    >>> import pyarrow as pa
    >>> cast_all(pa.array(["1", "2"]), pa.int64()).to_pylist(), cast_all(pa.array(["1", "a"]), pa.int64())
    ([1, 2], None)
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        # Arrow makes an error message for every bad cell before it raises one: a probe spares a second a column.
        pc.cast(values.slice(0, PROBE_VALUES), number_type)
        return pc.cast(values, number_type)
    except pa.ArrowInvalid:
        return None


def _without_words(text: pa.Array, number_format: NumberFormat) -> pa.Array:
    import pyarrow.compute as pc

    if number_format.prefix:
        text = pc.replace_substring_regex(text, rf"^{re.escape(number_format.prefix)}\s*", "")
    if number_format.suffix:
        text = pc.replace_substring_regex(text, rf"\s*{re.escape(number_format.suffix)}$", "")
    return text


def _without_groups(text: pa.Array, decimal: str) -> pa.Array:
    import pyarrow.compute as pc

    point, comma = (r"\.", ",") if decimal == "." else (",", r"\.")
    grouped = pc.match_substring_regex(text, rf"^[+-]?\d{{1,3}}(({comma}\d{{3}})+|({GROUP}\d{{3}})+)({point}\d+)?$")
    text = pc.if_else(grouped, pc.replace_substring_regex(text, rf"{comma}|{GROUP}", ""), text)
    if decimal == ",":
        text = pc.replace_substring_regex(text, r"^([+-]?\d*),(\d+)([eE][+-]?\d+)?$", r"\1.\2\3")
    return text


def writes_decimal_commas(values: pa.Array) -> bool | None:
    """Whether values write a decimal comma; None when they do not tell (no comma, or only `1,234`).

    Examples
    --------
    >>> import pyarrow as pa
    >>> writes_decimal_commas(pa.array(["3,5", "12"])), writes_decimal_commas(pa.array(["1,234"]))
    (True, None)
    """
    texts = [text for text in values.slice(0, PROBE_VALUES).to_pylist() if text]
    if any(re.fullmatch(r"[+-]?\d+\.\d+", text) for text in texts):
        return False
    commas = [text for text in texts if re.fullmatch(r"[+-]?\d*,\d+|[+-]?\d{1,3}(\.\d{3})+(,\d+)?", text)]
    if not commas or len(commas) < 0.05 * len(texts):
        return None
    return True if any(not re.fullmatch(r"[+-]?[1-9]\d{0,2},\d{3}", text) for text in commas) else None


def find_number_format(values: pa.Array, decimal: str) -> NumberFormat | None:
    """Learn how a column's values write numbers; None when fewer than half of a sample look like numbers.

    Examples
    --------
    >>> import pyarrow as pa
    >>> find_number_format(pa.array(["5 kg", "12 kg"]), ".")
    NumberFormat(decimal='.', prefix='', suffix='kg', marks=())
    """
    step = max(1, len(values) // PROBE_VALUES)
    texts = [text.strip() for text in values[::step].to_pylist() if text]
    texts = [text for text in texts if text.casefold() not in MISSING_AMONG_NUMBERS]
    numeric = [text for text in texts if ANY_NUMBER.match(text)]
    if not texts or 2 * len(numeric) < len(texts):
        return None
    prefix, suffix = _common_word(numeric, leading=True), _common_word(numeric, leading=False)
    marks = []
    if any(mark in text for text in numeric for mark in CURRENCIES):
        marks.append("currency signs")
    if any(text.endswith("%") for text in numeric):
        marks.append("percent signs")
    comma = "," if decimal == "." else "."
    if any(re.search(rf"\d({re.escape(comma)}|{GROUP})\d{{3}}", text) for text in numeric):
        marks.append("thousands separators")
    return NumberFormat(decimal, prefix, suffix, tuple(marks))


def _common_word(texts: list[str], *, leading: bool) -> str:
    """Find the unit word that (nearly) all values share on one side."""
    pattern = rf"^({CURRENCY_WORDS})\s*[+-]?[\d.]" if leading else r"\d\s*([A-Za-zµ°²³/]{1,8}\.?)$"
    words = [match[1] if (match := re.search(pattern, text)) else "" for text in texts]
    common = max(set(words), key=words.count)
    return common if common and words.count(common) >= 0.95 * len(words) else ""
