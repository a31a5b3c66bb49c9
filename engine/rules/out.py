"""Going out: what it needs, and whether a player still can in this turn (M-out, S-out, P-out).

Whether somebody *can* go out is asked when a partner is asked, when a meld is laid that only a player going
out may lay, and when a meld leaves too few cards to go on. The answer is exact. Where the cards of each rank
can go to one meld only, all that is open is which card is discarded and where the wilds go, and that is
counted: each meld takes between `least` and `most` wilds, all wilds must be placed, and the canastas still
missing are completed where that costs fewest wilds. Where a rank may have more melds,
`engine.rules.several_melds` answers.
"""

# Long because the question whether a player can go out is one, and its parts are used nowhere else.
from __future__ import annotations

import numpy as np

from engine.cards import ACE, BLACK_THREE, HIDDEN, JOKER, KINDS, RANKS, RED_THREE, SEVEN, TWO
from engine.clauses import Clause
from engine.kernel import Grid, Row, allocating, kernel
from engine.rules.counts import (
    canastas_of,
    held,
    is_dead,
    is_unfinished,
    kind_of_slot,
    laid_cards,
    minimum,
    offset_laid,
    second_wilds,
    side_of,
    total,
)
from engine.rules.several_melds import can_spread
from engine.ruleset import Rules
from engine.state import (
    BLACK_MELD,
    JOKERS,
    MUST_OUT,
    NATURALS,
    NO,
    PILE,
    QUESTION,
    SLOTS,
    STOCK,
    TWOS,
    UPCARDS,
    WILD_MELD,
    YES,
    Action,
    State,
)


@kernel
def has_unfinished(rules: Rules, hand: State, meld: Grid) -> bool:
    """Say whether 7s, natural aces or wilds lie unfinished."""
    sevens, aces = is_unfinished(rules, hand, meld, SEVEN), is_unfinished(rules, hand, meld, ACE)
    return sevens or aces or is_unfinished(rules, hand, meld, WILD_MELD) or second_wilds(rules, meld) > 0


# M-out, S-out, P-out: canastas first; M-out: no unfinished 7s, natural aces or wilds.
@kernel
def check_ready(rules: Rules, hand: State, meld: Grid) -> int:
    """Say why a side with these melds [52, 3] may not go out: 0 or a clause code."""
    if canastas_of(rules, meld) < rules.canastas_needed:
        return Clause.M_OUT_CANASTAS if rules.modern == 1 else Clause.S_OUT_CANASTAS
    if rules.out_needs_finished == 1 and has_unfinished(rules, hand, meld):
        return Clause.M_OUT_UNFINISHED
    return 0


@kernel
def reds_in_pile(hand: State) -> int:
    """Return the red 3s in the pile, which a taker lays at once."""
    reds = 0
    for place in range(hand.turn[UPCARDS]):
        if hand.pile[place] == RED_THREE:
            reds += 1
    return reds


@allocating
def _after_laying(hand: State, seat: int, action: Action, top: int) -> tuple[Row, Grid]:
    """Return the holding [16] and the side's melds [52, 3] as they would be after an action."""
    holding = hand.holding[seat].copy()
    meld = hand.meld[side_of(hand, seat)].copy()
    offset = offset_laid(action)
    for slot in range(SLOTS):
        for part in range(3):
            meld[slot + offset, part] += action.laid[slot, part]
        holding[TWO] -= action.laid[slot, TWOS]
        holding[JOKER] -= action.laid[slot, JOKERS]
        if slot != WILD_MELD:
            holding[kind_of_slot(slot)] -= action.laid[slot, NATURALS]
    if top >= 0:
        meld[top + offset, NATURALS] += 1
        for place in range(hand.turn[PILE] - 1):
            holding[hand.pile[place]] += 1
        holding[RED_THREE] = 0
    return holding, meld


# S-minimum: what goes down in one action must reach the minimum, and here all of it does.
@kernel
def _opens_with_all(rules: Rules, hand: State, seat: int, holding: Row) -> bool:
    # M-open: a player of an unopened side holds 14 cards after drawing, one short of two canastas and a
    # discard.
    if rules.modern == 1:
        return False
    points = 0
    for kind in range(KINDS):
        points += holding[kind] * rules.card_points[kind]
    return points >= minimum(rules, hand, side_of(hand, seat))


