"""`coastal audit` and `coastal compare` as a person or a program calls them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from engine.errors import CoastalError
from ingest.warehouse import open_warehouse
from rating.replay import rate
from service.cli import app
from tests.rating import oracle
from tests.support.leagues import random_league
from tests.support.rated_leagues import NOW, load, replace_with_a_longer_one, replay_with

WIDER = oracle.COASTAL | {"margin_scale": oracle.COASTAL["margin_scale"] | {"classic_salon": 2000.0}}


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("audit") / "coastal.duckdb"
    league = random_league(21, people=5, games=25, rulesets=["classic_salon"], leavers=0.3)
    with open_warehouse(path, at=NOW) as opened:
        load(opened, [*league.players, *league.hands])
        replay_with(opened, WIDER, "wider")
        replay_with(opened, oracle.COASTAL, "league")
    return path


def call(warehouse: Path, *words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, [*words, "--warehouse", str(warehouse)])
    if isinstance(result.exception, CoastalError):
        raise result.exception
    assert result.exit_code == code, result.output
    return result.stdout


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_promotions_are_lines_of_json_or_of_words(warehouse: Path) -> None:
    events = lines(call(warehouse, "audit", "promotions", "--json"))
    assert {"placed", "promoted"} <= {event["kind"] for event in events}
    said = call(warehouse, "audit", "promotions", "--player", events[0]["player"])
    assert said.splitlines()[0].count(events[0]["hand_id"]) == 1
    late = lines(call(warehouse, "audit", "promotions", "--since", events[-1]["ended_at"][:19], "--json"))
    assert late[-1] == events[-1]
    assert len(late) < len(events)


def test_that_there_is_no_promotion_is_said(warehouse: Path) -> None:
    late = ("audit", "promotions", "--since", "2099-01-01")
    assert call(warehouse, *late) == "No level event.\n"
    assert call(warehouse, *late, "--json") == ""


def test_a_hand_is_explained_in_words_and_as_json(warehouse: Path) -> None:
    event = next(
        event
        for event in lines(call(warehouse, "audit", "promotions", "--json"))
        if event["kind"] == "promoted"
    )
    said = call(warehouse, "audit", "explain", event["player"], event["hand_id"])
    assert "promoted to Improver: met" in said
    assert "Outcome: promoted; Improver" in said
    record = json.loads(call(warehouse, "audit", "explain", event["player"], event["hand_id"], "--json"))
    assert record["event"] == "promoted"
    assert record["change"]["rating_before"] == event["rating_before"]
    assert [condition["is_met"] for condition in record["checks"][0]["conditions"]] == [True] * 3


def test_why_says_what_is_missing_with_an_estimate_and_its_basis(warehouse: Path) -> None:
    said = call(warehouse, "audit", "why", "p-000")
    assert "needs at least" in said
    assert "estimate" in said
    assert "at the pace of the last" in said
    for standing in json.loads(call(warehouse, "audit", "why", "p-000", "--json")):
        assert standing["pace"] is None or standing["pace"]["hands"] <= 30


def test_anomalies_come_with_definitions(warehouse: Path) -> None:
    kinds = lines(call(warehouse, "audit", "anomalies", "--json"))
    assert len(kinds) == 7
    said = call(warehouse, "audit", "anomalies")
    for kind in kinds:
        assert kind["definition"] in " ".join(said.split())


def test_a_sound_run_verifies_and_a_changed_one_exits_with_1(warehouse: Path, tmp_path: Path) -> None:
    report = json.loads(call(warehouse, "audit", "verify", "--run", "league", "--all", "--json"))
    assert report["difference"] is None
    assert "holds" in call(warehouse, "audit", "verify", "--sample", "5")
    path = warehouse.with_suffix(".runs") / "wider" / "000001.change.parquet"
    sound = path.read_bytes()
    table = pq.read_table(path)
    ratings = pc.add(table["rating"], pa.scalar(1e-6))
    pq.write_table(table.set_column(table.schema.get_field_index("rating"), "rating", ratings), path)
    try:
        said = call(warehouse, "audit", "verify", "--run", "wider", "--sample", "5", code=1)
    finally:
        path.write_bytes(sound)
    assert "the first difference" in said
    assert "Rating: before + K x surprise" in said


def test_runs_are_compared(warehouse: Path) -> None:
    record = json.loads(call(warehouse, "compare", "league", "wider", "--json"))
    assert record["differing"] == len(record["players"]) > 0
    said = call(warehouse, "compare", "league", "wider", "--limit", "1")
    assert f"They part at hand {record['first_parting']['hand_id']}" in said
    assert "version" not in said
    assert "the same in every row" in call(warehouse, "compare", "league", "league")


def test_where_runs_part_at_two_versions_of_a_hand_that_is_said(tmp_path: Path) -> None:
    league = random_league(21, people=6, games=3, rulesets=["classic_salon"], solo=0.0, computers=0.0)
    path = tmp_path / "w.duckdb"
    with open_warehouse(path, at=NOW) as opened:
        load(opened, [*league.players, *league.hands])
        replay_with(opened, oracle.COASTAL)
        replace_with_a_longer_one(opened, league.hands[0])
        rate(opened, at=NOW)
    said = call(path, "compare", "league", "league+1").splitlines()
    assert said[1].startswith(f"They part at hand {league.hands[0]['hand_id']} (")
    assert said[1].endswith(" UTC); league+1 has another version of the hand:")


@pytest.mark.parametrize(
    "words",
    [
        ("audit", "why", "p-0000"),
        ("audit", "explain", "p-0000", "h"),
        ("audit", "promotions", "--player", "p-0000"),
        ("audit", "verify", "--run", "leage"),
        ("compare", "league", "widr"),
    ],
)
def test_unknown_names_suggest_the_nearest(warehouse: Path, words: tuple[str, ...]) -> None:
    with pytest.raises(CoastalError, match="did you mean"):
        call(warehouse, *words)


@pytest.mark.parametrize("group", ["promotions", "explain", "why", "anomalies", "verify"])
def test_every_help_has_an_example(group: str) -> None:
    assert "Example:" in CliRunner().invoke(app, ["audit", group, "--help"]).stdout
    assert "Example:" in CliRunner().invoke(app, ["compare", "--help"]).stdout
