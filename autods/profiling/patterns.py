"""How strings are built: words, structure, numbers with units, codes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from autods.profiling.facts import Pattern

__all__ = ["average_words", "is_code_shaped", "structure_of", "unit_of"]

_SEPARATORS = ("/", "|", ";", ", ", ",", " - ", "_", "-", ":", "@", ".", " ")
_LIST_SEPARATORS = ("|", ";", ", ", ",", "/", " ")
_PERSON = re.compile(r"[^,]+, [^.,]+\. ?.*")
_TITLED = re.compile(r"[^,]+, ([A-Z][a-z]{1,14}) .*")
_TAIL_NUMBER = re.compile(r"(.*?)(\d+)", re.DOTALL)
_QUANTITY = re.compile(r"([$€£¥₹])?\s*[-+]?(?:(\d{1,3}(?:,\d{3})+)|\d+)(\.\d+)?\s*(%|[A-Za-zµ°²³/]{1,12})?")
_DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+")
_MULTIPLIERS = frozenset(("k", "m", "b", "bn", "mn", "mm", "thousand", "million", "billion"))
_CODE = re.compile(r"[\w.:/#@+=-]*\d[\w.:/#@+=-]*|[0-9a-fA-F-]{8,}|[a-zA-Z]+[._-][\w.-]+")


def average_words(values: Sequence[str]) -> float:
    """The mean number of words parted by white space; 0 for no values."""
    return sum(len(value.split()) for value in values) / len(values) if values else 0.0


def is_code_shaped(values: Sequence[str]) -> bool:
    """Whether nearly all values are single tokens with digits, hexadecimal or joined parts, as identifiers are.

    Examples
    --------
    >>> is_code_shaped(["0001_01", "0002_01"]), is_code_shaped(["hello", "world"])
    (True, False)
    """
    return bool(values) and sum(bool(_CODE.fullmatch(value.strip())) for value in values) >= 0.95 * len(values)


def unit_of(values: Sequence[str], share: float = 0.95) -> str | None:
    """Name the unit of numbers written as text, `none` for bare numbers; None when they are no numbers.

    Examples
    --------
    >>> unit_of(["$1,200", "$5"]), unit_of(["12%", "7.5%"]), unit_of(["3 kg", "10kg"]), unit_of(["A1", "B2"])
    ('currency', 'percent', 'kg', None)
    """
    if not values:
        return None
    if sum(bool(_DECIMAL_COMMA.fullmatch(value.strip())) for value in values) > 0.5 * len(values) and not any(
        re.fullmatch(r"\d{1,3}(,\d{3})+", value.strip()) for value in values[:20]
    ):
        return "decimal_comma"
    matches = [match for value in values if (match := _QUANTITY.fullmatch(value.strip()))]
    codes = sum(value.strip()[:1] == "0" and value.strip().isdigit() and len(value.strip()) > 1 for value in values)
    if len(matches) < share * len(values) or codes > 0.05 * len(values):
        return None
    suffixes = Counter((match[4] or "").lower().removesuffix("s") for match in matches)
    if any(match[1] for match in matches) and suffixes.keys() <= _MULTIPLIERS | {""}:
        return "currency"
    if suffixes.keys() <= _MULTIPLIERS | {""} and len(suffixes) > (1 if "" in suffixes else 0):
        return "multiplier"
    suffix, count = suffixes.most_common(1)[0]
    if count < share * len(matches):
        return None
    if suffix == "%":
        return "percent"
    return suffix or ("thousands" if any(match[2] for match in matches) else "none")


def structure_of(values: Sequence[str]) -> Pattern | None:
    """Say how the values are built, None when they are not built alike.

    Examples
    --------
    >>> structure_of(["B/45/P", "F/1/S", "A/0/S"])
    Pattern(kind='delimited', separator='/', n_parts=3, share=1.0)
    >>> structure_of(["C85", "E46", "C123"]).kind, structure_of(["Braund, Mr. Owen", "Moran, Mrs. May"]).kind
    ('prefix_number', 'person_name')
    """
    n = len(values)
    if n < 2:
        return None
    persons = sum(bool(_PERSON.fullmatch(value)) for value in values) / n
    if persons < 0.9:
        titles = [match[1] for value in values if (match := _TITLED.fullmatch(value))]
        # Without the dot a title is known by being one of few words that many names share.
        if n >= 20 and len(set(titles)) <= max(5, 0.05 * n):
            persons = len(titles) / n
    if persons >= 0.9:
        return Pattern("person_name", ", ", 3, round(persons, 4))
    return _delimited(values) or _listed(values) or _prefix_number(values)


def _delimited(values: Sequence[str]) -> Pattern | None:
    best: Pattern | None = None
    for separator in _SEPARATORS:
        counts = Counter(value.strip().count(separator) for value in values)
        n_separators, n_values = counts.most_common(1)[0]
        share = n_values / len(values)
        if n_separators and share >= 0.9 and (best is None or share > best.share + 0.02):
            best = Pattern("delimited", separator, n_separators + 1, round(share, 4))
    return best


def _listed(values: Sequence[str]) -> Pattern | None:
    for separator in _LIST_SEPARATORS:
        lists = [[part.strip() for part in value.split(separator) if part.strip()] for value in values]
        several = sum(len(parts) > 1 for parts in lists) / len(values)
        n_parts = sum(map(len, lists))
        vocabulary = len({part for parts in lists for part in parts})
        if several >= 0.3 and n_parts >= 4 * vocabulary:
            return Pattern("list", separator, round(n_parts / len(values)), round(several, 4))
    return None


def _prefix_number(values: Sequence[str]) -> Pattern | None:
    matches = [match for value in values if (match := _TAIL_NUMBER.fullmatch(value.strip()))]
    prefixed = sum(bool(match[1].strip()) for match in matches)
    if len(matches) < 0.9 * len(values) or prefixed < 0.1 * len(values):
        return None
    return Pattern("prefix_number", "", 2, round(len(matches) / len(values), 4))
