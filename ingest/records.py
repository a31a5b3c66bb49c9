"""Read rows as dictionaries."""

from __future__ import annotations

from typing import Any

import duckdb


def records(
    cursor: duckdb.DuckDBPyConnection, statement: str, values: dict[str, Any] | None = None
) -> list[dict[str, Any]]:
    """Return a query's rows by column name."""
    found = cursor.execute(statement, values or {})
    names = [column[0] for column in found.description or ()]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]
