"""Late positions, where rare clauses meet, end the same way for the engine and the referee.

The referee plays at random from made-up positions with a short stock, few cards and melds near their limits;
the engine follows event by event. On the way plays are judged alike, and the outcome is one and the same.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.actions import Decline
from engine.hand import HandState
from tests.support.referee_bridge import engine_position, lays, other_plays
from tests.support.referee_endgames import endgame
from tests.support.referee_play import Table

TABLES: list[tuple[str, int, dict[str, Any] | None]] = [
    ("modern_american", 4, None),
    ("modern_american", 4, {"pair_and_wild_out": True}),
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
KINDS = ("natural", "mixed", "sevens", "aces", "wild")
#: Plays tried in one position, and cards held by a side yet to open for its openings to be tried.
MOST_PLAYS, FEW_CARDS = 1500, 9


def judge_alike(table: Table, engine: HandState) -> None:
    """Hold every play of a position to the referee's word."""
    hand = table.hand
    plays = [event for event in other_plays(hand) if event[1] != "k"]
    if hand.is_open or hand.holding.total() <= FEW_CARDS:
        tried = zip(lays(hand), range(MOST_PLAYS), strict=False)
        plays += [head + "+".join(groups) for (head, groups), _ in tried]
    for event in plays:
        assert hand.allows(event) == engine.is_legal(event), f"{event}: {engine.position()}"


def play_together(table: Table, engine: HandState, share: float) -> None:
    """Let the table play to the end and the engine follow."""
    rng = random.Random(len(table.stock))
    more = True
    while more:
        hand = table.hand
        chooses = hand.phase in ("draw", "play") and not hand.owed_threes(hand.seat)
        if chooses and engine.phase != "ended" and rng.random() < share:
            judge_alike(table, engine)
        played = len(table.events)
        more = table.step()
        for event in table.events[played:]:
            engine.apply(event)
    table.hand.stop()
    leaves = [action for action in engine.legal_actions() if isinstance(action, Decline)]
    if engine.outcome() is None and leaves:
        engine.apply(leaves[0])


@pytest.mark.parametrize("table_set", TABLES, ids=lambda table: f"{table[0]}-{table[1]}-{table[2]}")
@pytest.mark.parametrize(
    ("seeds", "share"),
    [(range(12), 0.1), pytest.param(range(12, 800), 0.2, marks=pytest.mark.slow)],
    ids=["quick", "slow"],
)
def test_endgames_are_played_and_scored_alike(table_set, seeds, share):
    for seed in seeds:
        table = endgame(str(seed), *table_set)
        start = engine_position(table.hand) | {"stock": "".join(table.stock)}
        engine = HandState.from_position(start)
        play_together(table, engine, share)
        result, outcome = table.hand.result(), engine.outcome()
        place = f"after {table.events} from {start}"
        assert outcome is not None, place
        ours = tuple(result[name] for name in ("ended_by", "seat", "concealed", "special"))
        assert (outcome.ended_by, outcome.seat, outcome.concealed, outcome.special) == ours, place
        assert [ledger._asdict() for ledger in outcome.ledgers] == result["ledger"], place
        counts = [dict.fromkeys(KINDS, 0) | side for side in result["canastas"]]
        assert [side._asdict() for side in outcome.canastas] == counts, place
