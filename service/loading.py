"""What the commands that read logs share: progress, findings in words, reports."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from ingest.findings import Finding
from ingest.load import Loader, LoadReport
from ingest.retention import expire_events
from ingest.sheet_mapping import SheetMapping, SheetMappingError
from ingest.sources import Block, UnreadableInputError, find_files, read_blocks, total_bytes
from ingest.times import now
from ingest.warehouse import Warehouse
from rating.showing import counted
from service.console import WRONG_USE, fail, messages, output, print_json, progress
from service.interrupts import StopAtEdge

#: Findings that a load repeats; the rest is a count.
_SHOWN_FINDINGS = 20
_MIB = 2**20

SheetOption = Annotated[
    Path | None,
    typer.Option(
        help="What a score sheet's columns mean; a copy of ingest/score_sheet.toml.", show_default=False
    ),
]

LevelOption = Annotated[
    int, typer.Option("--level", min=1, max=2, help="1: arithmetic within a hand. 2: full logs are replayed.")
]


def read_mapping(sheet: Path | None) -> SheetMapping | None:
    """Read a mapping of score sheets, None for the default.

    Ends the command where it is none.
    """
    try:
        return None if sheet is None else SheetMapping.load(sheet)
    except SheetMappingError as error:
        fail(str(error), WRONG_USE)


def read_with_progress(
    label: str,
    paths: list[str],
    stop: StopAtEdge,
    mapping: SheetMapping | None = None,
    unreadable: list[UnreadableInputError] | None = None,
) -> Iterator[Block]:
    """Read files, with a progress bar, until a signal comes.

    Args:
        label: What is being done.
        paths: Files, globs, folders or ``-``.
        stop: Hears the signal.
        mapping: What the columns of score sheets mean, where it is not the default.
        unreadable: Receives what is wrong with files that cannot be read, so that the others are; None to
            stop at the first.

    Raises:
        UnreadableInputError: A path names no file; or one cannot be read and `unreadable` is None.
    """
    files = find_files(paths)
    total = total_bytes(files)
    if unreadable is None:
        blocks = read_blocks(files, mapping)
    else:
        blocks = read_blocks(files, mapping, unreadable.append)
    with progress(label, None if total is None else total / _MIB, "MiB") as bar:
        for block in stop.until_stopped(blocks):
            yield block
            bar.update(bar.task_ids[0], completed=block.read_bytes / _MIB)


def load_files(
    paths: list[str], warehouse: Warehouse, level: int, stop: StopAtEdge, mapping: SheetMapping | None = None
) -> tuple[LoadReport, list[UnreadableInputError]]:
    """Load files, repeat the first findings, let old events expire.

    Returns:
        What came of it, and what could not be read.
    """
    told, unreadable = _Told(), list[UnreadableInputError]()
    loader = Loader(warehouse, level, now, on_finding=told)
    try:
        loader.load_all(read_with_progress("Loading", paths, stop, mapping, unreadable))
    except UnreadableInputError as error:
        unreadable.append(error)
    expire_events(warehouse, now())
    told.rest()
    return loader.report, unreadable


def tell_report(report: LoadReport, json: bool, more: dict[str, Any] | None = None) -> None:
    """Print what came of loading; `more` is for JSON alone."""
    if json:
        print_json((more or {}) | asdict(report))
        return
    if report.read == 0:
        output.print("Nothing was read.")
        return
    batch = "nothing new" if report.batch is None else f"batch {report.batch}"
    output.print(
        f"{counted(report.read, 'line')} read, {report.loaded:,} loaded, "
        f"{counted(report.duplicates, 'duplicate')}, "
        f"{report.quarantined:,} quarantined, {counted(report.warnings, 'warning')} ({batch}).",
        soft_wrap=True,
    )


def in_words(finding: Finding) -> str:
    """Put a finding on a line, as compilers do; its message names the event."""
    hand = "" if finding.hand_id is None else f" (hand {finding.hand_id!r})"
    return f"{finding.file}:{finding.line}: {finding.severity} {finding.code}: {finding.message}{hand}"


class _Told:
    """Repeats the first findings on stderr and counts the rest."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, finding: Finding) -> None:
        self.count += 1
        if self.count <= _SHOWN_FINDINGS:
            messages.print(in_words(finding), markup=False, soft_wrap=True)

    def rest(self) -> None:
        """Say how many were not repeated."""
        if self.count > _SHOWN_FINDINGS:
            messages.print(f"... and {self.count - _SHOWN_FINDINGS:,} more; see `coastal quarantine list`.")
