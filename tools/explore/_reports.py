"""What makes a function a report tool."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from autods.tools._checks import did_you_mean

__all__ = ["report_tool"]

Params = ParamSpec("Params")
Result = TypeVar("Result")


def report_tool(function: Callable[Params, Result]) -> Callable[Params, Result]:
    """Make a function a report tool; a parameter that it does not have is named, with the nearest it has."""
    parameters = inspect.signature(function).parameters

    @functools.wraps(function)
    def tool(*args: Params.args, **kwargs: Params.kwargs) -> Result:
        for name in kwargs:
            if name not in parameters:
                raise TypeError(f"{function.__name__} has no parameter {name!r}: {did_you_mean(name, parameters)}.")
        return function(*args, **kwargs)

    tool.__dict__.update(kind="report", joint=False)
    return tool
