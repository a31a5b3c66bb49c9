"""Exports: the columns that others rely on, every digit, one order whatever the arrival, nobody hidden."""

import csv
import random
from datetime import UTC, datetime
from math import floor

import duckdb
import pytest

from engine.errors import RatingError
from ingest.warehouse import open_warehouse
from rating.export import Export, export
from rating.parameters import load_parameters
from rating.replay import Request, replay
from tests.support.leagues import random_league
from tests.support.rated_leagues import load

NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
LEAGUE = random_league(12, people=8, games=30, leavers=0.3)
CHANGES = {"pool", "player", "device", "hand_id", "rating_before", "rating_after", "k_factor", "expected"}
CHANGES |= {"actual", "surprise", "form_after", "hands", "games", "level"}
EVENTS = {"hand_id", "pool", "player", "device", "kind", "from_level", "to_level"}


def write(folder, hands, formats=(".csv", ".parquet"), *, sees_hidden=True, part_hands=200_000):
    """Rate hands in a new warehouse and write every export."""
    folder.mkdir()
    with open_warehouse(folder / "coastal.duckdb", at=NOW) as warehouse:
        load(warehouse, [*LEAGUE.players, *hands])
        parameters, text = load_parameters()
        run = replay(warehouse, Request(parameters, text, "league", NOW, "test", part_hands=part_hands))
        for what in Export:
            for ending in formats:
                export(warehouse, run, what, folder / f"{what.value}{ending}", sees_hidden=sees_hidden)
    return folder


@pytest.fixture(scope="module")
def exports(tmp_path_factory):
    return write(tmp_path_factory.mktemp("exports") / "plain", LEAGUE.hands)


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_columns_that_others_rely_on_are_there(exports):
    assert set(read(exports / "changes.csv")[0]) >= CHANGES
    assert set(read(exports / "events.csv")[0]) >= EVENTS


@pytest.mark.parametrize("what", list(Export))
def test_text_holds_every_digit(exports, what):
    text = read(exports / f"{what.value}.csv")
    with duckdb.connect() as connection:
        relation = connection.read_parquet(str(exports / f"{what.value}.parquet"))
        doubles = [
            name for name, kind in zip(relation.columns, relation.types, strict=True) if kind == "DOUBLE"
        ]
        binary = relation.select(*doubles).fetchall()
    assert len(text) == len(binary) > 0
    assert doubles
    for row, numbers in zip(text, binary, strict=True):
        assert [float(row[name]) if row[name] else None for name in doubles] == list(numbers)


def test_after_is_before_plus_k_times_surprise_to_the_last_digit(exports):
    for row in read(exports / "changes.csv"):
        before, after = float(row["rating_before"]), float(row["rating_after"])
        assert float(row["surprise"]) == float(row["actual"]) - float(row["expected"])
        assert after == before + float(row["k_factor"]) * float(row["surprise"])
        assert float(row["change"]) == after - before


def test_shuffled_logs_give_the_same_bytes(exports, tmp_path):
    hands = list(LEAGUE.hands)
    random.Random(3).shuffle(hands)
    other = write(tmp_path / "shuffled", hands, (".csv",), part_hands=17)
    for what in Export:
        name = f"{what.value}.csv"
        assert (other / name).read_bytes() == (exports / name).read_bytes(), name


def rounded(row):
    """Return a row with the numbers that others are told as the pages show them."""
    row = dict(row)
    for name in (
        "rating",
        "form",
        "peak_rating",
        "rating_before",
        "rating_after",
        "form_before",
        "form_after",
        "side_rating",
    ):
        if row.get(name):
            row[name] = str(floor(float(row[name]) + 0.5))
    for name in ("form_progress", "progress", "expected", "actual", "surprise"):
        if row.get(name):
            row[name] = f"{round(float(row[name]), 2):.17g}"
    if "change" in row:
        row["change"] = str(int(row["rating_after"]) - int(row["rating_before"]))
    return row


def test_others_get_no_hidden_player_nor_a_hand_that_tells(exports, tmp_path):
    shows = {}
    for record in LEAGUE.players:
        shows[record["player"]] = record["show_skill"]
    hidden = {player for player, show in shows.items() if not show}
    assert hidden
    public = write(tmp_path / "public", LEAGUE.hands, (".csv",), sees_hidden=False)
    seated = {
        hand["hand_id"]: {seat["player"] for seat in hand["seats"] if "player" in seat}
        for hand in LEAGUE.hands
    }
    for name in ("changes", "events", "standings"):
        everybody, others = read(exports / f"{name}.csv"), read(public / f"{name}.csv")
        shown = [rounded(row) for row in everybody if row["player"] not in hidden]
        for row in shown if name == "changes" else []:
            if seated[row["hand_id"]] & hidden:
                row |= dict.fromkeys(("expected", "actual", "surprise"), "")
        assert others == shown
    everybody = {(row["hand_id"], row["side"]): rounded(row) for row in read(exports / "hands.csv")}
    for row in read(public / "hands.csv"):
        expected = everybody.pop((row["hand_id"], row["side"]))
        if seated[row["hand_id"]] & hidden:
            expected |= dict.fromkeys(("side_rating", "expected", "actual", "surprise"), "")
        assert row == expected
    assert everybody
    for hand_id, _ in everybody:
        assert {hand["mode"] for hand in LEAGUE.hands if hand["hand_id"] == hand_id} == {"solo"}
        assert seated[hand_id] & hidden


def test_hands_that_are_not_rated_say_why(exports):
    rows = read(exports / "hands.csv")
    assert len({row["hand_id"] for row in rows}) == len(LEAGUE.hands)
    people = {
        hand["hand_id"]: sum(seat["kind"] == "human" for seat in hand["seats"]) for hand in LEAGUE.hands
    }
    absent = {hand["hand_id"]: any(s["kind"] == "stand_in" for s in hand["seats"]) for hand in LEAGUE.hands}
    unrated = {row["hand_id"] for row in rows if row["unrated_because"] == "no other person played it"}
    assert unrated == {
        hand["hand_id"]
        for hand in LEAGUE.hands
        if hand["mode"] == "live"
        and people[hand["hand_id"]] < 2
        and not (absent[hand["hand_id"]] and people[hand["hand_id"]] == 1)
    }
    assert {row["hand_id"] for row in rows if row["rated"] == "false"} == unrated


@pytest.mark.parametrize("name", ["changes.xlsx", "changes", "no/folder/changes.csv"])
def test_a_file_that_cannot_be_written_is_refused(tmp_path, name):
    with open_warehouse(tmp_path / "coastal.duckdb", at=NOW) as warehouse:
        load(warehouse, LEAGUE.hands[:5])
        parameters, text = load_parameters()
        run = replay(warehouse, Request(parameters, text, "league", NOW, "test"))
        with pytest.raises(RatingError, match=r"an export ends in|cannot be written"):
            export(warehouse, run, Export.CHANGES, tmp_path / name, sees_hidden=True)
