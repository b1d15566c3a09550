"""The overview has a row for every column."""

import numpy as np
import pandas as pd

from autods.tools import overview_table

TRAIN = pd.DataFrame({
    "age": [20.0, np.nan, 40.0, np.inf], "port": ["S", "S", "C", None], "when": pd.date_range("2020", periods=4), "y": [0, 1, 1, 0],
})  # fmt: skip
TEST = pd.DataFrame({"age": [30.0, 31.0], "port": ["S", None], "extra": ["only", "here"]})


def test_every_column_of_both_frames_has_a_row():
    assert overview_table(TRAIN, TEST)["column"].tolist() == ["age", "port", "when", "y", "extra"]


def test_a_row_tells_type_gaps_levels_and_range():
    row = overview_table(TRAIN, TEST).set_index("column").loc["age"]
    assert (row["type"], row["missing_train"], row["missing_test"], row["n_unique"]) == ("float64", 0.25, 0.0, 3)
    assert (row["minimum"], row["mean"], row["maximum"]) == (20.0, 30.0, 40.0)


def test_examples_are_the_most_frequent_values_on_one_line():
    table = overview_table(TRAIN.assign(port=["S\nS", "S\nS", "x" * 90, None])).set_index("column")
    assert table.loc["port", "examples"] == "S S, " + "x" * 39 + "…"


def test_a_wide_frame_can_be_cut_and_says_how_much():
    table = overview_table(pd.DataFrame(np.zeros((2, 50)), columns=[f"x{k}" for k in range(50)]), max_rows=10)
    assert len(table) == 11
    assert table["column"].iloc[-1] == "… and 40 more columns"


def test_empty_frames_have_an_overview():
    assert overview_table(TRAIN.iloc[:0], TEST.iloc[:0])["column"].tolist() == ["age", "port", "when", "y", "extra"]
