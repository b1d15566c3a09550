"""Which columns are to be predicted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autods.competition.conversion_log import listed
from autods.competition.headers import match_name
from autods.competition.sample import SampleParts
from autods.competition.settings import Settings
from autods.errors import CompetitionError, nearest
from autods.records import Fact

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Targets", "class_columns_of", "find_targets"]

USUAL_NAMES = ("target", "label", "y", "class", "outcome", "response", "labels", "targets")
MOST_CLASSES = 2000


@dataclass(frozen=True, slots=True)
class Targets:
    """The target columns, and where the sample has a column a class, the class of each of those columns."""

    names: tuple[str, ...]
    fact: Fact
    class_columns: tuple[tuple[str, str], ...] = ()


def find_targets(
    train: pd.DataFrame,
    test: pd.DataFrame,
    parts: SampleParts | None,
    overview: str,
    settings: Settings,
    id_column: str | None = None,
) -> Targets:
    """Find the target columns: as the settings say, as the sample names them, else what only train has.

    Raises
    ------
    CompetitionError
        When nothing can be the target.
    """
    if settings.targets:
        return _stated(train, parts, settings)
    only_train = [str(name) for name in train.columns if name not in test.columns and name != id_column]
    if parts is not None and (found := _named_by_sample(train, only_train, parts)):
        return found
    if not only_train:
        return _in_both(train, test, parts, overview)
    name, evidence, confidence = _pick(only_train, overview, 1 if parts is None else len(parts.values))
    if parts is not None:
        evidence = f"the sample's {listed(parts.values)} is no column of train; {evidence}"
        confidence = min(confidence, 0.8)
    return Targets(name, Fact(listed(name), evidence, confidence))


def _stated(train: pd.DataFrame, parts: SampleParts | None, settings: Settings) -> Targets:
    names = []
    for wanted in settings.targets:
        name = match_name(wanted, [str(column) for column in train.columns])
        if name is None:
            raise CompetitionError(
                f"{settings.source} names the target {wanted!r}, which the train file does not have; "
                f"{nearest(wanted, [str(column) for column in train.columns])}"
            )
        names.append(name)
    columns = class_columns_of(train[names[0]], names[0], parts.values) if parts and len(names) == 1 else ()
    return Targets(tuple(names), Fact(listed(names), f"stated in {settings.source}", 1.0), columns)


def _named_by_sample(train: pd.DataFrame, only_train: Sequence[str], parts: SampleParts) -> Targets | None:
    wanted = parts.long_names or parts.values
    known = tuple(name for name in wanted if name in train.columns)
    if known:
        missing = [name for name in wanted if name not in known]
        evidence = "the sample submission asks for it" if len(known) == 1 else "the sample submission asks for them"
        evidence += f"; {listed(missing)} is no column of train" if missing else ""
        return Targets(known, Fact(listed(known), evidence, 0.6 if missing else 0.98))
    for name in only_train:
        columns = class_columns_of(train[name], name, wanted)
        if columns:
            evidence = f"the sample's columns {listed(wanted, 3)} are the classes of {name}"
            return Targets((name,), Fact(name, evidence, 0.95), columns)
    return None


def _pick(only_train: Sequence[str], overview: str, n_wanted: int) -> tuple[tuple[str, ...], str, float]:
    """Choose among the columns that only train has."""
    if len(only_train) == 1:
        return (only_train[0],), "the only column that train has and test has not", 0.95
    if n_wanted == len(only_train):
        return tuple(only_train), f"the {n_wanted} columns that only train has", 0.7
    asked = _asked_for(only_train, overview)
    if asked:
        return (asked,), "the overview asks for it and only train has it", 0.85
    for usual in USUAL_NAMES:
        if name := match_name(usual, only_train):
            return (name,), f"named like a target, and one of {len(only_train)} columns that only train has", 0.7
    last = only_train[-1]
    return (last,), f"the last of {len(only_train)} columns that only train has ({listed(only_train)})", 0.4


def _in_both(train: pd.DataFrame, test: pd.DataFrame, parts: SampleParts | None, overview: str) -> Targets:
    shared = [str(name) for name in train.columns]
    empty = [
        name for name in shared if not (test[name].str.strip() != "").any() and (train[name].str.strip() != "").any()
    ]
    if len(empty) == 1:
        return Targets((empty[0],), Fact(empty[0], "empty in all of test and filled in train", 0.85))
    asked = _asked_for(shared, overview)
    if asked:
        return Targets((asked,), Fact(asked, "the overview asks for it", 0.7))
    for usual in USUAL_NAMES[:2]:
        if name := match_name(usual, shared):
            return Targets((name,), Fact(name, "named like a target", 0.5))
    wants = (
        f"the sample submission asks for {listed(parts.values)}, which train does not have"
        if parts
        else ("there is no sample submission that names one")
    )
    raise CompetitionError(
        f"No target was found: every column of the train file is in the test file too, and {wants}; "
        "write `target: COLUMN` in competition.yaml."
    )


def _asked_for(names: Iterable[str], overview: str) -> str | None:
    """Find the column that an overview asks to predict: the one most often named near a word for predicting."""
    scores = {name: _mentions(name, overview) for name in names}
    best = max(scores, key=lambda name: scores[name])
    ranked = sorted(scores.values(), reverse=True)
    return best if scores[best] and (len(ranked) == 1 or ranked[0] > ranked[1]) else None


def _mentions(name: str, overview: str) -> int:
    count = 0
    word = re.compile(rf"(?<![\w]){re.escape(name)}(?![\w])")
    for sentence in re.split(r"(?<=[.!?])\s+|\n", overview):
        if re.search(r"\b(predict|target|forecast|estimat|classif|outcome|goal|response)", sentence, re.IGNORECASE):
            count += len(word.findall(sentence)) + 2 * sentence.count(f"`{name}`")
    return count


def class_columns_of(target: pd.Series, name: str, columns: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Pair the sample's columns with the classes of a target: `glass_1` with `1`, `Class A` with `A`, `yes` with `yes`.

    Returns
    -------
    tuple of (column, class)
        Empty when the columns are not this target's classes. A class that train never shows keeps its column's wording.

    Examples
    --------
    >>> import pandas as pd
    >>> class_columns_of(pd.Series(["1", "2", "2"]), "glass", ["glass_1", "glass_2", "glass_3"])
    (('glass_1', '1'), ('glass_2', '2'), ('glass_3', '3'))
    """
    labels = [str(label).strip() for label in target.unique() if str(label).strip()]
    if len(columns) < 2 or not 1 <= len(labels) <= MOST_CLASSES:
        return ()
    known = {_plain(label): label for label in labels}
    for prefix in _prefixes(name, columns):
        named = prefix.lower().startswith(name.lower()) and all(c.lower().startswith(prefix.lower()) for c in columns)
        rest = [column[len(prefix) :] if column.lower().startswith(prefix.lower()) else column for column in columns]
        pairs = tuple((column, known.get(_plain(part), part)) for column, part in zip(columns, rest, strict=True))
        hits = {label for _, label in pairs} & set(labels)
        if len(hits) >= max(1, 0.6 * len(labels)) and (named or len(hits) > len(columns) // 2 - (len(labels) == 1)):
            return pairs if len({label for _, label in pairs}) == len(columns) else ()
    return ()


def _prefixes(name: str, columns: Sequence[str]) -> list[str]:
    shortest, longest = min(columns), max(columns)
    shared = next((i for i, letter in enumerate(shortest) if longest[i : i + 1] != letter), len(shortest))
    common = shortest[:shared]
    cut = re.sub(r"[^_\W]+$", "", common)
    options = ["", *(name + separator for separator in ("_", " ", "-", "=", ".", ":", "")), cut, common]
    options += [
        word + separator
        for word in ("class", "prob", "proba", "p", "predict", "label", "status", "target")
        for separator in ("_", " ", "-", "")
    ]
    return list(dict.fromkeys(options))


def _plain(label: str) -> str:
    text = re.sub(r"[\s_-]+", " ", label.strip()).casefold()
    return re.sub(r"^([+-]?\d+)\.0+$", r"\1", text)
