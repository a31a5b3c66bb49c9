"""An operator's acts: withdrawn and replaced hands stay readable, and only what counts counts."""

import pytest

from engine.errors import IngestError
from ingest.corrections import CorrectionRefusedError, correct, void
from ingest.history import history
from ingest.verify import verify
from tests.support.hand_lines import CARDS, HAND, block, hand, line, next_hand, set_at
from tests.support.stored import contents, rows

WHY = "it's <wrong>"
BROKEN = line(set_at(hand(), "result.points.0", 1))


def counting(warehouse):
    return [(row["hand_key"], row["hand_id"], row["turns"]) for row in rows(warehouse, "hand_current")]


def amend(warehouse, clock, *lines):
    blocks = [block(*lines, file="fix.jsonl")]
    return correct(warehouse, blocks, operator="ops", why=WHY, level=1, clock=clock)


def test_a_void_hand_counts_no_more_and_stays_readable(warehouse, load, clock):
    load(line(HAND), line(hand(hand_id="h-2", game_id="g-2")))
    assert void(warehouse, "h-1", operator="ops", why=WHY, at=clock()) == 2
    assert counting(warehouse) == [(2, "h-2", 41)]
    (act,) = rows(warehouse, "correction")
    assert {name: act[name] for name in ("kind", "hand_id", "hand_key", "operator", "why", "batch")} == {
        "kind": "void", "hand_id": "h-1", "hand_key": 1, "operator": "ops", "why": WHY, "batch": 2,
    }  # fmt: skip
    assert len(rows(warehouse, "hand")) == 2
    assert verify(warehouse.cursor()).is_intact


def test_a_hand_is_void_once(warehouse, load, clock):
    load(line(HAND))
    void(warehouse, "h-1", operator="ops", why=WHY, at=clock())
    before = contents(warehouse)
    with pytest.raises(IngestError, match="void already"):
        void(warehouse, "h-1", operator="ops", why=WHY, at=clock())
    assert contents(warehouse) == before


def test_an_unknown_hand_is_answered_with_the_nearest(warehouse, load, clock):
    load(line(hand(hand_id="hand-0017")), line(hand(hand_id="other", game_id="g-2")))
    with pytest.raises(IngestError, match="did you mean 'hand-0017'"):
        void(warehouse, "hand-0016", operator="ops", why=WHY, at=clock())


def test_a_corrected_hand_is_a_new_version(warehouse, load, clock):
    load(line(HAND))
    report = amend(warehouse, clock, line(hand(turns=42)))
    assert report == {"corrected": 1, "unchanged": 0, "warnings": 0, "batch": 2}
    assert counting(warehouse) == [(2, "h-1", 42)]
    known = history(warehouse.cursor(), "h-1")
    assert [(one["hand_key"], one["turns"], one["counts"], one["file"]) for one in known["versions"]] == [
        (1, 41, False, "hands.jsonl"),
        (2, 42, True, "fix.jsonl"),
    ]
    assert [(one["kind"], one["hand_key"], one["replacement_hand_key"]) for one in known["corrections"]] == [
        ("replace", 1, 2)
    ]
    assert verify(warehouse.cursor()).is_intact


def test_a_correction_that_its_neighbours_in_the_game_do_not_follow_is_warned_of(warehouse, load, clock):
    load(next_hand(1, [0, 0]), next_hand(2, [1645, -435]), next_hand(3, [3290, -870]))
    told = []
    blocks = [block(next_hand(1, [5, 0]), file="fix.jsonl")]
    report = correct(warehouse, blocks, operator="ops", why=WHY, level=1, clock=clock, on_finding=told.append)
    assert (report["corrected"], report["warnings"]) == (1, 1)
    assert [(one.code, one.hand_id, one.expected, one.found) for one in told] == [
        ("score_step", "h-2", [1650, -435], [1645, -435])
    ]
    assert amend(warehouse, clock, next_hand(1, [0, 0]))["warnings"] == 0


def test_the_first_file_loaded_again_after_a_correction_changes_nothing(warehouse, load, clock):
    load(line(HAND))
    amend(warehouse, clock, line(hand(turns=42)))
    report = load(line(HAND), line(hand(turns=42)))
    assert (report.duplicates, report.quarantined) == (2, 0)
    assert counting(warehouse) == [(2, "h-1", 42)]


