"""How a hand moves on: dealt 3s, the next turn, what the stock brings, the end (M-end, S-end, P-end)."""

from __future__ import annotations

from engine.kernel import kernel
from engine.rules.counts import held, side_of, three_due
from engine.rules.out import can_go_out
from engine.ruleset import Rules
from engine.state import (
    ACTED,
    ACTOR,
    BONUS,
    BY_OUT,
    BY_STOCK,
    CLOCK,
    CONCEALED,
    DEALER,
    DRAW,
    DRAW_BONUS,
    DRAW_CARDS,
    ENDED,
    ENDED_BY,
    FRESH,
    FROM_PILE,
    LAY_THREE,
    MELDED,
    MOVER,
    MUST_OUT,
    NOT_ASKED,
    NOT_DRAWN,
    OPENED,
    OUT_SEAT,
    PHASE,
    PLAYED,
    QUESTION,
    SEATS,
    SETTLE,
    SOURCE,
    STOCK,
    VERB,
    Action,
    State,
)

_NOBODY = 0
_BY_SIDE = 1


# S-out: concealed if that player had melded nothing earlier; P-out: if the side had not.
@kernel
def _would_be_concealed(rules: Rules, hand: State, seat: int) -> bool:
    if rules.concealed_by == _NOBODY:
        return False
    if rules.concealed_by == _BY_SIDE:
        return hand.side[side_of(hand, seat), OPENED] == 0
    return hand.seat[seat, MELDED] == 0


@kernel
def end_by_stock(hand: State) -> None:
    """End the hand because the stock ran out."""
    hand.turn[PHASE] = ENDED
    hand.turn[ENDED_BY] = BY_STOCK


@kernel
def begin_turn(rules: Rules, hand: State, seat: int) -> None:
    """Give a seat the move; M-end: with the stock empty the hand may be over."""
    turn = hand.turn
    turn[MOVER] = seat
    turn[ACTOR] = seat
    turn[PHASE] = DRAW
    turn[SOURCE] = NOT_DRAWN
    turn[QUESTION] = NOT_ASKED
    turn[MUST_OUT] = 0
    turn[CLOCK] = 0
    turn[BONUS] = 0
    turn[ACTED] = 0
    turn[FRESH] = 1 if _would_be_concealed(rules, hand, seat) else 0
    if turn[STOCK] == 0 and rules.pile_after_stock == 0:
        end_by_stock(hand)


@kernel
def settle(rules: Rules, hand: State, seat: int) -> None:
    """Let the first seat from `seat` on that was dealt a 3 lay it; when none is left, begin the first turn.

    All rule sets: from the starter clockwise each seat lays and replaces its 3s before the first draw.
    """
    starter = (hand.turn[DEALER] + 1) % hand.turn[SEATS]
    hand.turn[PHASE] = SETTLE
    hand.turn[ACTOR] = seat
    while not three_due(rules, hand):
        hand.turn[ACTOR] = (hand.turn[ACTOR] + 1) % hand.turn[SEATS]
        if hand.turn[ACTOR] == starter:
            begin_turn(rules, hand, starter)
            return


@kernel
def end_turn(rules: Rules, hand: State) -> None:
    """Pass the move to the next seat. P-end: the turn in which the stock ran out is the last."""
    seat = hand.turn[MOVER]
    if hand.side[side_of(hand, seat), OPENED] > 0:
        hand.seat[seat, PLAYED] = 1
    if rules.ends_after_last_card == 1 and hand.turn[STOCK] == 0:
        end_by_stock(hand)
    else:
        begin_turn(rules, hand, (seat + 1) % hand.turn[SEATS])


@kernel
def go_out_if_empty(hand: State, seat: int) -> bool:
    """End the hand if the mover holds nothing any more; say whether it did."""
    if held(hand, seat) > 0:
        return False
    hand.turn[PHASE] = ENDED
    hand.turn[ENDED_BY] = BY_OUT
    hand.turn[OUT_SEAT] = seat
    hand.turn[CONCEALED] = hand.turn[FRESH]
    return True


# Where sources are silent: a red 3 was the last stock card, is not replaced, and leaves one card that may
# not be the last one discarded. No move is left, so the stock has ended the hand.
@kernel
def end_if_stuck(rules: Rules, hand: State, seat: int) -> bool:
    """End the hand if the mover holds a single card and cannot go out with it; say whether it did."""
    if held(hand, seat) != 1 or can_go_out(rules, hand, seat):
        return False
    end_by_stock(hand)
    return True


@kernel
def due_from_stock(rules: Rules, hand: State, action: Action) -> int:
    """Return how many cards an action brings from the stock."""
    verb, stock = action.what[VERB], hand.turn[STOCK]
    if verb == DRAW_CARDS:
        return int(min(rules.draw_cards, stock))
    if verb == DRAW_BONUS:
        return int(min(hand.turn[BONUS], stock))
    if verb == LAY_THREE:
        is_bare = hand.turn[SOURCE] == FROM_PILE and rules.red_three_from_pile_replaced == 0
        return 0 if is_bare else int(min(1, stock))
    return 0
