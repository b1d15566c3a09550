"""Text with a structure, taken apart: names, parts between separators, prefixes with numbers, codes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from autods.tools._checks import Columns, check_choice, chosen, is_text
from autods.tools._frames import Frames, add_columns, as_text, frame_tool
from autods.tools.cleaning.dates import mostly_dates

__all__ = ["split_structured", "structure_of"]

PATTERNS = ("name", "parts", "prefix_number", "code")
NAME = re.compile(r"^\s*(?P<surname>[^,]+),\s*(?P<title>[^.,]{1,25})\.\s*(?P<given>.*)$")
# Without the dot a title is known by being one of few words that many names share.
BARE_NAME = re.compile(r"^\s*(?P<surname>[^,]+),\s*(?P<title>[A-Z][a-z]{1,14})\s+(?P<given>.*)$")
FEW_TITLES = 0.05
PREFIX_NUMBER = re.compile(r"^(?P<prefix>.*?\D)??\s*(?P<number>\d{2,15})$")
CODE = re.compile(r"^[A-Za-z]{1,3}\s?\d{0,5}(?:[ ,;/]+[A-Za-z]{1,3}\s?\d{0,5})*$")
SEPARATORS = ("/", "|", "_", ":", ";", "-", ",", ".", " ")
ENOUGH = 0.9
MOST_PARTS = 8
SOME = 20


@dataclass(frozen=True)
class Structure:
    """How a column is taken apart: the pattern, and for parts the separator and which parts are numbers."""

    pattern: str
    separator: str = ""
    numeric: tuple[bool, ...] = ()


@frame_tool()
def split_structured(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    columns: Columns = None,
    pattern: str | None = None,
    drop_original: bool = False,
) -> Frames:
    """Take structured text apart into typed columns.

    Parameters
    ----------
    columns
        Columns of text; None means those of which 90 % of the distinct train values follow one of the patterns.
    pattern
        None finds it in train, or one of

        - "name" (`Braund, Mr. Owen Harris`, also without the dot): `_surname`, `_title`, `_words`, `_alias` (1 when there are parentheses);
        - "parts" (`B/45/P`, `2021-03-A7`): `_1`, `_2`, …, numbers where all of train's are;
        - "prefix_number" (`A/5 21171`, `113803`): `_prefix` ("none" when there is none), `_number`, `_digits`;
        - "code" (`C23 C25`, `B45`): `_letter` and `_number` of the first, `_count` of codes.
    drop_original
        Whether the column itself goes.

    Returns
    -------
    The frames with columns `<column>_<part>`, text or float64; missing where the value is missing or does not fit. A
    column in which no pattern is found stays as it is.

    Notes
    -----
    Use it on names, tickets, cabins and codes that say several things at once. Free text wants `text_statistics`, dates
    want `format_datetime`.

    Examples
    --------
    >>> train = pd.DataFrame({"Name": ["Braund, Mr. Owen Harris", "Heikkinen, Miss. Laina"]})
    >>> train["Cabin"] = ["B/45/P", "A/7/S"]
    >>> train, _ = split_structured(train, drop_original=True)
    >>> train.loc[0].to_dict()  # doctest: +NORMALIZE_WHITESPACE
    {'Name_surname': 'Braund', 'Name_title': 'Mr', 'Name_words': 2.0, 'Name_alias': 0.0,
     'Cabin_1': 'B', 'Cabin_2': 45.0, 'Cabin_3': 'P'}
    """
    if pattern is not None:
        check_choice("pattern", pattern, PATTERNS)
    names = chosen(train, test, columns, holds="text", default=is_text)
    found = {name: way for name in names if (way := _structure(train[name], pattern)) is not None}

    def make(frame: pd.DataFrame) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for name, structure in found.items():
            parts = TAKE_APART[structure.pattern](as_text(frame[name]), structure)
            made |= {f"{name}_{part}": values for part, values in parts.items()}
        return made

    return add_columns(train, test, make, drop=found if drop_original else ())


def structure_of(column: pd.Series) -> str | None:
    """Return the pattern that the values of a text column follow, or None.

    Examples
    --------
    >>> structure_of(pd.Series(["A/5 21171", "113803", "STON/O2. 3101282"]))
    'prefix_number'
    """
    structure = _structure(column, None)
    return None if structure is None else structure.pattern


def _structure(column: pd.Series, pattern: str | None) -> Structure | None:
    """Return the structure of a column's distinct values, of the given pattern or the first that fits."""
    levels = pd.Series(as_text(column).dropna().unique(), dtype="str").str.strip()
    levels = levels[levels != ""][:20000]
    if pattern == "parts":
        return _parts_of(levels, 0.0)
    if pattern is not None:
        return Structure(pattern)
    if len(levels) < 2 or levels.str.fullmatch(r"[-+\d.,eE]*").mean() > ENOUGH:
        return None
    if levels.str.match(NAME).mean() >= ENOUGH or _share_titles(levels):
        return Structure("name")
    if mostly_dates(levels):
        return None
    if _are_codes(levels):
        return _parts_of(levels, ENOUGH, (":", "|", "_", "/", "-")) or Structure("code")
    parts = _parts_of(levels, ENOUGH)
    if parts is not None:
        return parts
    prefixed = levels.str.match(PREFIX_NUMBER)
    with_prefix = levels.str.match(PREFIX_NUMBER) & levels.str.contains(r"[A-Za-z]")
    return Structure("prefix_number") if prefixed.mean() >= ENOUGH and with_prefix.any() else None


