"""Ratings: the fold alone, a replay from the warehouse with its whole history, one batch more; beside peers.

`COASTAL_BENCH_HANDS` lists the sizes of the leagues to replay, `100000,1000000,10000000` by default. A league
is made up by one SQL statement a table from the hands' numbers, so it is the same everywhere.

The peers rate the first hands of the same league, all four players of each, without history or levels, and
take a seat that was left for its owner's:

- riix knows players but no sides: a hand becomes four matches, each player of one side against each of the
  other, won, drawn or lost as the hand was. Its rate counts hands, not matches.
- openskill rates the two sides as teams, with the margin as the winner's score.
- trueskill rates the two sides as teams by who won.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from benchmarks.measuring import Measurement, greatest_memory, measure
from ingest.warehouse import Warehouse, open_warehouse
from rating.fold import fold_block
from rating.folding import Fold
from rating.layout import CHANGES, NONE, Hands, new_held, new_history, new_state
from rating.parameters import load_parameters
from rating.reading import hand_order
from rating.replay import Request, replay
from rating.rules import compile_rules

NOW = datetime(2026, 6, 1, tzinfo=UTC)
SIZES = [int(size) for size in os.environ.get("COASTAL_BENCH_HANDS", "100000,1000000,10000000").split(",")]
#: Hands that the peers rate, which are slower.
PEER_HANDS = {
    "riix Elo, a hand as four matches of two players": 100_000,
    "openskill Plackett-Luce, sides as teams": 10_000,
    "trueskill, sides as teams": 2_000,
}
KERNEL_TARGET = 3_000_000
#: Hands a second from the warehouse, of a league large enough that the start does not count.
REPLAY_TARGET, REPLAY_TARGET_HANDS = 700_000, 1_000_000
RATE_SECONDS = 2.0

#: Hands a game; people who play often are few: the cube of a uniform number picks them.
LEAGUE = {
    "player": """
        INSERT INTO player (player_key, player, name, show_skill)
        SELECT key, format('p-{:07d}', key), format('Player {}', key), key % 10 <> 0
        FROM range(1, $people + 1) AS t(key)""",
    "hand": """
        INSERT INTO hand BY NAME
        SELECT key AS hand_key, format('h-{:09d}', key) AS hand_id, format('g-{:09d}', key // 7) AS game_id,
            key % 7 + 1 AS hand_no, ended_at - INTERVAL 9 MINUTE AS started_at, ended_at, 'live' AS mode,
            'modern_american' AS ruleset, '{}' AS options, 0 AS dealer, 'out' AS ended_by, 0 AS out_seat,
            false AS concealed, key % 7 = 6 AS game_over, 41 AS turns, ''::BLOB AS content_hash, 1 AS source,
            key AS line, 1 AS batch
        FROM (SELECT key, make_timestamp((1700000000 + key * 3) * 1000000) AS ended_at
              FROM range($first, $last + 1) AS t(key))""",
    "seat": """
        INSERT INTO seat
        SELECT key, seat, seat % 2, if(away, 'stand_in', 'human'),
            4 * floor($people // 4 * pow((hash(key // 7, seat) % 1000000) / 1e6, 3)) + seat + 1,
            if(away, 'expert', NULL)
        FROM (SELECT key, seat, hash(key, seat, 'away') % 200 = 0 AS away
              FROM range($first, $last + 1) AS t(key), range(4) AS s(seat))
        ORDER BY key, seat""",
    "side_result": """
        INSERT INTO side_result
        SELECT key, side, 0, points, points, points, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0
        FROM (SELECT key, side, (hash(key, side) % 4000)::INTEGER - 1000 AS points
              FROM range($first, $last + 1) AS t(key), range(2) AS s(side))
        ORDER BY key, side""",
}


def add_hands(warehouse: Warehouse, first: int, last: int, people: int) -> None:
    """Put hands straight into the tables; loading logs is measured elsewhere."""
    for table in ("hand", "seat", "side_result"):
        values = {"first": first, "last": last} | ({"people": people} if table == "seat" else {})
        warehouse.connection.execute(LEAGUE[table], values)


def make_league(folder: Path, hands: int, people: int | None = None) -> Path:
    """Make a warehouse of so many hands; a person for every hundred if not said otherwise."""
    path = folder / f"{hands}.duckdb"
    people = people or max(400, hands // 100)
    with open_warehouse(path, at=NOW) as warehouse:
        warehouse.connection.execute(LEAGUE["player"], {"people": people})
        for first in range(1, hands + 1, 1_000_000):
            add_hands(warehouse, first, min(first + 999_999, hands), people)
        warehouse.checkpoint()
    return path


def replay_once(path: Path) -> None:
    """Replay a league twice, so that the second is warm; print its seconds and the memory of the process."""
    parameters, text = load_parameters()
    with open_warehouse(path, at=NOW) as warehouse:
        for name, why in (("cold", "first"), ("warm", None)):
            began = time.perf_counter()
            run = replay(warehouse, Request(parameters, text, name, NOW, why))
            seconds = time.perf_counter() - began
    print(json.dumps({"seconds": seconds, "changes": run.changes, "mebibytes": greatest_memory()}))


def measurements() -> Iterator[tuple[str, list[Measurement]]]:
    """Yield the tables."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        leagues = {size: make_league(folder, size) for size in SIZES}
        yield "Rating, in memory, one core", _in_memory(leagues[SIZES[0]])
        rows, memory = [], []
        for size, path in leagues.items():
            found = _child("replay", path)
            rate = size / found["seconds"]
            label = f"replay of {size:,} hands, whole history written"
            target = REPLAY_TARGET if size >= REPLAY_TARGET_HANDS else None
            rows.append(Measurement(label, rate, "hands", (rate, rate), target))
            memory.append(f"{size:,} hands: {found['mebibytes']:,.0f} MiB")
        yield f"Rating, end to end from the warehouse; greatest memory: {', '.join(memory)}", rows
        largest_small = max(size for size in SIZES if size <= 1_000_000)
        yield "Bringing ratings up to date", [_rate_after_a_batch(leagues[largest_small], largest_small)]


def _child(act: str, path: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.rating", act, str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _rate_after_a_batch(path: Path, hands: int) -> Measurement:
    """Time the command itself, with its start, after 100 new hands."""
    with open_warehouse(path, at=NOW) as warehouse:
        add_hands(warehouse, hands + 1, hands + 100, max(400, hands // 100))
    command = [
        str(Path(sys.executable).with_name("coastal")),
        "rate",
        "--warehouse",
        str(path),
    ]
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    rate = 1 / (time.perf_counter() - began)
    label = f"coastal rate, 100 new hands on {hands:,} ({1 / rate:.2f} s)"
    return Measurement(label, rate, "runs", (rate, rate), 1 / RATE_SECONDS)


def _in_memory(path: Path) -> list[Measurement]:
    """Measure the fold with levels, events and history, and the peers on the same hands."""
    with open_warehouse(path, at=NOW) as warehouse:
        fold = Fold(warehouse, load_parameters()[0])
        hands = fold.reader.block(hand_order(warehouse.cursor(), None)).hands
        rows = [measure("Coastal, with levels, events and history", _kernel(hands), target=KERNEL_TARGET)]
    for name, peer in zip(PEER_HANDS, (_riix, _openskill, _trueskill), strict=True):
        rows.append(measure(name, peer(hands, PEER_HANDS[name]), repeats=3))
    return rows


def _kernel(hands: Hands) -> Callable[[], int]:
    rules = compile_rules(load_parameters()[0])
    size = hands.margin_scale.size
    slots = int(hands.seat[:, 0].max()) + 1
    history, held = new_history(len(hands.seat), hands.points.size), new_held(len(hands.seat), _games(hands))
    filled = np.empty(4, np.int64)

    def run() -> int:
        fold_block(new_state(np.full(slots, 1000.0), 0), rules, hands, held, 0, history, filled)
        assert filled[CHANGES] > 0
        return size

    run()
    return run


def _games(hands: Hands) -> int:
    return int(hands.hand[:, 3].max(initial=NONE)) + 1


def _tables(hands: Hands, size: int) -> tuple[list[list[int]], list[int]]:
    """Return the players at each table, side by side, and the first side's margin in points."""
    seats = hands.seat[: 4 * size, 0].reshape(size, 4)[:, [0, 2, 1, 3]]
    points = hands.points[: 2 * size].reshape(size, 2)
    return seats.tolist(), (points[:, 0] - points[:, 1]).tolist()


def _riix(hands: Hands, size: int) -> Callable[[], int]:
    import polars as pl
    from riix.models.elo import Elo
    from riix.utils.data_utils import MatchupDataset

    matches = [
        (str(one), str(two), 1.0 if margin > 0 else 0.5 if margin == 0 else 0.0, number // 1000)
        for number, (table, margin) in enumerate(zip(*_tables(hands, size), strict=True))
        for one in table[:2]
        for two in table[2:]
    ]
    ones, twos, outcomes, days = zip(*matches, strict=True)
    frame = pl.DataFrame(
        {"one": ones, "two": twos, "outcome": outcomes, "day": [NOW.date() + timedelta(days=d) for d in days]}
    )
    data = MatchupDataset(
        frame, ["one", "two"], "outcome", datetime_col="day", rating_period="1D", verbose=False
    )

    def run() -> int:
        Elo(data.competitors).fit_dataset(data)
        return size

    return run


def _openskill(hands: Hands, size: int) -> Callable[[], int]:
    from openskill.models import PlackettLuce

    tables, margins = _tables(hands, size)
    model = PlackettLuce()

    def run() -> int:
        ratings = {player: model.rating() for table in tables for player in table}
        for table, margin in zip(tables, margins, strict=True):
            teams = [[ratings[player] for player in side] for side in (table[:2], table[2:])]
            rated = model.rate(teams, scores=[max(margin, 0), max(-margin, 0)])
            ratings.update(zip(table, [*rated[0], *rated[1]], strict=True))
        return size

    return run


def _trueskill(hands: Hands, size: int) -> Callable[[], int]:
    import trueskill

    tables, margins = _tables(hands, size)

    def run() -> int:
        ratings = {player: trueskill.Rating() for table in tables for player in table}
        for table, margin in zip(tables, margins, strict=True):
            sides = table[:2], table[2:]
            teams = [tuple(ratings[player] for player in side) for side in sides]
            ranks = [0, 1] if margin > 0 else [1, 0] if margin < 0 else [0, 0]
            rated = trueskill.rate(teams, ranks=ranks)
            ratings.update(zip(table, [*rated[0], *rated[1]], strict=True))
        return size

    return run


if __name__ == "__main__":
    replay_once(Path(sys.argv[2]))
