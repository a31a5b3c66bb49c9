"""Put rows that came in any order at their places in the fold's arrays."""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.jit import lean
from rating.elo import FloatArray, IntArray
from rating.layout import FIRST_SEAT, FIRST_SIDE, KIND, NONE, SIDE

#: How `block_seats.sql` packs a seat into one number.
_BITS: Final = 4
_MASK: Final = 15


@lean
def count_rows(keys: IntArray, place: IntArray, least: int, hand: IntArray, column: int) -> None:
    """Write where each hand's rows begin into a column of `hand`.

    Args:
        keys: Each row's hand key.
        place: The place of the hand with key `least` + i, `NONE` for a hand that is not of the block.
        least: The least key.
        hand: The fold's hands, a row more than there are hands.
        column: `FIRST_SEAT` or `FIRST_SIDE`.
    """
    hand[:, column] = 0
    for row in range(keys.size):
        at = place[keys[row] - least]
        if at != NONE:
            hand[at + 1, column] += 1
    for at in range(1, hand.shape[0]):
        hand[at, column] += hand[at - 1, column]


@lean
def place_seats(
    keys: IntArray,
    packed: IntArray,
    place: IntArray,
    least: int,
    hand: IntArray,
    pool: IntArray,
    computer_of_pool: FloatArray,
    seat: IntArray,
    computer_rating: FloatArray,
    owner: IntArray,
) -> None:
    """Fill in the seats, and whose each is as `SlotBook` numbers them.

    Args:
        keys: Each row's hand key.
        packed: Each row's seat, side, kind, skill and player, as `block_seats.sql` packs them.
        place: As in `count_rows`.
        least: The least key.
        hand: The fold's hands, with `FIRST_SEAT`.
        pool: Pool, by hand.
        computer_of_pool: What a computer counts as, rating points, by pool and skill.
        seat: The fold's seats; `SIDE` and `KIND` are filled in.
        computer_rating: Of the fold, by seat.
        owner: Pool and player, by seat; `NONE` for nobody's.
    """
    for row in range(keys.size):
        at = place[keys[row] - least]
        if at != NONE:
            bits = packed[row]
            to = hand[at, FIRST_SEAT] + (bits & _MASK)
            seat[to, SIDE] = (bits >> _BITS) & _MASK
            seat[to, KIND] = (bits >> 2 * _BITS) & _MASK
            computer_rating[to] = computer_of_pool[pool[at], (bits >> 3 * _BITS) & _MASK]
            player = bits >> 4 * _BITS
            owner[to] = NONE if player == 0 else (pool[at] << 32) | player


@lean
def place_points(
    keys: IntArray,
    side: IntArray,
    value: IntArray,
    place: IntArray,
    least: int,
    hand: IntArray,
    points: IntArray,
) -> None:
    """Fill in the sides' points."""
    for row in range(keys.size):
        at = place[keys[row] - least]
        if at != NONE:
            points[hand[at, FIRST_SIDE] + side[row]] = value[row]


def places(keys: IntArray, least: int) -> IntArray:
    """Return the place of each key from `least` on, `NONE` between the keys."""
    place = np.full(int(keys.max(initial=least)) - least + 1, NONE, np.int64)
    place[keys - least] = np.arange(keys.size)
    return place
