"""The candidates side by side: the rows that the tables and the picture of every report share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from autods.records import CandidateResult, Score
from autods.reports.content import RunContent
from autods.validation.scoring import rank_key

__all__ = ["ComparisonRow", "blended_importance", "comparison_rows"]


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One line: what it is, its score, its weight in the blend, and a remark."""

    name: str
    role: Literal["blend", "candidate", "baseline", "constant", "unfinished"]
    score: Score | None
    weight: float | None = None
    seconds: float | None = None
    remark: str = ""


def comparison_rows(content: RunContent, most: int = 20) -> tuple[ComparisonRow, ...]:
    """Return the blend, then the candidates from best to worst, the baseline, the constant, and what was not finished.

    Of a candidate's tuning trials only the best and those in the blend are shown; the remark counts the others.
    """
    rows: list[ComparisonRow] = []
    training = content.training
    if training is not None:
        blend = training.blend
        weights = blend.weights if blend is not None else {}
        single = next(iter(weights)) if len(weights) == 1 else None
        if blend is not None and single is None:
            rows.append(ComparisonRow("blend", "blend", blend.score, 1.0, None, "submitted"))
        shown = _shown(training.results, weights)
        ranked = sorted((result for result in shown if result.score), key=lambda result: rank_key(result.score))
        for result in (r for place, r in enumerate(ranked) if place < most or r.name in weights):
            trials = sum(other.base == result.name for other in training.results)
            remark = f"{trials} tuning trials" if trials else f"tuned from {result.base}" if result.base else ""
            if blend is not None and result.name == single:
                remark = ", ".join(filter(None, ("submitted", remark)))
                rows.insert(0, ComparisonRow(result.name, "blend", blend.score, 1.0, result.seconds, remark))
                continue
            weight = weights.get(result.name)
            rows.append(ComparisonRow(result.name, "candidate", result.score, weight, result.seconds, remark))
    if content.baseline is not None:
        rows.append(ComparisonRow("plain LightGBM", "baseline", content.baseline, remark="the reference"))
    if content.constant is not None:
        rows.append(ComparisonRow("best constant", "constant", content.constant, remark="the floor"))
    for result in training.results if training is not None else ():
        if result.score is None and result.base is None:
            remark = result.status.replace("_", " ") + (f": {result.message}" if result.message else "")
            rows.append(ComparisonRow(result.name, "unfinished", None, None, result.seconds, remark))
    return tuple(rows)


def _shown(results: tuple[CandidateResult, ...], weights: Mapping[str, float]) -> list[CandidateResult]:
    best: dict[str, CandidateResult] = {}
    for result in results:
        if result.base and result.score:
            known = best.get(result.base)
            if known is None or rank_key(result.score) < rank_key(known.score):
                best[result.base] = result
    return [r for r in results if r.base is None or r.name in weights or best.get(r.base) is r]


def blended_importance(content: RunContent, most: int = 15) -> tuple[tuple[str, float], ...]:
    """Return the shares of the most important features, averaged over the blend's members by weight."""
    training = content.training
    if training is None or training.blend is None:
        return ()
    by_name = {result.name: result for result in training.results}
    totals: dict[str, float] = {}
    for name, weight in training.blend.weights.items():
        shares = by_name[name].importance if name in by_name else {}
        whole = sum(abs(share) for share in shares.values())
        for feature, share in shares.items():
            totals[feature] = totals.get(feature, 0.0) + weight * abs(share) / (whole or 1.0)
    whole = sum(totals.values())
    ranked = sorted(totals.items(), key=lambda item: (-item[1], item[0]))[:most]
    return tuple((feature, share / whole) for feature, share in ranked if share > 0)
