"""The referee itself answers the worked cases and a neighbour on each side of every edge it knows.

Expected answers are those of the published cases (their ids stand in the test ids) and of docs/rules.md.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.engine.referee import referee, result_differences
from tests.engine.referee_cards import kind, read_cards
from tests.engine.referee_score import (
    SPECIAL_POINTS,
    classic_ledger,
    game_end,
    is_special,
    modern_ledger,
)
from tests.support.referee_bridge import engine_position, lays, minimal, play_of
from tests.support.referee_endgames import endgame
from tests.support.referee_play import random_hand
from tests.support.referee_positions import blank_record, position, refusal

MODERN, SALON, PARTNERSHIP = "modern_american", "classic_salon", "classic_partnership"
SCORING = [
    json.loads(line)
    for line in (Path(__file__).parent / "cases" / "scoring.jsonl").read_text().splitlines()
    if line.strip()
]


def cards(text: str) -> Counter:
    return Counter(read_cards(text, suited=False))


@pytest.mark.parametrize("case", SCORING, ids=lambda case: case["id"])
def test_scores_the_worked_positions(case):
    points = []
    for side in case["sides"]:
        melds = {}
        for text in side["melds"]:
            laid = cards(text)
            naturals = {kind(card) for card in laid} - {"2", "*"}
            melds[naturals.pop() if naturals else "W"] = laid
        holdings = [cards(text) for text in side["holdings"]]
        if side.get("special"):
            points.append(SPECIAL_POINTS[side["special"]])
        elif case["ruleset"] == MODERN:
            threes = Counter({"3r": side["red_threes"], "3b": side["black_threes"]})
            points.append(sum(modern_ledger(melds, threes, holdings, side["went_out"], True).values()))
        else:
            going_out = 100 * side["went_out"] * (1 + side["concealed"])
            points.append(sum(classic_ledger(melds, side["red_threes"], holdings, going_out).values()))
    assert points == case["expected_points"]


@pytest.mark.parametrize(
    ("ruleset", "score", "minimum"),
    [
        *[(MODERN, score, 125) for score in (-500, 0, 2995)],
        *[(MODERN, score, 155) for score in (3000, 4995)],
        (MODERN, 5000, 180),
        (PARTNERSHIP, -5, 15),
        *[(PARTNERSHIP, score, 50) for score in (0, 1495)],
        *[(PARTNERSHIP, score, 90) for score in (1500, 2995)],
        (PARTNERSHIP, 3000, 120),
        (SALON, -5, 15),
        (SALON, 1495, 50),
        (SALON, 3000, 120),
    ],
)
def test_m12_c7_minimum_by_score(ruleset, score, minimum):
    assert position(ruleset, holding="KKKK44", score=score).minimum == minimum


@pytest.mark.parametrize(
    ("holding", "event", "score", "reason"),
    [
        pytest.param("QQQKK**44", "0mQQQ+KK**", 0, None, id="M13"),
        pytest.param("QQQKK**44", "0mQQQ+KK**", 3000, "minimum", id="M13-at-3000"),
        pytest.param("KKKK**445", "0mKKKK**", 0, "clean_triple", id="M-open-no-triple"),
        pytest.param("222*44", "0mW:222*", 0, "minimum", id="M-open-wild-110"),
        pytest.param("22**44", "0mW:22**", 0, None, id="M-open-wild-140"),
        pytest.param("4444444QJ", "0m4444444", 0, None, id="M-open-canasta"),
        pytest.param("444444QJ", "0m444444", 0, "minimum", id="M-open-six"),
        pytest.param("QQQ772**55", "0mQQQ+77**", 0, "wild_on_sevens", id="M21-opening"),
        pytest.param("QQQAA**55", "0mQQQ+AA**", 0, None, id="M-open-mixed-aces"),
        pytest.param("QQQ22*KK**", "0mQQQ+W:22*+KK*", 0, "wild_meld_unfinished", id="M-meld-wild-beside"),
        pytest.param("QQQQQKKKKK4", "0mQQQ+QQ+KKKKK", 0, "same_rank_twice", id="M-meld-same-rank"),
        pytest.param("AAA777KK44", "0mAAA+777+KK", 0, "meld", id="M-meld-pair"),
        pytest.param("AAAKKKQQ44", "0mAAA+KKK", 0, "minimum", id="M-open-90"),
        pytest.param("AAAKKKQQQ44", "0mAAA+KKK+QQQ", 0, "minimum", id="M-open-120"),
        pytest.param("AAAKKKQQQQ4", "0mAAA+KKK+QQQQ", 0, "keep_a_card", id="M-open-keeps-a-card"),
        pytest.param("AAAKKKQQQQ45", "0mAAA+KKK+QQQQ", 0, None, id="M-open-130"),
    ],
)
def test_modern_openings(holding, event, score, reason):
    assert refusal(position(MODERN, holding=holding, score=score), event) == reason


@pytest.mark.parametrize(
    ("option", "holding", "event", "reason"),
    [
        ("wild_meld_opens", "22**44", "0mW:22**", "clean_triple"),
        ("canasta_opens", "4444444QJ", "0m4444444", "minimum"),
    ],
)
def test_modern_opening_options_off(option, holding, event, reason):
    assert refusal(position(MODERN, holding=holding, options={option: False}), event) == reason


def test_m15_opening_by_the_pile():
    hand = position(MODERN, holding="QQQKK**4", pile="5Q", drawn=False)
    assert refusal(hand, "0tQ2:QQQ+KK**") is None
    assert hand.own == {"Q": cards("QQQQ"), "K": cards("KK**")}
    assert hand.holding == cards("45")
    assert refusal(hand, "0x5") is None
    assert hand.phase == "draw"


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        ("0tQ2:QQQ", "minimum"),
        ("0tQ2:Q*+KK*", "pile_group"),
        ("0tQ2:", "pile_needs_opening"),
        ("0tQ3:QQQ+KK**", "pile"),
        ("0tK2:KK", "pile"),
        ("0tQ2:KK**+QQQ", "top_card"),
    ],
)
def test_m15b_short_openings_by_the_pile(event, reason):
    assert refusal(position(MODERN, holding="QQQKK**4", pile="5Q", drawn=False), event) == reason


@pytest.mark.parametrize(("naturals", "reason"), [(4, None), (5, "pile_group")])
def test_opening_by_the_pile_holds_at_most_five_of_the_top_rank(naturals, reason):
    queens = "Q" * naturals
    hand = position(MODERN, holding=queens + "AAAAKKK44", pile="5Q", drawn=False)
    assert refusal(hand, f"0tQ2:{queens}+AAAA+KKK") == reason


@pytest.mark.parametrize(
    ("melds", "event", "reason"),
    [
        pytest.param(("QQQ",), "0mQ:2", "five_naturals", id="M20-onto-three"),
        pytest.param(("QQQQQ",), "0mQ:2", None, id="M20-onto-five"),
        pytest.param(("QQQQQ2",), "0mQ:2", None, id="M20-closes"),
        pytest.param(("QQQQQ22",), "0mQ:2", "meld", id="M-meld-third-wild"),
        pytest.param(("QQQQQQQ",), "0mQ:2", "closed", id="M-meld-closed"),
        pytest.param(("77777",), "0m7:2", "wild_on_sevens", id="M21-sevens"),
        pytest.param(("AAAAA",), "0mA:2", "natural_aces", id="M21-aces"),
        pytest.param(("AAAAA2",), "0mA:2", None, id="M-meld-mixed-aces"),
        pytest.param(("AAAA2",), "0mA:2", "five_naturals", id="M-meld-mixed-aces-of-four"),
        pytest.param(("QQQQQ", "W:22*"), "0mQ:2", "wild_meld_unfinished", id="M-meld-wild-unfinished"),
        pytest.param(("QQQQQ", "W:2222222"), "0mQ:2", "not_held", id="M-meld-no-two-left"),
        pytest.param(("W:22222*", "QQQQQ"), "0mW:2", None, id="M-meld-wild-grows"),
        pytest.param(("W:222222*",), "0mW:2", "wild_meld", id="M-meld-wild-closed"),
        pytest.param(("QQQ",), "0mW:2", "wild_meld", id="M-meld-wild-of-one"),
    ],
)
def test_modern_wild_cards(melds, event, reason):
    used = "".join(melds).count("2")
    holding = "2222"[: min(4, 8 - used)] if used < 7 else "J"
    assert refusal(position(MODERN, holding=holding + "445566KJ", melds=melds), event) == reason


@pytest.mark.parametrize(
    ("holding", "event", "reason"),
    [("KK2456", "0mKK2", None), ("AA2456", "0mAA2", "natural_aces"), ("772456", "0m772", "wild_on_sevens")],
)
def test_five_natural_rule_off(holding, event, reason):
    hand = position(MODERN, holding=holding, melds=("QQQ",), options={"five_natural_rule": False})
    assert refusal(hand, event) == reason


@pytest.mark.parametrize(
    ("own", "event", "reason", "size"),
    [
        ("JJJJJ", "0tJ2:JJ", "pile_meld_of_five", 5),
        ("JJJJ", "0tJ2:JJ", None, 7),
        ("JJJ", "0tJ2:JJ", None, 6),
        ("JJJ", "0tJ2:", None, 4),
        ("JJJ", "0tJ2:J2", "pile_pair", 3),
        ("QQQ", "0tJ2:JJ", None, 3),
        ("QQQ", "0tJ2:", "pile_pair", 0),
    ],
)
def test_m24_taking_the_pile_when_open(own, event, reason, size):
    hand = position(MODERN, holding="JJ2456", melds=(own,), pile="4J", drawn=False)
    assert refusal(hand, event) == reason
    assert hand.own.get("J", Counter()).total() == size


def test_pile_needs_pair():
    hand = position(
        MODERN, holding="JJ456", melds=("JJJ",), pile="4J", drawn=False, options={"pile_needs_pair": True}
    )
    assert refusal(hand, "0tJ2:") == "pile_pair"
    assert refusal(hand, "0tJ2:JJ") is None


def test_dead_ranks():
    dead = position(MODERN, holding="99444", melds=("999",))
    dead.melds[1] = {"9": cards("9999922")}
    assert refusal(dead, "0m9") == "dead"
    assert refusal(position(MODERN, holding="99444", melds=("999",)), "0m9") is None
    taking = position(MODERN, holding="99456", melds=("QQQ",), pile="49", drawn=False)
    taking.melds[1] = {"9": cards("9999922")}
    assert refusal(taking, "0t92:99") == "dead"


@pytest.mark.parametrize(
    ("holding", "allowed"), [("A742", "4"), ("A72", "A7"), ("2*", "2*"), ("A742*K", "4K"), ("772", "7")]
)
def test_m26_onto_an_empty_pile(holding, allowed):
    legal = {
        card
        for card in "A742*K"
        if refusal(position(MODERN, holding=holding, melds=("QQQ",)), f"0x{card}") is None
    }
    assert legal == set(allowed)


def test_onto_a_pile_only_wild_cards_are_kept():
    legal = {
        card
        for card in "A742"
        if refusal(position(MODERN, holding="A742", pile="5", melds=("QQQ",)), f"0x{card}") is None
    }
    assert legal == set("A74")


@pytest.mark.parametrize(
    ("other", "stock", "bonus"),
    [((), 9, "4444"), (("KKK",), 9, "444"), ((), 8, None)],
    ids=["first", "second", "stock-8"],
)
def test_m30_bonus_cards(other, stock, bonus):
    hand = position(MODERN, holding="AAAAQQQQQ45", other_melds=other, stock=stock)
    assert refusal(hand, "0mAAAA+QQQQQ", "0x4") is None
    if bonus is not None:
        hand.unseen += cards(bonus)
        assert refusal(hand, f"0b{bonus[:-1]}") == "bonus_count"
        assert refusal(hand, f"0b{bonus}") is None
    assert (hand.phase, hand.seat) == ("draw", 1)


def test_no_bonus_cards_after_opening_by_the_pile():
    hand = position(MODERN, holding="QQQKK**4", pile="5Q", drawn=False)
    assert refusal(hand, "0tQ2:QQQ+KK**", "0x5") is None
    assert (hand.phase, hand.seat) == ("draw", 1)


def test_m32_garbage():
    holding = "4444555" + "5666AAA"
    hand = position(MODERN, holding=holding)
    assert refusal(hand, "0spairs") == "special"
    assert refusal(hand, "0sgarbage") is None
    result = hand.result()
    assert (result["points"][0], result["ended_by"], result["seat"]) == (3000, "special", 0)
    taken = position(MODERN, holding=holding)
    taken.drew = False
    assert refusal(taken, "0sgarbage") == "special"
    off = position(MODERN, holding=holding, options={"special_hands": False})
    assert refusal(off, "0sgarbage") == "special"


def test_special_hand_after_the_partner_opened():
    hand = position(MODERN, holding="44445555666AAA", melds=("QQQ",))
    hand.turns_since_opening[0] = 2
    assert refusal(hand, "0sgarbage") == "special_too_late"
    hand.turns_since_opening[0] = 1
    assert refusal(hand, "0sgarbage") is None


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("pairs", "44556688TTJJQQ", "445566888TJJQQ"),
        ("wild_pairs", "AA7744556688**", "AA7744556688TT"),
        ("miami_pairs", "AA7722**445566", "AA88222*445566"),
        ("zip_code", "445566677722**"[:10] + "8888", "4455666777888*"),
        ("garbage", "44445555666777", "44445555666722"),
        ("blast_off", "444445555666**", "4444455556662*"),
        ("triples", "44455566677722", "4445556667772*"),
        ("quads", "444455556666**", "4444555566662*"),
        ("dream_4", "4444455555****", "4444455555222*"),
        ("dream_5", "44444555522***", "444445555222**"[:13] + "6"),
    ],
)
def test_special_hand_patterns(name, good, bad):
    assert is_special(name, cards(good))
    assert not is_special(name, cards(bad))


def test_a_dream_wins_the_game():
    hand = position(MODERN, holding="4444455555****", score=-9000)
    assert refusal(hand, "0sdream_4") is None
    assert (hand.result()["game_over"], hand.result()["winner"]) == (True, 0)


def test_m34_failed_openings():
    hand = position(MODERN, holding="QQQKK**44")
    assert refusal(hand, "0rQQQ+KK") is None
    assert hand.minimum == 135
    assert refusal(hand, "0rQQQ") is None
    assert hand.minimum == 145
    assert refusal(hand, "0mQQQ+KK**") is None
    opened = position(MODERN, holding="QQQ44", melds=("KKK",))
    assert refusal(opened, "0rQQQ") == "take_back"
    assert refusal(position(SALON, holding="QQQ44"), "0rQQQ") == "take_back"


TWO_CANASTAS = ("KKKKKKK", "88888*2")


@pytest.mark.parametrize(
    ("holding", "melds", "events", "reason"),
    [
        ("JJJ4", TWO_CANASTAS, ("0mJJJ", "0x4", "0o"), None),
        ("JJJ4", TWO_CANASTAS[:1], ("0mJJJ",), "keep_a_card"),
        ("JJJ45", TWO_CANASTAS[:1], ("0mJJJ",), None),
        ("JJJJ", TWO_CANASTAS, ("0mJJJJ",), "keep_a_card"),
        ("JJJ4", (*TWO_CANASTAS, "777"), ("0mJJJ",), "keep_a_card"),
        ("JJJ4", (*TWO_CANASTAS, "AAA"), ("0mJJJ",), "keep_a_card"),
        ("JJJ4", (*TWO_CANASTAS, "AAA2"), ("0mJJJ", "0x4", "0o"), None),
        ("JJJ4", (*TWO_CANASTAS, "W:222"), ("0mJJJ",), "keep_a_card"),
        ("JJJ4", TWO_CANASTAS, ("0mJJJ", "0x4", "1d5"), "seat"),
    ],
)
def test_modern_going_out(holding, melds, events, reason):
    assert refusal(position(MODERN, holding=holding, melds=melds), *events) == reason


WILD_MELDS = {"one_wild_meld": False}


@pytest.mark.parametrize(
    ("melds", "event", "reason"),
    [
        pytest.param(("KKK", "W:222222*"), "0mW#2:2**", None, id="begun"),
        pytest.param(("KKK", "W:222222*"), "0mW#2:22***", None, id="begun-with-all"),
        pytest.param(("KKK", "W:222222*"), "0mW#2:2*", "wild_meld", id="begun-with-two"),
        pytest.param(("KKK", "W:222222*"), "0mW:2", "wild_meld", id="the-first-is-closed"),
        pytest.param(("KKK", "W:222222"), "0mW#2:2**", "wild_meld_unfinished", id="before-closing"),
        pytest.param(("KKK",), "0mW#2:2**", "meld_number", id="no-first"),
        pytest.param(("KKK", "W:222222*"), "0mW#3:2**", "meld_number", id="number-skipped"),
        pytest.param(("KKK", "W:222222*", "W#2:22*"), "0mW#2:*", None, id="added-to"),
        pytest.param(("KKK", "W:2222222", "W#2:2*"), "0mW#3:***", "wild_meld_unfinished", id="third"),
        pytest.param(("KKK", "W:222222*"), "0mW#2:KKK", "notation", id="kings"),
        pytest.param(("KKK", "W:222222*"), "0mW#2:", "notation", id="no-cards"),
        pytest.param(("KKK", "W:222222*"), "0mW#5:2**", "notation", id="fifth"),
        pytest.param(("KKK", "W:222222*"), "0mK#2:KKK", "one_meld", id="other-ranks-lie-once"),
        pytest.param(("KKKKK", "W:222222*"), "0mK:2", None, id="wilds-elsewhere"),
        pytest.param(("KKKKK", "W:222222*", "W#2:2**"), "0mK:2", "wild_meld_unfinished", id="barred"),
    ],
)
def test_a_second_wild_meld(melds, event, reason):
    laid = "".join(text.partition(":")[2] for text in melds)
    holding = "2" * (8 - laid.count("2")) + "*" * (4 - laid.count("*")) + "KKK4556"
    assert refusal(position(MODERN, holding=holding, melds=melds, options=WILD_MELDS), event) == reason


def test_one_wild_meld_where_the_option_lets_no_more_lie():
    hand = position(MODERN, holding="22***4556", melds=("KKK", "W:222222*"))
    assert refusal(hand, "0mW#2:2**") == "one_meld"


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        ("0mW:2222222+W#2:****", "meld_number"),
        ("0mW#2:****", "meld_number"),
        ("0rW:2222222+W#2:****", "meld_number"),
        ("0rW#2:****", "meld_number"),
        ("0rW:****", None),
        ("0r444+4#2:444", "one_meld"),
        ("0r4#2:444", "one_meld"),
        ("0r444", None),
    ],
)
def test_no_opening_and_no_failed_one_has_a_numbered_group(event, reason):
    hand = position(MODERN, holding="2222222****44444456", options=WILD_MELDS)
    assert refusal(hand, event) == reason


def test_a_second_wild_meld_follows_the_opening_in_the_same_turn():
    hand = position(MODERN, holding="2222222****4556", options=WILD_MELDS)
    assert refusal(hand, "0mW:2222222", "0mW#2:***", "0x4") is None


def test_a_second_wild_meld_costs_what_an_unfinished_one_does():
    for melds, penalty, counted in ((("W:222222*",), 0, 170), (("W:222222*", "W#2:22*"), -2000, 260)):
        hand = position(MODERN, holding="4", melds=("KKK", *melds), options=WILD_MELDS)
        ledger = hand._ledger(0)
        assert (ledger["penalties"], ledger["canastas"]) == (penalty, 2000)
        assert ledger["melds"] == 30 + counted
        assert hand._counts(0)["wild"] == 1


@pytest.mark.parametrize(
    ("melds", "events", "reason"),
    [
        (("W:222222*",), ("0mJJJ", "0x4", "0o"), None),
        (("W:222222*", "W#2:22*"), ("0mJJJ",), "keep_a_card"),
        (("W:222222*", "W#2:22*"), ("0q",), "cannot_go_out"),
    ],
)
def test_a_second_wild_meld_bars_going_out(melds, events, reason):
    hand = position(MODERN, holding="JJJ4", melds=("KKKKKKK", *melds), options=WILD_MELDS)
    assert refusal(hand, *events) == reason


def test_a_second_wild_meld_is_no_way_out():
    melds = ("KKKKKKK", "W:222222*")
    hand = position(MODERN, holding="***4", melds=melds, options=WILD_MELDS)
    assert refusal(hand, "0mW#2:***") == "keep_a_card"
    hand = position(MODERN, holding="***45", melds=melds, options=WILD_MELDS)
    assert refusal(hand, "0mW#2:***", "0x4") is None


@pytest.mark.parametrize(
    ("holding", "events", "reason"),
    [
        ("JJJ45", ("0q",), "cannot_go_out"),
        ("JJJ4", ("0q", "0mJJJ"), "seat"),
        ("JJJ4", ("0q", "2n", "0mJJJ"), "keep_a_card"),
        ("JJJ4", ("0q", "2y", "0x4"), "must_go_out"),
        ("JJJ4", ("0q", "2y", "0mJJJ"), None),
        ("JJJ4", ("0q", "2n", "0q"), "asked_before"),
        ("JJJJ", ("0q", "2y", "0mJJJ"), None),
        ("JJJ4", ("0q", "2y", "0k", "0x4"), None),
        ("JJJTTT4", ("0mTTT", "0q"), "question"),
    ],
)
def test_the_question(holding, events, reason):
    assert refusal(position(MODERN, holding=holding, melds=TWO_CANASTAS), *events) == reason


@pytest.mark.parametrize(
    ("holding", "events", "reason"),
    [
        ("JJ24", ("0mJJ2", "0x4", "0o"), None),
        ("JJ245", ("0mJJ2",), "must_go_out"),
        ("AA24", ("0mAA2",), "natural_aces"),
        ("JJTTT24", ("0mJJ2", "0x4"), "must_go_out"),
        ("JJTTT24", ("0mJJ2", "0mTTT", "0x4", "0o"), None),
    ],
)
def test_pair_and_wild_out(holding, events, reason):
    option = {"pair_and_wild_out": True}
    assert refusal(position(MODERN, holding=holding, melds=TWO_CANASTAS, options=option), *events) == reason
    assert refusal(position(MODERN, holding="JJ24", melds=TWO_CANASTAS), "0mJJ2") == "five_naturals"


def test_the_clock():
    late = position(MODERN, holding="JJJ45", melds=("QQQ",), pile="4J", drawn=False)
    assert refusal(late, "0k", "0tJ2:JJ") == "clock"
    late.unseen = cards("99")
    assert refusal(late, "0d9", "0mJJJ") == "clock"
    assert refusal(late, "0x5") is None
    fresh = position(MODERN, holding="JJJ456", melds=("QQQ",))
    assert refusal(fresh, "0k", "0mJJJ") == "clock"
    assert refusal(fresh, "0k") == "clock"
    assert refusal(fresh, "0x4") is None
    none = position(MODERN, holding="JJJ456", melds=("QQQ",), options={"clock_seconds": 0})
    assert refusal(none, "0k") == "clock"
    assert refusal(position(PARTNERSHIP, holding="JJJ456"), "0k") == "clock"


def test_the_last_three_stops_a_modern_hand():
    hand = position(MODERN, holding="JJJ456", melds=("QQQ",), drawn=False)
    hand.unseen = cards("3r")
    assert refusal(hand, "0d3r") is None
    hand.stop()
    result = hand.result()
    assert (result["ended_by"], result["seat"]) == ("stock", None)
    # JJJ 30 and 4 5 6 15, the 3 5, the partner's 4: -55; no canasta: -30
    assert result["ledger"][0]["holdings"] == -55
    assert result["ledger"][0]["threes"] == 0


def test_a_replacement_that_is_the_last_three_stops_too():
    hand = position(MODERN, holding="JJJ456", melds=("QQQ",), drawn=False)
    hand.unseen = cards("3r3b")
    assert refusal(hand, "0d3r", "03" + "3r") == "replacement"
    assert refusal(hand, "03" + "3r>3b") is None
    hand.stop()
    assert hand.result()["ledger"][0]["threes"] == -100


def test_an_empty_stock_lets_the_pile_be_taken():
    for option, phase in ((True, "draw"), (False, "over")):
        hand = position(MODERN, holding="JJJ456", melds=("QQQ",), options={"pile_after_stock": option})
        hand.unseen = Counter()
        assert refusal(hand, "0x4") is None
        assert hand.phase == phase
        hand.stop()
        assert hand.ended_by == "stock"


@pytest.mark.parametrize(
    ("holding", "event", "score", "threes", "reason"),
    [
        pytest.param("KKK55544", "0mKKK+555", 0, "", "minimum", id="C9-45"),
        pytest.param("KKKAAA44", "0mKKK+AAA", 0, "", None, id="C9-90"),
        pytest.param("KKK44", "0mKKK", 0, "3r3r", "minimum", id="C9-30"),
        pytest.param("AAA22*44", "0mAA22*", 0, "", None, id="C12-three-wilds"),
        pytest.param("AA22**44", "0mAA22**", 0, "", "meld", id="C12-four-wilds"),
        pytest.param("AAKK244", "0mKK2", -5, "", None, id="C12-two-naturals"),
        pytest.param("AQ2*44", "0mQ2*", -5, "", "meld", id="C12-one-natural"),
        pytest.param("QQJ44", "0mQQJ", -5, "", "notation", id="C12-two-ranks"),
        pytest.param("22**44", "0mW:22**", -5, "", "wild_meld", id="S-meld-no-wild-meld"),
        pytest.param("3b3b3b44", "0m3b3b3b", -5, "", "must_go_out", id="C21"),
    ],
)
@pytest.mark.parametrize("ruleset", [PARTNERSHIP, SALON])
def test_classic_openings(ruleset, holding, event, score, threes, reason):
    assert refusal(position(ruleset, holding=holding, score=score, threes=threes), event) == reason


@pytest.mark.parametrize(("score", "reason"), [(0, None), (1600, "minimum")])
def test_c10_opening_by_the_pile(score, reason):
    hand = position(PARTNERSHIP, holding="KKQQ26", pile="KQ9K", score=score, drawn=False)
    assert refusal(hand, "0tK4:KK+QQ2") == reason


@pytest.mark.parametrize(
    ("ruleset", "pile", "frozen", "melds", "event", "reason"),
    [
        (PARTNERSHIP, "2Q", True, ("KKK",), "0tQ2:Q*", "pile_pair"),
        (PARTNERSHIP, "2Q", True, ("QQQ",), "0tQ2:", "frozen"),
        (PARTNERSHIP, "2Q", True, ("QQQ",), "0tQ2:QQ", None),
        (PARTNERSHIP, "4Q", False, ("KKK",), "0tQ2:Q*", None),
        (PARTNERSHIP, "4Q", False, ("QQQ",), "0tQ2:", None),
        (PARTNERSHIP, "4Q", False, ("KKK",), "0tQ2:", "no_meld"),
        (SALON, "4Q", False, ("KKK",), "0tQ2:Q*", "pile_pair"),
        (SALON, "4Q", False, ("KKK",), "0tQ2:QQ", None),
        (SALON, "4Q", False, ("QQQ",), "0tQ2:", None),
        (SALON, "2Q", True, ("QQQ",), "0tQ2:", "frozen"),
        (PARTNERSHIP, "43b", False, ("KKK",), "0t3b2:", "notation"),
        (PARTNERSHIP, "42", True, ("KKK",), "0t22:", "notation"),
    ],
)
def test_c14_taking_a_classic_pile(ruleset, pile, frozen, melds, event, reason):
    hand = position(
        ruleset, holding="QQ*5678", pile=pile, frozen=frozen, melds=melds, partner_holding="44", drawn=False
    )
    assert refusal(hand, event) == reason


SEVERAL = {"one_meld_a_rank": False}


@pytest.mark.parametrize(
    ("melds", "event", "reason"),
    [
        pytest.param(("KKK",), "0mK#2:KKK", None, id="begun"),
        pytest.param(("KKK",), "0mK#2:KK2", None, id="begun-with-a-wild"),
        pytest.param(("KKK",), "0mK#2:KK22*", None, id="begun-with-three-wilds"),
        pytest.param(("KKK",), "0mK#2:KK222*", "meld", id="begun-with-four-wilds"),
        pytest.param(("KKK",), "0mK#2:KK", "meld", id="begun-with-a-pair"),
        pytest.param(("KKK",), "0mK#2:K2*", "meld", id="begun-with-one-natural"),
        pytest.param(("KKK",), "0mK#2:2*", "meld", id="begun-with-wilds"),
        pytest.param(("KK222",), "0mK#2:KK2", None, id="judged-by-itself"),
        pytest.param(("KK22*",), "0mK:2", "meld", id="fourth-wild-on-the-first"),
        pytest.param(("KK22*", "K#2:KKK"), "0mK#2:2", None, id="first-wild-on-the-second"),
        pytest.param(("KKK", "K#2:KK22*"), "0mK#2:2", "meld", id="fourth-wild-on-the-second"),
        pytest.param(("KKK", "K#2:KK2"), "0mK#2:K", None, id="added-to"),
        pytest.param(("KKK", "K#2:KK2"), "0mK", None, id="plain-is-the-first"),
        pytest.param(("KKK",), "0mK#3:KKK", "meld_number", id="number-skipped"),
        pytest.param(("QQQ",), "0mK#2:KKK", "meld_number", id="no-first"),
        pytest.param(("KKK", "K#2:KK2"), "0mK#3:KK2", None, id="third"),
        pytest.param(("KKK", "K#2:KK2"), "0mK#4:KK2", "meld_number", id="fourth-before-third"),
        pytest.param(("KK2", "K#2:KK2", "K#3:KK2"), "0mK#4:KK*", None, id="fourth"),
        pytest.param(("KK2", "K#2:KK2", "K#3:KK2"), "0mK#5:KK*", "notation", id="fifth"),
        pytest.param(("KKK",), "0mK#1:KKK", "notation", id="first-is-not-numbered"),
        pytest.param(("KKK",), "0mK#0:KKK", "notation", id="zeroth"),
        pytest.param(("KKK",), "0mK#2KKK", "notation", id="without-colon"),
        pytest.param(("KKK",), "0mK#2:", "notation", id="no-cards"),
        pytest.param(("KKK",), "0mK#2:K#2:KKK", "notation", id="twice"),
        pytest.param(("KKK",), "0mK#2:QQQ", "notation", id="another-rank"),
        pytest.param(("KKK",), "0mK#2:KKQ", "notation", id="two-ranks"),
        pytest.param(("KKK",), "0mK#2:KKK+K", "one_group", id="two-groups"),
        pytest.param(("KKK", "3b3b3b"), "0m3#2:3b3b3b", "notation", id="threes"),
        pytest.param(("KKK", "3b3b3b"), "0m3#2:222", "notation", id="wilds-on-threes"),
        pytest.param(("KKK", "3b3b3b"), "0m3b#2:3b3b3b", "notation", id="black-threes"),
        pytest.param(("KKK",), "0mW#2:222", "one_meld", id="wild"),
        pytest.param(("AAAAAAA",), "0mA#2:AA2", "not_held", id="not-held"),
    ],
)
def test_several_melds_of_a_rank(melds, event, reason):
    kings = 8 - "".join(melds).replace("K#", "").count("K")
    holding = "K" * min(kings, 5) + "222**QQQ44455"
    for players in (2, 3, 4):
        hand = position(SALON, players=players, holding=holding, melds=melds, options=SEVERAL)
        assert refusal(hand, event) == reason


@pytest.mark.parametrize("ruleset", [SALON, PARTNERSHIP, MODERN])
def test_one_meld_of_a_rank_where_no_option_lets_more_lie(ruleset):
    for events in (["0mK#2:KKK"], ["0mK", "0mK#2:KK2"], ["0mK#3:KKK"], ["0mW#2:222"]):
        hand = position(ruleset, holding="KKKK222QQ4", melds=("KKK",))
        assert refusal(hand, *events) == "one_meld"
    assert refusal(position(ruleset, holding="KKKK222QQ4", melds=("KKK",)), "0mKKK") is None


def test_numbered_groups_make_their_own_melds():
    hand = position(SALON, holding="KKKKKQQ2*4", melds=("KKK",), options=SEVERAL)
    assert refusal(hand, "0mK#2:KKK", "0mK#2:2", "0mK:*", "0mKK", "0x4") is None
    assert hand.melds[0] == {"K": cards("KKKKK*"), "K#2": cards("KKK2")}


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        ("0mAAA+KKK", None),
        ("0mAAA+KKK+KKK", "same_rank_twice"),
        ("0mAAA+KKK+K#2:KKK", "meld_number"),
        ("0mAAA+K#2:KKK", "meld_number"),
    ],
)
def test_an_opening_has_one_group_of_a_rank(event, reason):
    assert refusal(position(SALON, holding="AAAKKKKKK45", options=SEVERAL), event) == reason


def test_a_second_meld_follows_the_opening_in_the_same_turn():
    hand = position(SALON, holding="AAAKKKKKK45", options=SEVERAL)
    assert refusal(hand, "0mAAA+KKK", "0mK#2:KKK", "0x4") is None


@pytest.mark.parametrize(
    ("frozen", "melds", "event", "reason"),
    [
        (False, ("QQQ",), "0tQ2:Q#2:QQ", None),
        (True, ("QQQ",), "0tQ2:Q#2:QQ", None),
        (False, ("QQQ",), "0tQ2:Q#2:QQQ", None),
        (False, ("QQQ",), "0tQ2:Q#2:Q", "pile_pair"),
        (False, ("QQQ",), "0tQ2:Q#2:Q2", "pile_pair"),
        (False, ("QQQ",), "0tQ2:Q#2:QQ2", "pile_pair"),
        (False, ("QQQ",), "0tQ2:Q#2:QQ+555", "pile_pair"),
        (False, ("QQQ",), "0tQ2:Q#2:", "no_meld"),
        (False, ("QQQ",), "0tQ2:Q#3:QQ", "meld_number"),
        (False, ("KKK",), "0tQ2:Q#2:QQ", "meld_number"),
        (False, ("KKK",), "0tQ2:Q#2:", "meld_number"),
        (False, (), "0tQ2:Q#2:QQQ", "meld_number"),
        (False, (), "0tQ2:QQQ+555", None),
        (False, (), "0tQ2:QQQ+Q#2:QQ", "meld_number"),
        (False, ("QQQ", "Q#2:Q*Q"), "0tQ2:Q#2:", None),
        (True, ("QQQ", "Q#2:Q*Q"), "0tQ2:Q#2:", "frozen"),
        (True, ("QQQ", "Q#2:Q*Q"), "0tQ2:Q#2:QQ", None),
        (False, ("QQQ", "Q#2:Q*Q"), "0tQ2:Q#3:QQ", None),
        (False, ("QQQ", "Q#2:Q*Q"), "0tQ2:Q#3:", "no_meld"),
        (False, ("QQQ", "Q#2:Q*Q"), "0tQ2:Q#4:", "meld_number"),
        (False, ("QQQ", "Q#2:Q*Q"), "0tQ2:Q#2:+QQ", "notation"),
        (False, ("QQQ", "Q#2:Q*Q"), "0tQ2:QQ+Q#2:", "notation"),
        (False, ("QQQ", "Q#2:Q*Q"), "0tQ2:Q#1:", "notation"),
        (False, ("KKK", "K#2:KKK"), "0tQ2:K#2:", "top_card"),
    ],
)
def test_the_pile_onto_a_numbered_meld(frozen, melds, event, reason):
    hand = position(
        SALON,
        holding="QQQ2555678",
        pile="4Q",
        frozen=frozen,
        melds=melds,
        drawn=False,
        options=SEVERAL,
    )
    assert refusal(hand, event) == reason


def test_the_top_card_lies_where_the_event_says():
    for event, second, first in (
        ("0tQ2:Q#2:QQ", "QQQ*QQ", "QQQ"),
        ("0tQ2:Q#2:", "QQQ*", "QQQ"),
        ("0tQ2:QQ", "QQ*", "QQQQQQ"),
        ("0tQ2:", "QQ*", "QQQQ"),
    ):
        hand = position(
            SALON, holding="QQ567", pile="4Q", melds=("QQQ", "Q#2:QQ*"), drawn=False, options=SEVERAL
        )
        assert refusal(hand, event) is None
        assert hand.own == {"Q": cards(first), "Q#2": cards(second)}
    off = position(SALON, holding="QQ567", pile="4Q", melds=("QQQ",), drawn=False)
    assert refusal(off, "0tQ2:Q#2:QQ") == "one_meld"
    assert refusal(off, "0tQ2:Q#2:") == "one_meld"


def test_each_canasta_of_a_rank_counts():
    hand = position(
        SALON, players=2, holding="44", melds=("KKKKK2*", "A#1:AAAAA22", "A#2:AAA2222"), options=SEVERAL
    )
    hand.own["A"] = hand.own.pop("A#1")
    assert hand.may_end_now()
    ledger = hand._ledger(0)
    # K 50 + 2 20 + * 50; aces 8 x 20, 2s 6 x 20
    assert (ledger["canastas"], ledger["melds"]) == (900, 120 + 160 + 120)
    assert hand._counts(0) == {"natural": 0, "mixed": 3}
    apart = position(SALON, players=2, holding="44", melds=("KKKK", "K#2:KKKK"), options=SEVERAL)
    assert apart._counts(0) == {"natural": 0, "mixed": 0}
    assert not apart.may_end_now()


#: A canasta that takes no further wild card.
FULL = "AAAA***"


@pytest.mark.parametrize(
    ("players", "holding", "melds", "spread"),
    [
        # five wild cards lie on two melds, or on one with three and one discarded: one too many
        pytest.param(4, "KKKK22222", (FULL,), True, id="two-new-melds"),
        pytest.param(4, "KK", (FULL,), False, id="a-pair-is-no-meld"),
        pytest.param(4, "KKK22222", (FULL,), False, id="three-naturals-make-one-meld"),
        pytest.param(4, "KKKKKK22222222", (FULL,), True, id="three-new-melds"),
        pytest.param(4, "KKKKK22222222", (FULL,), False, id="five-naturals-make-two-melds"),
        pytest.param(4, "KKK22222", (FULL, "KKK"), True, id="an-old-and-a-new"),
        pytest.param(4, "K22222", (FULL, "KKK"), False, id="one-natural-begins-none"),
        pytest.param(4, "22222", (FULL, "KKK", "K#2:KKK"), True, id="two-old-melds"),
        pytest.param(4, "22222", (FULL, "KK22", "K#2:KKK"), True, id="room-for-four"),
        pytest.param(4, "222222", (FULL, "KK22", "K#2:KKK"), False, id="room-for-four-of-six"),
        pytest.param(4, "KKKK222224", (FULL,), True, id="and-a-discard"),
        pytest.param(4, "KKKK2222245", (FULL,), False, id="and-two-cards"),
        # the canastas decide where the cards go
        pytest.param(2, "KK", (FULL, "KKKK2", "K#2:KK2"), True, id="both-on-the-first"),
        pytest.param(2, "KK", (FULL, "KK2", "K#2:KKKK2"), True, id="both-on-the-second"),
        pytest.param(2, "KK", (FULL, "KKKK", "K#2:KK2"), False, id="no-second-canasta"),
        pytest.param(2, "KK222222", ("KKK", "K#2:KKK"), True, id="two-canastas-of-a-rank"),
        pytest.param(2, "K222222", ("KKK", "K#2:KKK"), False, id="a-card-short-of-two"),
        pytest.param(4, "K222222", ("KKK", "K#2:KKK"), True, id="one-is-enough"),
    ],
)
def test_going_out_spreads_the_holding_over_the_melds_of_a_rank(players, holding, melds, spread):
    hand = position(SALON, players=players, holding=holding, melds=melds, options=SEVERAL)
    assert hand.can_go_out() == spread
    if "#" not in "".join(melds):
        assert not position(SALON, players=players, holding=holding, melds=melds).can_go_out()


def test_going_out_by_two_melds_of_a_rank():
    hand = position(SALON, holding="KKKK222222", melds=(FULL,), options=SEVERAL)
    assert refusal(hand.copy(), "0mKKK222", "0mK#2:K22") == "meld"
    assert refusal(hand.copy(), "0mKK222", "0mK#2:KK222", "0o") is None
    bound = position(SALON, holding="3b3b3bKKKK22222", melds=(FULL,), options=SEVERAL)
    assert refusal(bound.copy(), "0m3b3b3b", "0mKKK222") == "must_go_out"
    assert refusal(bound, "0m3b3b3b", "0mKK222", "0mK#2:KK22", "0o") is None
    one = position(SALON, holding="3b3b3bKKKK22222", melds=(FULL,))
    assert refusal(one, "0m3b3b3b") == "must_go_out"


@pytest.mark.parametrize(
    ("ruleset", "players", "options", "plays"),
    [
        *[(SALON, players, SEVERAL, {"m", "t", "t:"}) for players in (2, 3, 4)],
        (MODERN, 4, WILD_MELDS, {"m"}),
    ],
)
def test_random_play_lays_and_is_refused_numbered_groups(ruleset, players, options, plays):
    def count(events):
        return Counter(event[1] + ":" * event.endswith(":") for event in events if "#" in event)

    hands = [random_hand(f"numbered {seed}", ruleset, players, options) for seed in range(40)]
    legal = count(event for hand in hands for event in hand.record["events"].split())
    refused = count(event for hand in hands for _, event, _ in hand.refused)
    assert set(legal) == set(refused) == plays
    assert legal.total() >= 20
    assert refused.total() >= 20


def test_endgames_begin_with_several_melds_of_a_rank():
    for ruleset, options in ((SALON, SEVERAL), (MODERN, WILD_MELDS)):
        hands = [endgame(f"numbered {seed}", ruleset, 4, options).hand for seed in range(50)]
        assert any("#2" in onto for hand in hands for melds in hand.melds for onto in melds)


def test_what_a_position_allows_names_numbered_melds():
    hand = position(SALON, holding="KKK245", melds=("KKK",), options=SEVERAL)
    events = [head + "+".join(groups) for head, groups in lays(hand)]
    legal = {event for event in events if hand.allows(event)}
    plain = {"0mK", "0mKK", "0mKKK", "0mK2", "0mKK2", "0mKKK2", "0mK:2"}
    assert legal == plain | {"0mK#2:KKK", "0mK#2:KK2", "0mK#2:KKK2"}
    assert "0mK#3:KKK" in events
    assert ("m", frozenset({"K#2:KK2"})) in minimal({play_of(event) for event in legal})
    hand = position(SALON, holding="QQ4", pile="5Q", melds=("QQQ", "Q#2:QQ2"), drawn=False, options=SEVERAL)
    events = [head + "+".join(groups) for head, groups in lays(hand)]
    legal = {event for event in events if hand.allows(event)}
    assert legal == {"0tQ2:", "0tQ2:QQ", "0tQ2:Q#2:", "0tQ2:Q#2:QQ", "0tQ2:Q#3:QQ"}
    assert play_of("0tQ2:Q#2:") == ("tQ2:", frozenset({"Q#2:"}))
    assert engine_position(hand)["melds"][0] == ["QQQ", "QQ2"]


def test_always_frozen():
    hand = position(
        SALON, holding="QQ567", pile="4Q", melds=("QQQ",), drawn=False, options={"always_frozen": True}
    )
    assert refusal(hand, "0tQ2:") == "frozen"
    assert refusal(hand, "0tQ2:QQ") is None


def test_one_card_rule():
    common = {"holding": "5", "melds": ("QQQQQQQ",), "drawn": False}
    assert refusal(position(SALON, pile="Q", **common), "0tQ1:") == "one_card"
    assert refusal(position(SALON, pile="4Q", **common), "0tQ2:") is None
    assert refusal(position(PARTNERSHIP, pile="Q", **common), "0tQ1:") is None


def test_c19_two_canastas_for_two_players():
    one = position(SALON, players=2, holding="JJJ4", melds=("KKKKKKK",))
    assert refusal(one, "0mJJJ") == "keep_a_card"
    two = position(SALON, players=2, holding="JJJ4", melds=("KKKKKKK", "8888888"))
    assert refusal(two, "0mJJJ", "0x4", "0o") is None
    option = position(SALON, players=2, holding="JJJ4", melds=("KKKKKKK",), options={"canastas_to_go_out": 1})
    assert refusal(option, "0mJJJ") is None


def test_the_last_card_in_the_two_classics():
    salon = position(SALON, holding="JJJ", melds=("KKKKKKK",))
    assert refusal(salon, "0mJJJ", "0o") is None
    partnership = position(PARTNERSHIP, holding="JJJ", melds=("KKKKKKK",))
    assert refusal(partnership, "0mJJJ") == "keep_a_card"


def test_black_threes_on_the_way_out():
    hand = position(PARTNERSHIP, holding="3b3b3b4", melds=("KKKKKKK",))
    assert refusal(hand, "0m3b3b3b", "0x4", "0o") is None
    wild = position(PARTNERSHIP, holding="3b3b3b24", melds=("KKKKKKK",))
    assert refusal(wild, "0m23b3b3b") == "black_threes"
    staying = position(PARTNERSHIP, holding="3b3b3b456", melds=("KKKKKKK",))
    assert refusal(staying, "0m3b3b3b") == "must_go_out"


def test_c30_red_three_from_a_pile():
    def hand(ruleset, **more):
        return position(
            ruleset, holding="QQ567", pile="3r4Q", frozen=True, melds=("KKK",), drawn=False, **more
        )

    assert refusal(hand(PARTNERSHIP), "0tQ3:QQ", "03" + "3r>5") == "replacement"
    assert refusal(hand(PARTNERSHIP), "0tQ3:QQ", "03" + "3r") is None
    assert refusal(hand(PARTNERSHIP), "0tQ3:QQ", "0x5") == "three_first"
    assert refusal(hand(SALON), "0tQ3:QQ", "03" + "3r>5") is None
    option = {"red_three_from_pile_replaced": False}
    assert refusal(hand(SALON, options=option), "0tQ3:QQ", "03" + "3r") is None


@pytest.mark.parametrize(
    ("ruleset", "scores", "hand_no", "end"),
    [
        pytest.param(PARTNERSHIP, [5050, 5050], 12, (False, None), id="C31-another-hand"),
        pytest.param(PARTNERSHIP, [5050, 5050], 40, (True, None), id="C31-draw"),
        (PARTNERSHIP, [100, 4000], 40, (True, 1)),
        (PARTNERSHIP, [100, 4000], 39, (False, None)),
        (PARTNERSHIP, [5000, 4995], 3, (True, 0)),
        (SALON, [5050, 5050], 60, (False, None)),
        (SALON, [5050, 5100, 0], 3, (True, 1)),
        (MODERN, [8495, 0], 3, (False, None)),
        (MODERN, [8500, 9000], 3, (True, 1)),
        (MODERN, [9000, 9000], 3, (False, None)),
    ],
)
def test_the_end_of_a_game(ruleset, scores, hand_no, end):
    assert game_end(ruleset, scores, hand_no, None) == end


def test_no_hand_follows_the_end_of_its_game():
    for changes, is_over in (
        ({"hand_no": 40}, False),
        ({"hand_no": 41}, True),
        ({"score_before": [5000, 5000]}, False),
        ({"score_before": [5000, 4995]}, True),
    ):
        verdict = referee(blank_record(PARTNERSHIP, **changes))
        assert ((verdict.event, verdict.reason) == (0, "game_over")) == is_over


def test_short_game():
    assert game_end(SALON, [1500, 0], 3, None, short_game=True) == (True, 0)


def test_concealed_is_the_players_in_the_salon_and_the_sides_in_partnership():
    for ruleset, points in ((SALON, 200), (PARTNERSHIP, 100)):
        hand = position(ruleset, holding="JJJ4", melds=("KKKKKKK",))
        assert refusal(hand, "0mJJJ", "0x4", "0o") is None
        assert hand.result()["ledger"][0]["going_out"] == points
    for ruleset in (SALON, PARTNERSHIP):
        hand = position(ruleset, holding="AAAAAAAKKK4")
        assert refusal(hand, "0mKKK+AAAAAAA", "0x4", "0o") is None
        assert hand.result()["ledger"][0]["going_out"] == 200
        assert hand.result()["concealed"]


def test_partnership_ends_after_the_turn_of_the_last_card():
    for ruleset, phase in ((PARTNERSHIP, "over"), (SALON, "draw")):
        hand = position(ruleset, holding="JJJ4", drawn=False)
        hand.unseen = cards("5")
        assert refusal(hand, "0d5", "0x4") is None
        assert hand.phase == phase


def test_the_last_red_three_is_laid_and_the_turn_goes_on():
    hand = position(PARTNERSHIP, holding="JJJ4", drawn=False)
    hand.unseen = cards("3r")
    assert refusal(hand, "0d3r", "03" + "3r", "0x4") is None
    assert hand.result()["ledger"][0]["threes"] == -100


def test_two_are_drawn_and_one_where_one_is_left():
    hand = position(SALON, players=2, holding="JJJ4", drawn=False)
    assert refusal(hand, "0d5") == "draw_count"
    hand.unseen = cards("5")
    assert refusal(hand, "0d5") is None


@pytest.mark.parametrize(
    ("upcards", "reason"),
    [("A", None), ("2A", None), ("3r2K", None), ("2", "deal"), ("4K", "deal"), ("", "deal")],
)
def test_upcards(upcards, reason):
    record = blank_record(SALON)
    record["deal"] = record["deal"] | {"upcards": upcards}
    verdict = referee(record)
    assert not verdict.legal
    assert verdict.reason == (reason or "unfinished")


def test_a_whole_small_hand_and_its_result():
    # Two players draw and discard until the stock (108 - 30 - 1 = 77 cards) is gone; the 3s come last.
    record = blank_record(SALON, players=2)
    order = "456789TJQKA2*"
    left = [rank for rank in order[:-1] for _ in range(8)] + ["*"] * 4
    for card in "".join(record["deal"]["holdings"]) + record["deal"]["upcards"]:
        left.remove(card)
    events, seat = [], 0
    while len(left) > 1:
        drawn, left = left[:2], left[2:]
        events += [f"{seat}d{''.join(drawn)}", f"{seat}x{drawn[0]}"]
        seat = 1 - seat
    record["events"] = " ".join(events)
    verdict = referee(record)
    assert (verdict.event, verdict.reason) == (len(events) + 1, "unfinished")
    events += [f"{seat}d{left[0]}3r", f"{seat}33r>3b", f"{seat}x{left[0]}"]
    events += [f"{1 - seat}d3r3r", f"{1 - seat}33r>3b", f"{1 - seat}33r>3b", f"{1 - seat}x3b"]
    events += [f"{seat}d3r3b", f"{seat}33r", f"{seat}x3b"]
    record["events"] = " ".join(events)
    verdict = referee(record)
    assert verdict.legal, verdict
    assert verdict.result["ended_by"] == "stock"
    assert [ledger["threes"] for ledger in verdict.result["ledger"]] == [-200, -200]
    assert result_differences(record | {"result": verdict.result}, verdict) == []
    assert result_differences(record | {"result": verdict.result | {"points": [0, 0]}}, verdict) == ["points"]


@pytest.mark.parametrize(
    ("holding", "melds", "pile", "reason"),
    [
        ("JJ456", ("QQQ",), "4J", None),
        ("J4456", ("QQQ",), "4J", "after_the_end"),
        ("QQQKK**4JJ", (), "4J", None),
        ("QQQKK4JJ", (), "4J", "after_the_end"),
        ("QQQKK**4JJ", (), "", "after_the_end"),
    ],
)
def test_the_clock_runs_out_on_who_could_still_take_the_pile(holding, melds, pile, reason):
    hand = position(MODERN, holding=holding, melds=melds, pile=pile, stock=0, drawn=False)
    assert refusal(hand, "0k") == reason
