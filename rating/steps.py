"""The steps of rating one hand: who counts, what sides are worth, whose K, what a change does to a player.

They are inlined into the fold and take the arrays that they use: numba counts references to every array that
is handed over, and at millions of hands a second that costs.
"""

from __future__ import annotations

import numpy as np

from engine.jit import inlined, lean
from rating.elo import MEAN_K, OWN_K, FloatArray, IntArray, actual_score, expected_score, k_factor
from rating.form import WINDOW, ema_form, window_form
from rating.layout import (
    ACTUAL,
    APPLIED_KEY,
    AT_KEY,
    COMPUTER,
    EVENT,
    EXPECTED,
    FINISHED,
    FORM,
    FORM_AFTER,
    GAMES,
    GAMES_AFTER,
    HANDS,
    HANDS_AFTER,
    HUMAN,
    KIND,
    LAST_KEY,
    LEVEL,
    LEVEL_AFTER,
    MOVED_AT,
    OF_SLOT,
    ON_SIDE,
    PEAK,
    PREVIOUS,
    RATING,
    RATING_AFTER,
    RECENT,
    SIDE,
    SIDE_RATING,
    SINCE_MOVE,
    SLOT,
    STAND_IN,
    K,
)
from rating.levels import NO_EVENT, PLACED, PROMOTED, level_after, level_event


@inlined
def counts_for(is_solo: int, kind: int, people: int) -> bool:
    """Say whether a hand counts for the owner of a seat.

    "Live hands with at least one other person at the table"; solo, every hand.

    Args:
        is_solo: 1 in solo mode.
        kind: The seat's kind.
        people: Seats of the hand that a person played to its end.
    """
    if kind == COMPUTER:
        return False
    return bool(is_solo == 1 or people >= (2 if kind == HUMAN else 1))


@inlined
def people_at(seats: IntArray, begin: int, end: int) -> int:
    """Count the seats that a person played to the end of the hand."""
    people = 0
    for seat in range(begin, end):
        people += int(seats[seat, KIND] == HUMAN)
    return people


@inlined
def is_counted(seats: IntArray, begin: int, end: int, is_solo: int, people: int) -> bool:
    """Say whether a hand counts for anybody."""
    counting = 0
    for seat in range(begin, end):
        counting += int(counts_for(is_solo, seats[seat, KIND], people))
    return counting > 0


@inlined
def side_rating(
    numbers: FloatArray,
    is_stand_in_computer: int,
    seats: IntArray,
    computer_rating: FloatArray,
    begin: int,
    end: int,
    side: int,
) -> float:
    """Return a side's rating: "the average of its players"."""
    total, count = 0.0, 0
    for seat in range(begin, end):
        if seats[seat, SIDE] == side:
            kind = seats[seat, KIND]
            if kind == COMPUTER or (kind == STAND_IN and is_stand_in_computer == 1):
                total += computer_rating[seat]
            else:
                total += numbers[seats[seat, SLOT], RATING]
            count += 1
    return total / count


@inlined
def score_sides(
    ratings: FloatArray,
    points: IntArray,
    first: int,
    margin_scale: float,
    rating_scale: float,
    score_shape: int,
    row: int,
    sides: int,
) -> None:
    """Write each side's expected and actual score beside its rating, from row `row` on.

    Against several sides, both are the means over them. The hand's points begin at `first`.
    """
    for side in range(sides):
        expected, actual = 0.0, 0.0
        for other in range(sides):
            if other != side:
                margin = float(points[first + side] - points[first + other])
                expected += expected_score(
                    ratings[row + side, SIDE_RATING], ratings[row + other, SIDE_RATING], rating_scale
                )
                actual += actual_score(margin, margin_scale, score_shape)
        ratings[row + side, EXPECTED] = expected / (sides - 1)
        ratings[row + side, ACTUAL] = actual / (sides - 1)


@inlined
def surprise(side_numbers: FloatArray, row: int) -> float:
    """Return a side's surprise: actual minus expected score."""
    return float(side_numbers[row, ACTUAL] - side_numbers[row, EXPECTED])


