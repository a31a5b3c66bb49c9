"""Discarding (M-discard) and what the last card needs (M-out, S-out, P-out)."""

from __future__ import annotations

from engine.cards import ACE, BLACK_THREE, HIDDEN, JOKER, KINDS, RANKS, SEVEN, TWO
from engine.clauses import Clause
from engine.kernel import kernel
from engine.rules.counts import held, is_dead, side_of
from engine.rules.out import check_ready
from engine.ruleset import Rules
from engine.state import CARD, CLOCK, MUST_OUT, NO, PILE, QUESTION, SEAT, YES, Action, State


@kernel
def _holds_natural(hand: State, seat: int) -> bool:
    for kind in range(RANKS):
        if hand.holding[seat, kind] > 0:
            return True
    return hand.holding[seat, BLACK_THREE] > 0 or hand.holding[seat, HIDDEN] > 0


@kernel
def _is_swad(rules: Rules, hand: State, kind: int) -> bool:
    return kind in (SEVEN, ACE) or is_dead(rules, hand, kind)


@kernel
def _holds_only_swad(rules: Rules, hand: State, seat: int) -> bool:
    for kind in range(RANKS):
        if hand.holding[seat, kind] > 0 and not _is_swad(rules, hand, kind):
            return False
    return True


# M-discard: wilds only if nothing else is held; SWAD not onto an empty pile, unless nothing else is held. Who
# holds nothing else starts the pile with a wild last of all, or with any of them, as the rule set says.
@kernel
def check_card(rules: Rules, hand: State, seat: int, card: int) -> int:
    """Check whether a card that a seat holds may lie on the pile."""
    if rules.swad == 0:
        return 0
    if card in (TWO, JOKER):
        any_swad = rules.swad_wild_last == 0 and hand.turn[PILE] == 0 and _holds_only_swad(rules, hand, seat)
        return Clause.M_DISCARD_WILD if _holds_natural(hand, seat) and not any_swad else 0
    if hand.turn[PILE] == 0 and _is_swad(rules, hand, card) and not _holds_only_swad(rules, hand, seat):
        return Clause.M_DISCARD_SWAD
    return 0


# M-out: after a yes, or a meld only for going out, the turn may not end otherwise; the clock's discard may.
@kernel
def _check_bound(rules: Rules, hand: State) -> int:
    if hand.turn[CLOCK] == 1:
        return 0
    if hand.turn[QUESTION] == YES:
        return Clause.M_OUT_ANSWER_YES
    if hand.turn[MUST_OUT] == 1:
        return Clause.M_OUT_PAIR if rules.modern == 1 else Clause.S_BLACK_OUT
    return 0


@kernel
def check_discard(rules: Rules, hand: State, action: Action) -> int:
    """Check a discard, the one that goes out included."""
    seat = action.what[SEAT]
    card = action.what[CARD]
    if card < 0 or card >= KINDS or hand.holding[seat, card] == 0:
        return Clause.CARDS_HELD
    code = check_card(rules, hand, seat, card)
    if code != 0:
        return code
    if held(hand, seat) == 1:
        if hand.turn[QUESTION] == NO:
            return Clause.M_OUT_ANSWER_NO
        return check_ready(rules, hand, hand.meld[side_of(hand, seat)])
    return _check_bound(rules, hand)
