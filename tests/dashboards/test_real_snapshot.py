"""The pages over a snapshot that the rating published from logs, and the small league's likeness to it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import duckdb
import pytest
from streamlit.testing.v1 import AppTest

from dashboards import queries
from ingest.snapshot import open_snapshot
from ingest.warehouse import open_warehouse
from rating.serving import publish_current
from tests.dashboards.conftest import APP, PLAYER_PAGE
from tests.rating import oracle
from tests.support.leagues import random_league
from tests.support.rated_leagues import NOW, load, replay_with

LEAGUE = random_league(11, people=12, games=40)


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the warehouse of a league of every kind, loaded, rated and published."""
    path = tmp_path_factory.mktemp("real") / "coastal.duckdb"
    with open_warehouse(path) as warehouse:
        load(warehouse, [*LEAGUE.players, *LEAGUE.hands])
        replay_with(warehouse, oracle.COASTAL)
        publish_current(warehouse, NOW)
    return path


@pytest.fixture
def viewed(published: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COASTAL_WAREHOUSE", str(published))
    monkeypatch.delenv("COASTAL_OPERATOR", raising=False)
    return published


def hidden_names() -> set[str]:
    """Return the names of those whose last player's record hides their skill."""
    last = {record["player"]: record for record in LEAGUE.players}
    return {record["name"] for record in last.values() if not record["show_skill"]}


def columns(path: Path) -> list[tuple[str, str, str]]:
    with duckdb.connect(str(path), read_only=True) as connection:
        query = "SELECT table_name, column_name, data_type FROM information_schema.columns ORDER BY ALL"
        return connection.execute(query).fetchall()


def test_the_small_league_has_the_tables_that_the_rating_publishes(published: Path, league: Path) -> None:
    folders = [warehouse.with_suffix(".snapshots") for warehouse in (league, published)]
    small, real = (columns(folder / "1.duckdb") for folder in folders)
    assert small == real


def test_home_opens_in_every_pool_without_the_hidden(viewed: Path) -> None:
    hidden = hidden_names()
    assert hidden
    app = AppTest.from_file(str(APP), default_timeout=20).run()
    pools = app.selectbox(key="pool").options
    assert len(pools) > 3
    for pool in pools:
        app.query_params["pool"] = pool
        app = app.run()
        assert not app.exception
        assert not hidden & set(app.table[0].value["Player"].str.extract(r"^\[(.*)\]\(")[0])


@pytest.mark.parametrize("operator", ["0", "1"])
def test_every_players_page_opens(viewed: Path, operator: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COASTAL_OPERATOR", operator)
    app = AppTest.from_file(str(APP), default_timeout=20).run()
    app.switch_page(PLAYER_PAGE)
    shown = 0
    for player in sorted({record["player"] for record in LEAGUE.players}):
        app.query_params["player"] = player
        app.run()
        assert not app.exception, (player, app.exception[0].message)
        shown += bool(app.metric)
    last = {record["player"]: record["show_skill"] for record in LEAGUE.players}
    assert shown == (len(last) if operator == "1" else sum(last.values()))


def test_a_hand_is_marked_where_somebody_else_at_the_table_hides(published: Path) -> None:
    shows = {record["player"]: record["show_skill"] for record in LEAGUE.players}
    seated = {
        hand["hand_id"]: {seat["player"] for seat in hand["seats"] if "player" in seat}
        for hand in LEAGUE.hands
    }
    with open_snapshot(published) as snapshot:
        rows = snapshot.cursor().execute(
            "SELECT player, hand_id, beside_hidden FROM player_hand JOIN player USING (player_key)"
        )
        marked = {(player, hand): beside for player, hand, beside in rows.fetchall()}
    expected = {
        (player, hand): any(not shows.get(other, True) for other in seated[hand] - {player})
        for player, hand in marked
    }
    assert marked == expected
    assert set(marked.values()) == {True, False}


def test_places_run_from_one_in_every_pool_and_the_public_ones_leave_no_gap(published: Path) -> None:
    with open_snapshot(published) as snapshot:
        rows = snapshot.cursor().execute(
            "SELECT pool, level, rating, form, player, device, show_skill, place, public_place"
            " FROM standing JOIN player USING (player_key)"
        )
        standings = rows.fetchall()
    for pool in {row[0] for row in standings}:
        board = sorted(
            (row for row in standings if row[0] == pool),
            key=lambda row: (row[1] == "", -row[2], -row[3], row[4], row[5]),
        )
        assert [row[7] for row in board] == list(range(1, len(board) + 1))
        public = [row[8] for row in board if row[6]]
        assert public == list(range(1, len(public) + 1))
        assert all(row[8] is None for row in board if not row[6])


def test_every_standing_has_its_own_hands_and_level_events(viewed: Path) -> None:
    snapshot, checked = queries.current_snapshot(), 0
    for key in range(1, 1 + len(snapshot.cursor().execute("FROM player").fetchall())):
        for standing in queries.standings(snapshot, key):
            place = queries.Place(key, standing["pool"], standing["device"])
            assert len(queries.rating_history(snapshot, place)) == standing["hands"]
            events = queries.level_events(snapshot, place)
            assert events["hands"].is_unique
            assert ["", *events["to_level"]][-1] == standing["level"]
            checked += 1
    assert checked > 20


def test_statistics_count_the_hands_that_a_player_played_in_person(viewed: Path) -> None:
    played: Counter[tuple[str, str, str]] = Counter()
    for hand in LEAGUE.hands:
        pool = f"{hand['mode']}/{hand['ruleset']}"
        for seat in hand["seats"]:
            if seat["kind"] == "human":
                played[seat["player"], pool, hand.get("device", "")] += 1
    snapshot = queries.current_snapshot()
    told = {}
    for player, pool, device in played:
        person = queries.player(snapshot, player)
        assert person is not None
        stats = queries.stats(snapshot, queries.Place(person["player_key"], pool, device))
        assert stats is not None
        told[player, pool, device] = stats["hands"]
    assert told == played
