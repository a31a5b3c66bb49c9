"""Every code of the registry has a line that it condemns, and a sound neighbour that it does not."""

import json

import pytest

from ingest.checking import check_block
from ingest.findings import CODES
from tests.support.hand_lines import CARDS, HAND, block, hand, line, set_at

PLAYER = {"format": "canasta-player/1", "player": "p-ana", "name": "Ana"}


def without(path):
    record = hand()
    *way, last = path.split(".")
    inside = record
    for step in way:
        inside = inside[int(step) if isinstance(inside, list) else step]
    del inside[last]
    return record


def full(**changes):
    record = hand(**CARDS)
    for path, value in changes.items():
        set_at(record, path.replace("__", "."), value)
    return record


def two_players(**changes):
    return hand(ruleset="classic_salon", seats=HAND["seats"][:2], **changes)


def three_sides():
    record = hand(score_before=[0, 0, 0])
    for name, more in {"points": 0, "score_after": 0, "ledger": {}, "canastas": {}}.items():
        record["result"][name].append(more)
    return record


def findings(*records, level=1):
    lines = [record if isinstance(record, bytes) else line(record) for record in records]
    return [finding for _, finding in check_block(block(*lines), level).findings]


#: A line that breaks one rule, and what its finding says was expected and found.
BROKEN = [
    ("invalid_utf8", line(HAND).replace(b"p-ana", b"p-\xff"), None, None),
    ("invalid_utf8", line(hand(options={"tempo": "x"})).replace(b'"x"', b'"\xff"'), None, None),
    ("invalid_json", b"{", None, None),
    ("invalid_json", line(HAND).replace(b"41", b"NaN"), None, None),
    ("invalid_json", line(HAND).replace(b"p-ana", b"\\ud800"), None, None),
    ("invalid_json", b"[" * 100_000, None, None),
    ("invalid_json", b"1" * 5000, None, None),
    ("not_an_object", b"[1]", None, None),
    ("duplicate_key", line(HAND)[:-1] + b', "turns": 41}', None, "turns"),
    ("unknown_format", hand(format="canasta-hand/2"), "canasta-hand/1 or canasta-player/1", "canasta-hand/2"),
    ("unknown_format", without("format"), "canasta-hand/1 or canasta-player/1", None),
    ("missing_field", without("hand_id"), "hand_id", None),
    ("missing_field", without("result.points"), "result.points", None),
    ("wrong_type", hand(hand_no="1"), "Input should be a valid integer", "1"),
    ("wrong_type", hand(hand_no=1.0), "Input should be a valid integer", 1.0),
    ("wrong_type", hand(options=None), "Input should be a valid dictionary", None),
    ("wrong_value", hand(hand_no=0), "Input should be greater than or equal to 1", 0),
    ("wrong_value", hand(mode="online"), "Input should be 'live' or 'solo'", "online"),
    ("wrong_value", hand(hand_id=""), "String should have at least 1 character", ""),
    ("time_format", hand(ended_at="yesterday"), None, "yesterday"),
    ("time_format", hand(ended_at="2026-01-05T18:09:12"), None, "2026-01-05T18:09:12"),
    ("time_order", hand(ended_at="2026-01-05T17:59:59Z"), None, None),
    ("device_missing", hand(mode="solo"), None, None),
    ("seat_person", set_at(hand(), "seats.0.player", None), None, None),
    ("seat_person", set_at(hand(), "seats.1.player", "p-x"), None, None),
    ("seat_order", set_at(hand(), "seats.0.seat", 1), None, None),
    ("side_lists", hand(score_before=[0]), None, None),
    ("incomplete_log", hand(events="0d4"), None, None),
    ("incomplete_log", full(deal__holdings=["4", "5", "6"]), None, None),
    ("unknown_ruleset", hand(ruleset="bridge"), None, "bridge"),
    ("unknown_option", hand(options={"jokers": 3}), None, '{"jokers":3}'),
    ("unknown_option", hand(options={"clock_seconds": 5}), None, '{"clock_seconds":5}'),
    ("seat_count", hand(seats=HAND["seats"][:2]), None, 2),
    ("seat_side", set_at(hand(), "seats.0.side", 1), 0, 1),
    ("side_count", three_sides(), 2, 3),
    ("player_twice", set_at(hand(), "seats.3.player", "p-ana"), None, "p-ana"),
    ("dealer_seat", two_players(dealer=3), None, 3),
    ("out_seat", set_at(two_players(dealer=1), "result.seat", 2), None, 2),
    ("special_hand", set_at(hand(), "result.special", "garbage"), None, "garbage"),
    ("special_hand", set_at(hand(), "result.ended_by", "special"), None, None),
    ("winner_side", set_at(hand(), "result.winner", 0), None, 0),
    ("ledger_sum", set_at(hand(), "result.ledger.0.melds", 200), 1650, 1645),
    ("score_after", set_at(hand(), "result.score_after", [1645, -430]), -435, -430),
    ("canasta_points", set_at(hand(), "result.canastas.0.mixed", 0), None, 800),
    ("event_notation", full(events="0d4 0zK"), None, None),
    ("event_notation", full(events="7d4"), None, None),
    ("event_notation", full(deal__upcards="10"), None, None),
    ("card_count", full(events="0d4 1d4 2d4 3d4 0d4"), None, "4"),
    ("card_count", full(events="0d3r 1d3r 2d3r 3d3r"), None, "3r"),
    ("card_count", full(cards="suit", deal={"holdings": [""] * 4}, events="0dKs 1dKs 2dKs"), None, "Ks"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "record", "expected", "found"), BROKEN)
