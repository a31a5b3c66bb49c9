"""Work a sample of hands out again by the slow path, each from what its players brought to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rating.audit.audited import AuditedRun
from rating.audit.log import LoggedHand, first_self_ratings, read_log
from rating.audit.recompute import Difference, accounts, difference_of
from rating.audit.slow import Account, Numbers, SlowFold, counts_for
from rating.audit.stored import StoredPart, StoredRun, floats, ints
from rating.elo import IntArray


@dataclass(frozen=True)
class StoredHand:
    """What a run stores of a rated hand.

    Attributes:
        sides: Rating, expected and actual score, by side.
        before: Rating and rated hands that its players brought, by slot; none of who was first rated here.
        steps: The K of those who were rated for it when it was played, by slot.
    """

    sides: list[dict[str, float]]
    before: dict[int, tuple[float, int]]
    steps: dict[int, float]


def recompute_sample(
    audited: AuditedRun, stored: StoredRun, size: int, seed: int, told: Callable[[int], None]
) -> Difference | None:
    """Check side ratings, scores, who is rated and each K of some hands; return the first difference.

    What the players brought is taken as stored: `rating.audit.identities` checks those rows.

    Args:
        audited: The run.
        stored: Its files.
        size: How many hands.
        seed: Another seed is another sample.
        told: Hears of every hand.
    """
    log = audited.warehouse.cursor()
    said = first_self_ratings(log, audited.seen)
    seen = {"hand_watermark": audited.seen.hand, "correction_watermark": audited.seen.correction}
    rows = audited.records("sample_hands", sample=size, seed=str(seed), **seen)
    hands = list(read_log(log, audited.seen, [row["hand_id"] for row in rows]))
    owners = accounts(audited, stored)
    slots = {account: slot for slot, account in enumerate(owners)}
    tables = {hand.hand_key: [slots[account] for account in _people(audited, hand)] for hand in hands}
    found = dict(_stored_hands(stored, tables))
    for hand in hands:
        difference = _check(audited, hand, said, found.get(hand.hand_key), owners)
        if difference is not None:
            return difference
        told(1)
    return None


def _people(audited: AuditedRun, hand: LoggedHand) -> list[Account]:
    fold = SlowFold(audited.parameters, {})
    return [fold.account(hand, seat) for seat in hand.seats if seat.player is not None]


def _check(
    audited: AuditedRun,
    hand: LoggedHand,
    said: Mapping[str, str],
    stored: StoredHand | None,
    owners: list[Account],
) -> Difference | None:
    counting = [seat for seat in hand.seats if counts_for(hand, seat)]
    if stored is None or not counting:
        return difference_of(hand.hand_id, "hand", {"rated": bool(counting)}, {"rated": stored is not None})
    fold = SlowFold(audited.parameters, said)
    for slot, (rating, hands) in stored.before.items():
        fold.numbers[owners[slot]] = Numbers(rating, rating, np.empty(0), hands=hands)
    for side, view in enumerate(fold.views(hand)):
        due: dict[str, Any] = {"rating": view.side_rating, "expected": view.expected, "actual": view.actual}
        found = stored.sides[side] if side < len(stored.sides) else None
        difference = difference_of(hand.hand_id, f"side {side}", due, found)
        if difference is not None:
            return difference
    is_held = audited.parameters.stand_in.held_hands == "on_return"
    rated = [seat for seat in counting if seat.kind == "human" or not is_held]
    steps = {seat.player: fold.k_of(hand, seat) for seat in rated}
    found_steps = {owners[slot].player: k for slot, k in stored.steps.items()}
    return difference_of(hand.hand_id, "players and their K", {"K": steps}, {"K": found_steps})


def _stored_hands(stored: StoredRun, tables: Mapping[int, list[int]]) -> Iterator[tuple[int, StoredHand]]:
    """Walk a run's files and yield what is stored of some hands, by key.

    Args:
        stored: The files.
        tables: The slots at each hand's table.
    """
    rating, hands = np.array(stored.slots.start_rating), np.zeros(stored.slots.pool.size, np.int64)
    wanted = np.fromiter(tables, np.int64, len(tables))
    for part in stored:
        side_keys = ints(part.side, "hand_key")[:, 0]
        change = ints(part.change, "hand_key", "applied_key", "slot", "hands")
        numbers = floats(part.change, "rating", "k_factor")
        order = _Order(side_keys, change)
        for key in np.intersect1d(side_keys, wanted).tolist():
            at = order.first_own_change(key)
            before = {}
            for slot in tables[key]:
                earlier = np.flatnonzero(change[:at, 2] == slot)
                if earlier.size:
                    before[slot] = (float(numbers[earlier[-1], 0]), int(change[earlier[-1], 3]))
                elif hands[slot]:
                    before[slot] = (float(rating[slot]), int(hands[slot]))
            own = np.flatnonzero((change[at:, 0] == key) & (change[at:, 1] == 0)) + at
            steps = {int(change[row, 2]): float(numbers[row, 1]) for row in own}
            yield key, StoredHand(_sides(part, side_keys, key), before, steps)
        rating[change[:, 2]], hands[change[:, 2]] = numbers[:, 0], change[:, 3]


class _Order:
    """Where in a part's changes each of its hands begins; changes stand in the order of rating."""

    def __init__(self, side_keys: IntArray, change: IntArray) -> None:
        is_new = np.diff(side_keys, prepend=0) != 0  # keys count from 1
        self._place = {key: place for place, key in enumerate(side_keys[is_new].tolist())}
        is_held = change[:, 1] != 0
        moment = np.where(is_held, change[:, 1], change[:, 0])
        # Twice the hand's place, and one more for its own changes: what was held comes first.
        places = [self._place[key] for key in moment.tolist()]
        self._steps: IntArray = 2 * np.array(places, np.int64) + ~is_held

    def first_own_change(self, key: int) -> int:
        """Return the first change that comes after what was held and applied at a hand's start."""
        return int(np.searchsorted(self._steps, 2 * self._place[key] + 1))


def _sides(part: StoredPart, side_keys: IntArray, key: int) -> list[dict[str, float]]:
    rows = np.flatnonzero(side_keys == key).tolist()
    return part.side.slice(rows[0], len(rows)).select(["rating", "expected", "actual"]).to_pylist()
