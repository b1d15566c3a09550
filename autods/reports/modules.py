"""Merging the phases' modules into one: imports together at the top, code as it was written, no name in another's way."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

__all__ = ["MergedModule", "import_block", "merge_modules", "parameters_of"]


@dataclass(frozen=True)
class MergedModule:
    """Imports for the top of a module, and each phase's code by slug, ready to stand below them."""

    imports: str
    bodies: Mapping[str, str]


@dataclass(frozen=True)
class _Part:
    """One phase's module, taken apart."""

    slug: str
    source: str
    tree: ast.Module
    imports: tuple[ast.Import | ast.ImportFrom, ...]
    body: str
    names: frozenset[str]

    @property
    def bound_imports(self) -> dict[str, str]:
        """What each imported name stands for, `module:name`."""
        return dict(item for node in self.imports for item in _bindings(node))

    @property
    def is_plain(self) -> bool:
        """Whether the code means the same wherever it stands: no `import *`, no `global`, no look at its own name."""
        starred = any(alias.name == "*" for node in self.imports for alias in node.names)
        bound = any(isinstance(node, ast.Global | ast.Nonlocal) for node in ast.walk(self.tree))
        return not starred and not bound and "__name__" not in self.source and "__file__" not in self.source


def merge_modules(
    codes: Mapping[str, str], entry_points: Mapping[str, str], reserved: Mapping[str, str]
) -> MergedModule:
    """Merge modules, in order.

    Code whose names clash with an earlier phase's (or with `reserved`) becomes a function that returns its entry
    point; code that would mean something else in there is kept as text and executed as a module of its own.

    Parameters
    ----------
    codes
        Source by phase slug.
    entry_points
        The name that each phase must leave defined, by slug.
    reserved
        Names that are taken, with what they stand for when imported (`numpy`, `pathlib:Path`), else "".

    Examples
    --------
    >>> one, two = "import numpy as np\\n\\nX = 1\\n\\ndef f():\\n    return X\\n", "X = 2\\n\\ndef g():\\n    return X\\n"
    >>> merged = merge_modules({"one": one, "two": two}, {"one": "f", "two": "g"}, {})
    >>> space = {}
    >>> exec("\\n".join([merged.imports, *merged.bodies.values()]), space)
    >>> space["f"](), space["g"]()
    (1, 2)
    """
    taken = {name for name, meaning in reserved.items() if not meaning}
    bound = {name: meaning for name, meaning in reserved.items() if meaning}
    bodies: dict[str, str] = {}
    hoisted: list[ast.Import | ast.ImportFrom] = []
    for slug, source in codes.items():
        part, entry = _part(slug, source), entry_points[slug]
        clashes = part.names & (taken | set(bound)) or any(
            bound.get(name, meaning) != meaning or name in taken for name, meaning in part.bound_imports.items()
        )
        if not part.is_plain:
            bodies[slug] = _as_text(part, entry)
            taken |= {entry, _constant(slug)}
        elif clashes:
            bodies[slug] = _as_function(part, entry)
            taken |= {entry, f"_{slug}"}
        else:
            bodies[slug] = part.body
            hoisted += part.imports
            taken |= part.names
            bound |= part.bound_imports
    return MergedModule(import_block(hoisted), bodies)


def parameters_of(source: str, function: str) -> tuple[str, ...]:
    """Return the parameters of a function that the source defines.

    One that takes `**kwargs`, or is defined in another way than by `def`, is said to take everything that is offered.

    Examples
    --------
    >>> parameters_of("def clean(train, test, *, task=None): ...", "clean")
    ('train', 'test', 'task')
    >>> parameters_of("clean = tidy", "clean")
    ('train', 'test', 'tables', 'task')
    """
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name == function and node.args.kwarg is None:
            arguments = node.args
            return tuple(a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs))
    return ("train", "test", "tables", "task")


