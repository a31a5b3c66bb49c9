"""The fold: hands in their total order through the rules, one player's numbers after the other.

The caller cuts the order of hands into blocks as it likes: the state that a block leaves is what the next one
starts from, so the cuts change no bit of any number.
"""

from __future__ import annotations

from engine.jit import inlined, lean
from rating.elo import FloatArray, IntArray, k_factor
from rating.layout import (
    APPLIED_KEY,
    AT_KEY,
    CHANGES,
    FINISHED,
    FOLLOWING,
    GAME,
    HANDS,
    HELD,
    HELD_GAME,
    HELD_KEY,
    HELD_SIDE,
    HELD_SLOT,
    HUMAN,
    IS_SOLO,
    KEY,
    KIND,
    NONE,
    OF_SLOT,
    ON_SIDE,
    RATED,
    SIDE,
    SIDE_KEY,
    SIDE_NUMBER,
    SIDE_RATING,
    SIDES,
    SLOT,
    STAND_IN,
    Hands,
    Held,
    History,
    K,
    State,
)
from rating.rules import Rules
from rating.steps import (
    apply_change,
    counts_for,
    enter_changes,
    is_counted,
    people_at,
    score_sides,
    seats_of,
    side_rating,
    sides_of,
    surprise,
)


@lean
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


@lean
def hold_absent(
    hands: Hands, hand: int, people: int, held: Held, side_numbers: FloatArray, side_row: int, item: int
) -> int:
    """Keep the changes of everybody who left a hand that counts for them; return the next free item."""
    for seat in seats_of(hands, hand):
        kind, side = hands.seat[seat, KIND], hands.seat[seat, SIDE]
        if kind == STAND_IN and counts_for(hands.hand[hand, IS_SOLO], kind, people):
            held.item[item, HELD_KEY] = hands.hand[hand, KEY]
            held.item[item, HELD_GAME] = hands.hand[hand, GAME]
            held.item[item, HELD_SLOT], held.item[item, HELD_SIDE] = hands.seat[seat, SLOT], side
            held.surprise[item] = surprise(side_numbers, side_row + side)
            link(held, item)
            item += 1
    return item


@lean
def apply_held(
    state: State, rules: Rules, held: Held, history: History, filled: IntArray, slot: int, game: int, key: int
) -> None:
    """Apply what is held for a person who came back to a game, in order.

    "If you leave and the computer plays your seat, those hands still count when you come back." A held change
    uses the person's own K of this moment and never finishes a game.
    """
    change, change_numbers, _, _ = history
    item, before = held.first[game], NONE
    while item != NONE:
        following = held.item[item, FOLLOWING]
        if held.item[item, HELD_SLOT] == slot:
            row = filled[CHANGES]
            filled[CHANGES] += 1
            change[AT_KEY, row], change[APPLIED_KEY, row] = held.item[item, HELD_KEY], key
            change[OF_SLOT, row], change[ON_SIDE, row] = slot, held.item[item, HELD_SIDE]
            change[FINISHED, row] = 0
            change_numbers[K, row] = k_factor(state.counts[slot, HANDS], rules.k_steps)
            apply_change(state, rules, history, row, held.surprise[item])
            held.item[item, HELD_SLOT] = NONE
            if before == NONE:
                held.first[game] = following
            else:
                held.item[before, FOLLOWING] = following
        else:
            before = item
        item = following


@lean
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
    for seat in seats_of(hands, hand):
        kind = hands.seat[seat, KIND]
        if kind == HUMAN and counts_for(hands.hand[hand, IS_SOLO], kind, people):
            key, game = hands.hand[hand, KEY], hands.hand[hand, GAME]
            apply_held(state, rules, held, history, filled, hands.seat[seat, SLOT], game, key)


@inlined
def rate_hand(
    state: State,
    rules: Rules,
    hands: Hands,
    hand: int,
    people: int,
    held: Held,
    history: History,
    filled: IntArray,
) -> None:
    """Rate a hand that counts: what the sides were worth and scored, then everybody whom it rates at once."""
    change, _, side_rows, side_numbers = history
    side_row, sides = filled[SIDES], sides_of(hands, hand)
    for side in range(sides):
        side_rows[SIDE_KEY, side_row + side] = hands.hand[hand, KEY]
        side_rows[SIDE_NUMBER, side_row + side] = side
        side_numbers[SIDE_RATING, side_row + side] = side_rating(state, rules, hands, hand, side)
    score_sides(rules, hands, hand, side_numbers, side_row)
    if hands.hand[hand, GAME] != NONE and rules.is_held == 1:
        filled[HELD] = hold_absent(hands, hand, people, held, side_numbers, side_row, filled[HELD])
    row = filled[CHANGES]
    filled[CHANGES] = enter_changes(state, rules, hands, hand, people, history, row)
    for at in range(row, filled[CHANGES]):
        apply_change(state, rules, history, at, surprise(side_numbers, side_row + change[ON_SIDE, at]))
    filled[RATED] += 1
    filled[SIDES] += sides


@lean
def fold_block(
    state: State,
    rules: Rules,
    hands: Hands,
    held: Held,
    held_before: int,
    history: History,
    filled: IntArray,
) -> None:
    """Fold a block of hands into the state and write down what happened.

    Args:
        state: Changed in place.
        rules: The parameter set.
        hands: The block, in the total order.
        held: Room for what is held already, the first `held_before` items, and for each stand-in seat.
        held_before: Items held from earlier blocks.
        history: Room for a change of each held item and each owned seat, and for each side.
        filled: [4] receives how many hands were rated and how much of history and held list is filled, as
            `RATED`, `CHANGES`, `SIDES`, `HELD`.
    """
    filled[:] = 0
    filled[HELD] = held_before
    held.first[:] = NONE
    for item in range(held_before):
        link(held, item)
    for hand in range(hands.hand.shape[0] - 1):
        people = people_at(hands, hand)
        if is_counted(hands, hand, people):
            game = hands.hand[hand, GAME]
            if game != NONE and held.first[game] != NONE:
                apply_returns(state, rules, hands, hand, people, held, history, filled)
            rate_hand(state, rules, hands, hand, people, held, history, filled)
