"""How rules write: modules of tool calls with their reasons as comments, and prose with numbers."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from autods.records import Plan, Step

__all__ = [
    "agree",
    "call",
    "constant_lines",
    "constants_for",
    "count",
    "frames_module",
    "listed",
    "literal",
    "percent",
    "step_lines",
]

WIDTH = 110
LONG_LIST = 8


def percent(share: float | None) -> str:
    """Write a share for people.

    Examples
    --------
    >>> percent(0.273), percent(0.0004)
    ('27 %', '0.04 %')
    """
    if share is None:
        return "–"
    value = 100 * share
    return (
        f"{value:.0f} %"
        if value >= 10 or value == round(value)
        else f"{value:.1f} %"
        if value >= 0.1
        else f"{value:.2g} %"
    )


def agree(number: int, singular: str, plural: str) -> str:
    """Choose the verb that goes with a number.

    Examples
    --------
    >>> f"1 column {agree(1, 'has', 'have')} gaps"
    '1 column has gaps'
    """
    return singular if number == 1 else plural


def count(number: int, singular: str, plural: str | None = None) -> str:
    """Write a count with its noun.

    Examples
    --------
    >>> count(1, "column"), count(1200, "row")
    ('1 column', '1,200 rows')
    """
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def listed(names: Sequence[str], most: int = 6) -> str:
    """Name columns in prose, shortened with a count.

    Examples
    --------
    >>> listed(["a", "b", "c"], most=2)
    '`a`, `b` and 1 more'
    """
    shown = ", ".join(f"`{name}`" for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most:,} more"


def literal(value: Any) -> str:
    """Write a value as Python source; tuples become lists, as tools take them.

    Examples
    --------
    >>> literal({"a": ("x", 1)})
    "{'a': ['x', 1]}"
    """
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key!r}: {literal(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(literal(item) for item in value) + "]"
    return repr(value)


def call(
    target: str, function: str, positional: Sequence[str], keywords: Mapping[str, str], indent: str = "    "
) -> list[str]:
    """Write a call, on one line when it fits, else an argument a line."""
    arguments = [*positional, *(f"{name}={value}" for name, value in keywords.items())]
    line = f"{indent}{target}{function}({', '.join(arguments)})"
    if len(line) <= WIDTH:
        return [line]
    inner = indent + "    "
    lines = [f"{indent}{target}{function}("]
    for argument in [", ".join(positional), *arguments[len(positional) :]]:
        if argument:
            lines += (
                textwrap.wrap(
                    f"{argument},",
                    WIDTH,
                    initial_indent=inner,
                    subsequent_indent=inner + "    ",
                    break_long_words=False,
                    break_on_hyphens=False,
                )
                if len(argument) > WIDTH and "'" not in argument and '"' not in argument
                else [f"{inner}{argument},"]
            )
    return [*lines, f"{indent})"]


def constants_for(steps: Iterable[Step]) -> dict[tuple[str, ...], str]:
    """Name the long column lists that a module uses, so that each is written once at its top."""
    names: dict[tuple[str, ...], str] = {}
    for step in steps:
        if len(step.columns) > LONG_LIST and step.columns not in names:
            names[step.columns] = f"COLUMNS_{len(names) + 1}"
    return names


def constant_lines(names: Mapping[tuple[str, ...], str]) -> list[str]:
    """Write the named column lists, as many columns a line as fit."""
    lines: list[str] = []
    for columns, name in names.items():
        lines.append(f"{name} = [")
        row = "   "
        for column in columns:
            if len(row) + len(repr(column)) + 3 > WIDTH:
                lines.append(row)
                row = "   "
            row += f" {column!r},"
        lines += [row, "]"]
    return [*lines, ""] if lines else []


def step_lines(step: Step, constants: Mapping[tuple[str, ...], str]) -> list[str]:
    """Write one step: its reason as a comment, then its call."""
    reason = f"{step.action}: {step.because}" if step.because else step.action
    lines = textwrap.wrap(
        " ".join(reason.split()), WIDTH - 6, initial_indent="    # ", subsequent_indent="    # ", break_long_words=False
    )
    if step.tool is None:
        return lines
    keywords = {"columns": constants.get(step.columns) or literal(list(step.columns))} if step.columns else {}
    keywords |= {name: literal(value) for name, value in step.parameters.items()}
    return lines + call("train, test = ", step.tool, ["train", "test"], keywords)


def frames_module(plan: Plan, entry_point: str, title: str) -> str:
    """Write the module of a phase that changes frames: a function that applies the plan's steps in order."""
    tools = sorted({step.tool for step in plan.steps if step.tool})
    constants = constants_for(step for step in plan.steps if step.tool)
    lines = [f'"""{title}"""', ""]
    if tools:
        one = f"from autods.tools import {', '.join(tools)}"
        lines += (
            [one] if len(one) <= WIDTH else ["from autods.tools import (", *(f"    {tool}," for tool in tools), ")"]
        )
        lines.append("")
    lines += constant_lines(constants)
    lines += [
        "",
        f"def {entry_point}(train, test):",
        '    """Give the same columns to both frames; rows and their order stay."""',
    ]
    for step in plan.steps:
        lines += step_lines(step, constants)
    return "\n".join([*lines, "    return train, test", ""])
