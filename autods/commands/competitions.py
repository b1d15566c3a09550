"""`new`, `score`, `example`: making competitions and scoring against their hidden answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["COMMANDS", "example", "new", "score"]


def new(
    name: Annotated[str, typer.Argument(help="The competition's name; a folder of that name is made.")],
    train: Annotated[Path, typer.Option(help="One labelled file.")],
    target: Annotated[list[str], typer.Option(help="The target column; repeat for several.")],
    metric: Annotated[str | None, typer.Option(help="The metric, like accuracy or rmse.")] = None,
    id_column: Annotated[str | None, typer.Option("--id", help="The id column.")] = None,
    test_size: Annotated[float, typer.Option(help="The share of rows held out as test.")] = 0.3,
    seed: Annotated[int, typer.Option(help="The seed of the split.")] = 0,
    folder: Annotated[Path, typer.Option(help="Where competitions live.")] = Path("competitions"),
) -> None:
    """Make a competition's folder of one labelled file: a held-out test, hidden answers beside the folder."""
    from autods.competition import competition_from_file

    made = competition_from_file(
        train, list(target), folder / name, metric=metric, id=id_column, test_size=test_size, random_state=seed
    )
    typer.echo(
        f"competition  {made.folder}\nanswers      {made.answers} (hidden: no run reads them)\nnext         autods run {made.folder}"
    )


def score(
    run: Annotated[str, typer.Argument(help="A run's folder, run-id or competition.")],
    answers: Annotated[Path, typer.Option(help="The file of true answers: id and target columns.")],
    output: Annotated[Path, typer.Option(help="The folder that runs are written to.")] = Path("reports"),
) -> None:
    """Score a run's submission against true answers."""
    from autods.competition import score_submission
    from autods.records import Task
    from autods.workspace import find_run

    workspace = find_run(run, output)
    task = workspace.load(Task, next((workspace.work / "attempts").glob("background-*/out/task.json")))
    typer.echo(f"test {task.metric} {score_submission(task, workspace.submission, answers):.6f}")


def example(
    name: Annotated[str, typer.Argument(help="One of the examples; `list` names them.")],
    folder: Annotated[Path, typer.Option(help="Where competitions live.")] = Path("competitions"),
) -> None:
    """Make a competition of a data set that an installed package ships."""
    from autods.competition.examples import EXAMPLES, make_example

    if name == "list":
        for known, entry in sorted(EXAMPLES.items()):
            typer.echo(f"{known:16} {entry.title} ({entry.package})")
        return
    made = make_example(name, folder)
    typer.echo(f"competition  {made.folder}\nanswers      {made.answers}\nnext         autods run {made.folder}")


COMMANDS = (new, score, example)
