"""`manifest.json`: the run's facts for machines."""

from __future__ import annotations

import hashlib
from typing import Any

from autods.records import Score, json_ready, to_json
from autods.reports.content import PhaseContent, RunContent
from autods.reports.recipe import profile_before
from autods.reports.trail import attempt_outcome
from autods.validation.scoring import paired_difference

__all__ = ["SCHEMA", "manifest"]

SCHEMA = 1


def manifest(content: RunContent) -> str:
    """Write `manifest.json`: strict JSON, UTF-8; what is unknown is null.

    Fields
    ------
    schema
        The version of these fields; it grows when one changes its meaning.
    run_id, started, competition, reasoner
        The run's name, its beginning (local time, ISO), the competition's folder, who answered the agents.
    task
        The task as in `autods.records.Task`: kind, targets, metric, greater_is_better, needs, submission, classes, facts.
    scores
        `validation` (of what was submitted), `constant`, `baseline` and `probes` by phase, each with value,
        standard_error, folds, metric, greater_is_better; `gain_over_baseline` and `gain_over_constant` as
        {mean, standard_error}, paired by fold, positive for better.
    folds
        kind, n_splits, n_repeats, n_rows and the reason.
    features
        The columns that candidates learnt from, by semantic type.
    candidates
        Every candidate and tuning trial: name, base, status, score, seconds, parameters, message, importance.
    blend
        weights by candidate, decision, score, method; null when nothing was blended.
    audit
        By member of the blend, the largest difference when one fold was fitted again without its held-out target.
    phases
        For each: slug, tries, outcome, fallback, gates (counts by verdict), seconds, probe, headline, attempt (folder).
    submission
        file, sha256, rows and columns.
    files
        The competition's files: name, role, rows, columns, encoding, separator, sha256.
    notes, not_done
        What was repaired or noticed; what was left out.
    config, seed, versions
        All settings; the seed of everything; library versions.
    timings, costs
        Seconds by phase and in total; calls, tokens and money spent on language models.
    isolation
        The layers that held while generated code ran.
    """
    return to_json(_fields(content))


def _fields(content: RunContent) -> dict[str, Any]:
    training, task, score = content.training, content.task, content.score
    return {
        "schema": SCHEMA,
        "run_id": content.run_id,
        "started": content.started,
        "competition": str(content.competition),
        "reasoner": content.config.reasoner,
        "task": task,
        "scores": {
            "validation": score,
            "constant": content.constant,
            "baseline": content.baseline,
            "probes": content.probes,
            "gain_over_baseline": _gain(score, content.baseline),
            "gain_over_constant": _gain(score, content.constant),
        },
        "folds": _folds(content),
        "features": _features(content),
        "candidates": [] if training is None else [_candidate(result) for result in training.results],
        "blend": None if training is None else training.blend,
        "audit": {} if training is None else training.audit,
        "phases": [_phase(phase) for phase in content.phases],
        "submission": _submission(content),
        "files": content.files,
        "notes": content.notes,
        "not_done": content.left_out,
        "config": content.config.model_dump(mode="json"),
        "seed": content.config.seed,
        "versions": content.versions,
        "timings": content.timings,
        "costs": {"llm_calls": 0, "tokens": 0, "usd": 0.0},
        "isolation": content.isolation,
    }


def _gain(score: Score | None, other: Score | None) -> dict[str, float] | None:
    if score is None or other is None:
        return None
    mean, error = paired_difference(score, other)
    return {"mean": mean, "standard_error": error}


def _folds(content: RunContent) -> dict[str, Any] | None:
    folds = content.folds
    if folds is None:
        return None
    return {name: getattr(folds, name) for name in ("kind", "n_splits", "n_repeats", "n_rows", "reason")}


def _features(content: RunContent) -> dict[str, Any]:
    last = [phase for phase in content.phases if phase.phase.produces == "candidates"]
    profile = profile_before(content, last[-1]) if last else None
    return {} if profile is None else dict(profile.by_semantic())


def _candidate(result: Any) -> dict[str, Any]:
    fields: dict[str, Any] = json_ready(result)
    return {name: value for name, value in fields.items() if name != "folder"}


def _phase(content: PhaseContent) -> dict[str, Any]:
    attempt = content.accepted
    outcomes = [check.outcome for check in attempt.gates.checks] if attempt.gates else []
    return {
        "slug": content.phase.slug,
        "tries": len(content.attempts),
        "outcome": attempt_outcome(attempt),
        "fallback": attempt.fallback,
        "gates": {name: outcomes.count(name) for name in ("passed", "warned", "failed", "skipped")},
        "seconds": content.seconds,
        "probe": attempt.probe,
        "headline": content.summary.headline,
        "attempt": attempt.folder,
    }


def _submission(content: RunContent) -> dict[str, Any] | None:
    path = content.submission
    if path is None or not path.is_file():
        return None
    written = path.read_bytes()
    rows = max(0, written.count(b"\n") - 1)
    columns = list(content.task.submission.columns)
    return {"file": path.name, "sha256": hashlib.sha256(written).hexdigest(), "rows": rows, "columns": columns}
