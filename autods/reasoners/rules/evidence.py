"""Findings of earlier phases as evidence: looked up, ranked and cited."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autods.reasoners.base import Situation
from autods.tools import Finding

__all__ = ["all_findings", "evidence"]


def all_findings(situation: Situation) -> Iterator[tuple[str, Finding]]:
    """Every finding so far with the slug of its phase, the latest phase first."""
    for slug in reversed(list(situation.findings)):
        for found in situation.findings[slug]:
            yield slug, found


def evidence(situation: Situation, columns: Sequence[str]) -> str:
    """Cite the latest finding that names one of the columns."""
    for slug, found in all_findings(situation):
        if set(found.columns) & set(columns):
            return f"{slug.replace('_', ' ')} found: {found.text}"
    return "no finding speaks against it"
