"""Whatever is changed behind the warehouse's back is found, and told where."""

from datetime import timedelta

import pytest

from ingest.corrections import correct, void
from ingest.quarantine import drop, retry
from ingest.retention import decide, expire_events
from ingest.verify import verify
from tests.support.hand_lines import CARDS, HAND, block, hand, line
from tests.support.leagues import random_league
from tests.support.stored import rows

PLAYER = {"format": "canasta-player/1", "player": "p-ana", "name": "Ana", "self_rating": "casual"}
BROKEN = {"hand_id": "broken", "game_id": "broken", "turns": -1}


@pytest.fixture
def record(warehouse, load, clock):
    """Six batches: a full log and a player, a league, a void hand, a corrected one, two of refused lines."""
    load(line(hand(**CARDS, x_note={"b": 1, "a": "é"})), line({**PLAYER, "x_club": "north", "x_n": 2**70}))
    league = random_league(9, games=30)
    load(*[line(one) for one in [*league.players, *league.hands]])
    void(warehouse, league.hands[3]["hand_id"], operator="ops", why="void", at=clock())
    lines = [line({**league.hands[5], "turns": 99})]
    correct(warehouse, [block(*lines)], operator="ops", why="more turns", level=1, clock=clock)
    load(b"{", line(hand(**BROKEN)), file="refused.jsonl")
    retry(warehouse, [1], level=1, clock=clock, operator="ops", corrected=b"{{")
    return warehouse


def test_an_untouched_record_is_intact(record):
    found = verify(record.cursor())
    assert found.difference is None
    assert (found.batches, found.full_logs, found.expired_logs) == (6, 1, 0)
    assert found.hands == record.cursor().execute("SELECT count(*) FROM hand").fetchone()[0]


@pytest.mark.parametrize(
    ("statement", "place", "batch"),
    [
        ("UPDATE hand SET turns = 40 WHERE hand_key = 1", "hand", 1),
        ("UPDATE hand SET seed = 'x' WHERE hand_key = 7", "hand", 2),
        ("UPDATE hand SET options = '{\"a\":1}' WHERE hand_key = 7", "hand", 2),
        ("UPDATE hand SET ended_at = ended_at + INTERVAL 1 MICROSECOND WHERE hand_key = 9", "hand", 2),
        ("UPDATE hand SET mode = 'other' WHERE hand_key = 9", "hand", 2),
        ("UPDATE seat SET player_key = 2 WHERE hand_key = 1 AND seat = 0", "hand", 1),
        ("UPDATE seat SET seat = 9 WHERE hand_key = 1 AND seat = 0", "hand", 1),
        ("UPDATE side_result SET points = points + 5 WHERE hand_key = 12 AND side = 1", "hand", 2),
        ("UPDATE side_result SET wild_canastas = 1 WHERE hand_key = 1 AND side = 0", "hand", 1),
        ("UPDATE hand_event_log SET events = events || ' 1x4'", "hand", 1),
        ("DELETE FROM hand_event_log WHERE hand_key = 1", "hand", 1),
        ("INSERT INTO event_expiry VALUES (9999, NULL, NULL)", "event_expiry", None),
        ("UPDATE hand SET content_hash = events_hash WHERE hand_key = 1", "hand", 1),
        ("UPDATE player SET player = 'p-zoe' WHERE player = 'p-ana'", "hand", 1),
        ("DELETE FROM hand WHERE hand_key = 8", "batch", 2),
        ("DELETE FROM seat WHERE hand_key = 8 AND seat = 0", "hand", 2),
        ("DELETE FROM correction WHERE kind = 'void'", "batch", 3),
        ("UPDATE correction SET why = 'other' WHERE kind = 'replace'", "chain", 4),
        ("UPDATE seat SET skill = 'x' WHERE hand_key = 1 AND seat = 0", "hand", 1),
        ("UPDATE seat SET skill = 'expert' WHERE hand_key = 1 AND seat = 0", "hand", 1),
        ("UPDATE seat SET player_key = 9999 WHERE hand_key = 1 AND seat = 1", "hand", 1),
        ("UPDATE player_record SET self_rating = 'expert' WHERE record_key = 1", "player_record", 1),
        ("UPDATE player_record SET extra = 'x' WHERE record_key = 1", "player_record", 1),
        ("UPDATE player_record SET extra = '[1]' WHERE record_key = 1", "player_record", 1),
        ("UPDATE player_record SET extra = NULL WHERE record_key = 1", "player_record", 1),
        ("UPDATE player_record SET content_hash = ''::BLOB WHERE record_key = 2", "player_record", 2),
        ("UPDATE player_record SET player_key = 9999 WHERE record_key = 2", "player_record", 2),
        ("UPDATE player SET self_rating = 'expert' WHERE player = 'p-ana'", "player", None),
        ("UPDATE player SET show_skill = NOT show_skill WHERE player = 'p-ana'", "player", None),
        ("UPDATE ingest_batch SET batch_hash = previous_hash WHERE batch = 2", "chain", 2),
        ("DELETE FROM ingest_batch WHERE batch = 2", "chain", 3),
        ("INSERT INTO seat SELECT 9999, seat, side, kind, player_key, skill FROM seat LIMIT 1", "seat", None),
    ],
)  # fmt: skip
def test_a_change_is_found_and_placed(record, statement, place, batch):
    record.cursor().execute(statement)
    difference = verify(record.cursor()).difference
    assert difference is not None
    assert (difference["place"], difference.get("batch")) == (place, batch)


