"""Processes that load and publish until somebody stops them; started by tests from a fork server."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from engine.errors import IngestError
from ingest.findings import Place
from ingest.load import Loader
from ingest.snapshot import open_snapshot, publish
from ingest.sources import Block, one_block
from ingest.warehouse import open_warehouse
from tests.support.hand_lines import CARDS, HAND, line

#: Hands in a batch.
BATCH = 20

PROCESSES = get_context("forkserver")
PROCESSES.set_forkserver_preload([__name__])


def numbered_block(number: int) -> Block:
    """Return batch `number`: hands `h-<number>-0` on, every second one with its events."""
    places = []
    for index in range(BATCH):
        name = f"{number}-{index}"
        record = HAND | (CARDS if index % 2 else {}) | {"hand_id": f"h-{name}", "game_id": f"g-{name}"}
        places.append((Place("hands.jsonl", number * BATCH + index), line(record)))
    return one_block(places)


def build_counts(cursor: Any, number: int, published_at: datetime) -> None:
    """Fill a snapshot with counts that must agree with each other, and a little bulk."""
    cursor.execute(
        """
        CREATE TABLE serving.meta AS
        SELECT $number::INTEGER AS snapshot, count(*) AS hands, count(DISTINCT batch) AS batches FROM hand
        """,
        {"number": number},
    )
    cursor.execute("CREATE TABLE serving.hand AS SELECT * FROM hand ORDER BY hand_key")
    cursor.execute("CREATE TABLE serving.seat AS SELECT * FROM seat ORDER BY hand_key, seat")


def load_and_publish(path: Path, acknowledged: Path, first: int, batches: int) -> None:
    """Load batches, publish after every third, and note each batch when it is safe."""
    note = os.open(acknowledged, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    with open_warehouse(path) as warehouse:
        loader = Loader(warehouse, 1, lambda: datetime.now(UTC))
        for number in range(first, first + batches):
            loader.load(numbered_block(number))
            os.write(note, f"{number}\n".encode())
            if number % 3 == 0:
                publish(warehouse, build_counts, datetime.now(UTC))
                os.write(note, b"published\n")
            if number % 7 == 0:
                warehouse.checkpoint()


def read_until(path: Path, last: Path, complaints: Path) -> None:
    """Open the published snapshot again and again, and write down whatever is not right."""
    seen = reads = 0
    while not last.exists() or reads == 0:
        try:
            with open_snapshot(path) as snapshot:
                for _ in range(3):
                    fault = _fault(snapshot, seen)
                    if fault:
                        complaints.write_text(fault)
                        return
                seen, reads = snapshot.number, reads + 1
        except IngestError as error:
            complaints.write_text(f"{type(error).__name__}: {error}")
            return
    (complaints.with_suffix(".reads")).write_text(str(reads))


def _fault(snapshot: Any, seen: int) -> str:
    """Compare a snapshot's tables with each other and with what was seen before."""
    number, hands, batches = snapshot.cursor().execute("FROM meta").fetchone()
    counted = snapshot.cursor().execute("SELECT count(*), count(DISTINCT batch) FROM hand").fetchone()
    seats = snapshot.cursor().execute("SELECT count(*) FROM seat").fetchone()[0]
    if (number, counted, seats) != (snapshot.number, (hands, batches), hands * 4):
        return f"mixed: {number} is {snapshot.number}, {counted} for {hands, batches}, {seats} seats"
    if hands == 0 or hands != batches * BATCH:
        return f"half a batch or nothing: {hands} hands in {batches} batches"
    return f"{number} after {seen}" if number < seen else ""
