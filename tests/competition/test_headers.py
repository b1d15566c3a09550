from __future__ import annotations

import pytest

from autods.competition.headers import match_name, unify_headers


def test_blanks_and_case_are_matched_and_the_samples_spelling_wins() -> None:
    headers = unify_headers(
        ["ID ", " x1", "x2", "Color", "Diabetes "], ["Id", "x1", "x2 ", "color"], ["Id", "Diabetes"]
    )
    assert headers.train == ("Id", "x1", "x2", "Color", "Diabetes")
    assert headers.test == ("Id", "x1", "x2", "Color")
    assert "'ID' of train as 'Id'" in headers.notes[-1].text


def test_names_are_not_matched_where_two_could_be_meant() -> None:
    headers = unify_headers(["id", "A", "a", "y"], ["id", "A ", "b"])
    assert headers.test == ("id", "A", "b")
    headers = unify_headers(["id", "Size", "SIZE", "y"], ["id", "size"])
    assert headers.test == ("id", "size")


def test_repeated_names_are_numbered_alike_in_train_and_test_though_only_one_has_the_number() -> None:
    headers = unify_headers(["id", "s", "s", "s.1", "y"], ["id", "s", "s"])
    assert headers.train == ("id", "s", "s.2", "s.1", "y")
    assert headers.test == ("id", "s", "s.2")


def test_a_number_that_another_program_gave_is_met_by_ours() -> None:
    headers = unify_headers(["id", "s", "s", "y"], ["id", "s", "s.1"])
    assert headers.train == ("id", "s", "s.1", "y")


def test_a_repeated_header_is_told() -> None:
    notes = unify_headers(["s", "s", "y"], ["s", "s"]).notes
    assert "repeats s; the columns are called 's', 's.1'" in notes[0].text


@pytest.mark.parametrize(
    ("name", "names", "expected"),
    [
        ("a", ["a", "A"], "a"),
        ("A", ["a"], "a"),
        ("first  name", ["First name"], "First name"),
        ("A", ["a", "a "], None),
    ],
)
def test_a_name_is_found_as_spelled_or_when_unambiguous(name: str, names: list[str], expected: str | None) -> None:
    assert match_name(name, names) == expected
