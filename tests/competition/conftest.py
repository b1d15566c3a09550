from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from autods.competition import read_competition
from autods.records import Competition

Write = Callable[..., Path]
Read = Callable[..., Competition]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a folder of files given as text or bytes: `write(train="…", overview="…", **{"x.csv": b"…"})`."""

    def written(folder: str = "demo", **files: str | bytes) -> Path:
        path = tmp_path / folder
        path.mkdir(exist_ok=True)
        names = {"train": "train.csv", "test": "test.csv", "sample": "sample_submission.csv", "overview": "overview.txt",
                 "settings": "competition.yaml"}  # fmt: skip
        for name, content in files.items():
            data = content.encode("utf-8") if isinstance(content, str) else content
            (path / names.get(name, name)).write_bytes(data)
        return path

    return written


@pytest.fixture
def read(write: Write) -> Read:
    """Write a folder and read it."""

    def done(*, given: Mapping[str, Any] | None = None, **files: str | bytes) -> Competition:
        return read_competition(write(**files), settings=given)

    return done


def said(competition: Competition) -> str:
    """All notes as one text."""
    return "\n".join(note.text for note in competition.notes)
