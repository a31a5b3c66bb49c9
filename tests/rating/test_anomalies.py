"""Each anomaly finds who was planted for it and nobody else, in a log made by hand."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ingest.warehouse import open_warehouse
from rating.audit.anomalies import anomalies, load_thresholds
from rating.audit.audited import audited_run
from tests.rating import oracle
from tests.support.leagues import CANASTAS, LEDGER
from tests.support.rated_leagues import NOW, load, replay_with

Record = dict[str, Any]
START = datetime(2026, 3, 1, 18, 0, tzinfo=UTC)


class Log:
    """Writes classic games for two or four, hand after hand, each ten minutes long unless said otherwise."""

    def __init__(self) -> None:
        self.hands: list[Record] = []
        self.at = START
        self.game = 0
        self.score: list[int] = []
        self.hand_no = 0

    def new_game(self) -> None:
        self.game += 1
        self.score, self.hand_no = [0, 0], 0

    def play(
        self,
        *seats: str,
        points: tuple[int, int] = (0, 0),
        seconds: int = 600,
        turns: int = 40,
        over: bool = False,
    ) -> None:
        """Play a hand; `bo/away` has left the seat to the computer."""
        self.hand_no += 1
        began, self.at = self.at, self.at + timedelta(seconds=seconds)
        before, self.score = self.score, [had + won for had, won in zip(self.score, points, strict=True)]
        self.hands.append(
            {
                "format": "canasta-hand/1",
                "hand_id": f"h-{len(self.hands) + 1:04d}",
                "game_id": f"g-{self.game:03d}",
                "hand_no": self.hand_no,
                "started_at": f"{began:%Y-%m-%dT%H:%M:%SZ}",
                "ended_at": f"{self.at:%Y-%m-%dT%H:%M:%SZ}",
                "mode": "live",
                "ruleset": "classic_salon",
                "options": {},
                "seats": [self.seat(index, name) for index, name in enumerate(seats)],
                "dealer": 0,
                "score_before": before,
                "result": {
                    "ended_by": "stock",
                    "seat": None,
                    "concealed": False,
                    "special": None,
                    "points": list(points),
                    "ledger": [dict.fromkeys(LEDGER, 0) | {"melds": side} for side in points],
                    "canastas": [dict.fromkeys(CANASTAS, 0)] * 2,
                    "score_after": self.score,
                    "game_over": over,
                    "winner": max((0, 1), key=lambda side: self.score[side]) if over else None,
                },
                "turns": turns,
                "engine": "tests 1",
            }
        )

    @staticmethod
    def seat(index: int, name: str) -> Record:
        person, _, away = name.partition("/")
        place: Record = {"seat": index, "side": index % 2, "player": person}
        return place | ({"kind": "stand_in", "skill": "expert"} if away else {"kind": "human"})


def plant() -> list[Record]:
    """A crowd that plays each other in turn, and one or two people for each anomaly."""
    log = Log()
    crowd = ["amy", "ben", "cas", "dee", "eve", "fay"]
    for turn in range(60):
        log.new_game()
        left, right = crowd[turn % 6], crowd[(turn + 1 + turn // 6 % 4) % 6]
        log.play(left, right, points=(100, 90) if turn % 2 else (90, 100))
        log.play(left, right, points=(5000, 90) if turn % 2 else (90, 5000), over=True)
    for _ in range(25):  # only each other; the points level, so that nobody gains
        log.new_game()
        log.play("pam", "pip", points=(100, 100))
        log.play("pam", "pip", points=(5000, 5005), over=True)
    for _ in range(15):  # three who only play each other are no pair
        log.new_game()
        for left, right in (("tia", "tom"), ("tom", "ted"), ("ted", "tia")):
            log.play(left, right, points=(10, 10))
    for turn in range(12):  # gus beats one opponent again and again, and ties with the others
        log.new_game()
        log.play("gus", "hal", points=(1500, 0))
        log.play("gus", crowd[turn % 6], points=(0, 0))
        log.play("hal", crowd[turn % 6], points=(0, 0))
    for turn in range(12):  # ned beats two opponents alike, and loses to the others: neither gave him most
        log.new_game()
        for loser in ("nan", "nat"):
            log.play("ned", loser, points=(1500, 0))
        log.play("ned", crowd[turn % 6], points=(0, 500))
    for turn in range(5):  # at once: few turns, or few seconds
        log.new_game()
        log.play("ivy", crowd[turn], turns=3)
        log.play("ivy", crowd[turn], seconds=20)
    for turn in range(4):  # jo leaves for good when behind
        log.new_game()
        log.play("jo", crowd[turn], crowd[turn + 1], crowd[turn + 2], points=(0, 500))
        log.play("jo/away", crowd[turn], crowd[turn + 1], crowd[turn + 2], points=(0, 500))
    for turn in range(5):  # games of kim stop when kim is behind
        log.new_game()
        log.play("kim", crowd[turn], points=(0, 500))
    for turn in range(30):  # lou and liz sit together always, with others against them
        log.new_game()
        log.play("lou", crowd[turn % 6], "liz", crowd[(turn + 1) % 6], points=(10, 10))
        log.play("lou", crowd[turn % 6], "liz", crowd[(turn + 2) % 6], points=(10, 10))
    for turn in range(70):  # max plays level for 60 hands and more, then wins everything
        log.new_game()
        log.play("max", crowd[turn % 6], points=(10, 10))
    for turn in range(30):
        log.new_game()
        log.play("max", crowd[turn % 6], points=(3000, 0))
    log.at += timedelta(days=10)
    log.new_game()
    log.play("amy", "ben", points=(5000, 0), over=True)
    return log.hands


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, list[Record]]]:
    path: Path = tmp_path_factory.mktemp("anomalies") / "coastal.duckdb"
    with open_warehouse(path, at=NOW) as warehouse:
        assert load(warehouse, plant()).quarantined == 0
        replay_with(warehouse, oracle.COASTAL)
        yield {kind.anomaly: kind.found for kind in anomalies(audited_run(warehouse), load_thresholds())}


def players(rows: list[Record]) -> set[str]:
    return {row["player"] for row in rows}


def test_two_who_only_play_each_other(found: dict[str, list[Record]]) -> None:
    (row,) = found["closed_pair"]
    assert (row["player"], row["other"], row["hands"]) == ("pam", "pip", 50)
    assert row["gain_points"] == -row["other_gain_points"]


def test_rating_raised_mostly_against_one_opponent(found: dict[str, list[Record]]) -> None:
    (row,) = found["one_opponent"]
    assert row["player"] == "gus"
    assert (row["opponent"], row["hands_against"], row["hands"]) == ("hal", 12, 24)
    assert 0.8 <= row["share"] <= 1
    assert row["share"] == pytest.approx(row["raised_against_points"] / row["raised_points"], abs=1e-4)
    assert row["gain_points"] < row["raised_points"]


def test_hands_that_end_at_once(found: dict[str, list[Record]]) -> None:
    (row,) = (row for row in found["instant_hands"] if row["player"] == "ivy")
    assert row["hands"] == 10
    assert players(found["instant_hands"]) == {"ivy"}


def test_games_left_for_good_while_losing(found: dict[str, list[Record]]) -> None:
    (row,) = found["left_while_losing"]
    assert (row["player"], row["left_behind"], row["left_games"], row["games"]) == ("jo", 4, 4, 4)
    assert len(row["game_ids"]) == 4


def test_games_that_stop_while_losing(found: dict[str, list[Record]]) -> None:
    assert "kim" in players(found["unfinished_while_losing"])
    (row,) = (row for row in found["unfinished_while_losing"] if row["player"] == "kim")
    assert (row["unfinished_behind"], row["unfinished_games"]) == (5, 5)
    assert "jo" not in players(found["unfinished_while_losing"])


def test_partners_who_never_change(found: dict[str, list[Record]]) -> None:
    assert [(row["player"], row["partner"], row["hands"]) for row in found["fixed_partner"]] == [
        ("liz", "lou", 60),
        ("lou", "liz", 60),
    ]


def test_sudden_strength(found: dict[str, list[Record]]) -> None:
    (row,) = found["sudden_strength"]
    assert (row["player"], row["hands_from"], row["hands_to"]) == ("max", 70, 100)
    assert row["rise_points"] == pytest.approx(row["rating_to"] - row["rating_from"], abs=1e-3)


def test_definitions_are_printed_with_their_thresholds(tmp_path: Path) -> None:
    with open_warehouse(tmp_path / "coastal.duckdb", at=NOW) as warehouse:
        replay_with(warehouse, oracle.COASTAL)
        kinds = anomalies(audited_run(warehouse), load_thresholds())
    assert [kind.found for kind in kinds] == [[]] * 7
    assert kinds[0].definition == (
        "two people with at least 20 rated hands each who only play each other in this pool"
    )
    assert all("{" not in kind.definition for kind in kinds)
