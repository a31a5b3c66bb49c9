"""Loading: rows as logged, each hand once, faults in quarantine, games that hang together."""

import json
import random

import pytest

from ingest.load import Loader
from ingest.verify import verify
from ingest.warehouse import open_warehouse
from tests.support.hand_lines import CARDS, HAND, block, hand, ledger, line, next_hand, set_at
from tests.support.leagues import random_league, summary_lines
from tests.support.stored import contents, rows

PLAYER = {"format": "canasta-player/1", "player": "p-ana", "name": "Ana", "self_rating": "casual"}


def batched(items, size):
    return [items[first : first + size] for first in range(0, len(items), size)]


def counts(report):
    return report.read, report.loaded, report.duplicates, report.quarantined


def test_a_hand_becomes_rows(warehouse, load):
    report = load(line(hand(**CARDS, x_table=7)))
    assert counts(report) == (1, 1, 0, 0)
    (stored,) = rows(warehouse, "hand")
    stored = {name: str(value) for name, value in stored.items() if not name.endswith("_hash")}
    assert stored == {
        "hand_key": "1", "hand_id": "h-1", "game_id": "g-1", "hand_no": "1",
        "started_at": "2026-01-05 18:00:00", "ended_at": "2026-01-05 18:09:12",
        "mode": "live", "ruleset": "modern_american", "options": "{}", "device": "None", "dealer": "3",
        "ended_by": "out", "out_seat": "2", "concealed": "False", "special": "None", "game_over": "False",
        "winner": "None", "turns": "41", "engine": "coastal 0.1.0", "seed": "42:17", "extra": '{"x_table":7}',
        "source": "1", "line": "1", "batch": "1",
    }  # fmt: skip
    assert [tuple(row.values()) for row in rows(warehouse, "seat")] == [
        (1, 0, 0, "human", 1, None),
        (1, 1, 1, "computer", None, "expert"),
        (1, 2, 0, "stand_in", 2, "expert"),
        (1, 3, 1, "human", 3, None),
    ]
    assert [tuple(row.values()) for row in rows(warehouse, "side_result")] == [
        (1, 0, 0, 1645, 1645, 800, 600, 100, 195, -50, 0, 0, 1, 1, 0, 0, 0),
        (1, 1, 0, -435, -435, 0, -300, 0, -90, -45, 0, 0, 0, 0, 0, 0, 0),
    ]
    assert [(row["player_key"], row["player"], row["name"]) for row in rows(warehouse, "player")] == [
        (1, "p-ana", None),
        (2, "p-bo", None),
        (3, "p-cy", None),
    ]
    (log,) = rows(warehouse, "hand_event_log")
    assert (log["cards"], json.loads(log["deal"]), log["events"]) == ("rank", CARDS["deal"], CARDS["events"])


def test_loading_twice_changes_nothing(warehouse, load):
    league = random_league(2, games=30)
    lines = [line(record) for record in [*league.players, *league.hands, hand(hand_no="x")]]
    first = load(*lines)
    before = contents(warehouse)
    second = load(*lines)
    assert counts(first) == (len(lines), len(lines) - 1, 0, 1)
    assert counts(second) == (len(lines), 0, len(lines) - 1, 1)
    assert second.batch is None
    assert contents(warehouse) == before


def test_the_same_content_in_another_form_is_a_duplicate(load):
    load(line(HAND))
    again = json.dumps(dict(reversed(HAND.items())), indent=1).replace("\n", " ").encode()
    elsewhere = line(hand(started_at="2026-01-05T20:00:00.000+02:00"))
    assert counts(load(again, elsewhere)) == (2, 0, 2, 0)


@pytest.mark.parametrize(
    ("path", "value"),
    [("turns", 42), ("seed", "x"), ("x_note", 1), ("seats.0.player", "p-zoe"), ("dealer", 2)],
)
def test_the_same_id_with_other_content_is_a_conflict(warehouse, load, path, value):
    load(line(HAND))
    report = load(line(set_at(hand(), path, value)))
    assert counts(report) == (1, 0, 0, 1)
    assert [(one.code, one.hand_id) for one in report.findings] == [("conflict", "h-1")]
    (kept,) = rows(warehouse, "quarantine")
    assert json.loads(kept["raw"]) == set_at(hand(), path, value)
    assert len(rows(warehouse, "hand")) == 1


