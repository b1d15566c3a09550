import doctest
import inspect
import json
import sys
from importlib import import_module

import pytest

import autods.tools
from autods.tools import manual

every_name = pytest.mark.parametrize("name", autods.tools.__all__)
CALLABLE = [name for name in autods.tools.__all__ if inspect.isfunction(getattr(autods.tools, name))]
every_function = pytest.mark.parametrize("name", CALLABLE)
MODULES = sorted({*autods.tools._HOMES.values(), "autods.tools", "autods.tools.manual", "autods.tools._checks"})


def test_names_are_sorted_and_found_where_they_are_said_to_be() -> None:
    assert autods.tools.__all__ == sorted(autods.tools._HOMES)
    for name, home in autods.tools._HOMES.items():
        assert getattr(autods.tools, name) is getattr(import_module(home), name)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"autods\.tools has no tool 'fill_missing'"):
        autods.tools.fill_missing  # noqa: B018


def test_kinds_share_out_the_names() -> None:
    shared = [name for kind in manual.KINDS for name in manual.names(kind)]
    assert sorted(shared) == autods.tools.__all__
    assert [manual.kind(name) for name in ("ratios", "perform_rfe", "Finding")] == ["frame", "fold", "record"]
    with pytest.raises(ValueError, match=r"kind='frames' is not allowed: did you mean 'frame'"):
        manual.names("frames")


@pytest.mark.parametrize("ask", [manual.manual, manual.schema, manual.signature, manual.kind, manual.summary])
def test_an_unknown_tool_is_named_with_the_nearest(ask) -> None:
    with pytest.raises(ValueError, match=r"There is no tool 'fill_mising_values': did you mean 'fill_missing_values'"):
        ask("fill_mising_values")


@every_name
def test_every_tool_has_a_manual(name: str) -> None:
    text = manual.manual(name)
    assert text.startswith(name)
    assert manual.summary(name).endswith(".")
    assert manual.signature(name).startswith(name)


@every_function
def test_a_docstring_has_parameters_returns_and_an_example(name: str) -> None:
    doc = inspect.getdoc(getattr(autods.tools, name)) or ""
    described = manual.parameter_texts(doc)
    for parameter in inspect.signature(getattr(autods.tools, name)).parameters.values():
        variadic = parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)
        if not variadic and parameter.name not in ("train", "test"):
            assert described.get(parameter.name), f"{name}: the docstring does not describe {parameter.name!r}"
    headings = ["Examples\n--------"] + ["Returns\n-------"] * (manual.kind(name) == "frame")
    for heading in headings:
        assert heading in doc, f"{name}: the docstring has no section {heading.split()[0]}"


@every_function
def test_a_schema_is_json_and_names_what_is_required(name: str) -> None:
    schema = json.loads(json.dumps(manual.schema(name)))
    parameters = schema["parameters"]
    assert schema["name"] == name
    assert set(parameters["required"]) <= set(parameters["properties"])
    assert not {"train", "test"} & set(parameters["properties"])


def test_types_in_a_schema_come_from_the_signature() -> None:
    properties = manual.schema("fill_missing_values")["parameters"]["properties"]
    assert properties["columns"]["type"] == ["string", "array", "null"]
    assert properties["method"] | {"description": ""} == {"type": "string", "default": "auto", "description": ""}
    assert "type" not in properties["fill_value"]
    assert manual.schema("datetime_parts")["parameters"]["properties"]["cycles"]["type"] == "boolean"


def test_a_table_of_functions_is_not_called() -> None:
    with pytest.raises(ValueError, match="'STATISTICS' is not called"):
        manual.schema("STATISTICS")


def examples() -> list[doctest.DocTest]:
    finder = doctest.DocTestFinder()
    found = {}
    for module in map(import_module, MODULES):
        for name, thing in vars(module).items():
            if getattr(thing, "__module__", None) == module.__name__ and (
                inspect.isfunction(thing) or inspect.isclass(thing)
            ):
                for test in finder.find(thing, f"{module.__name__}.{name}", module=False, globs=vars(module).copy()):
                    found[test.name] = test
    return [test for test in found.values() if test.examples]


@pytest.mark.parametrize("test", examples(), ids=lambda test: test.name.removeprefix("autods.tools."))
def test_the_examples_of_a_docstring_hold(test: doctest.DocTest) -> None:
    assert doctest.DocTestRunner().run(test, out=sys.stderr.write).failed == 0
