"""The gates of both explorations: numbers that can be recomputed, figures that show something, data left as it was."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path

import pandas as pd
import pytest

from autods.tools import Finding
from autods.unit_tests.artifacts import Artifacts, Pair
from autods.unit_tests.wording import listed, number

__all__ = [
    "test_every_column_is_in_the_overview",
    "test_figures_are_few",
    "test_figures_show_something",
    "test_findings_are_recomputed",
    "test_findings_say_what_they_mean",
    "test_raw_data_is_unchanged",
    "test_something_is_found",
    "test_texts_quote_their_numbers",
]

_MOST_FIGURES = 10
_LEAST_INK = 0.001


def test_raw_data_is_unchanged(artifacts: Artifacts, hashes: Mapping[str, str]) -> None:
    """Exploring looks and changes nothing: every later phase starts from the same bytes."""
    for key in ("raw_train", "raw_test"):
        assert key in hashes, f"The run noted no hash of {key}, so nothing tells whether it changed."
        assert artifacts.digest(key) == hashes[key], (
            f"{artifacts.paths[key].name} ({key}) was changed; write nothing outside `out`."
        )


def test_something_is_found(findings: tuple[Finding, ...]) -> None:
    """The next phase decides by these findings: there must be some."""
    assert findings, "There is no finding; return at least one Finding for what the next phase must know."


def test_findings_are_recomputed(findings: tuple[Finding, ...], seen: Pair) -> None:
    """A number that cannot be recomputed is a claim; decisions are made on numbers."""
    from autods.tools import STATISTICS, compute

    for position, finding in enumerate(findings):
        where = f"Finding {position} ({finding.statistic} of {listed(finding.columns)})"
        assert finding.statistic in STATISTICS, (
            f"{where} uses a statistic that is not in STATISTICS: {listed(sorted(STATISTICS), 60)}."
        )
        unknown = [column for column in finding.columns if column not in seen.train.columns]
        assert not unknown, f"{where} names columns that are not there: {listed(unknown)}."
        try:
            due = compute(finding.statistic, finding.frame, finding.columns, seen.train, seen.test)
        except (KeyError, TypeError, ValueError) as error:
            pytest.fail(f"{where} cannot be recomputed on {finding.frame!r}: {error}", pytrace=False)
        value = math.nan if finding.value is None else finding.value
        same = math.isclose(value, due, rel_tol=1e-6, abs_tol=1e-9) or (math.isnan(value) and math.isnan(due))
        assert same, (
            f"{where} says {number(value)}, but it is {number(due)}; make it with finding(...), which computes it."
        )


def test_findings_say_what_they_mean(findings: tuple[Finding, ...]) -> None:
    """A finding without its sentence tells the next phase nothing."""
    silent = [position for position, finding in enumerate(findings) if not finding.text.strip()]
    assert not silent, f"Findings {listed(silent)} have no text; say the number and what follows from it."


@pytest.mark.warn
def test_texts_quote_their_numbers(findings: tuple[Finding, ...]) -> None:
    """A person reads the sentence, not the value: both should say the same."""
    wrong = [
        f.text for f in findings if f.value is not None and math.isfinite(f.value) and not _quotes(f.text, f.value)
    ]
    assert not wrong, (
        f"{len(wrong)} sentences do not hold their number: {listed(wrong, 3)}; quote the value or its percentage."
    )


def _quotes(text: str, value: float) -> bool:
    """Whether a number of the text is the value, or the value in percent, to the digits that are written."""
    for written in re.findall(r"[-−]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?", text):
        plain = written.replace(",", "").replace("−", "-")
        digits = len(plain.partition(".")[2]) if "e" not in plain.lower() else 12
        step = 10.0**-digits
        if any(abs(abs(float(plain)) - abs(form)) <= 0.5001 * step for form in (value, 100 * value, 100 * (1 - value))):
            return True
    return False


def test_figures_are_few(figures: tuple[Path, ...]) -> None:
    """Nobody looks at the eleventh picture; small multiples show many columns in one."""
    assert len(figures) <= _MOST_FIGURES, (
        f"There are {len(figures)} figures; at most {_MOST_FIGURES}: put columns side by side in one."
    )


def test_figures_show_something(figures: tuple[Path, ...]) -> None:
    """A figure must exist, open and hold more than its background."""
    from PIL import Image, UnidentifiedImageError

    assert figures, "There is no figure; save at least one as PNG under out."
    for path in figures:
        assert path.suffix == ".png", (
            f"{path.name} is not a PNG file; save figures as PNG and nothing else beside them."
        )
        try:
            with Image.open(path) as image:
                counts = image.convert("L").histogram()
        except (UnidentifiedImageError, OSError, SyntaxError) as error:
            pytest.fail(f"{path.name} cannot be opened as a picture: {error}", pytrace=False)
        ink = 1 - max(counts) / sum(counts)
        assert ink >= _LEAST_INK, f"{path.name} is blank; draw into the figure that is saved."


def test_every_column_is_in_the_overview(overview: pd.DataFrame, before: Pair) -> None:
    """A column nobody looked at is a column nobody repairs."""
    assert "column" in overview, f"The overview table has no column named 'column', only {listed(overview.columns)}."
    shown = set(overview["column"])
    left_out = [column for column in before.train if column not in shown]
    assert not left_out, f"{listed(left_out)} are not in the overview table; write a row for every column."
