"""Prove the record: recompute every hash, count and ledger, and say where the first difference is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import duckdb
import numpy as np

from ingest import columns as c
from ingest import strict_json
from ingest.chain import BEFORE_FIRST, Contents, batch_hash, correction_record, refusal_hash
from ingest.checking import is_sound
from ingest.content import events_hashes, summary_hashes
from ingest.people import statement_hash
from ingest.queries import sql
from ingest.records import arrow_table, only_row, records
from ingest.stored import StoredHands, stored_hands

#: Hands that are read at a time.
STRIDE: Final = 65_536
_LOST_EVENTS: Final = (
    "its deal and events are gone, and did not expire: restore a backup that has them (`coastal restore`)"
)


@dataclass
class Verification:
    """What a verification found.

    Attributes:
        batches: Batches in the chain.
        hands: Hand versions that were recomputed.
        full_logs: Hands that came with events, and whose events were compared.
        expired_logs: Hands whose events retention let expire; their hash still proves the rest.
        head: The last batch's hash; kept elsewhere, it proves that no batch was cut off since.
        difference: The first thing that is not as it was recorded (where, what, expected, found), or None.
    """

    batches: int = 0
    hands: int = 0
    full_logs: int = 0
    expired_logs: int = 0
    head: str = BEFORE_FIRST.hex()
    difference: dict[str, Any] | None = None

    @property
    def is_intact(self) -> bool:
        """Whether everything is as it was recorded."""
        return self.difference is None


def verify(
    cursor: duckdb.DuckDBPyConnection, on_progress: Callable[[int], None] = lambda hands: None
) -> Verification:
    """Recompute the whole record of a warehouse.

    Args:
        cursor: Of the warehouse.
        on_progress: Hears how many hands are done.
    """
    found = Verification()
    found.difference = _first(
        _hand_differences(cursor, found, on_progress),
        _statement_differences(cursor),
        _chain_differences(cursor, found),
        _stray_differences(cursor),
        _quarantine_differences(cursor),
        _player_differences(cursor),
    )
    return found


def _first(*checks: Iterator[dict[str, Any]]) -> dict[str, Any] | None:
    return next((difference for check in checks for difference in check), None)


def _difference(place: str, what: str, expected: Any, found: Any, **where: Any) -> dict[str, Any]:
    return {"place": place, "what": what, "expected": _shown(expected), "found": _shown(found), **where}


def _shown(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else value


def _hand_differences(
    cursor: duckdb.DuckDBPyConnection, found: Verification, on_progress: Callable[[int], None]
) -> Iterator[dict[str, Any]]:
    """Recompute each hand's content hash, its events' hash where they are kept, and its ledger."""
    row = only_row(cursor, "SELECT coalesce(max(hand_key), 0) FROM hand")
    for first in range(1, int(row[0]) + 1, STRIDE):
        stored = stored_hands(cursor, first, first + STRIDE - 1)
        found.hands += len(stored.keys)
        yield from _content_differences(stored, found)
        sound = is_sound(stored.hands)
        for place in np.flatnonzero(~sound).tolist():
            yield _difference("hand", "its arithmetic does not hold", True, False, **_where(stored, place))
        on_progress(found.hands)


def _content_differences(stored: StoredHands, found: Verification) -> Iterator[dict[str, Any]]:
    events = stored.events.to_pylist()
    has_expired = stored.has_expired.to_pylist()
    content = stored.content.to_pylist()
    again = summary_hashes(stored.hands, stored.events).to_pylist()
    kept = events_hashes(stored.hands).to_pylist()
    for place in range(len(content)):
        if events[place] is not None:
            found.full_logs += kept[place] is not None
            found.expired_logs += kept[place] is None and has_expired[place]
        if again[place] != content[place]:
            what = "its row, seats or results are not what was loaded"
            yield _difference("hand", what, content[place], again[place], **_where(stored, place))
        if kept[place] != events[place] and not (kept[place] is None and has_expired[place]):
            what = "its deal or events are not what was loaded" if kept[place] is not None else _LOST_EVENTS
            yield _difference("hand", what, events[place], kept[place], **_where(stored, place))


def _where(stored: StoredHands, place: int) -> dict[str, Any]:
    return {
        "batch": int(stored.batches[place]),
        "hand_key": int(stored.keys[place]),
        "hand_id": stored.hands.texts[c.HAND_ID][place].as_py(),
    }


def _statement_differences(cursor: duckdb.DuckDBPyConnection) -> Iterator[dict[str, Any]]:
    """Recompute the content hash of each statement about a player."""
    statements = records(
        cursor,
        """
        SELECT player, player_record.* EXCLUDE (player_key)
        FROM player_record LEFT JOIN player USING (player_key) ORDER BY record_key
        """,
    )
    for one in statements:
        again = _statement_content(one)
        if again != one["content_hash"]:
            where = {"batch": one["batch"], "record_key": one["record_key"], "player": one["player"]}
            what = "its row is not what was loaded"
            yield _difference("player_record", what, one["content_hash"], again, **where)


def _statement_content(row: dict[str, Any]) -> bytes | None:
    """Hash a row of `player_record`, with its player's id; None where its other fields are no JSON."""
    try:
        extra = {} if row["extra"] is None else strict_json.parse(row["extra"].encode())
    except (ValueError, RecursionError):
        return None
    return statement_hash(
        row["player"], row["name"], row["self_rating"], row["show_skill"], row["joined_at"], extra
    )