@pytest.mark.parametrize(
    ("statement", "place", "batch"),
    [
        ("UPDATE ingest_batch SET lines = lines + 1 WHERE batch = 2", "chain", 2),
        ("UPDATE ingest_batch SET loaded = loaded - 1 WHERE batch = 2", "chain", 2),
        ("UPDATE ingest_batch SET duplicates = 1 WHERE batch = 2", "chain", 2),
        ("UPDATE ingest_batch SET quarantined = 0 WHERE batch = 5", "chain", 5),
        ("UPDATE ingest_batch SET warnings = 1 WHERE batch = 2", "chain", 2),
        ("UPDATE ingest_batch SET level = 2 WHERE batch = 1", "chain", 1),
        ("UPDATE ingest_batch SET started_at = started_at - INTERVAL 1 DAY WHERE batch = 3", "chain", 3),
        ("UPDATE ingest_batch SET finished_at = finished_at + INTERVAL 1 HOUR WHERE batch = 3", "chain", 3),
        ("UPDATE ingest_batch SET hash_form = 1 WHERE batch = 4", "chain", 4),
        ("UPDATE ingest_batch SET refusals = 1 WHERE batch = 5", "batch", 5),
        ("UPDATE hand SET line = line + 1 WHERE hand_key = 7", "chain", 2),
        ("UPDATE hand SET source = 2 WHERE hand_key = 1", "chain", 1),
        ("UPDATE player_record SET line = 9 WHERE record_key = 1", "chain", 1),
        ("UPDATE source SET name = 'other.jsonl' WHERE name = 'refused.jsonl'", "chain", 5),
        ("DELETE FROM quarantine WHERE quarantine_key = 2", "batch", 5),
        ("DELETE FROM source WHERE name = 'refused.jsonl'", "chain", 5),
        ("UPDATE quarantine SET batch = 6 WHERE quarantine_key = 2", "batch", 5),
        ("UPDATE quarantine SET hand_id = 'h-3' WHERE quarantine_key = 2", "chain", 5),
        ("UPDATE quarantine SET line = 1 WHERE quarantine_key = 2", "chain", 5),
        ("UPDATE quarantine SET raw_hash = sha256('')::BLOB WHERE quarantine_key = 2", "chain", 5),
        ("UPDATE quarantine SET raw = '{}'::BLOB WHERE quarantine_key = 2", "quarantine", 5),
        ("UPDATE quarantine SET status = 'dropped' WHERE quarantine_key = 2", "quarantine", 5),
        ("UPDATE quarantine SET status = 'x', closed_at = 'epoch' WHERE quarantine_key = 2", "quarantine", 5),
        ("DELETE FROM quarantine_finding WHERE quarantine_key = 2", "quarantine", 5),
        ("INSERT INTO quarantine FROM quarantine SELECT * REPLACE (99 AS batch) LIMIT 1", "quarantine", None),
        ("UPDATE quarantine_finding SET quarantine_key = 9 WHERE position = 1", "quarantine_finding", None),
    ],
)  # fmt: skip
def test_a_change_of_what_came_and_of_what_was_refused_is_found_and_placed(record, statement, place, batch):
    record.cursor().execute(statement)
    difference = verify(record.cursor()).difference
    assert difference is not None
    assert (difference["place"], difference.get("batch")) == (place, batch)


