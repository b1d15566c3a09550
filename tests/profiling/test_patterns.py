"""How strings are built."""

import pytest

from autods.profiling.patterns import structure_of, unit_of


@pytest.mark.parametrize(
    "values, kind, separator, n_parts",
    [
        (["B/45/P", "F/1/S", "A/0/S"], "delimited", "/", 3),
        (["0001_01", "0002_02"], "delimited", "_", 2),
        (["a@x.org", "bb@y.com"], "delimited", "@", 2),
        (["Action|Comedy", "Comedy", "Action|Drama|Comedy", "Drama|Action"] * 5, "list", "|", 2),
        (["C85", "E46", "C123"], "prefix_number", "", 2),
        (["A/5 21171", "PC 17599", "113803", "373450"], "prefix_number", "", 2),
        (["Braund, Mr. Owen Harris", "Heikkinen, Miss. Laina"], "person_name", ", ", 3),
    ],
)
def test_structure_is_found(values, kind, separator, n_parts):
    pattern = structure_of(values)
    assert (pattern.kind, pattern.separator, pattern.n_parts) == (kind, separator, n_parts)


@pytest.mark.parametrize("values", [["one"], ["Oslo", "Rome", "Lima"], ["113803", "373450"], ["a", "b-c", "d_e"]])
def test_what_is_not_built_alike_has_no_structure(values):
    assert structure_of(values) is None


@pytest.mark.parametrize(
    "values, unit",
    [
        (["$1,200", "$5"], "currency"),
        (["12%", "7.5%"], "percent"),
        (["1,234", "56", "7,890,123"], "thousands"),
        (["3 kg", "10kg"], "kg"),
        (["1 year", "2 years"], "year"),
        (["3k", "2.5M", "12"], "multiplier"),
        (["1,5", "2,75"], "decimal_comma"),
        (["1", "2.5"], "none"),
        (["1Fam", "2FmCon", "Duplex"], None),
        (["00123", "00456"], None),
        (["3 kg", "5 lb"], None),
        (["A1", "B2"], None),
        ([], None),
    ],
)
def test_units_of_numbers_in_text(values, unit):
    assert unit_of(values) == unit
