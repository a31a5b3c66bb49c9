"""`coastal demo`: a whole league through the whole chain, from simulated logs to a published snapshot."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ingest.queries import sql
from ingest.records import only_row
from ingest.snapshot import current_number
from ingest.times import now
from ingest.warehouse import Warehouse, open_warehouse
from rating.parameters import DEFAULT_PARAMETERS, load_parameters
from rating.replay import Request, rate, replay
from rating.runs import all_runs
from rating.showing import counted
from service.console import DEFAULT_WAREHOUSE, REFUSED, WarehouseOption, fail, messages, progress
from service.demo_league import DemoSettings, load_settings
from service.demo_logs import DEMO_PREFIX, write_demo_logs
from service.interrupts import StopAtEdge
from service.loading import load_files, tell_report
from service.publishing import publish, rating_bar

RUN = "demo"
#: The demo's logs are full: every event is replayed under the rules before it is loaded.
LEVEL = 2


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(demo)


def demo(
    warehouse: WarehouseOption = DEFAULT_WAREHOUSE,
    if_empty: Annotated[
        bool, typer.Option("--if-empty", help="Do nothing where the warehouse already holds something.")
    ] = False,
) -> None:
    """Fill an empty warehouse with a demo league: simulate, check, ingest, rate, publish.

    The league is the same every time; its logs lie beside the warehouse, to try the other commands on. A
    demo that was interrupted goes on where it stopped.

    Example: `coastal demo --warehouse /tmp/demo.duckdb`
    """
    reason = _in_use(warehouse)
    if reason is not None:
        if if_empty:
            messages.print(f"No demo league: {reason}.", markup=False)
            return
        fail(f"{reason}; name an empty one with --warehouse", REFUSED)
    paths = _write_logs(load_settings(), warehouse.with_name("demo"))
    with StopAtEdge() as stop, open_warehouse(warehouse) as house:
        report, unreadable = load_files(paths, house, LEVEL, stop)
        tell_report(report, json=False)
        if unreadable or stop.is_stopped:
            fail("The demo league is not complete; `coastal demo` goes on with it.")
        number = _publish(house)
    messages.print(f"Published snapshot {number}. Look at it with `coastal dashboard`.")


def _in_use(warehouse: Path) -> str | None:
    """Say why a warehouse is not one to fill with a demo, or None."""
    if current_number(warehouse) is not None:
        return f"{warehouse} has ratings already"
    if warehouse.exists():
        with open_warehouse(warehouse, read_only=True) as house:
            (others,) = only_row(house.cursor(), sql("hands_without_prefix"), {"prefix": DEMO_PREFIX})
        if others:
            held = counted(others, "hand")
            return f"{warehouse} holds {held}, not rated yet: try `coastal replay --name league`"
    return None


def _write_logs(settings: DemoSettings, folder: Path) -> list[str]:
    """Simulate the league, with progress."""
    with progress("Simulating", settings.live_hands) as bar:
        return write_demo_logs(settings, folder, lambda hands: bar.update(bar.task_ids[0], completed=hands))


def _publish(house: Warehouse) -> int:
    """Rate what was loaded, by replay or on from an interrupted demo's run, and publish it."""
    chosen, text = load_parameters(DEFAULT_PARAMETERS)
    with rating_bar() as told:
        if any(run.is_current for run in all_runs(house.cursor())):
            rate(house, at=now(), progress=told)
        else:
            replay(house, Request(chosen, text, RUN, now(), "the demo league", progress=told))
    return publish(house)