def test_within_a_block_the_first_line_of_an_id_holds(load):
    report = load(line(HAND), line(hand(turns=42)), line(HAND))
    assert counts(report) == (3, 1, 1, 1)


def test_a_game_has_one_hand_of_a_number(load):
    report = load(line(HAND), line(hand(hand_id="h-2")))
    assert counts(report) == (2, 1, 0, 1)
    assert [(one.code, one.expected) for one in report.findings] == [("game_conflict", "h-1")]
    later = load(line(hand(hand_id="h-3")), line(hand(hand_id="h-4", game_id="g-2")))
    assert counts(later) == (2, 1, 0, 1)


def test_a_broken_line_is_kept_whole_and_its_neighbours_load(warehouse, load):
    broken = b'{"hand_id": "h-\xff", '
    report = load(line(HAND), broken, line(hand(hand_id="h-2", game_id="g-2")))
    assert counts(report) == (3, 2, 0, 1)
    (kept,) = rows(warehouse, "quarantine")
    assert (kept["raw"], kept["line"], kept["status"], kept["hand_id"]) == (broken, 2, "open", None)
    (finding,) = rows(warehouse, "quarantine_finding")
    assert finding["code"] == "invalid_utf8"


def test_a_sound_line_closes_what_its_hand_left_in_quarantine(warehouse, load):
    load(line(set_at(hand(), "result.points.0", 5)))
    assert [row["status"] for row in rows(warehouse, "quarantine")] == ["open"]
    load(line(HAND))
    assert [row["status"] for row in rows(warehouse, "quarantine")] == ["loaded"]


#: Sound, other content of it, ledgers that do not sum; and the place of one hand in its game, twice.
SOUND, OTHER = line(HAND), line(hand(turns=40))
FAULTY, BROKEN = (line(set_at(hand(), "result.points.0", points)) for points in (5, 10))
PLACE, TAKEN, MOVED = (
    line(hand(hand_id="h-2", game_id="g-2")),
    line(hand(hand_id="h-3", game_id="g-2")),
    line(hand(hand_id="h-3", game_id="g-3")),
)


@pytest.mark.parametrize(
    ("lines", "open_lines", "closed"),
    [
        ((SOUND, OTHER), [OTHER], []),
        ((FAULTY, SOUND, FAULTY, OTHER, BROKEN), [OTHER, BROKEN], [FAULTY]),
        ((PLACE, TAKEN, MOVED, FAULTY), [FAULTY], [TAKEN]),
        ((OTHER, FAULTY, PLACE, SOUND, TAKEN, FAULTY), [FAULTY, SOUND, TAKEN], []),
    ],
)
def test_wherever_a_log_is_cut_the_same_lines_load_and_stay_in_quarantine(
    tmp_path, clock, lines, open_lines, closed
):
    """The same are: which lines are hands, and of each line in quarantine whether it is open."""
    whole, single = [lines], [[text] for text in lines]
    cut_once = [[lines[:at], lines[at:]] for at in range(1, len(lines))]
    for number, parts in enumerate([whole, single, *cut_once]):
        with open_warehouse(tmp_path / f"{number}.duckdb") as cut:
            Loader(cut, 1, clock).load_all(block(*part) for part in parts)
            refused = rows(cut, "quarantine ORDER BY quarantine_key")
            assert [one["raw"] for one in refused if one["status"] == "open"] == open_lines, parts
            assert [one["raw"] for one in refused if one["status"] == "loaded"] == closed, parts
            hands = len(set(lines)) - len(open_lines) - len(closed)
            assert len(rows(cut, "hand")) == hands, parts


