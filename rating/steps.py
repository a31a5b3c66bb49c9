"""The steps of rating one hand: who counts, what sides are worth, whose K, what a change does to a player.

Each takes the block and the hand's place in it, and reads of them what it needs.
"""

from __future__ import annotations

import numpy as np

from engine.jit import inlined, lean
from rating.elo import MEAN_K, OWN_K, FloatArray, actual_score, expected_score, k_factor
from rating.form import WINDOW, ema_form, window_form
from rating.layout import (
    ACTUAL,
    APPLIED_KEY,
    AT_KEY,
    COMPUTER,
    EVENT,
    EXPECTED,
    FINISHED,
    FIRST_SEAT,
    FIRST_SIDE,
    FORM,
    FORM_AFTER,
    GAMES,
    GAMES_AFTER,
    HANDS,
    HANDS_AFTER,
    HUMAN,
    IS_OVER,
    IS_SOLO,
    KEY,
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
    Hands,
    History,
    K,
    State,
)
from rating.levels import NO_EVENT, PLACED, PROMOTED, level_after, level_event
from rating.rules import Rules


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
def seats_of(hands: Hands, hand: int) -> range:
    """Return the rows of a hand's seats."""
    return range(hands.hand[hand, FIRST_SEAT], hands.hand[hand + 1, FIRST_SEAT])


@inlined
def sides_of(hands: Hands, hand: int) -> int:
    """Count a hand's sides."""
    return int(hands.hand[hand + 1, FIRST_SIDE] - hands.hand[hand, FIRST_SIDE])


@inlined
def people_at(hands: Hands, hand: int) -> int:
    """Count the seats that a person played to the end of the hand."""
    people = 0
    for seat in seats_of(hands, hand):
        people += int(hands.seat[seat, KIND] == HUMAN)
    return people


@inlined
def is_counted(hands: Hands, hand: int, people: int) -> bool:
    """Say whether a hand counts for anybody."""
    counting = 0
    for seat in seats_of(hands, hand):
        counting += int(counts_for(hands.hand[hand, IS_SOLO], hands.seat[seat, KIND], people))
    return counting > 0


@inlined
def side_rating(state: State, rules: Rules, hands: Hands, hand: int, side: int) -> float:
    """Return a side's rating: "the average of its players"."""
    total, count = 0.0, 0
    for seat in seats_of(hands, hand):
        if hands.seat[seat, SIDE] == side:
            kind = hands.seat[seat, KIND]
            if kind == COMPUTER or (kind == STAND_IN and rules.is_stand_in_computer == 1):
                total += hands.computer_rating[seat]
            else:
                total += state.numbers[hands.seat[seat, SLOT], RATING]
            count += 1
    return total / count


@inlined
def score_sides(rules: Rules, hands: Hands, hand: int, ratings: FloatArray, row: int) -> None:
    """Write each side's expected and actual score beside its rating, from row `row` on.

    Against several sides, both are the means over them.
    """
    sides, first = sides_of(hands, hand), hands.hand[hand, FIRST_SIDE]
    for side in range(sides):
        expected, actual = 0.0, 0.0
        for other in range(sides):
            if other != side:
                margin = float(hands.points[first + side] - hands.points[first + other])
                expected += expected_score(
                    ratings[SIDE_RATING, row + side], ratings[SIDE_RATING, row + other], rules.rating_scale
                )
                actual += actual_score(margin, hands.margin_scale[hand], rules.score_shape)
        ratings[EXPECTED, row + side] = expected / (sides - 1)
        ratings[ACTUAL, row + side] = actual / (sides - 1)


@inlined
def surprise(side_numbers: FloatArray, row: int) -> float:
    """Return a side's surprise: actual minus expected score."""
    return float(side_numbers[ACTUAL, row] - side_numbers[EXPECTED, row])


@lean
def shared_k(state: State, rules: Rules, hands: Hands, hand: int, side: int) -> float:
    """Return the mean or the least K of a side's human seats, as `partner_change` says, rating points."""
    total, least, count = 0.0, np.inf, 0
    for seat in seats_of(hands, hand):
        if hands.seat[seat, SIDE] == side and hands.seat[seat, KIND] == HUMAN:
            k = k_factor(state.counts[hands.seat[seat, SLOT], HANDS], rules.k_steps)
            total += k
            least = min(least, k)
            count += 1
    return total / count if rules.partner_change == MEAN_K else least


@inlined
def apply_change(state: State, rules: Rules, history: History, row: int, surprise: float) -> None:
    """Rate one player for one hand: Rating, then Form, then hands and games, then the level check.

    "After every hand your Rating moves": by K times surprise. Row `row` of the history says already whose
    change it is, the K, and whether a game is finished; the rest of it is written.
    """
    numbers, counts = state
    change, change_numbers, _, _ = history
    slot = change[OF_SLOT, row]
    rating = numbers[slot, RATING] + change_numbers[K, row] * surprise
    hands = counts[slot, HANDS] + 1
    games = counts[slot, GAMES] + change[FINISHED, row]
    form_before = numbers[slot, FORM]
    if rules.form == WINDOW:
        form = window_form(numbers[slot, RECENT:], hands, rating)
    else:
        form = ema_form(form_before, rating, rules.form_hands)
    since_move = hands - counts[slot, MOVED_AT]
    level = counts[slot, LEVEL]
    event = level_event(rules.levels, level, form_before, form, hands, games, since_move)
    if event != NO_EVENT:
        level = level_after(level, event)
        if event in (PLACED, PROMOTED):
            counts[slot, MOVED_AT] = hands
    numbers[slot, PREVIOUS], numbers[slot, RATING], numbers[slot, FORM] = numbers[slot, RATING], rating, form
    numbers[slot, PEAK] = max(numbers[slot, PEAK], rating)
    counts[slot, HANDS], counts[slot, GAMES], counts[slot, LEVEL] = hands, games, level
    applied = change[APPLIED_KEY, row]
    counts[slot, LAST_KEY] = applied if applied != 0 else change[AT_KEY, row]
    change_numbers[RATING_AFTER, row], change_numbers[FORM_AFTER, row] = rating, form
    change[HANDS_AFTER, row], change[GAMES_AFTER, row], change[LEVEL_AFTER, row] = hands, games, level
    change[EVENT, row], change[SINCE_MOVE, row] = event, since_move


@inlined
def enter_changes(
    state: State, rules: Rules, hands: Hands, hand: int, people: int, history: History, row: int
) -> int:
    """Enter a change, with its K, for everybody whom a hand rates at once; return the next free row.

    Every K is the one before any change.
    """
    change, change_numbers, _, _ = history
    for seat in seats_of(hands, hand):
        kind, slot, side = hands.seat[seat, KIND], hands.seat[seat, SLOT], hands.seat[seat, SIDE]
        is_now = kind == HUMAN or rules.is_held == 0
        if is_now and counts_for(hands.hand[hand, IS_SOLO], kind, people):
            change[AT_KEY, row], change[APPLIED_KEY, row] = hands.hand[hand, KEY], 0
            change[OF_SLOT, row], change[ON_SIDE, row] = slot, side
            change[FINISHED, row] = hands.hand[hand, IS_OVER] if kind == HUMAN else 0
            if rules.partner_change == OWN_K or kind == STAND_IN:
                change_numbers[K, row] = k_factor(state.counts[slot, HANDS], rules.k_steps)
            else:
                change_numbers[K, row] = shared_k(state, rules, hands, hand, side)
            row += 1
    return row