def test_what_becomes_of_refused_lines_changes_no_hash(record, load, clock):
    head = verify(record.cursor()).head
    assert retry(record, [2], level=1, clock=clock, operator="ops").quarantined == 1
    drop(record, 1, operator="ops", why="cut off", at=clock())
    assert load(b"{", line(hand(**BROKEN)), file="again.jsonl").quarantined == 2
    found = verify(record.cursor())
    assert (found.difference, found.head) == (None, head)
    load(line(hand(hand_id="broken", game_id="broken")))
    assert [one["status"] for one in rows(record, "quarantine ORDER BY quarantine_key")] == [
        "dropped",
        "loaded",
        "open",
    ]
    assert verify(record.cursor()).is_intact


def test_the_first_changed_hand_is_named(record):
    record.cursor().execute("UPDATE hand SET turns = 40 WHERE hand_key IN (5, 9)")
    difference = verify(record.cursor()).difference
    assert difference["hand_key"] == 5


def test_expired_events_do_not_break_the_chain(record, clock):
    decide(record, 0, operator="ops", at=clock())
    assert expire_events(record, clock()) == 1
    found = verify(record.cursor())
    assert found.is_intact
    assert (found.full_logs, found.expired_logs) == (0, 1)


def test_events_that_are_gone_but_did_not_expire_are_a_loss(record, load, clock):
    load(line(hand(**CARDS, hand_id="late", game_id="late", ended_at="2026-02-01T12:00:00Z")))
    decide(record, 10, operator="ops", at=clock())
    assert expire_events(record, clock()) == 1
    assert verify(record.cursor()).is_intact
    (late,) = record.cursor().execute("SELECT hand_key FROM hand_event_log").fetchone()
    record.cursor().execute("DELETE FROM hand_event_log WHERE hand_key = $late", {"late": late})
    found = verify(record.cursor())
    assert (found.difference["hand_key"], found.difference["hand_id"]) == (late, "late")
    assert "did not expire: restore a backup" in found.difference["what"]
    assert found.expired_logs == 1


def test_an_expiry_is_recorded_with_its_hands_and_its_cut_off(record, clock):
    decide(record, 10, operator="ops", at=clock())
    expire_events(record, clock())
    expire_events(record, clock())
    (expiry,) = rows(record, "event_expiry")
    assert expiry["hand_key"] == 1
    assert expiry["expired_at"] - expiry["ended_before"] == timedelta(days=10)


def test_a_recorded_time_longer_than_the_calendar_expires_nothing(record, clock):
    for days in (9_999_999, 2**31 - 1):
        decide(record, days, operator="ops", at=clock())
        assert expire_events(record, clock()) == 0


def test_a_full_log_loaded_again_after_its_events_expired_is_a_duplicate(record, load, clock):
    decide(record, 0, operator="ops", at=clock())
    expire_events(record, clock())
    assert load(line(hand(**CARDS, x_note={"b": 1, "a": "é"}))).duplicates == 1
    assert load(line(HAND)).quarantined == 1


def test_events_are_kept_for_good_at_first_and_for_as_long_as_decided(record, clock):
    assert expire_events(record, clock()) == 0
    decide(record, 26, operator="ops", at=clock())
    # The hand ended on 5 January 18:09; the clock stands at 1 February 12:00, 26 days and 18 hours later.
    assert expire_events(record, clock()) == 1
