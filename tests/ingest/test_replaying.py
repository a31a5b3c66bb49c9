"""Level 2 judges full logs as the engine's replay does, beside summaries, one at a time or in blocks."""

import dataclasses
import json
import random
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from engine.hand import HandState
from engine.replay import PROBLEMS, LoggedHand, position_before, replay
from ingest.checking import check_block
from ingest.findings import CODES
from ingest.load import Loader
from ingest.quarantine import retry, show_refused
from service.loading import in_words
from tests.support.hand_lines import HAND, block, line
from tests.support.mutations import mutated

HANDS = 40


@pytest.fixture(scope="module")
def full_logs(tmp_path_factory):
    path = tmp_path_factory.mktemp("logs") / "hands.jsonl"
    coastal = Path(sys.executable).with_name("coastal")
    command = [coastal, "simulate", "--hands", str(HANDS), "--seed", "3", "--out", path]
    subprocess.run(command, check=True, capture_output=True, timeout=500)
    return [json.loads(text) for text in path.read_bytes().splitlines()]


def test_every_problem_of_the_engine_has_its_code():
    assert set(PROBLEMS) - {"unknown_rules"} <= set(CODES)


def test_what_the_simulator_writes_is_sound(full_logs):
    checked = check_block(block(*map(line, full_logs)), 2)
    assert checked.findings == []
    assert len(checked.hands) == HANDS


def test_a_block_says_what_the_replay_of_each_hand_says(full_logs):
    rng = random.Random(4)
    records = [mutated(rng, rng.choice(full_logs)) for _ in range(300)]
    records = [{**record, "hand_id": str(number)} for number, record in enumerate(records)]
    lines = [line(record) for record in [HAND, *records]]
    arithmetic = {row for row, finding in check_block(block(*lines), 1).findings if finding.is_error}
    found = check_block(block(*lines), 2).findings
    for row, record in enumerate(records, 1):
        if row in arithmetic:
            continue
        expected = [(one.code, one.event, one.expected) for one in replay(LoggedHand.from_log(record))]
        assert [(one.code, one.event, one.expected) for at, one in found if at == row] == expected
    assert not [one for row, one in found if row == 0]
    assert len({one.code for row, one in found if row not in arithmetic}) > 3


@pytest.fixture
def illegal(full_logs):
    """A log with a discard repeated, and the number of the illegal event."""
    record = json.loads(line(full_logs[0]))
    events = record["events"].split()
    at = next(place for place, event in enumerate(events) if event[1] == "x")
    events.insert(at + 1, events[at])
    record["events"] = " ".join(events)
    return record, at + 2


def test_a_finding_names_clause_seat_and_event(illegal):
    record, event = illegal
    ((_, finding),) = check_block(block(line(record)), 2).findings
    assert (finding.code, finding.event) == ("illegal_event", event)
    assert f"seat {record['events'].split()[event - 1][0]}" in finding.message
    assert dataclasses.asdict(finding)["rule"]


def test_a_finding_tells_the_position_as_json(illegal):
    record, event = illegal
    ((_, finding),) = check_block(block(line(record)), 2).findings
    position = json.loads(finding.message.partition("; the position before it: ")[2])
    assert position == position_before(LoggedHand.from_log(record), event)
    assert HandState.from_position(position).position()["holdings"] == position["holdings"]


def test_a_finding_names_its_event_once_in_words(illegal):
    record, event = illegal
    ((_, finding),) = check_block(block(line(record)), 2).findings
    assert in_words(finding).count(f"event {event}") == 1


@pytest.mark.parametrize(
    ("change", "number", "clause"),
    [
        (lambda events, at: [*events[: at + 1], events[at], *events[at + 1 :]], 1, "A-drawn"),
        (lambda events, at: [*events, "0d4"], None, "A-ended"),
    ],
    ids=["a draw twice", "a draw after the end"],
)
def test_an_illegal_event_is_named_though_its_cards_are_too_many(full_logs, change, number, clause):
    for log in full_logs[:5]:
        events = log["events"].split(" ")
        pairs = enumerate(pairwise(events))
        at = next(place for place, (one, other) in pairs if one[1] == "d" and other[1] != "3" and place > 3)
        changed = change(events, at)
        (finding,) = [
            one for _, one in check_block(block(line(log | {"events": " ".join(changed)})), 2).findings
        ]
        first = at + 1 + number if number else len(changed)
        assert (finding.code, finding.event, finding.rule) == ("illegal_event", first, clause)
        assert f"(seat {changed[first - 1][0]}); the position before it: " in finding.message


def test_a_retry_asks_as_much_as_what_refused_the_line(illegal, warehouse, clock):
    record, _ = illegal
    Loader(warehouse, 2, clock).load(block(line(record)))
    assert retry(warehouse, [1], clock=clock, operator="ops").quarantined == 1
    assert show_refused(warehouse.cursor(), 1)["level"] == 2
    assert retry(warehouse, [1], level=1, clock=clock, operator="ops").loaded == 1


def test_an_empty_event_is_told_by_its_number(full_logs):
    log = full_logs[0]
    broken = log | {"events": log["events"].replace(" ", "  ", 1)}
    ((_, finding),) = check_block(block(line(broken)), 2).findings
    assert (finding.code, finding.event) == ("event_notation", 2)
    assert finding.message.startswith("event 2: ")


def test_a_hand_after_the_end_of_its_game_is_found_in_a_block(full_logs):
    log = json.loads(line(full_logs[0]))
    points = log["result"]["points"]
    late = log | {"hand_id": "late", "score_before": [9000, 0]}
    after = [9000 + points[0], points[1]]
    late["result"] = log["result"] | {"score_after": after, "game_over": True, "winner": 0}
    found = check_block(block(line(full_logs[1]), line(late)), 2).findings
    assert [(row, one.code) for row, one in found] == [(1, "game_over")]
    assert "over before hand 1, at 9000 : 0" in found[0][1].message
