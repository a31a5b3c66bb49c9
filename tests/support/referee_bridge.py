"""Show the engine a position of the referee's hand, and list by trial what the referee allows there."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

from tests.engine.referee import Hand
from tests.engine.referee_cards import NATURALS, WILDS, count_kinds, kind, rank_of
from tests.engine.referee_score import SPECIAL_POINTS
from tests.support.referee_play import Shape, numbered, text_of

#: A play as both sides name it: the verb with its card, and the groups laid.
Play = tuple[str, frozenset[str]]


def engine_position(hand: Hand) -> dict[str, Any]:
    """Write a rank-only hand of the referee as an engine position; the stock is a number of hidden cards."""
    drawing = hand.phase == "draw"
    return {
        "ruleset": hand.ruleset,
        "options": hand.record["options"],
        "holdings": [text_of(holding) for holding in hand.holdings],
        "melds": [[text_of(cards) for cards in melds.values()] for melds in hand.melds],
        "red_threes": [count_kinds(threes)["3r"] for threes in hand.threes],
        "black_threes": [count_kinds(threes)["3b"] for threes in hand.threes],
        "pile": "".join(hand.pile),
        "upcards": hand.turned,
        "frozen": hand.frozen and not hand.modern,
        "stock": hand.stock,
        "dealer": hand.record["dealer"],
        "seat": hand.seat,
        "phase": hand.phase,
        "source": None if drawing else "stock" if hand.drew else "pile",
        "score_before": hand.score_before,
        "failed_openings": hand.failed_openings,
        "opened_by": [_opener(hand, side) for side in range(hand.sides)],
        "melded": sorted(hand.melded_in_turn),
        "played_since_opening": [seat for seat in range(hand.players) if _played(hand, seat)],
        "asked": sorted(hand.asked),
        "question": {None: "not_asked", "y": "yes", "n": "no"}[hand.answer],
        "acted": hand.melded,
        "must_go_out": hand.must_go_out,
        "clock_ran_out": hand.clocked,
        "bonus": hand.bonus_due,
    }


def _opener(hand: Hand, side: int) -> int | None:
    if not hand.melds[side]:
        return None
    opener = hand.opener[side]
    return hand.side_of.index(side) if opener is None else opener


def _played(hand: Hand, seat: int) -> bool:
    """Say whether a seat has ended a turn since its side opened, the opening turn too."""
    if not hand.melds[hand.side_of[seat]]:
        return False
    in_turn = seat == hand.seat and hand.phase not in ("draw", "deal")
    begun = hand.turns_since_opening[seat] + (seat == hand.opener[hand.side_of[seat]])
    return begun - in_turn > 0


# ---------------------------------------------------------------- what the referee allows


def shapes_on(onto: str, kinds: Counter, least: int, most_wilds: int) -> Iterator[Shape]:
    """List the groups on a meld for which a holding has the cards."""
    for naturals in range(least, kinds[rank_of(onto)] + 1):
        for twos, jokers in product(range(kinds["2"] + 1), range(kinds["*"] + 1)):
            if naturals + twos + jokers > 0 and twos + jokers <= most_wilds:
                yield Shape(onto, naturals, twos, jokers)


def group_texts(hand: Hand, least: int) -> dict[str, list[tuple[str, Shape]]]:
    """List every group on each meld, as text and shape."""
    kinds, rng = count_kinds(hand.holding), random.Random(0)
    found = {}
    for onto in (*NATURALS, "3b", "W", *numbered(hand)):
        rank = rank_of(onto)
        fewest = {"W": 0, "3b": max(least, 1)}.get(rank, least)
        shapes = shapes_on(onto, kinds, fewest, 7 if rank == "W" else 3)
        found[onto] = [(shape.text(rng, hand.holding), shape) for shape in shapes]
    return found


def openings(hand: Hand, top: str | None) -> Iterator[list[str]]:
    """List every set of groups that might open, the top card's group first."""
    kinds = count_kinds(hand.holding)
    groups = group_texts(hand, 2)

    def extended(chosen: list[str], melds: list[str], twos: int, jokers: int) -> Iterator[list[str]]:
        if chosen:
            yield chosen
        for place, onto in enumerate(melds):
            for text, shape in groups[onto]:
                left = (twos - shape.twos, jokers - shape.jokers)
                if min(left) >= 0:
                    yield from extended([*chosen, text], melds[place + 1 :], *left)

    others = [onto for onto in groups if onto != top and groups[onto]]
    if top is None:
        yield from extended([], others, kinds["2"], kinds["*"])
        return
    for text, shape in groups[top]:
        yield from extended([text], others, kinds["2"] - shape.twos, kinds["*"] - shape.jokers)


def lays(hand: Hand) -> Iterator[tuple[str, list[str]]]:
    """List every event head and groups that the phase might allow, legal or not."""
    seat = hand.seat
    if hand.phase == "play":
        if hand.is_open:
            for texts in group_texts(hand, 0).values():
                yield from ((f"{seat}m", [text]) for text, _ in texts)
        else:
            yield from ((f"{seat}m", groups) for groups in openings(hand, None))
    elif hand.pile and kind(hand.pile[-1]) in NATURALS:
        top = kind(hand.pile[-1])
        head = f"{seat}t{top}{len(hand.pile)}:"
        yield head, []
        if hand.is_open:
            own = [top, *(onto for onto in numbered(hand) if rank_of(onto) == top)]
            yield from ((head, [f"{onto}:"]) for onto in own[1:])
            groups = group_texts(hand, 1)
            yield from ((head, [text]) for onto in own for text, _ in groups[onto])
        else:
            yield from ((head, groups) for groups in openings(hand, top))


def other_plays(hand: Hand) -> Iterator[str]:
    """List the events without groups that a seat may choose, legal or not."""
    seat = hand.seat
    yield f"{seat}k"
    if hand.phase == "play":
        yield f"{seat}q"
        yield from (f"{seat}s{name}" for name in SPECIAL_POINTS)
        yield from (f"{seat}x{card}" for card in (*NATURALS, *WILDS, "3b") if card in hand.holding)


def play_of(event: str) -> Play:
    """Name an event without its seat: the head, and the groups it lays."""
    head, colon, groups = event.partition(":") if event[1] == "t" else (event[:2], "", event[2:])
    if event[1] not in "mt":
        return event[1:], frozenset()
    return head[1:] + colon, frozenset(groups.split("+")) if groups else frozenset()


def minimal(legal: set[Play]) -> set[Play]:
    """Keep the lays of which no group can be left out."""
    return {
        (head, groups)
        for head, groups in legal
        if len(groups) < 2 or not any((head, groups - {group}) in legal for group in groups)
    }


def positions(record: dict[str, Any]) -> Iterator[Hand]:
    """Walk through a record and stop wherever its player has a choice."""
    hand = Hand(record)
    for event in ["", *record["events"].split(" ")]:
        hand = hand.copy()
        if event:
            hand.play(event)
        is_over = hand.phase == "draw" and hand.stock == 0 and not hand.can_take_pile()
        if hand.phase in ("draw", "play") and not is_over and not hand.owed_threes(hand.seat):
            yield hand
