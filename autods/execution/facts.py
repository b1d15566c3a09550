"""What generated code may know of the task."""

from __future__ import annotations

from autods.profiling import Profile
from autods.records import Task
from autods.tools.records import TaskFacts

__all__ = ["task_facts"]


def task_facts(task: Task, profile: Profile, *, effort: str, seed: int) -> TaskFacts:
    """Give the facts of a task and of the frames that a phase sees, never a label.

    Parameters
    ----------
    task
        The task.
    profile
        The profile of the frames.
    effort, seed
        The run's.

    Examples
    --------
    >>> from autods.records import Submission
    >>> task = Task("t", "regression", ("y",), "rmse", False, "values", Submission(("id", "y"), "id", "values"))
    >>> task_facts(task, Profile(3, 1, {}), effort="quick", seed=7).random_state
    7
    """
    return TaskFacts(
        kind=task.kind,
        targets=task.targets,
        metric=task.metric,
        greater_is_better=task.greater_is_better,
        needs=task.needs,
        classes=task.classes,
        n_train=profile.n_train,
        n_test=profile.n_test,
        columns=profile.by_semantic(),
        effort=effort,
        random_state=seed,
    )
