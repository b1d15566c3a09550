"""How much of a difference between two predictions is chance: the paired bootstrap over rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from autods.records import Decision

if TYPE_CHECKING:
    from autods.competition.metrics import Metric

__all__ = ["Difference", "bootstrap_difference", "bootstrap_error"]


@dataclass(frozen=True, slots=True)
class Difference:
    """How much better a is than b; positive means a is better, whatever the metric's direction.

    Attributes
    ----------
    mean
        The difference on the rows themselves.
    standard_error
        Its spread over resampled rows.
    low, high
        The middle 95 % of the resampled differences.
    share_better
        The share of resamples in which a is better.
    """

    mean: float
    standard_error: float
    low: float
    high: float
    share_better: float


def bootstrap_difference(
    metric: Metric,
    y: np.ndarray,
    a: np.ndarray,
    b: np.ndarray,
    *,
    decisions: tuple[Decision | None, Decision | None] = (None, None),
    n_draws: int = 500,
    random_state: int = 0,
) -> Difference:
    """Compare two predictions of the same rows.

    Parameters
    ----------
    metric, y
        The metric; targets in the harness's form.
    a, b
        Outputs, rows × outputs.
    decisions
        How the labels of a and b are decided.
    n_draws
        The number of resamples.

    Examples
    --------
    >>> from autods.competition.metrics import get_metric
    >>> y = np.linspace(0, 1, 50)
    >>> difference = bootstrap_difference(get_metric("mae"), y, y[:, None] + 0.1, y[:, None] + 0.3)
    >>> round(difference.mean, 6), round(difference.share_better, 6)
    (0.2, 1.0)
    """
    sign = 1.0 if metric.greater_is_better else -1.0
    whole = sign * (metric.score(y, a, decisions[0]) - metric.score(y, b, decisions[1]))
    draws = np.array(
        [
            sign * (metric.score(y[rows], a[rows], decisions[0]) - metric.score(y[rows], b[rows], decisions[1]))
            for rows in _resamples(len(y), n_draws, random_state)
        ]
    )
    draws = draws[np.isfinite(draws)]
    if len(draws) < 2:
        return Difference(whole, float("nan"), float("nan"), float("nan"), float("nan"))
    low, high = np.quantile(draws, [0.025, 0.975])
    better = float(np.mean(draws > 0) + np.mean(draws == 0) / 2)
    return Difference(whole, float(draws.std(ddof=1)), float(low), float(high), better)


def bootstrap_error(
    metric: Metric,
    y: np.ndarray,
    outputs: np.ndarray,
    decision: Decision | None = None,
    *,
    n_draws: int = 500,
    random_state: int = 0,
) -> float:
    """Return the standard error of a score over resampled rows.

    Examples
    --------
    >>> from autods.competition.metrics import get_metric
    >>> bootstrap_error(get_metric("mae"), np.zeros(20), np.ones((20, 1)))
    0.0
    """
    draws = [metric.score(y[rows], outputs[rows], decision) for rows in _resamples(len(y), n_draws, random_state)]
    known = np.asarray(draws)[np.isfinite(draws)]
    return float(known.std(ddof=1)) if len(known) > 1 else float("nan")


def _resamples(n_rows: int, n_draws: int, random_state: int) -> list[np.ndarray]:
    generator = np.random.default_rng(random_state)
    return [generator.integers(0, n_rows, n_rows) for _ in range(n_draws)]
