"""`coastal quarantine`: what was refused, why, and what becomes of it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from ingest.load import LoadReport
from ingest.quarantine import drop, list_refused, open_numbers, retry, show_refused
from ingest.retention import expire_events
from ingest.times import now
from ingest.warehouse import Warehouse, open_warehouse
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
    print_json_lines,
    progress,
)
from service.interrupts import StopAtEdge
from service.loading import in_words, tell_report
from service.operator import OperatorOption, WhyOption

group = typer.Typer(no_args_is_help=True, help="Lines that were refused: list, show, retry, drop.")

NumberArgument = Annotated[
    int, typer.Argument(metavar="NUMBER", help="As `coastal quarantine list` shows it.")
]


def register(app: typer.Typer) -> None:
    """Add the group."""
    app.add_typer(group, name="quarantine")


@group.command("list")
def list_lines(
    *,
    warehouse: WarehouseOption = DEFAULT_WAREHOUSE,
    every: Annotated[bool, typer.Option("--all", help="Also lines that have left quarantine.")] = False,
    most: Annotated[int, typer.Option(min=1, help="How many lines at most.")] = 1000,
    json: JsonOption = False,
) -> None:
    """List refused lines, the oldest first.

    Example: `coastal quarantine list`
    """
    with open_warehouse(warehouse, read_only=True) as opened:
        lines = list_refused(opened.cursor(), None if every else "open", most)
    if json:
        print_json_lines(lines)
        return
    table = Table("number", "file", "line", "hand", "errors", "status")
    for line in lines:
        cells = (
            line["quarantine_key"],
            line["file"],
            line["line"],
            line["hand_id"],
            ", ".join(line["codes"]),
        )
        table.add_row(*(Text("" if cell is None else str(cell)) for cell in (*cells, line["status"])))
    output.print(table if lines else "Nothing is in quarantine.")


@group.command("show")
def show(
    number: NumberArgument,
    *,
    warehouse: WarehouseOption = DEFAULT_WAREHOUSE,
    raw: Annotated[bool, typer.Option("--raw", help="Print the line alone, as it came.")] = False,
    json: JsonOption = False,
) -> None:
    """Show a refused line and all that is wrong with it.

    Example: `coastal quarantine show 1 --raw > line.jsonl`
    """
    with open_warehouse(warehouse, read_only=True) as opened:
        line = show_refused(opened.cursor(), number)
    if raw:
        sys.stdout.buffer.write(line["raw"] + b"\n")
    elif json:
        print_json(line | {"raw": line["raw"].decode("utf-8", "backslashreplace")})
    else:
        _print_line(line)


@group.command("retry")
def retry_lines(
    *,
    warehouse: WarehouseOption = DEFAULT_WAREHOUSE,
    operator: OperatorOption,
    numbers: Annotated[
        list[int] | None,
        typer.Argument(metavar="NUMBER...", help="Lines to try; without any, all that are open."),
    ] = None,
    corrected: Annotated[
        Path | None,
        typer.Option("--with", help="A file with the corrected line, for one NUMBER.", show_default=False),
    ] = None,
    level: Annotated[
        int | None,
        typer.Option(
            "--level",
            min=1,
            max=2,
            help="As in `coastal ingest`.",
            show_default="the highest at which one of the lines was refused",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Check refused lines again, or a corrected line in the place of one; what is sound now loads.

    Example: `coastal quarantine retry 1 --with line.jsonl`
    """
    if corrected is not None and len(numbers or ()) != 1:
        fail("--with takes the place of one line: name its number", WRONG_USE)
    line = None if corrected is None else _read_line(corrected)
    with StopAtEdge() as stop, open_warehouse(warehouse, create=False) as opened:
        keys = numbers or open_numbers(opened.cursor())
        if not keys and not json:
            output.print("Nothing is in quarantine.")
            return
        report = _retry(opened, keys, stop, level, operator, line)
        expire_events(opened, now())
    tell_report(report, json)
    if stop.is_stopped:
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(REFUSED if report.quarantined else FINE)


@group.command("drop")
def drop_line(
    number: NumberArgument,
    *,
    warehouse: WarehouseOption = DEFAULT_WAREHOUSE,
    operator: OperatorOption,
    why: WhyOption,
) -> None:
    """Close a refused line for good; it stays readable.

    Example: `coastal quarantine drop 1 --why "a test of the tablet"`
    """
    with open_warehouse(warehouse, create=False) as opened:
        drop(opened, number, operator=operator, why=why, at=now())
    messages.print(f"Quarantine {number} is dropped.")


def _retry(
    warehouse: Warehouse,
    keys: list[int],
    stop: StopAtEdge,
    level: int | None,
    operator: str,
    corrected: bytes | None,
) -> LoadReport:
    """Try lines again with a progress bar, block by block until a signal comes; tell what is still wrong."""
    told = list[str]()

    def tell() -> None:
        # At once: each print draws the bar anew.
        if told:
            messages.print("\n".join(told), markup=False, soft_wrap=True)
        told.clear()

    with progress("Trying again", len(set(keys)), "lines") as bar:

        def in_turn(blocks: Iterable[slice]) -> Iterator[slice]:
            for block in stop.until_stopped(blocks):
                yield block
                tell()
                bar.update(bar.task_ids[0], completed=block.stop)

        report = retry(
            warehouse,
            keys,
            level=level,
            clock=now,
            operator=operator,
            corrected=corrected,
            on_finding=lambda finding: told.append(in_words(finding)),
            in_turn=in_turn,
        )
    tell()
    return report


def _read_line(path: Path) -> bytes:
    try:
        lines = [line for line in path.read_bytes().splitlines() if line.strip()]
    except OSError as error:
        fail(f"cannot read {path}: {error.strerror}", WRONG_USE)
    if len(lines) != 1:
        fail(f"{path} has {len(lines)} lines; it must have one", WRONG_USE)
    return lines[0]


def _print_line(line: dict[str, Any]) -> None:
    output.print(
        f"{line['file']}:{line['line']}, refused {line['refused_at']}, {line['status']}", markup=False
    )
    for finding in line["findings"]:
        text = f"{finding['severity']} {finding['code']}: {finding['message']} (rule: {finding['rule']})"
        output.print(text, markup=False, soft_wrap=True)
    if line["why"] is not None:
        output.print(f"{line['closed_at']} {line['closed_by'] or ''}: {line['why']}", markup=False)
    output.print(line["raw"].decode("utf-8", "backslashreplace"), markup=False, soft_wrap=True)
