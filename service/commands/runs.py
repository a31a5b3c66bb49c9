"""`coastal replay`, `rate`, `publish` and `runs`: make ratings, choose the current run, prune others."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Column, Table
from rich.text import Text

from ingest.times import now
from ingest.warehouse import open_warehouse
from rating.parameters import DEFAULT_PARAMETERS, ParametersError, load_parameters
from rating.replay import Request, rate, replay
from rating.runs import Run, all_runs, make_current, prune
from rating.showing import counted
from service.console import (
    DEFAULT_WAREHOUSE,
    WRONG_USE,
    JsonOption,
    WarehouseOption,
    fail,
    messages,
    output,
    print_json,
    print_json_lines,
)
from service.operator import WhyOption, said
from service.publishing import publish, rating_bar

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The run's name.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("replay")(replay_run)
    app.command("rate")(rate_run)
    app.command("publish")(publish_run)
    runs = typer.Typer(no_args_is_help=True, help="List rating runs, choose the current one, prune old ones.")
    runs.command("list")(list_runs)
    runs.command("current")(choose_current)
    runs.command("prune")(prune_runs)
    app.add_typer(runs, name="runs")


def replay_run(
    name: Annotated[str, typer.Option("--name", help="Name of the new run.", show_default=False)],
    parameters: Annotated[
        Path,
        typer.Option("--parameters", help="The parameter file.", show_default="the Coastal Rating's own"),
    ] = DEFAULT_PARAMETERS,
    current: Annotated[
        str | None,
        typer.Option(
            "--current",
            metavar="WHY",
            callback=said,
            help="Make the run the current one, for this reason.",
            show_default=False,
        ),
    ] = None,
    warehouse: WarehouseOption = DEFAULT_WAREHOUSE,
    json: JsonOption = False,
) -> None:
    """Rate the whole log from its first hand, as a new run with its whole history.

    The first run becomes the current one, which is published; a later one does with --current.

    Example: `coastal replay --parameters rating/parameters/coastal.toml --name league`
    """
    try:
        chosen, text = load_parameters(parameters)
        with open_warehouse(warehouse, create=False) as house:
            is_first = not any(run.is_current for run in all_runs(house.cursor()))
            why = current or ("the first run" if is_first else None)
            with rating_bar() as told:
                run = replay(house, Request(chosen, text, name, now(), why, progress=told))
            snapshot = publish(house) if run.is_current else None
    except ParametersError as error:
        fail(str(error), WRONG_USE)
    _tell(run, snapshot, json)


def rate_run(
    is_published: Annotated[
        bool, typer.Option("--publish", help="Publish the new ratings for the pages, too.")
    ] = False,
    warehouse: WarehouseOption = DEFAULT_WAREHOUSE,
    json: JsonOption = False,
) -> None:
    """Bring the current run up to date with what was loaded, corrected or voided since.

    Makes a run that shares the history before the first change and becomes current in the same act. Its
    ratings are those of a replay, bit for bit. The pages show them once they are published, here or by
    `coastal publish`, which takes longer than rating a few hands.

    Example: `coastal rate --publish`
    """
    with open_warehouse(warehouse, create=False) as house:
        with rating_bar() as told:
            run = rate(house, at=now(), progress=told)
        snapshot = publish(house) if is_published else None
        current = next(run for run in all_runs(house.cursor()) if run.is_current)
    if run is None:
        messages.print(f"Run {current.name} is up to date.", markup=False)
    _tell(current, snapshot, json)


def publish_run(warehouse: WarehouseOption = DEFAULT_WAREHOUSE, json: JsonOption = False) -> None:
    """Publish the current run for the pages as a new snapshot.

    Example: `coastal publish`
    """
    with open_warehouse(warehouse, create=False) as house:
        snapshot = publish(house)
    if json:
        print_json({"snapshot": snapshot})
    else:
        output.print(f"Published snapshot {snapshot}.")


def list_runs(warehouse: WarehouseOption = DEFAULT_WAREHOUSE, json: JsonOption = False) -> None:
    """List the rating runs; the current one is marked, and below stands since when it is that, and why.

    With --json a line of output is a run.

    Example: `coastal runs list`
    """
    with open_warehouse(warehouse, read_only=True) as house:
        runs = all_runs(house.cursor())
    if json:
        print_json_lines(_document(run) for run in runs)
        return
    # Narrow enough for 80 columns: a long name is folded, a number never cut.
    table = Table(
        Column("run", overflow="fold"),
        Column("parameters", overflow="fold"),
        *(Column(name, no_wrap=True) for name in ("made (UTC)", "hands", "changes", "events", "")),
        box=SIMPLE_HEAD,
    )
    for run in runs:
        counts = [f"{count:,}" for count in (run.hands, run.changes, run.events)]
        made = f"{run.started_at:%Y-%m-%d %H:%M}"
        table.add_row(
            *map(Text, [run.name, run.parameters, made, *counts, "current" if run.is_current else ""])
        )
    output.print(table)
    for run in runs:
        if run.is_current:
            since = f"{run.current_since:%Y-%m-%d %H:%M} UTC"
            output.print(Text(f"{run.name} is current since {since}: {run.current_why}"), soft_wrap=True)


def choose_current(
    name: NameArgument,
    why: WhyOption,
    warehouse: WarehouseOption = DEFAULT_WAREHOUSE,
    json: JsonOption = False,
) -> None:
    """Make another run the current one, in one act, and publish it.

    Example: `coastal runs current trial-2 --why "the board chose the wider margin scale"`
    """
    with open_warehouse(warehouse, create=False) as house:
        run = make_current(house, name, why, now())
        snapshot = publish(house)
    _tell(run, snapshot, json)


def prune_runs(
    names: Annotated[
        list[str], typer.Argument(metavar="NAME...", help="The runs to remove.", show_default=False)
    ],
    warehouse: WarehouseOption = DEFAULT_WAREHOUSE,
    json: JsonOption = False,
) -> None:
    """Remove runs for good; history that other runs share stays.

    Example: `coastal runs prune trial-1 trial-2`
    """
    with open_warehouse(warehouse, create=False) as house:
        pruned = prune(house, names)
    if json:
        print_json({"pruned": [run.name for run in pruned]})
    else:
        output.print(f"Removed {', '.join(run.name for run in pruned)}.", markup=False)


def _tell(run: Run, snapshot: int | None, json: bool) -> None:
    """Say what a run is."""
    if json:
        print_json(_document(run) | {"snapshot": snapshot})
        return
    current = "current" if run.is_current else "kept beside the current run"
    output.print(
        f"Run {run.name} ({run.parameters}): {counted(run.hands, 'hand')}, {run.rated:,} rated, "
        f"{run.changes:,} changes, {run.events:,} level events in {run.seconds:.1f} s; {current}.",
        markup=False,
        soft_wrap=True,
    )
    if snapshot is not None:
        output.print(f"Published snapshot {snapshot}.")


def _document(run: Run) -> dict[str, Any]:
    """Return a run as JSON has it: by its name, without the text of its parameters."""
    row = asdict(run)
    del row["run"], row["parameters_toml"]
    return {"run": row.pop("name"), **row}
