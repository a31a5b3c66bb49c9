"""The `coastal` command: gathers the groups of subcommands and turns errors into exit codes."""

from __future__ import annotations

import sys

import click
import typer

from engine.errors import CoastalError
from service.commands import (
    audit,
    compare,
    corrections,
    dashboard,
    demo,
    ingest,
    quarantine,
    ratings,
    runs,
    score,
    show,
    simulate,
    upkeep,
)
from service.console import REFUSED, messages

app = typer.Typer(
    name="coastal",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)


@app.callback()
def coastal() -> None:
    """Ratings you can trust for canasta: simulate, check, ingest, replay, audit, look."""


simulate.register(app)
score.register(app)
show.register(app)
ingest.register(app)
quarantine.register(app)
corrections.register(app)
upkeep.register(app)
runs.register(app)
ratings.register(app)
audit.register(app)
compare.register(app)
demo.register(app)
dashboard.register(app)


def main() -> None:
    """Run the command; a `CoastalError` is a message and exit code 1, never a traceback."""
    try:
        app()
    except CoastalError as error:
        messages.print(str(error), style="bold red", markup=False)
        sys.exit(REFUSED)
    except click.Abort:
        sys.exit(130)


if __name__ == "__main__":
    main()
