"""Read rows, to the last: a result that is left half read holds its connection."""

from __future__ import annotations

from typing import Any, Final

import duckdb
import pyarrow as pa

#: From DuckDB 2 on a relation hands its table over, and `execute` copies it; before, a relation with values
#: is computed into Python's objects, forty times slower.
_RELATIONS_HAND_OVER: Final = int(duckdb.__version__.partition(".")[0]) >= 2


def records(
    cursor: duckdb.DuckDBPyConnection, statement: str, values: dict[str, Any] | None = None
) -> list[dict[str, Any]]:
    """Return a query's rows by column name."""
    found = cursor.execute(statement, values or {})
    names = [column[0] for column in found.description or ()]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def first_row(
    cursor: duckdb.DuckDBPyConnection, statement: str, values: dict[str, Any] | None = None
) -> tuple[Any, ...] | None:
    """Return a query's first row; None where it has none."""
    rows = cursor.execute(statement, values or {}).fetchall()
    return rows[0] if rows else None


def only_row(
    cursor: duckdb.DuckDBPyConnection, statement: str, values: dict[str, Any] | None = None
) -> tuple[Any, ...]:
    """Return the row of a query that always has just one.

    Raises:
        ValueError: It has none, or more.
    """
    (row,) = cursor.execute(statement, values or {}).fetchall()
    return row


def arrow_table(
    cursor: duckdb.DuckDBPyConnection, statement: str, values: dict[str, Any] | None = None
) -> pa.Table:
    """Return a query's rows as columns."""
    if _RELATIONS_HAND_OVER:
        return cursor.sql(statement, params=values or {}).to_arrow_table()
    return cursor.execute(statement, values or {}).to_arrow_table()
