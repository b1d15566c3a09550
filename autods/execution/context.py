"""Write the folder that the gates read: what was asked, planned and left, as one JSON file of facts and paths."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from autods.config import Rules
from autods.errors import nearest
from autods.phases import Phase
from autods.records import Plan, Score, Task, json_ready

__all__ = ["PATH_KEYS", "file_hash", "write_context"]

PATH_KEYS = (
    "after_test",
    "after_train",
    "before_test",
    "before_train",
    "exclude",
    "figures",
    "findings",
    "folds",
    "keys",
    "oof",
    "overview",
    "profile",
    "raw_test",
    "raw_train",
    "run",
    "sample",
    "submission",
    "target",
    "test_keys",
    "test_predictions",
    "training",
    "y",
)
"""What a gate context may name.

Frames (Parquet): `raw_*` as read, `before_*` as given to the phase, `after_*` as it left them, `keys`, `test_keys`,
`target` (as spelled), `sample` (as text), `exclude` (`row`, `reason`). Arrays (npy): `y`, `oof`, `test_predictions`.
Others: `folds` (npz), `findings`, `profile`, `training` (JSON), `overview`, `submission` (CSV); the folders `figures`
and `run`.
"""


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file's bytes.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "empty"
    >>> path.touch()
    >>> file_hash(path)[:8]
    'e3b0c442'
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_context(
    folder: Path,
    *,
    phase: Phase,
    task: Task,
    plan: Plan | None,
    rules: Rules,
    paths: Mapping[str, Path],
    scores: Mapping[str, Score | None] | None = None,
    hashes: Mapping[str, str] | None = None,
) -> Path:
    """Write `context.json` and return the folder, as `run_gates` takes it.

    Parameters
    ----------
    folder
        The folder to write to; made when it is not there.
    phase, task, plan, rules
        What the gates compare the artifacts with.
    paths
        Where the artifacts lie, by the names of `PATH_KEYS`; what the phase does not have is left out.
    scores
        `probe_before`, `probe_after`, `constant`, `baseline`; None where there is none.
    hashes
        `file_hash` of files that no phase may change, by path key, taken when the run wrote them: `raw_train`,
        `raw_test`, and `folds` once they are fixed.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    ValueError
        When a path key is unknown.
    """
    for key in (*paths, *(hashes or {})):
        if key not in PATH_KEYS:
            raise ValueError(f"A gate context has no path {key!r}; {nearest(key, PATH_KEYS)}")
    if task.custom_metric is not None:
        task = replace(task, custom_metric=str(Path(task.custom_metric).resolve()))
    context = {
        "phase": phase.slug,
        "task": task,
        "plan": plan,
        "rules": rules.model_dump(mode="json"),
        "paths": {key: str(path.resolve()) for key, path in paths.items()},
        "scores": {name: score for name, score in (scores or {}).items() if score is not None},
        "hashes": dict(hashes or {}),
    }
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(json_ready(context), ensure_ascii=False, indent=1, allow_nan=False)
    (folder / "context.json").write_text(text, encoding="utf-8")
    return folder
