"""What rules understand of a person's instructions: plain English sentences about columns, gaps, outliers and estimators."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from autods.config import estimator_names

__all__ = ["Wishes", "read_instructions"]

_NOT = re.compile(r"\b(do not|don't|dont|never|no|not|without|avoid)\b")
_DROP = re.compile(r"\b(drop|ignore|remove|exclude|leave out)\b")
_KEEP = re.compile(r"\bkeep\b")
_CLIP = re.compile(r"\b(clip\w*|outliers?)\b")
_FILL = re.compile(
    r"\b(fill|impute)\w*\b.*\b(all|every|missing)\b|\bno missing values\b|\bnothing (may |should )?(stay|be) missing\b"
)
_ONLY = re.compile(r"\bonly\b")


@dataclass(frozen=True)
class Wishes:
    """What a person's sentences ask for; `understood` are those sentences, for the reports.

    `drop` and `keep` name columns; `only` and `without` name estimators.
    """

    drop: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    fill_all: bool = False
    no_clipping: bool = False
    understood: tuple[str, ...] = ()


def read_instructions(text: str, columns: Iterable[str]) -> Wishes:
    """Read what rules can act on, a sentence at a time; what they do not understand stays for people and models.

    Parameters
    ----------
    text
        The instructions.
    columns
        The columns there are.

    Examples
    --------
    >>> wishes = read_instructions("Ignore the column Ticket. Do not clip outliers; no neural networks.", ["Ticket", "Fare"])
    >>> wishes.drop, wishes.no_clipping, wishes.without
    (('Ticket',), True, ('neural_network',))
    """
    found: dict[str, list[str]] = {"drop": [], "keep": [], "only": [], "without": []}
    understood, fill_all, no_clipping = [], False, False
    names = list(columns)
    for sentence in filter(None, (part.strip(" -*\t") for part in re.split(r"[.;!]\s+|[.;!]?\n|[.;!]$", text))):
        lower, refused = sentence.casefold(), bool(_NOT.search(sentence.casefold()))
        named, meant = _named(sentence, names), _estimators(lower)
        before = (sum(map(len, found.values())), fill_all, no_clipping)
        if named and _DROP.search(lower):
            found["keep" if refused else "drop"] += named
        elif named and _KEEP.search(lower):
            found["keep"] += named
        if meant and (refused or _ONLY.search(lower)):
            found["without" if refused else "only"] += meant
        fill_all |= bool(_FILL.search(lower)) and not re.search(r"\b(do not|don't|never)\b", lower)
        no_clipping |= refused and bool(_CLIP.search(lower))
        if (sum(map(len, found.values())), fill_all, no_clipping) != before:
            understood.append(sentence)
    lists = {name: tuple(dict.fromkeys(values)) for name, values in found.items()}
    return Wishes(**lists, fill_all=fill_all, no_clipping=no_clipping, understood=tuple(understood))


def _named(sentence: str, columns: list[str]) -> list[str]:
    return [name for name in columns if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", sentence, flags=re.IGNORECASE)]


def _estimators(sentence: str) -> list[str]:
    plain = re.sub(r"[\s_-]+", " ", sentence)
    return [name for name in estimator_names() if re.search(rf"\b{name.replace('_', ' ')}s?\b", plain)]
