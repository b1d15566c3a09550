"""Making estimators repeatable: one thread, seeds from the run, the run's fold kind inside, groups where taken."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

__all__ = ["configure", "fit_arguments", "prepare", "repeatable", "seed_of"]

SEEDS = ("random_state", "random_seed")
THREADS = ("n_jobs", "thread_count", "nthread", "num_threads")


@contextmanager
def repeatable(seed: int) -> Iterator[None]:
    """Hold native libraries to one thread and seed the global generators, which careless estimators draw from.

    Results of several threads depend on the order in which they add floats; those of one do not.
    """
    from threadpoolctl import threadpool_limits

    state, numpy_state = random.getstate(), np.random.get_state()  # noqa: NPY002 the one that estimators use
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002
    try:
        with threadpool_limits(limits=1):
            yield
    finally:
        random.setstate(state)
        np.random.set_state(numpy_state)  # noqa: NPY002


def seed_of(*parts: int) -> int:
    """Mix numbers into one seed, the same on any machine.

    Examples
    --------
    >>> seed_of(0, 1) == seed_of(0, 1), seed_of(0, 1) == seed_of(1, 0)
    (True, False)
    """
    return int(np.random.SeedSequence([part % 2**32 for part in parts]).generate_state(1)[0] % 2**31)


def configure(estimator: Any, parameters: Mapping[str, Any]) -> Any:
    """Return a fresh copy of an estimator with these parameters set.

    Raises
    ------
    ValueError
        When the estimator has no such parameter; the message names it.

    Examples
    --------
    >>> from sklearn.linear_model import Ridge
    >>> configure(Ridge(), {"alpha": 3.0}).alpha
    3.0
    """
    from sklearn.base import clone

    fresh = clone(estimator, safe=False)
    return fresh.set_params(**parameters) if parameters else fresh


def prepare(estimator: Any, *, seed: int, fold_kind: str) -> Any:
    """Return a fresh copy with every seed, thread count and inner split set, however deeply nested.

    A seed that the estimator was given is mixed in, so that two candidates that differ in it stay different.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> prepared = prepare(make_pipeline(DecisionTreeClassifier()), seed=1, fold_kind="plain")
    >>> prepared[-1].random_state == seed_of(1, 0)
    True
    """
    fresh = configure(estimator, {})
    known = fresh.get_params(deep=True) if hasattr(fresh, "get_params") else {}
    changes: dict[str, Any] = {}
    for name, value in known.items():
        owner, _, last = name.rpartition("__")
        if last in SEEDS:
            changes[name] = seed_of(seed, value if isinstance(value, int) else 0)
        elif last in THREADS and not (value is None and _is_scikit_learn(known.get(owner, fresh))):
            changes[name] = 1
        elif last == "inner_split":
            changes[name] = fold_kind
    if changes:
        fresh.set_params(**changes)
    for part in _parts(fresh):
        if hasattr(part, "inner_split"):
            part.inner_split = fold_kind
    return fresh


def fit_arguments(estimator: Any, groups: np.ndarray | None) -> dict[str, Any]:
    """Return the keyword arguments that hand the training rows' groups to whoever takes them.

    Examples
    --------
    >>> from sklearn.linear_model import Ridge
    >>> fit_arguments(Ridge(), np.zeros(3))
    {}
    """
    import inspect

    if groups is None:
        return {}
    last, prefix = estimator, ""
    while getattr(last, "steps", None):
        prefix += f"{last.steps[-1][0]}__"
        last = last.steps[-1][1]
    takes = last is not None and last != "passthrough" and "groups" in inspect.signature(last.fit).parameters
    return {f"{prefix}groups": groups} if takes else {}


def _is_scikit_learn(estimator: Any) -> bool:
    """Whether None means one thread; elsewhere it means all of them."""
    return type(estimator).__module__.startswith("sklearn.")


def _parts(estimator: Any) -> Iterator[Any]:
    """The estimator and, of a pipeline, its last step: where an attribute that is no parameter may wait to be set."""
    yield estimator
    steps = getattr(estimator, "steps", None)
    if steps:
        yield from _parts(steps[-1][1])
