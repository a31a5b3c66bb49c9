"""`coastal check` and `coastal ingest`: what is wrong with logs, and the warehouse's way in."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ingest.findings import Finding
from ingest.inbox import Inbox
from ingest.scratch import check_blocks
from ingest.sources import UnreadableInputError
from ingest.times import now
from ingest.warehouse import open_warehouse
from rating.showing import counted
from service.console import (
    DEFAULT_WAREHOUSE,
    FINE,
    INTERRUPTED,
    REFUSED,
    WRONG_USE,
    JsonOption,
    WarehouseOption,
    fail,
    messages,
    output,
    print_json,
)
from service.interrupts import StopAtEdge
from service.loading import (
    LevelOption,
    SheetOption,
    in_words,
    load_files,
    read_mapping,
    read_with_progress,
    tell_report,
)
from service.watching import Watch

_INPUTS = "Files, globs, folders, or - for standard input: .jsonl, .jsonl.gz, .jsonl.zst, score sheets .csv."


def _folder(name: str) -> Path:
    """Read the name of a folder; as a path an empty one would be the current folder."""
    if not name:
        raise typer.BadParameter("the name of the folder is empty")
    return Path(name)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("check")(check)
    app.command("ingest")(ingest)


def check(
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help=_INPUTS, show_default=False)],
    level: Annotated[
        int, typer.Option(min=0, max=2, help="0: form, ids, times. 1: arithmetic within a hand. 2: replay.")
    ] = 1,
    sheet: SheetOption = None,
    json: JsonOption = False,
) -> None:
    """Say what is wrong with hand logs; nothing is kept.

    Exits 1 when a finding is an error, 2 when a file could not be read; the others are checked. With --json a
    line of output is a finding.

    Example: `coastal check data/samples/hands.jsonl --level 1`
    """
    has_error, unreadable = False, list[UnreadableInputError]()

    def tell(finding: Finding) -> None:
        nonlocal has_error
        has_error = has_error or finding.is_error
        if json:
            print_json(asdict(finding))
        else:
            output.print(in_words(finding), markup=False, soft_wrap=True)

    try:
        with StopAtEdge() as stop:
            blocks = read_with_progress("Checking", paths, stop, read_mapping(sheet), unreadable)
            report = check_blocks(blocks, level, now, tell)
    except UnreadableInputError as error:
        fail(str(error), WRONG_USE)
    faults = f"{report.quarantined:,} with errors, {counted(report.duplicates, 'duplicate')}"
    messages.print(f"{counted(report.read, 'line')}, {faults}, {counted(report.warnings, 'warning')}.")
    if unreadable:
        fail("\n".join(map(str, unreadable)), WRONG_USE)
    if stop.is_stopped:
        fail("Not everything was checked.", INTERRUPTED)
    raise typer.Exit(REFUSED if has_error else FINE)


def ingest(
    *,
    warehouse: WarehouseOption = DEFAULT_WAREHOUSE,
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="PATH...", help=_INPUTS, show_default=False)
    ] = None,
    level: LevelOption = 1,
    sheet: SheetOption = None,
    watch: Annotated[
        Path | None,
        typer.Option(
            parser=_folder,
            metavar="PATH",
            help="Load files as they arrive in this folder, and move them, until Ctrl-C.",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Load hand logs, players' files and score sheets into the warehouse.

    A line with an error goes to quarantine whole and its neighbours load; loading a file twice changes
    nothing. Exits 1 when a line was quarantined, 2 when a file could not be read; the others load.

    Example: `coastal ingest data/samples/hands.jsonl data/samples/players.jsonl --json`
    """
    mapping = read_mapping(sheet)
    if (watch is None) == (not paths):
        fail("name files to load, or a folder to --watch", WRONG_USE)
    if watch is not None:
        Watch(Inbox(watch), warehouse, level, mapping, json).run()
        return
    with StopAtEdge() as stop, open_warehouse(warehouse) as opened:
        report, unreadable = load_files(paths or [], opened, level, stop, mapping)
    told = list(map(str, unreadable))
    tell_report(report, json, {"unreadable": told})
    if told:
        fail("\n".join(told), WRONG_USE)
    if stop.is_stopped:
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(REFUSED if report.quarantined else FINE)
