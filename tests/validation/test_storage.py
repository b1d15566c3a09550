"""Frames come back from their files as they were: columns, types, levels, rows."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from autods.validation.storage import read_frame, write_frame

COLUMNS = {
    "text": pd.Series(["x", None, "é"]),
    "all missing text": pd.Series([np.nan] * 3, dtype="str"),
    "whole numbers": pd.Series([2**62 + 1, -1, 0]),
    "small whole numbers": pd.Series([1, 2, 3], dtype="int8"),
    "numbers": pd.Series([0.1, np.nan, np.inf]),
    "short numbers": pd.Series([0.1, np.nan, 2], dtype="float32"),
    "booleans": pd.Series([True, False, True]),
    "dates": pd.to_datetime(pd.Series(["2020-01-01 10:00", None, "1900-02-03 00:00"])),
    "dates of a zone": pd.to_datetime(pd.Series(["2020-07-01", None, "2021-01-01"])).dt.tz_localize("Europe/Berlin"),
    "text levels": pd.Series(pd.Categorical(["b", None, "a"], categories=["never", "b", "a"])),
    "ordered levels": pd.Series(pd.Categorical(["b", None, "a"], categories=["b", "c", "a"], ordered=True)),
    "number levels": pd.Series(pd.Categorical([3, None, 1], categories=[5, 3, 1])),
    "fraction levels": pd.Series(pd.Categorical([0.5, None, 1.5], ordered=True)),
    "boolean levels": pd.Series(pd.Categorical([True, None, False])),
    "missing whole numbers": pd.Series([1, None, 3], dtype="Int64"),
    'odd "name" {x} $\\ é': pd.Series([1.0, 2.0, 3.0]),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_comes_back_as_it_was(tmp_path: Path, name: str) -> None:
    frame = pd.DataFrame({name: COLUMNS[name]})
    write_frame(frame, tmp_path / "frame.parquet")
    pd.testing.assert_frame_equal(read_frame(tmp_path / "frame.parquet"), frame, check_index_type="exact")


def test_a_frame_without_columns_keeps_its_rows() -> None:
    buffer = io.BytesIO()
    write_frame(pd.DataFrame(index=pd.RangeIndex(7)), buffer)
    back = read_frame(buffer)
    assert back.shape == (7, 0)
    assert isinstance(back.index, pd.RangeIndex)


def test_a_frame_without_rows_keeps_its_types() -> None:
    buffer = io.BytesIO()
    frame = pd.DataFrame(COLUMNS).iloc[:0].reset_index(drop=True)
    write_frame(frame, buffer)
    pd.testing.assert_series_equal(read_frame(buffer).dtypes, frame.dtypes)


def test_a_folder_named_like_a_partition_adds_no_column(tmp_path: Path) -> None:
    (tmp_path / "year=2020").mkdir()
    write_frame(pd.DataFrame({"a": [1]}), tmp_path / "year=2020" / "frame.parquet")
    assert list(read_frame(tmp_path / "year=2020" / "frame.parquet")) == ["a"]


def test_what_others_wrote_is_read(tmp_path: Path) -> None:
    pd.DataFrame({"a": [1, 2]}).to_parquet(tmp_path / "a.parquet")
    assert read_frame(tmp_path / "a.parquet")["a"].tolist() == [1, 2]


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(["a", 1], dtype=object),
        pd.cut(pd.Series([1, 2, 3]), 2),
        pd.Series(pd.arrays.SparseArray([0, 1])),
        pd.Series([1j, 2]),
    ],
)
def test_what_cannot_be_stored_is_named_with_a_remedy(column: pd.Series) -> None:
    frame = pd.DataFrame({"fine": range(len(column)), "odd": column})
    with pytest.raises(ValueError, match=r"The column 'odd' of type .* cannot be stored .*; make it numbers"):
        write_frame(frame, io.BytesIO())
