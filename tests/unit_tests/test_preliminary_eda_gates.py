"""Each gate of the explorations fails on a minimal broken one and lets legitimate odd ones pass."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from autods.execution.context import file_hash
from autods.tools import Finding
from autods.unit_tests import test_deep_eda
from autods.unit_tests import test_preliminary_eda as gates
from autods.unit_tests.artifacts import Pair

SEEN = Pair(
    pd.DataFrame({"age": [20.0, np.nan, 40.0, 60.0], "town": ["Ulm", "Ulm", "Bonn", None], "y": ["a", "b", "a", "a"]}),
    pd.DataFrame({"age": [30.0, 31.0], "town": ["Ulm", "Köln"]}),
)


def found(value: float = 0.25, text: str = "age is missing in 25 % of train.", **changes: object) -> Finding:
    facts = {"statistic": "missing_share", "frame": "train", "columns": ("age",), "value": value, "text": text}
    return Finding(**{**facts, **changes})  # type: ignore[arg-type]


def test_deep_exploration_has_the_same_gates() -> None:
    assert test_deep_eda.__all__ == gates.__all__


# --- findings --------------------------------------------------------------------------------------------------------
def test_a_true_finding_passes() -> None:
    gates.test_something_is_found((found(),))
    gates.test_findings_are_recomputed((found(), found(0.0, frame="test"), found(1 / 6, frame="both")), SEEN)
    gates.test_findings_say_what_they_mean((found(),))


def test_no_finding_is_refused() -> None:
    with pytest.raises(AssertionError, match="no finding"):
        gates.test_something_is_found(())


@pytest.mark.parametrize(
    ("finding", "said"),
    [
        (found(0.5), r"Finding 0 \(missing_share of 'age'\) says 0.5, but it is 0.25; make it with finding"),
        (found(float("nan")), "says nan, but it is 0.25"),
        (found(statistic="vibes"), "not in STATISTICS"),
        (found(columns=("agee",)), "names columns that are not there: 'agee'"),
        (found(columns=("age", "town")), "cannot be recomputed on 'train'"),
        (found(frame="y"), "cannot be recomputed on 'y'"),
        (found(columns=("y",), frame="test"), "cannot be recomputed on 'test'"),
    ],
)
def test_a_number_that_cannot_be_recomputed_is_refused(finding: Finding, said: str) -> None:
    with pytest.raises((AssertionError, pytest.fail.Exception), match=said):
        gates.test_findings_are_recomputed((finding,), SEEN)


def test_a_finding_of_the_target_is_recomputed() -> None:
    gates.test_findings_are_recomputed((found(0.0, columns=("y",)),), SEEN)


def test_a_silent_finding_is_refused() -> None:
    with pytest.raises(AssertionError, match="Findings 1 have no text"):
        gates.test_findings_say_what_they_mean((found(), found(text=" ")))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.25, "25 % are missing"),
        (0.25, "0.25 of the rows"),
        (0.253, "about 25 %"),
        (0.75, "25 % are left over"),
        (1234.5, "the mean is 1,234.5 dollars"),
        (-0.4321, "they correlate at −0.43"),
        (-0.4321, "they correlate at -0.432"),
        (3.0, "3 levels in 5 columns"),
        (1.5e-7, "p = 1.5e-07"),
        (float("nan"), "nothing to say"),
    ],
)
def test_a_sentence_that_quotes_its_number_passes(value: float, text: str) -> None:
    gates.test_texts_quote_their_numbers((found(value, text),))


@pytest.mark.parametrize(("value", "text"), [(0.25, "52 % are missing"), (0.25, "many are missing"), (12.0, "in 2012")])
def test_a_sentence_without_its_number_is_odd(value: float, text: str) -> None:
    with pytest.raises(AssertionError, match="1 sentences do not hold their number"):
        gates.test_texts_quote_their_numbers((found(value, text),))


# --- figures ---------------------------------------------------------------------------------------------------------
def drawn(path: Path, *, blank: bool = False) -> Path:
    from PIL import Image

    pixels = np.full((60, 80), 255, dtype=np.uint8)
    if not blank:
        pixels[20:30, 10:70] = 40
    Image.fromarray(pixels).save(path)
    return path


def test_a_drawn_figure_passes(tmp_path: Path) -> None:
    gates.test_figures_show_something((drawn(tmp_path / "a.png"),))


def test_a_blank_figure_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"b\.png is blank"):
        gates.test_figures_show_something((drawn(tmp_path / "a.png"), drawn(tmp_path / "b.png", blank=True)))


@pytest.mark.parametrize("content", [b"", b"no picture", b"\x89PNG\r\n\x1a\nbroken"])
def test_a_file_that_is_no_picture_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.png").write_bytes(content)
    with pytest.raises(pytest.fail.Exception, match=r"a\.png cannot be opened as a picture"):
        gates.test_figures_show_something((tmp_path / "a.png",))


def test_a_picture_cut_short_is_refused(tmp_path: Path) -> None:
    path = drawn(tmp_path / "a.png")
    path.write_bytes(path.read_bytes()[:60])
    with pytest.raises(pytest.fail.Exception, match=r"a\.png cannot be opened"):
        gates.test_figures_show_something((path,))


def test_no_figure_is_refused() -> None:
    with pytest.raises(AssertionError, match="no figure"):
        gates.test_figures_show_something(())


def test_too_many_figures_are_refused() -> None:
    gates.test_figures_are_few((Path("a.png"),) * 10)
    with pytest.raises(AssertionError, match="There are 11 figures; at most 10"):
        gates.test_figures_are_few((Path("a.png"),) * 11)


# --- overview and raw data -------------------------------------------------------------------------------------------
def test_a_column_left_out_of_the_overview_is_missed() -> None:
    gates.test_every_column_is_in_the_overview(pd.DataFrame({"column": ["town", "age", "y"]}), SEEN)
    with pytest.raises(AssertionError, match="'town', 'y' are not in the overview table"):
        gates.test_every_column_is_in_the_overview(pd.DataFrame({"column": ["age"]}), SEEN)
    with pytest.raises(AssertionError, match="no column named 'column', only 'name'"):
        gates.test_every_column_is_in_the_overview(pd.DataFrame({"name": ["age"]}), SEEN)


def test_raw_data_that_changed_is_refused(tmp_path: Path) -> None:
    paths = {"raw_train": tmp_path / "train.parquet", "raw_test": tmp_path / "test.parquet"}
    for path in paths.values():
        path.write_bytes(b"rows")
    artifacts = SimpleNamespace(digest=lambda key: file_hash(paths[key]), paths=paths)
    hashes = {key: file_hash(path) for key, path in paths.items()}
    gates.test_raw_data_is_unchanged(artifacts, hashes)
    paths["raw_test"].write_bytes(b"other rows")
    with pytest.raises(AssertionError, match=r"test\.parquet \(raw_test\) was changed"):
        gates.test_raw_data_is_unchanged(artifacts, hashes)
    with pytest.raises(AssertionError, match="noted no hash of raw_train"):
        gates.test_raw_data_is_unchanged(artifacts, {})
