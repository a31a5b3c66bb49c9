"""The demo league: what its logs hold, and that the command is safe to repeat."""

import gzip
import json
import os
import shutil
import subprocess

import pytest

from service.demo_league import load_settings
from service.demo_logs import write_demo_logs
from tests.conftest import COASTAL


def run(command, home):
    environment = {name: value for name, value in os.environ.items() if name != "COASTAL_WAREHOUSE"}
    return subprocess.run(
        [COASTAL, *command], cwd=home, env=environment, capture_output=True, text=True, timeout=120
    )


@pytest.fixture(scope="module")
def hands(demo_home):
    logs = sorted((demo_home / "data" / "demo").glob("*.jsonl.gz"))
    return [json.loads(line) for log in logs for line in gzip.open(log, "rt")]


@pytest.fixture(scope="module")
def players(demo_home):
    lines = (demo_home / "data" / "demo" / "players.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def test_league_is_as_large_as_its_settings_say(hands, players):
    live = [hand for hand in hands if hand["mode"] == "live"]
    assert len(players) == load_settings().players >= 120
    assert len(live) >= load_settings().live_hands >= 8000
    seated = {seat["player"] for hand in live for seat in hand["seats"] if "player" in seat}
    assert len(seated) >= 120


def test_games_are_whole(hands):
    last = {}
    for hand in hands:
        if hand["hand_no"] > last.get(hand["game_id"], (0, False))[0]:
            last[hand["game_id"]] = hand["hand_no"], hand["result"]["game_over"]
    assert all(is_over for _, is_over in last.values())


def test_league_has_solo_devices_computers_stand_ins_hidden_and_self_rated_people(hands, players):
    kinds = {seat["kind"] for hand in hands if hand["mode"] == "live" for seat in hand["seats"]}
    assert kinds == {"human", "stand_in", "computer"}
    assert len({hand["device"] for hand in hands if hand["mode"] == "solo"}) >= 10
    assert any(not player["show_skill"] for player in players)
    assert {player["self_rating"] for player in players} == {
        None, "learning", "casual", "experienced", "expert",
    }  # fmt: skip


def test_same_settings_give_the_same_bytes(demo_home, tmp_path):
    paths = write_demo_logs(load_settings(), tmp_path, lambda hands: None)
    first = demo_home / "data" / "demo"
    assert len(paths) == len(list(first.iterdir()))
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (first / path.name).read_bytes(), path.name


def test_demo_leaves_a_warehouse_in_use_alone(demo_home, tmp_path):
    home = shutil.copytree(demo_home, tmp_path / "home")
    again, quiet = run(["demo"], home), run(["demo", "--if-empty"], home)
    assert (again.returncode, quiet.returncode) == (1, 0)
    assert "has ratings already" in again.stderr


def test_demo_does_not_mix_with_hands_of_a_league(demo_home, tmp_path):
    log = tmp_path / "hands.jsonl"
    with gzip.open(next((demo_home / "data" / "demo").glob("live-*.gz")), "rt") as demo:
        log.write_text(demo.readline().replace("demo-", "club-"))
    assert run(["ingest", str(log)], tmp_path).returncode == 0
    refused = run(["demo"], tmp_path)
    assert refused.returncode == 1
    assert "not rated yet" in refused.stderr
