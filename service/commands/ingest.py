"""`coastal check` and `coastal ingest`: what is wrong with logs, and the warehouse's way in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated

import typer

from ingest.findings import Finding
from ingest.load import Loader, LoadReport
from ingest.scratch import check_blocks
from ingest.sources import Block, UnreadableInputError, find_files, read_blocks, total_bytes
from ingest.warehouse import open_warehouse
from service.console import (
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
)
from service.interrupts import StopAtEdge

#: Findings that `coastal ingest` repeats; the rest is a count.
_SHOWN_FINDINGS = 20
_INTERRUPTED = 130

PathsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH...",
        help="Files, globs, folders, or - for standard input; .jsonl, .jsonl.gz, .jsonl.zst.",
        show_default=False,
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("check")(check)
    app.command("ingest")(ingest)


def check(
    paths: PathsArgument,
    level: Annotated[
        int, typer.Option(min=0, max=1, help="0: form, ids, times. 1: arithmetic within a hand.")
    ] = 1,
    json: JsonOption = False,
) -> None:
    """Say what is wrong with hand logs; nothing is kept.

    Exits 1 when a finding is an error. With --json a line of output is a finding.

    Example: `coastal check data/samples/hands.jsonl --level 1`
    """
    has_error = False

    def tell(finding: Finding) -> None:
        nonlocal has_error
        has_error = has_error or finding.is_error
        if json:
            print_json(asdict(finding))
        else:
            output.print(_in_words(finding), markup=False, soft_wrap=True)

    with StopAtEdge() as stop:
        report = check_blocks(_blocks("Checking", paths, stop), level, _now, tell)
    messages.print(
        f"{report.read:,} lines, {report.quarantined:,} with errors, {report.warnings:,} warnings."
    )
    raise typer.Exit(REFUSED if has_error else FINE)


def ingest(
    paths: PathsArgument,
    warehouse: WarehouseOption,
    level: Annotated[int, typer.Option(min=1, max=1, help="1: arithmetic within a hand.")] = 1,
    json: JsonOption = False,
) -> None:
    """Load hand logs and players' files into the warehouse.

    A line with an error goes to quarantine whole and its neighbours load; loading a file twice changes
    nothing. Exits 1 when a line was quarantined.

    Example: `coastal ingest data/samples/hands.jsonl data/samples/players.jsonl --json`
    """
    told = _Told()
    with StopAtEdge() as stop, open_warehouse(warehouse) as opened:
        loader = Loader(opened, level, _now, on_finding=told)
        report = loader.load_all(_blocks("Loading", paths, stop))
    told.rest()
    if json:
        print_json(asdict(report))
    else:
        output.print(_report_in_words(report), markup=False, soft_wrap=True)
    if stop.is_stopped:
        raise typer.Exit(_INTERRUPTED)
    raise typer.Exit(REFUSED if report.quarantined else FINE)


class _Told:
    """Repeats the first findings on stderr and counts the rest."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, finding: Finding) -> None:
        self.count += 1
        if self.count <= _SHOWN_FINDINGS:
            messages.print(_in_words(finding), markup=False, soft_wrap=True)

    def rest(self) -> None:
        """Say how many were not repeated."""
        if self.count > _SHOWN_FINDINGS:
            messages.print(f"... and {self.count - _SHOWN_FINDINGS:,} more; see `coastal quarantine list`.")


def _blocks(label: str, paths: list[str], stop: StopAtEdge) -> Iterator[Block]:
    """Read the files with a progress bar; exit where one cannot be read."""
    try:
        files = find_files(paths)
        with progress(label, total_bytes(files)) as bar:
            for block in stop.until_stopped(read_blocks(files)):
                yield block
                bar.update(bar.task_ids[0], completed=block.read_bytes)
    except UnreadableInputError as error:
        fail(str(error), WRONG_USE)


def _in_words(finding: Finding) -> str:
    event = "" if finding.event is None else f", event {finding.event}"
    hand = "" if finding.hand_id is None else f" ({finding.hand_id!r}{event})"
    return f"{finding.file}:{finding.line}: {finding.severity} {finding.code}: {finding.message}{hand}"


def _report_in_words(report: LoadReport) -> str:
    batch = "nothing new" if report.batch is None else f"batch {report.batch}"
    return (
        f"{report.read:,} lines read, {report.loaded:,} loaded, {report.duplicates:,} duplicates, "
        f"{report.quarantined:,} quarantined, {report.warnings:,} warnings ({batch})."
    )


def _now() -> datetime:
    return datetime.now(UTC)
