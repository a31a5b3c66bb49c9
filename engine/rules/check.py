"""Check any action against the position: 0, or the code of the first clause that refuses it."""

from __future__ import annotations

from engine.cards import BLACK_THREE, RED_THREE
from engine.clauses import Clause
from engine.kernel import kernel
from engine.rules.counts import holds_laid, laid_cards, laid_size, side_of, three_due
from engine.rules.discard import check_discard
from engine.rules.opening import check_meld
from engine.rules.pile import check_take
from engine.rules.question import check_question
from engine.rules.special import check_special
from engine.ruleset import Rules
from engine.state import (
    ACTOR,
    AFTER,
    ANSWER,
    ANSWER_NO,
    ANSWER_YES,
    ASK,
    BLACK_MELD,
    CARD,
    CLOCK,
    DECLARE,
    DECLINE,
    DISCARD,
    DRAW,
    DRAW_BONUS,
    DRAW_CARDS,
    ENDED,
    LAY_THREE,
    MELD,
    NUMBER,
    OPENED,
    PHASE,
    RUN_OUT,
    SEAT,
    STOCK,
    TAKE_BACK,
    TAKE_PILE,
    VERB,
    Action,
    State,
)


# M-threes, S-threes: a 3 that is to be laid goes down at once.
@kernel
def _check_three(rules: Rules, hand: State, action: Action) -> int:
    if action.what[VERB] != LAY_THREE:
        return Clause.THREES_FIRST
    card = action.what[CARD]
    if card == RED_THREE or (card == BLACK_THREE and rules.black_threes_laid == 1):
        return 0 if hand.holding[action.what[SEAT], card] > 0 else Clause.THREE_HELD
    return Clause.THREE_HELD


@kernel
def _check_start(rules: Rules, hand: State, action: Action) -> int:
    """Check what begins a turn: a draw, the pile, or leaving it when the stock is empty."""
    verb = action.what[VERB]
    if verb == DRAW_CARDS:
        return 0 if hand.turn[STOCK] > 0 else Clause.STOCK_EMPTY
    if verb == DECLINE:
        return 0 if hand.turn[STOCK] == 0 else Clause.DECLINE_LATER
    if verb != TAKE_PILE:
        return Clause.DRAW_FIRST
    if hand.turn[STOCK] == 0 and rules.pile_after_stock == 0:
        return Clause.STOCK_EMPTY
    return Clause.CLOCK_RAN_OUT if hand.turn[CLOCK] == 1 else check_take(rules, hand, action)


# M-minimum: cards laid for an opening, cancelled or not good at the end of the turn, go back.
@kernel
def _check_take_back(rules: Rules, hand: State, action: Action) -> int:
    seat = action.what[SEAT]
    if rules.failed_opening_points == 0:
        return Clause.NOT_IN_RULES
    if hand.side[side_of(hand, seat), OPENED] > 0:
        return Clause.M_BACK_OPENED
    if laid_cards(action) == 0:
        return Clause.NOTHING_LAID
    if laid_size(action, BLACK_MELD) > 0:
        return Clause.M_THREE_MELD
    if action.what[NUMBER] > 0:
        return Clause.MELD_NUMBER
    return 0 if holds_laid(hand, seat, action) else Clause.CARDS_HELD


@kernel
def _check_play(rules: Rules, hand: State, action: Action) -> int:
    """Check what follows the draw: melds, the question, a special hand, the discard."""
    verb = action.what[VERB]
    if verb in (DRAW_CARDS, TAKE_PILE, DECLINE):
        return Clause.DRAWN
    if verb == DISCARD:
        return check_discard(rules, hand, action)
    if hand.turn[CLOCK] == 1:
        return Clause.CLOCK_RAN_OUT
    if verb == MELD:
        return check_meld(rules, hand, action)
    if verb == ASK:
        return check_question(rules, hand, action)
    if verb == DECLARE:
        return check_special(rules, hand, action)
    return _check_take_back(rules, hand, action) if verb == TAKE_BACK else Clause.NOT_IN_RULES


# M-clock: it runs out once a turn, before or after the draw.
@kernel
def _check_clock(rules: Rules, hand: State) -> int:
    if rules.clock_seconds == 0:
        return Clause.M_CLOCK_OFF if rules.modern == 1 else Clause.NOT_IN_RULES
    return Clause.CLOCK_RAN_OUT if hand.turn[CLOCK] == 1 else 0


@kernel
def check(rules: Rules, hand: State, action: Action) -> int:
    """Check an action; nothing is changed.

    Returns:
        0 if it is legal, else the value of a `Clause`.
    """
    verb = action.what[VERB]
    phase = hand.turn[PHASE]
    if phase == ENDED:
        return Clause.ENDED
    if action.what[SEAT] != hand.turn[ACTOR]:
        return Clause.TURN
    if three_due(rules, hand):
        return _check_three(rules, hand, action)
    if verb == LAY_THREE:
        return Clause.THREE_HELD
    if phase == ANSWER:
        return 0 if verb in (ANSWER_YES, ANSWER_NO) else Clause.ANSWER_FIRST
    if verb in (ANSWER_YES, ANSWER_NO):
        return Clause.NO_QUESTION
    if phase == AFTER:
        return 0 if verb == DRAW_BONUS else Clause.BONUS_FIRST
    if verb == DRAW_BONUS:
        return Clause.NO_BONUS
    if verb == RUN_OUT:
        return _check_clock(rules, hand)
    if phase == DRAW:
        return _check_start(rules, hand, action)
    return _check_play(rules, hand, action)
