"""Why no play reaches an ended hand: what contradicts the rules or itself, one sentence a fault.

History is not asked for: what an opening needed, or whose cards are missing, cannot be seen at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from engine.cards import ACE, BLACK_THREE, COPIES, JOKER, KIND_TEXT, KINDS, RANKS, RED_THREE, SEVEN, TWO
from engine.rules.counts import canastas_of, is_unfinished, meld_size
from engine.ruleset import RuleSet
from engine.state import (
    BLACK,
    BLACK_MELD,
    BY_OUT,
    BY_STOCK,
    ENDED_BY,
    JOKERS,
    NATURALS,
    OUT_SEAT,
    RED,
    SLOTS,
    SPECIAL,
    TWOS,
    WILD_MELD,
    State,
)

_MELD_TEXT: Final = (*(f"meld of {text}" for text in KIND_TEXT[:RANKS]), "wild meld", "meld of 3s")


def faults(hand: State, rules: RuleSet) -> Iterator[str]:
    """Yield everything that is wrong with an ended hand."""
    yield from _card_faults(hand)
    yield from _three_faults(hand, rules)
    for side, slot in product(range(rules.sides), range(SLOTS)):
        if meld_size(hand, side, slot):
            place = f"side {side}, {_MELD_TEXT[slot]}"
            yield from (f"{place}: {fault}" for fault in _meld_faults(hand, rules, side, slot))
    if hand.turn[ENDED_BY] == BY_OUT:
        yield from _out_faults(hand, rules, int(hand.turn[OUT_SEAT]) % rules.sides)
    if hand.turn[SPECIAL] and not rules.special_hands:
        yield "special hands are not played here (M-special)"


def _card_faults(hand: State) -> Iterator[str]:
    """More of a kind than two packs hold."""
    seen = hand.holding[:, :KINDS].sum(axis=0)
    seen[:RANKS] += hand.meld[:, :RANKS, NATURALS].sum(axis=0)
    seen[TWO] += hand.meld[:, :, TWOS].sum()
    seen[JOKER] += hand.meld[:, :, JOKERS].sum()
    seen[RED_THREE] += hand.side[:, RED].sum()
    seen[BLACK_THREE] += hand.side[:, BLACK].sum() + hand.meld[:, BLACK_MELD, NATURALS].sum()
    for kind, copies in enumerate(COPIES):
        if seen[kind] > copies:
            yield f"{seen[kind]} cards of {KIND_TEXT[kind]}, there are {copies}"


def _three_faults(hand: State, rules: RuleSet) -> Iterator[str]:
    """3s that lie or are held where they cannot (M-threes, S-threes)."""
    if rules.black_threes_laid:
        holders = int(hand.holding[:, [RED_THREE, BLACK_THREE]].any(axis=1).sum())
        if holders > 1:
            yield "3s in two holdings: they stay only with who drew the last card of the stock (M-threes)"
        elif holders and hand.turn[ENDED_BY] != BY_STOCK:
            yield "a 3 in a holding ends the hand: nobody goes out or lays a special hand (M-threes)"
        return
    if hand.holding[:, RED_THREE].any():
        yield "a red 3 in a holding: they are laid at once (S-threes)"
    if hand.side[:, BLACK].any():
        yield "black 3s laid face up: only red ones are (S-threes)"


def _meld_faults(hand: State, rules: RuleSet, side: int, slot: int) -> Iterator[str]:
    """A meld of a size or make that its rule set does not know (M-meld, S-meld, S-threes)."""
    naturals, twos, jokers = map(int, hand.meld[side, slot])
    cards, wilds = naturals + twos + jokers, twos + jokers
    if cards < 3:
        yield f"{cards} cards, the least is 3"
    if slot == WILD_MELD:
        if not rules.wild_melds:
            yield "wild cards alone are no meld (S-meld)"
        elif cards > rules.largest_meld:
            yield f"{cards} cards, the most is {rules.largest_meld} (M-meld)"
        return
    if slot == BLACK_MELD:
        if not rules.black_three_melds:
            yield "3s are never melded (M-threes)"
        elif hand.turn[ENDED_BY] != BY_OUT or hand.turn[OUT_SEAT] % rules.sides != side:
            yield "black 3s are melded only in going out (S-threes)"
        if wilds:
            yield "black 3s hold no wild cards (S-threes)"
        return
    if cards > rules.largest_meld:
        yield f"{cards} cards, the most is {rules.largest_meld} (M-meld)"
    if naturals < 2:
        yield f"{naturals} natural cards, the least is 2"
    if wilds > rules.most_wilds:
        yield f"{wilds} wild cards, the most is {rules.most_wilds}"
    if rules.family == "modern" and slot == SEVEN and wilds:
        yield "sevens hold no wild cards (M-meld)"


def _out_faults(hand: State, rules: RuleSet, side: int) -> Iterator[str]:
    """A side that went out without what that needs (M-out, S-out, P-out)."""
    canastas = canastas_of(rules.numbers, hand.meld[side])
    if canastas < rules.canastas_needed:
        yield f"side {side} went out with {canastas} canastas, needed are {rules.canastas_needed}"
    for slot in (SEVEN, ACE, WILD_MELD):
        if rules.out_needs_finished and is_unfinished(rules.numbers, hand.meld[side], slot):
            yield f"side {side} went out with an unfinished {_MELD_TEXT[slot]} (M-out)"
