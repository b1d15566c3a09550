"""A competition's folder: which file is train, test and sample submission, what else lies there, and its texts."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from autods.competition.dialect import decode
from autods.competition.settings import SETTINGS_FILES, Settings
from autods.competition.sources import Source, list_sources, sources_of
from autods.errors import CompetitionError, nearest
from autods.records import FileFact, Note

__all__ = ["Folder", "read_folder"]

Role = Literal["train", "test", "sample_submission"]
ROLES: tuple[Role, ...] = ("sample_submission", "train", "test")
TEXT_SUFFIXES = (".txt", ".md", ".html", ".rst")
OVERVIEW_STEMS = ("overview", "competition", "evaluation", "task", "description", "readme")
DESCRIPTION = re.compile(
    r"(data|column|field|feature|variable)s?[_ -]?(description|dictionary|definition|info)|codebook"
)
PLAIN_TEXTS = re.compile(r"overview|readme|instructions|licen[cs]e|notes?|evaluation|rules|requirements")


@dataclass(frozen=True)
class Folder:
    """The files of a competition by role."""

    path: Path
    train: Source
    test: Source
    sample: Source | None
    tables: tuple[Source, ...]
    overview: str
    description: str
    instructions: str
    texts: tuple[FileFact, ...]
    notes: tuple[Note, ...]


def read_folder(path: Path, settings: Settings) -> Folder:
    """Find the files of a competition by their names, or as `files:` of the settings says.

    Raises
    ------
    CompetitionError
        When the folder or its train or test file is missing; the sentence says what to put where.
    """
    if not path.is_dir():
        raise CompetitionError(
            f"There is no competition folder {str(path)!r}; give a folder with a train and a test file."
        )
    sources, notes = list_sources(path)
    sources = _without_copies(sources)
    chosen = {role: _chosen(path, role, sources, settings) for role in ROLES}
    train, test, sample = chosen["train"], chosen["test"], chosen["sample_submission"]
    if train is None or test is None:
        raise _lacking(path, "train" if train is None else "test", sources, notes)
    texts, overview, description = _texts(path, settings, [source for source in (train, test, sample) if source])
    used = {(source.path, source.member) for source in (train, test, sample) if source}
    text_names = {fact.name for fact in texts}
    tables = tuple(
        source
        for source in sources
        if (source.path, source.member) not in used
        and source.path.name not in text_names
        and not (source.suffix == ".txt" and PLAIN_TEXTS.search(source.stem))
        and _role_score("sample_submission", source) == 0
    )
    instructions = _read_text(path / "instructions.md") if (path / "instructions.md").is_file() else ""
    return Folder(path, train, test, sample, tables, overview, description, instructions, texts, notes)


def _lacking(path: Path, role: Role, sources: Sequence[Source], notes: Sequence[Note]) -> CompetitionError:
    held = ", ".join(source.label for source in sources) or "no table"
    held += "".join(f" ({note.text.rstrip('.')})" for note in notes if note.severity == "warning")
    if role == "train":
        return CompetitionError(
            f"{str(path)!r} is no competition: it holds {held}, but no train file; "
            "put train.csv and test.csv there, or name them under `files:` in competition.yaml."
        )
    return CompetitionError(
        f"{str(path)!r} holds {held}, but no test file; put test.csv there or name it under `files:` in competition.yaml "
        "(`autods new` makes a competition of one labelled file)."
    )


def _without_copies(sources: Sequence[Source]) -> tuple[Source, ...]:
    """Of a file and its packed copy keep the plain one."""
    by_name: dict[str, Source] = {}
    for source in sorted(sources, key=lambda source: source.name != source.path.name):
        by_name.setdefault(source.name.lower(), source)
    return tuple(sorted(by_name.values(), key=lambda source: source.name))


def _chosen(path: Path, role: Role, sources: Sequence[Source], settings: Settings) -> Source | None:
    if name := settings.files.get(role):
        found = sources_of(path / str(name))[0] if (path / str(name)).is_file() else ()
        if not found:
            known = [item.name for item in path.iterdir()]
            raise CompetitionError(
                f"{settings.source} names {name!r} as {role} file, which is not there; {nearest(str(name), known)}"
            )
        return replace(found[0])
    scored = [
        (score, -len(source.name), source.name, source) for source in sources if (score := _role_score(role, source))
    ]
    return max(scored)[3] if scored else None


def _role_score(role: Role, source: Source) -> int:
    """Say how much a file's name speaks for a role: 0 not at all, more for names with fewer other words."""
    words = [word for word in re.split(r"[^a-z]+", _snake(Path(source.name).stem).lower()) if word]
    sample = any(word.startswith("submi") for word in words) or words in (["sample"], ["sample", "solution"])
    if role == "sample_submission":
        return (10 if "sample" in words else 5) if sample else 0
    starts = {"train": ("train", "training"), "test": ("test", "testing")}[role]
    labels = {"label", "labels", "y", "target", "targets"} & set(words)
    if sample or labels or not any(word in starts for word in words):
        return 0
    return max(10 - len(words), 1)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)


# --- texts -----------------------------------------------------------------------------------------------------------
def _texts(path: Path, settings: Settings, data: Iterable[Source]) -> tuple[tuple[FileFact, ...], str, str]:
    taken = {source.path for source in data}
    facts: list[FileFact] = []
    overview_file = _overview(path, settings, taken)
    overview = description = ""
    if overview_file is not None:
        overview = _read_text(overview_file)
        facts.append(_text_fact(overview_file, "overview"))
    for file in sorted(path.iterdir(), key=lambda item: item.name):
        if not file.is_file() or file in taken or file == overview_file or file.name.startswith("."):
            continue
        if DESCRIPTION.search(file.stem.lower()) and file.suffix.lower() in (*TEXT_SUFFIXES, ".csv", ".tsv"):
            description += _read_text(file)
            facts.append(_text_fact(file, "description"))
        elif file.name == "instructions.md":
            facts.append(_text_fact(file, "instructions"))
        elif file.name in SETTINGS_FILES:
            facts.append(_text_fact(file, "config"))
        elif file.suffix.lower() == ".py":
            facts.append(_text_fact(file, "other"))
    return tuple(facts), overview, description


def _overview(path: Path, settings: Settings, taken: set[Path]) -> Path | None:
    if name := settings.files.get("overview"):
        if not (path / str(name)).is_file():
            known = [item.name for item in path.iterdir()]
            raise CompetitionError(
                f"{settings.source} names the overview {name!r}, which is not there; {nearest(str(name), known)}"
            )
        return path / str(name)
    files = [file for file in sorted(path.iterdir()) if file.suffix.lower() in TEXT_SUFFIXES and file not in taken]
    for stem in OVERVIEW_STEMS:
        for file in files:
            if file.is_file() and file.stem.lower() == stem:
                return file
    return None


def _read_text(path: Path) -> str:
    return decode(path.read_bytes())[0].replace("\r\n", "\n")


def _text_fact(path: Path, role: Literal["overview", "description", "instructions", "config", "other"]) -> FileFact:
    return FileFact(path.name, role, sha256=hashlib.sha256(path.read_bytes()).hexdigest())
