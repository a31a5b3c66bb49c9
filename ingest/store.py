"""Write hands and sources into the base tables, inside a transaction that the caller holds."""

from __future__ import annotations

import duckdb
import numpy as np
import pyarrow as pa

from ingest.columns import HandColumns, Ints
from ingest.content import ContentHashes
from ingest.people import player_keys
from ingest.records import only_row
from ingest.sources import Block, source_kind
from ingest.tables import event_rows, hand_rows, players_of, seat_rows, side_rows

_INSERTS = {
    "hand": "INSERT INTO hand BY NAME SELECT * FROM incoming_rows",
    "seat": "INSERT INTO seat BY NAME SELECT * FROM incoming_rows",
    "side_result": "INSERT INTO side_result BY NAME SELECT * FROM incoming_rows",
    "hand_event_log": "INSERT INTO hand_event_log BY NAME SELECT * FROM incoming_rows",
}


def next_hand_key(connection: duckdb.DuckDBPyConnection) -> int:
    """Return the key of the next hand version."""
    row = only_row(connection, "SELECT coalesce(max(hand_key), 0) + 1 FROM hand")
    return int(row[0])


def source_keys(connection: duckdb.DuckDBPyConnection, names: tuple[str, ...]) -> dict[str, int]:
    """Return the key of each source, giving keys to new ones in order."""
    for name in names:
        connection.execute(
            """
            INSERT INTO source
            SELECT (SELECT coalesce(max(source), 0) + 1 FROM source), $name, $kind
            WHERE NOT EXISTS (FROM source WHERE name = $name)
            """,
            {"name": name, "kind": source_kind(name)},
        )
    return dict(connection.execute("SELECT name, source FROM source").fetchall())


def places_of(block: Block, rows: Ints, sources: dict[str, int]) -> Ints:
    """Return [n, 2] where lines came from: the source and the line's number in it.

    Args:
        block: The lines.
        rows: [n] which of them.
        sources: The key of each source by name.
    """
    keys = np.array([sources[name] for name in block.sources], dtype=np.int64)
    return np.column_stack([keys[block.source[rows]], block.line[rows]])


def insert_hands(
    connection: duckdb.DuckDBPyConnection,
    hands: HandColumns,
    keys: Ints,
    hashes: ContentHashes,
    places: Ints,
    batch: int,
) -> None:
    """Insert hands with their seats, results and events, and the people who are new.

    Args:
        connection: In the batch's transaction.
        hands: The hands.
        keys: [n] their hand_key.
        hashes: Their content.
        places: [n, 2] the source and the line that they came from.
        batch: The batch that brings them.
    """
    players = player_keys(connection, players_of(hands))
    _insert(connection, "hand", hand_rows(hands, keys, hashes, places, batch))
    _insert(connection, "seat", seat_rows(hands, keys, players))
    _insert(connection, "side_result", side_rows(hands, keys))
    events = event_rows(hands, keys)
    if len(events):
        _insert(connection, "hand_event_log", events)


def _insert(connection: duckdb.DuckDBPyConnection, table: str, rows: pa.Table) -> None:
    connection.register("incoming_rows", rows)
    try:
        connection.execute(_INSERTS[table])
    finally:
        connection.unregister("incoming_rows")
