"""What re-creates a run's submission, found from what the run left."""

from __future__ import annotations

from pathlib import Path

from autods.competition.decisions import default_decision
from autods.execution.facts import task_facts
from autods.profiling import Profile
from autods.records import Blend, Decision, Training, from_json
from autods.reports.content import PhaseContent, RunContent
from autods.reports.harness import Chosen, Recipe
from autods.tools.records import TaskFacts

__all__ = ["profile_before", "recipe_of"]

BASELINE_CODE = '''from autods.tools import Candidate, baseline_lightgbm


def candidates(task):
    """The plain LightGBM, on the raw columns."""
    return {"probe": Candidate(baseline_lightgbm(task.kind))}
'''


def recipe_of(content: RunContent) -> Recipe | None:
    """Return the recipe of the submission: the blend's, or that of the baseline or constant which stands in its place.

    None when no submission was written, or none that the run's records explain.
    """
    training = content.training
    if training is not None and training.blend is not None:
        return _blend_recipe(content, training, training.blend)
    if content.submission is None or not content.submission.is_file():
        return None
    written, baseline = content.submission.read_bytes(), content.root / "work" / "baseline"
    decision = default_decision(content.task.kind, content.task.needs)
    if _holds(baseline / "lightgbm.csv", written):
        first = {phase.phase.slug: phase for phase in content.phases}.get("background")
        facts = _facts(content, None if first is None else _profile(first))
        chosen = {"probe": Chosen("probe", {}, 1.0)}
        return _single(BASELINE_CODE, facts, chosen, decision, "The plain LightGBM, on the raw columns.")
    if _holds(baseline / "constant.csv", written):
        return _single("", _facts(content, None), {}, decision, "The best constant.")
    return None


def _holds(path: Path, written: bytes) -> bool:
    return path.is_file() and path.read_bytes() == written


def _single(code: str, facts: TaskFacts, chosen: dict[str, Chosen], decision: Decision, headline: str) -> Recipe:
    slug = "modeling"
    return Recipe({slug: code}, {slug: "candidates"}, {slug: facts}, chosen, decision, {slug: headline}, one_fit=True)


def _blend_recipe(content: RunContent, training: Training, blend: Blend) -> Recipe:
    results = {result.name: result for result in training.results}
    chosen = {
        name: Chosen(results[name].base or name, results[name].parameters, weight)
        for name, weight in blend.weights.items()
    }
    phases = [phase for phase in content.phases if phase.phase.produces in ("frames", "candidates")]
    return Recipe(
        codes={phase.phase.slug: phase.accepted.code for phase in phases},
        entry_points={phase.phase.slug: phase.phase.entry_point or "" for phase in phases},
        facts={phase.phase.slug: _facts(content, profile_before(content, phase)) for phase in phases},
        chosen=chosen,
        decision=blend.decision,
        headlines={phase.phase.slug: phase.summary.headline for phase in phases},
    )


def profile_before(content: RunContent, phase: PhaseContent) -> Profile | None:
    """Return the profile of the frames that a phase started from."""
    before = {other.phase.slug: other for other in content.phases}.get(phase.phase.frames_from or "")
    return None if before is None else _profile(before)


def _profile(phase: PhaseContent) -> Profile | None:
    path = phase.folder / "out" / "profile.json"
    return from_json(Profile, path.read_bytes()) if path.is_file() else None


def _facts(content: RunContent, profile: Profile | None) -> TaskFacts:
    known = profile or Profile(0, 0, {})
    return task_facts(content.task, known, effort=content.config.effort, seed=content.config.seed)
