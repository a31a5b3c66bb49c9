"""What a hand pays: the ledger of each side, whose seven parts sum to its points.

The only place that scores. Everything reads the hand's state and the rule set's record and writes into the
caller's row; all points are canasta totals.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from engine.cards import ACE, BLACK_THREE, HIDDEN, JOKER, RANKS, SEVEN, TWO
from engine.jit import jit
from engine.ruleset import Rules
from engine.state import (
    BLACK,
    BLACK_MELD,
    BY_OUT,
    CONCEALED,
    ENDED_BY,
    JOKERS,
    NATURALS,
    OUT_SEAT,
    RED,
    SEATS,
    SIDES,
    SLOTS,
    SPECIAL,
    TWOS,
    WILD_MELD,
    Ints,
    State,
)

# Columns of a ledger row.
CANASTAS: Final = 0
THREES: Final = 1
GOING_OUT: Final = 2
MELDS: Final = 3
HOLDINGS: Final = 4
PENALTIES: Final = 5
SPECIAL_HAND: Final = 6
PARTS: Final = 7

# Columns of a row of canasta counts. Sevens, aces and wild ones are kinds of their own in modern_american.
NATURAL: Final = 0
MIXED: Final = 1
SEVENS: Final = 2
ACES: Final = 3
WILD: Final = 4
CANASTA_KINDS: Final = 5


class Ledger(NamedTuple):
    """A side's points of one hand, part by part."""

    canastas: int
    threes: int
    going_out: int
    melds: int
    holdings: int
    penalties: int
    special: int

    @property
    def points(self) -> int:
        """What the side gets."""
        return sum(self)


class Canastas(NamedTuple):
    """A side's canastas by kind."""

    natural: int
    mixed: int
    sevens: int
    aces: int
    wild: int


@jit
def meld_cards(hand: State, side: int, slot: int) -> int:
    """Count the cards of a meld."""
    meld = hand.meld[side, slot]
    return int(meld[NATURALS] + meld[TWOS] + meld[JOKERS])


@jit
def canasta_kind(hand: State, rules: Rules, side: int, slot: int) -> int:
    """Return the kind of a canasta, NATURAL..WILD, or -1 for a meld that is none (M-canasta, S-meld)."""
    if slot == BLACK_MELD or meld_cards(hand, side, slot) < rules.canasta_cards:
        return -1
    if slot == WILD_MELD:
        return WILD
    if hand.meld[side, slot, TWOS] + hand.meld[side, slot, JOKERS] > 0:
        return MIXED
    if rules.modern and slot == SEVEN:
        return SEVENS
    if rules.modern and slot == ACE:
        return ACES
    return NATURAL


@jit
def canasta_points(hand: State, rules: Rules, side: int, slot: int) -> int:
    """Return the bonus of a meld: 0 unless it is a canasta (M-canasta, S-meld)."""
    kind = canasta_kind(hand, rules, side, slot)
    if kind == NATURAL:
        return rules.natural_points
    if kind == MIXED:
        return rules.mixed_points
    if kind == SEVENS:
        return rules.sevens_points
    if kind == ACES:
        return rules.aces_points
    if kind == WILD:
        jokers = hand.meld[side, slot, JOKERS]
        if jokers == 0:
            return rules.wild_seven_twos_points
        if jokers == 4:
            return rules.wild_four_jokers_points
        return rules.wild_points
    return 0


@jit
def count_canastas(hand: State, rules: Rules, side: int) -> int:
    """Count a side's canastas of every kind."""
    count = 0
    for slot in range(SLOTS):
        if canasta_kind(hand, rules, side, slot) >= 0:
            count += 1
    return count


@jit
def count_canastas_by_kind(hand: State, rules: Rules, side: int, counts: Ints) -> None:
    """Fill `counts` [5] with a side's canastas, NATURAL..WILD."""
    counts[:] = 0
    for slot in range(SLOTS):
        kind = canasta_kind(hand, rules, side, slot)
        if kind >= 0:
            counts[kind] += 1


@jit
def meld_points(hand: State, rules: Rules, side: int) -> int:
    """Sum the card values of a side's melds."""
    points = 0
    for slot in range(SLOTS):
        meld = hand.meld[side, slot]
        points += meld[TWOS] * rules.card_points[TWO] + meld[JOKERS] * rules.card_points[JOKER]
        if slot < RANKS:
            points += meld[NATURALS] * rules.card_points[slot]
        elif slot == BLACK_MELD:
            points += meld[NATURALS] * rules.card_points[BLACK_THREE]
    return points


