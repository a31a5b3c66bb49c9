"""A club's score sheet becomes hands: two real games, sixteen hands, the house's own scoring."""

import csv
import io
import json
from pathlib import Path

import pytest

from engine.errors import IngestError
from ingest.load import Loader
from ingest.score_sheet import SheetMapping, sheet_lines
from ingest.sources import UnreadableInputError, read_blocks

SHEET = Path("data/samples/score-sheet.csv")


def hands(text=None, mapping=None):
    lines = sheet_lines(text or SHEET.read_text(), mapping or SheetMapping.load())
    return [json.loads(line) for _, line in lines]


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
        (",player 1,player 1,player 3,", ",player 9,player 1,player 3,", "wrong_type"),
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
