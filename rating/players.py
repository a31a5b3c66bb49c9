"""Look players up in a run: who is who, where each stands, who leads."""

from __future__ import annotations

from typing import Any, Final

import duckdb

from engine.errors import RatingError
from ingest.records import arrow_table
from rating.parameters import Parameters
from rating.queries import by_slot, sql
from rating.serving import standing_table
from rating.showing import as_others_see

Record = dict[str, Any]


class UnknownPlayerError(RatingError):
    """Nobody, or more than one, has that id or name; the text suggests the nearest."""


def find_player(cursor: duckdb.DuckDBPyConnection, wanted: str, *, sees_hidden: bool) -> int:
    """Return the key of the player with an id or a name.

    Args:
        cursor: A cursor of the warehouse.
        wanted: The id, or the name in any case.
        sees_hidden: Whether players who hide their skill are found.

    Raises:
        UnknownPlayerError: There is none, or more than one of that name.
    """
    asked = {"wanted": wanted, "sees_hidden": sees_hidden}
    found = cursor.execute(sql("players/find"), asked).fetchall()
    exact = [row for row in found if row[1] == wanted]
    if len(exact or found) == 1:
        return int((exact or found)[0][0])
    if found:
        raise UnknownPlayerError(
            f"{len(found)} players are named {wanted!r}: {', '.join(row[1] for row in found)}"
        )
    near = cursor.execute(sql("players/nearest"), asked).fetchall()
    if not near:
        raise UnknownPlayerError(f"there is no player {wanted!r}, nor any other yet")
    names = ", ".join(player if player == name else f"{name} ({player})" for player, name in near)
    raise UnknownPlayerError(f"there is no player {wanted!r}; did you mean {names}?")


def player_report(
    cursor: duckdb.DuckDBPyConnection,
    parameters: Parameters,
    player_key: int,
    hands: int,
    *,
    sees_hidden: bool,
) -> Record:
    """Return who a player is, every standing, and of each the last hands and the level events.

    Args:
        cursor: Sees a run's views (`rating.views.open_run`).
        parameters: The run's.
        player_key: The player.
        hands: How many of the last hands.
        sees_hidden: Whether it may tell of players who hide their skill, who sat at the table.
    """
    told = dict if sees_hidden else as_others_see
    report = _records(cursor, "players/player", player_key=player_key)[0]
    standings = standing_table(cursor, parameters, player_key).to_pylist()
    slots = [standing.pop("slot") for standing in standings]
    last = _records(cursor, "players/last_hands", slots=slots, rows=hands, sees_hidden=sees_hidden)
    events = _records(cursor, "players/events", slots=slots)
    last_of, events_of = by_slot(last), by_slot(events)
    for slot, standing in zip(slots, standings, strict=True):
        standing["last_hands"] = [told(hand) for hand in last_of[slot]]
        standing["events"] = [told(event) for event in events_of[slot]]
        del standing["player_key"], standing["level_position"]
    return report | {"standings": [told(standing) for standing in standings]}


#: The pool of the Coastal Rating.
MAIN_POOL: Final = "live/modern_american"


def leaderboard(
    cursor: duckdb.DuckDBPyConnection,
    parameters: Parameters,
    pool: str | None,
    rows: int,
    *,
    sees_hidden: bool,
) -> list[Record]:
    """Return the first rows of a pool's leaderboard.

    Args:
        cursor: Sees a run's views (`rating.views.open_run`).
        parameters: The run's.
        pool: Such as ``solo/classic_salon``; None: the run's only one, or `MAIN_POOL`.
        rows: How many.
        sees_hidden: Whether players who hide their skill are on it.

    Raises:
        RatingError: The run has no such pool.
    """
    standings = standing_table(cursor, parameters)
    pools = sorted({str(name) for name in standings["pool"].to_pylist()})
    if not pools and pool is None:
        return []
    chosen = pool or (pools[0] if len(pools) == 1 else MAIN_POOL)
    if chosen not in pools:
        raise RatingError(f"the run has no pool {chosen!r}; it has {', '.join(pools) or 'none'}")
    cursor.register("computed", standings)
    found = _records(cursor, "players/leaderboard", pool=chosen, rows=rows, sees_hidden=sees_hidden)
    cursor.unregister("computed")
    return found if sees_hidden else [as_others_see(row) for row in found]


def _records(cursor: duckdb.DuckDBPyConnection, name: str, **values: object) -> list[Record]:
    return arrow_table(cursor, sql(name), values).to_pylist()
