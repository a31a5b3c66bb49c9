"""The generator against brute force: what is offered is legal, and what is legal is offered."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from engine.actions import Discard, Group, Meld, Move, TakePile
from engine.cards import COPIES, KIND_TEXT, RANKS
from engine.hand import HandState

NATURALS = KIND_TEXT[:RANKS]
DECK = [text for text, copies in zip(KIND_TEXT, COPIES, strict=False) for _ in range(copies) if text != "3r"]


def groups_on(rank: str, holding: str) -> Iterator[Group | None]:
    """Yield no group, then every group of a rank (``W`` for wilds) that the holding has the cards for."""
    natural = {"W": "", "3": "3b"}.get(rank, rank)
    yield None
    for naturals in range(holding.count(natural) + 1 if natural else 1):
        for twos, jokers in product(range(holding.count("2") + 1), range(holding.count("*") + 1)):
            cards = (natural,) * naturals + ("2",) * twos + ("*",) * jokers
            if cards:
                yield Group(rank, cards)


def sets_of_groups(holding: str, melded: str) -> Iterator[tuple[Group, ...]]:
    """Yield every way to lay groups of different ranks from a holding, wilds alone on melded ranks too."""
    ranks = [rank for rank in NATURALS if rank in holding + melded]
    ranks += ["W"] * ("2" in holding or "*" in holding)
    ranks += ["3"] * ("3b" in holding)

    def extend(place: int, laid: tuple[Group, ...]) -> Iterator[tuple[Group, ...]]:
        if place == len(ranks):
            yield laid
            return
        for group in groups_on(ranks[place], holding):
            more = laid if group is None else (*laid, group)
            wilds = [card for one in more for card in one.cards]
            if wilds.count("2") <= holding.count("2") and wilds.count("*") <= holding.count("*"):
                yield from extend(place + 1, more)

    return extend(0, ())


def with_groups(hand: HandState, groups: tuple[Group, ...]) -> Move:
    """Lay groups from the holding, or by the pile with the group of its top rank first."""
    if hand.phase == "play":
        return Meld(0, groups)
    pile = hand.position()["pile"].replace("3b", "3").replace("3r", "3")
    ordered = sorted(groups, key=lambda group: group.rank != pile[-1])
    return TakePile(0, pile[-1], len(pile), tuple(ordered))


def legal_by_trying(hand: HandState) -> set[Move]:
    """Return every legal way to lay groups, of the openings the minimal ones."""
    position = hand.position()
    holding, opened = position["holdings"][0], position["opened_by"][0] is not None
    legal = set()
    for groups in sets_of_groups(holding, "".join(position["melds"][0])):
        if opened and len(groups) > 1:
            continue
        if (groups or hand.phase == "draw") and hand.is_legal(with_groups(hand, groups)):
            fewer = [tuple(one for one in groups if one is not group) for group in groups]
            if opened or not any(one and hand.is_legal(with_groups(hand, one)) for one in fewer):
                legal.add(with_groups(hand, groups))
    return legal


def random_position(rng: random.Random, ruleset: str, phase: str, opened: bool) -> HandState:
    deck = rng.sample(DECK, len(DECK))
    # Few ranks, so that groups are common.
    few = rng.sample(NATURALS, 4)
    own = sorted([card for card in deck if card in few or card in "2*"][:10])
    position: dict[str, Any] = {
        "ruleset": ruleset,
        "holdings": ["".join(own), 11, 11, 11],
        "phase": phase,
        "score_before": [rng.choice([0, -500, 3000]), 0],
        "pile": rng.choice(NATURALS) + (rng.choice(few) if phase == "draw" else ""),
    }
    if opened:
        position["melds"] = [[rank * 3 for rank in few[:2]], []]
        position["holdings"][0] = "".join(own[:8])
    return HandState.from_position(position)


@pytest.mark.parametrize("opened", [False, True], ids=["unopened", "opened"])
@pytest.mark.parametrize("phase", ["draw", "play"])
@pytest.mark.parametrize("ruleset", ["modern_american", "classic_salon", "classic_partnership"])
def test_every_legal_way_to_lay_cards_is_generated(ruleset: str, phase: str, opened: bool) -> None:
    rng = random.Random(f"{ruleset} {phase} {opened}")
    laid = 0
    for _ in range(4):
        hand = random_position(rng, ruleset, phase, opened)
        offered = {move for move in hand.legal_actions() if isinstance(move, Meld | TakePile)}
        assert offered == legal_by_trying(hand), hand.position()
        laid += len(offered)
    assert laid > 0


@pytest.mark.parametrize("ruleset", ["modern_american", "classic_salon", "classic_partnership"])
def test_every_legal_discard_is_generated(ruleset: str) -> None:
    rng = random.Random(ruleset)
    for _ in range(20):
        hand = random_position(rng, ruleset, "play", opened=True)
        offered = {move for move in hand.legal_actions() if isinstance(move, Discard)}
        assert offered == {move for card in KIND_TEXT[:15] if hand.is_legal(move := Discard(0, card))}


# Counted by hand. A position a line: what is held, what is melded, the phase, the pile and how many actions.
PERFT = {
    # A draw; the pair of the top rank takes the pile; there is no own meld.
    "a draw or the pile": ("modern_american", "QQ4", ["555"], "draw", "7Q", 2),
    # Onto the own meld with or without the pair.
    "onto the own meld too": ("modern_american", "QQ4", ["QQQ"], "draw", "7Q", 3),
    # One discard a kind; a 4 added; two 4s added. Three 4s would leave nothing to discard.
    "additions and discards": ("modern_american", "4445", ["444"], "play", "7", 4),
    # Three kinds to discard: the wild may not go while naturals are held.
    "no wild is discarded": ("modern_american", "4562", ["999"], "play", "7", 3),
    # 4 onto 444, the 2 or the joker onto it; KK2, KK* new; K, K, 4, 2, * to discard (one a kind).
    "classic wilds": ("classic_salon", "KK42*9", ["444"], "play", "7", 15),
}


@pytest.mark.parametrize("case", PERFT)
def test_legal_actions_are_counted_right(case: str) -> None:
    ruleset, holding, melds, phase, pile, count = PERFT[case]
    hand = HandState.from_position(
        {
            "ruleset": ruleset,
            "holdings": [holding, 11, 11, 11],
            "melds": [melds, []],
            "phase": phase,
            "pile": pile,
        }
    )
    assert len(hand.legal_actions()) == count
