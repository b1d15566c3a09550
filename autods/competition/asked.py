"""The metric that a competition asks for: stated, told by the overview, or what a practitioner expects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from autods.competition.kinds import KindFound, default_metric
from autods.competition.metrics import Metric, find_metric, get_metric, load_custom_metric
from autods.competition.settings import Settings
from autods.competition.targets import Targets
from autods.errors import ConfigError, nearest
from autods.records import Fact, Needs, Note

__all__ = ["Asked", "asked_metric", "settle_metric"]

NEEDS = ("labels", "probabilities", "values")


@dataclass(frozen=True)
class Asked:
    """The metric that is asked for, if any; `custom` is the path of the folder's own metric file."""

    metric: Metric | None = None
    fact: Fact | None = None
    custom: str | None = None
    stated: bool = False
    notes: tuple[Note, ...] = ()


def asked_metric(settings: Settings, overview: str, folder: Path) -> Asked:
    """Find the metric that the settings state or the overview tells.

    Raises
    ------
    ConfigError
        When the stated metric is unknown or its file cannot be used.

    Examples
    --------
    >>> asked_metric(Settings(metric="acc"), "", Path()).metric.name
    'accuracy'
    """
    if isinstance(settings.metric, Mapping):
        return _custom(settings.metric, settings, folder)
    if settings.metric is not None:
        try:
            metric = get_metric(settings.metric)
        except ConfigError as error:
            raise ConfigError(f"{settings.source}: {error}") from None
        return Asked(metric, Fact(metric.name, f"stated in {settings.source}", 1.0), stated=True)
    found = find_metric(overview) if overview else None
    if found is None:
        return Asked()
    name, evidence, confidence = found
    return Asked(get_metric(name), Fact(name, f"the overview: {evidence}", confidence))


def _custom(section: Mapping[str, Any], settings: Settings, folder: Path) -> Asked:
    path = folder / str(section["file"])
    if not path.is_file():
        raise ConfigError(
            f"{settings.source} names the metric file {section['file']!r}, which is not in {str(folder)!r}."
        )
    needs = section.get("needs", "labels")
    if needs not in NEEDS:
        raise ConfigError(f"{settings.source}: metric.needs is {needs!r}; {nearest(str(needs), NEEDS)}")
    greater = section.get("greater_is_better", settings.greater_is_better)
    if not isinstance(greater, bool):
        raise ConfigError(f"{settings.source}: a metric of one's own needs `greater_is_better: true` or `false`.")
    function = str(section.get("function", "score"))
    metric = load_custom_metric(path, function, cast(Needs, needs), greater)
    fact = Fact(metric.name, f"stated in {settings.source}: {function} of {section['file']}", 1.0)
    return Asked(metric, fact, custom=str(path), stated=True)


def settle_metric(
    asked: Asked, found: KindFound, targets: Targets, shown: Sequence[str], classes: Sequence[str], overview: str
) -> tuple[Metric, Fact]:
    """Return the metric asked for where it fits the kind, else the usual one.

    Raises
    ------
    ConfigError
        When a stated metric cannot score the target.
    """
    if asked.metric is not None and asked.fact is not None and found.kind in asked.metric.kinds and found.metric_fits:
        return asked.metric, asked.fact
    if asked.stated and asked.metric is not None:
        raise ConfigError(
            f"The metric {asked.metric.name!r} scores {', '.join(asked.metric.kinds)}, but the target "
            f"{', '.join(targets.names)} is {found.kind} ({found.fact.evidence}); state another metric or kind in competition.yaml."
        )
    probability = _shows_probability(shown, classes) or "probabilit" in overview.lower()
    name = default_metric(found.kind, class_columns=bool(targets.class_columns), probability=probability)
    evidence = f"nothing is said; usual for {found.kind}"
    return get_metric(name), Fact(name, evidence, 0.4)


def _shows_probability(shown: Sequence[str], classes: Sequence[str]) -> bool:
    """Whether the sample's values are fractions between 0 and 1 that are no labels."""
    fractions = [value for value in shown if value not in classes and value.strip().startswith(("0.", ".", "1e-"))]
    return any(_is_fraction(value) for value in fractions)


def _is_fraction(value: str) -> bool:
    try:
        return 0 < float(value) < 1
    except ValueError:
        return False
