"""Sizes, points and standing facts that several clauses ask for."""

from __future__ import annotations

from engine.cards import ACE, BLACK_THREE, HIDDEN, JOKER, RANKS, RED_THREE, TWO, WIDTH
from engine.kernel import Grid, Row, kernel
from engine.ruleset import MINIMUM_LINES, Rules
from engine.state import (
    ACTOR,
    BLACK_MELD,
    FAILED,
    JOKERS,
    NATURALS,
    NUMBER,
    SCORE,
    SECOND_WILD_MELD,
    SIDES,
    SLOTS,
    TWOS,
    WILD_MELD,
    Action,
    State,
)


@kernel
def side_of(hand: State, seat: int) -> int:
    """Return the side of a seat."""
    return seat % hand.turn[SIDES]


@kernel
def total(row: Row) -> int:
    """Return the number of cards in a count row."""
    cards = 0
    for kind in range(row.size):
        cards += row[kind]
    return cards


@kernel
def held(hand: State, seat: int) -> int:
    """Return how many cards a seat holds, hidden ones included."""
    total = 0
    for kind in range(WIDTH):
        total += hand.holding[seat, kind]
    return total


@kernel
def meld_size(hand: State, side: int, place: int) -> int:
    """Return the number of cards in a side's meld."""
    return hand.meld[side, place, NATURALS] + hand.meld[side, place, TWOS] + hand.meld[side, place, JOKERS]


# M-meld, S-meld: one meld a rank, one wild meld, or more of them where the table plays so.
@kernel
def melds_allowed(rules: Rules, slot: int) -> int:
    """Return how many melds of a slot a side may have."""
    if slot == BLACK_MELD or (slot == WILD_MELD) != (rules.modern == 1):
        return 1
    return rules.most_melds


@kernel
def offset_laid(action: Action) -> int:
    """Return what leads from a slot to the place of the meld that an action lays on."""
    return SLOTS * action.what[NUMBER]


@kernel
def laid_size(action: Action, slot: int) -> int:
    """Return the number of cards that an action lays on a slot."""
    return action.laid[slot, NATURALS] + action.laid[slot, TWOS] + action.laid[slot, JOKERS]


@kernel
def laid_cards(action: Action) -> int:
    """Return the number of cards that an action lays from the holding."""
    cards = 0
    for slot in range(SLOTS):
        cards += laid_size(action, slot)
    return cards


@kernel
def laid_groups(action: Action) -> int:
    """Return the number of groups that an action lays."""
    groups = 0
    for slot in range(SLOTS):
        if laid_size(action, slot) > 0:
            groups += 1
    return groups


@kernel
def kind_of_slot(slot: int) -> int:
    """Return the kind of a slot's natural cards; a wild meld has none and gives `HIDDEN`."""
    if slot < RANKS:
        return slot
    return BLACK_THREE if slot == BLACK_MELD else HIDDEN


@kernel
def laid_points(rules: Rules, action: Action) -> int:
    """Return the card points of what an action lays from the holding."""
    points = 0
    for slot in range(SLOTS):
        points += action.laid[slot, TWOS] * rules.card_points[TWO]
        points += action.laid[slot, JOKERS] * rules.card_points[JOKER]
        if slot != WILD_MELD:
            points += action.laid[slot, NATURALS] * rules.card_points[kind_of_slot(slot)]
    return points


@kernel
def holds_laid(hand: State, seat: int, action: Action) -> bool:
    """Say whether a seat holds every card that an action lays."""
    twos = 0
    jokers = 0
    for slot in range(SLOTS):
        twos += action.laid[slot, TWOS]
        jokers += action.laid[slot, JOKERS]
        naturals = action.laid[slot, NATURALS]
        if naturals > 0 and (slot == WILD_MELD or naturals > hand.holding[seat, kind_of_slot(slot)]):
            return False
    return twos <= hand.holding[seat, TWO] and jokers <= hand.holding[seat, JOKER]


@kernel
def is_dead(rules: Rules, hand: State, rank: int) -> bool:
    """Say whether a rank is dead (M-dead): some side completed a canasta of it."""
    if rules.dead_ranks == 0:
        return False
    largest = 0
    for side in range(hand.turn[SIDES]):
        largest = max(largest, meld_size(hand, side, rank))
    return largest >= rules.canasta_cards


@kernel
def canastas_of(rules: Rules, meld: Grid) -> int:
    """Return the number of canastas among one side's melds [52, 3]; every kind counts."""
    count = 0
    for number in range(rules.most_melds):
        for place in range(number * SLOTS, number * SLOTS + BLACK_MELD):
            if meld[place, NATURALS] + meld[place, TWOS] + meld[place, JOKERS] >= rules.canasta_cards:
                count += 1
    return count


# M-dead: an unfinished meld of a rank that the other side closed stays unfinished, or not, as the table says.
@kernel
def is_unfinished(rules: Rules, hand: State, meld: Grid, slot: int) -> bool:
    """Say whether a side's 7s, natural aces or wilds of a slot are begun and no canasta; mixed aces are free.

    The side's melds [52, 3] may be hypothetical; which ranks are dead is the position's.
    """
    wilds = meld[slot, TWOS] + meld[slot, JOKERS]
    size = meld[slot, NATURALS] + wilds
    if size == 0 or size >= rules.canasta_cards or (slot == ACE and wilds > 0):
        return False
    return bool(slot == WILD_MELD or rules.dead_melds_unfinished == 1 or not is_dead(rules, hand, slot))


# M-meld: where the table allows another wild meld, it follows a closed one.
@kernel
def second_wilds(rules: Rules, meld: Grid) -> int:
    """Return the cards in the second wild meld of one side's melds [52, 3].

    It is unfinished for good: twelve wilds less seven are no canasta.
    """
    if rules.most_melds == 1:
        return 0
    return meld[SECOND_WILD_MELD, TWOS] + meld[SECOND_WILD_MELD, JOKERS]


@kernel
def minimum(rules: Rules, hand: State, side: int) -> int:
    """Return the points a side's opening must reach (M-minimum, S-minimum, P-minimum).

    It follows the side's score when the hand began; each failed opening raises it until the hand ends.
    """
    line = 0
    while line < MINIMUM_LINES - 1 and hand.side[side, SCORE] >= rules.minimums[line, 0]:
        line += 1
    return rules.minimums[line, 1] + hand.side[side, FAILED] * rules.failed_opening_points


@kernel
def three_due(rules: Rules, hand: State) -> bool:
    """Say whether the actor holds a 3 that must be laid before anything else (M-threes, S-threes)."""
    actor = hand.turn[ACTOR]
    if hand.holding[actor, RED_THREE] > 0:
        return True
    return rules.black_threes_laid == 1 and hand.holding[actor, BLACK_THREE] > 0
