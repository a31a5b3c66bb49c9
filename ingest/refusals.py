"""Put refused lines into quarantine, whole, each once, with what is wrong."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from hashlib import sha256
from typing import Any

import duckdb
import orjson
import pyarrow as pa

from ingest import columns as c
from ingest.columns import HandColumns, Ints
from ingest.findings import Finding
from ingest.records import first_row, only_row
from ingest.sources import Block
from ingest.times import utc_naive

_LINE: dict[str, Any] = {
    "quarantine_key": pa.int64(),
    "hand_id": pa.string(),
    "raw": pa.binary(),
    "raw_hash": pa.binary(),
    "source": pa.int32(),
    "line": pa.int64(),
    "batch": pa.int32(),
    "status": pa.string(),
}
_FINDING: dict[str, Any] = {
    "quarantine_key": pa.int64(),
    "position": pa.int32(),
    "event": pa.int32(),
    "code": pa.string(),
    "severity": pa.string(),
    "message": pa.string(),
    "rule": pa.string(),
    "expected": pa.string(),
    "found": pa.string(),
}


def add_refusals(
    connection: duckdb.DuckDBPyConnection,
    block: Block,
    findings: list[tuple[int, Finding]],
    sources: dict[str, int],
    batch: int,
) -> list[dict[str, Any]]:
    """Keep the lines that have an error, but for those that are in quarantine already.

    Args:
        connection: In the batch's transaction.
        block: The lines.
        findings: What is wrong, with each line's place in the block; all lines with an error are kept.
        sources: The key of each source by name.
        batch: The batch that brings them.

    Returns:
        The lines that are new to the quarantine, as rows of it, each with its place in the block as `row`.
    """
    by_row: dict[int, list[Finding]] = defaultdict(list)
    for row, finding in findings:
        by_row[row].append(finding)
    refused = {row: found for row, found in by_row.items() if any(one.is_error for one in found)}
    raw = {row: block.raw(row) for row in refused}
    hashes = {row: sha256(line).digest() for row, line in raw.items()}
    known = _known(connection, list(hashes.values()))
    row_of_hash = {content: row for row, content in reversed(hashes.items()) if content not in known}
    rows = sorted(row_of_hash.values())
    first = only_row(connection, "SELECT coalesce(max(quarantine_key), 0) + 1 FROM quarantine")
    lines, faults = [], []
    for key, row in enumerate(rows, first[0]):
        place = block.place(row)
        hand_id = next((one.hand_id for one in refused[row] if one.hand_id is not None), None)
        lines.append(
            {
                "row": row,
                "quarantine_key": key,
                "hand_id": hand_id,
                "raw": raw[row],
                "raw_hash": hashes[row],
                "source": sources[place.file],
                "line": place.line,
                "batch": batch,
                "status": "open",
            }
        )
        faults += finding_rows(key, refused[row])
    _insert(connection, "quarantine", pa.Table.from_pylist(lines, pa.schema(_LINE)))
    insert_findings(connection, faults)
    return lines


def finding_rows(key: int, findings: list[Finding]) -> list[dict[str, Any]]:
    """Lay a quarantined line's findings out as rows of `quarantine_finding`."""
    return [
        {
            "quarantine_key": key,
            "position": position,
            "event": finding.event,
            "code": finding.code,
            "severity": finding.severity,
            "message": finding.message,
            "rule": finding.rule,
            "expected": _as_json(finding.expected),
            "found": _as_json(finding.found),
        }
        for position, finding in enumerate(findings, 1)
    ]


def replace_findings(connection: duckdb.DuckDBPyConnection, findings: dict[int, list[Finding]]) -> None:
    """Say anew what is wrong with lines in quarantine, by their numbers."""
    with numbered(connection, list(findings)):
        connection.execute("DELETE FROM quarantine_finding WHERE quarantine_key IN (FROM numbered)")
    insert_findings(connection, [row for key, found in findings.items() for row in finding_rows(key, found)])


def insert_findings(connection: duckdb.DuckDBPyConnection, rows: list[dict[str, Any]]) -> None:
    """Add rows that `finding_rows` made."""
    _insert(connection, "quarantine_finding", pa.Table.from_pylist(rows, pa.schema(_FINDING)))


def close_refusals(
    connection: duckdb.DuckDBPyConnection, hands: HandColumns, at: datetime, later: Sequence[int] | Ints = ()
) -> None:
    """Close what is open in quarantine for hands that have now come in a sound line.

    Args:
        connection: In the batch's transaction.
        hands: The hands.
        at: The present instant.
        later: Numbers of lines that came after the sound line of their hand, and stay as they are.
    """
    is_any_open = first_row(connection, "SELECT 1 FROM quarantine WHERE status = 'open' LIMIT 1")
    if is_any_open is None or len(hands) == 0:
        return
    connection.register("arrived", pa.table({"hand_id": hands.texts[c.HAND_ID]}))
    try:
        with numbered(connection, later):
            connection.execute(
                """
                UPDATE quarantine
                SET status = 'loaded', closed_at = $at, why = 'the hand came in a sound line'
                FROM arrived
                WHERE quarantine.hand_id = arrived.hand_id AND status = 'open'
                    AND quarantine_key NOT IN (FROM numbered)
                """,
                {"at": utc_naive(at)},
            )
    finally:
        connection.unregister("arrived")


@contextmanager
def numbered(connection: duckdb.DuckDBPyConnection, numbers: Sequence[int] | Ints) -> Iterator[None]:
    """Let statements read numbers in quarantine meanwhile, as the one column of the table `numbered`."""
    connection.register("numbered", pa.table({"quarantine_key": pa.array(numbers, pa.int64())}))
    try:
        yield
    finally:
        connection.unregister("numbered")


def _known(connection: duckdb.DuckDBPyConnection, hashes: list[bytes]) -> set[bytes]:
    """Return which lines are in quarantine, or were."""
    connection.register("refused", pa.table({"raw_hash": pa.array(hashes, pa.binary())}))
    try:
        found = connection.execute("SELECT raw_hash FROM quarantine SEMI JOIN refused USING (raw_hash)")
        return {row[0] for row in found.fetchall()}
    finally:
        connection.unregister("refused")


def _insert(connection: duckdb.DuckDBPyConnection, table: str, rows: pa.Table) -> None:
    """Add rows to one of this module's two tables."""
    statement = {
        "quarantine": "INSERT INTO quarantine BY NAME SELECT * FROM incoming_rows",
        "quarantine_finding": "INSERT INTO quarantine_finding BY NAME SELECT * FROM incoming_rows",
    }[table]
    connection.register("incoming_rows", rows)
    try:
        connection.execute(statement).fetchall()
    finally:
        connection.unregister("incoming_rows")


def _as_json(value: Any) -> str | None:
    return None if value is None else orjson.dumps(value).decode()
