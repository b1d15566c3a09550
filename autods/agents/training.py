"""Trains what the modeling code offers: the harness's own work, each fit a job in the sandbox, each saved at once."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from autods.agents.context import RunContext
from autods.agents.probing import excluded_rows, facts_of, frames_in, limits
from autods.agents.situation import folds_of, profile_of
from autods.agents.submitting import submit
from autods.competition import metric_of
from autods.execution import jobs
from autods.records import Attempt, Folds, Score, Training, from_json, to_json
from autods.validation.jobs import FitJob, FitOutcome
from autods.validation.training import Best, train
from autods.workspace import content_key, write_atomic

__all__ = ["train_candidates"]

_DONE = "outcome.json"


@dataclasses.dataclass(frozen=True)
class _Fits:
    """Runs fits of one attempt in the sandbox; one that was finished before is looked up."""

    context: RunContext
    attempt: Attempt
    given: Path
    folds: Folds

    def __call__(self, job: FitJob) -> FitOutcome:
        folder = (
            self.context.workspace.path(self.attempt.folder) / "fits" / f"{job.name.replace('#', '-')}-{self._key(job)}"
        )
        done = _read(folder, self.context.workspace.relative(folder))
        if done is not None:
            return done
        if self.context.stop.is_set():
            return FitOutcome("cut_off", message="The run was stopped.")
        folder.mkdir(parents=True, exist_ok=True)
        workers = self.context.config.workers
        allowed = limits(self.context, job.timeout_s if np.isfinite(job.timeout_s) else 6 * 3600.0, workers)
        began = self.context.journal.clock()
        fitted = jobs.fit(
            self.context.sandbox,
            self.context.workspace.path(self.attempt.folder) / "code.py",
            job.base,
            folder=folder,
            frames=frames_in(self.given),
            y=self.context.competition.y,
            folds=self.folds,
            task=facts_of(self.context, profile_of(self.given)),
            limits=dataclasses.replace(allowed, timeout_s=min(allowed.timeout_s, job.timeout_s)),
            parameters=job.parameters,
            fit_rows=excluded_rows(self.given, len(self.context.competition.y)),
            audit=None if job.splits is None else job.splits[0],
        )
        self.context.journal.append(
            "fitted", name=job.name, audit=job.splits is not None, began=began, ended=self.context.journal.clock()
        )
        outcome = _outcome(
            fitted, job, self.context.workspace.relative(folder), budget=self.context.clock.budget_s is not None
        )
        if outcome.status in ("ok", "failed") and not self.context.stop.is_set():
            facts = {
                "status": outcome.status,
                "seconds": outcome.seconds,
                "message": outcome.message,
                "importance": dict(outcome.importance),
            }
            write_atomic(folder / _DONE, to_json(facts))
        return outcome

    def _key(self, job: FitJob) -> str:
        return content_key(job.base, dict(job.parameters), list(job.splits or ()))


def _outcome(fitted: jobs.Fitted, job: FitJob, folder: str, budget: bool) -> FitOutcome:
    execution = fitted.execution
    if fitted.oof is None:
        cut = execution.status == "timeout" and budget
        message = (
            f"Ended after {execution.wall_s:.0f} s, when its share of the budget was used up."
            if cut
            else execution.message
        )
        return FitOutcome("cut_off" if cut else "failed", seconds=execution.wall_s, folder=folder, message=message)
    return FitOutcome(
        "ok", fitted.oof, fitted.test, fitted.by_repeat, sum(fitted.fold_seconds), folder, importance=fitted.importance
    )


def _read(folder: Path, relative: str) -> FitOutcome | None:
    if not (folder / _DONE).exists():
        return None
    facts = json.loads((folder / _DONE).read_text(encoding="utf-8"))
    arrays = {
        name: np.load(folder / f"{name}.npy", allow_pickle=False)
        for name in ("oof", "test", "by_repeat")
        if (folder / f"{name}.npy").exists()
    }
    return FitOutcome(
        facts["status"],
        **arrays,
        seconds=facts["seconds"],
        folder=relative,
        message=facts["message"],
        importance=facts["importance"],
    )


def train_candidates(context: RunContext, attempt: Attempt, offers: Sequence[jobs.Offer], given: Path) -> Training:
    """Train the offered candidates, submit whenever the blend changes, and leave the final one's predictions in `out`."""
    folds, competition, out = folds_of(context), context.competition, context.workspace.path(attempt.folder) / "out"
    assert folds is not None
    baseline = context.workspace.work / "baseline"
    references = {
        name: from_json(Score, path.read_bytes())
        for name in ("constant", "lightgbm")
        if (path := baseline / f"{name}.json").exists()
    }

    def take(best: Best) -> None:
        if best.test is not None and not context.stop.is_set():
            submit(context, best.test, best.decision, _name(best.weights), score=best.score)

    trained = train(
        [offer.name for offer in offers],
        {offer.name: offer.space for offer in offers},
        _Fits(context, attempt, given, folds),
        task=competition.task,
        metric=metric_of(competition.task),
        y=competition.y,
        folds=folds,
        config=context.config,
        seconds_left=context.clock.left,
        reserve_s=context.reserve_s,
        workers=context.config.workers,
        constant=references.get("constant"),
        baseline=references.get("lightgbm"),
        on_event=lambda event: _tell(context, event),
        on_result=take,
    )
    context.check_stop()
    if trained.best is not None:
        np.save(out / "oof.npy", trained.best.oof)
        if trained.best.test is not None:
            np.save(out / "test_predictions.npy", trained.best.test)
    write_atomic(out / "training.json", to_json(trained.training))
    return trained.training


def _name(weights: Mapping[str, float]) -> str:
    return f"blend of {len(weights)} candidates" if len(weights) > 1 else next(iter(weights))


def _tell(context: RunContext, event: Mapping[str, Any]) -> None:
    if event["event"] == "fit_finished":
        result = event["result"]
        context.journal.append(
            "candidate", name=result.name, status=result.status, score=result.score, seconds=result.seconds
        )
        context.tell(
            "candidate",
            name=result.name,
            score=result.score,
            text=f"{result.status.replace('_', ' ')}: {result.message}",
        )
    elif event["event"] in ("tuning", "audit"):
        context.tell("agent", agent="harness", doing=f"{event['event']}: {', '.join(event['names'][:4])}")
