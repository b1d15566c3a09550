from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from autods.competition import read_table
from autods.competition.parsing import BadLine
from autods.competition.tables import unique_names
from autods.errors import CompetitionError

CELLS = [["1", "café"], ["2", "naïve"]]


def written(tmp_path: Path, data: bytes, name: str = "table.csv") -> Path:
    path = tmp_path / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_every_common_encoding_and_separator_gives_the_same_cells(
    tmp_path: Path, encoding: str, separator: str
) -> None:
    text = "\n".join(separator.join(row) for row in [["id", "word"], *CELLS]) + "\n"
    reading = read_table(written(tmp_path, text.encode(encoding)))
    assert reading.header == ("id", "word")
    assert reading.frame.to_numpy().tolist() == CELLS
    assert reading.separator == separator


def test_a_utf16_big_endian_mark_is_recognised(tmp_path: Path) -> None:
    data = b"\xfe\xff" + "id\tword\n1\tcafé\n".encode("utf-16-be")
    assert read_table(written(tmp_path, data)).frame["word"].tolist() == ["café"]


def test_one_stray_byte_does_not_spoil_the_letters_of_a_utf8_file(tmp_path: Path) -> None:
    data = "id,word\n1,café\n2,naïve\n".encode() + b"3,caf\xe9\n"
    reading = read_table(written(tmp_path, data))
    assert reading.frame["word"].tolist() == ["café", "naïve", "café"]
    assert "cp1252" in reading.notes[0].text


def test_bytes_that_cp1252_lacks_are_still_read(tmp_path: Path) -> None:
    reading = read_table(written(tmp_path, b"id,word\n1,caf\xe9\x81\n"))
    assert reading.frame["word"].tolist() == ["café\x81"]


def test_quoted_cells_keep_separators_newlines_and_doubled_quotes(tmp_path: Path) -> None:
    data = b'id,text\n1,"a, b\nsecond ""line"""\n2,plain\n'
    assert read_table(written(tmp_path, data)).frame["text"].tolist() == ['a, b\nsecond "line"', "plain"]


def test_a_header_may_hold_quoted_newlines_and_separators(tmp_path: Path) -> None:
    reading = read_table(written(tmp_path, b'id,"x\ny","a,b"\n1,2,3\n'))
    assert reading.header == ("id", "x\ny", "a,b")
    assert reading.frame.to_numpy().tolist() == [["1", "2", "3"]]


def test_cells_stay_as_spelled(tmp_path: Path) -> None:
    cells = ["007", "1e5", "9007199254740993", "0013_01", "NA", "None", "True", " 5 ", "1.50", "nan"]
    data = ("id,x\n" + "".join(f"{cell},0\n" for cell in cells)).encode()
    assert read_table(written(tmp_path, data)).frame["id"].tolist() == cells


def test_windows_and_old_mac_line_ends_are_read(tmp_path: Path) -> None:
    for data in (b"a,b\r\n1,2\r\n", b"a,b\r1,2\r", b"a,b\n1,2"):
        assert read_table(written(tmp_path, data)).frame.to_numpy().tolist() == [["1", "2"]]


def test_a_long_line_is_left_out_and_named_by_its_number_in_the_file(tmp_path: Path) -> None:
    data = b'id,text\n1,"two\nlines"\n2,a,b\n3,c\n4\n'
    reading = read_table(written(tmp_path, data))
    assert reading.bad_lines == (BadLine(4, 3, 2), BadLine(6, 1, 2))
    assert reading.frame["id"].tolist() == ["1", "3"]


def test_a_quote_inside_a_word_is_a_letter(tmp_path: Path) -> None:
    data = b'id,size\n1,5" pipe\n2,6\n'
    assert read_table(written(tmp_path, data)).frame["size"].tolist() == ['5" pipe', "6"]


def test_a_stray_opening_quote_does_not_swallow_the_rest_of_the_file(tmp_path: Path) -> None:
    data = b'id\ttext\n1\t"hello\n2\tworld\n3\t"quoted"\n'
    assert read_table(written(tmp_path, data)).frame["text"].tolist() == ['"hello', "world", "quoted"]


def test_a_single_column_of_text_with_commas_is_one_column(tmp_path: Path) -> None:
    reading = read_table(written(tmp_path, b"text\nbig, shiny\nsmall\na, b, c\n"))
    assert reading.frame["text"].tolist() == ["big, shiny", "small", "a, b, c"]
    assert reading.separator is None


