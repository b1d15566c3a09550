"""AutoKaggle's tools are all here, under their names, as its table in the docs says."""

import re
from pathlib import Path

import pytest

import autods.tools
from autods.tools import manual

TABLE = Path(__file__).parents[2] / "tools" / "AUTOKAGGLE.md"
ROWS = re.findall(
    r"^\| `(\w+)\(.*?\)` \| `(.*?)` \|", TABLE.read_text(encoding="utf-8").replace("\\|", "|"), re.MULTILINE
)


def test_the_table_has_the_whole_set() -> None:
    assert len(ROWS) == 19


@pytest.mark.parametrize("name, call", ROWS, ids=[name for name, _ in ROWS])
def test_the_table_gives_the_call_as_it_is(name: str, call: str) -> None:
    assert name in autods.tools.__all__
    assert call == manual.signature(name)