def test_a_sound_line_closes_what_was_in_quarantine_even_where_that_comes_again_after_it(warehouse, load):
    load(FAULTY)
    load(SOUND, FAULTY)
    assert [row["status"] for row in rows(warehouse, "quarantine")] == ["loaded"]


def test_names_may_hold_anything(warehouse, load):
    name = "'; DROP TABLE hand; -- \"<b>\n\u0000\U0001f0a1[red]"
    load(line({**PLAYER, "name": name}), line(set_at(hand(hand_id=name), "seats.0.player", name)))
    assert rows(warehouse, "hand")[0]["hand_id"] == name
    assert {row["player"] for row in rows(warehouse, "player")} >= {"p-ana", name}
    assert [row["name"] for row in rows(warehouse, "player") if row["name"]] == [name]


def test_shuffled_lines_in_other_blocks_give_the_same_hands(tmp_path, clock, warehouse):
    lines = [line(record) for record in random_league(4, games=60).hands]
    Loader(warehouse, 1, clock).load_all([block(*lines)])
    rng = random.Random(1)
    rng.shuffle(lines)
    with open_warehouse(tmp_path / "other.duckdb") as other:
        Loader(other, 1, clock).load_all(block(*part) for part in batched(lines, 17))
        query = "SELECT hand_id, content_hash, game_id, options FROM hand ORDER BY hand_id"
        assert other.cursor().execute(query).fetchall() == warehouse.cursor().execute(query).fetchall()


def test_the_first_self_rating_holds_and_the_latest_is_shown(warehouse, load):
    load(line({**PLAYER, "self_rating": None}), line(PLAYER))
    load(line({**PLAYER, "self_rating": "expert", "name": "Ana B", "show_skill": False}))
    load(line({**PLAYER, "self_rating": None, "name": "Ana C", "show_skill": False}))
    (player,) = rows(warehouse, "player")
    shown = {
        key: player[key]
        for key in ("name", "self_rating", "shown_self_rating", "show_skill", "self_rating_batch")
    }
    assert shown == {
        "name": "Ana C", "self_rating": "casual", "shown_self_rating": "expert", "show_skill": False,
        "self_rating_batch": 1,
    }  # fmt: skip


def test_going_back_to_an_earlier_statement_is_news(warehouse, load):
    visible, hidden = (line({**PLAYER, "show_skill": shows}) for shows in (True, False))
    reports = [
        load(visible),
        load(hidden),
        load(hidden),
        load(visible),
        load(hidden, visible),
        load(visible, hidden),
    ]
    assert [report.loaded for report in reports] == [1, 1, 0, 1, 0, 1]
    assert rows(warehouse, "player")[0]["show_skill"] is False


def test_a_statement_that_leaves_show_skill_out_hides_and_unhides_nobody(warehouse, load):
    def shows(*records):
        load(*map(line, records))
        return rows(warehouse, "player")[0]["show_skill"]

    assert shows({**PLAYER, "name": "Ana B"}) is True
    assert shows({**PLAYER, "show_skill": False}) is False
    assert shows({**PLAYER, "name": "Ana C"}) is False
    assert shows({**PLAYER, "name": "Ana D", "show_skill": None}) is False
    assert shows({**PLAYER, "show_skill": True}, {**PLAYER, "name": "Ana E"}) is True
    assert shows({**PLAYER, "show_skill": False}, {**PLAYER, "name": "Ana F"}) is False
    assert verify(warehouse.cursor()).is_intact


def test_statements_that_leave_show_skill_out_are_duplicates_when_they_come_again(warehouse, load):
    silent = [line({"format": "canasta-player/1", "player": "p-ana", "name": name}) for name in "ab"]
    hidden = line({"format": "canasta-player/1", "player": "p-ana", "name": "c", "show_skill": False})
    nightly = [silent[0], hidden, silent[1]]
    assert [load(*nightly).loaded for _ in range(3)] == [3, 0, 0]
    assert load(silent[1]).loaded == 0
    assert load(hidden, silent[0]).loaded == 2
    assert load(hidden, silent[0]).loaded == 0
    assert rows(warehouse, "player")[0]["show_skill"] is False


