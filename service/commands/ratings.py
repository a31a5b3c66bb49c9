"""`coastal player`, `leaderboard` and `export`: what a run says, on the screen or in a file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import duckdb
import typer
from rich.table import Table
from rich.text import Text

from ingest.warehouse import Warehouse, open_warehouse
from rating.export import FORMATS, Export, export
from rating.parameters import Parameters
from rating.players import MAIN_POOL, find_player, leaderboard, player_report
from rating.runs import Run, find_run
from rating.showing import counted, shown, shown_change
from rating.views import open_run, parameters_of
from service.console import (
    DEFAULT_WAREHOUSE,
    WRONG_USE,
    JsonOption,
    WarehouseOption,
    fail,
    output,
    print_json,
    print_json_lines,
    share_done,
)

Record = dict[str, Any]

RunOption = Annotated[
    str | None, typer.Option("--run", help="The run.", show_default="the current one", metavar="NAME")
]
PublicOption = Annotated[
    bool, typer.Option("--public", help="As others see it: players who hide their skill are left out.")
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("player")(show_player)
    app.command("leaderboard")(show_leaderboard)
    app.command("export")(write_export)


def show_player(
    player: Annotated[str, typer.Argument(metavar="NAME-OR-ID", help="The player.", show_default=False)],
    hands: Annotated[int, typer.Option(min=0, help="How many of the last hands.")] = 10,
    public: PublicOption = False,
    run: RunOption = None,
    warehouse: WarehouseOption = DEFAULT_WAREHOUSE,
    json: JsonOption = False,
) -> None:
    """Show a player's Rating, Form, level and the way to the next one, in every pool.

    Example: `coastal player "Ana Okafor"`
    """
    with _opened(warehouse, run) as (_, cursor, found, parameters):
        key = find_player(cursor, player, sees_hidden=not public)
        report = {"run": found.name, **player_report(cursor, parameters, key, hands, sees_hidden=not public)}
    if json:
        print_json(report)
    else:
        _print_player(report)


def show_leaderboard(
    pool: Annotated[
        str | None,
        typer.Option(help="The pool: mode/rule set.", show_default=f"the only one, or {MAIN_POOL}"),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="How many rows.")] = 20,
    public: PublicOption = False,
    run: RunOption = None,
    warehouse: WarehouseOption = DEFAULT_WAREHOUSE,
    json: JsonOption = False,
) -> None:
    """Show who leads a pool. With --json a line of output is a player.

    Example: `coastal leaderboard --limit 10`
    """
    with _opened(warehouse, run) as (_, cursor, found, parameters):
        # One more than is shown tells whether that is all.
        rows = leaderboard(cursor, parameters, pool, limit + 1, sees_hidden=not public)
    shown_rows = rows[:limit]
    if json:
        print_json_lines(shown_rows)
        return
    if not rows:
        output.print("Nobody is rated yet.")
        return
    output.print(Text(f"{rows[0]['pool']}, run {found.name}"))
    table = Table("", "player", "Rating", "change", "Form", "level", "hands", "games")
    for row in shown_rows:
        said = row["self_rating"]
        level = row["level"] or (f"self-rated {said}" if said else "not placed yet")
        name = f"{row['name']} ({row['device']})" if row["device"] else row["name"]
        numbers = [f"{row['rating_shown']:,}", f"{row['last_change_shown']:+d}", f"{shown(row['form']):,}"]
        cells = [row["rank"] or "", name, *numbers, level, row["hands"], row["games"]]
        table.add_row(*(Text(str(cell)) for cell in cells))
    output.print(table)
    if len(rows) > limit:
        output.print("and more: --limit shows them")


def write_export(
    what: Annotated[Export, typer.Argument(help="What to write.", show_default=False)],
    out: Annotated[Path, typer.Option(help="The file: .csv or .parquet.", show_default=False)],
    public: PublicOption = False,
    run: RunOption = None,
    warehouse: WarehouseOption = DEFAULT_WAREHOUSE,
    json: JsonOption = False,
) -> None:
    """Write a run's changes, level events, standings or hands to a file, floats with 17 digits.

    Example: `coastal export changes --out changes.csv`
    """
    if out.suffix not in FORMATS:
        fail(f"{out}: an export ends in {' or '.join(FORMATS)}", WRONG_USE)
    with _opened(warehouse, run) as (house, _, found, _), share_done("Exporting") as told:
        rows = export(house, found, what, out, sees_hidden=not public, told=told)
    if json:
        print_json({"run": found.name, "what": what.value, "rows": rows, "out": str(out)})
    else:
        output.print(
            f"{counted(rows, 'row')} of {what.value} of run {found.name} written to {out}.",
            markup=False,
            soft_wrap=True,
        )


@contextmanager
def _opened(
    warehouse: Path, name: str | None
) -> Iterator[tuple[Warehouse, duckdb.DuckDBPyConnection, Run, Parameters]]:
    """Open a warehouse for looking, with a cursor that sees a run's record."""
    with open_warehouse(warehouse, read_only=True) as house:
        cursor = house.cursor()
        run = find_run(cursor, name)
        open_run(cursor, house.runs_directory, run)
        yield house, cursor, run, parameters_of(run)


