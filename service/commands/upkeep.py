"""`coastal stats`, `verify`, `backup`, `restore` and `retention`: the warehouse's upkeep."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from ingest.backup import back_up, restore
from ingest.records import only_row
from ingest.retention import MOST_DAYS, decide, expire_events, kept_days
from ingest.stats import stats
from ingest.times import now
from ingest.verify import verify
from ingest.warehouse import open_warehouse
from rating.showing import counted
from service.console import (
    DEFAULT_WAREHOUSE,
    FINE,
    REFUSED,
    WRONG_USE,
    JsonOption,
    WarehouseOption,
    fail,
    messages,
    output,
    print_json,
    progress,
    share_done,
)
from service.operator import OperatorOption


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("stats")(show_stats)
    app.command("verify")(verify_record)
    app.command("backup")(backup)
    app.command("restore")(restore_backup)
    app.command("retention")(retention)


def show_stats(*, warehouse: WarehouseOption = DEFAULT_WAREHOUSE, json: JsonOption = False) -> None:
    """Say what the warehouse holds: hands by source, mode, rule set, month; quarantine; freshness; size.

    Example: `coastal stats`
    """
    with open_warehouse(warehouse, read_only=True) as opened:
        found = stats(opened)
    if json:
        print_json(found)
        return
    for name, value in found.items():
        _print_entry(name, value)


def verify_record(*, warehouse: WarehouseOption = DEFAULT_WAREHOUSE, json: JsonOption = False) -> None:
    """Recompute every hash, count and ledger, and say where the record first differs from what was loaded.

    Exits 1 when it does.

    Example: `coastal verify`
    """
    with open_warehouse(warehouse, read_only=True) as opened:
        (hands,) = only_row(opened.cursor(), "SELECT count(*) FROM hand")
        with progress("Verifying", hands) as bar:
            found = verify(opened.cursor(), lambda done: bar.update(bar.task_ids[0], completed=done))
    if json:
        print_json(asdict(found) | {"is_intact": found.is_intact})
    elif found.difference is None:
        output.print(
            f"Intact: {counted(found.hands, 'hand')} in {counted(found.batches, 'batch')}, "
            f"{found.full_logs:,} with events, {found.expired_logs:,} whose events expired. "
            f"Head: {found.head}",
            soft_wrap=True,
        )
    else:
        where = ", ".join(f"{key} {value}" for key, value in found.difference.items() if value is not None)
        output.print(f"The record was changed: {where}", markup=False, soft_wrap=True)
    raise typer.Exit(FINE if found.is_intact else REFUSED)


def backup(
    file: Annotated[
        Path, typer.Argument(help="The file to write, such as coastal.tar.zst.", show_default=False)
    ],
    *,
    warehouse: WarehouseOption = DEFAULT_WAREHOUSE,
    json: JsonOption = False,
) -> None:
    """Write the warehouse, its rating runs and its published snapshot into one packed file.

    Example: `coastal backup backups/coastal-2026-02-01.tar.zst`
    """
    with open_warehouse(warehouse, create=False) as opened, share_done("Backing up", of_bytes=True) as told:
        report = back_up(opened, file, told)
    _tell(report, json, f"Backed up {report['files']} files, {report['bytes']:,} bytes, to {file}.")


def restore_backup(
    file: Annotated[Path, typer.Argument(help="A file that `coastal backup` wrote.", show_default=False)],
    *,
    warehouse: WarehouseOption = DEFAULT_WAREHOUSE,
    json: JsonOption = False,
) -> None:
    """Unpack a backup into a place where there is no warehouse.

    Example: `coastal restore backups/coastal-2026-02-01.tar.zst --warehouse data/coastal.duckdb`
    """
    if not file.is_file():
        fail(f"there is no file {file}", WRONG_USE)
    with share_done("Restoring", of_bytes=True) as told:
        report = restore(file, warehouse, told)
    _tell(report, json, f"Restored {report['files']} files to {warehouse}.")


def retention(
    *,
    warehouse: WarehouseOption = DEFAULT_WAREHOUSE,
    operator: OperatorOption,
    days: Annotated[
        int | None,
        typer.Option(min=0, max=MOST_DAYS, help="Keep events for so many days after a hand's end."),
    ] = None,
    forever: Annotated[bool, typer.Option("--forever", help="Keep events for good, as at first.")] = False,
    json: JsonOption = False,
) -> None:
    """Say, or decide, how long the cards and events of full logs are kept; results always stay.

    Example: `coastal retention --days 365`
    """
    if days is not None and forever:
        fail("--days and --forever contradict each other", WRONG_USE)
    with open_warehouse(warehouse, create=False) as opened:
        if days is not None or forever:
            decide(opened, days, operator=operator, at=now())
        report = {"days": kept_days(opened.cursor()), "expired": expire_events(opened, now())}
    kept = "for good" if report["days"] is None else counted(report["days"], "day")
    _tell(report, json, f"Events are kept {kept}; those of {report['expired']:,} hands expired now.")


def _tell(report: dict[str, Any], json: bool, text: str) -> None:
    if json:
        print_json(report)
    else:
        messages.print(text, markup=False, soft_wrap=True)


def _print_entry(name: str, value: Any) -> None:
    label = name.replace("_", " ")
    if isinstance(value, dict):
        value = [{"value": key, "amount": one} for key, one in value.items()]
    if not isinstance(value, list):
        amount = f"{value:,}" if isinstance(value, int) else value
        output.print(f"{label}: {'none' if amount is None else amount}", markup=False)
        return
    output.print(f"{label}:", markup=False)
    for row in value:
        key, amount = row.values()
        output.print(f"  {key or 'not said'}: {amount:,}", markup=False, soft_wrap=True)
