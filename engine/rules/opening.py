"""Melding: the opening, one action however many groups, and single groups after it (M-open, S-minimum)."""

from __future__ import annotations

from engine.cards import RANKS
from engine.clauses import Clause
from engine.kernel import kernel
from engine.rules.counts import holds_laid, laid_groups, laid_points, laid_size, minimum, side_of
from engine.rules.groups import ONLY_GOING_OUT, check_group
from engine.rules.out import check_outlook
from engine.ruleset import Rules
from engine.state import (
    JOKERS,
    NATURALS,
    OPENED,
    SEAT,
    SLOTS,
    TWOS,
    WILD_MELD,
    Action,
    State,
)


@kernel
def check_groups(rules: Rules, hand: State, side: int, action: Action, top: int) -> int:
    """Check each group of an action; `top` is the slot that the pile's top card joins, or -1."""
    result = 0
    for slot in range(SLOTS):
        if laid_size(action, slot) > 0 or slot == top:
            code = check_group(rules, hand, side, slot, action, 1 if slot == top else 0)
            if code == ONLY_GOING_OUT:
                result = code
            elif code != 0:
                return code
    return result


@kernel
def _refused_for(rules: Rules, hand: State, side: int, action: Action) -> int:
    if laid_points(rules, action) < minimum(rules, hand, side):
        return Clause.M_OPEN_MINIMUM
    return Clause.M_OPEN_TRIPLE


@kernel
def _lays_canasta(rules: Rules, action: Action) -> bool:
    largest = 0
    for slot in range(SLOTS):
        largest = max(largest, laid_size(action, slot))
    return largest >= rules.canasta_cards


@kernel
def _has_clean_triple(action: Action) -> bool:
    for slot in range(RANKS):
        wilds = action.laid[slot, TWOS] + action.laid[slot, JOKERS]
        if wilds == 0 and action.laid[slot, NATURALS] >= 3:
            return True
    return False


@kernel
def check_opening(rules: Rules, hand: State, side: int, action: Action, top: int) -> int:
    """Check that groups which are good by themselves open: a clean triple where asked, and the minimum.

    M-open: a complete canasta from the holding opens whatever its count, and wilds alone open at the minimum,
    where the table plays so. M-open, S-minimum: the top card counts or not, as the rule set says.
    """
    if rules.canasta_opens == 1 and _lays_canasta(rules, action):
        return 0
    if rules.clean_triple == 1 and not _has_clean_triple(action):
        # Where sources are silent: "alone" means that the wild meld is the whole opening.
        only_wilds = laid_groups(action) == 1 and laid_size(action, WILD_MELD) > 0
        if rules.wild_meld_opens == 0 or not only_wilds:
            return _refused_for(rules, hand, side, action)
    points = laid_points(rules, action)
    if top >= 0 and rules.top_card_counts == 1:
        points += rules.card_points[top]
    if points < minimum(rules, hand, side):
        return Clause.M_OPEN_MINIMUM if rules.modern == 1 else Clause.S_OPEN_MINIMUM
    return 0


@kernel
def check_meld(rules: Rules, hand: State, action: Action) -> int:
    """Check the groups laid from the holding: an opening, or one group on the side's melds."""
    seat = action.what[SEAT]
    side = side_of(hand, seat)
    groups = laid_groups(action)
    if groups == 0:
        return Clause.NOTHING_LAID
    if not holds_laid(hand, seat, action):
        return Clause.CARDS_HELD
    if hand.side[side, OPENED] > 0 and groups > 1:
        return Clause.ONE_GROUP
    code = check_groups(rules, hand, side, action, -1)
    must_out = code == ONLY_GOING_OUT
    if code != 0 and not must_out:
        return code
    if hand.side[side, OPENED] == 0:
        code = check_opening(rules, hand, side, action, -1)
        if code != 0:
            return code
    return check_outlook(rules, hand, seat, action, -1, must_out)
