from __future__ import annotations

import ast

import pytest

from autods.reports.modules import import_block, merge_modules, parameters_of


def run(codes, entry_points, reserved=None):
    merged = merge_modules(codes, entry_points, reserved or {})
    space = {"__name__": "solution"}
    exec(compile("\n".join([merged.imports, *merged.bodies.values()]), "solution.py", "exec"), space)
    return merged, [space[name] for name in entry_points.values()]


def test_modules_without_clashes_stand_as_they_were_written():
    one = '"""Doc."""\n\nimport math\nfrom json import dumps\n\n\ndef f():\n    # why\n    return math.pi\n'
    two = "from json import dumps, loads\n\n\ndef g():\n    return dumps(loads('1'))\n"
    merged, (f, g) = run({"one": one, "two": two}, {"one": "f", "two": "g"})
    assert merged.imports == "import math\nfrom json import dumps, loads"
    assert merged.bodies["one"] == "def f():\n    # why\n    return math.pi"
    assert g() == "1"
    assert f() > 3


@pytest.mark.parametrize(
    "second",
    [
        "LIMIT = 2\n\ndef g():\n    return LIMIT\n",
        "import math as json\n\ndef g():\n    return 2 if json.pi else 0\n",
        "from math import pi as helper\n\ndef g():\n    return 2 if helper else 0\n",
        'LIMIT = """\n2"""\n\n\ndef g():\n    """Doc\n    string."""\n    return int(LIMIT.splitlines()[1])\n',
    ],
)
def test_a_module_whose_names_clash_is_kept_apart(second):
    first = "import json\n\nLIMIT = 1\n\ndef helper():\n    return LIMIT\n\ndef f():\n    return helper()\n"
    merged, (f, g) = run({"one": first, "two": second}, {"one": "f", "two": "g"})
    assert (f(), g()) == (1, 2)
    assert "def _two():" in merged.bodies["two"]


def test_names_of_the_harness_are_not_overwritten():
    merged, (f,) = run({"one": "SEED = 5\n\ndef f():\n    return SEED\n"}, {"one": "f"}, {"SEED": ""})
    assert f() == 5
    assert "def _one():" in merged.bodies["one"]


@pytest.mark.parametrize(
    "code",
    [
        "from math import *\n\ndef f():\n    return int(pi)\n",
        "N = 0\n\ndef f():\n    global N\n    N += 3\n    return N\n",
        "def f():\n    return 3\n\nif __name__ == '__main__':\n    raise SystemExit\n",
    ],
)
def test_code_that_means_something_else_elsewhere_keeps_a_namespace_of_its_own(code):
    assert run({"one": code}, {"one": "f"})[1][0]() == 3


def test_the_same_fallback_in_two_phases_works_twice():
    code = "def clean():\n    return 1\n\n\nengineer = clean\n"
    _, (clean, engineer) = run({"cleaning": code, "features": code}, {"cleaning": "clean", "features": "engineer"})
    assert clean() == engineer() == 1


def test_parameters_say_what_a_function_takes():
    assert parameters_of("def f(train, test): ...", "f") == ("train", "test")
    assert "task" in parameters_of("def f(**everything): ...", "f")


def test_long_imports_are_broken_and_the_future_comes_first():
    names = ", ".join(f"name_number_{i}" for i in range(12))
    block = import_block(ast.parse(f"from b import {names}\nfrom __future__ import annotations").body)
    assert block.startswith("from __future__")
    assert "    name_number_0,\n" in block
    assert compile(block, "x", "exec")
