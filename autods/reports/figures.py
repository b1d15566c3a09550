"""The pictures of a run's report: candidates compared, scores by fold, importance of features."""

from __future__ import annotations

import contextlib
import io
import math
import re
import warnings
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from autods.reports.comparison import ComparisonRow, blended_importance, comparison_rows
from autods.reports.content import RunContent
from autods.reports.text import number, one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["CAPTIONS", "as_png", "as_svg", "run_figures"]

CAPTIONS = {
    "model_comparison": "Every candidate on the same folds; dashed lines mark the plain LightGBM and the best constant.",
    "fold_scores": "Each fold's score of what was submitted, beside the plain LightGBM's on the same rows.",
    "importance": "The features that the blend's members used most.",
}

# Named colours of the page; the SVG is given the page's variables so that it follows light and dark.
INK, MUTED, LINE, ACCENT, NEUTRAL, FLOOR = "#1f2328", "#6a7280", "#d8dce2", "#2f6fdf", "#9aa4b2", "#c2703d"
_VARIABLES = {
    INK: "--ink", MUTED: "--muted", LINE: "--line", ACCENT: "--accent", NEUTRAL: "--neutral", FLOOR: "--warm",
}  # fmt: skip
_STYLE = {
    "font.size": 10.5, "font.family": "DejaVu Sans", "svg.fonttype": "none", "axes.edgecolor": LINE,
    "axes.labelcolor": MUTED, "text.color": INK, "xtick.color": MUTED, "ytick.color": INK, "axes.linewidth": 0.8,
    "axes.spines.top": False, "axes.spines.right": False, "axes.spines.left": False, "text.parse_math": False,
}  # fmt: skip
WIDTH = 8.4


def run_figures(content: RunContent) -> dict[str, Figure]:
    """Draw the pictures that the run has something to show for, by name; each has its caption in `CAPTIONS`."""
    figures: dict[str, Figure] = {}
    rows = [row for row in comparison_rows(content, most=14) if row.score and math.isfinite(row.score.value)]
    with _styled():
        if len(rows) > 1:
            figures["model_comparison"] = _comparison(rows)
        if content.score is not None and len(content.score.folds) > 1:
            figures["fold_scores"] = _folds(content)
        shares = blended_importance(content)
        if shares:
            figures["importance"] = _importance(shares)
    return figures


@contextlib.contextmanager
def _styled() -> Iterator[None]:
    import matplotlib as mpl

    with mpl.rc_context(_STYLE), warnings.catch_warnings():  # type: ignore[arg-type]
        # A name may hold letters that the font lacks; a box in a picture is no reason to fail a report.
        warnings.filterwarnings("ignore", message="Glyph")
        yield


def _figure(height: float) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    axes = figure.add_subplot()
    axes.tick_params(length=0, pad=6)
    axes.set_axisbelow(True)
    axes.grid(axis="x", color=LINE, linewidth=0.7)
    return figure, axes


def _short(name: str, most: int = 32) -> str:
    name = one_line(name)
    return name if len(name) <= most else name[: most - 1] + "…"


def _error(score: Any) -> float:
    return score.standard_error if math.isfinite(score.standard_error) else 0.0


def _comparison(rows: list[ComparisonRow]) -> Figure:
    figure, axes = _figure(0.9 + 0.36 * len(rows))
    low, high, hidden = _range(rows)
    colours = {"blend": ACCENT, "candidate": NEUTRAL, "baseline": INK, "constant": FLOOR}
    greater = rows[0].score.greater_is_better if rows[0].score else True
    for place, row in enumerate(rows):
        assert row.score is not None
        colour, value = colours[row.role], row.score.value
        if row in hidden:
            edge = low if value < low else high
            side, arrow = ("left", "← ") if value < low else ("right", " →")
            text = f"{arrow}{number(value)}" if side == "left" else f"{number(value)}{arrow}"
            axes.text(edge, place, text, ha=side, va="center", color=colour, fontsize=9.5)
            continue
        if row.role in ("baseline", "constant"):
            axes.axvline(value, color=colour, linewidth=1.1, linestyle=(0, (4, 3)), alpha=0.8, zorder=1)
        size = 8.5 if row.role == "blend" else 6.5
        axes.errorbar(value, place, xerr=_error(row.score), fmt="o", color=colour, ms=size, lw=1.8, capsize=0, zorder=3)
        axes.annotate(
            number(value), (value + _error(row.score), place), (7, 0), textcoords="offset points", va="center",
            fontsize=9, color=colour if row.role == "blend" else MUTED, zorder=4,
        )  # fmt: skip
    axes.set_yticks(range(len(rows)), [_label(row) for row in rows])
    for tick, row in zip(axes.get_yticklabels(), rows, strict=True):
        tick.set_color(colours[row.role] if row.role != "candidate" else INK)
        tick.set_fontweight("bold" if row.role == "blend" else "normal")
    axes.set_ylim(len(rows) - 0.4, -0.6)
    span = high - low
    axes.set_xlim(low - 0.02 * span, high + 0.12 * span)
    metric = rows[0].score.metric if rows[0].score else ""
    axes.set_xlabel(f"{metric}, mean over folds ± standard error ({'higher' if greater else 'lower'} is better)")
    return figure


