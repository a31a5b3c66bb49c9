"""A league in a real warehouse, and a run's record read back in the oracle's words."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from ingest.corrections import correct
from ingest.load import Loader, LoadReport
from ingest.warehouse import Warehouse
from rating.parameters import read_parameters
from rating.replay import Request, replay
from rating.runs import Run
from rating.serving import standing_table
from rating.views import open_run, parameters_of
from tests.rating import oracle
from tests.rating.parameter_sets import toml_text
from tests.support.hand_lines import block

NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
Row = tuple[Any, ...]

CHANGES = """
    SELECT
        change.pool, player.player, change.device, hand.hand_id, applied.hand_id,
        change.rating_before, change.rating_after, change.k_factor, change.expected, change.actual,
        change.surprise, change.form_before, change.form_after, change.hands, change.games, change.level,
        change.held
    FROM rating_change AS change
    JOIN player USING (player_key)
    JOIN hand USING (hand_key)
    LEFT JOIN hand AS applied ON applied.hand_key = change.applied_hand_key
    ORDER BY change.pool, player.player, change.device, change.hands
"""
EVENTS = """
    SELECT
        event.pool, player.player, event.device, hand.hand_id, event.kind, event.from_level, event.to_level,
        event.form, event.hands, event.games
    FROM rating_event AS event
    JOIN player USING (player_key)
    JOIN hand USING (hand_key)
    ORDER BY event.pool, player.player, event.device, event.hands
"""


def load(warehouse: Warehouse, records: Iterable[dict[str, Any]]) -> LoadReport:
    """Load records as one block."""
    lines = [json.dumps(record, ensure_ascii=False).encode() for record in records]
    return Loader(warehouse, 1, lambda: NOW).load_all([block(*lines)])


def replace_with_a_longer_one(warehouse: Warehouse, hand: dict[str, Any]) -> None:
    """Replace a hand by a version with a turn more, which no rating depends on."""
    blocks = [block(json.dumps(hand | {"turns": hand["turns"] + 1}).encode())]
    correct(warehouse, blocks, operator="op", why="test", level=1, clock=lambda: NOW)


def replay_with(
    warehouse: Warehouse, parameters: oracle.Parameters, name: str = "league", part_hands: int = 200_000
) -> Run:
    """Replay a warehouse with a parameter set in the oracle's words, and make the run current."""
    text = toml_text(parameters)
    return replay(
        warehouse, Request(read_parameters(text, "drawn"), text, name, NOW, "test", part_hands=part_hands)
    )


def changes(warehouse: Warehouse, run: Run) -> list[Row]:
    """Return a run's changes, by account and in order."""
    cursor = warehouse.cursor()
    open_run(cursor, warehouse.runs_directory, run)
    return cursor.execute(CHANGES).fetchall()


def events(warehouse: Warehouse, run: Run) -> list[Row]:
    """Return a run's level events, by account and in order."""
    cursor = warehouse.cursor()
    open_run(cursor, warehouse.runs_directory, run)
    return cursor.execute(EVENTS).fetchall()


def standings(warehouse: Warehouse, run: Run) -> list[dict[str, Any]]:
    """Return a run's standings, by account."""
    cursor = warehouse.cursor()
    open_run(cursor, warehouse.runs_directory, run)
    names = dict(cursor.execute("SELECT player_key, player FROM player").fetchall())
    rows = standing_table(cursor, parameters_of(run)).to_pylist()
    for row in rows:
        row["player"] = names[row.pop("player_key")]
        del row["slot"]  # slots are numbered run by run
    return sorted(rows, key=lambda row: (row["pool"], row["player"], row["device"]))


def oracle_changes(rated: oracle.Rated) -> list[Row]:
    """Return the oracle's changes as `changes` does."""
    rows = [
        (
            *change.account,
            change.hand_id,
            change.applied_at,
            change.rating_before,
            change.rating_after,
            change.k_factor,
            change.expected,
            change.actual,
            change.surprise,
            change.form_before,
            change.form_after,
            change.hands,
            change.games,
            change.level,
            change.held,
        )
        for change in rated.changes
    ]
    return sorted(rows, key=lambda row: (*row[:3], row[13]))


def oracle_events(rated: oracle.Rated) -> list[Row]:
    """Return the oracle's level events as `events` does."""
    rows = [
        (
            *event.account,
            event.hand_id,
            event.kind,
            event.from_level,
            event.to_level,
            event.form,
            event.hands,
            event.games,
        )
        for event in rated.events
    ]
    return sorted(rows, key=lambda row: (*row[:3], row[8]))