@jit
def three_points(hand: State, rules: Rules, side: int, canastas: int) -> int:
    """Return what the 3s on the table pay or cost (M-threes, S-threes, P-threes).

    Modern: both colours, minus without a canasta, nothing with one, plus with two. Classic: red ones, minus
    without a meld.
    """
    points = 0
    for colour in (RED, BLACK):
        laid = hand.side[side, colour]
        if laid > 0:
            points += rules.three_points[laid - 1]
    if rules.modern:
        return points * min(canastas - 1, 1)
    for slot in range(SLOTS):
        if meld_cards(hand, side, slot) > 0:
            return points
    return -points


@jit
def holding_points(hand: State, rules: Rules, seat: int) -> int:
    """Sum the card values that a seat still holds."""
    points = 0
    for kind in range(HIDDEN):
        points += hand.holding[seat, kind] * rules.card_points[kind]
    return points


@jit
def is_unfinished(hand: State, rules: Rules, side: int, slot: int) -> bool:
    """Tell whether a meld of 7s, natural aces or wilds is begun and no canasta; aces with a wild are free."""
    cards = meld_cards(hand, side, slot)
    if slot == ACE and hand.meld[side, slot, NATURALS] < cards:
        return False
    return bool(0 < cards < rules.canasta_cards)


@jit
def penalty_points(hand: State, rules: Rules, side: int) -> int:
    """Sum a side's penalties, whatever its canastas (M-score); the classic rule sets set them to 0."""
    points = 0
    if is_unfinished(hand, rules, side, SEVEN):
        points += rules.unfinished_sevens_points
    if is_unfinished(hand, rules, side, ACE):
        points += rules.unfinished_aces_points
    if is_unfinished(hand, rules, side, WILD_MELD):
        points += rules.unfinished_wild_points
    for seat in range(side, hand.turn[SEATS], hand.turn[SIDES]):
        kinds = int(hand.holding[seat, ACE] >= rules.held_cards) + int(
            hand.holding[seat, SEVEN] >= rules.held_cards
        )
        points += rules.held_points * (kinds if rules.held_penalties_add else min(kinds, 1))
    return points


@jit
def score_side(hand: State, rules: Rules, side: int, ledger: Ints) -> None:
    """Fill `ledger` [7] with what the hand pays a side (M-score, S-score, M-special).

    A side that laid a special hand gets its value and nothing else; the other side scores as ever.
    """
    ledger[:] = 0
    out_seat = hand.turn[OUT_SEAT]
    is_ending_side = out_seat >= 0 and out_seat % hand.turn[SIDES] == side
    if hand.turn[SPECIAL] > 0 and is_ending_side:
        ledger[SPECIAL_HAND] = rules.special_points[hand.turn[SPECIAL] - 1]
        return
    canastas = count_canastas(hand, rules, side)
    for slot in range(SLOTS):
        ledger[CANASTAS] += canasta_points(hand, rules, side, slot)
    ledger[THREES] = three_points(hand, rules, side, canastas)
    if hand.turn[ENDED_BY] == BY_OUT and is_ending_side:
        ledger[GOING_OUT] = rules.concealed_points if hand.turn[CONCEALED] else rules.going_out_points
    melds = meld_points(hand, rules, side)
    ledger[MELDS] = -melds if rules.modern and canastas == 0 else melds
    for seat in range(side, hand.turn[SEATS], hand.turn[SIDES]):
        ledger[HOLDINGS] -= holding_points(hand, rules, seat)
    ledger[PENALTIES] = -penalty_points(hand, rules, side)


def ledgers(hand: State, rules: Rules) -> tuple[Ledger, ...]:
    """Return what the hand pays each side, as it stands."""
    row = np.zeros(PARTS, np.int64)
    result = []
    for side in range(int(hand.turn[SIDES])):
        score_side(hand, rules, side, row)
        result.append(Ledger(*map(int, row)))
    return tuple(result)


def canastas(hand: State, rules: Rules) -> tuple[Canastas, ...]:
    """Return each side's canastas by kind."""
    row = np.zeros(CANASTA_KINDS, np.int64)
    result = []
    for side in range(int(hand.turn[SIDES])):
        count_canastas_by_kind(hand, rules, side, row)
        result.append(Canastas(*map(int, row)))
    return tuple(result)