def _print_player(report: Record) -> None:
    hidden = "" if report["show_skill"] else ", hides their skill from others"
    output.print(Text(f"{report['name']} ({report['player']}){hidden}", style="bold"))
    if not report["standings"]:
        output.print(Text(f"No rated hand yet; self-rated {report['self_rating'] or 'nothing'}."))
    for standing in report["standings"]:
        _print_standing(standing)


def _print_standing(standing: Record) -> None:
    """Print one pool: the numbers, the way to the next level, the last hands, the level events."""
    device = f" on {standing['device']}" if standing["device"] else ""
    level = standing["level"] or "not placed yet"
    output.print(
        Text(
            f"\n{standing['pool']}{device}: Rating {standing['rating_shown']:,}, "
            f"last change {standing['last_change_shown']:+d}, Form {shown(standing['form']):,}, {level}, "
            f"{counted(standing['hands'], 'hand')}, {counted(standing['games'], 'game')}"
        )
    )
    output.print(Text(_way(standing)))
    table = Table("hand", "ended (UTC)", "expected", "actual", "change", "Rating", "Form")
    for row in standing["last_hands"]:
        # What would tell the Rating of somebody who hides it is left out.
        numbers = ["-" if share is None else f"{share:.3f}" for share in (row["expected"], row["actual"])]
        change = f"{shown_change(row['rating_before'], row['rating_after']):+d}"
        ratings = [f"{shown(row['rating_after']):,}", f"{shown(row['form_after']):,}"]
        table.add_row(
            *map(Text, [row["hand_id"], f"{row['ended_at']:%Y-%m-%d %H:%M}", *numbers, change, *ratings])
        )
    if standing["last_hands"]:
        output.print(table)
    for event in standing["events"]:
        moved = f"{event['from_level']} to {event['to_level']}" if event["from_level"] else event["to_level"]
        said = f"{event['kind']}, {moved}, Form {event['form']:,.1f} ({event['hand_id']})"
        output.print(Text(f"  hand {event['hands']}: {said}"))


def _way(standing: Record) -> str:
    """Say how far the next level is."""
    if standing["next_level"] is None:
        return "The top level: there is no next one."
    parts = [f"hands {standing['hands']:,} of {standing['next_hands']:,}"]
    if standing["next_form"] is not None:
        parts.insert(0, f"Form {standing['form']:,.1f} of {standing['next_form']:,.0f}")
        parts.append(f"games {standing['games']:,} of {standing['next_games']:,}")
    return f"Next, {standing['next_level']}: {', '.join(parts)}; {standing['progress']:.0%} of the way"