@kernel
def _can_meld_blacks(rules: Rules, holding: Row, meld: Grid) -> bool:
    blacks = holding[BLACK_THREE] + meld[BLACK_MELD, NATURALS]
    return rules.black_three_melds == 1 and blacks >= 3


# M-meld: how many wilds a rank's meld must and may take once all its naturals are laid; most -1: no way.
@kernel
def _modern_room(
    rules: Rules, hand: State, rank: int, naturals: int, meld: Grid, least: Row, most: Row
) -> None:
    wilds = meld[rank, TWOS] + meld[rank, JOKERS]
    before = meld[rank, NATURALS] + wilds
    after = before + naturals
    if after == 0:
        most[rank] = 0
        return
    if after > rules.largest_meld or (naturals > 0 and is_dead(rules, hand, rank)):
        return
    if before == 0 and naturals == 1:
        return
    if rank == SEVEN or (rank == ACE and wilds == 0):
        # M-out: 7s and natural aces must be finished, and no wild can help them.
        finished = after == rules.canasta_cards or (
            naturals == 0 and not is_unfinished(rules, hand, meld, rank)
        )
        most[rank] = 0 if finished else -1
        return
    room = min(rules.most_wilds - wilds, rules.largest_meld - after)
    if is_dead(rules, hand, rank) or (rank == ACE and rules.mixed_aces_take_wilds == 0):
        room = 0
    if rules.five_natural_rule == 1 and after - wilds < rules.naturals_before_wilds:
        # M-out: a pair and a wild may start a meld, and more naturals may follow.
        room = 1 if before == 0 and rules.pair_and_wild_out == 1 else 0
    least[rank] = 1 if before == 0 and naturals == 2 else 0
    most[rank] = room


# S-meld: as above; a meld has no upper limit but three wilds.
@kernel
def _classic_room(rules: Rules, rank: int, naturals: int, meld: Grid, least: Row, most: Row) -> None:
    wilds = meld[rank, TWOS] + meld[rank, JOKERS]
    before = meld[rank, NATURALS] + wilds
    if before + naturals == 0:
        most[rank] = 0
        return
    if before == 0 and naturals == 1:
        return
    least[rank] = 1 if before + naturals == 2 else 0
    most[rank] = rules.most_wilds - wilds


# M-out: the wild meld must be finished first; S-meld: there is none.
@kernel
def _wilds_left(rules: Rules, holding: Row, meld: Grid) -> int:
    """Return the wilds left for the ranks once an unfinished wild meld is closed; negative: too few."""
    if second_wilds(rules, meld) > 0:
        return -1
    wilds = holding[TWO] + holding[JOKER]
    size = meld[WILD_MELD, TWOS] + meld[WILD_MELD, JOKERS]
    if 0 < size < rules.canasta_cards:
        return wilds + size - rules.canasta_cards
    return wilds


@kernel
def _places(rules: Rules, holding: Row, meld: Grid, least: Row, most: Row, wilds: int, canastas: int) -> bool:
    spare = wilds
    room = -wilds
    for rank in range(RANKS):
        spare -= least[rank]
        room += most[rank]
    if spare < 0 or room < 0:
        return False
    # Canastas in the order of what they cost beyond the wilds that must go there anyway.
    for cost in range(rules.most_wilds + 1):
        for rank in range(RANKS):
            size = meld[rank, NATURALS] + meld[rank, TWOS] + meld[rank, JOKERS] + holding[rank]
            need = max(rules.canasta_cards - size - least[rank], 0)
            if size > 0 and need == cost and cost <= most[rank] - least[rank] and cost <= spare:
                spare -= cost
                canastas += 1
    return canastas >= rules.canastas_needed


@kernel
def _enough_canastas(rules: Rules, holding: Row, meld: Grid, least: Row, most: Row, wilds: int) -> bool:
    """Say whether the wilds can all be placed and complete the canastas needed."""
    if meld[WILD_MELD, TWOS] + meld[WILD_MELD, JOKERS] > 0:
        return _places(rules, holding, meld, least, most, wilds, 1)
    if _places(rules, holding, meld, least, most, wilds, 0):
        return True
    # M-meld: seven wilds can also make a wild canasta of their own.
    if rules.wild_melds == 0 or wilds < rules.canasta_cards:
        return False
    return _places(rules, holding, meld, least, most, wilds - rules.canasta_cards, 1)


