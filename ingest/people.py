"""Players: keys in order of first sight, and what their files say of them."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import Any, NamedTuple

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ingest import strict_json
from ingest.columns import NULL, Ints, Texts
from ingest.content import text_hash
from ingest.hand_log import PlayerRecord
from ingest.queries import sql
from ingest.records import arrow_table, only_row
from ingest.times import utc_naive


class Statement(NamedTuple):
    """What a line of a players' file says.

    Attributes:
        row: The line, by its place in the block.
        record: What it says.
        show_skill: Whether the player is shown after it: a line that leaves this out leaves it as it was.
        content: The hash of it.
    """

    row: int
    record: PlayerRecord
    show_skill: bool
    content: bytes


class _Known(NamedTuple):
    """What is stored of a statement, to tell others from it."""

    show_skill: bool
    content: bytes


def player_keys(connection: duckdb.DuckDBPyConnection, players: Texts) -> Ints:
    """Return the key of every player in an array, NULL for null, giving keys to new ones in order."""
    coded = players.dictionary_encode()
    sighted = pa.table({"place": pa.array(np.arange(len(coded.dictionary))), "player": coded.dictionary})
    connection.register("sighted", sighted)
    try:
        connection.execute(sql("sighted_players"))
        statement = "SELECT player_key FROM sighted JOIN player USING (player) ORDER BY place"
        keys = np.asarray(arrow_table(connection, statement)["player_key"], dtype=np.int64)
    finally:
        connection.unregister("sighted")
    codes: Ints = np.asarray(pc.fill_null(coded.indices, -1))
    every: Ints = np.append(keys, NULL)[codes]
    return every


def new_statements(
    connection: duckdb.DuckDBPyConnection, records: list[tuple[int, PlayerRecord]]
) -> list[Statement]:
    """Leave out statements that repeat the latest ones known of their player.

    The latest statement holds, so an earlier one coming back is news; but statements that come again just as
    they came last, such as those of a file that is loaded twice, are not.
    """
    incoming: dict[str, list[tuple[int, PlayerRecord]]] = defaultdict(list)
    for row, record in records:
        incoming[record.player].append((row, record))
    known = _known(connection, list(incoming))
    new = []
    for player, lines in incoming.items():
        before, last = known[player][: -len(lines)], known[player][-len(lines) :]
        if [one.content for one in _statements(lines, before)] == [one.content for one in last]:
            continue
        latest = known[player][-1].content if known[player] else None
        for statement in _statements(lines, known[player]):
            if statement.content != latest:
                new.append(statement)
            latest = statement.content
    return sorted(new, key=lambda statement: statement.row)


def _statements(lines: list[tuple[int, PlayerRecord]], before: list[_Known]) -> list[Statement]:
    """Return what lines about one player say after what is known; one of whom nothing was said is shown."""
    shows = before[-1].show_skill if before else True
    statements = []
    for row, record in lines:
        shows = shows if record.show_skill is None else record.show_skill
        joined_at = record.joined_at and utc_naive(record.joined_at)
        content = statement_hash(
            record.player, record.name, record.self_rating, shows, joined_at, record.unknown_fields
        )
        statements.append(Statement(row, record, shows, content))
    return statements


def statement_hash(
    player: str,
    name: str,
    self_rating: str | None,
    show_skill: bool,
    joined_at: datetime | None,
    extra: dict[str, Any],
) -> bytes:
    """Hash a statement as it is stored; `joined_at` is UTC without a zone, `extra` its unknown fields."""
    said = {
        "player": player,
        "name": name,
        "self_rating": self_rating,
        "show_skill": show_skill,
        "joined_at": joined_at and joined_at.isoformat(),
        "extra": extra,
    }
    return text_hash(strict_json.canonical(said))


def add_statements(
    connection: duckdb.DuckDBPyConnection,
    statements: list[Statement],
    places: Ints,
    batch: int,
) -> None:
    """Record statements and bring `player` up to date.

    Args:
        connection: In the batch's transaction.
        statements: In the order of their lines.
        places: [n, 2] the source and the line of each.
        batch: The batch that brings them.
    """
    keys = player_keys(
        connection, pa.array([statement.record.player for statement in statements], pa.string())
    )
    row = only_row(connection, "SELECT coalesce(max(record_key), 0) FROM player_record")
    rows = [
        {
            "record_key": row[0] + 1 + place,
            "player_key": int(keys[place]),
            "name": statement.record.name,
            "self_rating": statement.record.self_rating,
            "show_skill": statement.show_skill,
            "joined_at": statement.record.joined_at and utc_naive(statement.record.joined_at),
            "extra": _canonical_or_none(statement.record.unknown_fields),
            "content_hash": statement.content,
            "source": int(places[place, 0]),
            "line": int(places[place, 1]),
            "batch": batch,
        }
        for place, statement in enumerate(statements)
    ]
    connection.register("statement", pa.Table.from_pylist(rows, pa.schema(_COLUMNS)))
    try:
        connection.execute("INSERT INTO player_record BY NAME SELECT * FROM statement")
        connection.execute(sql("update_players"))
    finally:
        connection.unregister("statement")


_COLUMNS: dict[str, Any] = {
    "record_key": pa.int64(),
    "player_key": pa.int32(),
    "name": pa.string(),
    "self_rating": pa.string(),
    "show_skill": pa.bool_(),
    "joined_at": pa.timestamp("us"),
    "extra": pa.string(),
    "content_hash": pa.binary(),
    "source": pa.int32(),
    "line": pa.int64(),
    "batch": pa.int32(),
}


def _canonical_or_none(fields: dict[str, Any]) -> str | None:
    return strict_json.canonical(fields) if fields else None


def _known(connection: duckdb.DuckDBPyConnection, players: list[str]) -> dict[str, list[_Known]]:
    """Return all that was said of some players, in order."""
    found: dict[str, list[_Known]] = {player: [] for player in players}
    connection.register("sighted", pa.table({"player": pa.array(players, pa.string())}))
    try:
        for player, *said in connection.execute(sql("known_statements")).fetchall():
            found[player].append(_Known(*said))
    finally:
        connection.unregister("sighted")
    return found
