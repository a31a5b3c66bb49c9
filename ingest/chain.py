"""The chain of batches: each names its contents and the batch before, so that no past row changes unseen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any, Final, Literal

import duckdb
import numpy as np

from ingest import strict_json
from ingest.columns import Ints
from ingest.queries import sql
from ingest.records import first_row
from ingest.times import utc_naive

BEFORE_FIRST: Final = bytes(32)

BatchKind = Literal["load", "retry", "void", "correct"]

#: What a batch's hash covers: 1, in warehouses of earlier versions, its contents alone; 2 its record too, and
#: where its contents came from.
HASH_FORM: Final = 2
#: What is counted of a batch, as columns of `ingest_batch`.
COUNTS: Final = (
    "lines",
    "loaded",
    "duplicates",
    "quarantined",
    "warnings",
    "hands",
    "seats",
    "side_results",
    "player_records",
    "corrections",
    "refusals",
)
#: The columns that form 2 covers beside the hash before.
_RECORD: Final = ("batch", "kind", "level", "started_at", "finished_at", *COUNTS, "hash_form")


@dataclass(frozen=True)
class Contents:
    """What a batch put into the record, as its hash takes it.

    Attributes:
        hands: Content hashes of its hands, in order of hand_key.
        player_records: Content hashes of its statements about players, in order of record_key.
        corrections: Its corrections, as `correction_record` writes them, in order of correction_key.
        refusals: Its lines in quarantine, as `refusal_hash` has them, in order of quarantine_key.
        places: [n, 2] the source and the line of each hand, then statement, then refusal.
        sources: The names of those sources by key; of others too, which are no part of the hash.
    """

    hands: Iterable[bytes] = ()
    player_records: Iterable[bytes] = ()
    corrections: Iterable[str] = ()
    refusals: Iterable[bytes] = ()
    places: Ints = field(default_factory=lambda: np.empty((0, 2), dtype=np.int64))
    sources: Mapping[int, str] = field(default_factory=dict)


def batch_hash(record: Mapping[str, Any], contents: Contents) -> bytes:
    """Return the hash of a batch: SHA-256 of what it holds and of the hash before.

    Args:
        record: Its row of `ingest_batch`; times in UTC without a zone.
        contents: What it put into the record.
    """
    digest = sha256(record["previous_hash"])
    hands, statements = list(contents.hands), list(contents.player_records)
    corrections = [text.encode() for text in contents.corrections]
    sizes = {"hands": len(hands), "player_records": len(statements), "corrections": len(corrections)}
    is_whole = record["hash_form"] != 1
    row = {name: record[name] for name in (_RECORD if is_whole else ("batch", "kind"))}
    digest.update(strict_json.canonical(_as_texts(row) | sizes).encode())
    for part in (hands, statements, corrections):
        digest.update(b"".join(part))
    if is_whole:
        digest.update(b"".join(contents.refusals))
        digest.update(np.ascontiguousarray(contents.places, dtype="<i8").tobytes())
        used = sorted(set(contents.places[:, 0].tolist()))
        names = [[key, contents.sources.get(key)] for key in used]
        digest.update(strict_json.canonical(names).encode())
    return digest.digest()


def _as_texts(row: dict[str, Any]) -> dict[str, Any]:
    """Write the instants of a row as text."""
    return {name: one.isoformat() if isinstance(one, datetime) else one for name, one in row.items()}


def refusal_hash(raw_hash: bytes, hand_id: str | None) -> bytes:
    """Hash what stays of a line in quarantine, whatever becomes of it: its bytes, and the hand it names."""
    return sha256(raw_hash + strict_json.canonical(hand_id).encode()).digest()


def correction_record(
    kind: str, hand_id: str, hand_key: int, replacement: int | None, operator: str, at: datetime, why: str
) -> str:
    """Write a correction for the chain; `at` is in UTC without a zone."""
    return strict_json.canonical(
        {
            "kind": kind,
            "hand_id": hand_id,
            "hand_key": hand_key,
            "replacement_hand_key": replacement,
            "operator": operator,
            "corrected_at": at.isoformat(),
            "why": why,
        }
    )


def next_batch(connection: duckdb.DuckDBPyConnection) -> tuple[int, bytes]:
    """Return the next batch's number and the hash that it follows."""
    row = first_row(connection, "SELECT batch, batch_hash FROM ingest_batch ORDER BY batch DESC LIMIT 1")
    return (1, BEFORE_FIRST) if row is None else (row[0] + 1, row[1])


def add_batch(
    connection: duckdb.DuckDBPyConnection,
    *,
    kind: BatchKind,
    level: int,
    started_at: datetime,
    finished_at: datetime,
    counts: dict[str, int],
    contents: Contents,
) -> int:
    """Record a batch as the next link of the chain and return its number.

    Args:
        connection: In the transaction that brings the batch's rows.
        kind: What brought it.
        level: The checking level of its lines.
        started_at: When its reading began.
        finished_at: The present instant.
        counts: The counts that `ingest_batch` keeps, by column.
        contents: What it put into the record.
    """
    batch, previous = next_batch(connection)
    record: dict[str, Any] = {
        "batch": batch,
        "kind": kind,
        "level": level,
        "started_at": utc_naive(started_at),
        "finished_at": utc_naive(finished_at),
        **counts,
        "hash_form": HASH_FORM,
        "previous_hash": previous,
    }
    connection.execute(sql("add_batch"), record | {"batch_hash": batch_hash(record, contents)})
    return batch
