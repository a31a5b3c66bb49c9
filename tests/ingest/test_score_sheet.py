"""A club's score sheet becomes hands: two real games, sixteen hands, the house's own scoring."""

import csv
import io
import json
from pathlib import Path

import pytest

from engine.errors import IngestError
from ingest.load import Loader
from ingest.quarantine import retry, show_refused
from ingest.score_sheet import sheet_hands
from ingest.sheet_mapping import DEFAULT_MAPPING, SheetMapping
from ingest.sources import UnreadableInputError, read_blocks
from tests.support.hand_lines import block

SHEET = Path("data/samples/score-sheet.csv")


def hands(text=None, mapping=None):
    found = sheet_hands(text or SHEET.read_text(), mapping or SheetMapping.load(), "sheet.csv")
    return [json.loads(hand.text) for hand in found]


def load_sheet(warehouse, clock, path):
    findings = []
    report = Loader(warehouse, 1, clock, on_finding=findings.append).load_all(read_blocks([str(path)]))
    return report, findings


def test_the_sheet_loads_whole(warehouse, clock):
    report, findings = load_sheet(warehouse, clock, SHEET)
    assert (report.read, report.loaded, findings) == (16, 16, [])
    query = """
        SELECT game_id, hand_no, list(score_after ORDER BY side), winner
        FROM hand JOIN side_result USING (hand_key)
        WHERE game_over GROUP BY ALL ORDER BY game_id
    """
    # The columns of points added up by hand: 2,870 to 5,175 and 3,480 to 5,410.
    assert warehouse.cursor().execute(query).fetchall() == [
        ("2026-01-10 table 1 game 1", 7, [2870, 5175], 1),
        ("2026-01-10 table 1 game 2", 9, [3480, 5410], 1),
    ]
    query = (
        "SELECT player, seat, side FROM seat JOIN player USING (player_key) WHERE hand_key = 1 ORDER BY seat"
    )
    assert warehouse.cursor().execute(query).fetchall() == [
        ("player 1", 0, 0),
        ("player 2", 1, 1),
        ("player 3", 2, 0),
        ("player 4", 3, 1),
    ]
    assert warehouse.cursor().execute("SELECT kind, name FROM source").fetchall() == [
        ("score_sheet", str(SHEET))
    ]
    assert load_sheet(warehouse, clock, SHEET)[0].duplicates == 16


def test_parts_of_the_first_hand():
    first = hands()[0]
    assert first["result"]["points"] == [675, 435]
    assert first["result"]["ledger"][0] == {
        "canastas": 300, "threes": 0, "going_out": 100, "melds": 275, "holdings": 0, "penalties": 0,
        "special": 0,
    }  # fmt: skip
    assert first["result"]["canastas"] == [{"natural": 0, "mixed": 1}, {"natural": 0, "mixed": 1}]
    assert (first["dealer"], first["started_at"], first["result"]["ended_by"]) == (
        0,
        "2026-01-10T18:31:11Z",
        "out",
    )


def edited(old, new):
    text = SHEET.read_text()
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("275,100,0,675", "275,100,0,676", "ledger_sum"),
        ("275,100,0,675", "275,100,0,lots", "wrong_type"),
        ("0,300,0,275", "0,250,50,275", "canasta_points"),
        ("2026-01-10 18:31:11,", "soon,", "time_format"),
        (",player 1,player 1,player 3,", ",player 9,player 1,player 3,", "wrong_value"),
        (",player 2,player 4,0,300,0,135", ",player 2,player 1,0,300,0,135", "player_twice"),
    ],
)
def test_a_fault_on_the_sheet_is_found_in_its_hand_alone(tmp_path, warehouse, clock, old, new, code):
    path = tmp_path / "sheet.csv"
    path.write_text(edited(old, new))
    report, findings = load_sheet(warehouse, clock, path)
    assert report.quarantined == 1
    assert findings[0].code == code
    assert findings[0].line == 2


def test_rows_in_any_order_and_a_substitute_keep_the_score(tmp_path):
    text = SHEET.read_text().splitlines()
    text[3], text[4] = text[4], text[3]
    swapped = [
        line.replace("player 3", "player 5") if number > 4 else line for number, line in enumerate(text)
    ]
    fourth = hands("\n".join(swapped))[3]
    assert fourth["score_before"] == [1065, 1860]
    assert [seat["player"] for seat in fourth["seats"]] == ["player 1", "player 2", "player 5", "player 4"]


