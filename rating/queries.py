"""The room's SQL: a file a statement, values bound by name, never spliced."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ingest.records import arrow_table

_FOLDER = Path(__file__).parent / "sql"


@cache
def sql(name: str) -> str:
    """Return the statement in `sql/<name>.sql`."""
    return (_FOLDER / f"{name}.sql").read_text(encoding="utf-8")


def fetch_columns(
    cursor: duckdb.DuckDBPyConnection, name: str, values: dict[str, Any]
) -> dict[str, npt.NDArray[Any]]:
    """Run a statement whose columns hold no null, and return them as arrays."""
    table = arrow_table(cursor, sql(name), values)
    return {name: table[name].to_numpy() for name in table.column_names}


def by_slot(records: Iterable[dict[str, Any]]) -> defaultdict[int, list[dict[str, Any]]]:
    """Return records by the slot that each of them names, without it; their order stays."""
    found = defaultdict(list)
    for record in records:
        found[record.pop("slot")].append(record)
    return found


@contextmanager
def given(cursor: duckdb.DuckDBPyConnection, keys: npt.NDArray[np.int64]) -> Iterator[None]:
    """Let statements read keys as the table `given`: bound one by one they take far longer."""
    cursor.register("given", pa.table({"hand_key": pa.array(keys)}))
    try:
        yield
    finally:
        cursor.unregister("given")


def fetch_file(name: str, path: Path) -> dict[str, npt.NDArray[Any]]:
    """Run a statement over a `$file`, apart from any warehouse, and return its columns as arrays."""
    with duckdb.connect() as connection:
        return fetch_columns(connection, name, {"file": str(path)})
