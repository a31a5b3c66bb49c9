"""Partner, may I go out? (M-out)."""

from __future__ import annotations

from engine.clauses import Clause
from engine.kernel import kernel
from engine.rules.out import can_go_out
from engine.ruleset import Rules
from engine.state import ACTED, ASKED, FROM_STOCK, SEAT, SEATS, SIDES, SOURCE, Action, State


@kernel
def partner(hand: State, seat: int) -> int:
    """Return the seat across, of four."""
    return (seat + 2) % hand.turn[SEATS]


# M-out: after drawing, before melding, by a player who can go out this turn, once a hand each player.
@kernel
def check_question(rules: Rules, hand: State, action: Action) -> int:
    """Check that a player may ask the partner."""
    seat = action.what[SEAT]
    if rules.partner_question == 0 or hand.turn[SEATS] == hand.turn[SIDES]:
        return Clause.NOT_IN_RULES
    if hand.seat[seat, ASKED] == 1:
        return Clause.M_ASK_ONCE
    if rules.question_once_a_side == 1 and hand.seat[partner(hand, seat), ASKED] == 1:
        return Clause.M_ASK_ONCE
    # Where sources are silent: taking the pile melds its top card, so the question comes too late then.
    if hand.turn[SOURCE] != FROM_STOCK or hand.turn[ACTED] == 1:
        return Clause.M_ASK_WHEN
    return 0 if can_go_out(rules, hand, seat) else Clause.M_ASK_ABLE