def test_semicolons_a_byte_order_mark_and_points_alone(tmp_path, warehouse, clock):
    mapping = tmp_path / "ours.toml"
    mapping.write_text(
        'ruleset = "classic_partnership"\n[columns]\ngame = "Spiel"\nhand = "Nr"\nstarted = "von"\n'
        'ended = "bis"\ndealer = "Geber"\nplayers = ["A", "B"]\npoints = "Punkte"\n'
    )
    path = tmp_path / "ours.csv"
    path.write_text(
        "Spiel;Nr;von;bis;Geber;A;B;Punkte\n"
        'x;1;2026-01-10 18:00;2026-01-10 18:09;Åke;Åke;"Bo; B";1200\n'
        "x;1;2026-01-10 18:00;2026-01-10 18:09;Åke;Cy;Di;-300\n",
        encoding="utf-8-sig",
    )
    blocks = read_blocks([str(path)], SheetMapping.load(mapping))
    assert Loader(warehouse, 1, clock).load_all(blocks).loaded == 1
    assert warehouse.cursor().execute("SELECT points FROM side_result ORDER BY side").fetchall() == [
        (1200,),
        (-300,),
    ]


def test_a_sheet_without_the_columns_is_unreadable(tmp_path):
    path = tmp_path / "sheet.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(UnreadableInputError, match="'dealer', 'ended', 'game'"):
        list(read_blocks([str(path)]))


def test_a_mapping_names_its_fault(tmp_path):
    path = tmp_path / "mapping.toml"
    path.write_text('ruleset = "bridge"\n')
    with pytest.raises(IngestError, match=r"mapping\.toml"):
        SheetMapping.load(path)


ROWS = SHEET.read_text().splitlines()
HEADER, FIRST_TWO = ROWS[0], ROWS[1:5]


def with_points(row, points):
    names = next(csv.reader([HEADER]))
    cells = next(csv.reader([row]))
    cells[names.index(SheetMapping.load().columns.points)] = str(points)
    out = io.StringIO()
    csv.writer(out).writerow(cells)
    return out.getvalue().strip()


def sheet(*rows):
    return "\n".join([HEADER, *rows]) + "\n"


def test_a_row_of_separators_alone_is_none():
    blank = "," * HEADER.count(",")
    assert hands(sheet(blank, *FIRST_TWO, blank, "  " + blank)) == hands(sheet(*FIRST_TWO))


def test_a_games_name_on_another_day_is_another_game():
    later = [row.replace("2026-01-10", "2026-01-17") for row in FIRST_TWO[:2]]
    found = hands(sheet(*FIRST_TWO, *later))
    assert [hand["game_id"] for hand in found] == ["2026-01-10 table 1 game 1"] * 2 + [
        "2026-01-17 table 1 game 1"
    ]
    assert [hand["hand_no"] for hand in found] == [1, 2, 1]
    assert found[2]["score_before"] == [0, 0]
    assert found[2]["result"]["points"] == found[0]["result"]["points"]


def test_a_game_goes_on_past_midnight():
    late = [row.replace("2026-01-10", "2026-01-11") for row in FIRST_TWO[2:]]
    first, second = hands(sheet(*FIRST_TWO[:2], *late))
    assert second["game_id"] == first["game_id"]
    assert second["score_before"] == first["result"]["score_after"]


def test_two_rows_of_one_side_that_differ_are_no_points(warehouse, clock, tmp_path):
    path = tmp_path / "sheet.csv"
    path.write_text(sheet(*FIRST_TWO[:2], with_points(FIRST_TWO[0], 900), *FIRST_TWO[2:]))
    report, findings = load_sheet(warehouse, clock, path)
    assert (report.loaded, report.quarantined) == (1, 1)
    assert any("675 and 900" in str(finding.found) for finding in findings)
    assert hands(sheet(*FIRST_TWO[:2], FIRST_TWO[0], *FIRST_TWO[2:])) == hands(sheet(*FIRST_TWO))


def test_a_hand_that_lacks_a_side_leaves_the_game_its_score(warehouse, clock, tmp_path):
    whole = hands()[:3]
    path = tmp_path / "sheet.csv"
    path.write_text(sheet(*ROWS[1:4], *ROWS[5:7]))
    report, _ = load_sheet(warehouse, clock, path)
    assert (report.loaded, report.quarantined) == (2, 1)
    third = hands(path.read_text())[2]
    there, lacking = whole[1]["result"]["points"]
    before = whole[1]["score_before"]
    assert third["score_before"] == [before[0] + there, before[1]]
    assert lacking != 0


