"""The manual of the tools: what their signatures and docstrings say, as text, JSON schema and lists of names."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable
from typing import Any, Literal

import autods.tools
from autods.tools._checks import check_choice, did_you_mean

__all__ = ["Kind", "group", "kind", "manual", "names", "schema", "signature", "summary"]

Kind = Literal["frame", "fold", "report", "record"]
KINDS: tuple[Kind, ...] = ("frame", "fold", "report", "record")

# The kind of what does not declare its own, by the package it is in.
_DEFAULTS: dict[str, Kind] = {"explore": "report", "modeling": "fold", "cleaning": "frame", "features": "frame"}
_JSON_TYPES = {
    "str": "string", "bool": "boolean", "int": "integer", "float": "number", "None": "null", "Sequence": "array",
    "list": "array", "tuple": "array", "Mapping": "object", "dict": "object", "Pairs": "array",
}  # fmt: skip


def names(kind: Kind | None = None) -> list[str]:
    """List the names of the tools, all or of one kind.

    Parameters
    ----------
    kind
        "frame", "fold", "report" or "record"; None means all.

    Examples
    --------
    >>> "fill_missing_values" in names("frame"), names("record")[:2]
    (True, ['Candidate', 'Finding'])
    """
    if kind is None:
        return list(autods.tools.__all__)
    check_choice("kind", kind, KINDS)
    return [name for name in autods.tools.__all__ if _kind_of(name) == kind]


def kind(name: str) -> Kind:
    """Return the kind of a tool.

    Examples
    --------
    >>> kind("fill_missing_values"), kind("target_encode")
    ('frame', 'fold')
    """
    _tool(name)
    return _kind_of(name)


def group(name: str) -> str:
    """Return the group of a tool: `cleaning`, `features`, `modeling` or `explore`.

    Examples
    --------
    >>> group("fill_missing_values"), group("lightgbm")
    ('cleaning', 'modeling')
    """
    _tool(name)
    return autods.tools._HOMES[name].split(".")[2]


def _kind_of(name: str) -> Kind:
    tool = getattr(autods.tools, name)
    declared = getattr(tool, "kind", None)
    if declared in KINDS:
        return typing.cast(Kind, declared)
    return _DEFAULTS.get(group(name), "record")


def _tool(name: str) -> Any:
    if name not in autods.tools.__all__:
        raise ValueError(f"There is no tool {name!r}: {did_you_mean(name, autods.tools.__all__)}.")
    return getattr(autods.tools, name)


def signature(name: str) -> str:
    """Return how a tool is called.

    Examples
    --------
    >>> signature("group_size")
    'group_size(train, test=None, *, by, name=None)'
    """
    tool = _tool(name)
    if not callable(tool):
        return name
    parameters = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in _parameters(tool).values()]
    return f"{name}{inspect.Signature(parameters)}"


def _parameters(tool: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    return dict(inspect.signature(tool).parameters)


def summary(name: str) -> str:
    """Return the first sentence of a tool's manual.

    Examples
    --------
    >>> summary("group_size")
    "Add how many rows of train and test together share the row's values in `by`."
    """
    return " ".join(_doc(_tool(name)).split("\n\n")[0].split())


def _doc(tool: Any) -> str:
    return inspect.getdoc(tool) or "" if callable(tool) else f"A {type(tool).__name__} of {len(tool)} entries."


def manual(name: str) -> str:
    """Return a tool's manual: its signature with types, and its docstring.

    Parameters
    ----------
    name
        The name of a tool.

    Raises
    ------
    ValueError
        When there is no such tool; the message offers the nearest.

    Examples
    --------
    >>> print(manual("group_size").splitlines()[0])
    group_size(train: pd.DataFrame, test: pd.DataFrame | None = None, *, by: Columns, name: str | None = None) -> Frames
    """
    tool = _tool(name)
    if not callable(tool):
        return f"{name}\n\n{_doc(tool)}\n"
    head = str(inspect.signature(tool)).replace("'", "") if not isinstance(tool, type) else str(inspect.signature(tool))
    return f"{name}{head}\n\n{_doc(tool)}\n"


def schema(name: str) -> dict[str, Any]:
    """Return a tool's call as a JSON schema, in the form that chat models take functions.

    The frames are left out: code passes them, a plan names only the rest.

    Examples
    --------
    >>> schema("group_size")["parameters"]["required"]
    ['by']
    >>> schema("group_size")["parameters"]["properties"]["by"]["description"]
    'The columns that make a group.'
    """
    tool = _tool(name)
    if not callable(tool):
        raise ValueError(f"{name!r} is not called; it is {_doc(tool).lower()}")
    described = parameter_texts(_doc(tool))
    properties, required = {}, []
    for parameter in _parameters(tool).values():
        if parameter.name in ("train", "test") or parameter.kind in (
            inspect.Parameter.VAR_KEYWORD,
            inspect.Parameter.VAR_POSITIONAL,
        ):
            continue
        properties[parameter.name] = _json_type(parameter) | {"description": described.get(parameter.name, "")}
        if parameter.default is inspect.Parameter.empty:
            required.append(parameter.name)
    parameters = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return {"name": name, "description": summary(name), "parameters": parameters}


def _json_type(parameter: inspect.Parameter) -> dict[str, Any]:
    """Turn an annotation, as it is written, into a JSON type with the default."""
    text = str(parameter.annotation).strip("'").replace("Columns", "str | Sequence[str] | None")
    heads = [part.split("[")[0].strip() for part in re.split(r"\|(?![^\[]*\])", text)]
    types = list(dict.fromkeys(_JSON_TYPES[head] for head in heads if head in _JSON_TYPES))
    result: dict[str, Any] = {}
    if types and all(head in _JSON_TYPES for head in heads):
        result["type"] = types[0] if len(types) == 1 else types
    if parameter.default is not inspect.Parameter.empty:
        default = parameter.default
        result["default"] = list(default) if isinstance(default, tuple) else default
    return result


def parameter_texts(doc: str) -> dict[str, str]:
    """Read the texts of the Parameters section of a numpydoc docstring.

    Examples
    --------
    >>> parameter_texts('''Add.
    ...
    ... Parameters
    ... ----------
    ... by
    ...     The columns.
    ... ''')
    {'by': 'The columns.'}
    """
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[\w ]*\n-{3,}\n|\Z)", doc, re.MULTILINE | re.DOTALL)
    texts: dict[str, list[str]] = {}
    current: list[str] = []
    for line in (section[1] if section else "").splitlines():
        if line and not line.startswith(" "):
            current = []
            for parameter in line.split(":")[0].split(","):
                texts[parameter.strip().lstrip("*")] = current
        elif line.strip():
            current.append(line.strip())
    return {parameter: " ".join(lines) for parameter, lines in texts.items()}
