"""competition.yaml: any fact that inference would get wrong, checked key by key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast, get_args

from autods.errors import ConfigError, nearest
from autods.records import Kind

__all__ = ["SETTINGS_FILES", "Settings", "read_settings"]

SETTINGS_FILES = ("competition.yaml", "competition.yml")
KEYS = (
    "id", "target", "targets", "kind", "metric", "greater_is_better", "positive_class", "classes", "group", "time",
    "submission", "files", "ignore", "rules", "config",
)  # fmt: skip
FILE_KEYS = ("train", "test", "sample_submission", "overview")
SUBMISSION_KEYS = ("columns", "id_column", "form", "positive_class", "column_classes", "long_ids", "integer_values")
METRIC_KEYS = ("file", "function", "needs", "greater_is_better")
FORMS = ("labels", "probability", "class_probabilities", "values")


@dataclass(frozen=True)
class Settings:
    """The facts a person states; None or empty where inference decides."""

    source: str = "competition.yaml"
    id: str | None = None
    targets: tuple[str, ...] = ()
    kind: Kind | None = None
    metric: str | Mapping[str, Any] | None = None
    greater_is_better: bool | None = None
    positive_class: str | None = None
    classes: tuple[str, ...] = ()
    group: str | None = None
    time: str | None = None
    submission: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    ignore: tuple[str, ...] = ()
    rules: Mapping[str, Any] = field(default_factory=dict)
    config: Mapping[str, Any] = field(default_factory=dict)


def read_settings(folder: Path, overrides: Mapping[str, Any] | None = None) -> Settings:
    """Read the folder's competition.yaml, `overrides` on top of it.

    Parameters
    ----------
    folder
        The competition's folder; the file may be absent.
    overrides
        The same keys, from a call or the command line.

    Raises
    ------
    ConfigError
        When the file is no YAML mapping, or a key or value is unknown; one sentence with the nearest known.

    Examples
    --------
    >>> read_settings(Path("nowhere"), {"target": "price", "metric": "mae"}).targets
    ('price',)
    """
    values: dict[str, Any] = {}
    source = SETTINGS_FILES[0]
    for name in SETTINGS_FILES:
        if (folder / name).is_file():
            source, values = name, _load(folder / name)
            break
    values.update({key: value for key, value in (overrides or {}).items() if value is not None})
    _check_keys(values, KEYS, source, "key")
    targets = values.get("targets") or values.get("target") or ()
    labels = _texts(values.get("classes") or (), source, "classes")
    return Settings(
        source=source,
        id=_text(values.get("id"), source, "id"),
        targets=_texts(targets, source, "targets"),
        kind=_kind(values.get("kind"), source),
        metric=_metric(values.get("metric"), source),
        greater_is_better=_flag(values.get("greater_is_better"), source, "greater_is_better"),
        positive_class=_text(values.get("positive_class"), source, "positive_class"),
        classes=labels,
        group=_text(values.get("group"), source, "group"),
        time=_text(values.get("time"), source, "time"),
        submission=_submission(values.get("submission"), source),
        files=_section(values.get("files"), FILE_KEYS, source, "files"),
        ignore=_texts(values.get("ignore") or (), source, "ignore"),
        rules=_section(values.get("rules"), None, source, "rules"),
        config=_section(values.get("config"), None, source, "config"),
    )


def _load(path: Path) -> dict[str, Any]:
    import yaml

    try:
        loaded = yaml.safe_load(path.read_bytes())
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        place = getattr(error, "problem_mark", None)
        where = f" at line {place.line + 1}" if place else ""
        raise ConfigError(f"{path.name} is not valid YAML{where}; write it as `key: value` lines.") from None
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise ConfigError(f"{path.name} holds a {type(loaded).__name__}; write it as `key: value` lines.")
    return {str(key): value for key, value in loaded.items()}


def _check_keys(values: Mapping[str, Any], known: tuple[str, ...], source: str, what: str) -> None:
    for key in values:
        if key not in known:
            raise ConfigError(f"{source} has the unknown {what} {key!r}; {nearest(str(key), known)}")


def _spelled(value: Any) -> str:
    """Spell a YAML value as a CSV would: true is True, 1 is 1."""
    return value if isinstance(value, str) else str(value)


def _text(value: Any, source: str, key: str) -> str | None:
    if value is None:
        return None
    if isinstance(value, list | dict):
        raise ConfigError(f"{source}: {key} is {value!r}; write one name.")
    return _spelled(value)


def _texts(value: Any, source: str, key: str) -> tuple[str, ...]:
    if isinstance(value, Mapping):
        raise ConfigError(f"{source}: {key} is {value!r}; write a name or a list of names.")
    items = value if isinstance(value, list | tuple) else [value]
    return tuple(_spelled(item) for item in items)


def _flag(value: Any, source: str, key: str) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    raise ConfigError(f"{source}: {key} is {value!r}; write true or false.")


def _kind(value: Any, source: str) -> Kind | None:
    known = get_args(Kind)
    if value is None or value in known:
        return cast("Kind | None", value)
    raise ConfigError(f"{source}: there is no kind {value!r}; {nearest(str(value), known)}")


def _metric(value: Any, source: str) -> str | Mapping[str, Any] | None:
    if isinstance(value, Mapping):
        _check_keys(value, METRIC_KEYS, source, "metric key")
        if "file" not in value:
            raise ConfigError(f"{source}: a metric of one's own needs `file: metric.py` beside `function: NAME`.")
        return value
    return _text(value, source, "metric")


def _section(value: Any, known: tuple[str, ...] | None, source: str, key: str) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ConfigError(f"{source}: {key} is {value!r}; write `key: value` lines under it.")
    if known is not None:
        _check_keys(value, known, source, f"key of {key}")
    return dict(value)


def _submission(value: Any, source: str) -> Mapping[str, Any]:
    section = dict(_section(value, SUBMISSION_KEYS, source, "submission"))
    if "form" in section and section["form"] not in FORMS:
        raise ConfigError(
            f"{source}: there is no submission form {section['form']!r}; {nearest(str(section['form']), FORMS)}"
        )
    for key in ("columns", "column_classes"):
        if key in section:
            section[key] = _texts(section[key], source, f"submission.{key}")
    return section
