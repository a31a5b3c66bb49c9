"""`coastal void`, `coastal correct` and `coastal history`: an operator's acts on hands, and their record."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ingest.corrections import CorrectionRefusedError, correct, void
from ingest.history import history
from ingest.retention import expire_events
from ingest.sources import UnreadableInputError
from ingest.times import now
from ingest.warehouse import open_warehouse
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
)
from service.interrupts import StopAtEdge
from service.loading import LevelOption, SheetOption, in_words, read_mapping, read_with_progress
from service.operator import OperatorOption, WhyOption

HandArgument = Annotated[str, typer.Argument(metavar="HAND", help="The hand's hand_id.", show_default=False)]

_RATE_NEXT = "`coastal rate --publish` brings the ratings up to date."


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("void")(void_hand)
    app.command("correct")(correct_hands)
    app.command("history")(show_history)


def void_hand(
    hand: HandArgument,
    *,
    warehouse: WarehouseOption = DEFAULT_WAREHOUSE,
    operator: OperatorOption,
    why: WhyOption,
    json: JsonOption = False,
) -> None:
    """Withdraw a hand: it stays readable and is never rated.

    Example: `coastal void h-000017 --why "two tables swapped their tablets"`
    """
    with open_warehouse(warehouse, create=False) as opened:
        batch = void(opened, hand, operator=operator, why=why, at=now())
    if json:
        print_json({"hand_id": hand, "batch": batch})
    messages.print(f"Hand {hand} is void (batch {batch}). {_RATE_NEXT}", markup=False, soft_wrap=True)


def correct_hands(
    path: Annotated[
        str, typer.Argument(metavar="FILE", help="Lines that replace hands, or - for standard input.")
    ],
    *,
    warehouse: WarehouseOption = DEFAULT_WAREHOUSE,
    operator: OperatorOption,
    why: WhyOption,
    level: LevelOption = 1,
    sheet: SheetOption = None,
    json: JsonOption = False,
) -> None:
    """Replace hands by the lines of a file, all of them or none; the old versions stay readable.

    Example: `coastal correct corrected.jsonl --why "the scorekeeper misread a 7"`
    """
    try:
        with StopAtEdge() as stop, open_warehouse(warehouse, create=False) as opened:
            blocks = stop.all_or_none(read_with_progress("Correcting", [path], stop, read_mapping(sheet)))
            report = correct(
                opened,
                blocks,
                operator=operator,
                why=why,
                level=level,
                clock=now,
                on_finding=lambda finding: messages.print(in_words(finding), markup=False, soft_wrap=True),
            )
            expire_events(opened, now())
    except UnreadableInputError as error:
        fail(str(error), WRONG_USE)
    except CorrectionRefusedError as error:
        for finding in error.findings:
            messages.print(in_words(finding), markup=False, soft_wrap=True)
        fail("Nothing was corrected.")
    if json:
        print_json(report)
    else:
        output.print(
            f"{counted(report['corrected'], 'hand')} corrected, {report['unchanged']:,} as they were."
        )
        messages.print(_RATE_NEXT)


def show_history(
    hand: HandArgument, *, warehouse: WarehouseOption = DEFAULT_WAREHOUSE, json: JsonOption = False
) -> None:
    """Tell all that is known of a hand: versions, where they came from, what corrections changed, quarantine.

    Example: `coastal history h-000017`
    """
    with open_warehouse(warehouse, read_only=True) as opened:
        known = history(opened.cursor(), hand)
    if json:
        print_json(_without_bytes(known))
        return
    for version in known["versions"]:
        state = "counts" if version["counts"] else "counts no more"
        points = " : ".join(str(side["points"]) for side in version["sides"])
        place = f"{version['file']}:{version['line']}, batch {version['batch']}, {version['loaded_at']}"
        _say(f"version {version['version']} ({state}): {points} points, ended {version['ended_at']}; {place}")
    for act in known["corrections"]:
        _tell_correction(act)
    for line in known["quarantine"]:
        codes = ", ".join(line["codes"])
        _say(
            f"quarantine {line['quarantine_key']} ({line['status']}): {line['file']}:{line['line']}: {codes}"
        )


def _tell_correction(act: dict[str, Any]) -> None:
    """Say who withdrew or replaced which version, and what that changed, a field a line."""
    is_void = act["replacement_version"] is None
    into = "" if is_void else f" by version {act['replacement_version']}"
    what = f"{act['kind']} version {act['version']}{into}"
    _say(f"{act['corrected_at']} {act['operator']}: {what}: {act['why']}")
    for change in act["changes"]:
        _say(f"  {change['field']}: {_shown(change['old'])} -> {_shown(change['new'])}")
    if not is_void and not act["changes"]:
        _say("  no field changed: the hand counts again")


def _shown(value: Any) -> str:
    """Write a field's value; of a hash, enough to tell it from others."""
    if isinstance(value, bytes):
        return value.hex()[:12]
    return "none" if value is None else str(value)


def _say(text: str) -> None:
    output.print(text, markup=False, soft_wrap=True)


def _without_bytes(value: Any) -> Any:
    """Write hashes as hexadecimal text, for JSON."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {key: _without_bytes(one) for key, one in value.items()}
    return [_without_bytes(one) for one in value] if isinstance(value, list) else value
