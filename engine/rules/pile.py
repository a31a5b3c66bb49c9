"""Taking the pile (M-pile, S-pile, P-pile)."""

from __future__ import annotations

from engine.cards import BLACK_THREE, HIDDEN, RANKS
from engine.clauses import Clause
from engine.kernel import kernel
from engine.rules.counts import (
    held,
    holds_laid,
    is_dead,
    laid_groups,
    laid_size,
    meld_size,
    offset_laid,
    side_of,
)
from engine.rules.groups import ONLY_GOING_OUT
from engine.rules.opening import check_groups, check_opening
from engine.rules.out import check_outlook
from engine.ruleset import Rules
from engine.state import (
    CARD,
    COUNT,
    FROZEN,
    JOKERS,
    NATURALS,
    OPENED,
    PILE,
    SEAT,
    TWOS,
    Action,
    State,
)


@kernel
def top_card(hand: State) -> int:
    """Return the kind of the pile's top card, or `HIDDEN` if there is no pile."""
    size = hand.turn[PILE]
    return hand.pile[size - 1] if size > 0 else HIDDEN


@kernel
def _check_classic_top(rules: Rules, top: int) -> int:
    if top < RANKS:
        return 0
    if rules.pile_with_one_wild == 0:
        return Clause.S_PILE_BLOCKED
    return Clause.P_PILE_BLACK if top == BLACK_THREE else Clause.P_PILE_WILD


# M-pile: not with a wild or dead top, nor onto five or more. S-pile, P-pile: not with a black 3 or wild top.
@kernel
def check_top(rules: Rules, hand: State, side: int) -> int:
    """Check whether the pile's top card lets a side take the pile at all."""
    top = top_card(hand)
    if hand.turn[PILE] == 0:
        return Clause.PILE_EMPTY
    if rules.modern == 0:
        return _check_classic_top(rules, top)
    if top >= RANKS:
        return Clause.M_PILE_WILD
    if is_dead(rules, hand, top):
        return Clause.M_PILE_DEAD
    if meld_size(hand, side, top) >= rules.pile_meld_below:
        return Clause.M_PILE_FIVE
    return 0


@kernel
def _no_pair(rules: Rules) -> int:
    if rules.modern == 1:
        return Clause.M_PILE_PAIR
    return Clause.P_PILE_TWO if rules.pile_with_one_wild == 1 else Clause.S_PILE_PAIR


# M-pile: a natural pair, or the side's own meld. S-pile: two naturals at least, or that. P-pile: a pair, or a
# natural and a wild, or that.
@kernel
def _check_joins(rules: Rules, hand: State, seat: int, side: int, top: int, action: Action) -> int:
    """Check how an opened side's top card is used."""
    naturals = action.laid[top, NATURALS]
    wilds = action.laid[top, TWOS] + action.laid[top, JOKERS]
    if rules.one_card_rule == 1 and hand.turn[PILE] == 1 and held(hand, seat) == 1:
        return Clause.S_PILE_ONE_CARD
    may_lay_more = rules.modern == 0 and rules.pile_with_one_wild == 0
    if wilds == 0 and (naturals == 2 or (naturals > 2 and may_lay_more)):
        return 0
    if rules.modern == 1 and rules.pile_needs_pair == 1:
        return Clause.M_PILE_NEEDS_PAIR
    if hand.turn[FROZEN] == 1 or rules.always_frozen == 1:
        return Clause.P_PILE_FROZEN if rules.pile_with_one_wild == 1 else Clause.S_PILE_FROZEN
    if naturals + wilds == 0 and meld_size(hand, side, top + offset_laid(action)) > 0:
        return 0
    if naturals == 1 and wilds == 1 and rules.pile_with_one_wild == 1:
        return 0
    return _no_pair(rules)


# M-pile: the opening lays a pair and makes five of the top rank at most. S-pile: frozen for an unopened side.
@kernel
def _check_opening_pair(rules: Rules, action: Action, top: int) -> int:
    if action.laid[top, NATURALS] == 1 and rules.pile_with_one_wild == 1:
        return Clause.P_PILE_FROZEN
    if action.laid[top, NATURALS] < 2:
        return _no_pair(rules)
    if action.laid[top, NATURALS] > rules.pile_opening_naturals:
        return Clause.M_PILE_OPENING
    return 0


@kernel
def check_take(rules: Rules, hand: State, action: Action) -> int:
    """Check taking the pile with what is laid from the holding, opening by it or not."""
    seat = action.what[SEAT]
    side = side_of(hand, seat)
    top = top_card(hand)
    code = check_top(rules, hand, side)
    if code != 0:
        return code
    if action.what[CARD] != top or action.what[COUNT] != hand.turn[PILE]:
        return Clause.PILE_SEEN
    if not holds_laid(hand, seat, action):
        return Clause.CARDS_HELD
    if hand.side[side, OPENED] > 0:
        if laid_groups(action) > (1 if laid_size(action, top) > 0 else 0):
            return Clause.ONE_GROUP
        code = _check_joins(rules, hand, seat, side, top, action)
    else:
        code = _check_opening_pair(rules, action, top)
    if code != 0:
        return code
    code = check_groups(rules, hand, side, action, top)
    must_out = code == ONLY_GOING_OUT
    if code != 0 and not must_out:
        return code
    if hand.side[side, OPENED] == 0:
        code = check_opening(rules, hand, side, action, top)
        if code != 0:
            return code
    return check_outlook(rules, hand, seat, action, top, must_out)
