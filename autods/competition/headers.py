"""Column names across the files: made unique the same way everywhere, matched where only blanks or case differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from autods.competition.conversion_log import listed
from autods.competition.tables import unique_names
from autods.records import Note

__all__ = ["Headers", "match_name", "unify_headers"]


@dataclass(frozen=True, slots=True)
class Headers:
    """The names of the columns of each file, in order, after matching."""

    train: tuple[str, ...]
    test: tuple[str, ...]
    sample: tuple[str, ...] | None
    notes: tuple[Note, ...]


def unify_headers(train: Sequence[str], test: Sequence[str], sample: Sequence[str] | None = None) -> Headers:
    """Name the columns of train, test and sample submission so that what belongs together is spelled alike.

    The sample's spelling wins, then train's. Repeated names are numbered past all names of headers with repetitions.

    Parameters
    ----------
    train, test, sample
        Headers as spelled.

    Examples
    --------
    >>> unify_headers(["ID ", " x1", "y"], ["Id", "x1"], ["Id", "y"]).train
    ('Id', 'x1', 'y')
    """
    repeating = [header for header in (train, test) if _repeats(header)]
    reserved = {name.strip() for header in repeating for name in header}
    own_train, own_test = unique_names(train, reserved), unique_names(test, reserved)
    train_names, test_names = own_train, _respelled(own_test, own_train)
    sample_names = unique_names(sample) if sample is not None else None
    if sample_names is not None:
        union = tuple(dict.fromkeys((*train_names, *test_names)))
        spelling = dict(zip(union, _respelled(union, sample_names), strict=True))
        train_names = tuple(spelling[name] for name in train_names)
        test_names = tuple(spelling[name] for name in test_names)
    notes = [*_notes("train", train, train_names), *_notes("test", test, test_names)]
    pairs = [
        f"{old!r} of {side} as {new!r}"
        for side, own, names in (("train", own_train, train_names), ("test", own_test, test_names))
        for old, new in zip(own, names, strict=True)
        if old != new
    ]
    if pairs:
        notes.append(Note("header", f"Names that differ only by blanks or case are matched: {listed(pairs)}."))
    return Headers(train_names, test_names, sample_names, tuple(notes))


def match_name(name: str, names: Sequence[str]) -> str | None:
    """Find a name as spelled, else the only one that differs from it by blanks or case.

    Examples
    --------
    >>> match_name("price", [" Price", "x"]), match_name("A", ["a", "a "])
    (' Price', None)
    """
    if name in names:
        return name
    alike = [other for other in names if _key(other) == _key(name)]
    return alike[0] if len(alike) == 1 else None


def _key(name: str) -> str:
    return " ".join(name.split()).casefold()


def _repeats(header: Sequence[str]) -> bool:
    trimmed = [name.strip() for name in header]
    return len(set(trimmed)) < len(trimmed)


def _respelled(names: tuple[str, ...], leading: Sequence[str]) -> tuple[str, ...]:
    """Take the leading spelling where exactly one name on either side, not matched as it is, means the same."""
    free = [name for name in leading if name not in names]
    own = [name for name in names if name not in leading]
    meant = Counter(map(_key, own))
    spelling = {name: other for name in own if meant[_key(name)] == 1 and (other := match_name(name, free)) is not None}
    return tuple(spelling.get(name, name) for name in names)


def _notes(side: str, header: Sequence[str], names: Sequence[str]) -> list[Note]:
    notes = []
    blanks = [repr(name) for name in header if name.strip() and name != name.strip()]
    if blanks:
        notes.append(Note(side, f"The header of the {side} data has blanks around {listed(blanks)}; trimmed."))
    count = Counter(name.strip() for name in header)
    copies = [name for name in count if count[name] > 1 and name]
    if copies:
        given = [repr(new) for old, new in zip(header, names, strict=True) if old.strip() in copies]
        text = f"The header of the {side} data repeats {listed(copies)}; the columns are called {listed(given)}."
        notes.append(Note(side, text, "warning"))
    unnamed = [name for name, old in zip(names, header, strict=True) if not old.strip()]
    if unnamed:
        notes.append(Note(side, f"A column of the {side} data has no name; it is called {listed(unnamed)}."))
    return notes
