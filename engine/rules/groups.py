"""What a single group may be, on its own and on the meld that it joins (M-meld, M-dead, S-meld)."""

from __future__ import annotations

from typing import Final

from engine.cards import ACE, SEVEN
from engine.clauses import Clause
from engine.kernel import kernel
from engine.rules.counts import is_dead, meld_size, melds_allowed, offset_laid, second_wilds
from engine.ruleset import Rules
from engine.state import (
    BLACK_MELD,
    JOKERS,
    NATURALS,
    NUMBER,
    OPENED,
    SLOTS,
    TWOS,
    WILD_MELD,
    Action,
    State,
)

#: A pair and a wild as a new meld, which only a player who goes out this turn may lay.
ONLY_GOING_OUT: Final = -1


# M-meld, S-meld: a side's second meld of a rank, where the table allows one, follows the first; a second wild
# meld follows a closed one.
@kernel
def _check_number(rules: Rules, hand: State, side: int, slot: int, number: int) -> int:
    if melds_allowed(rules, slot) == 1:
        if rules.modern == 1:
            return Clause.M_WILD_SECOND if slot == WILD_MELD else Clause.M_MELD_SECOND
        return Clause.S_MELD_WILD_MELD if slot == WILD_MELD else Clause.S_MELD_SECOND
    before = meld_size(hand, side, slot + SLOTS * (number - 1))
    if before == 0:
        return Clause.MELD_NUMBER
    if slot == WILD_MELD and before < rules.canasta_cards:
        return Clause.M_WILD_UNFINISHED
    return 0


# M-meld: wild melds of 3 to 7, one a side, closed or not, or another once it is closed.
@kernel
def _modern_wild_meld(rules: Rules, hand: State, side: int, action: Action) -> int:
    before = meld_size(hand, side, WILD_MELD + offset_laid(action))
    if before >= rules.largest_meld and rules.most_melds == 1:
        return Clause.M_WILD_SECOND
    if action.laid[WILD_MELD, NATURALS] > 0:
        return Clause.M_MELD_NATURALS
    after = before + action.laid[WILD_MELD, TWOS] + action.laid[WILD_MELD, JOKERS]
    if after < 3 or after > rules.largest_meld:
        return Clause.M_MELD_SIZE
    return 0


# M-meld: where the wilds of a group may go.
@kernel
def _modern_wilds(rules: Rules, hand: State, side: int, slot: int, action: Action, naturals: int) -> int:
    if slot == SEVEN:
        return Clause.M_MELD_SEVENS
    wild_meld = meld_size(hand, side, WILD_MELD)
    wild_meld += action.laid[WILD_MELD, TWOS] + action.laid[WILD_MELD, JOKERS]
    if 0 < wild_meld < rules.canasta_cards or second_wilds(rules, hand.meld[side]) > 0:
        return Clause.M_WILD_UNFINISHED
    if hand.side[side, OPENED] == 0:
        return 0
    before = hand.meld[side, slot, TWOS] + hand.meld[side, slot, JOKERS]
    if slot == ACE and (before == 0 or rules.mixed_aces_take_wilds == 0):
        return Clause.M_MELD_ACES
    if rules.five_natural_rule == 0 or naturals >= rules.naturals_before_wilds:
        return 0
    new = meld_size(hand, side, slot) == 0
    # Where sources are silent: the pair and its wild come down in one action, not by way of the pile.
    if rules.pair_and_wild_out == 1 and new and action.laid[slot, NATURALS] == 2 and naturals == 2:
        added = action.laid[slot, TWOS] + action.laid[slot, JOKERS]
        if added == 1:
            return ONLY_GOING_OUT
    return Clause.M_MELD_FIVE


# M-meld: 3 to 7 cards of a rank, two naturals, at most two wilds. M-dead: not of a dead rank.
@kernel
def _modern_group(rules: Rules, hand: State, side: int, slot: int, action: Action, top: int) -> int:
    if slot == BLACK_MELD:
        return Clause.M_THREE_MELD
    if is_dead(rules, hand, slot):
        return Clause.M_DEAD
    added = action.laid[slot, TWOS] + action.laid[slot, JOKERS]
    naturals = hand.meld[side, slot, NATURALS] + action.laid[slot, NATURALS] + top
    wilds = hand.meld[side, slot, TWOS] + hand.meld[side, slot, JOKERS] + added
    if naturals < 2:
        return Clause.M_MELD_NATURALS
    if naturals + wilds < 3 or naturals + wilds > rules.largest_meld:
        return Clause.M_MELD_SIZE
    if wilds > rules.most_wilds:
        return Clause.M_MELD_WILDS
    if added == 0:
        return 0
    return _modern_wilds(rules, hand, side, slot, action, naturals)


# S-threes: black 3s, three or four, no wild, only on the turn that goes out; the fourth may follow the three.
@kernel
def _black_group(rules: Rules, hand: State, side: int, action: Action) -> int:
    if rules.black_three_melds == 0:
        return Clause.S_BLACK_NEVER
    wilds = action.laid[BLACK_MELD, TWOS] + action.laid[BLACK_MELD, JOKERS]
    naturals = meld_size(hand, side, BLACK_MELD) + action.laid[BLACK_MELD, NATURALS]
    if wilds > 0 or naturals < 3 or naturals > 4:
        return Clause.S_BLACK_MELD
    return ONLY_GOING_OUT


# S-meld: three or more of a rank, two naturals, at most three wilds.
@kernel
def _classic_group(rules: Rules, hand: State, side: int, slot: int, action: Action, top: int) -> int:
    if slot == WILD_MELD:
        return Clause.S_MELD_WILD_MELD
    if slot == BLACK_MELD:
        return _black_group(rules, hand, side, action)
    place = slot + offset_laid(action)
    naturals = hand.meld[side, place, NATURALS] + action.laid[slot, NATURALS] + top
    wilds = hand.meld[side, place, TWOS] + hand.meld[side, place, JOKERS]
    wilds += action.laid[slot, TWOS] + action.laid[slot, JOKERS]
    if naturals < 2:
        return Clause.S_MELD_NATURALS
    if naturals + wilds < 3:
        return Clause.S_MELD_SIZE
    if wilds > rules.most_wilds:
        return Clause.S_MELD_WILDS
    return 0


@kernel
def check_group(rules: Rules, hand: State, side: int, slot: int, action: Action, top: int) -> int:
    """Check one group of an action against the side's meld that it joins or begins.

    Args:
        rules: The rule set.
        hand: The position.
        side: The side that melds.
        slot: The slot of the group.
        action: The action; only its `slot` matters here, and its other groups for the wild meld.
        top: 1 if the pile's top card joins this group, else 0.

    Returns:
        0, a clause code, or `ONLY_GOING_OUT`.
    """
    if action.what[NUMBER] > 0:
        code = _check_number(rules, hand, side, slot, action.what[NUMBER])
        if code != 0:
            return code
    if rules.modern == 1:
        if slot == WILD_MELD:
            return _modern_wild_meld(rules, hand, side, action)
        return _modern_group(rules, hand, side, slot, action, top)
    return _classic_group(rules, hand, side, slot, action, top)
