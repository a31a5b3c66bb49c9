"""Make up late positions: short stock, few cards, melds near their limits, where rare clauses meet."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from tests.engine.referee import Hand
from tests.engine.referee_cards import NATURALS, WILDS, full_deck, kind, rank_of
from tests.support.referee_play import Habits, Table, random_options, scores_before
from tests.support.referee_positions import blank_record


def endgame(seed: str, ruleset: str, players: int, options: dict[str, Any] | None = None) -> Table:
    """Seat some player before a late turn; the table plays on from there."""
    rng = random.Random(f"{seed} {ruleset} {players} {options}")
    chosen = random_options(rng, ruleset) if options is None else options
    if ruleset == "classic_salon" and players < 4:
        chosen = {"players": players, **chosen}
    record = blank_record(ruleset, players, options=chosen)
    record["dealer"] = rng.randrange(players)
    sides = len(record["score_before"])
    record["score_before"] = scores_before(rng, ruleset, chosen, sides, record["hand_no"])
    table = object.__new__(Table)
    table.rng, table.record, table.hand = rng, record, Hand(record)
    table.habits, table.events, table.refused = Habits.draw(rng), [], []
    table.stock = _scatter(rng, table.hand)
    return table


def _scatter(rng: random.Random, hand: Hand) -> list[str]:
    """Spread the 108 cards over a hand's melds, holdings and pile; return the stock, next card first."""
    deck = list(full_deck(suited=False).elements())
    rng.shuffle(deck)
    threes = [card for card in deck if card[0] == "3" and (hand.modern or card == "3r")]
    deck = [card for card in deck if card not in threes]
    for side in range(hand.sides):
        if rng.random() < 0.85:
            _lay_some(rng, hand, side, deck)
    hand.opener = [
        None if not melds else rng.choice([s for s in range(hand.players) if hand.side_of[s] == side])
        for side, melds in enumerate(hand.melds)
    ]
    hand.own_turns = [5] * hand.players
    for seat in range(hand.players):
        own = hand.melds[hand.side_of[seat]]
        opened = bool(own)
        growing = [rank_of(onto) for onto, cards in own.items() if cards.total() != 7]
        liked = (*growing, *rng.choice(["2*", "T", "J2"]))
        hand.holdings[seat] = Counter(_deal_some(rng, deck, rng.choice([1, 1, 2, 3, 4, 6, 9, 12]), liked))
        if opened and (seat == hand.opener[hand.side_of[seat]] or rng.random() < 0.5):
            hand.melded_in_turn[seat] = 1
        hand.turns_since_opening[seat] = rng.choice([0, 1, 3]) if opened else 0
    stock = [*threes[: rng.randrange(len(threes) + 1)], *_deal_some(rng, deck, rng.choice([0, 1, 2, 3, 8]))]
    for three in threes[len([card for card in stock if card in threes]) :]:
        hand.threes[rng.randrange(hand.sides)][three] += 1
    rng.shuffle(stock)
    stock = stock[: rng.choice([0, 1, 2, 3, 5, 20])]
    hand.unseen = Counter(stock)
    hand.pile = _deal_some(rng, deck, rng.choice([0, 1, 2, 7]))
    hand.turned = 0
    hand.frozen = any(kind(card) in WILDS for card in hand.pile)
    hand._open_turn(rng.randrange(hand.players))
    return stock


def _deal_some(rng: random.Random, deck: list[str], count: int, liked: tuple[str, ...] = ()) -> list[str]:
    """Take cards off the deck; half the time mostly of few kinds."""
    kinds = set(liked or rng.sample(NATURALS, 3))
    if rng.random() < 0.5:
        deck.sort(key=lambda card: kind(card) in kinds and rng.random() < 0.8)
    taken = [deck.pop() for _ in range(min(count, len(deck)))]
    rng.shuffle(deck)
    return taken


def _take(deck: list[str], wanted: str, count: int) -> list[str]:
    found = [card for card in deck if kind(card) == wanted][:count]
    for card in found:
        deck.remove(card)
    return found


def _lay_some(rng: random.Random, hand: Hand, side: int, deck: list[str]) -> None:
    """Give a side some melds that its rule set knows."""
    largest, most_wilds = (7, 2) if hand.modern else (9, 3)
    is_near = rng.random() < 0.6  # near going out: long melds, none that bars it
    ranks = [rank for rank in NATURALS if not (is_near and hand.modern and rank in "7A")]
    several = not hand.option.get("one_meld_a_rank", True)
    chosen = rng.sample(ranks, rng.randint(2 if is_near else 1, 5))
    counts = {rank: rng.choice([1, 1, 2, 3, 4]) if several else 1 for rank in chosen}
    for rank in Counter(counts).elements():
        sizes = [2, 2, 2, 3] if counts[rank] > 1 else [5, 6, 7, 7] if is_near else [2, 3, 4, 5, 6, 7]
        naturals = _take(deck, rank, rng.choice(sizes))
        room = min(most_wilds, largest - len(naturals))
        if rank == "7" and hand.modern:
            room = 0
        wilds = [card for card in deck if card in WILDS][: rng.choice([0, int(several), 1, room])][
            : max(room, 0)
        ]
        if len(naturals) < 2 or len(naturals) + len(wilds) < 3:
            continue
        for card in wilds:
            deck.remove(card)
        number = 1 + sum(rank_of(onto) == rank for onto in hand.melds[side])
        hand.melds[side][rank if number == 1 else f"{rank}#{number}"] = Counter(naturals + wilds)
    if hand.modern:
        _lay_wilds(rng, hand, side, deck, 0.1 if is_near else 0.3)


def _lay_wilds(rng: random.Random, hand: Hand, side: int, deck: list[str], chance: float) -> None:
    """Give a side a wild meld now and then, and where the option allows it a second beside a closed one."""
    several = not hand.option["one_wild_meld"]
    if rng.random() >= (0.5 if several else chance):
        return
    sizes = [[5, 7, 7, 7], [3, 4]] if several else [[3, 5, 6, 7]]
    for onto, choices in zip(("W", "W#2"), sizes, strict=False):
        wilds = [card for card in deck if card in WILDS][: rng.choice(choices)]
        if len(wilds) < 3 or (onto == "W#2" and (hand.melds[side]["W"].total() < 7 or rng.random() < 0.5)):
            return
        for card in wilds:
            deck.remove(card)
        hand.melds[side][onto] = Counter(wilds)
