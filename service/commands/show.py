"""`coastal show`: one hand, turn by turn."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Annotated

import orjson
import typer
from rich.table import Table
from rich.text import Text

from engine.errors import IngestError, NotationError
from engine.replay import LoggedHand, position_before, position_in_words, replay
from engine.telling import Turn, tell
from ingest.corrections import unknown_hand
from ingest.hand_log import HandLog, Ledger
from ingest.line_reader import LineReader
from ingest.queries import sql
from ingest.records import first_row
from ingest.score_sheet import SHEET_ENGINE
from ingest.sources import UnreadableInputError, find_files, read_blocks
from ingest.spread import to_log
from ingest.stored import stored_hands
from ingest.warehouse import open_warehouse
from service.console import (
    DEFAULT_WAREHOUSE,
    FINE,
    REFUSED,
    WRONG_USE,
    WarehouseOption,
    fail,
    output,
    print_json,
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("show")(show)


def show(
    hand: Annotated[str, typer.Argument(metavar="HAND", help="The hand's hand_id.", show_default=False)],
    warehouse: WarehouseOption = DEFAULT_WAREHOUSE,
    file: Annotated[
        str | None, typer.Option(help="A log that holds it, or -, in place of the warehouse.")
    ] = None,
    before: Annotated[
        int | None, typer.Option(min=1, help="Print only the position before this event, as JSON.")
    ] = None,
) -> None:
    """Print a hand turn by turn: what each seat did, the table after it, the result.

    A full log is replayed too; exits 1 when the rules refuse it.

    Example: `coastal show s5-g000000-h001 --file data/samples/hands.jsonl`
    """
    try:
        log, expiry = (_find(hand, file), None) if file else _stored(hand, warehouse)
    except UnreadableInputError as error:
        fail(str(error), WRONG_USE)
    logged = LoggedHand.from_log(log.model_dump()) if log.deal is not None else None
    if before is not None:
        if logged is None:
            raise IngestError(f"{hand} {expiry or 'is a summary: it has no events'}")
        print_json(position_before(logged, before))
        return
    _print_head(log)
    if expiry is not None:
        output.print(Text(f"The hand {expiry}."), soft_wrap=True)
    if logged is not None:
        _print_play(log, logged)
    _print_result(log)
    problems = replay(logged) if logged is not None else ()
    for problem in problems:
        output.print(Text(f"Refused: {problem.message}", style="bold red"))
        if problem.position is not None:
            output.print(Text(position_in_words(problem.position)))
    raise typer.Exit(REFUSED if problems else FINE)


def _stored(hand_id: str, warehouse: Path) -> tuple[HandLog, str | None]:
    """Return the latest version of a hand in the warehouse and, where its events expired, that in words."""
    with open_warehouse(warehouse, read_only=True) as opened:
        cursor = opened.cursor()
        found = first_row(cursor, sql("current_version"), {"hand_id": hand_id})
        if found is None:
            raise unknown_hand(cursor, hand_id)
        expiry = first_row(cursor, sql("event_expiry"), {"hand_key": found[0]})
        log = to_log(stored_hands(cursor, found[0], found[0]).hands, 0)
        return log, None if expiry is None else _expiry_in_words(*expiry)


def _expiry_in_words(ended_before: datetime | None, expired_at: datetime | None) -> str:
    """Say of a hand that its events expired, when, and which hands' did; None is what was not recorded."""
    if ended_before is None or expired_at is None:
        return "has no events any more: they expired before the time of it was recorded"
    return (
        f"has no events any more: they expired at {expired_at:%Y-%m-%d %H:%M} UTC, "
        f"as those of all hands that ended before {ended_before:%Y-%m-%d %H:%M} UTC"
    )


def _find(hand_id: str, file: str) -> HandLog:
    """Return the first line of a log that is this hand."""
    for reader, line in _lines(hand_id, file):
        record = reader.read(line)
        if isinstance(record, HandLog) and record.hand_id == hand_id:
            return record
        if reader.hand_id == hand_id:
            faults = "; ".join(finding.message for finding in reader.findings)
            raise IngestError(f"{file}: {hand_id} cannot be read: {faults}")
    raise IngestError(f"{file}: no hand {hand_id}")


def _lines(hand_id: str, file: str) -> Iterator[tuple[LineReader, bytes]]:
    """Yield the lines of a log that may be a hand, each with its reader."""
    wanted = orjson.dumps(hand_id)[1:-1]
    for block in read_blocks(find_files([file])):
        for row in range(len(block)):
            line = block.raw(row)
            if wanted in line or b"\\u" in line:
                yield LineReader(block.place(row)), line


