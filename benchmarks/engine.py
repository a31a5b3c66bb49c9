"""The engine: hands simulated, logged and checked on one core, and how soon it is ready; beside peers.

The peers play by their own rules with random or calling players: what they share is that a whole hand (or a
game of gin rummy) is played by the library's rules, move after move.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.measuring import Measurement, measure, use_one_core
from engine.log_writer import HandIdentity, computer, hand_line, table_bytes
from engine.ruleset import RuleSet
from engine.simulator import LogLevel, Schedule, simulate
from ingest.checking import check_block
from ingest.sources import read_blocks

HANDS = 20_000
GAMES = 30
TABLES = (("modern_american", 4), ("classic_salon", 2), ("classic_salon", 4), ("classic_partnership", 4))
PLAIN_TARGET, LOGGED_TARGET, CHECKED_TARGET = 30_000, 12_000, 15_000
COLD_SECONDS, WARM_SECONDS = 15.0, 2.0
_PLAY_ONE_GAME = """
from engine.ruleset import RuleSet
from engine.simulator import Schedule, simulate
rules = RuleSet.load("modern_american")
next(simulate(rules, Schedule.of_games(range(1), rules), seed=1, log="full"))
"""


def measurements() -> Iterator[tuple[str, list[Measurement]]]:
    """Yield the tables."""
    yield _ready(), []
    use_one_core()
    with tempfile.TemporaryDirectory() as name:
        log = Path(name) / "hands.jsonl"
        rows = []
        for ruleset, players in TABLES:
            rules = RuleSet.for_table(ruleset, players, {})
            label = f"{ruleset}, {players} players"
            rows.append(measure(f"{label}, no logs", _simulator(rules, "none"), target=PLAIN_TARGET))
            logged = measure(f"{label}, full logs written", _writer(rules, log), target=LOGGED_TARGET)
            rows += [logged, measure(f"{label}, logs replayed", _checker(log), target=CHECKED_TARGET)]
        yield "Hands a second, one core", rows
    yield (
        "Peers, one core",
        [
            measure("OpenSpiel gin rummy, random players", _open_spiel, unit="games", repeats=3),
            measure("RLCard gin rummy, random players", _rlcard, unit="games", repeats=3),
            measure("PokerKit no-limit hold'em, two callers", _pokerkit, repeats=3),
        ],
    )


def _simulator(rules: RuleSet, level: LogLevel) -> Callable[[], int]:
    schedule = Schedule.of_games(range(HANDS), rules)

    def run() -> int:
        hands = 0
        for batch in simulate(rules, schedule, seed=1, log=level):
            hands += len(batch)
            if hands >= HANDS:
                break
        return hands

    run()
    return run


def _writer(rules: RuleSet, log: Path) -> Callable[[], int]:
    schedule = Schedule.of_games(range(HANDS), rules)
    table = table_bytes(rules, [computer(seat, rules, "expert") for seat in range(rules.players)])

    def run() -> int:
        hands = 0
        with log.open("wb") as file:
            for batch in simulate(rules, schedule, seed=1, log="full"):
                for row in range(len(batch)):
                    identity = HandIdentity(
                        f"h-{hands + row}",
                        f"g-{batch.game[row]}",
                        int(batch.hand_no[row]),
                        "2026-01-05T18:00:00Z",
                        "2026-01-05T18:08:00Z",
                        "1:0",
                    )
                    file.write(hand_line(identity, table, batch.text_of(row)) + b"\n")
                hands += len(batch)
                if hands >= HANDS:
                    return hands
        return hands

    return run


def _checker(log: Path) -> Callable[[], int]:
    def run() -> int:
        hands = 0
        for block in read_blocks([str(log)]):
            checked = check_block(block, 2)
            if checked.refused:
                raise AssertionError(f"{len(checked.refused)} simulated hands were refused")
            hands += len(block)
        return hands

    run()
    return run


def _ready() -> str:
    """Say how soon the simulator has played a game: a first process compiles, the others find the cache."""
    with tempfile.TemporaryDirectory() as cache:
        cold, *warm = [_ready_seconds(cache) for _ in range(4)]
    told = (("from nothing", cold, COLD_SECONDS), ("from the cache", statistics.median(warm), WARM_SECONDS))
    parts = [
        f"{start} {seconds:.1f} s (target {target:.0f}: {'met' if seconds <= target else 'MISSED'})"
        for start, seconds, target in told
    ]
    return f"Ready to simulate {', '.join(parts)}"


def _ready_seconds(cache: str) -> float:
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", _PLAY_ONE_GAME],
        env=os.environ | {"NUMBA_CACHE_DIR": cache},
        check=True,
    )
    return time.perf_counter() - start


def _open_spiel() -> int:
    import pyspiel

    game, rng = pyspiel.load_game("gin_rummy"), random.Random(1)
    for _ in range(GAMES):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, chances)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
    return GAMES


def _rlcard() -> int:
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make("gin-rummy", config={"seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])
    for _ in range(GAMES):
        env.run(is_training=False)
    return GAMES


def _pokerkit() -> int:
    from pokerkit import Automation, NoLimitTexasHoldem

    for _ in range(GAMES):
        state = NoLimitTexasHoldem.create_state(
            tuple(Automation), ante_trimming_status=True, raw_antes=0, raw_blinds_or_straddles=(1, 2),
            min_bet=2, raw_starting_stacks=200, player_count=2,
        )  # fmt: skip
        while state.status:
            state.check_or_call()
    return GAMES
