"""What a hand pays: the ledger of each side, whose seven parts sum to its points.

The only place that scores. Everything reads the hand's state and the rule set's record and writes into the
caller's row; all points are canasta totals.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from engine.cards import ACE, BLACK_THREE, HIDDEN, JOKER, RANKS, SEVEN, TWO
from engine.kernel import Row, kernel
from engine.rules.counts import canastas_of, is_unfinished, meld_size, second_wilds
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


@kernel
def canasta_kind(rules: Rules, hand: State, side: int, place: int) -> int:
    """Return the kind of a canasta, NATURAL..WILD, or -1 for a meld that is none (M-canasta, S-meld)."""
    slot = place % SLOTS
    if slot == BLACK_MELD or meld_size(hand, side, place) < rules.canasta_cards:
        return -1
    if slot == WILD_MELD:
        return WILD
    if hand.meld[side, place, TWOS] + hand.meld[side, place, JOKERS] > 0:
        return MIXED
    if rules.modern and slot == SEVEN:
        return SEVENS
    if rules.modern and slot == ACE:
        return ACES
    return NATURAL


@kernel
def canasta_points(rules: Rules, hand: State, side: int, place: int) -> int:
    """Return the bonus of a meld: 0 unless it is a canasta (M-canasta, S-meld)."""
    kind = canasta_kind(rules, hand, side, place)
    if kind == NATURAL:
        return rules.natural_points
    if kind == MIXED:
        return rules.mixed_points
    if kind == SEVENS:
        return rules.sevens_points
    if kind == ACES:
        return rules.aces_points
    if kind == WILD:
        jokers = hand.meld[side, place, JOKERS]
        if jokers == 0:
            return rules.wild_seven_twos_points
        if jokers == 4:
            return rules.wild_four_jokers_points
        return rules.wild_points
    return 0


@kernel
def _laid_special(hand: State, side: int) -> bool:
    return bool(hand.turn[SPECIAL] > 0 and hand.turn[OUT_SEAT] % hand.turn[SIDES] == side)


@kernel
def _counts_alone(rules: Rules, hand: State, side: int) -> bool:
    """Say whether a side laid a special hand whose value replaces all else (M-special)."""
    return bool(rules.special_alone and _laid_special(hand, side))


@kernel
def count_canastas(rules: Rules, hand: State, side: int, counts: Row) -> None:
    """Fill `counts` [5] with a side's canastas, NATURAL..WILD; beside a special hand alone none counts."""
    counts[:] = 0
    if _counts_alone(rules, hand, side):
        return
    for place in range(SLOTS * rules.most_melds):
        kind = canasta_kind(rules, hand, side, place)
        if kind >= 0:
            counts[kind] += 1


@kernel
def meld_points(rules: Rules, hand: State, side: int) -> int:
    """Sum the card values of a side's melds."""
    points = 0
    for place in range(SLOTS * rules.most_melds):
        slot, meld = place % SLOTS, hand.meld[side, place]
        points += meld[TWOS] * rules.card_points[TWO] + meld[JOKERS] * rules.card_points[JOKER]
        if slot < RANKS:
            points += meld[NATURALS] * rules.card_points[slot]
        elif slot == BLACK_MELD:
            points += meld[NATURALS] * rules.card_points[BLACK_THREE]
    return points


@kernel
def three_points(rules: Rules, hand: State, side: int, canastas: int) -> int:
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
        if meld_size(hand, side, slot) > 0:
            return points
    return -points


@kernel
def _lies_down(hand: State, seat: int) -> bool:
    return bool(hand.turn[SPECIAL] > 0 and hand.turn[OUT_SEAT] == seat)


@kernel
def holding_points(rules: Rules, hand: State, seat: int) -> int:
    """Sum the card values that a seat still holds; a special hand is laid, not held."""
    points = 0
    if _lies_down(hand, seat):
        return points
    for kind in range(HIDDEN):
        points += hand.holding[seat, kind] * rules.card_points[kind]
    return points


