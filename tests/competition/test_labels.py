from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from autods.competition.labels import encode_labels
from autods.competition.settings import Settings
from autods.errors import CompetitionError


def classes(
    cells: list[str], kind: Any = "binary", settings: Settings | None = None, **options: Any
) -> tuple[str, ...]:
    return encode_labels(pd.Series(cells, dtype="str", name="y"), kind, settings or Settings(), **options).classes


@pytest.mark.parametrize(
    ("cells", "shown", "expected"),
    [
        (["0.0", "1.0"], ["0"], ("0", "1")),
        (["0.0", "1.0"], [], ("0", "1")),
        (["0.0", "1.0"], ["0.0"], ("0.0", "1.0")),
        (["0", "1"], ["0.0"], ("0.0", "1.0")),
        (["1", "1.0", "0"], ["1"], ("0", "1")),
        (["0", "1"], ["False"], ("False", "True")),
        (["True", "False"], ["0", "1"], ("0", "1")),
        (["TRUE", "FALSE"], ["False"], ("False", "True")),
        ([" ham", "spam "], ["ham"], ("ham", "spam")),
        ([" ham", "spam"], [" ham"], (" ham", "spam")),
        (["Yes", "No"], ["no", "yes"], ("no", "yes")),
        (["True", "False"], ["False"], ("False", "True")),
        (["NA", "EU"], ["NA"], ("EU", "NA")),
        (["01", "1"], ["0"], ("01", "1")),
    ],
)
def test_labels_are_spelled_as_the_sample_spells_them(
    cells: list[str], shown: list[str], expected: tuple[str, ...]
) -> None:
    assert sorted(classes(cells, sample_labels=shown)) == sorted(expected)


@pytest.mark.parametrize(
    ("cells", "positive"),
    [
        (["1", "0"], "1"),
        (["no", "yes"], "yes"),
        (["N", "Y"], "Y"),
        (["2", "1"], "2"),
        (["fraud", "not fraud"], "fraud"),
        (["normal", "abnormal"], "normal"),
        (["a", "a", "b"], "b"),
        (["0"], "1"),
        (["True"], "True"),
    ],
)
def test_the_positive_class_is_last(cells: list[str], positive: str) -> None:
    assert classes(cells)[1] == positive


def test_the_overview_may_say_of_which_class_a_probability_is_wanted() -> None:
    assert classes(["ok", "ok", "bad"], hint="Predict the probability of ok for every part.")[1] == "ok"


def test_several_classes_are_sorted_numbers_by_size() -> None:
    assert classes(["10", "9", "1"], "multiclass") == ("1", "9", "10")
    assert classes(["b", "a", "c"], "multiclass") == ("a", "b", "c")


def test_a_class_that_only_the_sample_has_keeps_its_place() -> None:
    assert classes(["1", "3"], "multiclass", column_classes=["1", "2", "3"]) == ("1", "2", "3")


def test_codes_follow_the_classes() -> None:
    labels = encode_labels(pd.Series(["b", "a", "b"]), "multiclass", Settings(classes=("b", "a")))
    assert labels.codes.tolist() == [0, 1, 0]


def test_a_label_that_stated_classes_lack_is_refused() -> None:
    with pytest.raises(CompetitionError, match="also holds 'c'"):
        classes(["a", "c"], "multiclass", Settings(classes=("a", "b")))


def test_a_stated_positive_class_must_be_a_label() -> None:
    assert classes(["a", "b"], settings=Settings(positive_class="a")) == ("b", "a")
    with pytest.raises(CompetitionError, match="positive class 'bb'; did you mean 'b'"):
        classes(["a", "b"], settings=Settings(positive_class="bb"))
