"""A finding is a number that is recomputed and a sentence that holds it."""

import numpy as np
import pandas as pd
import pytest

from autods.tools import compute, finding, findings

TRAIN = pd.DataFrame({"age": [20.0, np.nan, 40.0, 60.0], "{b}": [1.0, 1.0, 1.0, 1.0], "y": [0, 1, 0, 1]})
TEST = pd.DataFrame({"age": [np.nan, np.nan], "{b}": [1.0, 2.0]})


def test_the_sentence_holds_the_number():
    found = finding("missing_share", TRAIN, columns="age", text="{value:.0%} of {column} is missing.")
    assert (found.frame, found.columns, found.value) == ("train", ("age",), 0.25)
    assert found.text == "25% of age is missing."


def test_every_place_of_the_sentence_is_filled_and_other_braces_stay():
    text = "{statistic}: {column}, {other}, {target}, {columns} {value:+.2f} {x} {}"
    found = finding("pearson", TRAIN, columns=["age", "y"], text=text)
    assert found.text == f"pearson: age, y, y, age, y {found.value:+.2f} {{x}} {{}}"


def test_a_column_name_with_braces_does_no_harm():
    assert finding("n_unique", TRAIN, columns="{b}", text="{column}: {value:.0f}").text == "{b}: 1"


def test_statistics_that_compare_are_of_both_frames():
    assert finding("missing_share_difference", TRAIN, TEST, "age").frame == "both"


def test_a_frame_can_be_named():
    found = finding("missing_share", TRAIN, TEST, "age", frame="test")
    assert (found.frame, found.value) == ("test", 1.0)


def test_a_finding_is_what_compute_gives():
    found = finding("mean", TRAIN, columns=("age",))
    assert found.value == compute(found.statistic, found.frame, found.columns, TRAIN, TEST)


def test_without_a_number_there_is_no_finding():
    assert finding("skew", TRAIN, columns="{b}") is None
    assert [found.columns for found in findings("skew", TRAIN, columns=["age", "{b}"])] == [("age",)]


def test_findings_take_pairs():
    found = findings("spearman", TRAIN, columns=[("age", "y"), ("y", "age")], text="{column} and {other}: {value:.1f}")
    assert [f.text.split(":")[0] for f in found] == ["age and y", "y and age"]


def test_an_unknown_parameter_is_named_with_the_nearest():
    with pytest.raises(TypeError, match="no parameter 'column': did you mean 'columns'"):
        finding("mean", TRAIN, column="age")
