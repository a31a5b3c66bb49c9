"""`coastal show` prints a hand from a log, says what the rules refuse, and exits by it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import orjson
import pytest

from engine.hand import HandState
from ingest.retention import decide, expire_events
from ingest.warehouse import open_warehouse
from tests.conftest import COASTAL
from tests.support.rated_leagues import NOW, load
from tests.support.referee_play import random_hand


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four hands: a sound one, one with an illegal event, one after its game, one of another format."""
    sound = random_hand("show 1", "classic_salon", 3, {}).record | {"hand_id": "h-sound"}
    events = sound["events"].split()
    broken = sound | {"hand_id": "h-broken", "events": " ".join([*events[:9], *events[10:]])}
    late = sound | {"hand_id": "h-late", "score_before": [0, 5000, 0]}
    lines = [sound, broken, late, {"format": "canasta-hand/1", "hand_id": "h-partial"}]
    path = tmp_path_factory.mktemp("show") / "hands.jsonl"
    path.write_bytes(b"\n".join(map(orjson.dumps, lines)) + b"\n")
    return path


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([COASTAL, "show", *arguments], capture_output=True, text=True, timeout=240)


def ending_of(shown: subprocess.CompletedProcess[str]) -> list[str]:
    """Return the lines from how the hand ended."""
    lines = shown.stdout.splitlines()
    return lines[next(row for row, line in enumerate(lines) if line.startswith("The hand ended")) :]


def turns_of(shown: subprocess.CompletedProcess[str]) -> list[str]:
    """Return the lines that begin a turn."""
    return [line for line in shown.stdout.splitlines() if line[:4].strip().isdigit()]


def test_house_options_are_shown_as_they_are_written(tmp_path: Path) -> None:
    hand = random_hand(
        "show options", "classic_salon", 2, {"one_meld_a_rank": False, "canastas_to_go_out": 1}
    )
    log = tmp_path / "hands.jsonl"
    log.write_bytes(orjson.dumps(hand.record) + b"\n")
    shown = run(hand.record["hand_id"], "--file", log)
    assert shown.returncode == 0, shown.stderr
    head = next(line for line in shown.stdout.splitlines() if line.startswith("options:"))
    assert {"one_meld_a_rank false", "canastas_to_go_out 1"} <= set(
        head.removeprefix("options: ").split(", ")
    )


def test_a_hand_is_shown_turn_by_turn(log: Path) -> None:
    shown = run("h-sound", "--file", log)
    assert shown.returncode == 0, shown.stderr
    record = orjson.loads(log.read_bytes().splitlines()[0])
    for seat, holding in enumerate(record["deal"]["holdings"]):
        assert any(
            line.split()[:3] == [str(seat), "is", "dealt"] and holding in line
            for line in shown.stdout.splitlines()
        )
    numbers = [line.split()[0] for line in turns_of(shown)]
    assert numbers == [str(number) for number in range(1, record["turns"] + 1)]
    assert all(f"{points:,}" in shown.stdout for points in record["result"]["points"])
    assert "Refused" not in shown.stdout


def test_what_the_rules_refuse_is_said(log: Path) -> None:
    shown = run("h-broken", "--file", log)
    assert shown.returncode == 1
    assert "Refused: event 10 " in shown.stdout


def test_a_hand_after_the_end_of_its_game_is_shown_whole(log: Path) -> None:
    shown, sound = run("h-late", "--file", log), run("h-sound", "--file", log)
    assert shown.returncode == 1
    assert "Refused: the game was over before hand " in shown.stdout
    assert turns_of(shown) == turns_of(sound)
    assert run("h-late", "--file", log, "--before", "1").returncode == 0


def test_a_hand_that_is_not_there_or_cannot_be_read_is_a_message(log: Path) -> None:
    for name, message in (("h-none", "no hand h-none"), ("h-partial", "h-partial cannot be read")):
        shown = run(name, "--file", log)
        assert (shown.returncode, shown.stdout) == (1, "")
        assert message in " ".join(shown.stderr.split())


def test_a_file_that_is_not_there_is_wrong_use() -> None:
    assert run("h-none", "--file", "nowhere.jsonl").returncode == 2