def test_a_correction_can_be_taken_back_and_a_void_hand_can_return(warehouse, load, clock):
    load(line(HAND))
    amend(warehouse, clock, line(hand(turns=42)))
    amend(warehouse, clock, line(HAND))
    assert counting(warehouse) == [(3, "h-1", 41)]
    void(warehouse, "h-1", operator="ops", why=WHY, at=clock())
    assert counting(warehouse) == []
    amend(warehouse, clock, line(HAND))
    assert counting(warehouse) == [(4, "h-1", 41)]
    assert verify(warehouse.cursor()).is_intact


def test_the_same_content_is_no_correction(warehouse, load, clock):
    load(line(HAND))
    before = contents(warehouse)
    assert amend(warehouse, clock, line(HAND)) == {
        "corrected": 0,
        "unchanged": 1,
        "warnings": 0,
        "batch": None,
    }
    assert contents(warehouse) == before


@pytest.mark.parametrize(
    ("lines", "error", "text"),
    [
        ([line(hand(turns=42)), BROKEN], CorrectionRefusedError, "ledger_sum"),
        ([line(hand(turns=42)), line(hand(hand_id="h-9"))], IngestError, "no hand 'h-9'"),
        ([line(hand(turns=42)), line(hand(turns=43))], IngestError, "twice"),
        ([line(hand(game_id="g-2"))], IngestError, "would be 'h-1' and 'h-2'"),
        ([b"nonsense"], CorrectionRefusedError, "invalid_json"),
        ([line({"format": "canasta-player/1", "player": "p", "name": "P"})], IngestError, "players"),
    ],
)  # fmt: skip
def test_a_file_with_a_fault_corrects_nothing(warehouse, load, clock, lines, error, text):
    load(line(HAND), line(hand(hand_id="h-2", game_id="g-2")))
    before = contents(warehouse)
    with pytest.raises(error, match=text):
        amend(warehouse, clock, *lines)
    assert contents(warehouse) == before


def test_a_place_in_a_game_is_free_when_its_hand_is_void(warehouse, load, clock):
    load(line(HAND))
    assert load(line(hand(hand_id="h-2"))).quarantined == 1
    void(warehouse, "h-1", operator="ops", why=WHY, at=clock())
    assert load(line(hand(hand_id="h-3"))).loaded == 1


def test_history_numbers_versions_and_tells_what_a_correction_changed(warehouse, load, clock):
    load(line(hand(hand_id="other", game_id="g-2")), line(HAND))
    changed = set_at(hand(turns=42), "seats.3.player", "p-di")
    amend(warehouse, clock, line({**changed, "x_table": 4, **CARDS}))
    void(warehouse, "h-1", operator="ops", why=WHY, at=clock())
    known = history(warehouse.cursor(), "h-1")
    assert [(one["version"], one["hand_key"]) for one in known["versions"]] == [(1, 2), (2, 3)]
    acts = [(one["version"], one["replacement_version"]) for one in known["corrections"]]
    assert acts == [(1, 2), (2, None)]
    events = known["versions"][1]["events_hash"]
    assert [(one["field"], one["old"], one["new"]) for one in known["corrections"][0]["changes"]] == [
        ("turns", 41, 42),
        ("extra", None, '{"x_table":4}'),
        ("events_hash", None, events),
        ("seats.3.player", "p-cy", "p-di"),
    ]
    assert known["corrections"][1]["changes"] == []


def test_history_of_a_side_s_points_names_the_side(warehouse, load, clock):
    load(line(HAND))
    changed = set_at(hand(), "result.points.1", -440)
    changed = set_at(changed, "result.ledger.1.holdings", -50)
    amend(warehouse, clock, line(set_at(changed, "result.score_after.1", -440)))
    (act,) = history(warehouse.cursor(), "h-1")["corrections"]
    assert {one["field"]: (one["old"], one["new"]) for one in act["changes"]} == {
        "sides.1.points": (-435, -440),
        "sides.1.score_after": (-435, -440),
        "sides.1.holding_points": (-45, -50),
    }


def test_history_tells_of_refused_lines_too(warehouse, load):
    load(line(set_at(hand(), "result.points.0", 1)))
    known = history(warehouse.cursor(), "h-1")
    assert known["versions"] == []
    assert [one["codes"] for one in known["quarantine"]] == [["ledger_sum", "score_after"]]
