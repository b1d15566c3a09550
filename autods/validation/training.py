"""The modeling phase's work: candidates, then tuning, then the blend, its decision, honest score and audit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from autods.config import RunConfig
from autods.records import Blend, CandidateResult, Decision, Folds, Score, Task, Training
from autods.validation.audit import audit_jobs, reproduced
from autods.validation.blending import blend_outputs, choose_blend, quick_weights
from autods.validation.decisions import outer_parts, tune_decision
from autods.validation.jobs import Fit, FitJob, FitOutcome, checked
from autods.validation.objectives import Objective, make_objective
from autods.validation.preparation import seed_of
from autods.validation.scoring import constant_score, score_outputs
from autods.validation.tuning import Tuner, n_trials

if TYPE_CHECKING:
    from autods.competition.metrics import Metric

__all__ = ["Best", "Trained", "train"]

TUNED_CANDIDATES = {"quick": 0, "standard": 2, "thorough": 3}
# Of a candidate's trials only the best enter the blend: many alike ones would let it fit the noise of the folds.
TRIALS_IN_BLEND = 3
# A job is not started with less time left than this.
LEAST_SECONDS = 1.0


@dataclass(frozen=True)
class Best:
    """The best predictions so far: enough to write a submission.

    `score` is provisional (not nested) until `final`.
    """

    weights: Mapping[str, float]
    oof: np.ndarray
    test: np.ndarray | None
    decision: Decision
    score: Score
    final: bool = False


@dataclass(frozen=True)
class Trained:
    """What training gave: the record, and the blend's predictions (None when no candidate succeeded)."""

    training: Training
    best: Best | None


@dataclass
class _Session:
    """The state of one training: what was asked, what came of it, and the time that is left."""

    fit: Fit
    task: Task
    metric: Metric
    y: np.ndarray
    folds: Folds
    config: RunConfig
    seconds_left: Callable[[], float]
    reserve_s: float
    workers: int
    on_event: Callable[[dict[str, Any]], None]
    on_result: Callable[[Best], None]
    objective: Objective
    results: list[CandidateResult] = field(default_factory=list)
    jobs: dict[str, FitJob] = field(default_factory=dict)
    outcomes: dict[str, FitOutcome] = field(default_factory=dict)
    losses: dict[str, float] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    not_done: list[str] = field(default_factory=list)

    def time_left(self, audit: bool) -> float:
        """Seconds for fits: what is left without the reserve and, until it comes, an audit of the slowest candidate."""
        left = self.seconds_left() - self.reserve_s
        slowest = max((result.seconds for result in self.results if result.status == "ok"), default=0.0)
        return left if audit else left - 1.5 * slowest / len(self.folds.splits)

    def run(self, jobs: Sequence[FitJob], expected_s: float = 0.0) -> Iterator[tuple[FitJob, FitOutcome]]:
        """Run jobs `workers` at a time; give outcomes in the order of the jobs, whichever ends first."""
        from joblib import Parallel, delayed

        def start(job: FitJob) -> FitOutcome:
            audit = job.splits is not None
            left = self.time_left(audit)
            # A candidate takes, at the least, what the quickest so far took.
            quickest = min((r.seconds for r in self.results if r.status == "ok" and not audit), default=0.0)
            if left < max(LEAST_SECONDS, expected_s or quickest):
                return FitOutcome("cut_off", message=f"Not started: {max(0.0, left):.0f} s of the budget were left.")
            self.on_event({"event": "fit_started", "name": job.name, "audit": audit})
            return self.fit(replace(job, timeout_s=left))

        parallel = Parallel(n_jobs=max(1, min(self.workers, len(jobs))), prefer="threads", return_as="generator")
        yield from zip(jobs, parallel(delayed(start)(job) for job in jobs), strict=True)

    def record(self, job: FitJob, outcome: FitOutcome) -> None:
        """Score a finished job, keep it, and offer a better blend when it makes one."""
        outcome = checked(outcome, self.folds, self.task.n_outputs)
        score = None
        if outcome.oof is not None and outcome.status == "ok":
            decision = tune_decision(self.metric, self.task, self.y, outcome.oof, self.folds)
            score = score_outputs(self.metric, self.y, outcome.oof, self.folds, decision)
            self.losses[job.name] = _mean(self.objective.of(outcome.oof))
            self.jobs[job.name], self.outcomes[job.name] = job, outcome
        result = CandidateResult(
            job.name,
            outcome.status,
            score,
            outcome.seconds,
            job.parameters,
            job.base if job.base != job.name else None,
            outcome.folder,
            outcome.message,
            outcome.importance,
        )
        self.results.append(result)
        self.on_event({"event": "fit_finished", "result": result})
        if score is not None:
            self._forget(job.base)
            self._offer()

    def oofs(self) -> dict[str, np.ndarray]:
        """Out-of-fold outputs of what may enter the blend, in order of preference."""
        return {name: outcome.oof for name, outcome in self.outcomes.items() if outcome.oof is not None}

    def best(self, blend: Blend, final: bool) -> Best:
        """Blend what was predicted."""
        tests = {name: self.outcomes[name].test for name in blend.weights}
        known = {name: test for name, test in tests.items() if test is not None}
        test = blend_outputs(known, blend.weights) if len(known) == len(tests) else None
        oof = blend_outputs(self.oofs(), blend.weights)
        return Best(blend.weights, oof, test, blend.decision, blend.score, final)

    def _forget(self, base: str) -> None:
        """Drop all but a candidate's best trials, and their arrays."""
        trials = [name for name, job in self.jobs.items() if job.base == base and name != base]
        for name in sorted(trials, key=lambda name: self.losses[name])[TRIALS_IN_BLEND:]:
            del self.jobs[name], self.outcomes[name]

    def _offer(self) -> None:
        weights = quick_weights(self.metric, self.task.kind, self.y, self.oofs(), self.folds)
        if weights == self.weights:
            return
        self.weights = weights
        oof = blend_outputs(self.oofs(), weights)
        decision = tune_decision(self.metric, self.task, self.y, oof, self.folds)
        score = score_outputs(self.metric, self.y, oof, self.folds, decision)
        best = self.best(Blend(weights, decision, score), final=False)
        self.on_event({"event": "best", "score": score, "weights": weights, "final": False})
        self.on_result(best)


