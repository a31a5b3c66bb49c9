"""What a hand pays: the worked cases, and the tables of docs/rules.md row by row."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.end_position import score
from tests.support.positions import modern, partnership, position, side
from tests.support.table import Table

CASES = [
    json.loads(line) for line in (Path(__file__).parent / "cases" / "scoring.jsonl").read_text().splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_worked_case(case: dict[str, Any]) -> None:
    assert [ledger.points for ledger in score(case)] == case["expected_points"]


# Every row of the canasta table (M-canasta): the bonus alone, and the count of the cards beside it.
CANASTA_TABLE = [
    ("444444*", 300, 6 * 5 + 50),
    ("55555**", 300, 5 * 5 + 100),
    ("KKKKK2*", 300, 5 * 10 + 20 + 50),
    ("AAAAAA2", 300, 7 * 20),
    ("4444444", 500, 7 * 5),
    ("KKKKKKK", 500, 7 * 10),
    ("7777777", 2500, 7 * 5),
    ("AAAAAAA", 2500, 7 * 20),
    ("222222*", 2000, 6 * 20 + 50),
    ("22222**", 2000, 5 * 20 + 2 * 50),
    ("2222***", 2000, 4 * 20 + 3 * 50),
    ("222****", 2500, 3 * 20 + 4 * 50),
    ("2222222", 3000, 7 * 20),
]


@pytest.mark.parametrize(("meld", "bonus", "count"), CANASTA_TABLE, ids=[row[0] for row in CANASTA_TABLE])
def test_modern_canasta_bonus(meld: str, bonus: int, count: int) -> None:
    ledger = score(modern(side(meld)))[0]
    assert (ledger.canastas, ledger.melds, ledger.penalties) == (bonus, count, 0)


@pytest.mark.parametrize(
    ("red", "black", "laid"),
    [
        (1, 0, 100),
        (2, 0, 300),
        (3, 0, 500),
        (4, 0, 1000),
        (0, 1, 100),
        (2, 2, 600),
        (4, 3, 1500),
        (4, 4, 2000),
    ],
)
@pytest.mark.parametrize(
    ("melds", "sign"),
    [
        ("", -1),
        ("KKKKKK", -1),
        ("KKKKKKK", 0),
        ("2222222", 0),
        ("AAAAA22", 0),
        ("KKKKKKK 5555522", 1),
        ("7777777 2222222 KKKKKKK", 1),
    ],
)
def test_modern_threes_follow_the_canastas(red: int, black: int, laid: int, melds: str, sign: int) -> None:
    assert score(modern(side(melds, red_threes=red, black_threes=black)))[0].threes == sign * laid


@pytest.mark.parametrize(
    ("melds", "holdings", "penalty"),
    [
        ("777", "/", 2500),
        ("777777", "/", 2500),
        ("7777777", "/", 0),
        ("AAA", "/", 2500),
        ("AAAAAA", "/", 2500),
        ("AA2", "/", 0),
        ("AAAA2*", "/", 0),
        ("222", "/", 2000),
        ("222***", "/", 2000),
        ("222****", "/", 0),
        ("777 AAA 22*", "/", 7000),
        ("", "AA/77", 0),
        ("", "AAA/", 1500),
        ("", "/777", 1500),
        ("", "AAA/AAA", 3000),
        ("", "AAA/777", 3000),
        ("", "AAA777/", 3000),
        ("", "AAAA7777/", 3000),
        ("777", "AAA/AAA", 5500),
    ],
)
def test_modern_penalties_add_up(melds: str, holdings: str, penalty: int) -> None:
    assert score(modern(side(melds, holdings)))[0].penalties == -penalty
    if "7777777" not in melds:
        # One canasta, or two, change no penalty.
        assert score(modern(side(f"{melds} KKKKKKK 5555555", holdings)))[0].penalties == -penalty


def test_one_holding_pays_once_where_the_table_says_so() -> None:
    assert score(modern(side("", "AAA777/"), held_penalties_add=False))[0].penalties == -1500
    assert score(modern(side("", "AAA/777"), held_penalties_add=False))[0].penalties == -3000


def test_a_meld_that_the_other_side_closed_costs_its_penalty_unless_the_table_says_otherwise() -> None:
    def penalties(melds: str, theirs: str, **options: Any) -> int:
        return score(position("modern_american", side(melds), side(theirs), **options))[0].penalties

    assert penalties("AAA", "AAAAA22") == -2500
    assert penalties("AAA", "AAAAA22", dead_melds_unfinished=False) == 0
    assert penalties("AAA", "AAAA22", dead_melds_unfinished=False) == -2500
    assert penalties("222", "22222**", dead_melds_unfinished=False) == -2000


def test_a_second_wild_meld_is_unfinished_for_good() -> None:
    mine = side("22222** 22*")
    ledger = score(modern(mine, one_wild_meld=False))[0]
    # The closed one: 2,000 and five 2s, two jokers; the other: 2,000 against, its cards counted.
    assert (ledger.canastas, ledger.melds, ledger.penalties) == (2000, 200 + 90, -2000)


def test_each_of_a_sides_melds_of_a_rank_is_scored_by_itself() -> None:
    two = side("KKKK222 KKKK22*", "4/")
    ledger = score(position("classic_salon", two, side(), one_meld_a_rank=False))[0]
    assert (ledger.canastas, ledger.melds) == (300 + 300, 100 + 130)
    eight = side("KKKKK KK2 QQQQQQQ", "4/", red_threes=1)
    ledger = score(position("classic_salon", eight, side(), one_meld_a_rank=False))[0]
    # Eight cards of kings, and no canasta of them.
    assert ledger == (500, 100, 0, 50 + 40 + 70, -5, 0, 0)


def test_modern_melds_count_against_a_side_without_a_canasta() -> None:
    assert score(modern(side("QQQ 444")))[0].melds == -45
    assert score(modern(side("QQQ 4444444")))[0].melds == 65


def test_a_three_that_stayed_in_a_holding_costs_five() -> None:
    assert score(modern(side("", "3r/")))[0].holdings == -5
    assert score(modern(side("", "K3b/4")))[0].holdings == -20


def test_modern_going_out_pays_one_hundred() -> None:
    out = side("KKKKKKK 5555555", "/4", went_out=True)
    assert score(modern(out))[0].going_out == 100
    assert score(modern(out | {"concealed": True}))[0].going_out == 100


# The table of special hands (M-special).
SPECIAL_TABLE = [
    ("pairs", 2500),
    ("wild_pairs", 2000),
    ("miami_pairs", 2500),
    ("zip_code", 2500),
    ("garbage", 3000),
    ("blast_off", 3000),
    ("triples", 3500),
    ("quads", 3500),
    ("dream_4", 8500),
    ("dream_5", 8500),
]


@pytest.mark.parametrize(("name", "value"), SPECIAL_TABLE)
def test_a_special_hand_pays_its_value_alone(name: str, value: int) -> None:
    mine = side("KKKKKKK 777", "/AAA", red_threes=2, special=name)
    ledgers = score(position("modern_american", mine, side("QQQ", "4/5", red_threes=1)))
    assert ledgers[0] == (0, 0, 0, 0, 0, 0, value)
    assert ledgers[1].points == -100 - 30 - 10


def test_where_the_table_says_so_a_special_hand_pays_beside_what_its_side_has() -> None:
    mine = side("KKKKKKK 777", "/AAA", red_threes=2, special="garbage")
    theirs = side("QQQ", "4/5", red_threes=1)
    laid, other = score(position("modern_american", mine, theirs, special_alone=False))
    # One canasta, so the 3s count nothing; 7 kings and 3 sevens; three aces held; 7s unfinished, aces held.
    assert laid == (500, 0, 0, 70 + 15, -60, -2500 - 1500, 3000)
    assert other == score(position("modern_american", mine, theirs))[1]


def test_the_cards_of_a_special_hand_are_not_held() -> None:
    fields = {"phase": "ended", "ended_by": "special", "out_seat": 0, "special": "garbage"}
    table = Table("modern_american", "44445555AAA777", special_alone=False, partner="KQ", fields=fields)
    outcome = table.hand.outcome()
    assert outcome is not None
    assert outcome.ledgers[0] == (0, 0, 0, 0, -20, 0, 3000)


@pytest.mark.parametrize(
    ("meld", "bonus"),
    [
        ("KKKKKKK", 500),
        ("KKKKKKKK", 500),
        ("7777777", 500),
        ("AAAAAAA", 500),
        ("KKKKKKKK2", 300),
        ("KKKK2**", 300),
        ("77777777***", 300),
        ("KKKKKK", 0),
    ],
)
def test_classic_canasta_bonus(meld: str, bonus: int) -> None:
    assert score(partnership(side(meld)))[0].canastas == bonus


@pytest.mark.parametrize(("laid", "points"), [(0, 0), (1, 100), (2, 200), (3, 300), (4, 800)])
def test_classic_red_threes_turn_against_a_side_without_a_meld(laid: int, points: int) -> None:
    assert score(partnership(side("KKK", red_threes=laid)))[0].threes == points
    assert score(partnership(side("", red_threes=laid)))[0].threes == -points


def test_classic_black_threes_count_five_melded_and_against_a_holding() -> None:
    out = side("KKKKKKK 3b3b3b", "/", went_out=True)
    ledgers = score(position("classic_partnership", out, side("", "3b/")))
    assert (ledgers[0].melds, ledgers[0].canastas, ledgers[1].holdings) == (85, 500, -5)


@pytest.mark.parametrize(("concealed", "points"), [(False, 100), (True, 200)])
def test_classic_going_out_pays_double_when_concealed(concealed: bool, points: int) -> None:
    out = side("KKKKKKK 5555", "/Q", went_out=True, concealed=concealed)
    assert score(partnership(out))[0].going_out == points


def test_three_players_are_scored_each_alone() -> None:
    sides = (side("QQQQQQQ", "", went_out=True), side("KKK", "A"), side("", "*2", red_threes=1))
    ledgers = score(position("classic_salon", *sides, players=3))
    assert [ledger.points for ledger in ledgers] == [670, 10, -170]


def test_the_parts_of_a_ledger_are_its_points() -> None:
    mine = side("KKKKKKK 888888* 777", "A/A9", red_threes=3, black_threes=1)
    ledger = score(modern(mine))[0]
    assert ledger._asdict() == {
        "canastas": 800,
        "threes": 600,
        "going_out": 0,
        "melds": 70 + 110 + 15,
        "holdings": -50,
        "penalties": -2500,
        "special": 0,
    }
    assert ledger.points == 800 + 600 + 195 - 50 - 2500
