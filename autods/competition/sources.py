"""The data files of a folder as they lie there: plain, gzipped, or members of a zip."""

from __future__ import annotations

import gzip
import hashlib
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from autods.errors import CompetitionError
from autods.records import Note

__all__ = ["Source", "list_sources", "sources_of"]

DATA_SUFFIXES = (".csv", ".tsv", ".tab", ".txt", ".data", ".parquet", ".pq")
JUNK = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")


@dataclass(frozen=True, slots=True)
class Source:
    """One data file: `name` is what it would be called unpacked, `path` where its bytes lie, `member` its zip member."""

    name: str
    path: Path
    member: str | None = None

    @property
    def stem(self) -> str:
        """The name without its suffix, in lower case."""
        return PurePosixPath(self.name).stem.lower()

    @property
    def suffix(self) -> str:
        """The suffix of the unpacked name, in lower case."""
        return PurePosixPath(self.name).suffix.lower()

    @property
    def label(self) -> str:
        """The file's name for messages, with the member of a zip in brackets where that says more."""
        inner = PurePosixPath(self.member).name if self.member else None
        return f"{self.path.name} ({inner})" if inner and inner not in self.path.name else self.path.name

    def read_bytes(self) -> bytes:
        """Read the unpacked bytes."""
        try:
            if self.member is not None:
                with zipfile.ZipFile(self.path) as archive:
                    return archive.read(self.member)
            data = self.path.read_bytes()
            return gzip.decompress(data) if self.path.suffix.lower() == ".gz" else data
        except (OSError, EOFError, zlib.error, zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
            raise CompetitionError(
                f"{self.label} cannot be opened ({error}); put an intact, unencrypted copy of it in the folder."
            ) from None

    def sha256(self) -> str:
        """Hash the bytes of the file on disk."""
        digest = hashlib.sha256()
        with self.path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
        return digest.hexdigest()


def list_sources(folder: Path) -> tuple[tuple[Source, ...], tuple[Note, ...]]:
    """List the folder's data files, zips opened, in the order of their names."""
    sources: list[Source] = []
    notes: list[Note] = []
    for path in sorted(folder.iterdir(), key=lambda item: item.name):
        if path.is_file() and path.name not in JUNK and not path.name.startswith("."):
            found, said = sources_of(path)
            sources += found
            notes += said
    return tuple(sources), tuple(notes)


def sources_of(path: Path) -> tuple[tuple[Source, ...], tuple[Note, ...]]:
    """List what one file holds: itself, or the data members of a zip; nothing for other files."""
    suffix = path.suffix.lower()
    if suffix == ".zip":
        return _members(path)
    name = path.name[:-3] if suffix == ".gz" else path.name
    return ((Source(name, path),), ()) if _is_data(name) else ((), ())


def _members(path: Path) -> tuple[tuple[Source, ...], tuple[Note, ...]]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = [info.filename for info in archive.infolist() if not info.is_dir()]
    except (OSError, zipfile.BadZipFile) as error:
        return (), (Note(path.name, f"{path.name} is not a readable zip ({error}) and was left out.", "warning"),)
    safe, unsafe = _split(names)
    notes = tuple(
        Note(path.name, f"The member {name!r} of {path.name} leads out of the folder and was refused.", "warning")
        for name in unsafe
    )
    if not safe:
        return (), notes
    only = path.name[: -len(".zip")]
    if len(safe) == 1:
        name = only if _is_data(only) else only + PurePosixPath(safe[0]).suffix
        return (Source(name, path, safe[0]),), notes
    same = [name for name in safe if PurePosixPath(name).name == only]
    if len(same) == 1:
        others = ", ".join(name for name in safe if name != same[0])
        said = Note(path.name, f"{path.name} holds {len(safe)} files; {same[0]} was read and {others} left out.")
        return (Source(only, path, same[0]),), (*notes, said)
    return tuple(Source(PurePosixPath(name).name, path, name) for name in sorted(safe)), notes


def _split(names: Iterable[str]) -> tuple[list[str], list[str]]:
    safe: list[str] = []
    unsafe: list[str] = []
    for name in names:
        parts = PurePosixPath(name.replace("\\", "/")).parts
        if any(part in JUNK or part.startswith("._") for part in parts) or not _is_data(name):
            continue
        leads_out = ".." in parts or name.startswith(("/", "\\")) or ":" in parts[0]
        (unsafe if leads_out else safe).append(name)
    return safe, unsafe


def _is_data(name: str) -> bool:
    return PurePosixPath(name.lower()).suffix in DATA_SUFFIXES
