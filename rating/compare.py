"""Compare two runs: whose rating, level or promotion dates differ, by how much, and where the runs part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import duckdb

from ingest.following import Progress, followed
from ingest.records import only_row, records
from ingest.warehouse import Warehouse
from rating.audit.stored import stored_run
from rating.parameters import Parameters, dotted
from rating.parting import RatedRow, first_parting
from rating.queries import sql
from rating.runs import Run, find_run
from rating.views import open_run, parameters_of

Record = dict[str, Any]


@dataclass(frozen=True)
class Comparison:
    """How a second run differs from a first.

    Attributes:
        one, other: The runs.
        parameters: Where their parameter sets differ: the key, and each run's value.
        accounts: Players, by pool and device, that either rates.
        differing: How many of them differ in rating, level or promotion dates.
        players: These, the biggest difference of ratings first.
        distribution: Of the differences of ratings, the second run's less the first's, rating points.
        churn: How many players stand at which level in each run, where these differ.
        first_parting: The hand at which the runs part, with what each has first from there and whether these
            are two versions of the hand; None when they are the same in every row.
    """

    one: str
    other: str
    parameters: list[Record]
    accounts: int
    differing: int
    players: list[Record]
    distribution: Record
    churn: list[Record]
    first_parting: Record | None


#: Tables that are taken of each run, and the steps behind them.
_TAKEN: Final = ("standings", "promotions")
_STEPS: Final = 2 * len(_TAKEN) + 2


def compare(warehouse: Warehouse, one: str, other: str, told: Progress | None = None) -> Comparison:
    """Compare two runs of a warehouse.

    Args:
        warehouse: The open warehouse.
        one: A run's name.
        other: Another's.
        told: Hears how far it is.

    Raises:
        UnknownRunError: One of them does not exist; the text suggests the nearest names.
    """
    cursor = warehouse.cursor()
    runs = find_run(cursor, one), find_run(cursor, other)
    cursor.execute(sql("compare/tables"))
    done = 0
    for which, run in zip(("one", "other"), runs, strict=True):
        open_run(cursor, warehouse.runs_directory, run)
        for table in _TAKEN:
            with followed(cursor, done, _STEPS, told):
                cursor.execute(sql(f"compare/take_{table}"), {"which": which})
            done += 1
    with followed(cursor, done, _STEPS, told):
        parting = _parting(cursor, warehouse, *runs)
    with followed(cursor, done + 1, _STEPS, told):
        players = records(cursor, sql("compare/players"))
    accounts, differing = len(players), [row for row in players if row.pop("differs")]
    return Comparison(
        one,
        other,
        _differing(*(parameters_of(run) for run in runs)),
        accounts,
        len(differing),
        differing,
        records(cursor, sql("compare/distribution"))[0],
        records(cursor, sql("compare/churn")),
        parting,
    )


def _differing(one: Parameters, other: Parameters) -> list[Record]:
    """Name the parameters that differ, by their place in the file: `change.k_factor[0].k`."""
    mine, theirs = dict(_leaves(one.model_dump())), dict(_leaves(other.model_dump()))
    return [
        {"key": key, "one": mine.get(key), "other": theirs.get(key)}
        for key in mine | theirs
        if mine.get(key) != theirs.get(key)
    ]


def _leaves(value: Any, place: tuple[int | str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Yield every plain value of nested tables and lists with its place."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, (*place, key))
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            yield from _leaves(inner, (*place, number))
    else:
        yield dotted(place), value


def _parting(cursor: duckdb.DuckDBPyConnection, warehouse: Warehouse, one: Run, other: Run) -> Record | None:
    """Say where two runs part, with hands and players named."""
    own, others = (stored_run(cursor, warehouse.runs_directory, run) for run in (one, other))
    mine, theirs = ([level.name for level in parameters_of(run).level] for run in (one, other))
    parting = first_parting(own, others, (mine, theirs))
    if parting is None:
        return None
    rows = [_named(cursor, row) for row in parting]
    places = [row for row in rows if row is not None]
    first = min(places, key=lambda row: (row["ended_at"], row["game_id"].encode(), row["hand_no"]))
    at = {name: first[name] for name in ("hand_id", "game_id", "hand_no", "ended_at")}
    is_one_hand = len({row["hand_id"] for row in places}) == 1
    is_other_version = is_one_hand and len({row.hand_key for row in parting if row is not None}) > 1
    return at | {"one": rows[0], "other": rows[1], "is_other_version": is_other_version}


def _named(cursor: duckdb.DuckDBPyConnection, row: RatedRow | None) -> Record | None:
    if row is None:
        return None
    (hand,) = records(cursor, sql("compare/hand"), {"hand_key": row.hand_key})
    pool, device, player_key = row.account
    player = only_row(cursor, "SELECT player FROM player WHERE player_key = $key", {"key": player_key})
    numbers = {"rating": row.rating, "form": row.form, "level": row.level}
    return hand | {"pool": pool, "device": device, "player": player[0]} | numbers
