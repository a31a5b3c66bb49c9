"""Position by position, the engine allows what the referee allows, and lists all of it.

The referee tries everything that a holding has the cards for. The engine's check must say the same of each
play, and its list of legal actions must be those plays, openings as minimal sets (no group can be left out).
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.actions import Decline
from engine.hand import HandState
from engine.notation import print_event
from tests.engine.referee import Hand
from tests.support.referee_bridge import engine_position, lays, minimal, other_plays, play_of, positions
from tests.support.referee_play import numbered, random_hand

TABLES: list[tuple[str, int, dict[str, Any] | None]] = [
    ("modern_american", 4, None),
    ("modern_american", 4, {"one_wild_meld": False}),
    ("classic_salon", 2, None),
    ("classic_salon", 3, None),
    ("classic_salon", 4, None),
    ("classic_salon", 4, {"singles": True}),
    ("classic_salon", 2, {"one_meld_a_rank": False}),
    ("classic_salon", 3, {"one_meld_a_rank": False}),
    ("classic_salon", 4, {"one_meld_a_rank": False}),
    ("classic_partnership", 4, {}),
]
#: Openings are tried one by one up to this many cards, and in positions with at most so many sets of groups.
FEW_CARDS, MOST_LAYS = 12, 4000


def is_small(hand: Hand) -> bool:
    """Say whether everything that the holding could lay can be tried."""
    if not hand.is_open and hand.holding.total() > FEW_CARDS:
        return False
    return sum(1 for _ in zip(lays(hand), range(MOST_LAYS + 1), strict=False)) <= MOST_LAYS


def judge_alike(hand: Hand, engine: HandState, event: str) -> bool:
    """Hold the engine's check of one play to the referee's; return whether it is legal."""
    legal = hand.allows(event)
    clause = engine.check(event)
    assert legal == (clause is None), f"{event}: referee {legal}, engine {clause}, in {engine.position()}"
    return legal


@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table[0]}-{table[1]}-{table[2]}")
@pytest.mark.parametrize(
    ("seeds", "share"),
    [(range(1), 0.1), pytest.param(range(1, 12), 0.2, marks=pytest.mark.slow)],
    ids=["quick", "slow"],
)
def test_the_engine_allows_and_lists_what_the_referee_allows(table, seeds, share):
    ruleset, players, options = table
    for seed in seeds:
        rng = random.Random(seed)
        for hand in positions(random_hand(f"position {seed}", ruleset, players, options).record):
            if rng.random() > share * (4 if numbered(hand) else 1):
                continue
            engine = HandState.from_position(engine_position(hand))
            actions = [action for action in engine.legal_actions() if not isinstance(action, Decline)]
            listed = [print_event(action) for action in actions]
            assert len(set(listed)) == len(listed)
            # Nobody chooses to fail an opening, nor to let the clock run out.
            assert not [event for event in listed if event[1] in "rk"]
            others = {event for event in other_plays(hand) if judge_alike(hand, engine, event)}
            chosen = {event for event in listed if event[1] in "xqs"}
            assert chosen == {event for event in others if event[1] != "k"}, engine.position()
            if is_small(hand):
                events = [head + "+".join(groups) for head, groups in lays(hand)]
                legal = {play_of(event) for event in events if judge_alike(hand, engine, event)}
                laid = {play_of(event) for event in listed if event[1] in "mt"}
                assert laid == minimal(legal), engine.position()
