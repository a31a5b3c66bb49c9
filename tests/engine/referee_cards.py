"""Read cards and events for the referee: plain strings in, Counters of card strings out.

A card is the string that the log writes: ``K``, ``*``, ``3r`` where only ranks are kept, ``Ks``,
``*``, ``3h`` where suits are written. `kind` names its rank either way (``3r``, ``3b``: the colours of 3).
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache

NATURALS = tuple("456789TJQKA")
WILDS = ("2", "*")
ORDER = (*NATURALS, *WILDS, "3r", "3b")
VALUES = {
    **dict.fromkeys("4567", 5),
    **dict.fromkeys("89TJQK", 10),
    **dict.fromkeys("A2", 20),
    "*": 50,
    "3r": 5,
    "3b": 5,
}

RANK_CARD = re.compile(r"3[rb]|[24-9TJQKA*]")
SUIT_CARD = re.compile(r"[2-9TJQKA][shdc]|\*")
NUMBERED = re.compile(r"[4-9TJQKAW]#[2-4]")


class Refusal(Exception):  # noqa: N818 - a refusal is what the referee is for, not an error of its own
    """The rules refuse an event; the text is one reason word."""


@cache
def kind(card: str) -> str:
    """Name a card's kind: its rank, ``*``, ``3r`` or ``3b``."""
    if card[0] == "3":
        return "3r" if card[1] in "rhd" else "3b"
    return card[0]


def rank_of(onto: str) -> str:
    """Name the rank of a meld: ``K`` of ``K`` and of ``K#2``, ``W`` of wild cards."""
    return onto.partition("#")[0]


def full_deck(suited: bool) -> Counter:
    """Build the 108 cards."""
    if suited:
        deck = Counter({rank + suit: 2 for rank in "23456789TJQKA" for suit in "shdc"})
    else:
        deck = Counter(dict.fromkeys((*NATURALS, "2"), 8))
        deck.update({"3r": 4, "3b": 4})
    deck["*"] = 4
    return deck


def read_cards(text: str, suited: bool) -> list[str]:
    """Split a run of cards, refusing whatever is not one."""
    pattern = SUIT_CARD if suited else RANK_CARD
    cards, at = [], 0
    while at < len(text):
        found = pattern.match(text, at)
        if found is None:
            raise Refusal("notation")
        cards.append(found.group())
        at = found.end()
    return cards


def read_some(text: str, suited: bool) -> Counter:
    """Read the cards of one event: at least one."""
    cards = read_cards(text, suited)
    if not cards:
        raise Refusal("notation")
    return Counter(cards)


@dataclass(frozen=True)
class Group:
    """Cards laid together: `onto` is a rank, ``3b``, or ``W`` for a meld of wild cards.

    The side's second meld of kings is ``K#2``, and so on.
    """

    onto: str
    cards: Counter

    @property
    def rank(self) -> str:
        return rank_of(self.onto)

    @property
    def naturals(self) -> int:
        return sum(count for card, count in self.cards.items() if kind(card) not in WILDS)

    @property
    def wilds(self) -> int:
        return self.cards.total() - self.naturals


def read_group(text: str, suited: bool) -> Group:
    """Read ``KKK2``, ``W:22*``, ``K:2`` or ``K#2:KK2``."""
    onto, colon, rest = text.partition(":")
    cards = read_some(rest if colon else text, suited)
    kinds = {kind(card) for card in cards} - set(WILDS)
    if colon and NUMBERED.fullmatch(onto):
        if not kinds <= {rank_of(onto)}:
            raise Refusal("notation")
        return Group(onto, cards)
    if colon:
        if kinds or onto not in ("W", *NATURALS):
            raise Refusal("notation")
        return Group(onto, cards)
    if len(kinds) != 1 or "3r" in kinds:
        raise Refusal("notation")
    return Group(kinds.pop(), cards)


def read_groups(text: str, suited: bool) -> list[Group]:
    """Read the groups of one event, joined by ``+``."""
    return [read_group(part, suited) for part in text.split("+")]


def points_of(cards: Counter) -> int:
    """Sum the values of cards."""
    return sum(VALUES[kind(card)] * count for card, count in cards.items())


def count_kinds(cards: Counter) -> Counter:
    """Count by kind."""
    kinds: Counter = Counter()
    for card, count in cards.items():
        kinds[kind(card)] += count
    return kinds