def test_the_position_before_an_event_is_printed_as_it_can_be_set_up(log: Path) -> None:
    record = orjson.loads(log.read_bytes().splitlines()[0])
    events = record["events"].split()
    for event in (1, 7, len(events)):
        shown = run("h-sound", "--file", log, "--before", str(event))
        assert shown.returncode == 0, shown.stderr
        assert HandState.from_position(orjson.loads(shown.stdout)).is_legal(events[event - 1])
    shown = run("h-sound", "--file", log, "--before", str(len(events) + 1))
    assert orjson.loads(shown.stdout)["phase"] == "ended"
    assert run("h-sound", "--file", log, "--before", str(len(events) + 2)).returncode == 1
    assert run("h-broken", "--file", log, "--before", "11").returncode == 1


def test_a_hand_of_the_warehouse_is_shown(log: Path, tmp_path: Path) -> None:
    warehouse = tmp_path / "w.duckdb"
    arguments = [COASTAL, "ingest", "--warehouse", warehouse, log]
    subprocess.run(arguments, capture_output=True, timeout=240, check=False)
    from_file, stored = run("h-sound", "--file", log), run("h-sound", "--warehouse", warehouse)
    assert stored.returncode == 0, stored.stderr
    assert stored.stdout == from_file.stdout
    assert run("h-none", "--warehouse", warehouse).returncode == 1
    assert run("h-none", "--warehouse", tmp_path / "none.duckdb").returncode == 2


def test_of_a_hand_whose_events_expired_it_is_said_when(log: Path, tmp_path: Path) -> None:
    house = tmp_path / "w.duckdb"
    with open_warehouse(house) as opened:
        load(opened, [orjson.loads(log.read_bytes().splitlines()[0])])
        decide(opened, 30, operator="ops", at=NOW)
        assert expire_events(opened, NOW) == 1
    expired = (
        "has no events any more: they expired at 2026-06-01 12:00 UTC, "
        "as those of all hands that ended before 2026-05-02 12:00 UTC"
    )
    shown = run("h-sound", "--warehouse", house)
    assert (shown.returncode, shown.stdout.count(f"The hand {expired}.\n")) == (0, 1)
    position = run("h-sound", "--warehouse", house, "--before", "3")
    assert (position.returncode, position.stdout, position.stderr) == (1, "", f"h-sound {expired}\n")
    with open_warehouse(house) as opened, opened.transaction() as connection:
        connection.execute("UPDATE event_expiry SET ended_before = NULL, expired_at = NULL")
    earlier = "h-sound has no events any more: they expired before the time of it was recorded\n"
    assert run("h-sound", "--warehouse", house, "--before", "3").stderr == earlier


def test_a_score_sheet_s_hand_is_shown_as_far_as_the_sheet_tells() -> None:
    shown = run("2026-01-10 table 1 game 1/1", "--file", "data/samples/score-sheet.csv")
    assert ending_of(shown) == [
        "The hand ended: side 0 went out; who did is not recorded.",
        "           side 0  side 1",
        "canastas      300     300",
        "going out     100       0",
        "melds         275     135",
        "points        675     435",
        "score         675     435",
        "From a score sheet: other parts of the points are 0 or not recorded.",
    ]


def test_of_a_sheet_that_has_points_alone_no_more_is_shown(tmp_path: Path) -> None:
    sheet, mapping, house = tmp_path / "club.csv", tmp_path / "club.toml", tmp_path / "w.duckdb"
    sheet.write_text(
        "game,hand,started,ended,dealer,a,b,points\n"
        "x,1,2026-01-10 18:00,2026-01-10 18:09,Ann,Ann,Cyd,225\n"
        "x,1,2026-01-10 18:00,2026-01-10 18:09,Ann,Bob,Dan,1500\n"
    )
    mapping.write_text(
        'ruleset = "classic_partnership"\n[columns]\ngame = "game"\nhand = "hand"\nstarted = "started"\n'
        'ended = "ended"\ndealer = "dealer"\nplayers = ["a", "b"]\npoints = "points"\n'
    )
    ingest = [COASTAL, "ingest", sheet, "--sheet", mapping, "--warehouse", house]
    assert subprocess.run(ingest, capture_output=True, timeout=240).returncode == 0
    assert ending_of(run("2026-01-10 x/1", "--warehouse", house)) == [
        "The hand ended: not recorded.",
        "        side 0  side 1",
        "points     225   1,500",
        "score      225   1,500",
        "From a score sheet: other parts of the points are 0 or not recorded.",
    ]
