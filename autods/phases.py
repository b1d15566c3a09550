"""The six phases; everything that differs between them is a field of their record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from autods.errors import ConfigError, nearest

__all__ = ["PHASES", "Phase", "Produces", "get_phase"]

Produces = Literal["brief", "findings", "frames", "candidates"]


@dataclass(frozen=True, slots=True)
class Phase:
    """One phase of a run.

    Attributes
    ----------
    slug
        The name in files, settings and code; rules live in `rules/<slug>.py`, gates in `test_<slug>.py`.
    number, title, goal
        For people.
    produces
        The kind of artifact an attempt leaves; execution, gates and reports are chosen by it.
    entry_point
        The function that the phase's module defines; None when the Reader does the work itself.
    frames_from
        The phase whose frames this one reads; None for the first.
    with_target
        Whether the target is joined back to the frames it sees.
    timeout_s
        The wall-clock limit of one execution of the phase's own code.
    """

    slug: str
    number: int
    title: str
    goal: str
    produces: Produces
    entry_point: str | None
    frames_from: str | None
    with_target: bool
    timeout_s: float


PHASES: tuple[Phase, ...] = (
    Phase("background", 1, "Background", "Read the files and the overview; state the task with evidence.", "brief", None, None, False, 600),
    Phase(
        "preliminary_eda", 2, "Preliminary EDA", "Look at the raw data: types, missing values, outliers, drift, the target.",
        "findings", "explore", "background", True, 600,
    ),
    Phase(
        "cleaning", 3, "Cleaning", "Repair what the preliminary EDA found, the same way in train and test.",
        "frames", "clean", "background", False, 600,
    ),
    Phase(
        "deep_eda", 4, "Deep EDA", "Relate the cleaned columns to the target and to each other.",
        "findings", "explore", "cleaning", True, 600,
    ),
    Phase(
        "feature_engineering", 5, "Feature engineering", "Build the features that the deep EDA gives reason for.",
        "frames", "engineer", "cleaning", False, 900,
    ),
    Phase(
        "modeling", 6, "Modeling", "Offer candidates; train, validate, tune and blend them; predict.",
        "candidates", "candidates", "feature_engineering", False, 1800,
    ),
)  # fmt: skip


def get_phase(slug: str) -> Phase:
    """Return the phase with this slug.

    Raises
    ------
    ConfigError
        When there is no such phase; the message offers the nearest.

    Examples
    --------
    >>> get_phase("cleaning").number
    3
    """
    for phase in PHASES:
        if phase.slug == slug:
            return phase
    raise ConfigError(f"There is no phase {slug!r}; {nearest(slug, [phase.slug for phase in PHASES])}")
