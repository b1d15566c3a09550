"""The tool library is a leaf: generated code and the gates rely on it without the rest of autods."""

import ast
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[1] / "tools"


def imported(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield str(node.module)


@pytest.mark.parametrize("path", sorted(TOOLS.rglob("*.py")), ids=lambda path: path.relative_to(TOOLS).as_posix())
def test_tools_import_nothing_of_autods_but_tools(path):
    names = [name for name in imported(path) if name.split(".")[0] == "autods"]
    assert [name for name in names if not name.startswith("autods.tools")] == []