def test_an_empty_cell_of_a_single_column_is_a_row(tmp_path: Path) -> None:
    assert read_table(written(tmp_path, b"x\n1\n\n3\n\n")).frame["x"].tolist() == ["1", "", "3"]


def test_unnamed_row_names_become_a_column(tmp_path: Path) -> None:
    reading = read_table(written(tmp_path, b"a,b\nr1,1,2\nr2,3,4\n"))
    assert reading.frame.columns.tolist() == ["Unnamed: 0", "a", "b"]
    assert reading.frame["a"].tolist() == ["1", "3"]


def test_separators_at_line_ends_add_no_column(tmp_path: Path) -> None:
    for data in (b"a,b\n1,2,\n3,4,\n", b"a,b,\n1,2,\n3,4,\n"):
        assert read_table(written(tmp_path, data)).frame.to_numpy().tolist() == [["1", "2"], ["3", "4"]]


def test_an_excel_separator_hint_and_blank_lines_before_the_header_are_skipped(tmp_path: Path) -> None:
    assert read_table(written(tmp_path, b"sep=;\na;b\n1,5;2\n")).frame.to_numpy().tolist() == [["1,5", "2"]]
    assert read_table(written(tmp_path, b"\n\na,b\n1,2\n")).frame.to_numpy().tolist() == [["1", "2"]]


def test_gzip_and_zip_are_opened_and_resource_forks_ignored(tmp_path: Path) -> None:
    data = b"a,b\n1,2\n"
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("train.csv", data)
        archive.writestr("__MACOSX/._train.csv", b"\x00\x05\x16\x07")
        archive.writestr(".DS_Store", b"\x00")
    for name, content in (("t.csv.gz", gzip.compress(data)), ("train.csv.zip", packed.getvalue())):
        assert read_table(written(tmp_path, content, name)).frame.to_numpy().tolist() == [["1", "2"]]


@pytest.mark.parametrize(
    "member", ["../train.csv", "/etc/train.csv", "a/../../train.csv", "..\\train.csv", "C:/train.csv"]
)
def test_a_member_that_leads_out_of_the_folder_is_refused(tmp_path: Path, member: str) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(member, "a,b\n1,2\n")
    with pytest.raises(CompetitionError, match="holds no table"):
        read_table(written(tmp_path, packed.getvalue(), "train.csv.zip"))


def test_parquet_is_spelled_like_a_csv(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {"id": [1, 2], "x": [0.5, None], "flag": [True, False], "day": pd.to_datetime(["2024-01-02", None])}
    )
    frame.to_parquet(tmp_path / "t.parquet")
    read = read_table(tmp_path / "t.parquet").frame
    assert read["id"].tolist() == ["1", "2"]
    assert read["x"].tolist() == ["0.5", ""]
    assert read["flag"].tolist() == ["True", "False"]
    assert read["day"].tolist()[0].startswith("2024-01-02")


@pytest.mark.parametrize(
    ("data", "name", "message"),
    [
        (b"", "t.csv", "t.csv is empty"),
        (b"PK\x03\x04broken", "t.csv.zip", "holds no table"),
        (b"\x1f\x8bbroken", "t.csv.gz", "t.csv.gz cannot be opened"),
        (b"PAR1broken", "t.parquet", "no readable Parquet"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_sentence(tmp_path: Path, data: bytes, name: str, message: str) -> None:
    with pytest.raises(CompetitionError, match=message) as caught:
        read_table(written(tmp_path, data, name))
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CompetitionError, match="nowhere"):
        read_table(tmp_path / "nowhere.csv")


@pytest.mark.parametrize(
    ("header", "names"),
    [
        (["a", "a", "a.1"], ("a", "a.2", "a.1")),
        (["a", "a", "a"], ("a", "a.1", "a.2")),
        (["a.1", "a", "a"], ("a.1", "a", "a.2")),
        ([" a", "a "], ("a", "a.1")),
        (["", "a"], ("Unnamed: 0", "a")),
    ],
)
def test_every_column_gets_a_name_of_its_own(header: list[str], names: tuple[str, ...]) -> None:
    assert unique_names(header) == names


def test_a_cell_larger_than_a_block_is_read(tmp_path: Path) -> None:
    long = "x" * (17 << 20)
    assert len(read_table(written(tmp_path, f"a,b\n1,{long}\n".encode())).frame["b"][0]) == len(long)
