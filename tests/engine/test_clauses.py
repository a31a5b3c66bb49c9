"""Every clause has a neighbour on each side of its edge: what it refuses, and the like that it allows."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engine.actions import Decline, Group, Meld, TakePile
from engine.clauses import Clause
from engine.errors import NotationError
from tests.support.table import Table

MODERN, SALON, PARTNERSHIP = "modern_american", "classic_salon", "classic_partnership"


def modern(holding: str, **position: Any) -> Table:
    return Table(MODERN, holding, **position)


def salon(holding: str, **position: Any) -> Table:
    return Table(SALON, holding, **position)


def partnership(holding: str, **position: Any) -> Table:
    return Table(PARTNERSHIP, holding, **position)


#: Two canastas and what is left to go out with: a pair of queens onto their meld, and a discard.
READY = {"melds": "KKKKKKK 5555555 QQQ"}
OUT = "KKKKKKK 5555555"
#: The two lowest cards of the pile were turned to start it.
TURNED = {"upcards": 2}

#: Tables that play with more melds of a rank, and with another wild meld.
SEVERAL, WILDS = {"one_meld_a_rank": False}, {"one_wild_meld": False}

# A row a clause, more where it has more than one edge: the position and event that it refuses, then the like
# that is allowed.
Try = tuple[Table, str]
EDGES: list[tuple[Clause, Try, Try]] = [
    # All rule sets.
    (Clause.ENDED, (modern("4", melds=OUT).play("0x4"), "1d5"), (modern("44", melds=OUT).play("0x4"), "1d5")),
    (Clause.TURN, (modern("45", drawn=False), "1d5"), (modern("45", drawn=False), "0d5")),
    (Clause.DRAW_FIRST, (modern("45", drawn=False), "0x4"), (modern("45"), "0x4")),
    (Clause.DRAWN, (modern("45"), "0d5"), (modern("45", drawn=False), "0d5")),
    (
        Clause.DRAWN,
        (modern("QQ45", melds="QQQ", pile="Q"), "0tQ1:QQ"),
        (modern("QQ45", melds="QQQ", pile="Q", drawn=False), "0tQ1:QQ"),
    ),
    (Clause.THREES_FIRST, (modern("3r45"), "0x4"), (modern("3r45").play("033r>6"), "0x4")),
    (Clause.THREES_FIRST, (modern("3b45"), "0x4"), (salon("3b45"), "0x4")),
    (Clause.THREE_HELD, (modern("3r45"), "033b>6"), (modern("3r45"), "033r>6")),
    (Clause.THREE_HELD, (salon("3b45"), "033b>6"), (modern("3b45"), "033b>6")),
    (Clause.THREE_HELD, (salon("45"), "033r>6"), (salon("3r45"), "033r>6")),
    (Clause.CARDS_HELD, (modern("45"), "0x6"), (modern("45"), "0x5")),
    (Clause.CARDS_HELD, (modern("KK456", melds="QQQ"), "0mKKK"), (modern("KKK456", melds="QQQ"), "0mKKK")),
    (
        Clause.CARDS_HELD,
        (modern("K2456", melds="KKKKK"), "0mK:22"),
        (modern("K22456", melds="KKKKK"), "0mK:22"),
    ),
    (Clause.CARDS_HELD, (modern("KKK4"), "0rKKKK"), (modern("KKKK4"), "0rKKKK")),
    (
        Clause.STOCK_EMPTY,
        (modern("QQ45", melds="QQQ", pile="Q", drawn=False, stock=0), "0d4"),
        (modern("QQ45", melds="QQQ", pile="Q", drawn=False, stock=1), "0d4"),
    ),
    (
        Clause.ONE_GROUP,
        (modern("KKKJJJ45", melds="QQQ"), "0mKKK+JJJ"),
        (modern("KKKJJJ45", melds="QQQ"), "0mKKK"),
    ),
    (
        Clause.ONE_GROUP,
        (modern("QQJJJ45", melds="QQQ", pile="Q", drawn=False), "0tQ1:QQ+JJJ"),
        (modern("QQJJJ45", melds="QQQ", pile="Q", drawn=False), "0tQ1:QQ"),
    ),
    (
        Clause.PILE_EMPTY,
        (modern("QQ45", melds="QQQ", drawn=False), "0tQ1:QQ"),
        (modern("QQ45", melds="QQQ", pile="Q", drawn=False), "0tQ1:QQ"),
    ),
    (
        Clause.PILE_SEEN,
        (modern("QQ45", melds="QQQ", pile="4Q", drawn=False), "0tQ1:QQ"),
        (modern("QQ45", melds="QQQ", pile="4Q", drawn=False), "0tQ2:QQ"),
    ),
    (
        Clause.PILE_SEEN,
        (modern("QQ45", melds="QQQ", pile="4Q", drawn=False), "0tK2:"),
        (modern("QQ45", melds="QQQ", pile="4Q", drawn=False), "0tQ2:"),
    ),
    (
        Clause.PILE_GROUP_FIRST,
        (salon("KKQQQQ56", pile="4K", drawn=False), "0tK2:QQQQ+KK"),
        (salon("KKQQQQ56", pile="4K", drawn=False), "0tK2:KK+QQQQ"),
    ),
    (
        Clause.PILE_GROUP_FIRST,
        (salon("K45", melds="KKK KKK QQQ QQQ", pile="4K", drawn=False, **SEVERAL), "0tK2:Q#2:"),
        (salon("K45", melds="KKK KKK QQQ QQQ", pile="4K", drawn=False, **SEVERAL), "0tK2:K#2:"),
    ),
    (
        Clause.MELD_NUMBER,
        (salon("KKK45", melds="QQQ", **SEVERAL), "0mK#2:KKK"),
        (salon("KKK45", melds="KKK", **SEVERAL), "0mK#2:KKK"),
    ),
    (
        Clause.MELD_NUMBER,
        (salon("KK245", melds="KKK", **SEVERAL), "0mK#3:KK2"),
        (salon("KK245", melds="KKK KK2", **SEVERAL), "0mK#3:KK2"),
    ),
    (
        Clause.MELD_NUMBER,
        (salon("KK45", melds="KKK", pile="4K", drawn=False, **SEVERAL), "0tK2:K#3:KK"),
        (salon("KK45", melds="KKK", pile="4K", drawn=False, **SEVERAL), "0tK2:K#2:KK"),
    ),
    (
        Clause.MELD_NUMBER,
        (salon("KKKKK4456", **SEVERAL), "0mK#2:KKKKK"),
        (salon("KKKKK4456", **SEVERAL), "0mKKKKK"),
    ),
    (
        Clause.MELD_NUMBER,
        (modern("222456", melds="QQQ", **WILDS), "0mW#2:222"),
        (modern("222456", melds="QQQ 22222**", **WILDS), "0mW#2:222"),
    ),
    (Clause.MELD_NUMBER, (modern("KKK4"), "0rK#2:KKK"), (modern("KKK4"), "0rKKK")),
    (
        Clause.ONE_RANK,
        (salon("KKKQQ45", melds="KKK", **SEVERAL), "0mK#2:QQK"),
        (salon("KKKQQ45", melds="KKK", **SEVERAL), "0mK#2:KKK"),
    ),
    (
        Clause.ONE_RANK,
        (salon("KKKKKKKK45", **SEVERAL), "0mKKKK+K#2:KKKK"),
        (salon("KKKKKKKK45", **SEVERAL).play("0mKKKKK"), "0mK#2:KKK"),
    ),
    (
        Clause.STOCK_EMPTY,
        (partnership("KK45", melds="QQQ", pile="4K", drawn=False, stock=0), "0tK2:KK"),
        (partnership("KK45", melds="QQQ", pile="4K", drawn=False, stock=1), "0tK2:KK"),
    ),
    (
        Clause.STOCK_EMPTY,
        (
            modern("KK45", melds="QQQ", pile="4K", drawn=False, stock=0, pile_after_stock=False),
            "0tK2:KK",
        ),
        (modern("KK45", melds="QQQ", pile="4K", drawn=False, stock=0), "0tK2:KK"),
    ),
    (
        Clause.ANSWER_FIRST,
        (modern("Q4", **READY).play("0q"), "2d4"),
        (modern("Q4", **READY).play("0q"), "2n"),
    ),
    (Clause.NO_QUESTION, (modern("Q4", **READY), "0y"), (modern("Q4", **READY).play("0q"), "2y")),
    (
        Clause.BONUS_FIRST,
        (modern("AAAQQQ666*45").play("0mAAA+666*", "0x4"), "0d8"),
        (modern("AAAQQQ666*45").play("0mAAA+666*", "0x4"), "0b8888"),
    ),
    (
        Clause.NO_BONUS,
        (modern("AAAQQQ666*45", stock=8).play("0mAAA+666*"), "0b8888"),
        (modern("AAAQQQ666*45", stock=9).play("0mAAA+666*", "0x4"), "0b8888"),
    ),
    (
        Clause.CLOCK_RAN_OUT,
        (modern("QQ45", melds="KKK QQQ").play("0k"), "0mQ"),
        (modern("QQ45", melds="KKK QQQ").play("0k"), "0x4"),
    ),
    (
        Clause.CLOCK_RAN_OUT,
        (modern("QQ45", melds="QQQ", pile="Q", drawn=False).play("0k"), "0tQ1:QQ"),
        (modern("QQ45", melds="QQQ", pile="Q", drawn=False).play("0k"), "0d4"),
    ),
    (Clause.CLOCK_RAN_OUT, (modern("QQ45").play("0k"), "0k"), (modern("QQ45"), "0k")),
    (Clause.NOT_IN_RULES, (salon("KKK4"), "0rKKK"), (modern("KKK4"), "0rKKK")),
    (Clause.NOT_IN_RULES, (partnership("Q4", **READY), "0q"), (modern("Q4", **READY), "0q")),
    (Clause.NOT_IN_RULES, (salon("KKK4"), "0k"), (modern("KKK4"), "0k")),
    (Clause.NOT_IN_RULES, (salon("44445555666AAA"), "0sgarbage"), (modern("44445555666AAA"), "0sgarbage")),
    (Clause.ONE_RANK, (modern("KKKQ45", melds="JJJ"), "0mKKKQ"), (modern("KKKQ45", melds="JJJ"), "0mKKK")),
    (Clause.ONE_RANK, (modern("AAAAAA4455"), "0mAAA+AAA"), (modern("AAAAAAA4455"), "0mAAAAAAA")),
    (
        Clause.OUT_EMPTY,
        (modern("44", melds=OUT).play("0x4"), "0o"),
        (modern("4", melds=OUT).play("0x4"), "0o"),
    ),
    (
        Clause.OUT_EMPTY,
        (modern("4", melds=OUT).play("0x4"), "1o"),
        (modern("4", melds=OUT).play("0x4"), "0o"),
    ),
    (Clause.CARDS_DRAWN, (modern("45", drawn=False), "0d67"), (modern("45", drawn=False), "0d6")),
    (
        Clause.CARDS_DRAWN,
        (modern("45", drawn=False, fields={"stock": "678"}), "0d7"),
        (modern("45", drawn=False, fields={"stock": "678"}), "0d6"),
    ),
    # modern_american: melds.
    (Clause.M_MELD_SIZE, (modern("KK45", melds="QQQ"), "0mKK"), (modern("KKK45", melds="QQQ"), "0mKKK")),
    (Clause.M_MELD_SIZE, (modern("KKK45", melds="KKKKK"), "0mKKK"), (modern("KK45", melds="KKKKK"), "0mKK")),
    (Clause.M_MELD_SIZE, (modern("2245", melds="QQQ"), "0mW:22"), (modern("22*45", melds="QQQ"), "0mW:22*")),
    (
        Clause.M_MELD_NATURALS,
        (modern("K22AAAQQQ45"), "0mK22+AAA+QQQ"),
        (modern("KK2AAAQQQ45"), "0mKK2+AAA+QQQ"),
    ),
    (Clause.M_MELD_WILDS, (modern("KK22*AAAA45"), "0mKK22*+AAAA"), (modern("KK22AAAA45"), "0mKK22+AAAA")),
    (Clause.M_MELD_WILDS, (modern("245", melds="KKKK22"), "0mK:2"), (modern("245", melds="KKKKK2"), "0mK:2")),
    (Clause.M_MELD_FIVE, (modern("245", melds="KKKK"), "0mK:2"), (modern("245", melds="KKKKK"), "0mK:2")),
    (
        Clause.M_MELD_FIVE,
        (modern("KK245", melds="QQQ"), "0mKK2"),
        (modern("KK245", melds="QQQ", five_natural_rule=False), "0mKK2"),
    ),
    (Clause.M_MELD_FIVE, (modern("245", melds="AAA2"), "0mA:2"), (modern("245", melds="AAAAA2"), "0mA:2")),
    (
        Clause.M_MELD_SEVENS,
        (modern("772AAAQQQ45"), "0m772+AAA+QQQ"),
        (modern("777AAAQQQ2245"), "0m777+AAA+QQQ22"),
    ),
    (Clause.M_MELD_ACES, (modern("245", melds="AAAAA"), "0mA:2"), (modern("245", melds="AAAAA2"), "0mA:2")),
    (
        Clause.M_MELD_ACES,
        (modern("245", melds="AAAAA2", mixed_aces_take_wilds=False), "0mA:2"),
        (modern("245", melds="AAAAA2"), "0mA:2"),
    ),
    (
        Clause.M_MELD_ACES,
        (modern("A245", melds="AAAAA2", mixed_aces_take_wilds=False), "0mA:2"),
        (modern("A245", melds="AAAAA2", mixed_aces_take_wilds=False), "0mA"),
    ),
    (
        Clause.M_MELD_ACES,
        (modern("245", melds="AAAAA", five_natural_rule=False), "0mA:2"),
        (modern("245", melds="AAA2", five_natural_rule=False), "0mA:2"),
    ),
    (
        Clause.M_WILD_UNFINISHED,
        (modern("245", melds="KKKKK 222"), "0mK:2"),
        (modern("*45", melds="KKKKK 2222222"), "0mK:*"),
    ),
    (
        Clause.M_WILD_SECOND,
        (modern("***45", melds="2222222 QQQ"), "0mW:***"),
        (modern("***45", melds="2222 QQQ"), "0mW:***"),
    ),
    (
        Clause.M_DEAD,
        (modern("AAA45", melds="QQQ", theirs="AAAAA22"), "0mAAA"),
        (modern("AAA45", melds="QQQ", theirs="AAAA22"), "0mAAA"),
    ),
    (
        Clause.M_THREE_MELD,
        (modern("KKK45", melds="QQQ"), "0m3r3r3r"),
        (modern("KKK45", melds="QQQ"), "0mKKK"),
    ),
    # modern_american: openings and the pile.
    (Clause.M_OPEN_MINIMUM, (modern("AAA66*45"), "0mAAA+66*"), (modern("AAA666*45"), "0mAAA+666*")),
    (Clause.M_OPEN_MINIMUM, (modern("QQQQQQ45"), "0mQQQQQQ"), (modern("QQQQQQQ45"), "0mQQQQQQQ")),
    (
        Clause.M_OPEN_MINIMUM,
        (modern("QQQQQQQ45", canasta_opens=False), "0mQQQQQQQ"),
        (modern("QQQQQQQ45"), "0mQQQQQQQ"),
    ),
    (Clause.M_OPEN_MINIMUM, (modern("**245"), "0mW:**2"), (modern("**2245"), "0mW:**22")),
    (Clause.M_OPEN_TRIPLE, (modern("KKK**AA*45"), "0mKKK**+AA*"), (modern("KKKAA**45"), "0mKKK+AA**")),
    (
        Clause.M_OPEN_TRIPLE,
        (modern("**2245", wild_meld_opens=False), "0mW:**22"),
        (modern("**2245"), "0mW:**22"),
    ),
    (
        Clause.M_OPEN_TRIPLE,
        (modern("QQ***AA22KK4", pile="Q", drawn=False), "0tQ1:QQ**+AA22"),
        (modern("QQQ***AA22KK4", pile="Q", drawn=False), "0tQ1:QQQ+AA22+KK**"),
    ),
    (
        Clause.M_PILE_OPENING,
        (modern("QQQQQAAA66*4", pile="Q", drawn=False), "0tQ1:QQQQQ+AAA+66*"),
        (modern("QQQQQAAA66*4", pile="Q", drawn=False), "0tQ1:QQQQ+AAA+66*"),
    ),
    (
        Clause.M_PILE_WILD,
        (modern("2245", melds="QQQ", pile="2", drawn=False), "0t21:W:22"),
        (modern("QQ45", melds="KKK", pile="Q", drawn=False), "0tQ1:QQ"),
    ),
    (
        Clause.M_PILE_DEAD,
        (modern("QQ45", melds="KKK", theirs="QQQQQ22", pile="Q", drawn=False), "0tQ1:QQ"),
        (modern("QQ45", melds="KKK", theirs="QQQQ22", pile="Q", drawn=False), "0tQ1:QQ"),
    ),
    (
        Clause.M_PILE_FIVE,
        (modern("QQ45", melds="QQQQQ", pile="Q", drawn=False), "0tQ1:"),
        (modern("QQ45", melds="QQQQ", pile="Q", drawn=False), "0tQ1:"),
    ),
    (
        Clause.M_PILE_PAIR,
        (modern("Q245", melds="KKK", pile="Q", drawn=False), "0tQ1:Q2"),
        (modern("QQ45", melds="KKK", pile="Q", drawn=False), "0tQ1:QQ"),
    ),
    (
        Clause.M_PILE_PAIR,
        (modern("Q245", melds="KKK", pile="Q", drawn=False), "0tQ1:"),
        (modern("Q245", melds="QQQ", pile="Q", drawn=False), "0tQ1:"),
    ),
    (
        Clause.M_PILE_NEEDS_PAIR,
        (modern("QQ45", melds="QQQ", pile="Q", drawn=False, pile_needs_pair=True), "0tQ1:"),
        (modern("QQ45", melds="QQQ", pile="Q", drawn=False, pile_needs_pair=True), "0tQ1:QQ"),
    ),
    # modern_american: discards.
    (Clause.M_DISCARD_WILD, (modern("24"), "0x2"), (modern("2*"), "0x2")),
    (Clause.M_DISCARD_WILD, (modern("27A"), "0x2"), (modern("27A"), "0x7")),
    (Clause.M_DISCARD_WILD, (modern("27A"), "0x2"), (modern("27A", swad_wild_last=False), "0x2")),
    (
        Clause.M_DISCARD_WILD,
        (modern("27A4", swad_wild_last=False), "0x2"),
        (modern("27AK", theirs="KKKKK22", swad_wild_last=False), "0x2"),
    ),
    (
        Clause.M_DISCARD_WILD,
        (modern("27A", pile="5", swad_wild_last=False), "0x2"),
        (modern("27A", pile="5", swad_wild_last=False), "0x7"),
    ),
    (Clause.M_DISCARD_SWAD, (modern("A4"), "0xA"), (modern("A4", pile="5"), "0xA")),
    (Clause.M_DISCARD_SWAD, (modern("74"), "0x7"), (modern("7A"), "0x7")),
    (Clause.M_DISCARD_SWAD, (modern("K4", theirs="KKKKK22"), "0xK"), (modern("K4", theirs="KKKK22"), "0xK")),
    # modern_american: going out.
    (Clause.M_OUT_CANASTAS, (modern("4", melds="KKKKKKK QQQ"), "0x4"), (modern("4", melds=OUT), "0x4")),
    (
        Clause.M_OUT_CANASTAS,
        (modern("QQ4", melds="KKKKKKK QQQQ"), "0mQQ"),
        (modern("QQQ4", melds="KKKKKKK QQQQ"), "0mQQQ"),
    ),
    (
        Clause.M_OUT_UNFINISHED,
        (modern("4", melds=f"{OUT} 777"), "0x4"),
        (modern("4", melds=f"{OUT} 888"), "0x4"),
    ),
    (
        Clause.M_OUT_UNFINISHED,
        (modern("4", melds=f"{OUT} AAA"), "0x4"),
        (modern("4", melds=f"{OUT} AA2"), "0x4"),
    ),
    (
        Clause.M_OUT_UNFINISHED,
        (modern("4", melds=f"{OUT} 222"), "0x4"),
        (modern("4", melds=f"{OUT} 2222222"), "0x4"),
    ),
    (
        Clause.M_OUT_UNFINISHED,
        (modern("4", melds=f"{OUT} AAA", theirs="AAAAA22"), "0x4"),
        (modern("4", melds=f"{OUT} AAA", theirs="AAAAA22", dead_melds_unfinished=False), "0x4"),
    ),
    (
        Clause.M_OUT_UNFINISHED,
        (modern("4", melds=f"{OUT} AAA", theirs="AAAA2", dead_melds_unfinished=False), "0x4"),
        (modern("4", melds=f"{OUT} AAA", theirs="AAAAA22", dead_melds_unfinished=False), "0x4"),
    ),
    (
        Clause.M_OUT_UNFINISHED,
        (modern("4", melds=f"{OUT} 222", theirs="2****22", dead_melds_unfinished=False), "0x4"),
        (modern("4", melds=f"{OUT} 222****", theirs="AAAAA22", dead_melds_unfinished=False), "0x4"),
    ),
    (Clause.M_OUT_DISCARD, (modern("Q", **READY), "0mQ"), (modern("Q", **READY), "0xQ")),
    (
        Clause.M_OUT_ANSWER_NO,
        (modern("Q4", **READY).play("0q", "2n"), "0mQ"),
        (modern("Q4", **READY).play("0q", "2y"), "0mQ"),
    ),
    (
        Clause.M_OUT_ANSWER_NO,
        (modern("Q", **READY).play("0q", "2n"), "0xQ"),
        (modern("Q", **READY).play("0q", "2y"), "0xQ"),
    ),
    (
        Clause.M_OUT_ANSWER_YES,
        (modern("Q4", **READY).play("0q", "2y"), "0x4"),
        (modern("Q4", **READY).play("0q", "2n"), "0x4"),
    ),
    (
        Clause.M_OUT_PAIR,
        (modern("JJ2456", melds=OUT, pair_and_wild_out=True), "0mJJ2"),
        (modern("JJ24", melds=OUT, pair_and_wild_out=True), "0mJJ2"),
    ),
    (
        Clause.M_OUT_PAIR,
        (modern("JJ2QQ4", **READY, pair_and_wild_out=True).play("0mJJ2"), "0x4"),
        (modern("JJ2QQ4", **READY, pair_and_wild_out=True).play("0mJJ2"), "0mQQ"),
    ),
    (
        Clause.M_ASK_ONCE,
        (modern("Q4", **READY, fields={"asked": [0]}), "0q"),
        (modern("Q4", **READY, fields={"asked": [2]}), "0q"),
    ),
    (
        Clause.M_ASK_ONCE,
        (modern("Q4", **READY, fields={"asked": [2]}, question_once_a_side=True), "0q"),
        (modern("Q4", **READY, fields={"asked": [1]}, question_once_a_side=True), "0q"),
    ),
    (Clause.M_ASK_WHEN, (modern("QQ4", **READY).play("0mQ"), "0q"), (modern("QQ4", **READY), "0q")),
    (Clause.M_ASK_WHEN, (modern("Q4", **READY, drawn="pile"), "0q"), (modern("Q4", **READY), "0q")),
    (Clause.M_ASK_ABLE, (modern("J4", **READY), "0q"), (modern("Q4", **READY), "0q")),
    (
        Clause.M_ASK_ABLE,
        (modern("Q4", melds=f"{OUT} QQQ AAA", theirs="AAAAA22"), "0q"),
        (modern("Q4", melds=f"{OUT} QQQ AAA", theirs="AAAAA22", dead_melds_unfinished=False), "0q"),
    ),
    (
        Clause.M_ASK_ABLE,
        (modern("24", melds="KKKKKKK AAAAA2", mixed_aces_take_wilds=False), "0q"),
        (modern("24", melds="KKKKKKK AAAAA2"), "0q"),
    ),
    (Clause.M_BACK_OPENED, (modern("KKK4", melds="QQQ"), "0rKKK"), (modern("KKK4"), "0rKKK")),
    # modern_american: special hands and the clock.
    (
        Clause.M_SPECIAL_OFF,
        (modern("44445555666AAA", special_hands=False), "0sgarbage"),
        (modern("44445555666AAA"), "0sgarbage"),
    ),
    (
        Clause.M_SPECIAL_WHEN,
        (modern("44445555666AAA", drawn="pile"), "0sgarbage"),
        (modern("44445555666AAA"), "0sgarbage"),
    ),
    (
        Clause.M_SPECIAL_WHEN,
        (modern("44445555666AAA", melds="KKKK", fields={"played_since_opening": [0, 2]}), "0sgarbage"),
        (modern("44445555666AAA", melds="KKKK", fields={"played_since_opening": [2]}), "0sgarbage"),
    ),
    (
        Clause.M_SPECIAL_WHEN,
        (modern("44445555666AAA", melds="KKKK", opener=0, fields={"played_since_opening": []}), "0sgarbage"),
        (modern("44445555666AAA", melds="KKKK", opener=2, fields={"played_since_opening": []}), "0sgarbage"),
    ),
    (
        Clause.M_SPECIAL_CARDS,
        (modern("44445555666AAK"), "0sgarbage"),
        (modern("44445555666AAA"), "0sgarbage"),
    ),
    (
        Clause.M_SPECIAL_CARDS,
        (modern("44445555666AAA"), "0sstraight"),
        (modern("44445555666AAA"), "0sgarbage"),
    ),
    (Clause.M_CLOCK_OFF, (modern("45", clock_seconds=0), "0k"), (modern("45", clock_seconds=10), "0k")),
    (
        Clause.M_WILD_SECOND,
        (modern("222456", melds="QQQ 22222**"), "0mW#2:222"),
        (modern("222456", melds="QQQ 22222**", **WILDS), "0mW#2:222"),
    ),
    (
        Clause.M_WILD_UNFINISHED,
        (modern("222456", melds="QQQ 22222*", **WILDS), "0mW#2:222"),
        (modern("222456", melds="QQQ 22222**", **WILDS), "0mW#2:222"),
    ),
    (
        Clause.M_WILD_UNFINISHED,
        (modern("2456", melds="QQQQQ 22222** 22*", **WILDS), "0mQ:2"),
        (modern("2456", melds="QQQQQ 22222**", **WILDS), "0mQ:2"),
    ),
    (
        Clause.M_WILD_UNFINISHED,
        (modern("2456", melds="QQQQQ 22222** 22*", **WILDS), "0mW#3:2"),
        (modern("2456", melds="QQQQQ 22222** 22*", **WILDS), "0mW#2:2"),
    ),
    (
        Clause.M_MELD_SIZE,
        (modern("22456", melds="QQQ 22222**", **WILDS), "0mW#2:22"),
        (modern("22*456", melds="QQQ 22222**", **WILDS), "0mW#2:22*"),
    ),
    (
        Clause.M_MELD_SIZE,
        (modern("222456", melds="QQQ 22222**", **WILDS), "0mW:2"),
        (modern("222456", melds="QQQ 22222*", **WILDS), "0mW:2"),
    ),
    (
        Clause.M_OUT_UNFINISHED,
        (modern("4", melds=f"{OUT} 22222** 22*", **WILDS), "0x4"),
        (modern("4", melds=f"{OUT} 22222**", **WILDS), "0x4"),
    ),
    (
        Clause.M_ASK_ABLE,
        (modern("Q24", melds=f"{OUT} QQQQQ 22222** 22*", **WILDS), "0q"),
        (modern("Q24", melds=f"{OUT} QQQQQ 22222**", **WILDS), "0q"),
    ),
    (
        Clause.M_MELD_SECOND,
        (modern("KKK456", melds="KKK", **WILDS), "0mK#2:KKK"),
        (modern("KKK456", melds="KKK", **WILDS), "0mKKK"),
    ),
    (
        Clause.M_MELD_SECOND,
        (modern("KK456", melds="KKK", pile="4K", drawn=False), "0tK2:K#2:KK"),
        (modern("KK456", melds="KKK", pile="4K", drawn=False), "0tK2:KK"),
    ),
    # classic_salon, and classic_partnership where it says nothing else.
    (
        Clause.S_MELD_SECOND,
        (salon("KKK45", melds="KKK"), "0mK#2:KKK"),
        (salon("KKK45", melds="KKK", **SEVERAL), "0mK#2:KKK"),
    ),
    (
        Clause.S_MELD_SECOND,
        (salon("KK45", melds="KKK", pile="4K", drawn=False), "0tK2:K#2:KK"),
        (salon("KK45", melds="KKK", pile="4K", drawn=False, **SEVERAL), "0tK2:K#2:KK"),
    ),
    (
        Clause.S_MELD_SECOND,
        (partnership("KKK45", melds="KKK"), "0mK#2:KKK"),
        (partnership("KKK45", melds="KKK"), "0mKKK"),
    ),
    (
        Clause.S_MELD_SIZE,
        (salon("KK45", melds="KKK", **SEVERAL), "0mK#2:KK"),
        (salon("KK245", melds="KKK", **SEVERAL), "0mK#2:KK2"),
    ),
    (
        Clause.S_MELD_NATURALS,
        (salon("K2245", melds="KKK", **SEVERAL), "0mK#2:K22"),
        (salon("KK2245", melds="KKK", **SEVERAL), "0mK#2:KK22"),
    ),
    (
        Clause.S_MELD_WILDS,
        (salon("245", melds="KKKK2 KK2**", **SEVERAL), "0mK#2:2"),
        (salon("245", melds="KKKK2 KK2**", **SEVERAL), "0mK:2"),
    ),
    (
        Clause.S_MELD_WILD_MELD,
        (salon("22245", melds="KKK", **SEVERAL), "0mW#2:222"),
        (salon("22245", melds="KKK", **SEVERAL), "0mK:222"),
    ),
    (
        Clause.S_PILE_PAIR,
        (salon("K45", melds="KKK", pile="4K", drawn=False, **SEVERAL), "0tK2:K#2:"),
        (salon("K45", melds="KKK KKK", pile="4K", drawn=False, **SEVERAL), "0tK2:K#2:"),
    ),
    (
        Clause.S_PILE_FROZEN,
        (salon("KK45", melds="KK2 KK2", pile="2K", drawn=False, **SEVERAL), "0tK2:K#2:"),
        (salon("KK45", melds="KK2 KK2", pile="2K", drawn=False, **SEVERAL), "0tK2:K#2:KK"),
    ),
    # Two canastas of a rank are two; kings of one meld are no canasta with those of another.
    (
        Clause.S_OUT_CANASTAS,
        (salon("4", melds="KKKK222 KKKK2*", players=2, **SEVERAL), "0x4"),
        (salon("4", melds="KKKK222 KKKK2**", players=2, **SEVERAL), "0x4"),
    ),
    # The kings can only go down in two melds: two wilds are too many for the one that lies.
    (
        Clause.S_BLACK_OUT,
        (salon("3b3b3bKKK22", melds="QQQQ222 KK***"), "0m3b3b3b"),
        (salon("3b3b3bKKK22", melds="QQQQ222 KK***", **SEVERAL), "0m3b3b3b"),
    ),
    (
        Clause.S_BLACK_OUT,
        (salon("3b3b3bK22", melds="QQQQ222 KK***", **SEVERAL), "0m3b3b3b"),
        (salon("3b3b3bKK22", melds="QQQQ222 KK***", **SEVERAL), "0m3b3b3b"),
    ),
    # Four kings make one canasta with the three that lie, none in two melds.
    (
        Clause.S_BLACK_OUT,
        (salon("3b3b3bKKK4", melds="KKK 555", **SEVERAL), "0m3b3b3b"),
        (salon("3b3b3bKKKK4", melds="KKK 555", **SEVERAL), "0m3b3b3b"),
    ),
    (Clause.S_MELD_SIZE, (salon("KK45", melds="QQQ"), "0mKK"), (salon("KKK45", melds="QQQ"), "0mKKK")),
    (Clause.S_MELD_NATURALS, (salon("K2245", melds="QQQ"), "0mK22"), (salon("KK245", melds="QQQ"), "0mKK2")),
    (
        Clause.S_MELD_WILDS,
        (salon("KK22**45", melds="QQQ"), "0mKK22**"),
        (salon("KK22*45", melds="QQQ"), "0mKK22*"),
    ),
    (
        Clause.S_MELD_WILDS,
        (salon("245", melds="KKKK222"), "0mK:2"),
        (salon("245", melds="KKKKKKK22"), "0mK:2"),
    ),
    (
        Clause.S_MELD_WILD_MELD,
        (salon("22245", melds="QQQ"), "0mW:222"),
        (salon("22245", melds="QQQ"), "0mQ:222"),
    ),
    (
        Clause.S_BLACK_OUT,
        (salon("3b3b3b456", melds="QQQQQQQ"), "0m3b3b3b"),
        (salon("3b3b3b4", melds="QQQQQQQ"), "0m3b3b3b"),
    ),
    (
        Clause.S_BLACK_OUT,
        (partnership("3b3b3b56", melds="QQQQQQQ"), "0m3b3b3b"),
        (partnership("3b3b3b5", melds="QQQQQQQ"), "0m3b3b3b"),
    ),
    (
        Clause.S_BLACK_MELD,
        (salon("3b3b4", melds="QQQQQQQ"), "0m3b3b"),
        (salon("3b3b3b4", melds="QQQQQQQ"), "0m3b3b3b"),
    ),
    (
        Clause.S_BLACK_MELD,
        (salon("3b3b3b24", melds="QQQQQQQ"), "0m3b3b3b2"),
        (salon("3b3b3b4", melds="QQQQQQQ"), "0m3b3b3b"),
    ),
    (Clause.S_OPEN_MINIMUM, (salon("KKK4456"), "0mKKK"), (salon("KKKKK4456"), "0mKKKKK")),
    (
        Clause.S_OPEN_MINIMUM,
        (salon("KKAA56", pile="K", drawn=False, top_card_counts=False), "0tK1:KK"),
        (salon("KKKKA56", pile="K", drawn=False), "0tK1:KKKK"),
    ),
    (
        Clause.S_PILE_BLOCKED,
        (salon("3b3b45", melds="QQQ", pile="3b", drawn=False), "0t3b1:3b3b"),
        (salon("KK45", melds="QQQ", pile="3bK", drawn=False), "0tK2:KK"),
    ),
    (
        Clause.S_PILE_BLOCKED,
        (salon("2245", melds="QQQ", pile="2", drawn=False), "0t21:W:22"),
        (salon("KK45", melds="QQQ", pile="2K", drawn=False), "0tK2:KK"),
    ),
    (
        Clause.S_PILE_PAIR,
        (salon("K245", melds="QQQ", pile="4K", drawn=False), "0tK2:K2"),
        (salon("K245", melds="KKK", pile="4K", drawn=False), "0tK2:"),
    ),
    (
        Clause.S_PILE_PAIR,
        (salon("KKK245", melds="QQQ", pile="4K", drawn=False), "0tK2:KKK2"),
        (salon("KKK245", melds="QQQ", pile="4K", drawn=False), "0tK2:KKK"),
    ),
    (
        Clause.S_PILE_PAIR,
        (salon("KK45AAAA", pile="4Q", drawn=False), "0tQ2:"),
        (salon("KK45AAAA", pile="4K", drawn=False), "0tK2:KK+AAAA"),
    ),
    (
        Clause.S_PILE_FROZEN,
        (salon("K45", melds="KKK", pile="2K", drawn=False), "0tK2:"),
        (salon("KK45", melds="KKK", pile="2K", drawn=False), "0tK2:KK"),
    ),
    (
        Clause.S_PILE_FROZEN,
        (salon("K45", melds="KKK", pile="2K", drawn=False, fields=TURNED), "0tK2:"),
        (
            salon("K45", melds="KKK", pile="2K", drawn=False, fields=TURNED, covered_upcard_freezes=False),
            "0tK2:",
        ),
    ),
    (
        Clause.S_PILE_FROZEN,
        (
            salon("K45", melds="KKK", pile="2Q*K", drawn=False, fields=TURNED, covered_upcard_freezes=False),
            "0tK4:",
        ),
        (
            salon("K45", melds="KKK", pile="2Q4K", drawn=False, fields=TURNED, covered_upcard_freezes=False),
            "0tK4:",
        ),
    ),
    (
        Clause.S_PILE_FROZEN,
        (salon("K45", melds="KKK", pile="4K", drawn=False, always_frozen=True), "0tK2:"),
        (salon("K45", melds="KKK", pile="4K", drawn=False), "0tK2:"),
    ),
    (
        Clause.S_PILE_ONE_CARD,
        (salon("4", melds="KKKKKKK", pile="K", drawn=False), "0tK1:"),
        (salon("4", melds="KKKKKKK", pile="5K", drawn=False), "0tK2:"),
    ),
    (Clause.S_OUT_CANASTAS, (salon("4", melds="KKKKKK"), "0x4"), (salon("4", melds="KKKKKKK"), "0x4")),
    (
        Clause.S_OUT_CANASTAS,
        (salon("4", melds="KKKKKKK", players=2), "0x4"),
        (salon("4", melds="KKKKKKK QQQQQQQ", players=2), "0x4"),
    ),
    (Clause.S_OUT_CANASTAS, (salon("KK", melds="KKKK"), "0mKK"), (salon("KKK", melds="KKKK"), "0mKKK")),
    (
        Clause.S_BLACK_NEVER,
        (salon("3b3b3b4", melds="QQQQQQQ", black_three_melds=False), "0m3b3b3b"),
        (salon("3b3b3b4", melds="QQQQQQQ"), "0m3b3b3b"),
    ),
    (
        Clause.S_BLACK_NEVER,
        (partnership("3b3b3b5", melds="QQQQQQQ", black_three_melds=False), "0m3b3b3b"),
        (partnership("3b3b3b5", melds="QQQQQQQ"), "0m3b3b3b"),
    ),
    (Clause.S_RED_MELD, (salon("KKK45", melds="QQQ"), "0m3r3r3r"), (salon("KKK45", melds="QQQ"), "0mKKK")),
    # classic_partnership alone.
    (
        Clause.P_PILE_TWO,
        (partnership("K45", melds="QQQ", pile="4K", drawn=False), "0tK2:K"),
        (partnership("K245", melds="QQQ", pile="4K", drawn=False), "0tK2:K2"),
    ),
    (
        Clause.P_PILE_TWO,
        (partnership("K45", melds="QQQ", pile="4K", drawn=False), "0tK2:"),
        (partnership("K45", melds="KKK", pile="4K", drawn=False), "0tK2:"),
    ),
    (
        Clause.P_PILE_FROZEN,
        (partnership("Q2AAA456", pile="4Q", drawn=False), "0tQ2:Q2+AAA"),
        (partnership("QQAAA456", pile="4Q", drawn=False), "0tQ2:QQ+AAA"),
    ),
    (
        Clause.P_PILE_FROZEN,
        (partnership("KK45", melds="KKK", pile="2K", drawn=False), "0tK2:"),
        (partnership("KK45", melds="KKK", pile="2K", drawn=False), "0tK2:KK"),
    ),
    (
        Clause.P_PILE_WILD,
        (partnership("2245", melds="QQQ", pile="2", drawn=False), "0t21:W:22"),
        (partnership("KK45", melds="QQQ", pile="2K", drawn=False), "0tK2:KK"),
    ),
    (
        Clause.P_PILE_BLACK,
        (partnership("3b3b45", melds="QQQ", pile="3b", drawn=False), "0t3b1:3b3b"),
        (partnership("KK45", melds="QQQ", pile="3bK", drawn=False), "0tK2:KK"),
    ),
    (Clause.P_OUT_DISCARD, (partnership("K", melds="KKKKKK"), "0mK"), (salon("K", melds="KKKKKK"), "0mK")),
]


@pytest.mark.parametrize(("clause", "refused", "allowed"), EDGES, ids=[row[0].id for row in EDGES])
def test_what_a_clause_refuses_has_an_allowed_neighbour(clause: Clause, refused: Try, allowed: Try) -> None:
    assert refused[0].refusal(refused[1]) == clause.id
    assert allowed[0].refusal(allowed[1]) is None


def test_a_number_holds_for_every_group_of_an_action() -> None:
    hand = salon("KKKKQQQQAA45", **SEVERAL).hand
    kings, queens = ("K",) * 4, ("Q",) * 4
    assert hand.check(Meld(0, (Group("K", kings), Group("Q", queens, 2)))) is Clause.MELD_NUMBER
    assert hand.check(Meld(0, (Group("K", kings, 2), Group("Q", queens)))) is Clause.MELD_NUMBER
    assert hand.check(Meld(0, (Group("K", kings), Group("Q", queens)))) is None


@pytest.mark.parametrize(
    "action",
    [
        Meld(0, (Group("K", ("K", "K"), 0),)),
        Meld(0, (Group("K", ("K", "K"), -1),)),
        Meld(0, (Group("K", ("K", "K"), 5),)),
        Meld(0, (Group("K", ("K", "K"), 2.5),)),  # type: ignore[arg-type]
        Meld(0, (Group("K", ("K", "K"), "2"),)),  # type: ignore[arg-type]
        Meld(0, (Group("K", ("K", "K")), Group("Q", ("Q",), 0))),
        Meld(0, (Group("K", (), 2),)),
        TakePile(0, "K", 2, (Group("K", ()),)),
        TakePile(0, "K", 2, (Group("K", (), 2), Group("Q", ("Q",)))),
        TakePile(0, "K", 2, (Group("K", (), 1), Group("Q", (), 2))),
    ],
)
def test_what_no_event_can_say_is_no_action(action: Meld | TakePile) -> None:
    hand = salon("KKQ45", melds="KKK KK2", pile="5K", drawn=isinstance(action, Meld), **SEVERAL).hand
    with pytest.raises(NotationError):
        hand.check(action)
    if isinstance(action, TakePile):
        assert hand.check(TakePile(0, "K", 2, (Group("K", (), 2),))) is None


def test_a_meld_lays_at_least_one_card() -> None:
    hand = modern("KKK45", melds="QQQ").hand
    assert hand.check(Meld(0, ())) is Clause.NOTHING_LAID
    assert hand.check("0mKKK") is None


@pytest.mark.parametrize("ruleset", [MODERN, SALON])
def test_the_pile_is_declined_only_when_the_stock_is_empty(ruleset: str) -> None:
    for stock, clause in ((1, Clause.DECLINE_LATER), (0, None)):
        table = Table(ruleset, "QQ45", melds="QQQ", pile="Q", drawn=False, stock=stock)
        assert table.hand.check(Decline(0)) is clause


@pytest.mark.parametrize("clause", Clause)
def test_every_clause_names_a_section_of_a_text_or_is_a_choice(clause: Clause) -> None:
    shared = "(three texts|club's text|salon's text)"
    texts = {"A": shared, "M": "club's text", "S": "salon's text", "P": "lesson's text"}
    source = f"the {texts[clause.id[0]]}, [a-z0-9, ]{{2,}}|Coastal's choice(: .+|, after .+)?"
    assert re.fullmatch(source, clause.source, re.IGNORECASE)


def test_every_clause_has_an_edge() -> None:
    by_record = {Clause.NOTHING_LAID, Clause.DECLINE_LATER}
    assert {row[0] for row in EDGES} | by_record == set(Clause)
