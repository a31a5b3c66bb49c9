"""Carry out a legal action: move the cards and pass the move on. Nothing is checked here."""

from __future__ import annotations

from engine.cards import BLACK_THREE, JOKER, RED_THREE, TWO
from engine.kernel import kernel
from engine.rules.action_list import ActionList
from engine.rules.counts import kind_of_slot, laid_size, offset_laid, side_of, three_due
from engine.rules.groups import ONLY_GOING_OUT, check_group
from engine.rules.legal import can_take_pile
from engine.rules.question import partner
from engine.rules.turn import end_by_stock, end_if_stuck, end_turn, go_out_if_empty, settle
from engine.ruleset import Rules
from engine.state import (
    ACTED,
    ACTOR,
    AFTER,
    ANSWER,
    ANSWER_NO,
    ANSWER_YES,
    ASK,
    ASKED,
    BLACK,
    BONUS,
    BY_SPECIAL,
    CARD,
    CLOCK,
    DECLARE,
    DECLINE,
    DISCARD,
    DRAW,
    DRAW_BONUS,
    DRAW_CARDS,
    ENDED,
    ENDED_BY,
    FAILED,
    FROM_PILE,
    FROM_STOCK,
    FROZEN,
    JOKERS,
    LAY_THREE,
    MELD,
    MELDED,
    MOVER,
    MUST_OUT,
    NATURALS,
    NO,
    OPENED,
    OPENINGS,
    OUT_SEAT,
    PHASE,
    PILE,
    PLAY,
    QUESTION,
    RED,
    RUN_OUT,
    SEAT,
    SETTLE,
    SLOTS,
    SOURCE,
    SPECIAL,
    STOCK,
    TAKE_BACK,
    TAKE_PILE,
    TURNS,
    TWOS,
    UPCARDS,
    VERB,
    WAITING,
    WILD_MELD,
    YES,
    Action,
    State,
)


@kernel
def _speak(hand: State, seat: int, action: Action) -> None:
    """Carry out what moves no card to the table: question, answer, failed opening, clock, special hand."""
    turn = hand.turn
    verb = action.what[VERB]
    if verb == ASK:
        hand.seat[seat, ASKED] = 1
        turn[QUESTION] = WAITING
        turn[PHASE] = ANSWER
        turn[ACTOR] = partner(hand, seat)
    elif verb in (ANSWER_YES, ANSWER_NO):
        turn[QUESTION] = YES if verb == ANSWER_YES else NO
        turn[PHASE] = PLAY
        turn[ACTOR] = turn[MOVER]
    elif verb == TAKE_BACK:
        hand.side[side_of(hand, seat), FAILED] += 1
        turn[ACTED] = 1
    elif verb == DECLARE:
        turn[PHASE] = ENDED
        turn[ENDED_BY] = BY_SPECIAL
        turn[SPECIAL] = action.what[CARD] + 1
        turn[OUT_SEAT] = seat
    elif verb == RUN_OUT:
        turn[CLOCK] = 1
        # M-clock: out of time with nothing to draw is M-end.
        if turn[SOURCE] == 0 and turn[STOCK] == 0:
            end_by_stock(hand)


@kernel
def pop(hand: State, seat: int) -> int:
    """Move the next stock card to a holding and return its kind."""
    hand.turn[STOCK] -= 1
    card = hand.stock[hand.turn[STOCK]]
    hand.holding[seat, card] += 1
    return card


# M-threes: if the last stock card is a 3 the hand stops and it stays in the holding. Where sources are
# silent: it stops at once, even if another 3 of the same bonus cards still waits to be laid.
@kernel
def _stops(rules: Rules, hand: State, card: int) -> bool:
    three = card in (RED_THREE, BLACK_THREE)
    if rules.last_three_stops == 1 and hand.turn[STOCK] == 0 and three:
        end_by_stock(hand)
        return True
    return False


# M-cards, S-cards: draw one or two. S-end: with one left, take the one.
@kernel
def _draw(rules: Rules, hand: State, seat: int) -> None:
    hand.turn[TURNS] += 1
    hand.turn[SOURCE] = FROM_STOCK
    hand.turn[PHASE] = PLAY
    card = 0
    for _ in range(min(rules.draw_cards, hand.turn[STOCK])):
        card = pop(hand, seat)
    _stops(rules, hand, card)


# M-threes, S-threes, P-threes: laid face up and replaced; in P a 3 that came with the pile is not. S-end,
# P-end: after a drawn 3 that the stock cannot replace the turn goes on, or the hand ends as the table says.
@kernel
def _lay_three(rules: Rules, hand: State, seat: int, card: int) -> None:
    hand.holding[seat, card] -= 1
    hand.side[side_of(hand, seat), RED if card == RED_THREE else BLACK] += 1
    replaced = hand.turn[SOURCE] != FROM_PILE or rules.red_three_from_pile_replaced == 1
    is_last = hand.turn[SOURCE] == FROM_STOCK and hand.turn[STOCK] == 0
    if replaced and hand.turn[STOCK] > 0 and _stops(rules, hand, pop(hand, seat)):
        return
    if hand.turn[PHASE] == SETTLE:
        settle(rules, hand, seat)
    elif not three_due(rules, hand):
        if is_last and rules.last_red_three_ends == 1:
            end_by_stock(hand)
        elif hand.turn[PHASE] == AFTER:
            end_turn(rules, hand)
        elif not go_out_if_empty(hand, seat):
            end_if_stuck(rules, hand, seat)


