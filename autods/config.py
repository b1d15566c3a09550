"""The settings of a run: one record, read from YAML < environment < command line."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from autods.errors import ConfigError, nearest
from autods.phases import PHASES

__all__ = ["Rules", "RunConfig", "available_cores", "estimator_names", "load_config", "parse_duration", "parse_memory"]

ENVIRONMENT_PREFIX = "AUTODS_"


def parse_duration(text: str | float) -> float:
    """Read `90`, `90s`, `5m` or `1h30m` as seconds.

    Examples
    --------
    >>> parse_duration("1h30m")
    5400.0
    """
    import re

    if isinstance(text, int | float):
        return float(text)
    parts = re.fullmatch(r"\s*(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m)?(?:(\d+(?:\.\d+)?)s?)?\s*", text.lower())
    if not parts or not any(parts.groups()):
        raise ConfigError(f"The duration {text!r} cannot be read; write it like 90s, 5m or 1h30m.")
    hours, minutes, seconds = (float(part or 0) for part in parts.groups())
    return hours * 3600 + minutes * 60 + seconds


def parse_memory(text: str | float) -> int:
    """Read `8g`, `512m` or a number of megabytes as megabytes.

    Examples
    --------
    >>> parse_memory("8g")
    8192
    """
    import re

    if isinstance(text, int | float):
        return int(text)
    parts = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([gm]?)(?:i?b)?\s*", text.lower())
    if not parts:
        raise ConfigError(f"The memory limit {text!r} cannot be read; write it like 8g or 512m.")
    return int(float(parts[1]) * (1024 if parts[2] == "g" else 1))


def available_cores() -> int:
    """Count the processors this process may use (affinity and cgroup), not those of the machine."""
    import joblib

    return int(joblib.cpu_count())


def estimator_names() -> list[str]:
    """Name the factories of the tool library's modeling group.

    Examples
    --------
    >>> "lightgbm" in estimator_names()
    True
    """
    from autods import tools

    return [name for name, home in tools._HOMES.items() if home.startswith("autods.tools.modeling.")]


class Rules(BaseModel):
    """Typed rules that bind the rule reasoner; None leaves the choice to it.

    Attributes
    ----------
    missing_share_to_drop
        Drop a column whose missing share in train is at or above this.
    z_threshold
        Standard deviations beyond which a value is an outlier.
    iqr_factor
        Interquartile ranges beyond which a value is an outlier.
    correlation_limit
        Drop one of two numeric features correlated above this.
    one_hot_levels
        One-hot encode categorical columns with at most this many levels.
    n_splits
        The number of folds.
    estimators
        The only estimators allowed, by candidate name.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    missing_share_to_drop: float | None = Field(default=None, gt=0, le=1)
    z_threshold: float | None = Field(default=None, gt=0)
    iqr_factor: float | None = Field(default=None, gt=0)
    correlation_limit: float | None = Field(default=None, gt=0, le=1)
    one_hot_levels: int | None = Field(default=None, ge=0)
    n_splits: int | None = Field(default=None, ge=2)
    estimators: tuple[str, ...] | None = None

    @field_validator("estimators")
    @classmethod
    def _estimators(cls, value: tuple[str, ...] | None) -> tuple[str, ...] | None:
        known = ["plain_lightgbm", *estimator_names()]
        for name in value or ():
            # A candidate may be a variant of an estimator, such as lightgbm_shallow.
            if not any(name == other or name.startswith(f"{other}_") for other in known):
                raise ValueError(f"there is no estimator {name!r}; {nearest(name, known)}")
        return value


