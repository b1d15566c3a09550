"""Search over a candidate's parameters: optuna's TPE, seeded, asked for a fixed number of trials at a time.

The number asked for at a time does not depend on how many workers there are, so that the same seed proposes the same
trials on any machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

__all__ = ["BATCH", "Tuner", "n_trials"]

BATCH = 4
TRIALS = {"quick": 0, "standard": 12, "thorough": 40}
LEAST_TRIALS = {"quick": 0, "standard": 4, "thorough": 8}
# Rows × fits × outputs up to which a trial counts as cheap.
CHEAP_WORK = 300_000


def n_trials(effort: str, n_rows: int, n_fits: int, n_outputs: int) -> int:
    """Return how many trials a candidate gets: a fixed number for the effort, fewer where each is a lot of work.

    Examples
    --------
    >>> n_trials("standard", 900, 15, 2), n_trials("standard", 200_000, 5, 1), n_trials("quick", 100, 5, 2)
    (12, 4, 0)
    """
    if TRIALS[effort] == 0:
        return 0
    work = n_rows * max(1, n_fits) * max(1, n_outputs - 1)
    return int(np.clip(TRIALS[effort] * CHEAP_WORK // max(1, work), LEAST_TRIALS[effort], TRIALS[effort]))


class Tuner:
    """The trials of one candidate.

    Parameters
    ----------
    space
        optuna distributions by parameter name, or their JSON.
    seed
        The seed of the sampler.
    n_trials
        How many trials there will be.

    Examples
    --------
    >>> from optuna.distributions import FloatDistribution
    >>> tuner = Tuner({"alpha": FloatDistribution(0.1, 10.0, log=True)}, seed=0, n_trials=2)
    >>> batch = tuner.ask()
    >>> [0.1 <= parameters["alpha"] <= 10.0 for parameters in batch]
    [True, True]
    >>> tuner.tell([0.5, None])
    >>> tuner.ask()
    []
    """

    def __init__(self, space: Mapping[str, Any], *, seed: int, n_trials: int) -> None:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self._space = {name: _distribution(value) for name, value in space.items()}
        startup = max(3, min(10, n_trials // 2))
        sampler = optuna.samplers.TPESampler(seed=seed, n_startup_trials=startup, multivariate=True, constant_liar=True)
        self._study = optuna.create_study(sampler=sampler, direction="minimize")
        self._left = n_trials
        self._asked: list[Any] = []

    def ask(self) -> list[dict[str, Any]]:
        """Return the parameters of the next trials; empty when there are none left."""
        n = min(BATCH, self._left)
        self._left -= n
        self._asked = [self._study.ask(self._space) for _ in range(n)]
        return [dict(trial.params) for trial in self._asked]

    def tell(self, losses: list[float | None]) -> None:
        """Report the losses of the trials last asked for, in order; None for one that gave none."""
        import optuna

        for trial, loss in zip(self._asked, losses, strict=True):
            if loss is None or not np.isfinite(loss):
                self._study.tell(trial, state=optuna.trial.TrialState.FAIL)
            else:
                self._study.tell(trial, loss)
        self._asked = []


def _distribution(value: Any) -> Any:
    import optuna

    return optuna.distributions.json_to_distribution(value) if isinstance(value, str) else value
