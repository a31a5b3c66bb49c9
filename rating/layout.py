"""The fold's arrays: few and wide, int64 and float64 only.

A row is a thing and a named column a fact; in the history, which is stored by facts, a row is a fact.
A *slot* is one player's numbers in one pool: in live pools a player, in solo pools a player on a device.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from rating.elo import FloatArray, IntArray
from rating.levels import NO_LEVEL

#: Codes of a seat's kind.
SEAT_KINDS: Final = ("human", "stand_in", "computer")
HUMAN, STAND_IN, COMPUTER = range(3)
#: The slot of a seat that nobody owns, the game of a hand that nobody left, the end of a list.
NONE: Final = -1


class State(NamedTuple):
    """Every slot's numbers after the hands so far, a row a slot.

    Attributes:
        numbers: Columns `RATING`, `FORM`, `PREVIOUS` (the Rating before the last change), `PEAK` (the highest
            after a hand, minus infinity before the first), all in rating points; behind them, when Form is a
            window, the last Ratings as a ring.
        counts: Columns `HANDS`, `GAMES`, `LEVEL` (`NO_LEVEL` before placing), `MOVED_AT` (hands at the last
            placing or promotion), `LAST_KEY` (the hand at which the last change was applied, 0 before).
    """

    numbers: FloatArray
    counts: IntArray


RATING, FORM, PREVIOUS, PEAK = range(4)
RECENT: Final = 4
HANDS, GAMES, LEVEL, MOVED_AT, LAST_KEY = range(5)


class Hands(NamedTuple):
    """A block of hands in order, with their seats and sides in their own order.

    Attributes:
        hand: A row a hand and one more: `KEY`, `IS_SOLO`, `IS_OVER` (the game's last), `GAME` (its number
            among the games that somebody left, else `NONE`), `FIRST_SEAT`, `FIRST_SIDE` (where its seats and
            sides begin).
        margin_scale: Points, by hand.
        seat: A row a seat: `SLOT` (`NONE` for a computer), `SIDE`, `KIND`.
        computer_rating: What the seat counts as when a computer plays it, rating points, by seat.
        points: Canasta totals, by side.
    """

    hand: IntArray
    margin_scale: FloatArray
    seat: IntArray
    computer_rating: FloatArray
    points: IntArray


KEY, IS_SOLO, IS_OVER, GAME, FIRST_SEAT, FIRST_SIDE = range(6)
SLOT, SIDE, KIND = range(3)


class Held(NamedTuple):
    """Changes of people who left, in order of their hands.

    Attributes:
        item: A row a change: `HELD_KEY`, `HELD_SLOT` (`NONE` once applied), `HELD_SIDE`, `HELD_GAME`,
            `FOLLOWING` (the next item of the same game, else `NONE`).
        surprise: The side's, when the hand was played, by item.
        first: The first item of each game, else `NONE`.
    """

    item: IntArray
    surprise: FloatArray
    first: IntArray


HELD_KEY, HELD_SLOT, HELD_SIDE, HELD_GAME, FOLLOWING = range(5)


class History(NamedTuple):
    """What a block writes down, in order: a column a change, and a column a side of a rated hand.

    A fact is a row, in one piece, as it is stored.

    Attributes:
        change: `AT_KEY` (the hand), `APPLIED_KEY` (the hand at whose start a held change was applied, else
            0), `OF_SLOT`, `ON_SIDE`; after the hand `HANDS_AFTER`, `GAMES_AFTER`, `LEVEL_AFTER`; `EVENT`,
            `SINCE_MOVE` (rated hands since the last placing or promotion before the event), `FINISHED` (1
            when the hand finishes a game for the player).
        change_numbers: `RATING_AFTER`, `FORM_AFTER`, `K`, rating points.
        side: `SIDE_KEY` (the hand), `SIDE_NUMBER`.
        side_numbers: `SIDE_RATING` in rating points, `EXPECTED`, `ACTUAL`.
    """

    change: IntArray
    change_numbers: FloatArray
    side: IntArray
    side_numbers: FloatArray


AT_KEY, APPLIED_KEY, OF_SLOT, ON_SIDE, HANDS_AFTER, GAMES_AFTER, LEVEL_AFTER, EVENT, SINCE_MOVE, FINISHED = (
    range(10)
)
RATING_AFTER, FORM_AFTER, K = range(3)
SIDE_KEY, SIDE_NUMBER = range(2)
SIDE_RATING, EXPECTED, ACTUAL = range(3)

#: What `fold_block` counts, in its order.
RATED, CHANGES, SIDES, HELD = range(4)


def new_state(start_ratings: FloatArray, ring_size: int) -> State:
    """Return the state of slots that have played nothing.

    Args:
        start_ratings: Rating and Form of each slot, rating points.
        ring_size: Ratings to remember for a Form that is a window, else 0.
    """
    numbers = np.zeros((len(start_ratings), RECENT + ring_size))
    numbers[:, RATING] = numbers[:, FORM] = numbers[:, PREVIOUS] = start_ratings
    numbers[:, PEAK] = -np.inf
    counts = np.zeros((len(start_ratings), 5), np.int64)
    counts[:, LEVEL] = NO_LEVEL
    return State(numbers, counts)


def new_history(changes: int, sides: int) -> History:
    """Return room for so many changes and sides."""
    return History(
        np.empty((10, changes), np.int64),
        np.empty((3, changes)),
        np.empty((2, sides), np.int64),
        np.empty((3, sides)),
    )


def new_held(items: int, games: int) -> Held:
    """Return room for so many held changes of so many games."""
    return Held(np.empty((items, 5), np.int64), np.empty(items), np.empty(games, np.int64))
