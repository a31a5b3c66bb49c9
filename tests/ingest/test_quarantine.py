"""The quarantine keeps lines as they came until they load or are dropped."""

import pytest

from engine.errors import IngestError
from ingest.corrections import void
from ingest.quarantine import drop, list_refused, retry, show_refused
from tests.support.hand_lines import HAND, hand, line, set_at
from tests.support.stored import rows

BROKEN = line(set_at(hand(), "result.points.0", 1))


def try_again(warehouse, clock, *keys, corrected=None):
    return retry(warehouse, list(keys), level=1, clock=clock, operator="ops", corrected=corrected)


def statuses(warehouse):
    return [row["status"] for row in rows(warehouse, "quarantine ORDER BY quarantine_key")]


def test_lines_are_listed_and_shown_with_their_faults(warehouse, load):
    load(b"{", BROKEN)
    listed = list_refused(warehouse.cursor())
    assert [(one["quarantine_key"], one["hand_id"], one["line"], one["codes"]) for one in listed] == [
        (1, None, 1, ["invalid_json"]),
        (2, "h-1", 2, ["ledger_sum", "score_after"]),
    ]
    shown = show_refused(warehouse.cursor(), 2)
    assert shown["raw"] == BROKEN
    assert [(one["code"], one["expected"], one["found"]) for one in shown["findings"]] == [
        ("ledger_sum", 1645, 1),
        ("score_after", 1, 1645),
    ]


def test_a_corrected_line_loads_and_clears_its_finding(warehouse, load, clock):
    load(BROKEN)
    report = try_again(warehouse, clock, 1, corrected=line(HAND))
    assert (report.loaded, report.quarantined) == (1, 0)
    assert statuses(warehouse) == ["loaded"]
    (stored,) = rows(warehouse, "hand")
    assert (stored["hand_id"], stored["line"]) == ("h-1", 1)
    assert list_refused(warehouse.cursor()) == []


def test_a_line_without_an_id_is_cleared_by_its_correction_too(warehouse, load, clock):
    load(b"{")
    assert try_again(warehouse, clock, 1, corrected=line(HAND)).loaded == 1
    assert statuses(warehouse) == ["loaded"]


def test_what_is_still_wrong_stays(warehouse, load, clock):
    load(BROKEN)
    report = try_again(warehouse, clock, 1)
    assert (report.loaded, report.quarantined) == (0, 1)
    assert statuses(warehouse) == ["open"]
    assert len(rows(warehouse, "quarantine")) == 1
    assert len(show_refused(warehouse.cursor(), 1)["findings"]) == 2


def test_a_line_that_nothing_stands_against_any_more_loads(warehouse, load, clock):
    load(line(HAND))
    load(line(hand(hand_id="h-2")))
    assert try_again(warehouse, clock, 1).quarantined == 1
    void(warehouse, "h-1", operator="ops", why="x", at=clock())
    assert try_again(warehouse, clock, 1).loaded == 1
    assert statuses(warehouse) == ["loaded"]


def test_of_two_contents_tried_again_together_the_second_stays_as_a_conflict(warehouse, load, clock):
    load(line(hand(hand_id="h-2")))
    load(line(HAND), line(hand(turns=40)))
    void(warehouse, "h-2", operator="ops", why="x", at=clock())
    report = try_again(warehouse, clock, 1, 2)
    assert (report.loaded, report.quarantined) == (1, 1)
    assert statuses(warehouse) == ["loaded", "open"]
    assert [one["code"] for one in show_refused(warehouse.cursor(), 2)["findings"]] == ["conflict"]


def test_a_correction_that_is_refused_stays_beside_its_line(warehouse, load, clock):
    load(line(HAND), BROKEN)
    assert try_again(warehouse, clock, 1, corrected=line(hand(turns=40))).quarantined == 1
    assert statuses(warehouse) == ["open", "open"]


def test_a_dropped_line_stays_readable_and_does_not_come_back(warehouse, load, clock):
    load(BROKEN)
    drop(warehouse, 1, operator="ops", why="a test", at=clock())
    assert load(BROKEN).quarantined == 1
    (kept,) = rows(warehouse, "quarantine")
    assert (kept["status"], kept["closed_by"], kept["why"], kept["raw"]) == (
        "dropped",
        "ops",
        "a test",
        BROKEN,
    )
    with pytest.raises(IngestError, match="dropped since"):
        try_again(warehouse, clock, 1)


def test_an_unknown_number_is_refused(warehouse, clock):
    with pytest.raises(IngestError, match="has the number 7"):
        drop(warehouse, 7, operator="ops", why="x", at=clock())
