"""Class labels: spelled as a submission spells them, in the order of their codes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autods.competition.conversion_log import listed
from autods.competition.settings import Settings
from autods.errors import CompetitionError, nearest
from autods.records import Fact, Kind, Note

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

__all__ = ["Labels", "encode_labels"]

WHOLE = re.compile(r"[+-]?\d+(\.0+)?")
POSITIVE_WORDS = ("1", "true", "yes", "y", "t", "positive", "pos", "+", "on", "1.0", "present")
NEGATIVE_WORDS = ("0", "false", "no", "n", "f", "negative", "neg", "-", "off", "0.0", "absent")


@dataclass(frozen=True)
class Labels:
    """Classes in the order of their codes, the code of every row, and how the order was found."""

    classes: tuple[str, ...]
    codes: np.ndarray
    fact: Fact
    notes: tuple[Note, ...]


def encode_labels(
    text: pd.Series,
    kind: Kind,
    settings: Settings,
    *,
    sample_labels: Sequence[str] = (),
    column_classes: Sequence[str] = (),
    hint: str = "",
) -> Labels:
    """Spell a target's labels, order them, and give every row its code.

    Parameters
    ----------
    text
        The labelled rows of the target as spelled.
    kind
        `binary` (the positive class becomes the last), `multiclass` or `ordinal`.
    settings
        `classes` and `positive_class` decide where they are stated.
    sample_labels
        Labels that the sample submission shows; their spelling wins.
    column_classes
        Classes that have a column in the sample submission.
    hint
        Text that may say of which class a probability is wanted.

    Examples
    --------
    >>> import pandas as pd
    >>> labels = encode_labels(pd.Series(["1.0", "0.0"]), "binary", Settings(), sample_labels=["0"])
    >>> labels.classes, labels.codes.tolist()
    (('0', '1'), [1, 0])
    """
    import pandas as pd

    spelling, notes = _spelling(
        [str(label) for label in text.unique()], sample_labels or column_classes, str(text.name)
    )
    spelled = text.map(spelling)
    counts = spelled.value_counts()
    found = [str(label) for label in counts.index]
    labels = [*found, *(label for label in column_classes if label not in found)]
    if settings.classes:
        classes, fact = _stated(settings, labels, text)
    elif kind == "binary":
        classes, fact = _binary(labels, {str(label): int(count) for label, count in counts.items()}, settings, hint)
    else:
        classes = tuple(sorted(labels, key=_order(labels)))
        fact = Fact(listed(classes), "sorted, numbers by size", 0.9 if kind == "multiclass" else 0.8)
    codes = pd.Categorical(spelled, categories=list(classes)).codes.astype("int64")
    return Labels(classes, codes, fact, notes)


def _spelling(labels: Sequence[str], sample: Sequence[str], name: str) -> tuple[dict[str, str], tuple[Note, ...]]:
    """Map every label as spelled in train to its spelling in a submission."""
    shown = {str(label) for label in sample}
    steps: list[tuple[Callable[[Sequence[str], set[str]], Mapping[str, str]], str]] = [
        (_without_blanks, "without the blanks around them"),
        (_without_point, "without `.0`, whole numbers as they are"),
        (_as_sample, "as the sample submission spells them"),
    ]
    spelling = {label: label for label in labels}
    notes = []
    for step, how in steps:
        changed = step(list(dict.fromkeys(spelling.values())), shown)
        if changed:
            spelling = {label: changed.get(now, now) for label, now in spelling.items()}
            pairs = listed([f"{old!r} as {new!r}" for old, new in changed.items()], 4)
            notes.append(Note(name, f"Labels of {name} are written {how}: {pairs}."))
    return spelling, tuple(notes)


def _without_blanks(labels: Sequence[str], shown: set[str]) -> dict[str, str]:
    changed = {label: label.strip() for label in labels if label != label.strip() and label not in shown}
    return changed


def _without_point(labels: Sequence[str], shown: set[str]) -> dict[str, str]:
    if not all(WHOLE.fullmatch(label) for label in labels) or any(
        re.fullmatch(r"[+-]?\d+\.0+", label) for label in shown
    ):
        return {}
    return {label: re.sub(r"\.0+$", "", label) for label in labels if "." in label}


def _as_sample(labels: Sequence[str], shown: set[str]) -> dict[str, str]:
    """Follow the sample where it writes the same labels otherwise: other case, True for 1, 1.0 for 1."""
    if not shown or any(label in shown for label in labels):
        return {}
    for key in (str.casefold, _as_bit):
        wanted = {key(label): label for label in sorted(shown)}
        if None in wanted or len(wanted) < len(shown) or len({key(label) for label in labels}) < len(labels):
            continue
        if wanted.keys() <= {key(label) for label in labels}:
            return {label: _write_like(key(label), wanted) for label in labels}
    return {}


def _as_bit(label: str) -> str | None:
    return {"true": "1", "false": "0", "1": "1", "0": "0", "1.0": "1", "0.0": "0"}.get(label.strip().casefold())


def _write_like(key: str | None, wanted: Mapping[str | None, str]) -> str:
    """Write a label in the style of the sample, which may show one of two."""
    if key in wanted:
        return wanted[key]
    example = next(iter(wanted.values()))
    pairs = {"True": "False", "true": "false", "TRUE": "FALSE", "1": "0", "1.0": "0.0"}
    opposite = {**pairs, **{low: high for high, low in pairs.items()}}
    return opposite.get(example, str(key))


def _stated(settings: Settings, labels: Sequence[str], text: pd.Series) -> tuple[tuple[str, ...], Fact]:
    unknown = [label for label in labels if label not in settings.classes]
    if unknown:
        raise CompetitionError(
            f"{settings.source} lists the classes {listed(settings.classes)}, but {text.name} also holds {unknown[0]!r}; "
            "add it to `classes:` or leave the key out."
        )
    return settings.classes, Fact(listed(settings.classes), f"stated in {settings.source}", 1.0)


def _binary(
    labels: Sequence[str], counts: Mapping[str, int], settings: Settings, hint: str
) -> tuple[tuple[str, ...], Fact]:
    if len(labels) == 1:
        labels = [*labels, _opposite(labels[0])]
    positive, evidence, confidence = _positive(labels, counts, settings, hint)
    negative = next(label for label in labels if label != positive)
    return (negative, positive), Fact(positive, evidence, confidence)


def _opposite(label: str) -> str:
    words = dict(zip((*POSITIVE_WORDS, *NEGATIVE_WORDS), (*NEGATIVE_WORDS, *POSITIVE_WORDS), strict=True))
    other = words.get(label.casefold(), f"not {label}")
    return other.capitalize() if label.istitle() else other.upper() if label.isupper() else other


def _positive(
    labels: Sequence[str], counts: Mapping[str, int], settings: Settings, hint: str
) -> tuple[str, str, float]:
    stated = settings.positive_class or settings.submission.get("positive_class")
    if stated is not None:
        if str(stated) not in labels:
            raise CompetitionError(
                f"{settings.source} names the positive class {stated!r}; {nearest(str(stated), labels)}"
            )
        return str(stated), f"stated in {settings.source}", 1.0
    for label in labels:
        other = next(rest for rest in labels if rest != label)
        if label.casefold() in POSITIVE_WORDS and other.casefold() in NEGATIVE_WORDS:
            return label, f"{label!r} against {other!r}", 0.98
        if re.fullmatch(rf"(no|not|non|un|in|without|ab)[\s_-]?{re.escape(label)}", other, re.IGNORECASE):
            return label, f"{other!r} denies it", 0.9
    named = [
        label
        for label in labels
        if re.search(rf"probabilit\w*[^.]{{0,60}}(?<!\w){re.escape(label)}(?!\w)", hint, re.IGNORECASE)
    ]
    if len(named) == 1:
        return named[0], "the overview asks for its probability", 0.85
    if all(re.fullmatch(r"[+-]?\d+(\.\d+)?", label) for label in labels):
        return max(labels, key=float), "the greater number", 0.9
    rarer = min(sorted(labels, reverse=True), key=lambda label: counts.get(label, 0))
    return rarer, f"the rarer of the two ({counts.get(rarer, 0):,} rows)", 0.6


def _order(labels: Sequence[str]) -> Callable[[str], tuple[float, str]]:
    try:
        numbers = {label: float(label) for label in labels}
    except ValueError:
        return lambda label: (0.0, label)
    return lambda label: (numbers[label], label)
