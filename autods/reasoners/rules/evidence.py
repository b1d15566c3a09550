"""Findings of earlier phases as evidence: looked up, ranked and cited."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autods.reasoners.base import Situation
from autods.tools import Finding

__all__ = ["all_findings", "evidence", "finding"]


def all_findings(situation: Situation) -> Iterator[tuple[str, Finding]]:
    """Every finding so far with the slug of its phase, the latest phase first."""
    for slug in reversed(list(situation.findings)):
        for found in situation.findings[slug]:
            yield slug, found


def finding(situation: Situation, statistic: str, column: str) -> Finding | None:
    """The finding with this statistic on this column, if an EDA phase made one."""
    for _, found in all_findings(situation):
        if found.statistic == statistic and column in found.columns:
            return found
    return None


def evidence(situation: Situation, columns: Sequence[str]) -> str:
    """Cite the latest finding that names one of the columns."""
    for slug, found in all_findings(situation):
        if set(found.columns) & set(columns):
            return f"{slug.replace('_', ' ')} found: {found.text}"
    return "no finding speaks against it"