class RunConfig(BaseModel):
    """All settings of a run; field docstrings are the manual, the defaults are the field's.

    Attributes
    ----------
    effort
        How much work: fixes rows, rounds, folds and trials, never seconds.
    budget_s
        The cap on wall time; None for none.
    memory_mb
        The cap on the memory of the run and its children; None for what the machine has.
    seed
        The seed of everything.
    n_jobs
        Processes that fit at once; each fits with one thread.
    iterations, debug_attempts, regenerate_after
        Plans per phase; tries to debug one plan's code; alike failures after which the code is written afresh.
    tools, gates, fallback, stop_after
        The stages that researchers ablate.
    instructions
        What the person wants, in words; `rules` binds it in types.
    plan, code
        Files that replace a phase's plan or code, by phase slug.
    isolation
        `auto` takes the strongest that the machine has; `strict` refuses less than full.
    output
        The folder that runs are written to.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    effort: Literal["quick", "standard", "thorough"] = "standard"
    budget_s: float | None = Field(default=None, gt=0)
    memory_mb: int | None = Field(default=None, gt=0)
    seed: int = Field(0, ge=0, lt=2**31)
    n_jobs: int = Field(0, ge=0)
    reasoner: Literal["rules"] = "rules"
    iterations: int = Field(3, ge=1)
    debug_attempts: int = Field(5, ge=0)
    regenerate_after: int = Field(3, ge=1)
    tools: Literal["none", "cleaning", "cleaning,features", "all"] = "all"
    gates: Literal["on", "off"] = "on"
    fallback: Literal["on", "off"] = "on"
    stop_after: str | None = None
    instructions: str = ""
    rules: Rules = Field(default_factory=Rules)
    plan: Mapping[str, Path] = Field(default_factory=dict)
    code: Mapping[str, Path] = Field(default_factory=dict)
    isolation: Literal["auto", "strict", "limits"] = "auto"
    output: Path = Path("reports")

    @field_validator("budget_s", mode="before")
    @classmethod
    def _budget(cls, value: Any) -> Any:
        return value if value is None else parse_duration(value)

    @field_validator("memory_mb", mode="before")
    @classmethod
    def _memory(cls, value: Any) -> Any:
        return value if value is None else parse_memory(value)

    @field_validator("gates", "fallback", mode="before")
    @classmethod
    def _switch(cls, value: Any) -> Any:
        return {True: "on", False: "off"}.get(value, value) if isinstance(value, bool) else value

    @field_validator("stop_after")
    @classmethod
    def _phase(cls, value: str | None) -> str | None:
        _known_phase(value)
        return value

    @field_validator("plan", "code")
    @classmethod
    def _phases(cls, value: Mapping[str, Path]) -> Mapping[str, Path]:
        for slug in value:
            _known_phase(slug)
        return value

    @property
    def workers(self) -> int:
        """How many fits run at once."""
        return self.n_jobs or available_cores()


def _known_phase(slug: str | None) -> None:
    slugs = [phase.slug for phase in PHASES]
    if slug is not None and slug not in slugs:
        raise ValueError(f"there is no phase {slug!r}; {nearest(slug, slugs)}")


def load_config(
    settings: Mapping[str, Any], environment: Mapping[str, str] = os.environ, **overrides: Any
) -> RunConfig:
    """Build the settings of a run from the folder's YAML, the environment (`AUTODS_SEED=1`) and the call.

    Parameters
    ----------
    settings
        The sections `config:` and `rules:` of competition.yaml, merged: `{"effort": …, "rules": {…}}`.
    environment
        Variables; only those that start with AUTODS_ and name a field are read.
    **overrides
        Settings of the command line or the call; None means not given.

    Raises
    ------
    ConfigError
        One sentence that names the setting, its value and what is allowed.

    Examples
    --------
    >>> load_config({"effort": "quick"}, {"AUTODS_SEED": "7"}, budget_s="2m").budget_s
    120.0
    """
    values = dict(settings)
    for name in RunConfig.model_fields:
        if ENVIRONMENT_PREFIX + name.upper() in environment:
            values[name] = environment[ENVIRONMENT_PREFIX + name.upper()]
    values.update({name: value for name, value in overrides.items() if value is not None})
    try:
        return RunConfig.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        if first["type"] == "extra_forbidden":
            known = Rules.model_fields if place.startswith("rules.") else RunConfig.model_fields
            raise ConfigError(f"There is no setting {place!r}; {nearest(place.rpartition('.')[2], known)}") from None
        raise ConfigError(f"The setting {place} = {first['input']!r} is not allowed: {first['msg']}.") from None
