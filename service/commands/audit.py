"""`coastal audit`: what happened to ratings and levels, why, and whether it is right."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from ingest.records import only_row
from ingest.warehouse import open_warehouse
from rating.audit.anomalies import Anomaly, anomalies, load_thresholds
from rating.audit.audited import AuditedRun, audited_run
from rating.audit.explain import explain
from rating.audit.verify import Report, verify
from rating.audit.why import why, why_lines
from rating.audit.words import explanation_lines
from rating.players import find_player
from service.commands.ratings import RunOption
from service.console import (
    DEFAULT_WAREHOUSE,
    FINE,
    REFUSED,
    JsonOption,
    WarehouseOption,
    output,
    print_json,
    print_json_lines,
    progress,
    share_done,
)

Record = dict[str, Any]

PlayerArgument = Annotated[str, typer.Argument(metavar="NAME-OR-ID", help="The player.", show_default=False)]
HandArgument = Annotated[str, typer.Argument(metavar="HAND", help="The hand's id.", show_default=False)]
#: Findings of one kind that are printed for people; --json has them all.
_SHOWN_FINDINGS = 20


def register(app: typer.Typer) -> None:
    """Add the commands."""
    audit = typer.Typer(no_args_is_help=True, help="Ask why a rating or level is what it is, and check it.")
    audit.command("promotions")(show_promotions)
    audit.command("explain")(explain_hand)
    audit.command("why")(explain_level)
    audit.command("anomalies")(show_anomalies)
    audit.command("verify")(verify_run)
    app.add_typer(audit, name="audit")


def show_promotions(
    player: Annotated[
        str | None, typer.Option(metavar="NAME-OR-ID", help="Only this player's.", show_default="everybody's")
    ] = None,
    since: Annotated[
        datetime | None,
        typer.Option(
            formats=["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"],
            help="Only of hands that ended at or after this instant, UTC.",
            show_default="all",
        ),
    ] = None,
    run: RunOption = None,
    warehouse: WarehouseOption = DEFAULT_WAREHOUSE,
    json: JsonOption = False,
) -> None:
    """List level events with what each needed and had, the hand that did it, and the state before.

    With --json a line of output is an event.

    Example: `coastal audit promotions --player "Ana Okafor" --since 2026-01-01`
    """
    with _audited(warehouse, run) as audited:
        key = None if player is None else find_player(audited.cursor, player, sees_hidden=True)
        rows = audited.records("promotions", player_key=key, since=since)
    if json:
        print_json_lines(rows)
        return
    _print_lines(_event_line(row) for row in rows)
    if not rows:
        _print_lines(["No level event."])


def explain_hand(
    player: PlayerArgument,
    hand: HandArgument,
    run: RunOption = None,
    warehouse: WarehouseOption = DEFAULT_WAREHOUSE,
    json: JsonOption = False,
) -> None:
    """Explain a player's change in one hand, from the side ratings to the level check, in words and numbers.

    Example: `coastal audit explain p-001 h-000042`
    """
    with _audited(warehouse, run) as audited:
        explanation = explain(audited, _player_id(audited, player), hand)
        lines = list(explanation_lines(explanation, audited.parameters))
    if json:
        print_json(explanation.record())
    else:
        _print_lines(lines)


def explain_level(
    player: PlayerArgument,
    run: RunOption = None,
    warehouse: WarehouseOption = DEFAULT_WAREHOUSE,
    json: JsonOption = False,
) -> None:
    """Say what a player still needs for the next level, what would lose this one, and about how many hands.

    Example: `coastal audit why "Ana Okafor"`
    """
    with _audited(warehouse, run) as audited:
        found = why(audited, find_player(audited.cursor, player, sees_hidden=True))
    if json:
        print_json([one.record() for one in found])
        return
    for one in found:
        _print_lines(why_lines(one))
    if not found:
        _print_lines(["No rated hand yet."])


def show_anomalies(
    run: RunOption = None,
    warehouse: WarehouseOption = DEFAULT_WAREHOUSE,
    json: JsonOption = False,
) -> None:
    """List what is worth an auditor's look in live pools, with definition and evidence; nobody is judged.

    With --json a line of output is a kind of anomaly with all that was found.

    Example: `coastal audit anomalies`
    """
    with _audited(warehouse, run) as audited, share_done("Looking for anomalies") as told:
        kinds = anomalies(audited, load_thresholds(), told)
    if json:
        print_json_lines(asdict(kind) for kind in kinds)
        return
    for kind in kinds:
        _print_anomaly(kind)


def verify_run(
    run: RunOption = None,
    sample: Annotated[int, typer.Option(min=1, help="How many hands to rate again.")] = 1000,
    seed: Annotated[int, typer.Option(help="Chooses the sample.")] = 0,
    everything: Annotated[
        bool, typer.Option("--all", help="Rate the whole log again from its first hand.")
    ] = False,
    warehouse: WarehouseOption = DEFAULT_WAREHOUSE,
    json: JsonOption = False,
) -> None:
    """Check every stored row of a run, and rate hands again from the log by a slow path of its own.

    Every row is held to the one before it: Rating, Form, K, hands, games, level, level event. Then a sample
    of hands, or with --all the whole log, is rated again. Exits 1 at the first difference, and prints it.

    Example: `coastal audit verify --run league --sample 500`
    """
    with _audited(warehouse, run) as audited, progress("Checking rows", audited.run.changes, "rows") as bar:
        rows = bar.task_ids[0]
        hands = bar.add_task("Rating again", total=None, unit="hands")

        def tell_hands(size: int, done: int) -> None:
            bar.update(hands, total=size, advance=done)

        size = None if everything else sample
        report = verify(audited, size, seed, lambda done: bar.advance(rows, done), tell_hands)
    if json:
        print_json(report.record())
    else:
        _print_lines(_report_lines(report))
    raise typer.Exit(FINE if report.difference is None else REFUSED)


@contextmanager
def _audited(warehouse: Any, run: str | None) -> Iterator[AuditedRun]:
    """Open a warehouse for looking, and a run of it."""
    with open_warehouse(warehouse, read_only=True) as opened:
        yield audited_run(opened, run)


def _report_lines(report: Report) -> Iterator[str]:
    hands = f"all {report.hands:,} hands" if report.is_whole else f"a sample of {report.hands:,} hands"
    if report.difference is None:
        yield f"Run {report.run} holds: {report.rows:,} stored changes checked, {hands} rated again."
        return
    first = report.difference
    yield f"Run {report.run} does not hold; the first difference:"
    yield f"  hand {first.hand_id or '(none)'}, {first.row}, {first.column}"
    yield f"  expected {first.expected!r}"
    yield f"  found    {first.found!r}"


def _player_id(audited: AuditedRun, wanted: str) -> str:
    key = find_player(audited.cursor, wanted, sees_hidden=True)
    row = only_row(audited.cursor, "SELECT player FROM player WHERE player_key = $key", {"key": key})
    return str(row[0])


def _event_line(row: Record) -> str:
    """Say what happened to whom by which hand; on a line below, what it needed and had, what was before."""
    who = row["player"] if row["name"] == row["player"] else f"{row['name']} ({row['player']})"
    device = f" on {row['device']}" if row["device"] else ""
    is_move = row["from_level"] not in ("", row["to_level"])
    where = f"from {row['from_level']} to {row['to_level']}" if is_move else f"at {row['to_level']}"
    held = ", held until the return" if row["held"] else ""
    return (
        f"{row['ended_at']:%Y-%m-%d %H:%M} {who}, {row['pool']}{device}: "
        f"{row['kind']} {where} by hand {row['hand_id']}{held}\n  "
        f"Form {_had_and_needed(row['form'], row['form_needed'])}, "
        f"hands {_had_and_needed(row['hands'], row['hands_needed'])}, "
        f"games {_had_and_needed(row['games'], row['games_needed'])}, {_since(row)}"
        f"before it Form {row['form_before']:,.2f} and Rating {row['rating_before']:,.2f}"
    )


def _since(row: Record) -> str:
    moved = row["hands_since_move"]
    return "" if moved is None else f"{moved:,} hands since the last move, "


def _had_and_needed(had: float, needed: float | None) -> str:
    text = f"{had:,}" if isinstance(had, int) else f"{had:,.2f}"
    return text if needed is None else f"{text} of {needed:,g}"


def _print_anomaly(kind: Anomaly) -> None:
    output.print(Text(f"{kind.anomaly}: {kind.definition}", style="bold"))
    if not kind.found:
        output.print(Text("  none\n"))
        return
    table = Table(*(name.replace("_", " ") for name in kind.found[0]))
    for row in kind.found[:_SHOWN_FINDINGS]:
        table.add_row(*(Text(_evidence(value)) for value in row.values()))
    output.print(table)
    if len(kind.found) > _SHOWN_FINDINGS:
        output.print(Text(f"  and {len(kind.found) - _SHOWN_FINDINGS:,} more; --json has them all\n"))


def _evidence(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return f"{value:,.2f}" if isinstance(value, float) else str(value)


def _print_lines(lines: Any) -> None:
    for line in lines:
        output.print(Text(line), soft_wrap=True)