@kernel
def penalty_points(rules: Rules, hand: State, side: int) -> int:
    """Sum a side's penalties, whatever its canastas (M-score); the classic rule sets set them to 0."""
    points = 0
    if is_unfinished(rules, hand, hand.meld[side], SEVEN):
        points += rules.unfinished_sevens_points
    if is_unfinished(rules, hand, hand.meld[side], ACE):
        points += rules.unfinished_aces_points
    if is_unfinished(rules, hand, hand.meld[side], WILD_MELD) or second_wilds(rules, hand.meld[side]) > 0:
        points += rules.unfinished_wild_points
    for seat in range(side, hand.turn[SEATS], hand.turn[SIDES]):
        if _lies_down(hand, seat):
            continue
        kinds = int(hand.holding[seat, ACE] >= rules.held_cards) + int(
            hand.holding[seat, SEVEN] >= rules.held_cards
        )
        points += rules.held_points * (kinds if rules.held_penalties_add else min(kinds, 1))
    return points


@kernel
def score_side(rules: Rules, hand: State, side: int, ledger: Row) -> None:
    """Fill `ledger` [7] with what the hand pays a side (M-score, S-score, M-special).

    A side that laid a special hand gets its value, and nothing else where the table says so; the other side
    scores as ever.
    """
    ledger[:] = 0
    if _laid_special(hand, side):
        ledger[SPECIAL_HAND] = rules.special_points[hand.turn[SPECIAL] - 1]
    if _counts_alone(rules, hand, side):
        return
    canastas = canastas_of(rules, hand.meld[side])
    for place in range(SLOTS * rules.most_melds):
        ledger[CANASTAS] += canasta_points(rules, hand, side, place)
    ledger[THREES] = three_points(rules, hand, side, canastas)
    if hand.turn[ENDED_BY] == BY_OUT and hand.turn[OUT_SEAT] % hand.turn[SIDES] == side:
        ledger[GOING_OUT] = rules.concealed_points if hand.turn[CONCEALED] else rules.going_out_points
    melds = meld_points(rules, hand, side)
    ledger[MELDS] = -melds if rules.modern and canastas == 0 else melds
    for seat in range(side, hand.turn[SEATS], hand.turn[SIDES]):
        ledger[HOLDINGS] -= holding_points(rules, hand, seat)
    ledger[PENALTIES] = -penalty_points(rules, hand, side)


# M-game, S-game, P-game.
#: What `game_winner` says of a game that goes on, and of one that ends without a winner.
PLAYS_ON: Final = -2
DRAWN_GAME: Final = -1


@kernel
def game_winner(rules: Rules, scores: Row, hand_no: int, dream_side: int) -> int:
    """Return the side that has won the game after a hand, `DRAWN_GAME` or `PLAYS_ON`.

    The highest score wins once it has reached the target, or with the last hand of a limited game. Level
    scores play on, or are a draw: in that last hand, and where the table says so. A Dream hand wins at once
    (M-special).

    Args:
        rules: The rule set.
        scores: Each side's score after the hand [sides or more].
        hand_no: The hand's number in its game, from 1.
        dream_side: The side that laid a Dream hand, else -1.
    """
    if dream_side >= 0:
        return dream_side
    best, is_level = 0, False
    for side in range(1, rules.sides):
        if scores[side] >= scores[best]:
            is_level = scores[side] == scores[best]
            best = side
    is_last = 0 < rules.hand_limit <= hand_no
    if scores[best] < rules.target and not is_last:
        return PLAYS_ON
    if is_level:
        return DRAWN_GAME if is_last or not rules.level_plays_on else PLAYS_ON
    return best


def ledgers(rules: Rules, hand: State) -> tuple[Ledger, ...]:
    """Return what the hand pays each side, as it stands."""
    row = np.zeros(PARTS, np.int64)
    result = []
    for side in range(int(hand.turn[SIDES])):
        score_side(rules, hand, side, row)
        result.append(Ledger(*map(int, row)))
    return tuple(result)


def canastas(rules: Rules, hand: State) -> tuple[Canastas, ...]:
    """Return each side's canastas by kind."""
    row = np.zeros(CANASTA_KINDS, np.int64)
    result = []
    for side in range(int(hand.turn[SIDES])):
        count_canastas(rules, hand, side, row)
        result.append(Canastas(*map(int, row)))
    return tuple(result)