@lean
def shared_k(
    counts: IntArray,
    k_steps: FloatArray,
    partner_change: int,
    seats: IntArray,
    begin: int,
    end: int,
    side: int,
) -> float:
    """Return the mean or the least K of a side's human seats, as `partner_change` says, rating points."""
    total, least, count = 0.0, np.inf, 0
    for seat in range(begin, end):
        if seats[seat, SIDE] == side and seats[seat, KIND] == HUMAN:
            k = k_factor(counts[seats[seat, SLOT], HANDS], k_steps)
            total += k
            least = min(least, k)
            count += 1
    return total / count if partner_change == MEAN_K else least


@inlined
def apply_change(
    numbers: FloatArray,
    counts: IntArray,
    form_kind: int,
    form_hands: int,
    levels: FloatArray,
    change: IntArray,
    change_numbers: FloatArray,
    row: int,
    surprise: float,
) -> None:
    """Rate one player for one hand: Rating, then Form, then hands and games, then the level check.

    "After every hand your Rating moves": by K times surprise. Row `row` of the history says already whose
    change it is, the K, and whether a game is finished; the rest of it is written.
    """
    slot = change[row, OF_SLOT]
    rating = numbers[slot, RATING] + change_numbers[row, K] * surprise
    hands = counts[slot, HANDS] + 1
    games = counts[slot, GAMES] + change[row, FINISHED]
    form_before = numbers[slot, FORM]
    if form_kind == WINDOW:
        form = window_form(numbers[slot, RECENT:], hands, rating)
    else:
        form = ema_form(form_before, rating, form_hands)
    since_move = hands - counts[slot, MOVED_AT]
    level = counts[slot, LEVEL]
    event = level_event(levels, level, form_before, form, hands, games, since_move)
    if event != NO_EVENT:
        level = level_after(level, event)
        if event in (PLACED, PROMOTED):
            counts[slot, MOVED_AT] = hands
    numbers[slot, PREVIOUS], numbers[slot, RATING], numbers[slot, FORM] = numbers[slot, RATING], rating, form
    numbers[slot, PEAK] = max(numbers[slot, PEAK], rating)
    counts[slot, HANDS], counts[slot, GAMES], counts[slot, LEVEL] = hands, games, level
    applied = change[row, APPLIED_KEY]
    counts[slot, LAST_KEY] = applied if applied != 0 else change[row, AT_KEY]
    change_numbers[row, RATING_AFTER], change_numbers[row, FORM_AFTER] = rating, form
    change[row, HANDS_AFTER], change[row, GAMES_AFTER], change[row, LEVEL_AFTER] = hands, games, level
    change[row, EVENT], change[row, SINCE_MOVE] = event, since_move


@inlined
def enter_changes(
    counts: IntArray,
    k_steps: FloatArray,
    partner_change: int,
    is_held: int,
    seats: IntArray,
    begin: int,
    end: int,
    is_solo: int,
    people: int,
    key: int,
    is_over: int,
    change: IntArray,
    change_numbers: FloatArray,
    row: int,
) -> int:
    """Enter a change, with its K, for everybody whom a hand rates at once; return the next free row.

    Every K is the one before any change.
    """
    for seat in range(begin, end):
        kind, slot, side = seats[seat, KIND], seats[seat, SLOT], seats[seat, SIDE]
        if counts_for(is_solo, kind, people) and (kind == HUMAN or is_held == 0):
            change[row, AT_KEY], change[row, APPLIED_KEY] = key, 0
            change[row, OF_SLOT], change[row, ON_SIDE] = slot, side
            change[row, FINISHED] = is_over if kind == HUMAN else 0
            if partner_change == OWN_K or kind == STAND_IN:
                change_numbers[row, K] = k_factor(counts[slot, HANDS], k_steps)
            else:
                change_numbers[row, K] = shared_k(counts, k_steps, partner_change, seats, begin, end, side)
            row += 1
    return row
