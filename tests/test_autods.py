"""The package as a whole: light to import, lazy in what it offers, its layers one way."""

import ast
import subprocess
import sys
import time
from pathlib import Path

import pytest

import autods

ROOT = Path(__file__).parents[1]
HEAVY = ("catboost", "jinja2", "langgraph", "lightgbm", "matplotlib", "numpy", "optuna", "pandas", "pyarrow", "pydantic", "sklearn", "torch")  # fmt: skip


def fresh(code):
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("module", ["autods", "autods.tools"])
def test_an_import_pulls_in_nothing_heavy(module):
    done = fresh(f"import sys, {module}; print([name for name in {HEAVY} if name in sys.modules])")
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_importing_autods_takes_under_a_third_of_a_second():
    def seconds():
        started = time.perf_counter()
        fresh("import autods")
        return time.perf_counter() - started

    assert min(seconds() for _ in range(5)) < 0.3


def test_the_facade_offers_its_names_when_they_are_asked_for():
    assert set(autods.__all__) <= set(dir(autods))
    assert all(callable(getattr(autods, name)) for name in autods.__all__)
    with pytest.raises(AttributeError, match="no attribute 'runn'"):
        _ = autods.runn


def test_imports_go_one_way():
    pytest.importorskip("importlinter")
    done = fresh("from importlinter.cli import lint_imports_command; lint_imports_command()")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    "path", sorted((ROOT / "tools").rglob("*.py")), ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_the_tool_library_imports_nothing_of_autods_but_itself(path):
    imported = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module or "")
    own = {name for name in imported if name.split(".")[0] == "autods"}
    assert all(name.startswith("autods.tools") for name in own)
