"""What a phase left, loaded on demand from a gate context folder (`context.json` and the paths it names)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

from autods.records import Folds, Plan, Score, Task, Training, from_json
from autods.tools import Finding

if TYPE_CHECKING:
    from autods.profiling import Profile

__all__ = ["Artifacts", "Fit", "Pair"]


@dataclass(frozen=True)
class Pair:
    """The train and test frames of one moment of a run."""

    train: pd.DataFrame
    test: pd.DataFrame

    @property
    def columns(self) -> list[str]:
        """The names of train's columns."""
        return list(self.train.columns)

    def items(self) -> tuple[tuple[str, pd.DataFrame], ...]:
        """Both frames with their names, train first."""
        return (("train", self.train), ("test", self.test))


@dataclass(frozen=True)
class Fit:
    """One candidate's predictions: out of fold for the labelled rows, and for the test rows.

    `learned` are predictions of rows that the predicting fit had learned from (row number, then outputs); None where
    they were not kept.
    """

    oof: np.ndarray
    test: np.ndarray
    learned: np.ndarray | None = None


class Artifacts:
    """The artifacts of one attempt; each is read when first asked for, and a missing one fails the gate that asks.

    Parameters
    ----------
    folder
        A folder that `autods.execution.write_context` wrote.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.context: dict[str, Any] = json.loads((folder / "context.json").read_text(encoding="utf-8"))
        self.paths = {key: Path(path) for key, path in self.context["paths"].items()}
        self._frames: dict[Path, pd.DataFrame] = {}

    def path(self, key: str) -> Path:
        """Return where an artifact lies; the gate fails when it was never named or is not there."""
        if key not in self.paths:
            pytest.fail(f"The gate context names no {key!r}; this gate cannot judge without it.", pytrace=False)
        path = self.paths[key]
        if not path.exists():
            pytest.fail(f"The phase left no {path.name} ({key}); the code must produce it.", pytrace=False)
        return path

    def digest(self, key: str) -> str:
        """Return the SHA-256 of an artifact as it is now."""
        with self.path(key).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def frame(self, key: str) -> pd.DataFrame:
        """Read a Parquet frame; one that has several names is read once."""
        from autods.validation.storage import read_frame

        path = self.path(key)
        if path not in self._frames:
            try:
                self._frames[path] = read_frame(path)
            except (OSError, ValueError) as error:
                pytest.fail(f"{path.name} ({key}) cannot be read as Parquet: {error}", pytrace=False)
        return self._frames[path]

    def array(self, key: str) -> np.ndarray:
        """Read a plain numpy array; pickled ones are refused."""
        return _load_array(self.path(key))

    def _pair(self, moment: str) -> Pair:
        return Pair(self.frame(f"{moment}_train"), self.frame(f"{moment}_test"))

    @cached_property
    def task(self) -> Task:
        """What is asked."""
        return from_json(Task, json.dumps(self.context["task"]))

    @cached_property
    def plan(self) -> Plan:
        """The phase's plan; its `intent` is what the gates compare with."""
        if self.context.get("plan") is None:
            pytest.fail("The phase has no plan, so nothing tells what its code meant to do.", pytrace=False)
        return from_json(Plan, json.dumps(self.context["plan"]))

    @cached_property
    def rules(self) -> Mapping[str, Any]:
        """The person's typed rules; None where there is none."""
        return dict(self.context.get("rules") or {})

    @cached_property
    def scores(self) -> Mapping[str, Score]:
        """Scores by name (`probe_before`, `probe_after`, `constant`, `baseline`); absent where there is none."""
        found = (self.context.get("scores") or {}).items()
        return {name: from_json(Score, json.dumps(score)) for name, score in found if score is not None}

    @cached_property
    def hashes(self) -> Mapping[str, str]:
        """SHA-256 of files by path key, as they were when the run wrote them."""
        return dict(self.context.get("hashes") or {})

    @cached_property
    def raw(self) -> Pair:
        """The frames as read: features only."""
        return self._pair("raw")

    @cached_property
    def before(self) -> Pair:
        """The frames that the phase was given, without the target."""
        return self._pair("before")

    @cached_property
    def after(self) -> Pair:
        """The frames that the phase left."""
        return self._pair("after")

    @cached_property
    def seen(self) -> Pair:
        """The frames that an exploration saw: those given, with the target joined to train."""
        missing = [name for name in self.target.columns if name not in self.before.train.columns]
        return Pair(pd.concat([self.before.train, self.target[missing]], axis=1), self.before.test)

    @cached_property
    def target(self) -> pd.DataFrame:
        """The target columns of the labelled rows, as spelled."""
        return self.frame("target")

    @cached_property
    def y(self) -> np.ndarray:
        """The target as the harness scores it: codes or numbers."""
        return self.array("y")

    @cached_property
    def keys(self) -> pd.DataFrame:
        """The id, group and time columns of the labelled rows."""
        return self._keys("keys", "raw_train")

    @cached_property
    def test_keys(self) -> pd.DataFrame:
        """The id, group and time columns of the test rows."""
        return self._keys("test_keys", "raw_test")

    def _keys(self, key: str, features: str) -> pd.DataFrame:
        # Parquet keeps no rows of a frame without columns.
        keys = self.frame(key)
        return keys if keys.shape[1] else pd.DataFrame(index=self.frame(features).index)

    @cached_property
    def sample(self) -> pd.DataFrame | None:
        """The sample submission as text; None when the competition has none."""
        return self.frame("sample") if "sample" in self.paths else None

    @cached_property
    def excluded(self) -> pd.DataFrame:
        """Rows left out of fitting: `row` and `reason`; empty when the code excluded none."""
        if "exclude" not in self.paths or not self.paths["exclude"].exists():
            return pd.DataFrame({"row": np.array([], dtype=np.int64), "reason": np.array([], dtype=str)})
        return self.frame("exclude")

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What the exploration found."""
        found = json.loads(self.path("findings").read_text(encoding="utf-8"))
        return tuple(Finding(**{**finding, "columns": tuple(finding["columns"])}) for finding in found)

    @cached_property
    def figures(self) -> tuple[Path, ...]:
        """The figures' files, sorted by name."""
        return tuple(sorted(self.path("figures").rglob("*.png")))

    @cached_property
    def overview(self) -> pd.DataFrame:
        """The exploration's table of columns: `column` and what is known of it."""
        return pd.read_csv(self.path("overview"), dtype=str, keep_default_na=False)

    @cached_property
    def profile(self) -> Profile | None:
        """The profile of the frames given; None when the context has none."""
        if "profile" not in self.paths:
            return None
        from autods.profiling import Profile

        return from_json(Profile, self.path("profile").read_bytes())

    @cached_property
    def folds(self) -> Folds:
        """The run's folds."""
        from autods.validation.folds import load_folds

        return load_folds(self.path("folds"))

    @cached_property
    def training(self) -> Training:
        """All that modeling found."""
        return from_json(Training, self.path("training").read_bytes())

    @cached_property
    def oof(self) -> np.ndarray:
        """The blend's out-of-fold predictions, rows × outputs."""
        return self.array("oof")

    @cached_property
    def test_predictions(self) -> np.ndarray:
        """The blend's predictions of the test rows, rows × outputs."""
        return self.array("test_predictions")

    @cached_property
    def fits(self) -> Mapping[str, Fit]:
        """The predictions of every candidate that the blend uses, by name."""
        blend = self.training.blend
        used = [result for result in self.training.results if blend and blend.weights.get(result.name)]
        return {result.name: self._fit(self.path("run") / result.folder) for result in used}

    def _fit(self, folder: Path) -> Fit:
        learned = folder / "learned.npy"
        oof, test = _load_array(folder / "oof.npy"), _load_array(folder / "test.npy")
        return Fit(oof, test, _load_array(learned) if learned.exists() else None)

    @cached_property
    def submission(self) -> pd.DataFrame:
        """The submission as text, cell for cell as written."""
        return pd.read_csv(self.path("submission"), dtype=str, keep_default_na=False, encoding="utf-8")


def _load_array(path: Path) -> np.ndarray:
    try:
        loaded: np.ndarray = np.load(path, allow_pickle=False)
    except (OSError, ValueError) as error:
        pytest.fail(f"{path.name} cannot be read as a plain array: {error}", pytrace=False)
    return loaded
