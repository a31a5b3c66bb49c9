"""The stored log as a run saw it, hand by hand, for the audits: read once more, apart from the replay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import NamedTuple

import duckdb

from rating.queries import sql

ROWS_AT_A_TIME = 50_000


class Watermarks(NamedTuple):
    """How far a run saw: the greatest keys of hands, corrections and batches."""

    hand: int
    correction: int
    batch: int


class LoggedSeat(NamedTuple):
    """Who sat where; `player` is None for a computer, `skill` for a person who played."""

    seat: int
    side: int
    kind: str
    player: str | None
    skill: str | None


@dataclass(frozen=True, slots=True)
class LoggedHand:
    """One hand of the log; `points` are canasta totals by side."""

    hand_key: int
    hand_id: str
    game_id: str
    hand_no: int
    ended_at: datetime
    mode: str
    ruleset: str
    device: str
    game_over: bool
    seats: tuple[LoggedSeat, ...]
    points: tuple[int, ...]

    @property
    def pool(self) -> str:
        """The pool that the hand is rated in."""
        return f"{self.mode}/{self.ruleset}"


def read_log(
    cursor: duckdb.DuckDBPyConnection, seen: Watermarks, hand_ids: Sequence[str] | None = None
) -> Iterator[LoggedHand]:
    """Yield the hands that a run saw, in their total order.

    Args:
        cursor: A cursor of its own; it is busy until the last hand has been taken.
        seen: How far the run saw.
        hand_ids: Only these hands.
    """
    cursor.execute(
        sql("audit/log"),
        {"hand_watermark": seen.hand, "correction_watermark": seen.correction, "hand_ids": hand_ids},
    )
    for _, rows in groupby(_rows(cursor), key=lambda row: row[0]):
        yield _hand(list(rows))


def first_self_ratings(cursor: duckdb.DuckDBPyConnection, seen: Watermarks) -> dict[str, str]:
    """Return what each player had said first, as far as the run saw."""
    return dict(cursor.execute(sql("audit/self_ratings"), {"batch_watermark": seen.batch}).fetchall())


def _rows(cursor: duckdb.DuckDBPyConnection) -> Iterator[tuple[object, ...]]:
    while rows := cursor.fetchmany(ROWS_AT_A_TIME):
        yield from rows


def _hand(rows: list[tuple[object, ...]]) -> LoggedHand:
    """Make one hand of its seats' rows."""
    points = {row[10]: row[14] for row in rows}
    return LoggedHand(
        *rows[0][:9],  # type: ignore[arg-type]
        seats=tuple(LoggedSeat(*row[9:14]) for row in rows),  # type: ignore[arg-type]
        points=tuple(points[side] for side in sorted(points)),  # type: ignore[misc, type-var]
    )