def test_a_broken_rule_is_named(code, record, expected, found):
    first = findings(record)[0]
    assert (first.code, first.expected, first.found) == (code, expected, found)
    assert (first.file, first.line) == ("hands.jsonl", 1)
    assert first.severity == "error"
    assert first.rule == CODES[code].rule


def test_every_checked_code_has_a_broken_line():
    elsewhere = {"line_too_long", "unknown_field", "score_step", "hand_gap", "sheet_rows"}
    here = {code for code, *_ in BROKEN} | elsewhere
    assert here == {code for code, kind in CODES.items() if kind.level in (0, 1)}


@pytest.mark.parametrize(
    "record",
    [
        HAND,
        full(),
        PLAYER,
        without("result.winner"),
        without("result.seat"),
        without("result.seat") | {"result": HAND["result"] | {"ended_by": "stock", "seat": None}},
        hand(options={"clock_seconds": 10}),
        hand(mode="solo", device="phone"),
        hand(ended_at="2026-01-05T18:00:00Z"),
        hand(started_at="2026-01-05T19:00:00+01:00"),
        full(events="0d4 1d4 2d4 3d4"),
        full(events=""),
        hand(seed=None, engine=None, turns=None),
    ],
)
def test_a_sound_neighbour_has_no_finding(record):
    assert findings(record) == []


@pytest.mark.parametrize(
    ("time", "message"),
    [
        ("2016-12-31T23:59:60Z", "leap seconds are not taken: write second 59"),
        ("2017-01-01T00:59:60.5+01:00", "leap seconds are not taken: write second 59"),
        ("2016-12-31T23:59:61Z", "no such instant"),
        ("2016-12-32T23:59:59Z", "no such instant"),
    ],
)
def test_an_instant_that_is_not_taken_says_why(time, message):
    (found,) = findings(hand(ended_at=time))
    assert (found.code, found.message) == ("time_format", f"ended_at: {message}")


def test_a_special_hand_is_scored_alone():
    record = hand()
    record["result"] |= {
        "ended_by": "special",
        "special": "garbage",
        "points": [3000, -435],
        "score_after": [3000, -435],
    }
    record["result"]["ledger"][0] = {"special": 3000}
    assert findings(record) == []


@pytest.mark.parametrize(
    ("wild", "points", "is_sound"),
    [
        (1, 2000, True),
        (1, 2500, True),
        (1, 3000, True),
        (1, 2400, False),
        (2, 5500, True),
        (2, 3500, False),
        (0, 2000, False),
    ],
)
def test_wild_canastas_bring_one_of_three_bonuses(wild, points, is_sound):
    record = hand()
    record["result"]["canastas"][0] = {"wild": wild}
    record["result"]["ledger"][0] = {"canastas": points}
    record["result"] |= {"points": [points, -435], "score_after": [points, -435]}
    assert (findings(record) == []) == is_sound


def test_classic_rule_sets_have_no_canastas_of_sevens():
    record = hand(ruleset="classic_partnership")
    record["result"]["canastas"][0] = {"sevens": 1}
    record["result"]["ledger"][0]["canastas"] = 2500
    record["result"] |= {"points": [3345, -435], "score_after": [3345, -435]}
    assert [finding.code for finding in findings(record)] == ["canasta_points"]


def test_an_unknown_field_is_a_warning_and_ones_own_are_none():
    record = hand(colour="red", x_table=4)
    record["seats"][0]["chair"] = 1
    warnings = findings(record)
    assert [(one.code, one.severity, one.found) for one in warnings] == [
        ("unknown_field", "warning", "colour"),
        ("unknown_field", "warning", "seats.0.chair"),
    ]


def test_a_line_past_the_limit_is_refused():
    assert [one.code for one in findings(line(HAND) + b" " * (4 * 2**20))] == ["line_too_long"]


def test_level_0_does_not_add_up():
    assert findings(set_at(hand(), "result.ledger.0.melds", 200), level=0) == []


def test_all_faults_of_a_line_are_told_and_neighbours_are_kept():
    broken = set_at(set_at(hand(), "result.points.0", 1), "dealer", 3)
    broken["seats"][0]["side"] = 1
    checked = check_block(block(line(HAND), line(broken), b"nonsense", line(hand(hand_id="h-2"))), 1)
    assert checked.hands.rows.tolist() == [0, 3]
    assert checked.refused == [1, 2]
    assert [finding.code for row, finding in checked.findings if row == 1] == [
        "seat_side",
        "ledger_sum",
        "score_after",
    ]
    assert checked.hand_ids == {1: "h-1"}


def test_a_finding_repeats_no_more_than_a_little_of_a_long_value():
    first = findings(hand(mode="x" * 10_000))[0]
    assert len(json.dumps(first.found)) < 100
    assert len(first.message) < 300
