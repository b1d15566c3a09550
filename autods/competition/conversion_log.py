"""What conversion noticed, counted column by column and told as few notes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from autods.competition.numbers import NumberFormat
from autods.records import Note

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ConversionLog", "counted", "listed"]


def listed(names: Sequence[str], limit: int = 6) -> str:
    """Join names for a sentence, shortened with a count; line breaks in a name become blanks.

    Examples
    --------
    >>> listed(["a", "b", "c"], limit=2)
    'a, b and 1 more'
    """
    shown = ", ".join(" ".join(name.split()) for name in names[:limit])
    return shown if len(names) <= limit else f"{shown} and {len(names) - limit:,} more"


def counted(number: int, noun: str) -> str:
    """Write a number with its noun.

    Examples
    --------
    >>> counted(1, "row"), counted(1200, "row")
    ('1 row', '1,200 rows')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


class ConversionLog:
    """Gathers what happens to columns while they are converted; `notes` tells it."""

    def __init__(self) -> None:
        self.units: dict[str, str] = {}
        self._formats: dict[str, list[str]] = defaultdict(list)
        self._words: dict[str, dict[str, list[int]]] = defaultdict(dict)
        self._trimmed: dict[str, int] = {}
        self._infinite: dict[str, int] = {}
        self._strays: list[Note] = []

    def take_away(self, name: str, number_format: NumberFormat) -> None:
        """Remember what is taken away before a column is read as numbers."""
        if number_format.description:
            self._formats[number_format.description].append(name)
        if number_format.unit:
            self.units[name] = number_format.unit

    def count_words(self, name: str, sides: tuple[pa.Array, pa.Array], words: Iterable[str]) -> None:
        """Count the words that stand for missing; empty cells need no telling."""
        import pyarrow as pa
        import pyarrow.compute as pc

        value_set = pa.array(sorted(words), pa.large_string())
        for position, side in enumerate(sides):
            for item in pc.value_counts(side.filter(pc.is_in(side, value_set=value_set))).to_pylist():
                self._words[name].setdefault(item["values"], [0, 0])[position] = item["counts"]

    def count_trimmed(self, name: str, before: tuple[pa.Array, pa.Array], after: tuple[pa.Array, pa.Array]) -> None:
        """Count the cells that lost blanks around them."""
        import pyarrow.compute as pc

        changed = sum(pc.sum(pc.not_equal(old, new)).as_py() or 0 for old, new in zip(before, after, strict=True))
        if changed:
            self._trimmed[name] = changed

    def count_strays(self, name: str, texts: tuple[pa.Array, pa.Array], numbers: tuple[pa.Array, pa.Array]) -> None:
        """Note the cells that are no numbers in a numeric column."""
        import pyarrow.compute as pc

        for side, text, number in zip(("train", "test"), texts, numbers, strict=True):
            if number.null_count > text.null_count:
                stray = text.filter(pc.and_(pc.is_null(number), pc.is_valid(text)))
                shown = listed([repr(word) for word in pc.unique(stray).to_pylist()], 3)
                cells = counted(len(stray), "cell")
                text_ = f"{cells} of {name} in the {side} data cannot be read as numbers ({shown}); taken as missing."
                self._strays.append(Note(name, text_, "warning"))

    def count_infinite(self, name: str, sides: tuple[pa.Array, pa.Array]) -> tuple[pa.Array, pa.Array]:
        """Replace infinite numbers by null, counted."""
        import pyarrow.compute as pc

        finite = []
        for side in sides:
            is_infinite = pc.is_inf(side)
            count = pc.sum(is_infinite).as_py() or 0
            if count:
                self._infinite[name] = self._infinite.get(name, 0) + count
            finite.append(pc.if_else(is_infinite, None, side) if count else side)
        return finite[0], finite[1]

    def missing_tokens(self) -> dict[str, dict[str, int]]:
        """Return the words for missing by column, with their counts in train."""
        return {
            name: {word: count[0] for word, count in words.items() if count[0]}
            for name, words in self._words.items()
            if words
        }

    def notes(self) -> tuple[Note, ...]:
        """Tell everything, a sentence each."""
        notes = list(self._strays)
        by_word: dict[str, list[str]] = defaultdict(list)
        for name, words in self._words.items():
            for word in words:
                by_word[word].append(name)
        for word, names in sorted(by_word.items()):
            train, test = (sum(self._words[name][word][side] for name in names) for side in (0, 1))
            text = f"{word!r} means missing in {listed(names)}: {train:,} cells of train, {test:,} of test."
            notes.append(Note(listed(names, 1), text))
        for description, names in self._formats.items():
            notes.append(Note(listed(names, 1), f"{listed(names)} read as numbers after taking away {description}."))
        for name, count in self._infinite.items():
            text = f"{counted(count, 'infinite value')} of {name} taken as missing."
            notes.append(Note(name, text, "warning"))
        if self._trimmed:
            names = list(self._trimmed)
            text = f"Blanks around {counted(sum(self._trimmed.values()), 'cell')} of {listed(names)} were trimmed."
            notes.append(Note(listed(names, 1), text))
        return tuple(notes)