@allocating
def _can_meld_all(rules: Rules, hand: State, seat: int, holding: Row, meld: Grid) -> bool:
    """Say whether every card of a holding can be melded so that the side may then go out."""
    opened = False
    for slot in range(SLOTS):
        if meld[slot, NATURALS] + meld[slot, TWOS] + meld[slot, JOKERS] > 0:
            opened = True
    if not opened and not _opens_with_all(rules, hand, seat, holding):
        return False
    if holding[BLACK_THREE] > 0 and not _can_meld_blacks(rules, holding, meld):
        return False
    if rules.modern == 0 and rules.most_melds > 1:
        return can_spread(rules, holding, meld)
    least = np.zeros(RANKS, np.int64)
    most = np.zeros(RANKS, np.int64)
    for rank in range(RANKS):
        most[rank] = -1
        if rules.modern == 1:
            _modern_room(rules, hand, rank, holding[rank], meld, least, most)
        else:
            _classic_room(rules, rank, holding[rank], meld, least, most)
        if most[rank] < least[rank]:
            return False
    wilds = _wilds_left(rules, holding, meld)
    if wilds < 0:
        return False
    return _enough_canastas(rules, holding, meld, least, most, wilds)


@kernel
def can_finish(rules: Rules, hand: State, seat: int, holding: Row, meld: Grid) -> bool:
    """Say whether a holding can be melded but for a last discard (S-out: or melded whole).

    The holding [16] and the side's melds [52, 3] may be hypothetical; the other sides' are the position's.
    """
    if holding[HIDDEN] > 0 or holding[RED_THREE] > 0:
        return False
    if rules.out_by_discard == 0 and _can_meld_all(rules, hand, seat, holding, meld):
        return True
    for kind in range(KINDS):
        if holding[kind] > 0:
            holding[kind] -= 1
            finishes = _can_meld_all(rules, hand, seat, holding, meld)
            holding[kind] += 1
            if finishes:
                return True
    return False


# M-out: the partner's answer binds. M-out, S-threes: some melds are only for a player who goes out.
@kernel
def _check_finish(rules: Rules, hand: State, seat: int, holding: Row, meld: Grid) -> int:
    if hand.turn[QUESTION] == NO:
        return Clause.M_OUT_ANSWER_NO
    if can_finish(rules, hand, seat, holding, meld):
        return 0
    if total(holding) < 2:
        return check_ready(rules, hand, meld)
    if hand.turn[QUESTION] == YES:
        return Clause.M_OUT_ANSWER_YES
    return Clause.M_OUT_PAIR if rules.modern == 1 else Clause.S_BLACK_OUT


# All rule sets: a meld after which neither a discard nor going out is possible is refused.
@allocating
def check_outlook(rules: Rules, hand: State, seat: int, action: Action, top: int, must_out: bool) -> int:
    """Check that the mover can still end the turn properly after laying cards.

    Args:
        rules: The rule set.
        hand: The position before.
        seat: The mover.
        action: What is laid.
        top: The slot that the pile's top card joins, whose other cards the mover takes, or -1.
        must_out: Whether something is laid that only a player going out may lay.

    Returns:
        0 or a clause code.
    """
    left, coming = held(hand, seat) - laid_cards(action), 0
    if top >= 0:
        reds = reds_in_pile(hand)
        # S-threes: red 3s in a pile are laid, and replaced while there is a stock.
        if rules.red_three_from_pile_replaced == 1:
            coming = min(reds, hand.turn[STOCK])
        left += hand.turn[PILE] - 1 - reds + coming
    if left >= 2 and not must_out and hand.turn[MUST_OUT] == 0 and hand.turn[QUESTION] != YES:
        return 0
    if left == 0 and rules.out_by_discard == 1:
        return Clause.M_OUT_DISCARD if rules.modern == 1 else Clause.P_OUT_DISCARD
    holding, meld = _after_laying(hand, seat, action, top)
    if coming > 0:
        # What comes is not known: it can be the last discard, but nothing may depend on it.
        if must_out or hand.turn[MUST_OUT] == 1:
            return Clause.S_BLACK_OUT
        return check_ready(rules, hand, meld)
    return _check_finish(rules, hand, seat, holding, meld)


@allocating
def can_go_out(rules: Rules, hand: State, seat: int) -> bool:
    """Say whether a seat that has drawn can go out in this turn, from its holding and its side's melds."""
    return can_finish(rules, hand, seat, hand.holding[seat].copy(), hand.meld[side_of(hand, seat)].copy())
