"""Named read-only queries over a published snapshot; the only cached code of the dashboards.

Every query is a file in `sql/`. A result is cached under the path of its snapshot, which never means another
content. What a viewer may see is a parameter of each query that lists or counts players.
"""

from __future__ import annotations

import functools
import os
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from ingest.snapshot import Snapshot, current_number, open_snapshot
from rating.parameters import Parameters, read_parameters

_SQL = Path(__file__).parent / "sql"

Record = dict[str, Any]


class Place(NamedTuple):
    """One rating of one player: where it is kept."""

    player_key: int
    pool: str
    device: str


def current_snapshot() -> Snapshot:
    """Return the published snapshot of the warehouse that `COASTAL_WAREHOUSE` names.

    Raises:
        SnapshotMissingError: Nothing has been published yet.
    """
    warehouse = os.environ["COASTAL_WAREHOUSE"]
    return _open(warehouse, current_number(warehouse))


def meta(snapshot: Snapshot, *, sees_hidden: bool) -> Record:
    """Return what the snapshot is and what it rests on."""
    return _records(snapshot, "meta", sees_hidden=sees_hidden)[0]


def pools(snapshot: Snapshot, *, sees_hidden: bool) -> list[str]:
    """Return the pools that hold a rating, live ones first."""
    return [str(row["pool"]) for row in _records(snapshot, "pool", sees_hidden=sees_hidden)]


def parameters(snapshot: Snapshot) -> Parameters:
    """Return the parameter set of the snapshot's run."""
    row = _records(snapshot, "parameters")[0]
    return read_parameters(row["parameters_toml"], f"parameters of run {row['run']}")


def leaderboard_size(snapshot: Snapshot, pool: str, search: str, *, sees_hidden: bool) -> int:
    """Return how many rows `leaderboard` has over all its pages."""
    rows = _records(snapshot, "leaderboard_size", pool=pool, search=search, sees_hidden=sees_hidden)
    return int(rows[0]["size"])


def leaderboard(
    snapshot: Snapshot, pool: str, search: str, *, sees_hidden: bool, rows: int, skip: int
) -> pd.DataFrame:
    """Return `rows` rows of a pool's leaderboard after the first `skip`."""
    return _frame(
        snapshot, "leaderboard", pool=pool, search=search, sees_hidden=sees_hidden, rows=rows, skip=skip
    )


def player_search(snapshot: Snapshot, search: str, *, sees_hidden: bool, rows: int) -> pd.DataFrame:
    """Return at most `rows` players whose name holds `search` or whose id it is."""
    return _frame(snapshot, "player_search", search=search, sees_hidden=sees_hidden, rows=rows)


def player(snapshot: Snapshot, player_id: str) -> Record | None:
    """Return who a player is, None when nobody has that id."""
    rows = _records(snapshot, "player", player=player_id)
    return rows[0] if rows else None


def standings(snapshot: Snapshot, player_key: int) -> list[Record]:
    """Return where a player stands in each pool and on each device."""
    return _records(snapshot, "player_standing", player_key=player_key)


def rating_history(snapshot: Snapshot, place: Place) -> pd.DataFrame:
    """Return Rating and Form along every rated hand, in order."""
    return _frame(snapshot, "rating_history", **place._asdict())


def level_events(snapshot: Snapshot, place: Place) -> pd.DataFrame:
    """Return the level events, in order."""
    return _frame(snapshot, "level_event", **place._asdict())


def hands(snapshot: Snapshot, place: Place, *, sees_hidden: bool, rows: int, skip: int) -> pd.DataFrame:
    """Return `rows` rated hands, latest first, after the first `skip`."""
    return _frame(snapshot, "player_hand", **place._asdict(), sees_hidden=sees_hidden, rows=rows, skip=skip)


def stats(snapshot: Snapshot, place: Place) -> Record | None:
    """Return the counts over all hands played in person, None when there are none."""
    rows = _records(snapshot, "player_stats", **place._asdict())
    return rows[0] if rows else None


@st.cache_resource(max_entries=4, on_release=Snapshot.close, show_spinner=False)
def _open(warehouse: str, number: int | None) -> Snapshot:
    """Open the current snapshot once for every session; a new number opens the new one."""
    return open_snapshot(warehouse)


def _records(snapshot: Snapshot, name: str, **parameters: Any) -> list[Record]:
    """Return a query's rows as dictionaries, with None where SQL has NULL."""
    return _fetch_records(str(snapshot.path), name, parameters, snapshot)


def _frame(snapshot: Snapshot, name: str, **parameters: Any) -> pd.DataFrame:
    return _fetch_frame(str(snapshot.path), name, parameters, snapshot)


# `path` names the snapshot in the cache's key, which cannot hold `_snapshot` itself.
@st.cache_data(max_entries=2000, max_size="50MB", show_spinner=False)
def _fetch_records(path: str, name: str, parameters: Record, _snapshot: Snapshot) -> list[Record]:
    with _snapshot.cursor() as cursor:
        found = cursor.execute(_sql(name), parameters)
        names = [str(column[0]) for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


@st.cache_data(max_entries=2000, max_size="50MB", show_spinner=False)
def _fetch_frame(path: str, name: str, parameters: Record, _snapshot: Snapshot) -> pd.DataFrame:
    with _snapshot.cursor() as cursor:
        return cursor.execute(_sql(name), parameters).df()


@functools.cache
def _sql(name: str) -> str:
    return (_SQL / f"{name}.sql").read_text(encoding="utf-8")
