"""How estimators read columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from autods.tools.modeling._design import DesignEncoder
from autods.tools.modeling._frames import TreeEncoder, category_codes, learn_columns, numeric_values

NAN = np.nan
SENTENCES = [f"well said number {i} of them" for i in range(60)]


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pd.Series([1, 2]), [1.0, 2.0]),
        (pd.Series([1.5, np.inf, -np.inf]), [1.5, NAN, NAN]),
        (pd.Series([True, False]), [1.0, 0.0]),
        (pd.Series([True, None], dtype="boolean"), [1.0, NAN]),
        (pd.Series([True, None], dtype=object), [1.0, NAN]),
        (pd.Series([1, None], dtype="Int64"), [1.0, NAN]),
        (pd.to_datetime(pd.Series(["1970-01-02", None])), [1.0, NAN]),
        (pd.to_datetime(pd.Series(["1970-01-02 01:00"])).dt.tz_localize("Europe/Oslo"), [1.0]),
        (pd.to_timedelta(pd.Series(["36h", None])), [1.5, NAN]),
        (pd.Series(["3", "x"]), [3.0, NAN]),
        (pd.Series([1 + 1j * 0, 3j]), [1.0, 3.0]),
    ],
)
def test_numbers(column: pd.Series, expected: list[float]) -> None:
    np.testing.assert_array_equal(numeric_values(column), expected)


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pd.Series(["a", "b", "z", None]), [0, 1, -1, -1]),
        (pd.Series(["a", "b"], dtype="category"), [0, 1]),
        (pd.Series(["b", 3], dtype=object), [1, -1]),
        (pd.Series([], dtype="str"), []),
    ],
)
def test_levels_never_seen_are_missing(column: pd.Series, expected: list[int]) -> None:
    assert category_codes(column, np.array(["a", "b"], dtype=object)).tolist() == expected


def test_a_whole_number_is_the_same_level_as_a_float() -> None:
    assert category_codes(pd.Series([3.0, NAN, 2.5]), np.array(["2.5", "3"], dtype=object)).tolist() == [1, -1, 0]


def test_columns_are_told_apart_by_what_they_hold() -> None:
    frame = pd.DataFrame(
        {
            "number": range(60),
            "town": ["Rome", "Oslo", "New York City"] * 20,
            "note": SENTENCES,
            "serial": [f"s{i}" for i in range(60)],
            "grade": pd.Categorical(["low", "high"] * 30, ["low", "high"], ordered=True),
            "kind": pd.Categorical(["x", "y"] * 30, ["x", "y", "never"]),
        }
    )
    found = learn_columns(frame)
    assert found.numeric == ("number",)
    assert list(found.ordered["grade"]) == ["low", "high"]
    assert {name: list(levels) for name, levels in found.categories.items()} == {
        "town": ["New York City", "Oslo", "Rome"],
        "kind": ["x", "y"],
    }
    assert found.text == ("note", "serial")


def test_trees_get_codes_for_categories_and_statistics_for_text() -> None:
    frame = pd.DataFrame({"note": SENTENCES, "town": ["Rome", None, "Oslo"] * 20, "x": range(60)})
    encoder = TreeEncoder(frame)
    matrix = encoder.encode(frame)
    assert encoder.sources == ("x", "town", *["note"] * 6)
    assert encoder.categorical == (1,)
    np.testing.assert_array_equal(matrix[:3, 1], [1, NAN, 0])
    assert matrix[0, 2:4].tolist() == [len(SENTENCES[0]), 6]


def test_the_design_imputes_scales_and_marks_what_was_missing() -> None:
    frame = pd.DataFrame({"x": [0.0, 10.0, NAN, 20.0] * 5, "town": ["a", "b", "a", None] * 5})
    encoder = DesignEncoder(frame)
    design = encoder.encode(frame)
    assert encoder.sources == ("x", "x", "x", "x", "x", "town", "town", "town")
    assert design[:, 0].mean() == pytest.approx(0)
    assert design[:, 0].std() == pytest.approx(1)
    assert design[:4, 1].tolist() == [0, 0, 1, 0]
    assert design[:4, -3:].tolist() == [[1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]]


def test_rare_levels_share_a_column_with_unseen_ones() -> None:
    frame = pd.DataFrame({"town": ["a"] * 10 + ["b"] * 10 + ["once", "twice", "twice"]})
    encoder = DesignEncoder(frame, fewest=4)
    seen = encoder.encode(pd.DataFrame({"town": ["a", "once", "never", None]}))
    assert seen.tolist() == [[1, 0, 0], [0, 0, 1], [0, 0, 1], [0, 0, 0]]


def test_values_beyond_training_are_clipped_to_its_range() -> None:
    frame = pd.DataFrame({"x": np.linspace(0, 1, 50)})
    encoder = DesignEncoder(frame, splines=True)
    far = encoder.encode(pd.DataFrame({"x": [-1e9, 1e9]}))
    np.testing.assert_allclose(far, encoder.encode(frame)[[0, -1]])


def test_many_levels_make_a_sparse_design_of_the_same_numbers() -> None:
    levels = [f"l{i % 900}" for i in range(4500)]
    frame = pd.DataFrame({"code": pd.Categorical(levels), "x": np.arange(4500.0)})
    encoder = DesignEncoder(frame, most_levels=1000)
    design = encoder.encode(frame)
    assert encoder.is_sparse
    assert design.shape == (4500, 901)
    assert design[:, 1:].sum() == 4500
