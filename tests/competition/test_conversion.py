from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from autods.competition.conversion import Features, convert_features


def convert(train: list[str], test: list[str] | None = None, **options: Any) -> Features:
    sides = [pd.DataFrame({"x": pd.Series(cells, dtype="str")}) for cells in (train, ["1"] if test is None else test)]
    return convert_features(*sides, **options)


def values(frame: pd.DataFrame) -> list[Any]:
    return [None if isinstance(v, float) and math.isnan(v) else v for v in frame["x"].tolist()]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["$5", "$1,200", "$12.50"], [5, 1200, 12.5]),
        (["5%", "12.5%", "100%"], [5, 12.5, 100]),
        (["1,000", "9,130", "12"], [1000, 9130, 12]),
        (["1.234,5", "2,5", "7"], [1234.5, 2.5, 7]),
        (["3,14", "2,71", "10"], [3.14, 2.71, 10]),
        (["1 234", "5", "12 345"], [1234, 5, 12345]),
        (["1\u00a0234,5", "2,25", "3,0"], [1234.5, 2.25, 3]),
        (["(7)", "5", "(1,200)"], [-7, 5, -1200]),
        (["€ 5", "-€ 3", "7 €"], [5, -3, 7]),
        (["USD 5", "USD 7", "USD 1,000"], [5, 7, 1000]),
        (["5 kg", "12 kg", "7.5 kg"], [5, 12, 7.5]),
        (["\u22125", "3", "+4"], [-5, 3, 4]),
        (["1e3", "2E-1", ".5", "5."], [1000, 0.2, 0.5, 5]),
        ([" 5 ", "6", "7 "], [5, 6, 7]),
        (["007", "010", "9"], [7, 10, 9]),
    ],
)
def test_numbers_written_as_text_are_read(cells: list[str], expected: list[float]) -> None:
    features = convert(cells)
    assert features.train["x"].tolist() == pytest.approx(expected)
    assert features.train["x"].dtype == features.test["x"].dtype


@pytest.mark.parametrize(
    "cells",
    [
        ["A5", "A6", "B7"],
        ["C-001", "C-002", "C-003"],
        ["0", "1", "2", "3+"],
        ["10-20", "20-30", "30-40"],
        ["2024-01-05", "2024-02-06", "2023-03-01"],
        ["0013_01", "0013_02", "0014_01"],
        ["12:30", "13:45", "01:00"],
        ["1.2.3", "1.2.4", "2.0.0"],
        ["0x10", "0x11", "0x12"],
        ["PC 17599", "113803", "A/5 21171"],
        ["True", "False", "True"],
    ],
)
def test_what_only_holds_digits_stays_text(cells: list[str]) -> None:
    assert convert(cells).train["x"].tolist() == cells


def test_whole_numbers_complete_on_both_sides_are_integers_and_otherwise_floats_on_both() -> None:
    assert convert(["1", "2"], ["3"]).test["x"].dtype == np.int64
    for train, test in ((["1", ""], ["3"]), (["1", "2"], [""]), (["1", "2"], ["3.5"])):
        features = convert(train, test)
        assert features.train["x"].dtype == features.test["x"].dtype == np.float64


@pytest.mark.parametrize(
    "word", ["", "?", " ?", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "<NA>", "#N/A", "n/a"]
)
def test_words_for_missing_are_missing_in_numbers_and_in_categories(word: str) -> None:
    assert values(convert(["1", word, "3"]).train) == [1, None, 3]
    assert values(convert(["red", word, "blue"]).train) == ["red", None, "blue"]


@pytest.mark.parametrize("word", ["-", "--", ".", "unknown", "Unknown", "missing", "none", "n.a.", "na", "*"])
def test_other_words_are_missing_only_where_the_column_is_otherwise_numeric(word: str) -> None:
    assert values(convert(["1", word, "3"]).train) == [1, None, 3]
    assert values(convert(["red", word, "blue"]).train) == ["red", word, "blue"]


def test_words_for_missing_are_counted_in_train_and_told() -> None:
    features = convert(["1", "?", "?"], ["?"])
    assert features.missing_tokens == {"x": {"?": 2}}
    assert features.notes[0].text == "'?' means missing in x: 2 cells of train, 1 of test."


def test_none_is_a_category_beside_another_word_for_missing() -> None:
    assert values(convert(["None", "NA", "Brick"]).train) == ["None", None, "Brick"]


def test_cells_of_test_that_fit_no_number_are_missing_and_counted() -> None:
    features = convert(["1", "2", "3"], ["4", "soon", "", "5.5"])
    assert values(features.test) == [4, None, None, 5.5]
    assert features.notes[0].severity == "warning"
    assert "1 cell of x in the test data cannot be read as numbers ('soon')" in features.notes[0].text


def test_a_stray_word_among_many_numbers_of_train_is_missing_and_told() -> None:
    features = convert([*map(str, range(60)), "bad"])
    assert features.train["x"].isna().sum() == 1
    assert "'bad'" in features.notes[0].text


@pytest.mark.parametrize("word", ["inf", "-inf", "Infinity", "-Infinity", "1e400"])
def test_infinite_numbers_are_missing_and_counted(word: str) -> None:
    features = convert(["1", word, "3"])
    assert values(features.train) == [1, None, 3]
    assert "1 infinite value of x" in features.notes[-1].text


def test_huge_finite_numbers_stay() -> None:
    assert convert(["1", "1e39"]).train["x"].tolist() == [1, 1e39]


def test_blanks_around_categories_are_trimmed_and_counted() -> None:
    features = convert([" red", "red ", "blue"], [" blue"])
    assert features.train["x"].tolist() == ["red", "red", "blue"]
    assert "Blanks around 3 cells of x were trimmed" in features.notes[0].text


def test_units_are_named() -> None:
    for cells, unit in (
        (["$5", "$6"], "currency"),
        (["5%", "6%"], "percent"),
        (["1,000", "12"], "thousands"),
        (["5 kg", "6 kg"], "kg"),
    ):
        assert convert(cells).units == {"x": unit}


def test_a_decimal_comma_is_decided_for_the_file_where_a_column_alone_does_not_tell() -> None:
    train = pd.DataFrame({"a": ["1,234", "5,678"], "b": ["0,5", "1,25"]}, dtype="str")
    assert convert_features(train, train).train["a"].tolist() == [1.234, 5.678]


def test_thousands_separators_stand_beside_decimal_points() -> None:
    train = pd.DataFrame({"a": ["1,234", "5,678"], "b": ["0.5", "1.25"]}, dtype="str")
    assert convert_features(train, train).train["a"].tolist() == [1234, 5678]


def test_dates_and_texts_stay_text() -> None:
    cells = ["2023-10-29 03:00:00+02:00", "2023-10-28T20:01:00Z"]
    assert convert(cells).train["x"].tolist() == cells


def test_the_input_is_not_changed() -> None:
    train = pd.DataFrame({"x": [" ?", "5"]}, dtype="str")
    before = train.copy(deep=True)
    convert_features(train, train)
    pd.testing.assert_frame_equal(train, before)


def test_whole_numbers_past_53_bits_keep_every_digit() -> None:
    assert convert(["9007199254740993", "1"]).train["x"].tolist() == [9007199254740993, 1]
