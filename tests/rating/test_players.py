"""A player with ratings on many devices is told of each of them, by as many questions as one with few."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from engine.errors import RatingError
from ingest.warehouse import open_warehouse
from rating.audit.audited import audited_run
from rating.audit.why import why
from rating.parameters import load_parameters
from rating.players import find_player, leaderboard, player_report
from rating.replay import Request, replay
from tests.support.leagues import random_league
from tests.support.rated_leagues import NOW, load

PARAMETERS, TEXT = load_parameters()


class Counting:
    """A cursor that counts the statements it runs."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection) -> None:
        self.cursor = cursor
        self.statements = 0

    def execute(self, *statement: Any) -> duckdb.DuckDBPyConnection:
        self.statements += 1
        return self.cursor.execute(*statement)

    def sql(self, statement: str, params: dict[str, Any]) -> duckdb.DuckDBPyRelation:
        self.statements += 1
        return self.cursor.sql(statement, params=params)


def solo_hands(devices: int, hands: int) -> tuple[str, list[dict[str, Any]]]:
    """Return a player and as many hands alone on each of some devices."""
    first = random_league(21, people=5, games=1, solo=1.0).hands[0]
    (player,) = (seat["player"] for seat in first["seats"] if "player" in seat)
    return player, [
        first | {"hand_id": f"d{device}-{number}", "game_id": f"d{device}-{number}", "device": f"d{device}"}
        for number in range(hands)
        for device in range(devices)
    ]


@pytest.mark.parametrize("devices", [1, 40])
def test_many_devices_take_no_more_questions_than_one(tmp_path: Path, devices: int) -> None:
    player, hands = solo_hands(devices, hands=12)
    with open_warehouse(tmp_path / "coastal.duckdb", at=NOW) as warehouse:
        load(warehouse, hands)
        replay(warehouse, Request(PARAMETERS, TEXT, "league", NOW, "test"))
        audited = audited_run(warehouse)
        key = find_player(audited.cursor, player, sees_hidden=True)
        counting: Any = Counting(audited.cursor)
        report = player_report(counting, PARAMETERS, key, 3, sees_hidden=True)
        assert counting.statements == 4
        reasons = why(replace(audited, cursor=counting), key)
        assert counting.statements == 6
        everything = player_report(audited.cursor, PARAMETERS, key, 10**9, sees_hidden=True)
    names = sorted(f"d{device}" for device in range(devices))
    assert [standing["device"] for standing in report["standings"]] == names
    assert [reason.device for reason in reasons] == names
    for standing, whole in zip(report["standings"], everything["standings"], strict=True):
        assert [hand["hands"] for hand in standing["last_hands"]] == [12, 11, 10]
        assert {hand["hand_id"].split("-")[0] for hand in standing["last_hands"]} == {standing["device"]}
        assert [hand["hands"] for hand in whole["last_hands"]] == list(range(12, 0, -1))
        assert whole["last_hands"][:3] == standing["last_hands"]
        assert standing["last_hands"][0]["rating_after"] == standing["rating"]
    assert all(reason.pace and reason.pace.hands == 11 for reason in reasons)


def test_a_player_without_a_rated_hand_has_no_standing(tmp_path: Path) -> None:
    _, hands = solo_hands(devices=1, hands=1)
    joined = {"format": "canasta-player/1", "player": "p-new", "name": "New"}
    with open_warehouse(tmp_path / "coastal.duckdb", at=NOW) as warehouse:
        load(warehouse, [*hands, joined])
        replay(warehouse, Request(PARAMETERS, TEXT, "league", NOW, "test"))
        audited = audited_run(warehouse)
        key = find_player(audited.cursor, "p-new", sees_hidden=True)
        assert player_report(audited.cursor, PARAMETERS, key, 3, sees_hidden=True)["standings"] == []
        assert why(audited, key) == []


def test_the_leaderboard_of_a_run_without_hands_is_empty(tmp_path: Path) -> None:
    with open_warehouse(tmp_path / "coastal.duckdb", at=NOW) as warehouse:
        replay(warehouse, Request(PARAMETERS, TEXT, "league", NOW, "test"))
        cursor = audited_run(warehouse).cursor
        assert leaderboard(cursor, PARAMETERS, None, 5, sees_hidden=True) == []
        with pytest.raises(RatingError, match="it has none"):
            leaderboard(cursor, PARAMETERS, "live/modern_american", 5, sees_hidden=True)
