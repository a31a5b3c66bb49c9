"""How long the cards and events of full logs are kept; everything else of a hand stays for good."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

import duckdb

from ingest.records import first_row, only_row
from ingest.times import utc_naive
from ingest.warehouse import Warehouse

#: The longest that can be chosen, a hundred years; longer is for good.
MOST_DAYS: Final = 36_525


def kept_days(cursor: duckdb.DuckDBPyConnection) -> int | None:
    """Return for how many days after a hand's end its events are kept; None: for good."""
    row = first_row(cursor, "SELECT days FROM retention ORDER BY decision DESC LIMIT 1")
    return None if row is None else row[0]


def decide(warehouse: Warehouse, days: int | None, *, operator: str, at: datetime) -> None:
    """Record how long events are kept from now on."""
    with warehouse.transaction() as connection:
        connection.execute(
            """
            INSERT INTO retention
            SELECT coalesce(max(decision), 0) + 1, $days, $at, $operator FROM retention
            """,
            {"days": days, "at": utc_naive(at), "operator": operator},
        )


def expire_events(warehouse: Warehouse, at: datetime) -> int:
    """Delete events that are past their time; return of how many hands. The hands' hashes still hold.

    Each hand is recorded in `event_expiry`: other events that are gone are a loss (see `ingest.verify`).
    """
    days = kept_days(warehouse.cursor())
    if days is None:
        return 0
    present = utc_naive(at)
    before = {"before": present - timedelta(days=min(days, (present - datetime.min).days))}
    with warehouse.transaction() as connection:
        connection.execute(
            """
            INSERT INTO event_expiry
            SELECT hand_key, $before, $at
            FROM hand_event_log
            WHERE hand_key IN (SELECT hand_key FROM hand WHERE ended_at < $before)
            ORDER BY hand_key
            """,
            before | {"at": utc_naive(at)},
        )
        (deleted,) = only_row(
            connection,
            """
            DELETE FROM hand_event_log
            WHERE hand_key IN (SELECT hand_key FROM hand WHERE ended_at < $before)
            """,
            before,
        )
    return int(deleted)