@pytest.mark.parametrize(
    ("lines", "codes"),
    [
        ([next_hand(1, [0, 0]), next_hand(2, [1645, -435]), next_hand(3, [3290, -870])], []),
        ([next_hand(2, [1645, -435]), next_hand(1, [0, 0])], []),
        ([next_hand(1, [0, 0]), next_hand(2, [1645, -430])], ["score_step"]),
        ([next_hand(1, [0, 0]), next_hand(3, [3290, -870])], ["hand_gap"]),
        ([next_hand(3, [3290, -870])], []),
    ],
)
def test_a_gap_or_step_in_a_game_is_a_warning(warehouse, clock, lines, codes):
    whole, split = [], []
    report = Loader(warehouse, 1, clock, on_finding=whole.append).load_all([block(*lines)])
    assert [finding.code for finding in whole] == codes
    assert (report.quarantined, report.warnings) == (0, len(codes))
    other = [text.replace(b"g-1", b"g-2").replace(b"h-", b"k-") for text in lines]
    Loader(warehouse, 1, clock, on_finding=split.append).load_all(block(text) for text in other)
    assert [finding.code for finding in split] == codes


def test_a_gap_that_is_filled_later_warns_no_more(load):
    assert load(next_hand(1, [0, 0]), next_hand(3, [3290, -870])).warnings == 1
    assert load(next_hand(2, [1645, -435])).warnings == 0
    assert load(next_hand(4, [4935, -1300])).warnings == 1


def test_many_lines_load_in_blocks_of_one_batch_each(warehouse, clock):
    lines = list(summary_lines(1, 3000))
    report = Loader(warehouse, 1, clock).load_all(block(*part) for part in batched(lines, 1000))
    assert counts(report) == (3000, 3000, 0, 0)
    batches = rows(warehouse, "ingest_batch")
    assert [(row["batch"], row["hands"], row["seats"]) for row in batches] == [
        (1, 1000, 4000),
        (2, 1000, 4000),
        (3, 1000, 4000),
    ]
    keys = [row["hand_key"] for row in rows(warehouse, "hand")]
    assert sorted(keys) == list(range(1, 3001))


def test_rows_sum_as_the_lines_do(warehouse, load):
    parts = ledger(canastas=500, melds=20)
    record = hand()
    record["result"]["ledger"][0] = parts
    record["result"]["canastas"][0] = {"natural": 1}
    record["result"] |= {"points": [520, -435], "score_after": [520, -435]}
    load(line(record))
    total = warehouse.cursor().execute("SELECT sum(points), sum(meld_points) FROM side_result").fetchone()
    assert total == (85, -70)


TWINS = [
    hand(hand_id="h-1"),
    hand(hand_id="h-2"),
    hand(hand_id="h-2"),
    hand(hand_id="h-2", hand_no=2),
    hand(hand_id="h-3", hand_no=2),
    hand(hand_id="h-3", hand_no=3),
    hand(hand_id="h-1", hand_no=4),
]


def test_a_line_that_is_refused_for_its_place_speaks_for_no_other(tmp_path, clock):
    """However the lines are cut into files, the same hands load and the same lines are refused."""
    lines = [line(one) for one in TWINS]
    found = []
    for number, cuts in enumerate(([7], [1] * 7, [2, 5], [3, 4])):
        with open_warehouse(tmp_path / f"{number}.duckdb", at=clock()) as opened:
            waiting = list(lines)
            for size in cuts:
                Loader(opened, 1, clock).load_all([block(*waiting[:size])])
                waiting = waiting[size:]
            loaded = opened.cursor().execute("SELECT hand_id, hand_no FROM hand ORDER BY ALL").fetchall()
            refused = opened.cursor().execute("SELECT raw_hash FROM quarantine ORDER BY ALL").fetchall()
            found.append((loaded, refused))
    assert found[0][0] == [("h-1", 1), ("h-2", 2), ("h-3", 3)]
    assert found[1:] == found[:1] * 3