def train(
    names: Sequence[str],
    spaces: Mapping[str, Mapping[str, Any] | None],
    fit: Fit,
    *,
    task: Task,
    metric: Metric,
    y: np.ndarray,
    folds: Folds,
    config: RunConfig,
    seconds_left: Callable[[], float] = lambda: float("inf"),
    reserve_s: float = 0.0,
    workers: int = 1,
    constant: Score | None = None,
    baseline: Score | None = None,
    on_event: Callable[[dict[str, Any]], None] = lambda event: None,
    on_result: Callable[[Best], None] = lambda best: None,
) -> Trained:
    """Train candidates, tune the best, blend, decide, and audit.

    Without a budget the result depends on the other arguments only, never on how fast or how many the workers are.

    Parameters
    ----------
    names
        Candidates in order of preference.
    spaces
        Search spaces (optuna distributions or their JSON) by name; None where tuning does not pay.
    fit
        Runs one job; called from `workers` threads.
    task, metric, y, folds, config
        The competition's; `config` gives effort and seed.
    seconds_left, reserve_s
        The budget's clock, and what of it must remain at the end. A job starts only while there is time, with the rest
        as its limit.
    workers
        Jobs at once.
    constant, baseline
        Scores of the best constant (computed when None) and of the plain LightGBM, for the record.
    on_event
        Gets progress: `fit_started`, `fit_finished`, `best`, `tuning`, `blend`, `audit`.
    on_result
        Gets the best predictions so far whenever a finished candidate changes them, and at the end.

    Examples
    --------
    >>> from autods.competition.metrics import get_metric
    >>> from autods.records import Submission
    >>> task = Task("t", "regression", ("y",), "mae", False, "values", Submission(("y",), None, "values"))
    >>> folds = Folds("plain", ((np.array([0]), np.array([1])), (np.array([1]), np.array([0]))), 2, 1, "", 2)
    >>> def fit(job):
    ...     return FitOutcome("ok", oof=np.array([[1.0], [2.0]]), test=np.array([[3.0]]))
    >>> y, config = np.array([1.0, 2.0]), RunConfig(effort="quick")
    >>> trained = train(["good"], {}, fit, task=task, metric=get_metric("mae"), y=y, folds=folds, config=config)
    >>> trained.best.weights, trained.training.blend.score.value, trained.training.audit
    ({'good': 1.0}, 0.0, {'good': 0.0})
    """
    if constant is None:
        constant = constant_score(metric, y, task.kind, task.n_outputs, folds)
    if not folds.splits:
        return Trained(Training((), None, constant, baseline, folds.reason, not_done=(folds.reason,)), None)
    objective = make_objective(metric, task.kind, y, outer_parts(folds))
    session = _Session(
        fit, task, metric, y, folds, config, seconds_left, reserve_s, workers, on_event, on_result, objective
    )
    for job, outcome in session.run([FitJob(name, name) for name in names]):
        session.record(job, outcome)
    _tune(session, spaces)
    best, blend, audit = None, None, {}
    if session.outcomes:
        blend = choose_blend(metric, task, y, session.oofs(), folds)
        best = session.best(blend, final=True)
        on_event({"event": "blend", "score": blend.score, "weights": blend.weights, "final": True})
        on_result(best)
        audit = _audit(session, blend)
    results = tuple(session.results)
    cut_off = tuple(result.name for result in results if result.status == "cut_off")
    training = Training(results, blend, constant, baseline, folds.reason, audit, cut_off, tuple(session.not_done))
    return Trained(training, best)


