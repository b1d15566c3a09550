"""`status`, `report`, `tools`, `graph`: what only looks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["COMMANDS", "graph", "report", "status", "tools"]

OUTPUT = typer.Option(help="The folder that runs are written to.")


def status(
    output: Annotated[Path, OUTPUT] = Path("reports"),
    most: Annotated[int, typer.Option(help="How many runs to list.")] = 20,
) -> None:
    """List the runs, the newest first: phases done, score, whether finished."""
    from rich.console import Console
    from rich.table import Table

    from autods.journal import Journal
    from autods.phases import PHASES
    from autods.progress import format_score, format_seconds
    from autods.runs import Run
    from autods.workspace import list_runs

    table = Table("competition", "run", "phases", "validation score", "took", "state")
    for workspace in list_runs(output)[:most]:
        journal = Journal(workspace.work / "journal.jsonl", lambda: 0.0)
        accepted = {event["phase"] for event in journal.events("accepted")}
        state = "finished" if journal.events("finished") else f"stopped; autods resume {workspace.run_id}"
        took = format_seconds(journal.active_s("started", "resumed"))
        score = format_score(Run(workspace.root).validation_score)
        table.add_row(
            workspace.root.parent.name, workspace.run_id, f"{len(accepted)}/{len(PHASES)}", score, took, state
        )
    Console().print(table)


def report(
    run: Annotated[
        str | None, typer.Argument(help="A run's folder, run-id or competition; the newest when absent.")
    ] = None,
    phase: Annotated[str | None, typer.Option(help="Only this phase's report.")] = None,
    output: Annotated[Path, OUTPUT] = Path("reports"),
) -> None:
    """Show a run's report, or one phase's."""
    from rich.console import Console
    from rich.markdown import Markdown

    from autods.runs import Run
    from autods.workspace import find_run

    Console().print(Markdown(Run(find_run(run, output).root).report(phase)))


def tools(
    name: Annotated[str | None, typer.Argument(help="A tool's name; all signatures when absent.")] = None,
) -> None:
    """Show the tool library's manual."""
    from autods.errors import ConfigError, nearest
    from autods.tools.manual import manual, names, signature

    if name is None:
        for kind in ("frame", "fold", "report"):
            typer.echo(f"{kind} tools")
            for tool in names(kind):
                typer.echo(f"  {signature(tool)}")
    elif name in names():
        typer.echo(manual(name))
    else:
        raise ConfigError(f"There is no tool {name!r}; {nearest(name, names())}")


def graph() -> None:
    """Print the state machine as Mermaid: the run's graph, then the graph of a phase."""
    from autods.graph import mermaid

    typer.echo(mermaid())


COMMANDS = (status, report, tools, graph)
