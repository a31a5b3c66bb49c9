"""Queries: each player's own rows, the snapshot that is current, and many viewers at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pytest

from dashboards import queries
from dashboards.queries import Place
from engine.errors import SnapshotMissingError
from tests.support.serving_fixture import LIVE, SOLO, publish_fixture

SOL = 7


@pytest.mark.parametrize(
    ("pool", "device", "hands"), [(LIVE, "", 60), (SOLO, "phone", 35), (SOLO, "tablet", 12)]
)
def test_a_place_is_one_pool_and_device(viewed: Path, pool: str, device: str, hands: int) -> None:
    snapshot, place = queries.current_snapshot(), Place(SOL, pool, device)
    assert queries.rating_history(snapshot, place)["hands"].tolist() == list(range(1, hands + 1))
    stats = queries.stats(snapshot, place)
    assert stats is not None
    assert stats["hands"] == hands
    events = queries.level_events(snapshot, place)
    assert events["hands"].is_unique
    assert events["hands"].max() <= hands
    assert events["kind"].tolist()[0] == "placed"


def test_a_number_that_is_missing_is_none(viewed: Path) -> None:
    snapshot = queries.current_snapshot()
    master = queries.player(snapshot, "p-cleo")
    assert master is not None
    (standing,) = queries.standings(snapshot, master["player_key"])
    assert standing["next_form"] is None
    assert standing["next_level"] is None


def test_a_newer_snapshot_is_shown_once_it_is_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse = publish_fixture(tmp_path / "coastal.duckdb", crowd=0)
    monkeypatch.setenv("COASTAL_WAREHOUSE", str(warehouse))
    older = queries.current_snapshot()
    assert queries.meta(older, sees_hidden=True)["players"] == 8
    publish_fixture(warehouse, 2, crowd=3)
    newer = queries.current_snapshot()
    assert (older.number, newer.number) == (1, 2)
    assert queries.meta(newer, sees_hidden=True)["players"] == 11
    assert queries.meta(older, sees_hidden=True)["players"] == 8


def test_without_a_snapshot_it_is_missing_even_after_one_was_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse = tmp_path / "coastal.duckdb"
    monkeypatch.setenv("COASTAL_WAREHOUSE", str(warehouse))
    for _ in range(2):
        with pytest.raises(SnapshotMissingError, match="coastal ingest"):
            queries.current_snapshot()
    publish_fixture(warehouse, crowd=0)
    assert queries.current_snapshot().number == 1


def test_a_page_cannot_write_or_reach_outside(viewed: Path, tmp_path: Path) -> None:
    with queries.current_snapshot().cursor() as cursor:
        for statement in (
            "DELETE FROM player",
            f"COPY player TO '{tmp_path / 'player.csv'}'",
            "SET enable_external_access = true",
        ):
            with pytest.raises(duckdb.Error):
                cursor.execute(statement)


def test_many_viewers_at_once_each_get_their_own_rows(viewed: Path) -> None:
    snapshot = queries.current_snapshot()
    keys = [key for key in range(1, 69) if queries.standings(snapshot, key)]
    queries._fetch_records.clear()  # ask the database, not the cache

    def lengths(key: int) -> tuple[int, int]:
        (standing, *_) = queries.standings(snapshot, key)
        place = Place(key, standing["pool"], standing["device"])
        return len(queries.rating_history(snapshot, place)), standing["hands"]

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lengths, keys * 4))
    assert len(answers) > 200
    assert all(rows == hands for rows, hands in answers)
