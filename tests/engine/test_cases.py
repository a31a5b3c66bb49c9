"""The worked cases of legality and flow, each under its id: positions, events, allowed or refused and why."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.actions import TakePile
from engine.hand import HandState
from engine.ruleset import RuleSet
from engine.scoring import DRAWN_GAME, PLAYS_ON, canastas, game_winner
from tests.support.table import Table

MODERN, SALON, PARTNERSHIP = "modern_american", "classic_salon", "classic_partnership"

# id, position, event, clause that refuses it or None
CASES: list[tuple[str, Table, str, str | None]] = [
    # The minimum by the score when the hand began: what just misses it, what just reaches it.
    *[
        (f"M12 at {score}: {points}", Table(MODERN, "AAAA666666****55555KKK2", score=score), event, clause)
        for score, points, event, clause in [
            (-500, 120, "0mAAA+66*", "M-open-minimum"),
            (-500, 125, "0mAAA+666*", None),
            (0, 120, "0mAAA+66*", "M-open-minimum"),
            (0, 125, "0mAAA+666*", None),
            (2995, 120, "0mAAA+66*", "M-open-minimum"),
            (2995, 125, "0mAAA+666*", None),
            (3000, 150, "0mAAAA+5555*", "M-open-minimum"),
            (3000, 155, "0mAAAA+55555*", None),
            (4995, 150, "0mAAAA+5555*", "M-open-minimum"),
            (4995, 155, "0mAAAA+55555*", None),
            (5000, 175, "0mAAAA+KKK*+555", "M-open-minimum"),
            (5000, 180, "0mAAAA+KKK*+5555", None),
        ]
    ],
    ("M13 at 0", Table(MODERN, "QQQKK**45"), "0mQQQ+KK**", None),
    ("M13 at 3,000", Table(MODERN, "QQQKK**45", score=3000), "0mQQQ+KK**", "M-open-minimum"),
    ("M15", Table(MODERN, "QQQKK**4", pile="5Q", drawn=False), "0tQ2:QQQ+KK**", None),
    ("M15b triple alone", Table(MODERN, "QQQKK**4", pile="5Q", drawn=False), "0tQ2:QQQ", "M-open-minimum"),
    (
        "M15b with a joker",
        Table(MODERN, "QQQKK**4", pile="5Q", drawn=False),
        "0tQ2:Q*+KK*",
        "M-pile-pair",
    ),
    (
        "M15b with a joker, opened",
        Table(MODERN, "Q*4", pile="5Q", drawn=False, melds="KKK"),
        "0tQ2:Q*",
        "M-pile-pair",
    ),
    ("M20 onto three", Table(MODERN, "224", melds="QQQ"), "0mQ:2", "M-meld-five-naturals"),
    ("M20 onto five", Table(MODERN, "224", melds="QQQQQ"), "0mQ:2", None),
    ("M20 a second", Table(MODERN, "244", melds="QQQQQ2"), "0mQ:2", None),
    ("M21 onto 7s", Table(MODERN, "244", melds="77777"), "0m7:2", "M-meld-sevens"),
    ("M21 onto aces", Table(MODERN, "244", melds="AAAAA"), "0mA:2", "M-meld-aces"),
    ("M21 in an opening", Table(MODERN, "772AAAKKK4"), "0m772+AAA+KKK", "M-meld-sevens"),
    ("M24 five", Table(MODERN, "JJ4", pile="J", drawn=False, melds="JJJJJ"), "0tJ1:JJ", "M-pile-five"),
    ("M24 four", Table(MODERN, "JJ44", pile="J", drawn=False, melds="JJJJ"), "0tJ1:JJ", None),
    ("M24 three", Table(MODERN, "JJ44", pile="J", drawn=False, melds="JJJ"), "0tJ1:JJ", None),
    ("M26 ace", Table(MODERN, "A742"), "0xA", "M-discard-swad"),
    ("M26 seven", Table(MODERN, "A742"), "0x7", "M-discard-swad"),
    ("M26 wild", Table(MODERN, "A742"), "0x2", "M-discard-wild"),
    ("M26 four", Table(MODERN, "A742"), "0x4", None),
    ("M32 drawn", Table(MODERN, "44445555666AAA"), "0sgarbage", None),
    ("M32 after the pile", Table(MODERN, "44445555666AAA", drawn="pile"), "0sgarbage", "M-special-when"),
    ("M34 once, 130", Table(MODERN, "AAA66666*48", failed=1), "0mAAA+6666*", "M-open-minimum"),
    ("M34 once, 135", Table(MODERN, "AAA66666*48", failed=1), "0mAAA+66666*", None),
    ("M34 twice, 140", Table(MODERN, "AAAA6666*48", failed=2), "0mAAAA+66*", "M-open-minimum"),
    ("M34 twice, 145", Table(MODERN, "AAAA6666*48", failed=2), "0mAAAA+666*", None),
    # 15, 50, 90 and 120 by the score; what just misses it, what just reaches it.
    *[
        (f"C7 at {score}: {event}", Table(PARTNERSHIP, "44445555KKKKKAAA*48", score=score), event, clause)
        for score, event, clause in [
            (-5, "0m444", None),
            (0, "0mKKKK", "S-open-minimum"),
            (0, "0mKKK+555", "S-open-minimum"),
            (0, "0mKKKKK", None),
            (1495, "0mKKK+555", "S-open-minimum"),
            (1495, "0mKKKKK", None),
            (1500, "0mAAA+5555", "S-open-minimum"),
            (1500, "0mAAA+KKK", None),
            (2995, "0mAAA+5555", "S-open-minimum"),
            (2995, "0mAAA+KKK", None),
            (3000, "0mAAA+KKK+5555", "S-open-minimum"),
            (3000, "0mAAA+555*", None),
        ]
    ],
    ("C9 45", Table(PARTNERSHIP, "KKK55567"), "0mKKK+555", "S-open-minimum"),
    ("C9 90", Table(PARTNERSHIP, "KKKAAA67"), "0mKKK+AAA", None),
    (
        "C9 30 and red 3s",
        Table(PARTNERSHIP, "KKK67", fields={"red_threes": [2, 0]}),
        "0mKKK",
        "S-open-minimum",
    ),
    ("C10 at 0", Table(PARTNERSHIP, "KKQQ26", pile="KQ9K", drawn=False), "0tK4:KK+QQ2", None),
    (
        "C10 at 1,600",
        Table(PARTNERSHIP, "KKQQ26", pile="KQ9K", drawn=False, score=1600),
        "0tK4:KK+QQ2",
        "S-open-minimum",
    ),
    ("C12 KK2", Table(PARTNERSHIP, "KK246", melds="444"), "0mKK2", None),
    ("C12 Q2*", Table(PARTNERSHIP, "Q2*46", melds="444"), "0mQ2*", "S-meld-naturals"),
    ("C12 AA22*", Table(PARTNERSHIP, "AA22*46", melds="444"), "0mAA22*", None),
    ("C12 AA22**", Table(PARTNERSHIP, "AA22**46", melds="444"), "0mAA22**", "S-meld-wilds"),
    ("C12 QQJ", Table(PARTNERSHIP, "QQJ46", melds="444"), "0mQQJ", "A-one-rank"),
    (
        "C14 Q*",
        Table(PARTNERSHIP, "QQ*46", melds="QQQ", pile="2Q", drawn=False),
        "0tQ2:Q*",
        "P-pile-frozen",
    ),
    (
        "C14 QQ",
        Table(PARTNERSHIP, "QQ*46", melds="QQQ", pile="2Q", drawn=False),
        "0tQ2:QQ",
        None,
    ),
    ("C19", Table(SALON, "4", melds="QQQQQQQ 444", players=2), "0x4", "S-out-canastas"),
    ("C19 by melding", Table(SALON, "4", melds="QQQQQQQ 444", players=2), "0m4", "S-out-canastas"),
    ("C19 two", Table(SALON, "4", melds="QQQQQQQ 4444444", players=2), "0x4", None),
    ("C21", Table(PARTNERSHIP, "3b3b3b5678", melds="QQQQQQQ"), "0m3b3b3b", "S-threes-black-out"),
]


@pytest.mark.parametrize(("table", "event", "clause"), [row[1:] for row in CASES], ids=[r[0] for r in CASES])
def test_case(table: Table, event: str, clause: str | None) -> None:
    assert table.refusal(event) == clause


def test_case_M15() -> None:
    table = Table(MODERN, "QQQKK**4", pile="5Q", drawn=False).play("0tQ2:QQQ+KK**")
    assert (table.meld("Q"), table.meld("K")) == ("QQQQ", "KK**")
    assert (table.holding(), table.fact("bonus"), table.fact("pile")) == ("45", 0, "")


def test_case_M20_closes_at_seven_mixed() -> None:
    table = Table(MODERN, "2244", melds="QQQQQ").play("0mQ:2", "0mQ:2")
    assert table.meld("Q") == "QQQQQ22"
    assert canastas(table.hand.rules.numbers, table.hand.state)[0] == (0, 1, 0, 0, 0)
    assert table.refusal("0mQ:2") is not None


@pytest.mark.parametrize(("melds", "size"), [("JJJJ", 7), ("JJJ", 6)])
def test_case_M24_grows_by_three(melds: str, size: int) -> None:
    table = Table(MODERN, "JJ44", pile="J", drawn=False, melds=melds).play("0tJ1:JJ")
    assert table.meld("J") == "J" * size


@pytest.mark.parametrize(
    ("stock", "theirs", "cards"),
    [(9, "", 4), (9, "KKK", 3), (40, "", 4), (8, "", 0), (8, "KKK", 0)],
)
def test_case_M30_bonus_cards(stock: int, theirs: str, cards: int) -> None:
    table = Table(MODERN, "AAAQQQ666*45", stock=stock, theirs=theirs).play("0mAAA+666*", "0x4")
    if cards:
        assert table.refusal("0b" + "8" * cards) is None
        assert table.refusal("1d8") is not None
        table.play("0b" + "8" * cards)
        assert table.holding().count("8") == cards
    else:
        assert table.refusal("0b8888") is not None
    assert table.refusal("1d8") is None


def test_case_M30_none_by_the_pile() -> None:
    table = Table(MODERN, "QQQKK**4", pile="5Q", drawn=False).play("0tQ2:QQQ+KK**", "0x4")
    assert table.refusal("0b8888") is not None
    assert table.refusal("1d8") is None


def test_case_M32_ends_the_hand() -> None:
    table = Table(MODERN, "44445555666AAA").play("0sgarbage")
    outcome = table.hand.outcome()
    assert outcome is not None
    assert (outcome.ended_by, outcome.special, outcome.seat, outcome.points[0]) == (
        "special",
        "garbage",
        0,
        3000,
    )
    assert table.refusal("1d4") == "A-ended"


def test_case_M34_each_failed_opening_adds_ten() -> None:
    table = Table(MODERN, "AAAA6666*48").play("0rAAA+66*", "0x4")
    table.play("1d8", "1x8", "2d8", "2x8", "3d8", "3x8", "0d9")
    assert table.refusal("0mAAA+666*") == "M-open-minimum"
    assert table.refusal("0mAAAA+66*") is None


def test_case_C10_takes_the_pile() -> None:
    table = Table(PARTNERSHIP, "KKQQ26", pile="KQ9K", drawn=False).play("0tK4:KK+QQ2")
    assert (table.meld("K"), table.meld("Q"), table.holding()) == ("KKK", "QQ2", "69QK")


def test_case_C30_a_red_three_in_the_pile_is_laid_and_not_replaced() -> None:
    for ruleset, event, stock in ((PARTNERSHIP, "033r", 30), (SALON, "033r>8", 29)):
        table = Table(ruleset, "KK56", pile="3rK", fields={"upcards": 2}, drawn=False, melds="444")
        table.play("0tK2:KK")
        assert table.refusal("0x5") == "A-threes-first"
        table.play(event)
        assert (table.fact("red_threes"), len(table.fact("stock"))) == ([1, 0], stock)


TAKES_REDS = {
    "a card is held after the discard": ("KK4", "3rK", {}, None),
    "the stock is empty": ("KK4", "3rK", {"stock": 0}, "S-out-canastas"),
    "no replacement at this table": ("KK4", "3rK", {"red_three_from_pile_replaced": False}, "S-out-canastas"),
    "the only card would be the last": ("KK", "3rK", {}, "S-out-canastas"),
    "and may be": ("KK", "3rK", {"melds": "QQQQQQQ"}, None),
    "two come": ("KK", "3r3rK", {}, None),
    "one of two comes": ("KK", "3r3rK", {"stock": 1}, "S-out-canastas"),
}


@pytest.mark.parametrize(
    ("holding", "pile", "position", "clause"), TAKES_REDS.values(), ids=TAKES_REDS.keys()
)
def test_what_replaces_red_threes_of_a_pile_counts_as_held(
    holding: str, pile: str, position: dict[str, Any], clause: str | None
) -> None:
    upcards = {"upcards": len(pile) - pile.count("3r")}
    table = Table(SALON, holding, pile=pile, fields=upcards, drawn=False, **{"melds": "QQQ", **position})
    assert table.refusal(f"0tK{upcards['upcards']}:KK") == clause
    takes = [action for action in table.hand.legal_actions() if isinstance(action, TakePile)]
    assert bool(takes) == (clause is None)


def test_an_opening_by_a_pile_with_a_red_three_may_lay_all_cards_but_one() -> None:
    table = Table(SALON, "KK4444AAAA9", pile="3rK", fields={"upcards": 2}, drawn=False)
    table.play("0tK2:KK+4444+AAAA", "033r>Q", "0xQ")
    assert table.holding() == "9"


@pytest.mark.parametrize("freezes", [False, True])
def test_a_covered_upcard_freezes_the_pile_unless_the_table_plays_otherwise(freezes: bool) -> None:
    rules = RuleSet.load(SALON, covered_upcard_freezes=freezes)
    starts = [HandState.deal(rules, seed=seed).position() for seed in range(40)]
    assert max(start["upcards"] for start in starts) > 1
    assert all(start["frozen"] == (freezes and start["upcards"] > 1) for start in starts)


@pytest.mark.parametrize("ends", [False, True])
@pytest.mark.parametrize("ruleset", [SALON, PARTNERSHIP])
def test_a_red_three_that_the_stock_cannot_replace_ends_the_hand_where_the_table_says_so(
    ruleset: str, ends: bool
) -> None:
    def after(*events: str, **position: Any) -> str:
        table = Table(ruleset, "KK56", melds="444", drawn=False, last_red_three_ends=ends, **position)
        return str(table.play(*events).fact("phase"))

    assert after("0d3r", "033r", stock=1) == ("ended" if ends else "play")
    assert after("0d3r", "033r>8", stock=2) == "play"
    assert after("0dQ", stock=1) == "play"
    last = 0 if ruleset == SALON else 1  # without a stock nobody takes the pile in partnership canasta
    assert after("0tK2:KK", "033r", pile="3rK", fields={"upcards": 2}, stock=last) == "play"


def test_both_red_threes_are_laid_before_the_hand_ends() -> None:
    table = Table(SALON, "KK56", players=2, drawn=False, last_red_three_ends=True, stock=2)
    assert table.play("0d3r3r", "033r").refusal("0x5") == "A-threes-first"
    assert table.play("033r").fact("phase") == "ended"
    assert table.fact("red_threes") == [2, 0]


@pytest.mark.parametrize(
    ("scores", "hand_no", "winner"),
    [
        ((5050, 5050), 10, PLAYS_ON),
        ((5050, 5050), 40, DRAWN_GAME),
        ((5050, 5045), 10, 0),
        ((4995, 4990), 39, PLAYS_ON),
        ((4995, 4990), 40, 0),
        ((-50, 20), 40, 1),
        ((-50, -50), 40, DRAWN_GAME),
    ],
)
def test_case_C31(scores: tuple[int, int], hand_no: int, winner: int) -> None:
    rules = RuleSet.load(PARTNERSHIP).numbers
    assert game_winner(rules, np.array([*scores, 0, 0], np.int64), hand_no, -1) == winner


@pytest.mark.parametrize(
    ("ruleset", "players", "options", "scores", "dream", "winner"),
    [
        (MODERN, 4, {}, (8495, 0), -1, PLAYS_ON),
        (MODERN, 4, {}, (8500, 0), -1, 0),
        (MODERN, 4, {}, (8600, 9000), -1, 1),
        (MODERN, 4, {}, (9000, 9000), -1, PLAYS_ON),
        (MODERN, 4, {"level_plays_on": False}, (9000, 9000), -1, DRAWN_GAME),
        (MODERN, 4, {"level_plays_on": False}, (9000, 8995), -1, 0),
        (MODERN, 4, {"level_plays_on": False}, (8000, 8000), -1, PLAYS_ON),
        (MODERN, 4, {"level_plays_on": False}, (9000, 9000), 1, 1),
        (MODERN, 4, {}, (9000, 8000), 1, 1),
        (SALON, 4, {}, (5000, 4995), -1, 0),
        (SALON, 4, {"short_game": True}, (1495, 0), -1, PLAYS_ON),
        (SALON, 4, {"short_game": True}, (0, 1500), -1, 1),
        (SALON, 3, {}, (5100, 5200, 5200), -1, PLAYS_ON),
        (SALON, 3, {"level_plays_on": False}, (5100, 5200, 5200), -1, DRAWN_GAME),
        (SALON, 3, {"level_plays_on": False}, (5100, 5100, 5200), -1, 2),
        (SALON, 3, {}, (5100, 5300, 5200), -1, 1),
        (SALON, 3, {}, (5100, 5100, 5200), -1, 2),
    ],
)
def test_who_has_won_the_game(
    ruleset: str, players: int, options: dict[str, bool], scores: tuple[int, ...], dream: int, winner: int
) -> None:
    rules = RuleSet.for_table(ruleset, players, options).numbers
    after = np.array([*scores, 0, 0][:4], np.int64)
    assert game_winner(rules, after, 3, dream) == winner
