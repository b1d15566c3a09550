"""The five things the harness asks of generated code, each a job in the sandbox.

Every job works in `<folder>/sandbox`, which is removed when it ends; only its checked results move to the folder of
results. Whatever the code does wrong is in the `execution` of what comes back.
"""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from autods.execution.limits import Limits
from autods.execution.outcomes import (
    Explored,
    Fitted,
    Frames,
    Offer,
    Offered,
    Predicted,
    Transformed,
    check_rows,
    count_rows,
    read_array,
    read_findings,
    read_fit,
    read_json,
    read_offers,
    remove_oddities,
    unusable,
)
from autods.execution.sandbox import Sandbox
from autods.records import ExecutionResult, Folds, json_ready
from autods.tools.records import TaskFacts
from autods.validation.folds import save_folds
from autods.validation.jobs import FitJob, visible_targets

__all__ = [
    "Explored",
    "Fitted",
    "Frames",
    "Offer",
    "Offered",
    "Predicted",
    "Transformed",
    "explore",
    "fit",
    "list_candidates",
    "predict",
    "transform",
]

_RUNNER = "autods.execution.runner"


def explore(
    sandbox: Sandbox,
    code: Path,
    *,
    folder: Path,
    frames: Frames,
    task: TaskFacts,
    limits: Limits,
    entry_point: str = "explore",
) -> Explored:
    """Call the code's `explore`; leave `findings.json` and `figures/*.png` in `folder/out`.

    Parameters
    ----------
    sandbox
        Where the code runs.
    code
        The phase's module.
    folder
        The attempt's folder.
    frames
        What the code sees; for the EDA phases with the target joined.
    task
        The facts of the task; its `random_state` seeds the job.
    limits
        What the job may use.
    entry_point
        The function to call.
    """
    inputs, options = frames.inputs(), {"entry_point": entry_point, "tables": list(frames.tables)}
    with _job(sandbox, "explore", code, folder, inputs, task, limits, options) as (execution, left):
        if not execution.ok:
            return Explored(execution)
        out = _emptied(folder / "out")
        try:
            findings = read_findings(left / "findings.json")
        except ValueError as error:
            return Explored(unusable(execution, f"the findings cannot be read: {error}"))
        _move(left, out, "findings.json")
        _move(left / "figures", out, "overview.csv")
        pictures = sorted(path.name for path in (left / "figures").glob("*.png"))
        moved = [_move(left / "figures", out / "figures", name) for name in pictures]
        return Explored(execution, findings, tuple(path for path in moved if path))


def transform(
    sandbox: Sandbox, code: Path, *, folder: Path, frames: Frames, task: TaskFacts, limits: Limits, entry_point: str
) -> Transformed:
    """Call the code's `clean` or `engineer`; leave `train`, `test` (and `exclude`) as Parquet in `folder/out`.

    Parameters are those of `explore`; the frames come without the target.
    """
    import pyarrow as pa

    inputs, options = frames.inputs(), {"entry_point": entry_point, "tables": list(frames.tables)}
    with _job(sandbox, "transform", code, folder, inputs, task, limits, options) as (execution, left):
        if not execution.ok:
            return Transformed(execution)
        try:
            for name in ("train", "test"):
                check_rows(left / f"{name}.parquet", getattr(frames, name))
        except (OSError, ValueError, pa.ArrowException) as error:
            return Transformed(unusable(execution, str(error)))
        out = _emptied(folder / "out")
        return Transformed(execution, *(_move(left, out, f"{name}.parquet") for name in ("train", "test", "exclude")))


def list_candidates(
    sandbox: Sandbox, code: Path, *, folder: Path, task: TaskFacts, limits: Limits, entry_point: str = "candidates"
) -> Offered:
    """Call the code's `candidates`; leave `candidates.json` in `folder/out`. Parameters are those of `explore`."""
    with _job(sandbox, "candidates", code, folder, {}, task, limits, {"entry_point": entry_point}) as (execution, left):
        if not execution.ok:
            return Offered(execution)
        try:
            offers = read_offers(left / "candidates.json")
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            return Offered(unusable(execution, f"the candidates cannot be read: {error}"))
        _move(left, _emptied(folder / "out"), "candidates.json")
        return Offered(execution, offers)


