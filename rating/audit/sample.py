"""Work a sample of hands out again by the slow path, each from what its players brought to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from rating.audit.audited import AuditedRun
from rating.audit.log import LoggedHand, first_self_ratings, read_log
from rating.audit.recompute import Difference, difference_of
from rating.audit.slow import Numbers, SlowFold, counts_for


def recompute_sample(
    audited: AuditedRun, size: int, seed: int, told: Callable[[int], None]
) -> Difference | None:
    """Check side ratings, scores, who is rated and each K of some hands; return the first difference.

    What the players brought is taken as stored: `rating.audit.identities` checks those rows.

    Args:
        audited: The run.
        size: How many hands.
        seed: Another seed is another sample.
        told: Hears of every hand.
    """
    log = audited.warehouse.cursor()
    said = first_self_ratings(log, audited.seen)
    seen = {"hand_watermark": audited.seen.hand, "correction_watermark": audited.seen.correction}
    for row in audited.records("sample_hands", sample=size, seed=str(seed), **seen):
        (hand,) = read_log(log, audited.seen, row["hand_id"])
        difference = _check(audited, hand, said)
        if difference is not None:
            return difference
        told(1)
    return None


def _check(audited: AuditedRun, hand: LoggedHand, said: Mapping[str, str]) -> Difference | None:
    fold = SlowFold(audited.parameters, said)
    slots = _take_numbers(audited, fold, hand)
    counting = [seat for seat in hand.seats if counts_for(hand, seat)]
    stored = audited.records("table_sides", hand_key=hand.hand_key)
    if not counting:
        return difference_of(hand.hand_id, "hand", {"rated": False}, {"rated": bool(stored)})
    for side, view in enumerate(fold.views(hand)):
        due: dict[str, Any] = {"rating": view.side_rating, "expected": view.expected, "actual": view.actual}
        found = stored[side] if side < len(stored) else None
        difference = difference_of(hand.hand_id, f"side {side}", due, found)
        if difference is not None:
            return difference
    is_held = audited.parameters.stand_in.held_hands == "on_return"
    steps = {seat.player: fold.k_of(hand, seat) for seat in counting if seat.kind == "human" or not is_held}
    rows = audited.records("table_changes", slots=list(slots.values()), hand_key=hand.hand_key)
    found_steps = {row["player"]: row["k_factor"] for row in rows}
    return difference_of(hand.hand_id, "players and their K", {"K": steps}, {"K": found_steps})


def _take_numbers(audited: AuditedRun, fold: SlowFold, hand: LoggedHand) -> dict[str, int]:
    """Give the fold what the table's players brought; return their slots."""
    accounts = {seat.player: fold.account(hand, seat) for seat in hand.seats if seat.player is not None}
    device = hand.device if hand.mode == "solo" else ""
    rows = audited.records("slots", pool=hand.pool, device=device, players=list(accounts))
    slots = {row["player"]: row["slot"] for row in rows}
    players = {slot: player for player, slot in slots.items()}
    for row in audited.records("numbers_before", slots=list(players), hand_key=hand.hand_key):
        if row["hands"] == 0:
            continue  # the fold starts them itself
        numbers = Numbers(row["rating"], row["rating"], np.empty(0), hands=row["hands"])
        fold.numbers[accounts[players[row["slot"]]]] = numbers
    return slots
