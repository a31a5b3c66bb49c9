"""`coastal compare`: how two rating runs differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.table import Column, Table
from rich.text import Text

from ingest.warehouse import open_warehouse
from rating.compare import Comparison, compare
from service.console import DEFAULT_WAREHOUSE, JsonOption, WarehouseOption, output, print_json, share_done

Record = dict[str, Any]
RunArgument = Annotated[str, typer.Argument(metavar="RUN", help="A run's name.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("compare")(compare_runs)


def compare_runs(
    one: RunArgument,
    other: RunArgument,
    limit: Annotated[int, typer.Option(min=0, help="How many players to print; --json has them all.")] = 20,
    warehouse: WarehouseOption = DEFAULT_WAREHOUSE,
    json: JsonOption = False,
) -> None:
    """Compare two runs: players who differ, the biggest difference first, levels, and where the runs part.

    Players differ in rating, level or the dates of promotions.

    Example: `coastal compare league wider-margins`
    """
    with open_warehouse(warehouse, read_only=True) as opened, share_done("Comparing") as told:
        found = compare(opened, one, other, told)
    if json:
        print_json(asdict(found))
        return
    for line in _lines(found):
        output.print(Text(line), soft_wrap=True)
    if found.players and limit:
        _print_players(found, limit)


def _lines(found: Comparison) -> Iterator[str]:
    one, other = found.one, found.other
    yield f"{one} and {other}: {found.differing:,} of {found.accounts:,} players and pools differ."
    for row in found.parameters:
        yield f"Parameter {row['key']}: {_value(row['one'])} in {one}, {_value(row['other'])} in {other}."
    if found.first_parting is None:
        yield "The runs are the same in every row."
    else:
        yield from _parting_lines(found)
    spread = found.distribution
    if spread["players"]:
        marks = ("least", "p05", "p25", "median", "p75", "p95", "greatest")
        said = ", ".join(f"{mark} {spread[mark]:+,.2f}" for mark in marks)
        yield f"Ratings of {other} less those of {one}: {said}; mean size {spread['mean_absolute']:,.2f}."
    for row in found.churn:
        levels = f"{_level(row['level_one'])} in {one}, {_level(row['level_other'])} in {other}"
        yield f"Levels: {row['players']:,} {levels}."


def _parting_lines(found: Comparison) -> Iterator[str]:
    parting = found.first_parting
    assert parting is not None
    version = f"; {found.other} has another version of the hand" if parting["is_other_version"] else ""
    yield (
        f"They part at hand {parting['hand_id']} (hand {parting['hand_no']} of game {parting['game_id']}, "
        f"{parting['ended_at']:%Y-%m-%d %H:%M:%S} UTC){version}:"
    )
    for name, row in ((found.one, parting["one"]), (found.other, parting["other"])):
        if row is None:
            yield f"  {name} has no more rows"
        else:
            level = _level(row["level"])
            yield (
                f"  {name}: {row['player']} by hand {row['hand_id']}: Rating {row['rating']:,.4f}, "
                f"Form {row['form']:,.4f}, {level}"
            )


def _level(level: str | None) -> str:
    return "not rated" if level is None else level or "not placed yet"


def _value(value: object) -> str:
    return "none" if value is None else str(value)


def _print_players(found: Comparison, limit: int) -> None:
    names = ("player", "pool", found.one, found.other, "difference", "level", "promotions")
    table = Table(*(Column(name, overflow="fold") for name in names))
    for row in found.players[:limit]:
        table.add_row(*(Text(cell) for cell in _cells(row)))
    output.print(table)
    if len(found.players) > limit:
        output.print(Text(f"and {len(found.players) - limit:,} more"))


def _cells(row: Record) -> Iterator[str]:
    yield row["name"] if row["name"] == row["player"] else f"{row['name']} ({row['player']})"
    yield f"{row['pool']} {row['device']}".strip()
    yield from (
        "" if number is None else f"{number:,.2f}" for number in (row["rating_one"], row["rating_other"])
    )
    yield "" if row["rating_difference"] is None else f"{row['rating_difference']:+,.2f}"
    is_same = row["level_one"] == row["level_other"]
    yield _level(row["level_one"]) if is_same else f"{_level(row['level_one'])}, {_level(row['level_other'])}"
    yield "same" if row["promotions_one"] == row["promotions_other"] else "differ"
