"""What is published: the contract's tables, and what a page shows of a hand, worked by hand."""

import math
from datetime import UTC, datetime

import pytest

from engine.errors import RatingError
from ingest.snapshot import open_snapshot
from ingest.warehouse import open_warehouse
from rating.parameters import load_parameters
from rating.players import MAIN_POOL, leaderboard
from rating.replay import Request, replay
from rating.serving import publish_current
from rating.views import open_run
from tests.support.leagues import random_league
from tests.support.rated_leagues import load

NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
CANASTAS = {"natural": 0, "mixed": 0, "sevens": 0, "aces": 0, "wild": 0}


def hand(number, seats, points, *, mode="live", over=False):
    """A hand of one game whose points are all melds, so that its ledger sums."""
    zero = dict.fromkeys(("canastas", "threes", "going_out", "melds", "holdings", "penalties", "special"), 0)
    return {
        "format": "canasta-hand/1",
        "hand_id": f"h-{number}",
        "game_id": "g-1",
        "hand_no": number,
        "started_at": f"2026-01-05T18:{number:02}:00Z",
        "ended_at": f"2026-01-05T18:{number:02}:30Z",
        "mode": mode,
        "ruleset": "modern_american",
        "options": {},
        "seats": seats,
        "dealer": 0,
        "score_before": [0, 0],
        "result": {
            "ended_by": "stock",
            "seat": None,
            "concealed": False,
            "special": None,
            "points": points,
            "ledger": [zero | {"canastas": 300, "melds": own - 300} for own in points],
            "canastas": [CANASTAS | {"mixed": 1} for _ in points],
            "score_after": points,
            "game_over": over,
            "winner": None,
        },
    }


def person(seat, player):
    return {"seat": seat, "side": seat % 2, "kind": "human", "player": player}


def computer(seat):
    return {"seat": seat, "side": seat % 2, "kind": "computer", "skill": "beginner"}


PLAYERS = [
    {
        "format": "canasta-player/1",
        "player": "p-ana",
        "name": "Ana",
        "self_rating": "casual",
        "show_skill": True,
    },
    {
        "format": "canasta-player/1",
        "player": "p-bo",
        "name": "Bo",
        "self_rating": "expert",
        "show_skill": False,
    },
    {
        "format": "canasta-player/1",
        "player": "p-ana",
        "name": "Ana",
        "self_rating": "expert",
        "show_skill": True,
    },
]
TABLE = [person(0, "p-ana"), person(1, "p-bo"), computer(2), person(3, "p-cy")]


@pytest.fixture
def published(tmp_path):
    """A snapshot of two hands at one table, the second played by one person alone."""
    alone = [person(0, "p-ana"), computer(1), computer(2), computer(3)]
    with open_warehouse(tmp_path / "coastal.duckdb", at=NOW) as warehouse:
        report = load(warehouse, [*PLAYERS, hand(1, TABLE, [1500, 500]), hand(2, alone, [900, 400])])
        assert report.quarantined == 0
        parameters, text = load_parameters()
        replay(warehouse, Request(parameters, text, "league", NOW, "test"))
        publish_current(warehouse, NOW)
    with open_snapshot(tmp_path / "coastal.duckdb") as snapshot:
        yield snapshot


def rows(snapshot, statement):
    return snapshot.cursor().execute(statement).fetchall()


def test_a_hand_is_shown_with_who_played_and_what_it_changed(published):
    assert rows(published, "SELECT hand_id, hands FROM player_hand") == [("h-1", 1)] * 3
    (row,) = rows(
        published,
        """SELECT partners, opponents, points, points_against, rating_before, expected, actual,
            k_factor, change
        FROM player_hand JOIN player USING (player_key) WHERE player = 'p-ana'""",
    )
    # Ana 1,000 and a computer, 1,300 in a live seat, against Bo 1,300 and Cy 1,000: level; won by 1,000.
    actual = 1 / (1 + 10 ** (-1000 / 3000))
    assert row[:4] == ("Computer (beginner)", "Bo, p-cy", 1500, 500)
    assert row[4:6] == (1000.0, 0.5)
    assert row[6:] == pytest.approx((actual, 24.0, 24 * (actual - 0.5)))


