"""What jobs bring back: small records, and the checks that what generated code left is what it should be."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from autods.records import ExecutionResult, from_json
from autods.tools.records import Finding

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution

__all__ = [
    "Explored",
    "Fitted",
    "Frames",
    "Offer",
    "Offered",
    "Predicted",
    "Transformed",
    "check_rows",
    "count_rows",
    "read_array",
    "read_findings",
    "read_fit",
    "read_json",
    "read_offers",
    "remove_oddities",
    "unusable",
]

_LARGEST_JSON = 32 << 20


@dataclass(frozen=True)
class Frames:
    """The frames a job sees, as Parquet files; `tables` are the competition's further files by name."""

    train: Path
    test: Path
    tables: Mapping[str, Path] = field(default_factory=dict)

    def inputs(self) -> dict[str, Path]:
        """Name the files as the runner finds them."""
        numbered = {f"table{number}.parquet": path for number, path in enumerate(self.tables.values())}
        return {"train.parquet": self.train, "test.parquet": self.test, **numbered}


@dataclass(frozen=True)
class Explored:
    """What an EDA phase's `explore` found; figures are PNG files, in order of their names."""

    execution: ExecutionResult
    findings: tuple[Finding, ...] = ()
    figures: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Transformed:
    """What `clean` or `engineer` made; `exclude` has the columns `row` and `reason`, and is None when no row is."""

    execution: ExecutionResult
    train: Path | None = None
    test: Path | None = None
    exclude: Path | None = None


@dataclass(frozen=True)
class Offer:
    """A candidate as the harness knows it: its estimator's text and its search space; never the estimator itself."""

    name: str
    estimator: str
    space: Mapping[str, BaseDistribution] | None


@dataclass(frozen=True)
class Offered:
    """The candidates of the modeling phase, in order of preference."""

    execution: ExecutionResult
    offers: tuple[Offer, ...] = ()


@dataclass(frozen=True)
class Fitted:
    """What fitting a candidate on the folds gave; see `validation.FitResult`."""

    execution: ExecutionResult
    oof: np.ndarray | None = None
    by_repeat: np.ndarray | None = None
    test: np.ndarray | None = None
    fold_seconds: tuple[float, ...] = ()
    importance: Mapping[str, float] = field(default_factory=dict)
    estimators: Path | None = None


@dataclass(frozen=True)
class Predicted:
    """Outputs for new rows, rows × outputs."""

    execution: ExecutionResult
    test: np.ndarray | None = None


def unusable(execution: ExecutionResult, reason: str) -> ExecutionResult:
    """Turn a good end into one without a result."""
    return replace(execution, status="no_result", message=f"The code ended but its result cannot be used: {reason}")


def remove_oddities(out: Path) -> None:
    """Remove all that is neither a plain file nor a folder: links lead anywhere, and pipes are never read to an end."""
    if out.is_symlink():
        out.unlink()
    for folder, folders, files in os.walk(out):
        for path in (Path(folder, name) for name in (*folders, *files)):
            if not stat.S_ISREG(mode := path.lstat().st_mode) and not stat.S_ISDIR(mode):
                path.unlink()


def read_json(path: Path) -> Any:
    """Read a JSON file that a job left."""
    if path.stat().st_size > _LARGEST_JSON:
        raise ValueError(f"{path.name} has {path.stat().st_size} bytes and may have {_LARGEST_JSON}")
    return json.loads(path.read_bytes())


def read_findings(path: Path) -> tuple[Finding, ...]:
    """Read what an exploration found."""
    return from_json(tuple[Finding, ...], json.dumps(read_json(path)))


def read_offers(path: Path) -> tuple[Offer, ...]:
    """Read the candidates that the modeling phase offers."""
    from optuna.distributions import json_to_distribution

    return tuple(
        Offer(
            name,
            str(offer["estimator"]),
            {key: json_to_distribution(text) for key, text in offer["space"].items()} if offer["space"] else None,
        )
        for name, offer in read_json(path).items()
    )


def read_fit(execution: ExecutionResult, left: Path, frames: Frames, n_rows: int, n_outputs: int) -> Fitted:
    """Read what fitting left; raise ValueError (or what else reading raises) when it is not what it should be."""
    facts = read_json(left / "fit.json")
    repeats, test = left / "by_repeat.npy", left / "test.npy"
    return Fitted(
        execution,
        oof=read_array(left / "oof.npy", n_rows, n_outputs, finite=False),
        by_repeat=read_array(repeats, n_rows, n_outputs, finite=False) if repeats.exists() else None,
        test=read_array(test, count_rows(frames.test), n_outputs, finite=True) if test.exists() else None,
        fold_seconds=tuple(float(seconds) for seconds in facts["fold_seconds"]),
        importance={str(name): float(share) for name, share in facts["importance"].items()},
    )


def read_array(path: Path, n_rows: int, n_outputs: int, *, finite: bool) -> np.ndarray:
    """Read a file of numbers that a job left; never a pickle, never another shape."""
    mapped = np.load(path, mmap_mode="r", allow_pickle=False)
    if mapped.dtype != np.float64 or mapped.shape[-2:] != (n_rows, n_outputs):
        raise ValueError(f"{path.name} holds {mapped.dtype} {mapped.shape} instead of float64 {(n_rows, n_outputs)}")
    array = np.array(mapped)
    if finite and not np.isfinite(array).all():
        raise ValueError(f"{path.name} holds {int((~np.isfinite(array)).sum())} values that are missing or infinite")
    return array


def count_rows(path: Path) -> int:
    """Count a Parquet file's rows by its footer."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        return int(file.metadata.num_rows)


def check_rows(path: Path, original: Path) -> None:
    """Raise ValueError unless a frame that a job left has as many rows as the one it got."""
    rows, expected = count_rows(path), count_rows(original)
    if rows != expected:
        raise ValueError(f"{path.name} has {rows} rows instead of {expected}")
