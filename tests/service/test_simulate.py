"""`coastal simulate`: a log of as many hands as asked for, the same bytes for the same words."""

from __future__ import annotations

import gzip
import signal
import subprocess
import time
from pathlib import Path

import orjson
import pytest
import zstandard

from ingest.hand_log import HandLog
from tests.conftest import COASTAL


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([COASTAL, *arguments], capture_output=True, text=True, timeout=300)


def simulated(out: Path, *arguments: str) -> bytes:
    ran = run("simulate", "--hands", "30", "--out", out, *arguments)
    assert ran.returncode == 0, ran.stderr
    return out.read_bytes()


@pytest.mark.parametrize(
    ("ruleset", "players"),
    [("modern_american", 4), ("classic_salon", 2), ("classic_salon", 3), ("classic_partnership", 4)],
)
def test_a_log_is_read_and_replayed_without_a_finding(tmp_path: Path, ruleset: str, players: int) -> None:
    out = tmp_path / "hands.jsonl"
    lines = simulated(
        out, "--ruleset", ruleset, "--players", str(players), "--skills", "beginner"
    ).splitlines()
    hands = [HandLog.model_validate_json(line) for line in lines]
    assert len(hands) == 30
    assert {(hand.ruleset, len(hand.seats)) for hand in hands} == {(ruleset, players)}
    assert {seat.skill for hand in hands for seat in hand.seats} == {"beginner"}
    checked = run("check", out, "--level", "2", "--json")
    assert (checked.returncode, checked.stdout) == (0, "")


def test_the_same_words_give_the_same_bytes_and_another_seed_others(tmp_path: Path) -> None:
    first = simulated(tmp_path / "a.jsonl")
    assert first == simulated(tmp_path / "b.jsonl")
    assert first != simulated(tmp_path / "c.jsonl", "--seed", "43")


def test_a_log_is_packed_as_its_name_says(tmp_path: Path) -> None:
    plain = simulated(tmp_path / "hands.jsonl")
    assert gzip.decompress(simulated(tmp_path / "hands.jsonl.gz")) == plain
    packed = simulated(tmp_path / "hands.jsonl.zst")
    assert zstandard.ZstdDecompressor().decompressobj().decompress(packed) == plain
    assert simulated(tmp_path / "again.jsonl.gz") == (tmp_path / "hands.jsonl.gz").read_bytes()


def test_a_summary_has_the_results_of_the_full_log_and_no_events(tmp_path: Path) -> None:
    full = [orjson.loads(line) for line in simulated(tmp_path / "full.jsonl").splitlines()]
    short = [orjson.loads(line) for line in simulated(tmp_path / "short.jsonl", "--summary").splitlines()]
    assert [hand["result"] for hand in short] == [hand["result"] for hand in full]
    assert all("events" in hand and "deal" in hand for hand in full)
    assert not any("events" in hand or "deal" in hand for hand in short)


def test_people_sit_where_they_are_named(tmp_path: Path) -> None:
    lines = simulated(tmp_path / "hands.jsonl", "--people", "ana,bo,cy,di").splitlines()
    for seats in (orjson.loads(line)["seats"] for line in lines):
        assert [seat["player"] for seat in seats] == ["ana", "bo", "cy", "di"]
        assert {seat["kind"] for seat in seats} == {"human"}
    others = simulated(tmp_path / "others.jsonl", "--people", "ana,bo,cy,di", "--skills", "beginner")
    assert orjson.loads(others.splitlines()[0])["hand_id"] != orjson.loads(lines[0])["hand_id"]


def test_house_options_are_played_and_named_in_the_log(tmp_path: Path) -> None:
    options = ("--ruleset", "classic_salon", "--option", "singles=true", "--option", "canastas_to_go_out=2")
    hands = [orjson.loads(line) for line in simulated(tmp_path / "hands.jsonl", *options).splitlines()]
    assert all(hand["options"] == {"singles": True, "canastas_to_go_out": 2} for hand in hands)
    assert all(len(hand["score_before"]) == 4 for hand in hands)


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("--ruleset", "bridge"), "there are modern_american"),
        (("--option", "special_hand=true"), "its options are"),
        (("--option", "special_hand=true"), "did you mean special_hands?"),
        (("--option", "one_meld_a_rank=false"), "an option of classic_salon"),
        (("--option", "special_hands=maybe"), "NAME=VALUE"),
        (("--option", "clock_seconds=" + "[" * 50_000), "NAME=VALUE"),
        (("--option", "special_hands = 1"), "special_hands = 1; allowed: true, false"),
        (("--ruleset", "classic_salon", "--option", "players=3"), "give the seats with --players"),
        (("--option", "special_hands=true", "--option", "special_hands=false"), "given twice"),
        (("--players", "3"), "4 players"),
        (("--skills", "expert,expert"), "give one or 4"),
        (("--skills", "grandmaster"), "beginner, intermediate, expert"),
    ],
)
def test_wrong_use_says_what_is_allowed_and_writes_nothing(
    tmp_path: Path, arguments: tuple[str, ...], fault: str
) -> None:
    out = tmp_path / "hands.jsonl"
    ran = run("simulate", "--out", out, *arguments)
    assert ran.returncode == 2
    assert fault in " ".join(ran.stderr.split())
    assert not out.exists()


@pytest.mark.parametrize("name", ["hands.csv", "hands.json", "hands"])
def test_a_log_is_named_as_its_readers_know_it(tmp_path: Path, name: str) -> None:
    ran = run("simulate", "--hands", "1", "--out", tmp_path / name)
    assert (ran.returncode, list(tmp_path.iterdir())) == (2, [])
    assert ".jsonl, .jsonl.gz, .jsonl.zst" in " ".join(ran.stderr.split())


def test_a_log_that_is_begun_and_stopped_leaves_the_one_before(tmp_path: Path) -> None:
    out = tmp_path / "hands.jsonl"
    before = simulated(out)
    running = subprocess.Popen([COASTAL, "simulate", "--hands", "10000000", "--out", out])
    draft = tmp_path / ".hands.jsonl.draft"
    while not (draft.exists() and draft.stat().st_size):
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    assert running.wait(timeout=60) == 130
    assert [path.name for path in tmp_path.iterdir()] == ["hands.jsonl"]
    assert out.read_bytes() == before


def test_a_log_that_cannot_be_written_is_a_message(tmp_path: Path) -> None:
    ran = run("simulate", "--hands", "1", "--out", tmp_path / "no such folder" / "hands.jsonl")
    assert ran.returncode == 2
    assert "No such file" in ran.stderr
