"""Spellings of categories: the same level written differently becomes one level."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping

import pandas as pd

from autods.tools._checks import Columns, chosen, is_text
from autods.tools._frames import Frames, as_text, frame_tool, map_both

__all__ = ["normalise_categories"]

MOST_LEVELS = 200
SHORT = 3
RARE = 0.05
TYPO_LENGTH = 6
TYPO_RARE = 0.02
TYPO_COUNT = 3
BETWEEN_WORDS = re.compile(r"(?<=\w)[\s_\-]+(?=\w)")


def _tidy(level: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", level).split())


def _key(level: str) -> str:
    """Return what two spellings of a level share: no case, one kind of blank."""
    return BETWEEN_WORDS.sub(" ", _tidy(level)).casefold()


def _categorical(column: pd.Series) -> bool:
    levels = as_text(column).dropna().unique()
    return 0 < len(levels) <= MOST_LEVELS and sum(len(level.split()) for level in levels) <= 5 * len(levels)


@frame_tool()
def normalise_categories(
    train: pd.DataFrame,
    test: pd.DataFrame | None = None,
    *,
    columns: Columns = None,
    merge_typos: bool = True,
    aliases: Mapping[str, str] | None = None,
) -> Frames:
    """Give every category one spelling: the most frequent of train.

    Spellings that differ in case, in blanks, hyphens or underscores between words, or in Unicode form are one level.
    One- and two-letter levels that differ in case are one only where the rarer has at most 5 % of the other's rows.

    Parameters
    ----------
    columns
        Columns of text; None means those with at most 200 short levels.
    merge_typos
        Whether to also merge a level into the one level of train, of six letters or more, that is a single inserted,
        lost, changed or swapped letter away, when it has at most 3 rows and at most 2 % of the other's.
    aliases
        Other spellings to merge, as {spelling: level}, such as {"UK": "United Kingdom"}; matched like all else.

    Returns
    -------
    The frames; the columns are text, missing stays missing. Levels that train does not know are only tidied.

    Notes
    -----
    Use it on hand-typed categories. Do not use it where case carries meaning.

    Examples
    --------
    >>> train = pd.DataFrame({"town": ["Berlin", "berlin ", "Berlin", "BERLIN", "Munich", None]})
    >>> train, test = normalise_categories(train, pd.DataFrame({"town": [" munich", "Köln"]}))
    >>> train["town"].tolist(), test["town"].tolist()
    (['Berlin', 'Berlin', 'Berlin', 'Berlin', 'Munich', nan], ['Munich', 'Köln'])
    """
    if aliases is not None and not isinstance(aliases, Mapping):
        raise TypeError(f"aliases={aliases!r} must be a mapping from spelling to level.")
    names = chosen(train, test, columns, holds="text", default=lambda column: is_text(column) and _categorical(column))
    spellings = {name: _Spelling(train[name], merge_typos, aliases or {}) for name in names}
    return map_both(
        train, test, lambda frame: frame.assign(**{name: spellings[name].apply(frame[name]) for name in names})
    )


class _Spelling:
    """The spellings that one column of train gives."""

    def __init__(self, column: pd.Series, merge_typos: bool, aliases: Mapping[str, str]) -> None:
        text = as_text(column).dropna()
        counts: Counter[str] = Counter()
        for level, count in text.value_counts().items():
            counts[_tidy(str(level))] += int(count)
        self.merge_typos = merge_typos
        self.aliases = {_key(spelling): _tidy(level) for spelling, level in aliases.items()}
        self.main = _main_spellings(counts)
        self.apart = {level for level in counts if self._stands_apart(level, counts)}
        self.rows: Counter[str] = Counter()
        for level, count in counts.items():
            self.rows[level if level in self.apart else self.main[_key(level)]] += count
        self.targets = [level for level in sorted(self.rows) if len(level) >= TYPO_LENGTH]

    def _stands_apart(self, level: str, counts: Counter[str]) -> bool:
        main = self.main[_key(level)]
        return level != main and len(level) < SHORT and counts[level] > RARE * counts[main]

    def apply(self, column: pd.Series) -> pd.Series:
        text = as_text(column)
        levels = text.dropna().unique()
        return text.map({level: self.of(level) for level in levels}).astype("str") if len(levels) else text

    def of(self, level: str) -> str:
        tidy = _tidy(level)
        key = _key(tidy)
        if key in self.aliases:
            return self.aliases[key]
        known = tidy if tidy in self.apart else self.main.get(key, tidy)
        target = self._typo_of(known) if self.merge_typos else None
        return known if target is None else self.aliases.get(_key(target), target)

    def _typo_of(self, level: str) -> str | None:
        """Return the level of train that this one mistypes, when there is exactly one and it is far more frequent."""
        rows = self.rows[level]
        if rows > TYPO_COUNT or not level.replace(" ", "").isalpha():
            return None
        near = [other for other in self.targets if rows <= TYPO_RARE * self.rows[other] and other != level]
        near = [other for other in near if one_edit_apart(_key(level), _key(other))]
        return near[0] if len(near) == 1 else None


def _main_spellings(counts: Counter[str]) -> dict[str, str]:
    main: dict[str, str] = {}
    for level in sorted(counts, key=lambda level: (-counts[level], level)):
        main.setdefault(_key(level), level)
    return main


def one_edit_apart(left: str, right: str) -> bool:
    """Whether two texts are one inserted, lost, changed or swapped letter apart.

    Examples
    --------
    >>> one_edit_apart("female", "femal"), one_edit_apart("berlin", "belrin"), one_edit_apart("male", "female")
    (True, True, False)
    """
    if abs(len(left) - len(right)) > 1 or left == right:
        return False
    start = 0
    while start < min(len(left), len(right)) and left[start] == right[start]:
        start += 1
    left, right = left[start:], right[start:]
    while left and right and left[-1] == right[-1]:
        left, right = left[:-1], right[:-1]
    return max(len(left), len(right)) <= 1 or (len(left) == len(right) == 2 and left == right[::-1])
