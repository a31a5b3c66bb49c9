"""Pages: how soon published data answers all that a page asks, without the page's cache.

`COASTAL_BENCH_HANDS` lists the sizes of the leagues, `1000000,10000000` by default; each has 100,000 players.
Half the players asked for are picked evenly, half are those with the most hands.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb

from benchmarks.measuring import Measurement
from benchmarks.rating import NOW, make_league
from dashboards import queries
from dashboards.components.hand_table import ROWS as HANDS_SHOWN
from dashboards.components.leaderboard import ROWS as PLAYERS_SHOWN
from ingest.snapshot import Snapshot, open_snapshot
from ingest.warehouse import open_warehouse
from rating.parameters import load_parameters
from rating.replay import Request, replay
from rating.serving import publish_current

SIZES = [int(size) for size in os.environ.get("COASTAL_BENCH_HANDS", "1000000,10000000").split(",")]
PEOPLE, ASKED, PAGES = 100_000, 100, 30
POOL = "live/modern_american"
#: Milliseconds for an answer at 1,000,000 hands; three times as many at ten times the hands.
PLAYER_MS, LEADERBOARD_MS, MORE_AT_TEN_TIMES = 30.0, 50.0, 3


def measurements() -> Iterator[tuple[str, list[Measurement]]]:
    """Yield the tables."""
    for name in ("_fetch_records", "_fetch_frame"):  # past the cache
        setattr(queries, name, getattr(queries, name).__wrapped__)
    for size in SIZES:
        with tempfile.TemporaryDirectory() as name:
            path = make_league(Path(name), size, PEOPLE)
            _publish(path)
            snapshot = open_snapshot(path)
            more = 1 if size <= 1_000_000 else MORE_AT_TEN_TIMES
            rows = [
                _answer("a player's page", PLAYER_MS * more, _players(snapshot)),
                _answer("a page of the leaderboard", LEADERBOARD_MS * more, _leaderboards(snapshot)),
            ]
            snapshot.close()
        yield f"Pages over {size:,} hands and {PEOPLE:,} players, one after the other", rows


def _publish(path: Path) -> None:
    parameters, text = load_parameters()
    with open_warehouse(path, at=NOW) as warehouse:
        replay(warehouse, Request(parameters, text, "league", NOW, "benchmark"))
        publish_current(warehouse, NOW)


def _answer(name: str, most_ms: float, asks: list[Callable[[], object]]) -> Measurement:
    """Time each question once and tell the median and the slowest; the rate is answers a second."""
    seconds = []
    for ask in asks:
        began = time.perf_counter()
        ask()
        seconds.append(time.perf_counter() - began)
    middle, slowest = statistics.median(seconds), max(seconds)
    label = f"{name}: {middle * 1000:.0f} ms, slowest {slowest * 1000:.0f} ms (target {most_ms:.0f} ms)"
    return Measurement(label, 1 / middle, "answers", (1 / slowest, 1 / min(seconds)), 1000 / most_ms)


def _players(snapshot: Snapshot) -> list[Callable[[], object]]:
    def ask(player_id: str) -> Callable[[], object]:
        def run() -> None:
            player = queries.player(snapshot, player_id)
            assert player is not None
            standing = queries.standings(snapshot, player["player_key"])[0]
            place = queries.Place(player["player_key"], standing["pool"], standing["device"])
            queries.meta(snapshot, sees_hidden=False)
            queries.parameters(snapshot)
            queries.level_events(snapshot, place)
            assert len(queries.rating_history(snapshot, place))
            queries.hands(snapshot, place, sees_hidden=False, rows=HANDS_SHOWN, skip=0)
            queries.stats(snapshot, place)

        return run

    with snapshot.cursor() as cursor:
        return [ask(player) for player in _asked_for(cursor)]


def _asked_for(cursor: duckdb.DuckDBPyConnection) -> list[str]:
    found = cursor.execute(
        """
        (SELECT player FROM standing JOIN player USING (player_key) ORDER BY hands DESC, player LIMIT $half)
        UNION ALL
        (SELECT player FROM standing JOIN player USING (player_key) ORDER BY hash(player) LIMIT $half)
        """,
        {"half": ASKED // 2},
    )
    return [str(player) for (player,) in found.fetchall()]


def _leaderboards(snapshot: Snapshot) -> list[Callable[[], object]]:
    def ask(page: int) -> Callable[[], object]:
        def run() -> None:
            size = queries.leaderboard_size(snapshot, POOL, "", sees_hidden=False)
            skip = page * size // PAGES // PLAYERS_SHOWN * PLAYERS_SHOWN
            queries.meta(snapshot, sees_hidden=False)
            queries.pools(snapshot, sees_hidden=False)
            queries.parameters(snapshot)
            assert len(
                queries.leaderboard(snapshot, POOL, "", sees_hidden=False, rows=PLAYERS_SHOWN, skip=skip)
            )

        return run

    return [ask(page) for page in range(PAGES)]
