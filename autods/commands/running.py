"""`run`, `resume`, `predict`: what makes predictions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
import yaml

from autods.errors import ConfigError

__all__ = ["COMMANDS", "parse_settings", "predict", "resume", "run"]


def parse_settings(pairs: list[str]) -> dict[str, Any]:
    """Read `name=value` pairs; values are YAML, `rules.z_threshold=3` goes a level down.

    Examples
    --------
    >>> parse_settings(["iterations=2", "rules.estimators=[lightgbm]"])
    {'iterations': 2, 'rules': {'estimators': ['lightgbm']}}
    """
    settings: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise ConfigError(f"The setting {pair!r} has no value; write it like iterations=2.")
        section, dot, rest = name.strip().partition(".")
        try:
            parsed = yaml.safe_load(value)
        except yaml.YAMLError:
            raise ConfigError(
                f"The value of the setting {pair!r} cannot be read; write it as in YAML, like {name}=[a, b]."
            ) from None
        if not dot:
            settings[section] = parsed
        elif isinstance(settings.setdefault(section, {}), dict):
            settings[section][rest] = parsed
        else:
            raise ConfigError(
                f"The setting {pair!r} goes a level below {section}, which is set to {settings[section]!r} already; give one of them."
            )
    return settings


def _by_phase(pairs: list[str], option: str) -> dict[str, Path] | None:
    files = {}
    for pair in pairs:
        slug, equals, path = pair.partition("=")
        if not equals:
            raise ConfigError(f"{option} {pair!r} names no file; write it like {option} cleaning=plan.yaml.")
        files[slug] = Path(path).resolve()
    return files or None


def _read_instructions(text: str | None) -> str | None:
    path = Path(text) if text and len(text) < 250 else None
    return path.read_text(encoding="utf-8") if path and path.suffix in (".md", ".txt") and path.is_file() else text


def run(
    competition: Annotated[str, typer.Argument(help="A competition's folder, or its name below competitions/.")],
    effort: Annotated[str | None, typer.Option(help="How much work: quick, standard or thorough.")] = None,
    budget: Annotated[str | None, typer.Option(help="The cap on wall time, like 90s, 5m, 1h30m.")] = None,
    memory: Annotated[str | None, typer.Option(help="The cap on memory, like 8g.")] = None,
    seed: Annotated[int | None, typer.Option(help="The seed of everything.")] = None,
    instructions: Annotated[str | None, typer.Option(help="What you want, in words, or a .md/.txt file.")] = None,
    setting: Annotated[
        list[str] | None, typer.Option("--set", help="Any setting, like iterations=2 or rules.z_threshold=3.")
    ] = None,
    plan: Annotated[list[str] | None, typer.Option(help="A plan that replaces a phase's: PHASE=FILE.")] = None,
    code: Annotated[list[str] | None, typer.Option(help="Code that replaces a phase's: PHASE=FILE.")] = None,
    output: Annotated[Path | None, typer.Option(help="The folder that runs are written to.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
) -> None:
    """Take a competition through all six phases to a validated submission."""
    import autods

    given: dict[str, Any] = {"effort": effort, "budget": budget, "memory": memory, "seed": seed, "output": output}
    given |= {
        "instructions": _read_instructions(instructions),
        "plan": _by_phase(plan or [], "--plan"),
        "code": _by_phase(code or [], "--code"),
    }
    settings = parse_settings(setting or [])
    settings |= {name: value for name, value in given.items() if value is not None}
    _show(autods.run(competition, progress="none" if quiet else "auto", **settings))


def resume(
    run: Annotated[
        str | None, typer.Argument(help="A run's folder, run-id or competition; the newest run when absent.")
    ] = None,
    budget: Annotated[str | None, typer.Option(help="A new cap on the run's whole wall time.")] = None,
    setting: Annotated[list[str] | None, typer.Option("--set", help="A setting to change from here on.")] = None,
    plan: Annotated[list[str] | None, typer.Option(help="A plan that replaces a phase's: PHASE=FILE.")] = None,
    code: Annotated[list[str] | None, typer.Option(help="Code that replaces a phase's: PHASE=FILE.")] = None,
    output: Annotated[Path, typer.Option(help="The folder that runs are written to.")] = Path("reports"),
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
) -> None:
    """Go on with a run that was stopped, or with changed settings; what is finished is not done again."""
    import autods

    settings = parse_settings(setting or [])
    settings |= {"plan": _by_phase(plan or [], "--plan"), "code": _by_phase(code or [], "--code")}
    _show(autods.resume(run, output=output, budget=budget, progress="none" if quiet else "auto", **settings))


def predict(
    run: Annotated[str, typer.Argument(help="A run's folder, run-id or competition.")],
    new: Annotated[Path, typer.Argument(help="A file of new rows, with the test file's columns.")],
    out: Annotated[Path, typer.Option(help="Where to write the predictions.")] = Path("predictions.csv"),
    output: Annotated[Path, typer.Option(help="The folder that runs are written to.")] = Path("reports"),
) -> None:
    """Predict new rows with the fitted candidates of a run's final blend."""
    from autods.competition import write_submission
    from autods.prediction import predict_file
    from autods.workspace import find_run

    predictions = predict_file(find_run(run, output), new)
    write_submission(predictions, out)
    typer.echo(f"{len(predictions)} predictions → {out}")


def _show(finished: Any) -> None:
    from autods.progress import format_score

    typer.echo(f"submission  {finished.path / 'submission.csv'}")
    if finished.validation_score is not None:
        typer.echo(f"validation  {format_score(finished.validation_score)}")
    typer.echo(f"report      {finished.path / 'report.html'}")
    typer.echo(f"solution    {finished.path / 'solution.py'}")


COMMANDS = (run, resume, predict)
