"""Hold a run's stored rows against the slow path: the whole log from its first hand, or a sample of hands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from rating.audit.audited import AuditedRun
from rating.audit.log import LoggedHand, first_self_ratings, read_log
from rating.audit.slow import Account, Change, Played, rate_log
from rating.audit.stored import StoredRun

#: Numbers of a stored row by name.
Row = dict[str, Any]


@dataclass(frozen=True)
class Difference:
    """The first row in which the slow path and the stored run differ.

    Attributes:
        hand_id: The hand that was being rated.
        row: Whose row: a side, or a player.
        column: What differs.
        expected, found: What the slow path gives and what is stored.
    """

    hand_id: str
    row: str
    column: str
    expected: Any
    found: Any


def recompute_all(audited: AuditedRun, stored: StoredRun, told: Callable[[int], None]) -> Difference | None:
    """Rate the whole log by the slow path beside the stored rows, in order; return the first difference."""
    cursor = audited.warehouse.cursor()
    said = first_self_ratings(cursor, audited.seen)
    rows = _Rows(stored, accounts(audited, stored))
    for hand, played in rate_log(read_log(cursor, audited.seen), said, audited.parameters):
        difference = rows.compare(hand, played)
        if difference is not None:
            return difference
        told(1)
    return rows.left_over()


def accounts(audited: AuditedRun, stored: StoredRun) -> list[Account]:
    """Return whose numbers each slot of a run holds."""
    cursor = audited.warehouse.cursor()
    players = dict(cursor.execute("SELECT player_key, player FROM player").fetchall())
    pools = stored.slots.pools
    return [
        Account(pools[pool].name, pools[pool].device, players[key])
        for pool, key in zip(stored.slots.pool.tolist(), stored.slots.player_key.tolist(), strict=True)
    ]


class _Rows:
    """A run's stored rows, taken one after the other as hands are rated again."""

    def __init__(self, stored: StoredRun, owners: list[Account]) -> None:
        self._sides = _rows(stored, "side")
        self._changes = _rows(stored, "change")
        self._accounts = owners

    def compare(self, hand: LoggedHand, played: Played) -> Difference | None:
        """Compare what a hand brought with the next stored rows."""
        for side, view in enumerate(played.views):
            due = {"hand_key": hand.hand_key, "side": side, "rating": view.side_rating}
            due |= {"expected": view.expected, "actual": view.actual}
            difference = difference_of(hand.hand_id, f"side {side}", due, next(self._sides, None))
            if difference is not None:
                return difference
        for change in played.changes:
            found = next(self._changes, None)
            if found is not None:
                found["account"] = self._accounts[found.pop("slot")]
            difference = difference_of(hand.hand_id, change.account.player, _due(change), found)
            if difference is not None:
                return difference
        return None

    def left_over(self) -> Difference | None:
        """Return a difference when rows are stored that no hand brings."""
        for kind, rows in (("side", self._sides), ("change", self._changes)):
            row = next(rows, None)
            if row is not None:
                return Difference("", f"{kind} of hand key {row['hand_key']}", "row", None, row)
        return None


def _rows(stored: StoredRun, kind: str) -> Iterator[Row]:
    for part in stored:
        for batch in getattr(part, kind).to_batches(max_chunksize=10_000):
            yield from batch.to_pylist()


def _due(change: Change) -> Row:
    """Return a change as its row must be stored."""
    return {
        "hand_key": change.hand_key,
        "applied_key": change.applied_key,
        "side": change.side,
        "account": change.account,
        "rating": change.rating_after,
        "form": change.form_after,
        "k_factor": change.k_factor,
        "hands": change.hands,
        "games": change.games,
        "level": change.level,
    }


def difference_of(hand_id: str, name: str, due: Row, found: Row | None) -> Difference | None:
    """Return the first column in which a row differs; None when it holds."""
    if found is None:
        return Difference(hand_id, name, "row", due, None)
    for column, expected in due.items():
        if found[column] != expected:
            return Difference(hand_id, name, column, expected, found[column])
    return None
