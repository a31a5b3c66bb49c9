"""Random legal play on the compiled rules, every property of a position held to at every event."""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.cards import BLACK_THREE, COPIES, HIDDEN, JOKER, KINDS, RANKS, RED_THREE, TWO, WIDTH
from engine.kernel import Row, allocating, kernel
from engine.rules.action_list import ActionList, copy_action, empty_list, load
from engine.rules.apply import apply
from engine.rules.check import check
from engine.rules.deal import deal, start
from engine.rules.legal import legal_actions
from engine.rules.rng import below, seed_generator
from engine.ruleset import Rules, RuleSet
from engine.state import (
    ACTOR,
    BLACK,
    BLACK_MELD,
    ENDED,
    ENDED_BY,
    ENDINGS,
    JOKERS,
    NATURALS,
    PHASE,
    PILE,
    RED,
    RUN_OUT,
    SEATS,
    SIDES,
    SLOTS,
    STOCK,
    TAKE_BACK,
    TURN_FACTS,
    TWOS,
    VERB,
    Action,
    Ints,
    State,
    empty_action,
    empty_state,
)
from engine.view import empty_view, look

#: What may go wrong, as `play_randomly` returns it.
LOST_CARDS: Final = -1
NO_MOVE: Final = -2
ILLEGAL_MOVE: Final = -3
QUERY_CHANGED: Final = -4
SEES_HIDDEN: Final = -5
ENDLESS: Final = -6
NOBODY_CHOOSES: Final = -7
_MOST_EVENTS: Final = 5_000
_COPIES: Final = np.array(COPIES, np.int64)


@allocating
def holds_all_cards(hand: State) -> bool:
    """Say whether holdings, melds, 3s, stock and pile are the 108 cards."""
    seen = np.zeros(WIDTH, np.int64)
    for seat in range(hand.turn[SEATS]):
        for kind in range(WIDTH):
            seen[kind] += hand.holding[seat, kind]
    for side in range(hand.turn[SIDES]):
        for slot in range(SLOTS):
            seen[TWO] += hand.meld[side, slot, TWOS]
            seen[JOKER] += hand.meld[side, slot, JOKERS]
            if slot < RANKS:
                seen[slot] += hand.meld[side, slot, NATURALS]
        seen[BLACK_THREE] += hand.meld[side, BLACK_MELD, NATURALS] + hand.side[side, BLACK]
        seen[RED_THREE] += hand.side[side, RED]
    for place in range(hand.turn[STOCK]):
        seen[hand.stock[place]] += 1
    for place in range(hand.turn[PILE]):
        seen[hand.pile[place]] += 1
    for kind in range(KINDS):
        if seen[kind] != _COPIES[kind]:
            return False
    return seen[HIDDEN] == 0


@kernel
def fingerprint(hand: State) -> int:
    """Return a number that changes with anything in a state."""
    total = 0
    for seat in range(4):
        for kind in range(WIDTH):
            total = (total * 31 + hand.holding[seat, kind]) % 1_000_000_007
        for slot in range(SLOTS):
            for part in range(3):
                total = (total * 31 + hand.meld[seat, slot, part]) % 1_000_000_007
        for fact in range(3):
            total = (total * 31 + hand.side[seat, fact] + hand.seat[seat, fact]) % 1_000_000_007
        total = (total * 31 + hand.side[seat, 3] + 7 * hand.side[seat, 4]) % 1_000_000_007
    for fact in range(TURN_FACTS):
        total = (total * 31 + hand.turn[fact] + 1) % 1_000_000_007
    for place in range(108):
        total = (total * 31 + hand.pile[place] + 16 * hand.stock[place]) % 1_000_000_007
    return total


@kernel
def shows_hidden(hand: State, view: State) -> bool:
    """Say whether the actor's view holds a card that the actor may not see."""
    look(hand, hand.turn[ACTOR], view)
    for seat in range(hand.turn[SEATS]):
        for kind in range(KINDS):
            if seat != hand.turn[ACTOR] and view.holding[seat, kind] > 0:
                return True
    seen = 0
    for place in range(hand.turn[STOCK]):
        seen += 0 if view.stock[place] == HIDDEN else 1
    return seen > 0


@kernel
def play_randomly(
    rules: Rules, hand: State, view: State, actions: ActionList, action: Action, scores: Row, rng: Row
) -> int:
    """Play a hand by random legal actions; return the number of events, or what went wrong."""
    deal(rules, hand, below(rng, rules.players), scores, rng)
    start(rules, hand)
    events = 0
    while hand.turn[PHASE] != ENDED:
        before = fingerprint(hand)
        if not holds_all_cards(hand):
            return LOST_CARDS
        if shows_hidden(hand, view):
            return SEES_HIDDEN
        count = legal_actions(rules, hand, actions)
        if count == 0:
            return NO_MOVE
        for place in range(count):
            if actions.what[place, VERB] in (TAKE_BACK, RUN_OUT):
                return NOBODY_CHOOSES
        for place in range(min(count, 40)):
            load(actions, place)
            if check(rules, hand, actions.draft) != 0:
                return ILLEGAL_MOVE
        load(actions, below(rng, count))
        copy_action(actions.draft, action)
        if fingerprint(hand) != before:
            return QUERY_CHANGED
        apply(rules, hand, action, actions)
        events += 1
        if events > _MOST_EVENTS:
            return ENDLESS
    return events if holds_all_cards(hand) else LOST_CARDS


#: Scores before a hand, so that every opening minimum is met.
SCORES: Final = ((0, 0, 0, 0), (3000, 1500, -200, 0), (-500, 5000, 3000, 2995), (4995, -5, 1495, 1500))


def play_many(rules: RuleSet, hands: int, seed: int) -> tuple[Ints, dict[str, int]]:
    """Play hands by random legal actions; return what `play_randomly` says of each, and how they ended."""
    hand, view, actions, action = empty_state(), empty_view(), empty_list(), empty_action()
    results = np.zeros(hands, np.int64)
    endings = np.zeros(len(ENDINGS), np.int64)
    rng = np.zeros(1, np.int64)
    for number in range(hands):
        seed_generator(rng, seed, number, 1)
        scores = np.array(SCORES[number % len(SCORES)], np.int64)
        results[number] = play_randomly(rules.numbers, hand, view, actions, action, scores, rng)
        endings[hand.turn[ENDED_BY]] += 1
    return results, {name: int(count) for name, count in zip(ENDINGS, endings, strict=True) if name}
