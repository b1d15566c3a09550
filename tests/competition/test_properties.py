from __future__ import annotations

import csv
import io
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from autods.competition import read_table
from autods.competition.conversion import convert_features
from autods.competition.dialect import decode, find_dialect
from autods.competition.headers import unify_headers
from autods.competition.labels import encode_labels
from autods.competition.settings import Settings
from autods.competition.tables import unique_names

CELL = st.text(st.characters(codec="utf-8", exclude_characters="\x00\r", exclude_categories=("Cs",)), max_size=8)
WORD = st.text("abc,;\"'\t |é€", min_size=1, max_size=6).filter(str.strip)
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def rows(width: int) -> st.SearchStrategy[list[list[str]]]:
    row = st.lists(CELL, min_size=width, max_size=width).filter(lambda cells: cells[-1].strip() != "")
    return st.lists(row, min_size=1, max_size=6)


@QUICK
@given(body=rows(3), separator=st.sampled_from(",;\t|"), encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_what_a_csv_writer_wrote_is_read_back(
    tmp_path: Path, body: list[list[str]], separator: str, encoding: str
) -> None:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=separator, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(
        [["id", "b c", "y"], *body]
    )
    path = tmp_path / "t.csv"
    path.write_bytes(out.getvalue().encode(encoding))
    assert read_table(path).frame.to_numpy().tolist() == body


@QUICK
@given(st.binary(max_size=200))
@example(b"\xff\xfe")
@example(b"a,b\n\xff\xff")
def test_any_bytes_are_decoded_and_have_a_dialect(data: bytes) -> None:
    text, _ = decode(data)
    assert len(find_dialect(text).separator) == 1


@QUICK
@given(st.lists(st.text("ab. 1", max_size=4), max_size=8), st.lists(st.text("ab. 1", max_size=4), max_size=8))
def test_names_are_unique_on_both_sides_and_alike_for_alike_headers(train: list[str], test: list[str]) -> None:
    headers = unify_headers(train, test)
    assert len(set(headers.train)) == len(train)
    assert len(set(headers.test)) == len(test)
    assert len(set(unique_names(train))) == len(train)
    assert unify_headers(train, train).train == unify_headers(train, train).test


@QUICK
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20))
def test_floats_come_back_exactly(numbers: list[float]) -> None:
    frame = pd.DataFrame({"x": pd.Series([repr(number) for number in numbers], dtype="str")})
    assert convert_features(frame, frame).test["x"].tolist() == numbers


@QUICK
@given(st.lists(st.integers(0, 10**7), min_size=1, max_size=20))
def test_thousands_separators_come_back_exactly(numbers: list[int]) -> None:
    frame = pd.DataFrame({"x": pd.Series([f"{number:,}" for number in numbers], dtype="str")})
    assert convert_features(frame, frame, decimal=".").train["x"].tolist() == numbers


@QUICK
@given(st.lists(CELL, min_size=1, max_size=12), st.lists(CELL, min_size=1, max_size=12))
def test_both_sides_have_the_same_type_whatever_the_cells(train: list[str], test: list[str]) -> None:
    sides = [pd.DataFrame({"x": pd.Series(cells, dtype="str")}) for cells in (train, test)]
    features = convert_features(*sides)
    assert features.train["x"].dtype == features.test["x"].dtype
    assert (len(features.train), len(features.test)) == (len(train), len(test))


@QUICK
@given(st.lists(WORD, min_size=2, max_size=12))
def test_every_label_has_a_code(cells: list[str]) -> None:
    labels = encode_labels(pd.Series(cells, dtype="str", name="y"), "multiclass", Settings())
    assert labels.codes.min() >= 0
    assert [labels.classes[code].strip() for code in labels.codes] == [cell.strip() for cell in cells]


@pytest.mark.parametrize("cell", ["a\rb", "a\r\nb", "\x00", "\ufeff"])
def test_odd_characters_do_not_break_a_table(tmp_path: Path, cell: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(f'id,b\n1,"{cell}"\n2,x\n'.encode())
    assert read_table(path).frame["id"].tolist() == ["1", "2"]