def test_an_unrated_hand_counts_in_the_statistics_only(published):
    (meta,) = rows(published, "SELECT run, hands, rated_hands, players, quarantined FROM meta")
    assert meta == ("league", 2, 1, 3, 0)
    stats = rows(
        published,
        """SELECT player, hands, wins, average_points, mixed_canastas
        FROM player_stats JOIN player USING (player_key) ORDER BY player""",
    )
    assert stats == [("p-ana", 2, 2, 1200.0, 2), ("p-bo", 1, 0, 500.0, 1), ("p-cy", 1, 0, 500.0, 1)]


def test_the_first_self_rating_starts_and_the_latest_is_shown(published):
    assert rows(published, "SELECT player, name, self_rating, show_skill FROM player ORDER BY player") == [
        ("p-ana", "Ana", "expert", True),
        ("p-bo", "Bo", "expert", False),
        ("p-cy", "p-cy", None, True),
    ]
    start = dict(
        rows(published, "SELECT player, rating_before FROM player_hand JOIN player USING (player_key)")
    )
    assert start == {"p-ana": 1000.0, "p-bo": 1300.0, "p-cy": 1000.0}


def test_a_standing_shows_the_last_change_and_the_way_to_placing(published):
    (row,) = rows(
        published,
        """SELECT rating_shown, last_change_shown, level, hands, next_level, next_hands, next_form, progress,
            at_risk
        FROM standing JOIN player USING (player_key) WHERE player = 'p-ana'""",
    )
    gain = 24 * (1 / (1 + 10 ** (-1 / 3)) - 0.5)
    assert row == (
        math.floor(1000 + gain + 0.5),
        math.floor(gain + 0.5),
        "",
        1,
        "Beginner",
        10,
        None,
        0.1,
        False,
    )


def test_every_table_is_sorted_by_its_key(tmp_path):
    league = random_league(3, people=8, games=25)
    with open_warehouse(tmp_path / "coastal.duckdb", at=NOW) as warehouse:
        load(warehouse, [*league.players, *league.hands])
        parameters, text = load_parameters()
        replay(warehouse, Request(parameters, text, "league", NOW, "test"))
        publish_current(warehouse, NOW)
    keys = {
        "player": "player_key",
        "standing": "pool, device, player_key",
        "player_hand": "pool, device, player_key, hands",
        "level_event": "pool, device, player_key, hands",
        "level": "position",
        "player_stats": "mode, ruleset, device, player_key",
    }
    with open_snapshot(tmp_path / "coastal.duckdb") as snapshot:
        for table, key in keys.items():
            found = rows(snapshot, f"SELECT {key} FROM {table}")
            assert found == sorted(set(found)), table
        assert rows(snapshot, "SELECT count(*) FROM meta") == [(1,)]


@pytest.mark.parametrize(
    ("rulesets", "chosen"),
    [
        (["classic_partnership"], "live/classic_partnership"),
        (["classic_partnership", "modern_american"], MAIN_POOL),
    ],
)
def test_the_leaderboard_is_of_the_only_pool_or_of_the_main_one(tmp_path, rulesets, chosen):
    league = random_league(4, people=6, games=20, rulesets=rulesets, solo=0.0)
    with open_warehouse(tmp_path / "coastal.duckdb", at=NOW) as warehouse:
        load(warehouse, league.hands)
        parameters, text = load_parameters()
        run = replay(warehouse, Request(parameters, text, "league", NOW, "test"))
        cursor = warehouse.cursor()
        open_run(cursor, warehouse.runs_directory, run)
        rows = leaderboard(cursor, parameters, None, 10, sees_hidden=True)
        assert rows == leaderboard(cursor, parameters, chosen, 10, sees_hidden=True) != []
        with pytest.raises(RatingError, match="the run has no pool 'live/classic_salon'; it has live/"):
            leaderboard(cursor, parameters, "live/classic_salon", 10, sees_hidden=True)