def fit(
    sandbox: Sandbox,
    code: Path,
    candidate: str,
    *,
    folder: Path,
    frames: Frames,
    y: np.ndarray,
    folds: Folds,
    task: TaskFacts,
    limits: Limits,
    parameters: Mapping[str, Any] | None = None,
    fit_rows: np.ndarray | None = None,
    audit: int | None = None,
    keep_estimators: bool = True,
    entry_point: str = "candidates",
) -> Fitted:
    """Fit one candidate on the folds; leave `oof.npy`, `test.npy`, `fit.json` and `estimators.joblib` in `folder`.

    Parameters
    ----------
    sandbox, code, frames, task, limits, entry_point
        See `explore`.
    candidate
        The candidate's name.
    folder
        The folder of this fit.
    y
        Targets in the harness's form.
    folds
        The run's folds.
    parameters
        Set on the estimator before it is fitted: a trial of its search space.
    fit_rows
        False for rows that no fit may use.
    audit
        Fit this fold only, with its held-out targets masked; out-of-fold predictions must be the same as without.
    keep_estimators
        Whether to keep the fitted estimators, for `predict`.
    """
    targets = visible_targets(FitJob(candidate, candidate, splits=None if audit is None else (audit,)), y, folds)
    options = {
        "entry_point": entry_point,
        "candidate": candidate,
        "parameters": json_ready(dict(parameters or {})),
        "n_outputs": len(task.classes) or len(task.targets),
        "splits": None if audit is None else [audit],
        "keep_estimators": keep_estimators and audit is None,
    }
    arrays = {"y": targets} | ({} if fit_rows is None else {"fit_rows": fit_rows})
    with _job(sandbox, "fit", code, folder, frames.inputs(), task, limits, options, arrays, folds) as (execution, left):
        if not execution.ok:
            return Fitted(execution)
        try:
            fitted = read_fit(execution, left, frames, len(y), options["n_outputs"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            return Fitted(unusable(execution, str(error)))
        for name in ("oof.npy", "by_repeat.npy", "test.npy", "learned.npy", "fit.json"):
            _move(left, folder, name)
        return replace(fitted, estimators=_move(left, folder, "estimators.joblib"))


def predict(
    sandbox: Sandbox, code: Path, *, folder: Path, estimators: Path, test: Path, task: TaskFacts, limits: Limits
) -> Predicted:
    """Predict new rows with fitted estimators; leave `test.npy` in `folder`.

    They are unpickled in the sandbox only: what generated code has pickled is code.
    """
    inputs = {"estimators.joblib": estimators, "test.parquet": test}
    with _job(sandbox, "predict", code, folder, inputs, task, limits, {}) as (execution, left):
        if not execution.ok:
            return Predicted(execution)
        try:
            outputs = read_array(
                left / "test.npy", count_rows(test), len(task.classes) or len(task.targets), finite=True
            )
        except (OSError, ValueError) as error:
            return Predicted(unusable(execution, str(error)))
        _move(left, folder, "test.npy")
        return Predicted(execution, outputs)


@contextmanager
def _job(
    sandbox: Sandbox,
    operation: str,
    code: Path,
    folder: Path,
    inputs: Mapping[str, Path],
    task: TaskFacts,
    limits: Limits,
    options: Mapping[str, Any],
    arrays: Mapping[str, np.ndarray] | None = None,
    folds: Folds | None = None,
) -> Iterator[tuple[ExecutionResult, Path]]:
    """Run a job in a folder of its own; yield what became of it and, until the block ends, the folder of what it left."""
    work = folder.resolve() / "sandbox"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    token = secrets.token_hex(16)
    job = {"operation": operation, "token": token, "task": json_ready(task), **options}
    (work / "job.json").write_text(json.dumps(job, ensure_ascii=False, allow_nan=False), encoding="utf-8")
    for name, array in (arrays or {}).items():
        np.save(work / f"{name}.npy", array, allow_pickle=False)
    if folds is not None:
        save_folds(folds, work / "folds.npz")
    try:
        given = {"code.py": code, **inputs}
        execution = sandbox.run(
            _RUNNER, ["job.json"], folder=work, inputs=given, limits=limits, results=["out/done.json"]
        )
        remove_oddities(work / "out")
        if execution.ok and not _is_done(work / "out" / "done.json", token):
            execution = unusable(execution, "out/done.json was not written by the runner")
        yield execution, work / "out"
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _is_done(path: Path, token: str) -> bool:
    try:
        return bool(read_json(path)["token"] == token)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _emptied(out: Path) -> Path:
    """Return the folder of results without those of an earlier try."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    return out


def _move(left: Path, to: Path, name: str) -> Path | None:
    """Move a file that a job left; None when there is none."""
    path = left / name
    if not path.is_file():
        return None
    to.mkdir(parents=True, exist_ok=True)
    return path.replace(to / name)