def _are_codes(levels: pd.Series) -> bool:
    """Whether most values are codes of letters and a number; a few such levels are just a category."""
    codes = len(levels) >= SOME and levels.str.len().max() <= 40 and levels.str.contains(r"\d").mean() >= 0.5
    return bool(codes and levels.str.match(CODE).mean() >= ENOUGH)


def _share_titles(levels: pd.Series) -> bool:
    """Whether nearly all are surname, comma, word, names, and few words stand behind the comma."""
    titles = levels.str.extract(BARE_NAME)["title"]
    return bool(
        titles.notna().mean() >= ENOUGH and titles.nunique() <= max(5, FEW_TITLES * len(levels)) and len(levels) >= 20
    )


def _parts_of(levels: pd.Series, enough: float, separators: tuple[str, ...] = SEPARATORS[:6]) -> Structure | None:
    """Find the separator that cuts most values into the same number of parts."""
    best: tuple[float, Structure] | None = None
    for separator in separators if enough else SEPARATORS:
        counts = levels.str.count(re.escape(separator))
        if counts.empty or (counts > 0).sum() == 0:
            continue
        usual = int(counts[counts > 0].mode().iloc[0])
        share = float((counts == usual).mean())
        if share < enough or usual >= MOST_PARTS or (best is not None and share <= best[0]):
            continue
        cut = levels[counts == usual].str.split(separator, expand=True, regex=False)
        if enough and (cut.map(len).max().max() > 24 or _all_distinct(cut)):
            continue
        numeric = tuple(bool(pd.to_numeric(cut[part].str.strip(), errors="coerce").notna().all()) for part in cut)
        best = share, Structure("parts", separator, numeric)
    return None if best is None else best[1]


def _all_distinct(cut: pd.DataFrame) -> bool:
    """Whether no part ever repeats, so that taking the text apart says nothing."""
    return len(cut) >= SOME and all(cut[part].nunique() == len(cut) for part in cut)


def _name(text: pd.Series, structure: Structure) -> dict[str, Any]:
    dotted, bare = text.str.extract(NAME), text.str.extract(BARE_NAME)
    found = dotted.where(dotted["title"].notna(), bare)
    given = found["given"].str.replace(r"\(.*?\)|\".*?\"", " ", regex=True)
    known = found["given"].notna()
    return {
        "surname": found["surname"].str.strip(),
        "title": found["title"].str.strip().str.replace(r"^the ", "", regex=True),
        "words": given.str.count(r"\S+").astype("float64"),
        "alias": text.str.contains("(", regex=False).astype("float64").where(known),
    }


def _parts(text: pd.Series, structure: Structure) -> dict[str, Any]:
    separator = re.escape(structure.separator)
    cut = text.str.extract(f"^{separator.join([f'([^{separator}]*)'] * len(structure.numeric))}$")
    made = {}
    for number, numeric in enumerate(structure.numeric):
        part = as_text(cut[number]).str.strip()
        made[str(number + 1)] = pd.to_numeric(part, errors="coerce").astype("float64") if numeric else part
    return made


def _prefix_number(text: pd.Series, structure: Structure) -> dict[str, Any]:
    found = text.str.strip().str.extract(PREFIX_NUMBER)
    prefix = found["prefix"].fillna(text.where(found["number"].isna()))
    prefix = prefix.str.upper().str.replace(r"[^A-Z0-9]+", "", regex=True)
    known = text.notna()
    return {
        "prefix": prefix.where(prefix != "").fillna("none").where(known),
        "number": pd.to_numeric(found["number"], errors="coerce").astype("float64"),
        "digits": found["number"].str.len().astype("float64"),
    }


def _code(text: pd.Series, structure: Structure) -> dict[str, Any]:
    first = text.str.extract(r"(?P<letter>[A-Za-z]+)[\s-]*(?P<number>\d+)?")
    with_number = text.str.extract(r"[A-Za-z]\s?(\d+)")[0]
    words = text.str.count(r"[A-Za-z]+\s?\d*").astype("float64")
    return {
        "letter": first["letter"].str.upper(),
        "number": pd.to_numeric(with_number, errors="coerce").astype("float64"),
        "count": words.where(text.notna(), np.nan),
    }


TAKE_APART: dict[str, Callable[[pd.Series, Structure], dict[str, Any]]] = {
    "name": _name,
    "parts": _parts,
    "prefix_number": _prefix_number,
    "code": _code,
}