def _names(log: HandLog) -> list[str]:
    """Return who sat in each seat, in words."""
    names = []
    for seat in log.seats:
        if seat.kind == "computer":
            names.append(f"computer ({seat.skill})")
        else:
            names.append(f"{seat.player}" + (" (computer stood in)" if seat.kind == "stand_in" else ""))
    return names


def _print_head(log: HandLog) -> None:
    """Print what the hand is and who played it."""
    place = f"{log.mode}, {log.device}" if log.device else log.mode
    when = f"{log.started_at:%Y-%m-%d %H:%M} UTC"
    title = f"Hand {log.hand_id}: hand {log.hand_no} of {log.game_id}, {log.ruleset}, {place}, {when}"
    output.print(Text(title, style="bold"))
    if log.options:
        shown = (f"{key} {str(value).lower()}" for key, value in log.options.items())
        output.print(Text(f"options: {', '.join(shown)}"))
    for seat, name in zip(log.seats, _names(log), strict=True):
        deals = " · deals" if seat.seat == log.dealer else ""
        score = f"{log.score_before[seat.side]:,}"
        output.print(Text(f"  seat {seat.seat} · side {seat.side} at {score} · {name}{deals}"))


def _print_play(log: HandLog, logged: LoggedHand) -> None:
    """Print the deal and the turns, up to what cannot be read."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("turn", "seat", "play", "stock", "pile"):
        table.add_column(heading, justify="right" if heading in ("turn", "stock") else "left", style=None)
    for seat, text in enumerate(logged.holdings):
        table.add_row("", str(seat), Text(f"is dealt {text}"), "", "")
    if logged.upcards:
        table.add_row("", "", Text(f"{logged.upcards} turned up"), "", "")
    try:
        for row in _rows(tell(logged, len(log.score_before))):
            table.add_row(*row)
    except NotationError as error:
        table.add_row("", "", Text(f"unreadable from here: {error}", style="red"), "", "")
    output.print(table)


def _rows(turns: Iterator[Turn]) -> Iterator[tuple[str, str, Text, str, Text]]:
    """Yield a row a turn, and one for each side whose melds it changed."""
    before: tuple[tuple[str, ...], ...] = ()
    for turn in turns:
        pile = f"{len(turn.pile)}, top {turn.pile[-1]}" if turn.pile else "empty"
        number = str(turn.number) if turn.number else ""
        yield number, str(turn.seat), Text(", ".join(turn.deeds)), str(turn.stock), Text(pile)
        for side, melds in enumerate(turn.melds):
            if melds and (not before or melds != before[side]):
                yield "", "", Text(f"side {side}: {' | '.join(melds)}", style="dim"), "", Text()
        before = turn.melds


def _print_result(log: HandLog) -> None:
    """Print how the hand ended, the ledger and the scores."""
    result = log.result
    output.print(Text(f"The hand ended: {_ending(log)}.", style="bold"))
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("")
    for side in range(len(result.points)):
        table.add_column(f"side {side}", justify="right")
    for part in _told_parts(log):
        table.add_row(part.replace("_", " "), *(f"{getattr(one, part):,}" for one in result.ledger))
    table.add_row("points", *(f"{points:,}" for points in result.points), style="bold")
    table.add_row("score", *(f"{score:,}" for score in result.score_after))
    output.print(table)
    if log.engine == SHEET_ENGINE:
        output.print(Text("From a score sheet: other parts of the points are 0 or not recorded."))
    if result.game_over:
        winner = "a draw" if result.winner is None else f"side {result.winner} wins"
        output.print(Text(f"The game is over: {winner}.", style="bold"))


def _ending(log: HandLog) -> str:
    """Say how the hand ended, as far as the log knows."""
    result = log.result
    if result.ended_by == "stock":
        return "not recorded" if log.engine == SHEET_ENGINE else "the stock ran out"
    ending = "went out" if result.ended_by == "out" else f"laid the special hand {result.special}"
    concealed = ", concealed" if result.concealed else ""
    if result.seat is not None:
        return f"seat {result.seat} ({_names(log)[result.seat]}) {ending}{concealed}"
    paid = [side for side, ledger in enumerate(result.ledger) if ledger.going_out != 0]
    who = f"side {paid[0]}" if len(paid) == 1 else "somebody"
    return f"{who} {ending}{concealed}; who did is not recorded"


def _told_parts(log: HandLog) -> list[str]:
    """Return the parts of the ledger that the log tells.

    Of a score sheet a 0 may be what it does not tell, and where it has the points alone they stand as melds.
    """
    parts = list(Ledger.model_fields)
    if log.engine != SHEET_ENGINE:
        return parts
    there = [part for part in parts if any(getattr(one, part) != 0 for one in log.result.ledger)]
    return [] if there == ["melds"] else there