def _label(row: ComparisonRow) -> str:
    weight = f"  {100 * row.weight:.0f} %" if row.weight is not None and row.role == "candidate" else ""
    return _short(row.name) + weight


def _range(rows: list[ComparisonRow]) -> tuple[float, float, list[ComparisonRow]]:
    """Return the axis that shows the contest; what is too far away to be in it is pointed at, not drawn."""
    core = [row for row in rows if row.role in ("blend", "baseline")] or rows[:1]
    spread = max((_error(row.score) for row in core), default=0.0)
    values = sorted(row.score.value for row in rows if row.score)
    centre = [row.score.value for row in core if row.score]
    candidates = [row.score.value for row in rows if row.role == "candidate" and row.score]
    near = sorted(abs(value - centre[0]) for value in (*centre, *candidates))
    reach = max(3 * near[len(near) // 2], 8 * spread, 1.3 * max(abs(value - centre[0]) for value in centre))
    inside = [row for row in rows if row.score and abs(row.score.value - centre[0]) <= (reach or math.inf)]
    if not inside or values[0] == values[-1]:
        pad = abs(values[0]) * 0.05 or 1.0
        return values[0] - pad, values[-1] + pad, []
    low = min(row.score.value - _error(row.score) for row in inside if row.score)
    high = max(row.score.value + _error(row.score) for row in inside if row.score)
    return low, high, [row for row in rows if row not in inside]


def _folds(content: RunContent) -> Figure:
    score, baseline = content.score, content.baseline
    assert score is not None
    paired = baseline is not None and baseline is not score and len(baseline.folds) == len(score.folds)
    n = len(score.folds)
    figure, axes = _figure(2.9)
    axes.grid(axis="x", visible=False)
    axes.grid(axis="y", color=LINE, linewidth=0.7)
    places = list(range(1, n + 1))
    if paired and baseline is not None:
        axes.vlines(places, baseline.folds, score.folds, color=LINE, linewidth=3, zorder=1)
        axes.plot(places, baseline.folds, "o", color=INK, ms=5, mfc="none", label="plain LightGBM", zorder=2)
    axes.plot(places, score.folds, "o", color=ACCENT, ms=7, label="submitted", zorder=3)
    error = _error(score)
    axes.axhspan(score.value - error, score.value + error, color=ACCENT, alpha=0.12, lw=0, zorder=0)
    axes.axhline(score.value, color=ACCENT, lw=1, zorder=0, label="mean ± standard error")
    axes.set_xlim(0.4, n + 0.6)
    axes.set_xticks(places if n <= 20 else places[:: math.ceil(n / 20)])
    axes.tick_params(axis="y", labelcolor=MUTED)
    axes.set_xlabel("fold")
    axes.set_ylabel(score.metric)
    axes.legend(loc="upper left", bbox_to_anchor=(0, 1.16), ncols=3, frameon=False, fontsize=9.5, borderaxespad=0)
    return figure


def _importance(shares: tuple[tuple[str, float], ...]) -> Figure:
    figure, axes = _figure(0.8 + 0.3 * len(shares))
    values = [100 * share for _, share in shares]
    axes.barh(range(len(values)), values, color=ACCENT, height=0.62)
    for place, value in enumerate(values):
        axes.annotate(
            f"{value:.1f} %", (value, place), (5, 0), textcoords="offset points", va="center", fontsize=9, color=MUTED
        )
    axes.set_yticks(range(len(values)), [_short(name) for name, _ in shares])
    axes.set_ylim(len(values) - 0.4, -0.6)
    axes.set_xlim(0, max(values) * 1.12)
    axes.set_xlabel("share of what the blend's members learnt from, %")
    return figure


# --- files -----------------------------------------------------------------------------------------------------------
def as_png(figure: Figure) -> bytes:
    """Render a figure as PNG on white, the same bytes for the same figure."""
    buffer = io.BytesIO()
    with _styled():
        figure.savefig(buffer, format="png", dpi=144, facecolor="white", metadata={"Software": None})
    return buffer.getvalue()


def as_svg(figure: Figure, name: str) -> str:
    """Render a figure as an SVG element for a page that defines the colours; `name` keeps its ids apart from others'."""
    import matplotlib as mpl

    buffer = io.StringIO()
    unsaid: Mapping[str, Any] = {"Date": None, "Creator": None, "Format": None, "Type": None}
    with _styled(), mpl.rc_context({"svg.hashsalt": name}):
        figure.savefig(buffer, format="svg", transparent=True, metadata=dict(unsaid))
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"\sid=\"([^\"]+)\"", rf' id="{name}-\1"', svg)
    svg = re.sub(r"(url\(#|href=\"#)", rf"\1{name}-", svg)
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"(<svg[^>]*?) width=\"[^\"]*\"", r"\1", svg, count=1)
    svg = re.sub(r"(<svg[^>]*?) height=\"[^\"]*\"", r'\1 role="img"', svg, count=1)
    for colour, variable in _VARIABLES.items():
        svg = svg.replace(colour, f"var({variable})")
    return svg
