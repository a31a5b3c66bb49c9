"""Why no play reaches an ended hand: what contradicts the rules or itself, one sentence a fault.

History is not asked for: what an opening needed, or whose cards are missing, cannot be seen at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final, NamedTuple

import numpy as np

from engine.cards import ACE, BLACK_THREE, COPIES, JOKER, KIND_TEXT, KINDS, RANKS, RED_THREE, SEVEN, TWO
from engine.rules.counts import canastas_of, is_unfinished, kind_of_slot, meld_size, second_wilds
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
    PILE,
    PLACES,
    RED,
    SECOND_WILD_MELD,
    SLOTS,
    SPECIAL,
    SPECIAL_HANDS,
    STOCK,
    TWOS,
    WILD_MELD,
    Ints,
    State,
)


class Shape(NamedTuple):
    """What a special hand consists of: natural groups of different ranks, and wild cards.

    Attributes:
        groups: Sizes of the natural groups, but for the pairs of aces and sevens.
        twos, jokers: Of each kind at least.
        wilds: Of both together.
        aces_and_sevens: Whether a pair of each belongs to it.
    """

    groups: tuple[int, ...]
    twos: int = 0
    jokers: int = 0
    wilds: int = 0
    aces_and_sevens: bool = False


def _matching(groups: tuple[int, ...], wilds: int, **more: bool) -> tuple[Shape, Shape]:
    """Return a shape with so many twos or so many jokers."""
    return Shape(groups, twos=wilds, **more), Shape(groups, jokers=wilds, **more)


def _run(*sizes: int) -> tuple[Shape, ...]:
    """Return natural groups of these sizes, one of which may be of matching wilds."""
    shapes = [Shape(sizes)]
    for place, size in enumerate(sizes):
        shapes += _matching(sizes[:place] + sizes[place + 1 :], size)
    return tuple(shapes)


#: What each special hand may consist of (M-special), as `engine.rules.special` judges it.
SPECIAL_SHAPES: Final[dict[str, tuple[Shape, ...]]] = {
    "pairs": (Shape((2,) * 7),),
    "wild_pairs": _matching((2,) * 4, 2, aces_and_sevens=True),
    "miami_pairs": (Shape((2,) * 3, twos=2, jokers=2, aces_and_sevens=True),),
    "zip_code": _run(2, 2, 3, 3, 4),
    "garbage": (Shape((4, 4, 3, 3)),),
    "blast_off": _run(5, 4, 3, 2),
    "triples": _matching((3,) * 4, 2),
    "quads": _matching((4,) * 3, 2),
    "dream_4": _matching((5, 5), 4),
    "dream_5": (Shape((5, 4), wilds=5),),
}

_MELD_TEXT: Final = (*(f"meld of {text}" for text in KIND_TEXT[:RANKS]), "wild meld", "meld of 3s")


def faults(hand: State, rules: RuleSet) -> Iterator[str]:
    """Yield everything that is wrong with an ended hand."""
    yield from _card_faults(hand)
    yield from _three_faults(hand, rules)
    for side, place in product(range(rules.sides), range(PLACES)):
        text = f"side {side}, {_MELD_TEXT[place % SLOTS]}"
        yield from (f"{text}: {fault}" for fault in meld_faults(rules, place, hand.meld[side]))
    yield from _black_meld_faults(hand, rules)
    if hand.turn[ENDED_BY] == BY_OUT:
        yield from _out_faults(hand, rules, int(hand.turn[OUT_SEAT]) % rules.sides)
    if hand.turn[SPECIAL]:
        yield from _special_faults(hand, rules)


def cards_seen(hand: State) -> Ints:
    """Count the cards that a position names, by kind [16], hidden ones last."""
    seen: Ints = hand.holding.sum(axis=0)
    for kinds in (hand.pile[: hand.turn[PILE]], hand.stock[: hand.turn[STOCK]]):
        for kind in kinds:
            seen[kind] += 1
    for slot in range(SLOTS):
        if slot != WILD_MELD:
            seen[kind_of_slot(slot)] += hand.meld[:, slot::SLOTS, NATURALS].sum()
    seen[TWO] += hand.meld[:, :, TWOS].sum()
    seen[JOKER] += hand.meld[:, :, JOKERS].sum()
    seen[RED_THREE] += hand.side[:, RED].sum()
    seen[BLACK_THREE] += hand.side[:, BLACK].sum()
    return seen


def _card_faults(hand: State) -> Iterator[str]:
    """More of a kind than two packs hold."""
    for kind, (cards, copies) in enumerate(zip(cards_seen(hand)[:KINDS], COPIES, strict=True)):
        if cards > copies:
            yield f"{cards} cards of {KIND_TEXT[kind]}, there are {copies}"


def _special_faults(hand: State, rules: RuleSet) -> Iterator[str]:
    """A special hand that is not played, or whose cards the others hold (M-special)."""
    if not rules.special_hands:
        yield "special hands are not played here (M-special)"
        return
    name = SPECIAL_HANDS[hand.turn[SPECIAL] - 1]
    left = np.maximum(np.array(COPIES) - cards_seen(hand)[:KINDS], 0)
    if not any(_can_be_made(shape, left) for shape in SPECIAL_SHAPES[name]):
        yield f"the cards that are left make no {name} (M-special)"


def _can_be_made(shape: Shape, left: Ints) -> bool:
    """Say whether cards are left for a shape: its pairs of aces and sevens, then the largest groups first."""
    ranks = left[:RANKS].copy()
    if shape.aces_and_sevens:
        if min(ranks[ACE], ranks[SEVEN]) < 2:
            return False
        ranks[[ACE, SEVEN]] = 0
    most = sorted(ranks.tolist(), reverse=True)
    groups = sorted(shape.groups, reverse=True)
    if any(size > cards for size, cards in zip(groups, most, strict=False)):
        return False
    twos, jokers = int(left[TWO]), int(left[JOKER])
    return twos >= shape.twos and jokers >= shape.jokers and twos + jokers >= shape.wilds


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


def meld_faults(rules: RuleSet, place: int, melds: Ints) -> Iterator[str]:
    """Yield what is wrong with one of a side's melds [52, 3]; nothing where there is none."""
    naturals, twos, jokers = map(int, melds[place])
    cards, wilds, slot = naturals + twos + jokers, twos + jokers, place % SLOTS
    if cards == 0:
        return
    if cards < 3:
        yield f"{cards} cards, the least is 3"
    if slot == WILD_MELD:
        if not rules.wild_melds:
            yield "wild cards alone are no meld (S-meld)"
        elif cards > rules.largest_meld:
            yield f"{cards} cards, the most is {rules.largest_meld} (M-meld)"
        elif place == SECOND_WILD_MELD and melds[WILD_MELD].sum() < rules.canasta_cards:
            yield "a second one follows a closed one (M-meld)"
        return
    if slot == BLACK_MELD:
        if not rules.black_three_melds:
            is_modern = rules.family == "modern"
            yield "3s are never melded (M-threes)" if is_modern else "black 3s are not melded here (S-threes)"
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


def _black_meld_faults(hand: State, rules: RuleSet) -> Iterator[str]:
    """Black 3s melded by a side that did not go out (S-threes)."""
    for side in range(rules.sides):
        went_out = hand.turn[ENDED_BY] == BY_OUT and hand.turn[OUT_SEAT] % rules.sides == side
        if meld_size(hand, side, BLACK_MELD) and rules.black_three_melds and not went_out:
            yield f"side {side}: black 3s are melded only in going out (S-threes)"


def _out_faults(hand: State, rules: RuleSet, side: int) -> Iterator[str]:
    """A side that went out without what that needs (M-out, S-out, P-out)."""
    canastas = canastas_of(rules.numbers, hand.meld[side])
    if canastas < rules.canastas_needed:
        yield f"side {side} went out with {canastas} canastas, needed are {rules.canastas_needed}"
    if not rules.out_needs_finished:
        return
    for slot in (SEVEN, ACE, WILD_MELD):
        if is_unfinished(rules.numbers, hand, hand.meld[side], slot):
            yield f"side {side} went out with an unfinished {_MELD_TEXT[slot]} (M-out)"
    if second_wilds(rules.numbers, hand.meld[side]):
        yield f"side {side} went out with an unfinished second wild meld (M-out)"
