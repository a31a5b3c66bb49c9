"""The chain of batches: each names its contents and the batch before, so that no past row changes unseen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Final, Literal

import duckdb

from ingest import strict_json
from ingest.queries import sql
from ingest.times import utc_naive

BEFORE_FIRST: Final = bytes(32)

BatchKind = Literal["load", "retry", "void", "correct"]


@dataclass(frozen=True)
class Contents:
    """What a batch put into the record, as its hash takes it.

    Attributes:
        hands: Content hashes of its hands, in order of hand_key.
        player_records: Content hashes of its statements about players, in order of record_key.
        corrections: Its corrections, as `correction_record` writes them, in order of correction_key.
    """

    hands: Iterable[bytes] = ()
    player_records: Iterable[bytes] = ()
    corrections: Iterable[str] = ()


def batch_hash(previous: bytes, batch: int, kind: str, contents: Contents) -> bytes:
    """Return the hash of a batch: SHA-256 of what it holds and of the hash before."""
    digest = sha256(previous)
    parts = [list(contents.hands), list(contents.player_records)]
    corrections = [text.encode() for text in contents.corrections]
    sizes = {"batch": batch, "kind": kind, "hands": len(parts[0]), "player_records": len(parts[1])}
    digest.update(strict_json.canonical(sizes | {"corrections": len(corrections)}).encode())
    for part in [*parts, corrections]:
        digest.update(b"".join(part))
    return digest.digest()


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
    row = connection.execute(
        "SELECT batch, batch_hash FROM ingest_batch ORDER BY batch DESC LIMIT 1"
    ).fetchone()
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
    values: dict[str, Any] = {
        "batch": batch,
        "kind": kind,
        "level": level,
        "started_at": utc_naive(started_at),
        "finished_at": utc_naive(finished_at),
        **counts,
        "previous_hash": previous,
        "batch_hash": batch_hash(previous, batch, kind, contents),
    }
    connection.execute(sql("add_batch"), values)
    return batch
