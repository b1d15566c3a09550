"""What both explorations share: steps that measure or draw, the module that carries them out, and how findings are told."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterable, Sequence

from autods import tools
from autods.profiling import Profile
from autods.reasoners.rules.writing import WIDTH, call, constant_lines, constants_for, count, literal
from autods.records import Plan, Section, Step, Table
from autods.tools import Finding

__all__ = ["MOST_COLUMNS", "draw", "explore_module", "figures_sections", "findings_table", "measure", "strongest"]

# A figure has at most twelve panels, and a report that lists everything is read by nobody.
MOST_COLUMNS = 12


def measure(action: str, because: str, statistic: str, columns: Sequence[str | tuple[str, ...]], text: str) -> Step:
    """A step that makes a finding for each column (or pair of columns)."""
    names = [name if isinstance(name, str) else list(name) for name in columns]
    flat = tuple(dict.fromkeys(part for name in columns for part in ((name,) if isinstance(name, str) else name)))
    return Step(action, because, flat, "findings", {"statistic": statistic, "of": names, "text": text})


def draw(action: str, because: str, tool: str, columns: Sequence[str], **parameters: object) -> Step:
    """A step that draws one figure of small multiples."""
    return Step(action, because, tuple(columns[:MOST_COLUMNS]), tool, parameters)


def strongest(profile: Profile, names: Iterable[str], most: int = MOST_COLUMNS) -> tuple[str, ...]:
    """The columns that rank the target best alone, the strongest first."""
    return tuple(sorted(names, key=lambda name: -(profile.columns[name].signal or 0.0))[:most])


def explore_module(plan: Plan, title: str) -> str:
    """Write the module of an exploration: measure, draw, and give the findings."""
    steps = [step for step in plan.steps if step.tool]
    names = sorted({"overview_table", *(step.tool for step in steps if step.tool)})
    constants = constants_for(step for step in steps if step.tool != "findings")
    lines = [
        f'"""{title}"""',
        "",
        "from autods.tools import (",
        *(f"    {name}," for name in names),
        ")",
        "",
        *constant_lines(constants),
    ]
    lines += ["", "def explore(train, test, task, out):", '    """Measure and draw; the frames stay as they are."""']
    lines += [
        "    # Every column in one table, for the report and for whoever looks things up.",
        '    overview_table(train, test).to_csv(out / "overview.csv", index=False)',
        "    found = []",
    ]
    for step in plan.steps:
        reason = f"{step.action}: {step.because}"
        lines += textwrap.wrap(
            " ".join(reason.split()),
            WIDTH - 6,
            initial_indent="    # ",
            subsequent_indent="    # ",
            break_long_words=False,
        )
        if step.tool == "findings":
            parameters = dict(step.parameters)
            keywords = {"columns": literal(parameters["of"]), "text": literal(parameters["text"])}
            lines += call("found += ", "findings", [literal(parameters["statistic"]), "train", "test"], keywords)
        elif step.tool:
            accepted = inspect.signature(getattr(tools, step.tool)).parameters
            frames = [name for name in ("train", "test") if name in accepted]
            keywords = (
                {"columns": constants.get(step.columns) or literal(list(step.columns))} if "columns" in accepted else {}
            )
            keywords |= {name: literal(value) for name, value in step.parameters.items()}
            lines += call("", step.tool, frames, {**keywords, "out": "out"})
    return "\n".join([*lines, "    return found", ""])


def findings_table(findings: Sequence[Finding], most: int = 40) -> Table:
    """The findings as a table; every number was recomputed by a gate."""
    rows = tuple((found.text, found.statistic, f"{found.value:.4g}") for found in findings[:most])
    caption = count(len(findings), "finding") + (f", the first {most} shown" if len(findings) > most else "")
    return Table(("finding", "statistic", "value"), rows, caption)


def figures_sections(figures: Sequence[str]) -> list[Section]:
    """One section with all pictures."""
    return [Section("Pictures", "", (), tuple(figures))] if figures else []