@pytest.mark.parametrize("text", ["1_000", "", "1.5", "\u0663"])
def test_only_digits_are_points(text):
    assert hands(sheet(with_points(FIRST_TWO[0], text), FIRST_TWO[1]))[0]["result"]["points"][0] == text


def test_a_name_may_hold_any_line_separator():
    rows = [row.replace("player 1", "play\u2028er\x85 1") for row in FIRST_TWO[:2]]
    (hand,) = hands(sheet(*rows))
    assert hand["seats"][0]["player"] == "play\u2028er\x85 1"


CLUB = """Game,Hand,Started,Ended,Dealer,A,B,Threes,Cards,Points
Tuesday,1,2026-11-03 19:30,2026-11-03 19:45,Ann,Ann,Cyd,100,500,600
Tuesday,1,2026-11-03 19:30,2026-11-03 19:45,Ann,Bob,Dan,,300,300
Tuesday,2,2026-11-03 19:45,2026-11-03 20:00,Bob,Ann,Cyd,,100,100
Tuesday,2,2026-11-03 19:45,2026-11-03 20:00,Bob,Bob,Dan,100,700,800
"""
CLUB_MAPPING = """
ruleset = "classic_partnership"
[columns]
game = "Game"
hand = "Hand"
started = "Started"
ended = "Ended"
dealer = "Dealer"
players = ["A", "B"]
points = "Points"
[parts]
threes = ["Threes"]
melds = ["Cards"]
"""


@pytest.fixture
def load_club(tmp_path, warehouse, clock):
    """Load the club's sheet with changes, and return the report and the findings."""
    mapping = tmp_path / "club.toml"
    mapping.write_text(CLUB_MAPPING)

    def load(*changes):
        text = CLUB
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "club.csv"
        path.write_text(text)
        findings = []
        loader = Loader(warehouse, 1, clock, on_finding=findings.append)
        report = loader.load_all(read_blocks([str(path)], SheetMapping.load(mapping)))
        return report, [finding for finding in findings if finding.is_error]

    return load


FIRST, SECOND, THIRD, FOURTH = CLUB.splitlines(keepends=True)[1:]
TIME = "a time such as 2026-01-05 18:00"
WHOLE = "a whole number of at most nine digits"
AT_TABLE = "one of the players at the table: Ann, Cyd, Bob, Dan"


@pytest.mark.parametrize(
    ("old", "new", "line", "code", "message", "expected", "found"),
    [
        (
            THIRD, "", 4, "sheet_rows",
            "hand 2 of 'Tuesday' has a row for Bob and Dan alone: the row of the other side is missing", 2, 1,
        ),
        (
            FOURTH, "", 4, "sheet_rows",
            "hand 2 of 'Tuesday' has a row for Ann and Cyd alone: the row of the other side is missing", 2, 1,
        ),
        (
            FIRST, FIRST + FIRST.replace("Cyd", "Cid"), 2, "sheet_rows",
            "hand 1 of 'Tuesday' has rows for 3 sides, not 2: Ann and Cyd; Ann and Cid; Bob and Dan", 2, 3,
        ),
        (
            SECOND, SECOND + SECOND.replace(",300,300", ",400,400"), 4, "sheet_rows",
            "hand 1 of 'Tuesday' has rows for Bob and Dan that differ, with 300 and 400 points",
            "one row", "300 and 400",
        ),
        ("Bob,Dan,,300", "Bob,,,300", 3, "missing_field", "column 'B' is empty", "a player's name", ""),
        (
            ",Bob,Ann,", ",bob,Ann,", 4, "wrong_value", f"column 'Dealer': 'bob', not {AT_TABLE}",
            AT_TABLE, "bob",
        ),
        (",Ann,Ann,", ",,Ann,", 2, "wrong_value", f"column 'Dealer': empty, not {AT_TABLE}", AT_TABLE, ""),
        (",300,300", ",300,45x", 3, "wrong_type", f"column 'Points': '45x', not {WHOLE}", WHOLE, "45x"),
        (",300,300", ",45x,300", 3, "wrong_type", f"column 'Cards': '45x', not {WHOLE}", WHOLE, "45x"),
        (
            ",300,300", ",300,1000000000", 3, "wrong_type", f"column 'Points': '1000000000', not {WHOLE}",
            WHOLE, "1000000000",
        ),
        (
            ",1,2026", ",one,2026", 2, "wrong_type", f"column 'Hand': 'one', not {WHOLE}, 1 or more",
            f"{WHOLE}, 1 or more", "one",
        ),
        (
            ",1,2026", ",0,2026", 2, "wrong_value", f"column 'Hand': '0', not {WHOLE}, 1 or more",
            f"{WHOLE}, 1 or more", "0",
        ),
        (
            "2026-11-03 19:45,Ann,Ann", "03/11/2026 19:45,Ann,Ann", 2, "time_format",
            f"column 'Ended': '03/11/2026 19:45', not {TIME}", TIME, "03/11/2026 19:45",
        ),
        (
            "19:45,Ann,Ann", "19:15,Ann,Ann", 2, "time_order",
            "column 'Ended': '2026-11-03 19:15', not 2026-11-03 19:30, when it started, or later",
            "2026-11-03 19:30, when it started, or later", "2026-11-03 19:15",
        ),
    ],
)  # fmt: skip
def test_a_fault_is_told_once_in_the_sheets_words(load_club, old, new, line, code, message, expected, found):
    report, findings = load_club((old, new))
    assert [(one.line, one.code, one.message, one.expected, one.found) for one in findings] == [
        (line, code, message, expected, found)
    ]
    assert (report.loaded, report.quarantined) == (1, 1)


