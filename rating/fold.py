"""The fold: hands in their total order through the rules, one player's numbers after the other.

The caller cuts the order of hands into blocks as it likes: the state that a block leaves is what the next one
starts from, so the cuts change no bit of any number. The small functions are inlined and take the arrays that
they use: numba counts references to every array handed over, and at millions of hands a second that costs.
"""

from __future__ import annotations

import numpy as np

from engine.jit import inlined, jit
from rating.elo import MEAN_K, OWN_K, FloatArray, IntArray, actual_score, expected_score, k_factor
from rating.form import WINDOW, ema_form, window_form
from rating.layout import (
    ACTUAL,
    APPLIED_KEY,
    AT_KEY,
    CHANGES,
    COMPUTER,
    EVENT,
    EXPECTED,
    FINISHED,
    FIRST_SEAT,
    FIRST_SIDE,
    FOLLOWING,
    FORM,
    FORM_AFTER,
    GAME,
    GAMES,
    GAMES_AFTER,
    HANDS,
    HANDS_AFTER,
    HELD,
    HELD_GAME,
    HELD_KEY,
    HELD_SIDE,
    HELD_SLOT,
    HUMAN,
    IS_OVER,
    IS_SOLO,
    KEY,
    KIND,
    LAST_KEY,
    LEVEL,
    LEVEL_AFTER,
    MOVED_AT,
    NONE,
    OF_SLOT,
    ON_SIDE,
    PEAK,
    PREVIOUS,
    RATED,
    RATING,
    RATING_AFTER,
    RECENT,
    SIDE,
    SIDE_KEY,
    SIDE_NUMBER,
    SIDE_RATING,
    SIDES,
    SINCE_MOVE,
    SLOT,
    STAND_IN,
    Hands,
    Held,
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


@jit
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


@jit
def link(held: Held, item: int) -> None:
    """Put an item at the end of its game's list."""
    held.item[item, FOLLOWING] = NONE
    game = held.item[item, HELD_GAME]
    last = held.first[game]
    if last == NONE:
        held.first[game] = item
        return
    while held.item[last, FOLLOWING] != NONE:
        last = held.item[last, FOLLOWING]
    held.item[last, FOLLOWING] = item


@jit
def hold_absent(
    hands: Hands, hand: int, people: int, held: Held, side_numbers: FloatArray, side_row: int, item: int
) -> int:
    """Keep the changes of everybody who left a hand that counts for them; return the next free item."""
    for seat in range(hands.hand[hand, FIRST_SEAT], hands.hand[hand + 1, FIRST_SEAT]):
        kind, side = hands.seat[seat, KIND], hands.seat[seat, SIDE]
        if kind == STAND_IN and counts_for(hands.hand[hand, IS_SOLO], kind, people):
            held.item[item, HELD_KEY], held.item[item, HELD_GAME] = (
                hands.hand[hand, KEY],
                hands.hand[hand, GAME],
            )
            held.item[item, HELD_SLOT], held.item[item, HELD_SIDE] = hands.seat[seat, SLOT], side
            held.surprise[item] = surprise(side_numbers, side_row + side)
            link(held, item)
            item += 1
    return item


@jit
def apply_held(
    state: State, rules: Rules, held: Held, history: History, filled: IntArray, slot: int, game: int, key: int
) -> None:
    """Apply what is held for a person who came back to a game, in order.

    "If you leave and the computer plays your seat, those hands still count when you come back." A held change
    uses the person's own K of this moment and never finishes a game.
    """
    numbers, counts = state
    change, change_numbers, _, _ = history
    item, before = held.first[game], NONE
    while item != NONE:
        following = held.item[item, FOLLOWING]
        if held.item[item, HELD_SLOT] == slot:
            row = filled[CHANGES]
            filled[CHANGES] += 1
            change[row, AT_KEY], change[row, APPLIED_KEY] = held.item[item, HELD_KEY], key
            change[row, OF_SLOT], change[row, ON_SIDE] = slot, held.item[item, HELD_SIDE]
            change[row, FINISHED] = 0
            change_numbers[row, K] = k_factor(counts[slot, HANDS], rules.k_steps)
            apply_change(
                numbers,
                counts,
                rules.form,
                rules.form_hands,
                rules.levels,
                change,
                change_numbers,
                row,
                held.surprise[item],
            )
            held.item[item, HELD_SLOT] = NONE
            if before == NONE:
                held.first[game] = following
            else:
                held.item[before, FOLLOWING] = following
        else:
            before = item
        item = following


@jit
def apply_returns(
    state: State,
    rules: Rules,
    hands: Hands,
    hand: int,
    people: int,
    held: Held,
    history: History,
    filled: IntArray,
) -> None:
    """Apply what is held for everybody who plays this hand of the game and for whom it counts."""
    for seat in range(hands.hand[hand, FIRST_SEAT], hands.hand[hand + 1, FIRST_SEAT]):
        kind = hands.seat[seat, KIND]
        if kind == HUMAN and counts_for(hands.hand[hand, IS_SOLO], kind, people):
            key, game = hands.hand[hand, KEY], hands.hand[hand, GAME]
            apply_held(state, rules, held, history, filled, hands.seat[seat, SLOT], game, key)


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


@jit
def fold_block(
    state: State, rules: Rules, hands: Hands, held: Held, held_before: int, history: History
) -> IntArray:
    """Fold a block of hands into the state and write down what happened.

    Args:
        state: Changed in place.
        rules: The parameter set.
        hands: The block, in the total order.
        held: Room for what is held already, the first `held_before` items, and for each stand-in seat.
        held_before: Items held from earlier blocks.
        history: Room for a change of each held item and each owned seat, and for each side.

    Returns:
        How many hands were rated and how much of history and held list is filled, as `RATED`, `CHANGES`,
        `SIDES`, `HELD`.
    """
    numbers, counts = state
    hand_rows, margin_scale, seats, computer_rating, points = hands
    change, change_numbers, side_rows, side_numbers = history
    k_steps, levels = rules.k_steps, rules.levels
    filled = np.zeros(4, np.int64)
    filled[HELD] = held_before
    held.first[:] = NONE
    for item in range(held_before):
        link(held, item)
    for hand in range(hand_rows.shape[0] - 1):
        begin, end = hand_rows[hand, FIRST_SEAT], hand_rows[hand + 1, FIRST_SEAT]
        key, is_solo, game = hand_rows[hand, KEY], hand_rows[hand, IS_SOLO], hand_rows[hand, GAME]
        people = people_at(seats, begin, end)
        if not is_counted(seats, begin, end, is_solo, people):
            continue
        if game != NONE and held.first[game] != NONE:
            apply_returns(state, rules, hands, hand, people, held, history, filled)
        side_row, first = filled[SIDES], hand_rows[hand, FIRST_SIDE]
        sides = hand_rows[hand + 1, FIRST_SIDE] - first
        for side in range(sides):
            side_rows[side_row + side, SIDE_KEY], side_rows[side_row + side, SIDE_NUMBER] = key, side
            side_numbers[side_row + side, SIDE_RATING] = side_rating(
                numbers, rules.is_stand_in_computer, seats, computer_rating, begin, end, side
            )
        score_sides(
            side_numbers,
            points,
            first,
            margin_scale[hand],
            rules.rating_scale,
            rules.score_shape,
            side_row,
            sides,
        )
        if game != NONE and rules.is_held == 1:
            filled[HELD] = hold_absent(hands, hand, people, held, side_numbers, side_row, filled[HELD])
        row = filled[CHANGES]
        filled[CHANGES] = enter_changes(
            counts,
            k_steps,
            rules.partner_change,
            rules.is_held,
            seats,
            begin,
            end,
            is_solo,
            people,
            key,
            hand_rows[hand, IS_OVER],
            change,
            change_numbers,
            row,
        )
        for at in range(row, filled[CHANGES]):
            side_surprise = surprise(side_numbers, side_row + change[at, ON_SIDE])
            apply_change(
                numbers,
                counts,
                rules.form,
                rules.form_hands,
                levels,
                change,
                change_numbers,
                at,
                side_surprise,
            )
        filled[RATED] += 1
        filled[SIDES] += sides
    return filled
