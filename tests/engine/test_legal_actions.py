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
from engine.notation import parse_event

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


# Counted by hand. A position a line: what is held, what is melded, the phase, the pile, what else is not as
# usual, and how many actions.
PERFT: dict[str, tuple[str, str, list[str], str, str, dict[str, Any], int]] = {
    # A draw; the pair of the top rank takes the pile; there is no own meld.
    "a draw or the pile": ("modern_american", "QQ4", ["555"], "draw", "7Q", {}, 2),
    # Onto the own meld with or without the pair.
    "onto the own meld too": ("modern_american", "QQ4", ["QQQ"], "draw", "7Q", {}, 3),
    # One discard a kind; a 4 added; two 4s added. Three 4s would leave nothing to discard.
    "additions and discards": ("modern_american", "4445", ["444"], "play", "7", {}, 4),
    # Three kinds to discard: the wild may not go while naturals are held.
    "no wild is discarded": ("modern_american", "4562", ["999"], "play", "7", {}, 3),
    # 125 with a clean triple. On AAA (60): KK*, KK2*, KKK*, KKK2*. On KKK (30): AA2*, AAA*, AAA2*. Discards:
    # A, K, 5, 9.
    "a modern opening": ("modern_american", "AAAKKK2*59", [], "play", "7", {}, 7 + 4),
    # The top card counts for nothing, so AAA (60) is the clean triple; QQ* (70) or QQ2* (90) with it. A draw.
    "a modern opening by the pile": ("modern_american", "QQAAA2*59", [], "draw", "7Q", {}, 2 + 1),
    # Neither the question nor a special hand after a meld: K onto KKK*, discards K, 5 and 9.
    "an opening turn": (
        "modern_american", "K59", ["AAA", "KKK*"], "play", "7", {"acted": True, "bonus": 4}, 1 + 3
    ),
    # The four cards are drawn, nothing else.
    "the talon's bonus": ("modern_american", "K59", ["AAA", "KKK*"], "after", "7", {"bonus": 4}, 1),
    # Seven pairs, none of 7s or aces: one special hand. A discard of each of seven ranks. No triple opens.
    "a special hand": ("modern_american", "4455668899TTJJ", [], "play", "Q", {}, 1 + 7),
    # The question; K onto KKK, which leaves 9 to go out with; discards K and 9.
    "may I go out": ("modern_american", "K9", ["Q" * 7, "J" * 7, "KKK"], "play", "7", {}, 1 + 1 + 2),
    # The partner says yes or no.
    "an answer": ("modern_american", "K9", ["Q" * 7, "J" * 7, "KKK"], "answer", "7", {"asked": [0]}, 2),
    # Only K onto KKK leads out.
    "the answer was yes": (
        "modern_american", "K9", ["Q" * 7, "J" * 7, "KKK"], "play", "7", {"asked": [0], "question": "yes"}, 1
    ),
    # Only the discards do not lead out.
    "the answer was no": (
        "modern_american", "K9", ["Q" * 7, "J" * 7, "KKK"], "play", "7", {"asked": [0], "question": "no"}, 2
    ),
    # Onto 444: 4, 2, *, 42, 4*, 2*, 42*. New: KK2, KK*, KK2*. Discards K, 4, 2, *, 9.
    "classic wilds": ("classic_salon", "KK42*9", ["444"], "play", "7", {}, 7 + 3 + 5),
    # A draw; by the top card alone, by KK, by K and a 2, by K and a joker.
    "a pile in four ways": ("classic_partnership", "KK2*49", ["KKK"], "draw", "7K", {}, 1 + 4),
    # A wild freezes it: KK alone.
    "a frozen pile": ("classic_partnership", "KK2*49", ["KKK"], "draw", "2K", {}, 1 + 1),
    # The top card counts: KK2 (50), KK* (80) and KK2* (100) reach 50, KK (30) does not.
    "an opening by the pile": ("classic_partnership", "KK2*49", [], "draw", "7K", {}, 1 + 3),
    # 50 at 0. One group: QQ* (70), QQ2* (90), QQQ2 (50), QQQ* (80), QQQ2* (100), 44* (60), 442* (80). Two, of
    # which neither does: QQQ (30) with 442 (30). Discards Q, 4, 2, *, 9, T.
    "a partnership opening": ("classic_partnership", "QQQ442*9T", [], "play", "7", {}, 7 + 1 + 6),
    # K onto KKK, or KK and then 4 is discarded; discards K and 4.
    "going out by a discard": ("classic_partnership", "KK4", ["Q" * 7, "KKK"], "play", "7", {}, 2 + 2),
    # Without a canasta two cards stay: K onto KKK; discards K and 4.
    "no canasta yet": ("classic_partnership", "KK4", ["KKK"], "play", "7", {}, 1 + 2),
    # Three black 3s, then one may go or stay; all four, then 4 is discarded. Discards 3b and 4.
    "black 3s go out": ("classic_partnership", "3b3b3b3b4", ["K" * 7], "play", "7", {}, 2 + 2),
    # Onto KKK: K, KK, 2, K2, KK2. Beside it: KK2. Discards K, 2, 4, 5, 6.
    "another meld of kings": (
        "classic_salon", "KK2456", ["KKK"], "play", "7", {"options": {"one_meld_a_rank": False}}, 5 + 1 + 5
    ),
    # A draw; onto either meld the top card alone or with KK; KK and the top card as a third.
    "a pile for three melds": (
        "classic_salon", "KK2456", ["KKK", "KK2"], "draw", "7K", {"options": {"one_meld_a_rank": False}}, 6
    ),
    # 222 beside the closed wild meld; discards 4, 5, 6. Without the option, the discards.
    "another wild meld": (
        "modern_american", "222456", ["QQQ", "22222**"], "play", "7", {"options": {"one_wild_meld": False}}, 4
    ),
    "one wild meld": ("modern_american", "222456", ["QQQ", "22222**"], "play", "7", {}, 3),
}  # fmt: skip


#: Holdings from which tens of thousands of sets of groups can be laid, and an opening among the last of them.
LARGE = [
    ("classic_salon", "44445555666677772222****", 3000, "0m5552+4444+7722+666"),
    ("modern_american", "4445556669998882222****", 5000, "0m8822+99922+666*+444"),
]


@pytest.mark.parametrize(("ruleset", "holding", "score", "event"), LARGE)
def test_no_opening_from_a_large_holding_is_left_out(
    ruleset: str, holding: str, score: int, event: str
) -> None:
    hand = HandState.from_position(
        {"ruleset": ruleset, "holdings": [holding, 3, 3, 3], "score_before": [score, 0]}
    )
    listed = [set(map(str, move.groups)) for move in hand.legal_actions() if isinstance(move, Meld)]
    opening = parse_event(event, cards="rank")
    assert isinstance(opening, Meld)
    assert hand.is_legal(opening)
    assert set(map(str, opening.groups)) in listed


@pytest.mark.parametrize("case", PERFT)
def test_legal_actions_are_counted_right(case: str) -> None:
    ruleset, holding, melds, phase, pile, more, count = PERFT[case]
    hand = HandState.from_position(
        {
            "ruleset": ruleset,
            "holdings": [holding, 11, 11, 11],
            "melds": [melds, []],
            "phase": phase,
            "pile": pile,
            **more,
        }
    )
    assert len(hand.legal_actions()) == count
