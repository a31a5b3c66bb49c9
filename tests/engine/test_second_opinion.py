"""The engine and the referee, two readings of the same rules, agree on every hand and every event of it.

Hands come from both sides: random hands that the referee alone plays, with rare plays made frequent, and
hands that the engine's computer players play. Plays that the referee refused, and small changes to whole
logs, must be refused by both at the same event, or by neither.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import orjson
import pytest

from engine.log_writer import HandIdentity, hand_line, human, table_bytes
from engine.ruleset import RuleSet
from engine.simulator import Schedule, simulate
from tests.engine.referee import referee, result_differences
from tests.support.mutations import mutated
from tests.support.referee_play import random_hand, random_options
from tests.support.second_opinion import cut, engine_opinion, referee_opinion

#: Rule set, players, options (None: drawn for each hand).
TABLES: list[tuple[str, int, dict[str, Any] | None]] = [
    ("modern_american", 4, None),
    ("modern_american", 4, {}),
    ("modern_american", 4, {"one_wild_meld": False}),
    ("classic_salon", 2, None),
    ("classic_salon", 3, None),
    ("classic_salon", 4, None),
    ("classic_salon", 4, {"singles": True}),
    ("classic_salon", 2, {"one_meld_a_rank": False}),
    ("classic_salon", 3, {"one_meld_a_rank": False}),
    ("classic_salon", 4, {"one_meld_a_rank": False}),
    ("classic_partnership", 4, None),
    ("classic_partnership", 4, {}),
]
QUICK, SLOW = 2, 150


def name_of(table: tuple[str, int, dict[str, Any] | None]) -> str:
    ruleset, players, options = table
    return f"{ruleset}-{players}-{'any' if options is None else '-'.join(options) or 'default'}"


def hands_at_most(count: int) -> Any:
    """Run a test on the first few seeds, and on many more where long tests run."""
    return pytest.mark.parametrize(
        "seeds",
        [range(QUICK), pytest.param(range(QUICK, count), marks=pytest.mark.slow)],
        ids=["quick", "slow"],
    )


def agree(record: dict[str, Any]) -> None:
    ours, engines = referee_opinion(record), engine_opinion(record)
    assert ours.agrees(engines), f"referee {ours}, engine {engines}: {orjson.dumps(record).decode()}"


@hands_at_most(SLOW)
@pytest.mark.parametrize("table", TABLES, ids=name_of)
def test_the_engine_accepts_what_the_referee_plays_and_agrees_on_the_result(table, seeds):
    ruleset, players, options = table
    for seed in seeds:
        record = random_hand(f"legal {seed}", ruleset, players, options, suited=seed % 4 == 0).record
        engines = engine_opinion(record)
        assert engines.event is None, f"{engines}: {orjson.dumps(record).decode()}"
        assert not engines.result, f"{engines}: {orjson.dumps(record).decode()}"


@hands_at_most(SLOW)
@pytest.mark.parametrize("table", TABLES, ids=name_of)
def test_a_play_that_the_referee_refuses_is_refused_by_the_engine(table, seeds):
    ruleset, players, options = table
    for seed in seeds:
        hand = random_hand(f"refused {seed}", ruleset, players, options)
        rng = random.Random(seed)
        for before, event, _ in rng.sample(hand.refused, min(20, len(hand.refused))):
            agree(cut(hand.record, before, event))


@hands_at_most(SLOW)
@pytest.mark.parametrize("table", TABLES, ids=name_of)
def test_both_judge_a_changed_log_alike(table, seeds):
    ruleset, players, options = table
    for seed in seeds:
        record = random_hand(f"changed {seed}", ruleset, players, options).record
        rng = random.Random(seed)
        for _ in range(12):
            agree(mutated(rng, record))


def simulated(
    ruleset: str, players: int, options: dict[str, Any], seed: int, games: int, error_rate: float
) -> Iterator[dict[str, Any]]:
    """Play whole games between computer players and yield their full logs."""
    rules = RuleSet.for_table(ruleset, players, options)
    table = table_bytes(rules, [human(seat, rules, f"p-{seat}") for seat in range(players)])
    schedule = Schedule.of_games(range(games), rules, [error_rate] * players)
    for hands in simulate(rules, schedule, seed=seed, log="full"):
        for row in range(len(hands)):
            identity = HandIdentity(
                hand_id=f"h-{row}",
                game_id=f"g-{hands.game[row]}",
                hand_no=int(hands.hand_no[row]),
                started_at="2026-01-05T18:00:00Z",
                ended_at="2026-01-05T18:09:12Z",
                seed=f"{seed}",
            )
            yield orjson.loads(hand_line(identity, table, hands.text_of(row)))


@pytest.mark.parametrize("error_rate", [0.0, 0.3, 1.0])
@pytest.mark.parametrize(
    ("games", "most"), [(1, 20), pytest.param(60, 300, marks=pytest.mark.slow)], ids=["quick", "slow"]
)
@pytest.mark.parametrize("table", TABLES, ids=name_of)
def test_the_referee_accepts_what_the_computer_plays_and_agrees_on_the_result(table, games, most, error_rate):
    ruleset, players, options = table
    rng = random.Random(f"{table} {games} {error_rate}")
    for _ in range(1 if games == 1 or options is not None else 5):
        chosen = random_options(rng, ruleset) if options is None else options
        if ruleset == "classic_salon" and players < 4:
            chosen = {"players": players, **chosen}
        records = simulated(ruleset, players, chosen, rng.randrange(10**6), games, error_rate)
        for _, record in zip(range(most), records, strict=False):
            verdict = referee(record)
            assert verdict.legal, f"{verdict}: {orjson.dumps(record).decode()}"
            assert not result_differences(record, verdict), orjson.dumps(record).decode()
