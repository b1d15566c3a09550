"""The run's report as one HTML file: pictures, style and code inside, so that it opens anywhere, offline."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from autods.records import GateReport, Score
from autods.reports.comparison import ComparisonRow, comparison_rows
from autods.reports.content import PhaseContent, RunContent, is_noise, verdict
from autods.reports.figures import CAPTIONS, as_svg
from autods.reports.rendering import TEMPLATES, render_html
from autods.reports.text import code_span, duration, number
from autods.reports.trail import (
    attempt_line,
    attempt_outcome,
    gates_line,
    headers_of,
    isolation_sentence,
    obeyed,
    plan_is_told,
    settings_rows,
)
from autods.validation.scoring import paired_difference

__all__ = ["html_report"]

_NUMERIC = re.compile(r"[-+–]?[\d,.]*\d(?:e[-+]?\d+)?\s*(?:%|×|s|MB)?(?:\s*±\s*[\d.e-]+)?|–|")


def html_report(content: RunContent, figures: Mapping[str, Any]) -> str:
    """Write `report.html`.

    Parameters
    ----------
    content
        The run.
    figures
        The run's own pictures, as `run_figures` draws them.

    Returns
    -------
    str
        A page without any reference to another file or address.
    """
    from markupsafe import Markup

    pictures = {name: Markup(as_svg(figure, name)) for name, figure in figures.items()}  # only our own drawing
    return render_html(
        "report.html.j2",
        content=content,
        task=content.task,
        verdict=verdict(content),
        tiles=_tiles(content),
        pictures=pictures,
        captions=CAPTIONS,
        scores=_scores(comparison_rows(content), content.task.metric),
        slices=_slices(content),
        facts=_facts(content),
        files=_files(content),
        phases=[_phase(phase) for phase in content.phases],
        obeyed=obeyed(content),
        settings=_table(("setting", "value"), settings_rows(content.config)),
        versions=_table(("library", "version"), list(content.versions.items())),
        isolation=isolation_sentence(content.isolation),
        style=Markup((TEMPLATES / "report.css").read_text(encoding="utf-8")),
        reasoner=content.config.reasoner,
    )


# --- the top of the page ---------------------------------------------------------------------------------------------
def _tiles(content: RunContent) -> list[dict[str, str]]:
    score = content.score
    tiles = []
    if score is not None:
        direction = "higher" if score.greater_is_better else "lower"
        spread = f"± {number(score.standard_error)}" if math.isfinite(score.standard_error) else ""
        tiles.append(
            _tile(f"{score.metric}, out of fold", number(score.value), f"{spread} · {direction} is better", "main")
        )
        for name, other in (("plain LightGBM", content.baseline), ("best constant", content.constant)):
            if other is not None and other is not score:
                tiles.append(_against(name, score, other))
    training = content.training
    if training is not None:
        done = sum(result.status == "ok" and result.base is None for result in training.results)
        trials = sum(result.base is not None for result in training.results)
        members = len(training.blend.weights) if training.blend else 0
        tiles.append(_tile("candidates", str(done), f"{trials} tuning trials · {members} in the blend"))
    total = content.timings.get("total")
    if total is not None:
        budget = f"of {duration(content.config.budget_s)} budget" if content.config.budget_s else "no budget"
        tiles.append(_tile("time", duration(total), f"{budget} · effort {content.config.effort}"))
    return tiles


def _tile(label: str, value: str, note: str, look: str = "") -> dict[str, str]:
    return {"label": label, "value": value, "note": note.strip(" ·"), "look": look}


def _against(name: str, score: Score, other: Score) -> dict[str, str]:
    gain, error = paired_difference(score, other)
    look = "" if is_noise(gain, error) else "good" if gain > 0 else "bad"
    words = "within noise" if is_noise(gain, error) else "better" if gain > 0 else "worse"
    sign = "+" if gain >= 0 else "−"
    return _tile(f"against {name}", f"{sign}{number(abs(gain))}", f"± {number(error)} · {words}", look)


def _scores(rows: Sequence[ComparisonRow], metric: str) -> dict[str, Any]:
    cells = [
        (
            f"**{row.name}**" if row.role == "blend" else row.name,
            number(row.score.value) if row.score else "–",
            f"± {number(row.score.standard_error)}" if row.score else "–",
            f"{100 * row.weight:.0f} %" if row.weight is not None else "",
            duration(row.seconds) if row.seconds is not None else "",
            row.remark,
        )
        for row in rows
    ]
    return _table(("candidate", metric, "standard error", "weight", "time", ""), cells)


def _slices(content: RunContent) -> list[dict[str, Any]]:
    worst = max((part.loss for part in content.slices), default=1.0) or 1.0
    return [
        {
            "column": part.column, "values": part.values, "rows": f"{part.rows:,}", "loss": number(part.loss),
            "ratio": f"{part.ratio:.1f} ×", "width": round(100 * part.loss / worst, 1),
            "overall": round(100 * part.overall / worst, 1),
        }
        for part in content.slices
    ]  # fmt: skip


def _facts(content: RunContent) -> list[dict[str, Any]]:
    """The task's facts with their evidence, unless a phase's summary shows them already."""
    if any("evidence" in headers_of(phase.summary) for phase in content.phases):
        return []
    return [
        {"name": name, "value": fact.value, "evidence": fact.evidence, "sure": round(100 * fact.confidence)}
        for name, fact in content.task.facts.items()
    ]


def _files(content: RunContent) -> dict[str, Any]:
    rows = [
        (
            f"`{f.name}`",
            f.role.replace("_", " "),
            f"{f.rows:,}" if f.rows is not None else "",
            str(f.columns or ""),
            f.sha256[:12],
        )
        for f in content.files
    ]
    return _table(("file", "role", "rows", "columns", "sha256"), rows)


# --- the phases ------------------------------------------------------------------------------------------------------
def _phase(content: PhaseContent) -> dict[str, Any]:
    attempt, summary = content.accepted, content.summary
    plan = None if attempt.plan is None or plan_is_told(summary) else attempt.plan
    steps = [
        (step.action, ", ".join(map(code_span, step.columns)), f"`{step.tool}`" if step.tool else "", step.because)
        for step in (plan.steps if plan else ())
    ]
    return {
        "slug": content.phase.slug,
        "number": content.phase.number,
        "title": content.phase.title,
        "goal": content.phase.goal,
        "seconds": content.seconds,
        "summary": summary,
        "sections": [
            {
                "heading": section.heading,
                "text": section.text,
                "tables": [_table(table.header, table.rows, table.caption) for table in section.tables],
                "figures": [_picture(content.folder / path) for path in section.figures],
            }
            for section in summary.sections
        ],
        "plan": _table(("step", "columns", "tool", "because"), steps) if steps else None,
        "gates": _gates(attempt.gates),
        "gates_line": gates_line(attempt.gates),
        "trail": [{"outcome": attempt_outcome(one), "text": attempt_line(one)} for one in content.attempts],
        "outcome": attempt_outcome(attempt),
        "tries": len(content.attempts),
        "review": attempt.review,
        "code": attempt.code,
    }


def _gates(report: GateReport | None) -> dict[str, Any]:
    checks = report.checks if report is not None else ()
    loud = ("failed", "warned")
    ranked = sorted(checks, key=lambda check: ("failed", "warned", "passed", "skipped").index(check.outcome))
    return {"checks": ranked, "open": any(check.outcome in loud for check in checks)}


def _picture(path: Path) -> dict[str, str]:
    kinds = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".svg": "image/svg+xml"}
    name = path.stem.replace("_", " ")
    if path.suffix not in kinds or not path.is_file():
        return {"name": name, "source": ""}
    return {"name": name, "source": f"data:{kinds[path.suffix]};base64,{base64.b64encode(path.read_bytes()).decode()}"}


def _table(header: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "") -> dict[str, Any]:
    """Prepare a table; columns of numbers are set to the right."""
    numeric = [
        bool(rows) and any(row[j] for row in rows) and all(_NUMERIC.fullmatch(str(row[j]).lstrip("± ")) for row in rows)
        for j in range(len(header))
    ]
    return {"header": header, "rows": rows, "numeric": numeric, "caption": caption}
