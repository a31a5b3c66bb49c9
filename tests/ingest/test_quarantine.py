"""The quarantine keeps lines as they came until they load or are dropped."""

from dataclasses import replace

import pytest

from engine.errors import IngestError
from ingest.corrections import void
from ingest.load import Loader
from ingest.quarantine import drop, list_refused, retry, show_refused
from ingest.warehouse import open_warehouse
from tests.support.hand_lines import HAND, block, hand, line, set_at
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


def refuse_many(warehouse, clock, count):
    """Refuse lines whose place in a game was taken, and is free again; return their numbers.

    Of every three the first would load now, the second has its id and other content, the third is wrong.
    """
    old = [line(hand(hand_id=f"old-{game}", game_id=f"g-{game}")) for game in range(count)]
    lines = []
    for game in range(count):
        fresh = {"hand_id": f"h-{game}", "game_id": f"g-{game}"}
        lines += [
            line(hand(**fresh)),
            line(hand(**fresh, turns=40)),
            line(set_at(hand(**fresh | {"hand_id": f"wrong-{game}"}), "result.points.0", 1)),
        ]
    Loader(warehouse, 1, clock).load_all([block(*old), block(*lines)])
    for game in range(count):
        void(warehouse, f"old-{game}", operator="ops", why="x", at=clock())
    return list(range(1, 3 * count + 1))


def statements_of_a_retry(warehouse, clock, keys):
    """Try lines again and return how many statements DuckDB executed meanwhile."""
    cursor = warehouse.cursor()
    cursor.execute("CALL enable_logging('QueryLog')")
    try_again(warehouse, clock, *keys)
    cursor.execute("CALL disable_logging()")
    ((count,),) = cursor.execute("SELECT count(*) FROM duckdb_logs WHERE type = 'QueryLog'").fetchall()
    cursor.execute("CALL truncate_duckdb_logs()")
    return count


def quarantine(warehouse):
    """Return the quarantine's rows with what is wrong with each, but for the instants."""
    lines = [one | {"closed_at": None} for one in rows(warehouse, "quarantine ORDER BY quarantine_key")]
    return lines, rows(warehouse, "quarantine_finding ORDER BY quarantine_key, position")


@pytest.mark.parametrize(
    ("limit", "most"), [("RETRY_LINES", 1), ("RETRY_LINES", 2), ("RETRY_LINES", 5), ("BLOCK_BYTES", 3000)]
)
def test_lines_that_are_tried_again_in_several_blocks_end_as_in_one(
    tmp_path, warehouse, clock, monkeypatch, limit, most
):
    keys, whole, split = refuse_many(warehouse, clock, 4), [], []
    report = retry(warehouse, keys, clock=clock, operator="ops", on_finding=whole.append)
    monkeypatch.setattr(f"ingest.quarantine.{limit}", most)
    with open_warehouse(tmp_path / "other.duckdb", at=clock()) as other:
        refuse_many(other, clock, 4)
        again = retry(other, [*keys[::-1], 1], clock=clock, operator="ops", on_finding=split.append)
        assert quarantine(other) == quarantine(warehouse)
    assert (report.loaded, report.quarantined) == (4, 8)
    assert statuses(warehouse) == ["loaded", "open", "open"] * 4
    assert split == whole
    assert replace(again, batch=report.batch) == report
    assert again.batch > report.batch


def test_more_lines_take_no_more_statements(warehouse, clock):
    keys = refuse_many(warehouse, clock, 12)
    few = statements_of_a_retry(warehouse, clock, keys[:6])
    assert statements_of_a_retry(warehouse, clock, keys[6:]) == few > 0
    assert statuses(warehouse) == ["loaded", "open", "open"] * 12


def test_lines_whose_turn_does_not_come_stay_as_they_are(warehouse, clock, monkeypatch):
    keys = refuse_many(warehouse, clock, 2)
    before = quarantine(warehouse)
    monkeypatch.setattr("ingest.quarantine.RETRY_LINES", 3)
    taken = []

    def first_alone(blocks):
        taken.extend(blocks)
        yield taken[0]

    report = retry(warehouse, keys, clock=clock, operator="ops", in_turn=first_alone)
    assert (report.read, report.loaded) == (3, 1)
    assert taken == [slice(0, 3), slice(3, 6)]
    assert statuses(warehouse) == ["loaded", "open", "open"] + ["open"] * 3
    assert quarantine(warehouse)[0][3:] == before[0][3:]


def test_one_line_that_is_no_longer_open_keeps_all_from_being_tried(warehouse, clock, monkeypatch):
    monkeypatch.setattr("ingest.quarantine.RETRY_LINES", 1)
    keys = refuse_many(warehouse, clock, 2)
    drop(warehouse, 6, operator="ops", why="a test", at=clock())
    with pytest.raises(IngestError, match="quarantine 6 is dropped since"):
        try_again(warehouse, clock, *keys)
    with pytest.raises(IngestError, match=f"has the number {2**80}"):
        try_again(warehouse, clock, 1, 2**80)
    assert statuses(warehouse) == ["open"] * 5 + ["dropped"]
