"""Whatever a file holds as text, the tools for text take it."""

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autods.tools

TOOLS = [
    "format_datetime",
    "normalise_categories",
    "one_hot_encode",
    "parse_numbers",
    "split_structured",
    "text_statistics",
]
PIECES = st.sampled_from(
    ["1,2", "$", "%", "-", "/", "a", "Ä", "ß", ".", ",", "2021", "12", "(", ")", "[", "\\", "\n", "e9", "Mr"]
)
TEXT = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8), st.lists(PIECES, max_size=5).map("".join)
)
COLUMN = st.lists(st.one_of(st.none(), TEXT), min_size=1, max_size=8)


@pytest.mark.parametrize("name", TOOLS)
@settings(max_examples=40, deadline=None)
@given(train=COLUMN, test=COLUMN)
def test_any_text_is_taken(name: str, train: list, test: list) -> None:
    frames = [pd.DataFrame({"c": pd.Series(values, dtype="str")}) for values in (train, test)]
    for call in ({}, {"columns": ["c"]}):
        new_train, new_test = getattr(autods.tools, name)(*frames, **call)
        assert new_train.dtypes.equals(new_test.dtypes)
        assert (len(new_train), len(new_test)) == (len(train), len(test))


@pytest.mark.parametrize("pattern", ["name", "parts", "prefix_number", "code"])
@settings(max_examples=30, deadline=None)
@given(train=COLUMN, test=COLUMN)
def test_any_text_is_taken_apart(pattern: str, train: list, test: list) -> None:
    frames = [pd.DataFrame({"c": pd.Series(values, dtype="str")}) for values in (train, test)]
    new_train, new_test = autods.tools.split_structured(*frames, columns=["c"], pattern=pattern)
    assert new_train.dtypes.equals(new_test.dtypes)
