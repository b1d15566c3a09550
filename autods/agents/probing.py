"""The probe: a plain LightGBM on the run's folds, used to tell whether cleaning or features helped."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from autods.agents.context import RunContext
from autods.agents.situation import folds_of, profile_of
from autods.competition import default_decision, metric_of
from autods.execution import jobs
from autods.execution.facts import task_facts
from autods.execution.limits import Limits
from autods.profiling import Profile
from autods.records import Folds, Score
from autods.tools import TaskFacts
from autods.validation.scoring import score_outputs
from autods.workspace import write_atomic

__all__ = ["PROBE_CODE", "excluded_rows", "facts_of", "frames_in", "limits", "probe", "probe_test_outputs"]

PROBE_CODE = '''"""The probe: a plain LightGBM."""

from autods.tools import Candidate, baseline_lightgbm


def candidates(task):
    """Offer the probe alone."""
    return {"probe": Candidate(baseline_lightgbm(task.kind))}
'''
PROBE_TIMEOUT_S = 600.0


def facts_of(context: RunContext, profile: Profile) -> TaskFacts:
    """What generated code may know of this run's task."""
    return task_facts(context.competition.task, profile, effort=context.config.effort, seed=context.config.seed)


def limits(context: RunContext, timeout_s: float, share: int = 1) -> Limits:
    """What one job may use: the time that is left, and its share of the memory."""
    import psutil

    memory_mb = context.config.memory_mb or int(psutil.virtual_memory().available / 2**20 * 0.8)
    return Limits(timeout_s=context.timeout(timeout_s), memory_mb=max(1024, memory_mb // share))


def frames_in(out: Path, tables: Path | None = None) -> jobs.Frames:
    """The frames of an artifact, and the competition's further tables."""
    found = {path.stem: path for path in sorted(tables.glob("*.parquet"))} if tables and tables.is_dir() else {}
    return jobs.Frames(out / "train.parquet", out / "test.parquet", found)


def excluded_rows(out: Path, n_rows: int) -> np.ndarray | None:
    """False for the rows that cleaning marked as not to be learnt from; None when there are none."""
    import pandas as pd

    path = out / "exclude.parquet"
    if not path.exists():
        return None
    fit_rows = np.ones(n_rows, dtype=bool)
    fit_rows[pd.read_parquet(path)["row"].to_numpy()] = False
    return fit_rows


def probe(context: RunContext, out: Path, folder: Path, fit_rows: np.ndarray | None = None) -> Score | None:
    """Score the probe on an artifact's frames; None when it failed or there is nothing to hold out."""
    folds = folds_of(context)
    if folds is None or not folds.splits:
        return None
    fitted = _fit(context, out, folds, folder, fit_rows)
    if fitted.oof is None:
        context.tell("note", text=f"the probe failed: {fitted.execution.message}")
        return None
    task = context.competition.task
    return score_outputs(
        metric_of(task), context.competition.y, fitted.oof, folds, default_decision(task.kind, task.needs)
    )


def probe_test_outputs(context: RunContext, out: Path, folds: Folds, folder: Path) -> np.ndarray | None:
    """The probe's predictions for the test rows; None when it failed."""
    fitted = _fit(context, out, folds, folder, None)
    if fitted.test is None:
        context.tell("note", text=f"the plain LightGBM failed: {fitted.execution.message}")
    return fitted.test


def _fit(context: RunContext, out: Path, folds: Folds, folder: Path, fit_rows: np.ndarray | None) -> jobs.Fitted:
    folder.mkdir(parents=True, exist_ok=True)
    code = write_atomic(folder / "probe.py", PROBE_CODE)
    began = context.journal.clock()
    fitted = jobs.fit(
        context.sandbox,
        code,
        "probe",
        folder=folder,
        frames=frames_in(out),
        y=context.competition.y,
        folds=folds,
        task=facts_of(context, profile_of(out)),
        limits=limits(context, PROBE_TIMEOUT_S),
        fit_rows=fit_rows,
        keep_estimators=False,
    )
    context.journal.append("fitted", name="probe", audit=False, began=began, ended=context.journal.clock())
    context.check_stop()
    return fitted
