"""Two runs side by side: nothing differs, everything does, or from one hand on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.errors import RatingError
from ingest.corrections import void
from ingest.warehouse import Warehouse, open_warehouse
from rating.compare import compare
from rating.replay import rate
from rating.runs import find_run
from tests.rating import oracle
from tests.support.leagues import League, random_league
from tests.support.rated_leagues import NOW, load, replace_with_a_longer_one, replay_with

LEVELS = [("Beginner", None, 10, 0), ("Improver", 990.0, 12, 0), ("Intermediate", 1010.0, 15, 1)]
BASE = oracle.COASTAL | {"levels": LEVELS}


@pytest.fixture
def league() -> League:
    return random_league(3, people=6, games=30, rulesets=["modern_american"], leavers=0.3)


@pytest.fixture
def warehouse(league: League, tmp_path: Path) -> Iterator[Warehouse]:
    with open_warehouse(tmp_path / "coastal.duckdb", at=NOW) as opened:
        load(opened, [*league.players, *league.hands])
        replay_with(opened, BASE, "one", part_hands=50)
        yield opened


def test_the_same_parameters_make_the_same_run(warehouse: Warehouse) -> None:
    replay_with(warehouse, BASE, "two", part_hands=17)
    found = compare(warehouse, "one", "two")
    assert (found.differing, found.players, found.churn, found.first_parting) == (0, [], [], None)
    assert found.parameters == []
    assert found.accounts == found.distribution["players"] > 0
    assert found.distribution["greatest"] == found.distribution["least"] == 0.0


def test_other_parameters_differ_as_the_oracle_says(warehouse: Warehouse, league: League) -> None:
    other = BASE | {
        "margin_scale": BASE["margin_scale"] | {"modern_american": 1500.0},
        "levels": [*LEVELS[:2], ("Intermediate", 1000.0, 15, 1)],
    }
    replay_with(warehouse, other, "two")
    found = compare(warehouse, "one", "two")
    told = {row["key"]: (row["one"], row["other"]) for row in found.parameters}
    assert told.keys() == {"margin_scale.modern_american", "level[2].form_line"}
    assert told["margin_scale.modern_american"] == (BASE["margin_scale"]["modern_american"], 1500.0)
    mine, theirs = (oracle.rate(league.hands, league.players, chosen) for chosen in (BASE, other))
    differences = {
        (*one.account[:1], one.account.device, one.account.player): two.rating - one.rating
        for one, two in zip(mine.standings, theirs.standings, strict=True)
    }
    assert {
        (row["pool"], row["device"], row["player"]): row["rating_difference"] for row in found.players
    } == {account: difference for account, difference in differences.items() if difference}
    sizes = [abs(row["rating_difference"]) for row in found.players]
    assert sizes == sorted(sizes, reverse=True)
    assert found.distribution["greatest"] == round(max(differences.values()), 6)
    moved = [
        (one.level, two.level)
        for one, two in zip(mine.standings, theirs.standings, strict=True)
        if one.level != two.level
    ]
    assert {(row["level_one"], row["level_other"]): row["players"] for row in found.churn} == {
        pair: moved.count(pair) for pair in set(moved)
    }
    first = next(
        (one, two)
        for one, two in zip(mine.changes, theirs.changes, strict=True)
        if one.rating_after != two.rating_after
    )
    assert found.first_parting is not None
    assert found.first_parting["hand_id"] == first[0].hand_id
    assert found.first_parting["one"]["rating"] == first[0].rating_after
    assert found.first_parting["other"]["rating"] == first[1].rating_after
    assert found.first_parting["one"]["player"] == first[0].account.player


def test_only_promotion_dates_may_differ(warehouse: Warehouse, league: League) -> None:
    """A level that asks for one hand more comes a hand later; ratings stay."""
    replay_with(warehouse, BASE | {"levels": [LEVELS[0], ("Improver", 990.0, 13, 0), LEVELS[2]]}, "two")
    found = compare(warehouse, "one", "two")
    late = [row for row in found.players if row["promotions_one"] != row["promotions_other"]]
    assert late
    assert {row["rating_difference"] for row in late} == {0.0}
    assert found.first_parting is not None
    assert found.first_parting["one"]["level"] != found.first_parting["other"]["level"]


def test_a_voided_hand_is_where_the_runs_part(warehouse: Warehouse, league: League) -> None:
    rated = oracle.rate(league.hands, league.players, BASE)
    middle = rated.changes[len(rated.changes) // 2]
    void(warehouse, middle.applied_at or middle.hand_id, operator="op", why="test", at=NOW)
    rate(warehouse, at=NOW, part_hands=50)
    found = compare(warehouse, "one", find_run(warehouse.cursor()).name)
    assert found.first_parting is not None
    assert found.first_parting["hand_id"] == (middle.applied_at or middle.hand_id)
    assert not found.first_parting["is_other_version"]


def test_another_version_of_a_hand_is_where_the_runs_part_though_no_number_differs(
    warehouse: Warehouse, league: League
) -> None:
    rated = oracle.rate(league.hands, league.players, BASE)
    middle = rated.changes[len(rated.changes) // 2]
    hand_id = middle.applied_at or middle.hand_id
    replace_with_a_longer_one(warehouse, next(one for one in league.hands if one["hand_id"] == hand_id))
    rate(warehouse, at=NOW, part_hands=50)
    found = compare(warehouse, "one", find_run(warehouse.cursor()).name)
    assert (found.differing, found.first_parting is None) == (0, False)
    assert found.first_parting is not None
    assert found.first_parting["hand_id"] == hand_id
    assert found.first_parting["one"] == found.first_parting["other"]
    assert found.first_parting["is_other_version"]


def test_a_run_that_goes_on_parts_where_the_other_ends(warehouse: Warehouse) -> None:
    later = random_league(4, people=6, games=2, rulesets=["modern_american"], solo=0.0, computers=0.0)
    for hand in later.hands:
        for name in ("started_at", "ended_at"):
            hand[name] = hand[name].replace("2026-", "2027-")
        hand["hand_id"], hand["game_id"] = "x" + hand["hand_id"], "x" + hand["game_id"]
    load(warehouse, later.hands)
    rate(warehouse, at=NOW)
    found = compare(warehouse, "one", find_run(warehouse.cursor()).name)
    assert found.first_parting is not None
    assert found.first_parting["one"] is None
    assert found.first_parting["hand_id"].startswith("x")


def test_an_unknown_run_suggests_the_nearest(warehouse: Warehouse) -> None:
    with pytest.raises(RatingError, match="did you mean one"):
        compare(warehouse, "one", "onee")