# --- taking apart ----------------------------------------------------------------------------------------------------
def _part(slug: str, source: str) -> _Part:
    tree = ast.parse(source)
    imports = tuple(node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom))
    dropped: list[ast.stmt] = list(imports)
    if tree.body and isinstance(tree.body[0], ast.Expr) and isinstance(tree.body[0].value, ast.Constant):
        dropped.append(tree.body[0])
    lines = source.splitlines()
    gone = {n for node in dropped for n in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    body = "\n".join(line for n, line in enumerate(lines, 1) if n not in gone).strip("\n")
    names = frozenset(name for node in tree.body if node not in dropped for name in _defined(node))
    return _Part(slug, source, tree, imports, body, names)


def _defined(node: ast.stmt) -> Iterable[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    stored = [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    inner = [n for n in ast.walk(node) if isinstance(n, ast.FunctionDef | ast.ClassDef)]
    imported = [name for n in ast.walk(node) if isinstance(n, ast.Import | ast.ImportFrom) for name, _ in _bindings(n)]
    return [*stored, *(n.name for n in inner), *imported]


def _bindings(node: ast.Import | ast.ImportFrom) -> Iterable[tuple[str, str]]:
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            yield alias.asname or alias.name, f"{node.module}:{alias.name}"
        else:
            name = alias.asname or alias.name.partition(".")[0]
            yield name, alias.name if alias.asname else name


def import_block(nodes: Iterable[ast.stmt]) -> str:
    """Write import statements together: one a module, sorted, the future first.

    Examples
    --------
    >>> print(import_block(ast.parse("from b import y\\nimport a\\nfrom b import x").body))
    import a
    from b import x, y
    """
    plain: set[str] = set()
    by_module: dict[str, set[str]] = {}
    for node in nodes:
        for alias in node.names if isinstance(node, ast.Import | ast.ImportFrom) else ():
            said = alias.name + (f" as {alias.asname}" if alias.asname else "")
            if isinstance(node, ast.ImportFrom):
                by_module.setdefault("." * node.level + (node.module or ""), set()).add(said)
            else:
                plain.add(said)
    lines = [f"import {name}" for name in sorted(plain)]
    for module in sorted(by_module, key=lambda name: (name != "__future__", name)):
        names = sorted(by_module[module])
        line = f"from {module} import {', '.join(names)}"
        lines.append(
            line if len(line) <= 110 else f"from {module} import (\n" + "".join(f"    {n},\n" for n in names) + ")"
        )
    return "\n".join(sorted(lines, key=lambda line: not line.startswith("from __future__")))


# --- keeping apart ---------------------------------------------------------------------------------------------------
def _as_function(part: _Part, entry: str) -> str:
    inside = "\n".join(ast.unparse(node) for node in part.imports if getattr(node, "module", "") != "__future__")
    body = _indented((inside + "\n\n" if inside else "") + part.body)
    reason = "A function around the module: its names would replace another phase's."
    return f'def _{part.slug}():\n    """{reason}"""\n{body}\n\n    return {entry}\n\n\n{entry} = _{part.slug}()'


def _as_text(part: _Part, entry: str) -> str:
    name = _constant(part.slug)
    note = "# This module needs a namespace of its own, so it is kept as text."
    text = "\n".join(f"    {line!r}" for line in part.source.splitlines(keepends=True))
    space = (
        f"{name}_NAMES = {{'__name__': 'phase_code'}}\nexec({name}, {name}_NAMES)\n{entry} = {name}_NAMES[{entry!r}]"
    )
    return f"{note}\n{name} = (\n{text}\n)\n{space}"


def _constant(slug: str) -> str:
    return f"{slug.upper()}_SOURCE"


def _indented(source: str) -> str:
    """Indent code but not the inside of strings that run over several lines."""
    inside: set[int] = set()
    starts: list[int] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        kind = tokenize.tok_name[token.type]
        if kind == "FSTRING_START":
            starts.append(token.start[0])
        elif kind == "FSTRING_END":
            inside.update(range(starts.pop() + 1, token.end[0] + 1))
        elif kind == "STRING":
            inside.update(range(token.start[0] + 1, token.end[0] + 1))
    lines = source.splitlines()
    return "\n".join("    " + line if line and n not in inside else line for n, line in enumerate(lines, 1))
