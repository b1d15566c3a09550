from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import autods.competition

MODULES = [f"autods.competition.{module.name}" for module in pkgutil.iter_modules(autods.competition.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("name", [*MODULES, "autods.competition"])
def test_all_is_sorted_and_exists(name: str) -> None:
    module = importlib.import_module(name)
    names = list(module.__all__)
    assert names == sorted(names, key=lambda item: (not item.isupper(), not item[0].isupper(), item))
    assert all(hasattr(module, item) for item in names)