def test_a_number_of_thousands_of_digits_is_a_fault(load_club):
    assert load_club((",300,300", f",300,{'9' * 5000}"))[1][0].code == "wrong_type"


def test_a_first_hand_that_lacks_a_side_leaves_the_others_a_score(load_club, warehouse):
    third = "".join((THIRD, FOURTH)).replace("Tuesday,2", "Tuesday,3")
    report, _ = load_club((SECOND, ""), (FOURTH, FOURTH + third))
    assert (report.loaded, report.quarantined) == (2, 1)
    found = warehouse.cursor().execute("SELECT score_after FROM side_result ORDER BY hand_key, side")
    assert found.fetchall() == [(700,), (800,), (800,), (1600,)]


def test_a_line_that_is_tried_again_keeps_what_was_said_of_its_rows(load_club, warehouse, clock):
    load_club((",300,300", ",300,45x"))
    report = retry(warehouse, [1], clock=clock, operator="ops")
    assert (report.loaded, report.quarantined) == (0, 1)
    (fault,) = show_refused(warehouse.cursor(), 1)["findings"]
    assert fault["message"] == f"column 'Points': '45x', not {WHOLE}"


def points_sheet(count, sides, points):
    """Return a game's sheet: so many hands, each side's people, and the points it makes in each hand."""
    rows = [
        f"one,{number},{time},{time},{sides[0][0]},{','.join(people)},{scored}"
        for number, time in ((number, f"2026-01-10 18:{number:02}") for number in range(1, count + 1))
        for people, scored in zip(sides, points, strict=True)
    ]
    names = ["player a", "player b"][: len(sides[0])]
    return "\n".join([f"game,hand,started,ended,dealer,{','.join(names)},points", *rows])


def points_mapping(ruleset, people, **options):
    shipped = SheetMapping.load()
    columns = shipped.columns.model_copy(update={"players": shipped.columns.players[:people]})
    return SheetMapping(ruleset=ruleset, options=options, columns=columns)


def ends(log):
    return [(hand["hand_no"], hand["result"]["winner"]) for hand in log if hand["result"]["game_over"]]


@pytest.mark.parametrize(("points", "end"), [((100, 50), [(40, 0)]), ((50, 50), [(40, None)])])
def test_a_game_ends_with_its_fortieth_hand(points, end):
    sheet = points_sheet(40, [("p-1", "p-3"), ("p-2", "p-4")], points)
    assert ends(hands(sheet, points_mapping("classic_partnership", 2))) == end
    assert ends(hands(sheet.rpartition("\none,40")[0], points_mapping("classic_partnership", 2))) == []


def test_a_sheet_says_its_table_s_options(tmp_path, warehouse, clock):
    sheet = points_sheet(3, [("p-1",), ("p-2",)], (500, 300))
    assert ends(hands(sheet, points_mapping("classic_salon", 1))) == []
    log = hands(sheet, points_mapping("classic_salon", 1, short_game=True))
    assert ends(log) == [(3, 0)]
    assert log[0]["options"] == {"short_game": True}
    report = Loader(warehouse, 1, clock).load_all([block(*(json.dumps(hand).encode() for hand in log))])
    assert report.loaded == 3


def test_an_option_that_the_rule_set_does_not_know_is_named(tmp_path):
    path = tmp_path / "ours.toml"
    path.write_text(DEFAULT_MAPPING.read_text().replace("options = {}", "options = { short_games = true }"))
    with pytest.raises(IngestError, match="short_games"):
        SheetMapping.load(path)
