"""Publish what the pages read: the current run's standings, histories and level events as a snapshot."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import duckdb
import pyarrow as pa

from ingest.following import Progress, followed
from ingest.records import arrow_table
from ingest.snapshot import publish
from ingest.warehouse import Warehouse
from rating.parameters import Parameters
from rating.progress import own_line, progress
from rating.queries import sql
from rating.runs import Run, find_run, whole_parts
from rating.showing import shown, shown_change
from rating.views import open_run, parameters_of

#: In this order, for `create_player_hand` reads what `seat_label` makes.
_TABLES = (
    "create_standing",
    "create_player",
    "create_level",
    "create_level_event",
    "create_player_stats",
    "seat_label",
    "create_player_hand",
)


def publish_current(warehouse: Warehouse, at: datetime, told: Progress | None = None) -> int:
    """Publish a snapshot of the current run; return its number.

    Args:
        warehouse: The open warehouse.
        at: The present instant.
        told: Hears how far it is.

    Raises:
        UnknownRunError: No run is current.
        RatingError: Its history is not whole.
        IngestError: The disk is full or fails; the old snapshot stays published.
    """
    cursor = warehouse.cursor()
    run = find_run(cursor)
    whole_parts(cursor, warehouse.runs_directory, run)

    def build(cursor: duckdb.DuckDBPyConnection, number: int, published_at: datetime) -> None:
        open_run(cursor, warehouse.runs_directory, run)
        build_serving(cursor, run, number, published_at, told)

    return publish(warehouse, build, at)


def build_serving(
    cursor: duckdb.DuckDBPyConnection,
    run: Run,
    number: int,
    published_at: datetime,
    told: Progress | None = None,
) -> None:
    """Create the tables of a snapshot in the schema `serving`.

    Args:
        cursor: Sees the warehouse, the run's views (`rating.views.open_run`) and the schema `serving`.
        run: The run.
        number: The snapshot's.
        published_at: UTC, no zone.
        told: Hears how far it is.
    """
    cursor.execute(
        sql("serving/create_meta"),
        {
            "snapshot": number,
            "published_at": published_at,
            "run": run.name,
            "parameters": run.parameters,
            "parameters_toml": run.parameters_toml,
            "hands": run.hands,
            "rated_hands": run.rated,
        },
    )
    cursor.register("computed", standing_table(cursor, parameters_of(run)))
    for done, table in enumerate(_TABLES):
        with followed(cursor, done, len(_TABLES), told):
            cursor.execute(sql(f"serving/{table}"))
    cursor.unregister("computed")


def standing_table(
    cursor: duckdb.DuckDBPyConnection, parameters: Parameters, player_key: int | None = None
) -> pa.Table:
    """Return where everybody, or one player, stands, with the way to the next level and what is shown."""
    table = arrow_table(cursor, sql("serving/standing"), {"player_key": player_key})
    rows = [_computed(parameters, row) for row in table.to_pylist()]
    columns = {name: pa.array([row[name] for row in rows], kind) for name, kind in _COMPUTED}
    for name, column in columns.items():
        table = table.append_column(name, column)
    return table


#: What is computed here, because its rules stand in Python.
_COMPUTED = (
    ("rating_shown", pa.int32()),
    ("last_change_shown", pa.int32()),
    ("at_risk", pa.bool_()),
    ("relegation_form", pa.float64()),
    ("next_level", pa.string()),
    ("next_form", pa.float64()),
    ("next_hands", pa.int32()),
    ("next_games", pa.int32()),
    ("form_progress", pa.float64()),
    ("hands_progress", pa.float64()),
    ("games_progress", pa.float64()),
    ("progress", pa.float64()),
)


def _computed(parameters: Parameters, row: dict[str, Any]) -> dict[str, Any]:
    """Return what follows from a standing and the parameters, by column."""
    line = own_line(parameters, row["level_position"])
    way = progress(parameters, row["level_position"], row["form"], row["hands"], row["games"])
    return {
        "rating_shown": shown(row["rating"]),
        "last_change_shown": shown_change(row["previous_rating"], row["rating"]),
        "at_risk": line is not None and row["form"] < line,
        "relegation_form": None if line is None else line - parameters.retention.relegation_points,
        "next_level": way.level,
        "next_form": way.form,
        "next_hands": way.hands,
        "next_games": way.games,
        "form_progress": way.form_share,
        "hands_progress": way.hands_share,
        "games_progress": way.games_share,
        "progress": way.share,
    }
