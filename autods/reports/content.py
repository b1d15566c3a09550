"""What the reports are made of: everything about a run that a person may want to see, gathered once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from autods.config import RunConfig
from autods.phases import Phase
from autods.records import Attempt, FileFact, Folds, Note, Score, Summary, Task, Training
from autods.reports.slices import ErrorSlice
from autods.reports.text import number, score_text
from autods.validation.scoring import paired_difference

__all__ = ["PhaseContent", "RunContent", "is_noise", "verdict"]


@dataclass(frozen=True)
class PhaseContent:
    """One phase of a run.

    Attributes
    ----------
    phase, summary
        The phase and what the Summarizer wrote.
    attempts
        All tries, in order.
    accepted
        The one that the run went on with.
    folder
        The accepted attempt's folder; figures are named relative to it.
    seconds
        Wall time of the whole phase.
    """

    phase: Phase
    summary: Summary
    attempts: tuple[Attempt, ...]
    accepted: Attempt
    folder: Path
    seconds: float = 0.0

    @property
    def file_name(self) -> str:
        """The name of the phase's report."""
        return f"{self.phase.number:02d}_{self.phase.slug}.md"


@dataclass(frozen=True)
class RunContent:
    """A run, finished or stopped.

    Attributes
    ----------
    run_id, root, started
        The run's name, its folder and when it began, as text.
    competition, submission
        The paths of the competition's folder and of the submission.
    task, config, phases, notes, files, folds, training
        As in the records; `folds` and `training` are None when the run ended before them.
    constant, baseline
        Scores of the best constant and of the plain LightGBM on the run's folds.
    probes
        Probe scores by phase slug.
    slices
        Where the final predictions err most; see `error_slices`.
    timings
        Seconds by phase slug, and `total`.
    isolation
        The layers that held while candidates' code ran.
    versions
        Versions by library.
    not_done
        What the run itself left out, in sentences (the training's own are added).
    """

    run_id: str
    root: Path
    competition: Path
    task: Task
    config: RunConfig
    phases: tuple[PhaseContent, ...] = ()
    notes: tuple[Note, ...] = ()
    files: tuple[FileFact, ...] = ()
    folds: Folds | None = None
    training: Training | None = None
    constant: Score | None = None
    baseline: Score | None = None
    probes: Mapping[str, Score] = field(default_factory=dict)
    slices: tuple[ErrorSlice, ...] = ()
    timings: Mapping[str, float] = field(default_factory=dict)
    isolation: tuple[str, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    not_done: tuple[str, ...] = ()
    started: str = ""
    submission: Path | None = None

    @property
    def score(self) -> Score | None:
        """The honest score of what was submitted: the blend's, else the baseline's, else the constant's."""
        if self.training is not None and self.training.blend is not None:
            return self.training.blend.score
        return self.baseline or self.constant

    @property
    def submitted(self) -> str:
        """What the submission is made of, in words."""
        if self.training is not None and self.training.blend is not None:
            n = len(self.training.blend.weights)
            return (
                f"the blend of {n} candidates"
                if n > 1
                else f"the candidate `{next(iter(self.training.blend.weights))}`"
            )
        return "the plain LightGBM" if self.baseline is not None else "the best constant"

    @property
    def left_out(self) -> tuple[str, ...]:
        """Everything that was not done, in sentences."""
        training = self.training
        if training is None:
            return self.not_done
        return (*self.not_done, *(f"Cut off by the budget: {name}." for name in training.cut_off), *training.not_done)


def is_noise(difference: float, standard_error: float) -> bool:
    """Whether a difference is within two standard errors, or unknown.

    Examples
    --------
    >>> is_noise(0.03, 0.02), is_noise(0.05, 0.02)
    (True, False)
    """
    return not abs(difference) > 2 * standard_error


def verdict(content: RunContent) -> str:
    """Say in Markdown how good the submission is, against the plain LightGBM and the best constant.

    Examples
    --------
    >>> from autods.records import Submission
    >>> task = Task("t", "regression", ("y",), "rmse", False, "values", Submission(("id", "y"), "id", "values"))
    >>> score = Score(2.0, 0.1, (1.9, 2.1), "rmse", False)
    >>> print(verdict(RunContent("r", Path("."), Path("."), task, RunConfig(), constant=score)))
    The submission is the best constant: rmse 2.0000 ± 0.1000 out of fold (lower is better).
    """
    score = content.score
    if score is None:
        return f"The submission is {content.submitted}; the run ended before it could be scored."
    direction = "higher" if score.greater_is_better else "lower"
    said = f"The submission is {content.submitted}: {score_text(score)} out of fold ({direction} is better)."
    against = []
    for name, other in (("plain LightGBM", content.baseline), ("best constant", content.constant)):
        if other is None or other is score or name in content.submitted:
            continue
        gain, error = paired_difference(score, other)
        better = "better" if gain >= 0 else "worse"
        noise = " (within noise)" if is_noise(gain, error) else ""
        against.append(f"{number(abs(gain))} ± {number(error)} {better} than the {name}{noise}")
    return said + (f" Paired by fold it is {' and '.join(against)}." if against else "")