# M-talon: the opener's bonus cards, after the discard; 3s among them are laid and replaced.
@kernel
def _draw_bonus(rules: Rules, hand: State, seat: int) -> None:
    card = 0
    for _ in range(min(hand.turn[BONUS], hand.turn[STOCK])):
        card = pop(hand, seat)
    hand.turn[BONUS] = 0
    if not _stops(rules, hand, card) and not three_due(rules, hand):
        end_turn(rules, hand)


@kernel
def _discard(rules: Rules, hand: State, seat: int, card: int) -> None:
    hand.holding[seat, card] -= 1
    hand.pile[hand.turn[PILE]] = card
    hand.turn[PILE] += 1
    if rules.freezing == 1 and card in (TWO, JOKER):
        hand.turn[FROZEN] = 1
    if go_out_if_empty(hand, seat):
        return
    if hand.turn[BONUS] > 0:
        hand.turn[PHASE] = AFTER
    else:
        end_turn(rules, hand)


@kernel
def _only_going_out(rules: Rules, hand: State, side: int, action: Action) -> bool:
    for slot in range(SLOTS):
        lays = laid_size(action, slot) > 0
        if lays and check_group(rules, hand, side, slot, action, 0) == ONLY_GOING_OUT:
            return True
    return False


# M-talon: nine or more in the stock: four cards for the first side to open, three for the second.
@kernel
def _bonus(rules: Rules, hand: State) -> int:
    if rules.talon_stock == 0 or hand.turn[STOCK] < rules.talon_stock or hand.turn[OPENINGS] > 1:
        return 0
    return rules.talon_cards[hand.turn[OPENINGS]]


@kernel
def _lay(hand: State, seat: int, side: int, action: Action) -> None:
    """Move the groups of an action from the holding to the side's melds."""
    offset = offset_laid(action)
    for slot in range(SLOTS):
        for part in range(3):
            hand.meld[side, slot + offset, part] += action.laid[slot, part]
        hand.holding[seat, TWO] -= action.laid[slot, TWOS]
        hand.holding[seat, JOKER] -= action.laid[slot, JOKERS]
        if slot != WILD_MELD:
            hand.holding[seat, kind_of_slot(slot)] -= action.laid[slot, NATURALS]
    if hand.side[side, OPENED] == 0:
        hand.side[side, OPENED] = seat + 1
        hand.turn[OPENINGS] += 1
    hand.seat[seat, MELDED] = 1
    hand.turn[ACTED] = 1


@kernel
def _meld(rules: Rules, hand: State, seat: int, action: Action) -> None:
    side = side_of(hand, seat)
    if _only_going_out(rules, hand, side, action):
        hand.turn[MUST_OUT] = 1
    if hand.side[side, OPENED] == 0:
        hand.turn[BONUS] = _bonus(rules, hand)
    _lay(hand, seat, side, action)
    go_out_if_empty(hand, seat)


# M-pile, S-pile, P-pile: the top card joins its meld, the rest joins the holding.
@kernel
def _take_pile(rules: Rules, hand: State, seat: int, action: Action) -> None:
    side = side_of(hand, seat)
    hand.turn[TURNS] += 1
    hand.turn[SOURCE] = FROM_PILE
    hand.turn[PHASE] = PLAY
    if _only_going_out(rules, hand, side, action):
        hand.turn[MUST_OUT] = 1
    hand.meld[side, action.what[CARD] + offset_laid(action), NATURALS] += 1
    for place in range(hand.turn[PILE] - 1):
        hand.holding[seat, hand.pile[place]] += 1
    hand.turn[PILE] = 0
    hand.turn[FROZEN] = 0
    hand.turn[UPCARDS] = 0
    _lay(hand, seat, side, action)
    go_out_if_empty(hand, seat)


@kernel
def _carry_out(rules: Rules, hand: State, action: Action) -> None:
    verb = action.what[VERB]
    seat = action.what[SEAT]
    if verb == DISCARD:
        _discard(rules, hand, seat, action.what[CARD])
    elif verb == DRAW_CARDS:
        _draw(rules, hand, seat)
    elif verb == MELD:
        _meld(rules, hand, seat, action)
    elif verb == LAY_THREE:
        _lay_three(rules, hand, seat, action.what[CARD])
    elif verb == TAKE_PILE:
        _take_pile(rules, hand, seat, action)
    elif verb == DRAW_BONUS:
        _draw_bonus(rules, hand, seat)
    elif verb == DECLINE:
        end_by_stock(hand)
    else:
        _speak(hand, seat, action)


@kernel
def apply(rules: Rules, hand: State, action: Action, actions: ActionList) -> None:
    """Carry out an action that `check` allows; the list is scratch space.

    M-end, S-end: a player who must draw from an empty stock ends the hand, unless the pile can be taken.
    """
    _carry_out(rules, hand, action)
    if hand.turn[PHASE] == DRAW and hand.turn[STOCK] == 0 and not can_take_pile(rules, hand, actions):
        end_by_stock(hand)