def _tune(session: _Session, spaces: Mapping[str, Mapping[str, Any] | None]) -> None:
    """Tune the best candidates that have a space, a round of trials of each at a time."""
    folds, config = session.folds, session.config
    n = n_trials(config.effort, folds.n_rows, len(folds.splits), session.task.n_outputs)
    ranked = sorted((name for name in session.outcomes if spaces.get(name)), key=lambda name: session.losses[name])
    chosen = ranked[: TUNED_CANDIDATES[config.effort]] if n else []
    tuners = {
        name: Tuner(spaces[name] or {}, seed=seed_of(config.seed, number), n_trials=n)
        for number, name in enumerate(chosen)
    }
    count = dict.fromkeys(tuners, 0)
    expected_s = max((r.seconds for r in session.results if r.name in tuners), default=0.0)
    while True:
        jobs: list[FitJob] = []
        for name, tuner in tuners.items():
            for parameters in tuner.ask():
                count[name] += 1
                jobs.append(FitJob(f"{name}#{count[name]}", name, parameters))
        if not jobs:
            return
        session.on_event({"event": "tuning", "names": tuple(job.name for job in jobs), "of": n})
        losses = {}
        for job, outcome in session.run(jobs, expected_s):
            session.record(job, outcome)
            losses[job.name] = session.losses.get(job.name)
        for name, tuner in tuners.items():
            tuner.tell([losses[job.name] for job in jobs if job.base == name])
        if any(result.status == "cut_off" for result in session.results[-len(jobs) :]):
            finished = {name: sum(r.base == name and r.status == "ok" for r in session.results) for name in tuners}
            done = ", ".join(f"{name} {finished[name]} of {n} trials" for name in tuners)
            session.not_done.append(f"Tuning stopped when the budget was used up: {done}.")
            return


def _audit(session: _Session, blend: Blend) -> dict[str, float]:
    members = {name: session.jobs[name] for name in blend.weights}
    session.on_event({"event": "audit", "names": tuple(members)})
    differences: dict[str, float] = {}
    for job, outcome in session.run(audit_jobs(members, session.folds, session.config.seed)):
        if outcome.status == "cut_off":
            session.not_done.append(f"No time was left to fit a fold of {job.name} again and compare.")
            continue
        differences[job.name] = reproduced(job, outcome, session.outcomes[job.name], session.folds)
        if np.isnan(differences[job.name]):
            session.not_done.append(f"Fitting a fold of {job.name} again failed: {outcome.message}")
    return differences


def _mean(losses: np.ndarray) -> float:
    known = losses[np.isfinite(losses)]
    return float(known.mean()) if len(known) else float("inf")
