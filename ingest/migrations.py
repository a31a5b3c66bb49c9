"""Bring a warehouse file to the present schema by small, ordered SQL files.

A file `sql/migrations/NNNN_name.sql` is applied once, whole or not at all, and recorded in
`schema_migration`. An applied file is never edited: a change is a new file.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import duckdb

from engine.errors import IngestError, NotAWarehouseError
from ingest.records import first_row, only_row
from ingest.times import utc_naive

MIGRATIONS = Path(__file__).parent / "sql" / "migrations"


@dataclass(frozen=True)
class Migration:
    """One step of the schema.

    Attributes:
        version: From 1, without gaps.
        name: What the step is about, such as ``base``.
        sql: Its statements.
    """

    version: int
    name: str
    sql: str


def known_migrations(directory: Path = MIGRATIONS) -> list[Migration]:
    """Read the steps that this version of Coastal knows, in order."""
    steps = []
    for path in sorted(directory.glob("*.sql")):
        number, _, name = path.stem.partition("_")
        steps.append(Migration(int(number), name, path.read_text()))
    assert [step.version for step in steps] == list(range(1, len(steps) + 1)), "a gap among the migrations"
    return steps


def applied_version(connection: duckdb.DuckDBPyConnection) -> int:
    """Return the last applied step of a warehouse, 0 for an empty file."""
    found = first_row(
        connection,
        "SELECT count(*) FROM duckdb_tables() WHERE table_name = 'schema_migration' AND NOT temporary",
    )
    if found == (0,):
        return 0
    row = only_row(connection, "SELECT coalesce(max(version), 0) FROM schema_migration")
    return int(row[0])


def missing_steps(connection: duckdb.DuckDBPyConnection) -> list[Migration]:
    """Return the steps that a warehouse has not had, in order.

    Raises:
        NotAWarehouseError: The file holds tables of something else.
        IngestError: The file was written by a later version of Coastal.
    """
    steps = known_migrations()
    version = applied_version(connection)
    if version == 0 and first_row(connection, "SELECT 1 FROM duckdb_tables() WHERE NOT temporary LIMIT 1"):
        raise NotAWarehouseError(
            "this DuckDB file holds other tables and is no warehouse: "
            "name one, or a file that does not exist yet"
        )
    if version > len(steps):
        raise IngestError(
            f"this warehouse has schema version {version}; this version of Coastal knows up to {len(steps)}: "
            "use the later version that wrote it"
        )
    return steps[version:]


def apply_step(connection: duckdb.DuckDBPyConnection, step: Migration, at: datetime) -> None:
    """Apply a step and record it; in a transaction of its own.

    Args:
        connection: In the transaction.
        step: The next one that is missing.
        at: The present instant.
    """
    connection.execute(step.sql)
    connection.execute(
        "INSERT INTO schema_migration VALUES ($version, $name, $at)",
        {"version": step.version, "name": step.name, "at": utc_naive(at)},
    )