def _chain_differences(cursor: duckdb.DuckDBPyConnection, found: Verification) -> Iterator[dict[str, Any]]:
    """Recompute each batch's counts and hash, and that it follows the one before."""
    previous, number = BEFORE_FIRST, 1
    sources = dict(cursor.execute("SELECT source, name FROM source").fetchall())
    for batch in records(cursor, sql("batch_counts")):
        where = {"batch": batch["batch"]}
        if batch["batch"] != number:
            yield _difference("chain", "a batch is missing", number, batch["batch"], **where)
        for table, counted in batch["counted"].items():
            if counted != batch[table]:
                yield _difference("batch", f"its count of {table}", batch[table], counted, **where)
        if batch["previous_hash"] != previous:
            what = "it does not follow the batch before"
            yield _difference("chain", what, previous, batch["previous_hash"], **where)
        again = batch_hash(
            batch | {"previous_hash": previous}, _contents(cursor.cursor(), batch["batch"], sources)
        )
        if again != batch["batch_hash"]:
            what = "its record or contents are not what was loaded"
            yield _difference("chain", what, batch["batch_hash"], again, **where)
        previous, number = batch["batch_hash"], number + 1
        found.batches, found.head = found.batches + 1, previous.hex()


def _contents(cursor: duckdb.DuckDBPyConnection, batch: int, sources: dict[int, str]) -> Contents:
    """Read what a batch put into the record, as its hash takes it."""
    hands: Any = arrow_table(
        cursor,
        "SELECT content_hash, source, line FROM hand WHERE batch = $batch ORDER BY hand_key",
        {"batch": batch},
    )
    statements = records(
        cursor,
        """
        SELECT content_hash, source, line
        FROM player_record WHERE batch = $batch ORDER BY record_key
        """,
        {"batch": batch},
    )
    corrections = records(
        cursor, "FROM correction WHERE batch = $batch ORDER BY correction_key", {"batch": batch}
    )
    refusals = records(
        cursor,
        """
        SELECT raw_hash, hand_id, source, line
        FROM quarantine WHERE batch = $batch ORDER BY quarantine_key
        """,
        {"batch": batch},
    )
    places = [(one["source"], one["line"]) for one in [*statements, *refusals]]
    return Contents(
        hands=hands["content_hash"].to_pylist(),
        player_records=[one["content_hash"] for one in statements],
        corrections=[
            correction_record(
                one["kind"],
                one["hand_id"],
                one["hand_key"],
                one["replacement_hand_key"],
                one["operator"],
                one["corrected_at"],
                one["why"],
            )
            for one in corrections
        ],
        refusals=[refusal_hash(one["raw_hash"], one["hand_id"]) for one in refusals],
        places=np.concatenate(
            [
                np.column_stack([hands["source"], hands["line"]]).astype(np.int64),
                np.array(places, dtype=np.int64).reshape(-1, 2),
            ]
        ),
        sources=sources,
    )


def _stray_differences(cursor: duckdb.DuckDBPyConnection) -> Iterator[dict[str, Any]]:
    for table, rows in cursor.execute(sql("stray_rows")).fetchall():
        if rows:
            yield _difference(table, "rows that no batch brought", 0, rows)


def _quarantine_differences(cursor: duckdb.DuckDBPyConnection) -> Iterator[dict[str, Any]]:
    for key, batch, what in cursor.execute(sql("quarantine_differences")).fetchall():
        yield _difference("quarantine", what, None, None, batch=batch, quarantine_key=key)


def _player_differences(cursor: duckdb.DuckDBPyConnection) -> Iterator[dict[str, Any]]:
    for (player,) in cursor.execute(sql("player_differences")).fetchall():
        yield _difference("player", "it is not what the players' files said", None, None, player=player)
