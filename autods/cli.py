"""The command line `autods`."""

from __future__ import annotations

import functools
import sys

import typer

from autods.errors import AutoDSError, RunStopped, UserError

__all__ = ["app", "main"]

app = typer.Typer(
    help="A competition folder in; a validated submission, six reviewed reports and a re-runnable solution out.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@functools.cache
def _register() -> None:
    from autods.commands import competitions, inspect, machine, running

    for group in (running, inspect, competitions, machine):
        for command in group.COMMANDS:
            app.command()(command)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; what the user can mend ends in one sentence and exit code 2, a stop in 130, our failure in 1."""
    _register()
    try:
        app(arguments)
    except UserError as error:
        sys.stderr.write(f"autods: {error}\n")
        sys.exit(2)
    except RunStopped as stopped:
        sys.stderr.write(f"{stopped}\n")
        sys.exit(130)
    except AutoDSError as error:
        sys.stderr.write(f"autods: {error}\n")
        sys.exit(1)


if __name__ == "__main__":
    main()
