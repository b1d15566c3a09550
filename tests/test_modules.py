"""What every module of the library keeps: its `__all__` is true and sorted, and its examples run."""

import doctest
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = {"autods": ROOT / "autods", "autods.tools": ROOT / "tools", "autods.unit_tests": ROOT / "unit_tests"}


def _modules() -> Iterator[str]:
    """The library's modules by name; the gates themselves are pytest files and live by other rules."""
    for package, folder in PACKAGES.items():
        for path in sorted(folder.rglob("*.py")):
            gate = package == "autods.unit_tests" and path.name.startswith(("test_", "conftest"))
            if not gate:
                parts = path.relative_to(folder).with_suffix("").parts
                yield ".".join([package, *(part for part in parts if part != "__init__")])


modules = pytest.mark.parametrize("name", sorted(_modules()))


def _rank(name: str) -> tuple[int, str]:
    """As ruff sorts `__all__`: constants, classes, then the rest, each by the alphabet."""
    return (0 if name.isupper() else 1 if name.lstrip("_")[:1].isupper() else 2, name)


@modules
def test_all_names_what_the_module_has_in_order(name):
    module = importlib.import_module(name)
    listed = list(getattr(module, "__all__", ()))
    absent = [attribute for attribute in listed if not hasattr(module, attribute)]
    assert absent == []
    assert listed in (sorted(set(listed), key=_rank), sorted(set(listed)))


@modules
def test_the_examples_in_its_docstrings_are_true(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    said: list[str] = []
    for examples in doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(name)):
        runner.run(examples, out=said.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(said)


@modules
def test_a_module_says_what_it_is_for(name):
    assert importlib.import_module(name).__doc__
