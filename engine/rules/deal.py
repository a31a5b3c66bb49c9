"""Deal a hand: shuffle with the hand's own generator, deal, turn the upcard (M-cards, S-cards, P-cards)."""

from __future__ import annotations

import numpy as np

from engine.cards import CARDS, COPIES, JOKER, KINDS, RED_THREE, TWO
from engine.kernel import Row, kernel
from engine.rules.rng import below
from engine.rules.turn import settle
from engine.ruleset import Rules
from engine.state import DEALER, FROZEN, OUT_SEAT, PILE, SCORE, SEATS, SIDES, STOCK, UPCARDS, State

_COPIES = np.array(COPIES, np.int64)


@kernel
def clear(rules: Rules, hand: State, dealer: int, scores: Row) -> None:
    """Make a state the empty table before the deal, with 108 cards to come."""
    hand.holding[:] = 0
    hand.meld[:] = 0
    hand.side[:] = 0
    hand.seat[:] = 0
    hand.turn[:] = 0
    hand.turn[SEATS] = rules.players
    hand.turn[SIDES] = rules.sides
    hand.turn[DEALER] = dealer
    hand.turn[OUT_SEAT] = -1
    hand.turn[STOCK] = CARDS
    for side in range(rules.sides):
        hand.side[side, SCORE] = scores[side]


# S-cards, P-cards: a wild or red 3 is covered until another kind shows, and the pile starts frozen.
@kernel
def upcards_freeze(rules: Rules, hand: State) -> bool:
    """Say whether the cards turned to start the pile freeze it."""
    return bool(rules.covered_upcard_freezes == 1 and hand.turn[UPCARDS] > 1)


@kernel
def _turn_upcards(rules: Rules, hand: State) -> None:
    """Turn cards from the stock onto the empty pile until one shows that need not be covered."""
    covered = True
    while covered:
        hand.turn[STOCK] -= 1
        card = hand.stock[hand.turn[STOCK]]
        hand.pile[hand.turn[PILE]] = card
        hand.turn[PILE] += 1
        covered = card in (TWO, JOKER, RED_THREE)
    hand.turn[UPCARDS] = hand.turn[PILE]
    hand.turn[FROZEN] = 1 if upcards_freeze(rules, hand) else 0


@kernel
def deal_from_stock(rules: Rules, hand: State) -> None:
    """Deal the holdings and turn the upcards from a stock of 108 cards in their order."""
    for number in range(rules.holding_cards * rules.players):
        seat = (hand.turn[DEALER] + 1 + number) % rules.players
        hand.turn[STOCK] -= 1
        hand.holding[seat, hand.stock[hand.turn[STOCK]]] += 1
    if rules.upcard == 1:
        _turn_upcards(rules, hand)


@kernel
def deal(rules: Rules, hand: State, dealer: int, scores: Row, rng: Row) -> None:
    """Shuffle and deal into a state, which is cleared first; nobody has laid a 3 yet.

    The stock is dealt from its top one card a seat in turn, the starter first.
    """
    clear(rules, hand, dealer, scores)
    place = 0
    for kind in range(KINDS):
        for _ in range(_COPIES[kind]):
            hand.stock[place] = kind
            place += 1
    for last in range(CARDS - 1, 0, -1):
        other = below(rng, last + 1)
        kept = hand.stock[last]
        hand.stock[last] = hand.stock[other]
        hand.stock[other] = kept
    deal_from_stock(rules, hand)


@kernel
def start(rules: Rules, hand: State) -> None:
    """Begin play after the deal: dealt 3s first, then the first turn."""
    settle(rules, hand, (hand.turn[DEALER] + 1) % hand.turn[SEATS])
