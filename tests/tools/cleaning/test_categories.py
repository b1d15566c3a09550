import pandas as pd
import pytest

from autods.tools import normalise_categories
from autods.tools.cleaning.categories import one_edit_apart


def spelled(values: list, test: list | None = None, **call) -> list:
    frames = normalise_categories(
        pd.DataFrame({"c": values}), None if test is None else pd.DataFrame({"c": test}), columns=["c"], **call
    )
    return frames[0]["c"].tolist() if test is None else frames[1]["c"].tolist()


@pytest.mark.parametrize(
    "variant",
    ["new york", "NEW YORK", " New York ", "New  York", "New_York", "new-york", "New\u00a0York", "Ｎew York"],
)
def test_spellings_of_one_level_become_the_most_frequent(variant: str) -> None:
    assert spelled(["New York", "New York", variant]) == ["New York"] * 3


@pytest.mark.parametrize("levels", [["B", "B-"], ["A+", "A"], ["a1", "a2"], ["1-2", "12"], ["male", "female"]])
def test_levels_that_differ_otherwise_stay_apart(levels: list[str]) -> None:
    values = levels * 60
    assert spelled(values) == values


def test_short_levels_whose_case_may_matter_stay_apart_when_both_are_frequent() -> None:
    assert spelled(["s"] * 30 + ["S"] * 30) == ["s"] * 30 + ["S"] * 30
    assert spelled(["M"] * 100 + ["m"]) == ["M"] * 101


def test_a_rare_typo_is_merged() -> None:
    assert spelled(["Berlin"] * 200 + ["Berlni", "Brlin"])[-2:] == ["Berlin", "Berlin"]


def test_what_may_be_a_level_of_its_own_is_not_taken_for_a_typo() -> None:
    frequent = ["Berlin"] * 200 + ["Merlin"] * 20
    assert spelled(frequent) == frequent
    between = ["Marion"] * 300 + ["Marian"] * 300 + ["Marien"]
    assert spelled(between)[-1] == "Marien"
    short = ["Mike"] * 200 + ["Mika"]
    assert spelled(short) == short


def test_typos_can_be_left_alone() -> None:
    assert spelled(["Berlin"] * 200 + ["Berlni"], merge_typos=False)[-1] == "Berlni"


def test_test_is_spelled_as_train_and_new_levels_are_only_tidied() -> None:
    assert spelled(["Ulm", "ulm", "Ulm"], ["ULM", " Bad  Tölz", None])[:2] == ["Ulm", "Bad Tölz"]


def test_aliases_merge_what_spelling_cannot_tell() -> None:
    assert spelled(["United Kingdom", "UK", "uk "], aliases={"UK": "United Kingdom"}) == ["United Kingdom"] * 3
    with pytest.raises(TypeError, match="aliases="):
        spelled(["a"], aliases=["a"])


def test_free_text_is_left_alone_by_default() -> None:
    train = pd.DataFrame({"text": [f"Sentence  number {n} says this and  that" for n in range(300)]})
    assert normalise_categories(train)[0].equals(train)


@pytest.mark.parametrize(
    "left, right, apart", [("ab", "ba", True), ("abc", "abd", True), ("ab", "abcd", False), ("a", "a", False)]
)
def test_one_edit(left: str, right: str, apart: bool) -> None:
    assert one_edit_apart(left, right) is apart
