"""Positions that no play reaches are refused with the reason; what only looks odd is scored."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cards import ACE, JOKER, RANKS, SEVEN, TWO
from engine.end_position import score
from engine.errors import CoastalError, PositionError, RuleSetError
from engine.impossible import SPECIAL_SHAPES
from engine.rules.special import makes_special
from engine.state import SPECIAL_HANDS, empty_state
from tests.support.positions import modern, partnership, position, side

OUT = side("KKKKKKK 5555555", "/4", went_out=True)
CLASSIC_OUT = side("KKKKKKK 5555", "/4", went_out=True)


def salon(*sides: dict[str, Any], **options: Any) -> dict[str, Any]:
    return position("classic_salon", *sides, **options)


IMPOSSIBLE = {
    # Cards: eight of a rank, four jokers, four 3s of a colour, over the whole table.
    "nine-kings-one-side": (modern(side("KKKKKKK", "KK/")), "9 cards of K"),
    "nine-kings-both-sides": (position("modern_american", side("KKKKKK"), side("KKK")), "9 cards of K"),
    "nine-twos": (modern(side("2222222 KKKKK22")), "9 cards of 2"),
    "five-jokers": (modern(side("222****", "*/")), "5 cards of *"),
    "five-red-threes": (
        position("modern_american", side(red_threes=3), side(red_threes=2)),
        "5 cards of 3r",
    ),
    "red-three-laid-and-held": (modern(side("", "3r/", red_threes=4)), "5 cards of 3r"),
    "five-black-threes": (
        position("classic_partnership", side("KKKKKKK 3b3b3b", "/", went_out=True), side("", "3b3b/")),
        "5 cards of 3b",
    ),
    "too-many-threes-on-a-side": (modern(side(red_threes=5)), "less than or equal to 4"),
    "minus-one-three": (modern(side(red_threes=-1)), "greater than or equal to 0"),
    # Melds.
    "two-ranks": (modern(side("KKQ")), "one rank"),
    "no-cards": (position("modern_american", side() | {"melds": [""]}, side()), "without cards"),
    "two-cards": (modern(side("KK")), "the least is 3"),
    "eight-cards-modern": (modern(side("KKKKKKKK")), "the most is 7"),
    "eight-wilds-modern": (modern(side("2222222*")), "the most is 7"),
    "one-natural": (modern(side("K22")), "1 natural"),
    "three-wilds-modern": (modern(side("KK222")), "3 wild cards"),
    "four-wilds-classic": (partnership(side("KKKK2222")), "4 wild cards"),
    "wild-on-sevens": (modern(side("77777*")), "sevens"),
    "wild-meld-classic": (partnership(side("222")), "no meld"),
    "two-melds-of-kings": (modern(side("KKK KKK2")), "too many, KKK"),
    "two-wild-melds": (modern(side("222 22*")), "too many, 22*"),
    "threes-melded-modern": (modern(side("3b3b3b")), "never melded"),
    "red-threes-melded": (partnership(side("3r3r3r")), "one rank"),
    "black-threes-not-out": (partnership(side("KKKKKKK 3b3b3b")), "only in going out"),
    "black-threes-of-the-other-side": (
        position("classic_partnership", CLASSIC_OUT, side("QQQ 3b3b3b", "4/4")),
        "only in going out",
    ),
    "black-threes-with-a-wild": (
        partnership(side("KKKKKKK 3b3b2", "/", went_out=True)),
        "hold no wild cards",
    ),
    "two-black-threes": (partnership(side("KKKKKKK 3b3b", "/", went_out=True)), "the least is 3"),
    # 3s where they cannot be.
    "red-three-held-classic": (partnership(side("", "3r/")), "red 3"),
    "black-threes-laid-classic": (partnership(side(black_threes=1)), "black 3s laid"),
    "two-threes-held-modern": (modern(side("", "3r/3b")), "3s in two holdings"),
    "three-held-though-out": (
        position("modern_american", OUT, side("", "3b/4")),
        "a 3 in a holding ends the hand",
    ),
    # Going out.
    "out-with-cards-in-both-holdings": (modern(OUT | {"holdings": ["4", "4"]}), "nobody's holding is empty"),
    "both-sides-out": (
        position("modern_american", OUT, side("QQQQQQQ 6666666", "/4", went_out=True)),
        "once",
    ),
    "concealed-but-not-out": (modern(side("KKKKKKK 5555555", concealed=True)), "concealed"),
    "out-with-one-canasta-modern": (modern(side("KKKKKKK 555", "/4", went_out=True)), "1 canastas"),
    "out-without-a-canasta-classic": (partnership(side("KKKKKK", "/4", went_out=True)), "0 canastas"),
    "out-with-one-canasta-of-two-players": (
        salon(side("KKKKKKK", "", went_out=True), side("", "4"), players=2),
        "1 canastas",
    ),
    "out-with-one-canasta-option": (
        salon(CLASSIC_OUT, side(), canastas_to_go_out=2),
        "1 canastas",
    ),
    "out-with-unfinished-sevens": (modern(side("KKKKKKK 5555555 777", "/", went_out=True)), "meld of 7"),
    "out-with-unfinished-aces": (modern(side("KKKKKKK 5555555 AAA", "/", went_out=True)), "meld of A"),
    "out-with-unfinished-wilds": (modern(side("KKKKKKK 5555555 222", "/", went_out=True)), "wild meld"),
    # Special hands.
    "special-unknown": (modern(side(special="straight")), "unknown special hand"),
    "special-off": (modern(side(special="pairs"), special_hands=False), "special hands"),
    "special-classic": (partnership(side(special="pairs")), "special hands"),
    "special-on-both-sides": (
        position("modern_american", side(special="pairs"), side(special="garbage")),
        "once",
    ),
    "special-and-out": (modern(OUT | {"special": "pairs"}), "once"),
    "special-and-other-side-out": (position("modern_american", side(special="pairs"), OUT), "once"),
    "special-with-cards-in-both-holdings": (
        modern(side("", "4/4", special="pairs")),
        "nobody's holding is empty",
    ),
    "dream-of-four-wilds-without-wilds": (
        position("modern_american", side(special="dream_4"), side("2222222", "**/**")),
        "make no dream_4",
    ),
    "pairs-of-six-ranks": (
        position(
            "modern_american",
            side(special="pairs"),
            side("4444444 5555555 6666666 8888888 9999999", "/"),
        ),
        "make no pairs",
    ),
    "wild-pairs-without-a-pair-of-sevens": (
        position("modern_american", side(special="wild_pairs"), side("7777777", "/")),
        "make no wild_pairs",
    ),
    "triples-with-one-two-and-one-joker": (
        position("modern_american", side(special="triples"), side("2222222", "***/")),
        "make no triples",
    ),
    "black-threes-where-none-are-melded": (
        salon(side("KKKKKKK 3b3b3b", "/", went_out=True), side(), black_three_melds=False),
        "not melded here",
    ),
    # More melds of a rank.
    "two-melds-of-a-rank": (salon(side("KKK KK2", "4/"), side()), "too many, KK2"),
    "nine-cards-in-two-melds-of-a-rank": (
        salon(side("KKKKK KKKK"), side(), one_meld_a_rank=False),
        "9 cards of K",
    ),
    "two-melds-of-a-rank-modern": (modern(side("KKK KKK"), one_wild_meld=False), "too many, KKK"),
    "five-melds-of-a-rank": (
        salon(side("KK2 KK2 KK2 KK2 KK2"), side(), one_meld_a_rank=False),
        "too many, KK2",
    ),
    "two-melds-of-black-threes": (
        salon(side("KKKKKKK 3b3b3b 3b", "/", went_out=True), side(), one_meld_a_rank=False),
        "too many, 3b",
    ),
    "second-meld-of-two-cards": (salon(side("KKK KK"), side(), one_meld_a_rank=False), "least is 3"),
    "second-wild-meld-beside-an-open-one": (
        modern(side("22222* 22*"), one_wild_meld=False),
        "a second one follows a closed one",
    ),
    "out-with-a-second-wild-meld": (
        modern(side("KKKKKKK 22222** 22*", "/", went_out=True), one_wild_meld=False),
        "unfinished second wild meld",
    ),
    # The table.
    "one-side": (position("modern_american", side()), "2 seats"),
    "three-sides-modern": (position("modern_american", side(), side(), side()), "6 seats"),
    "three-holdings": (position("modern_american", side("", "4/4/4"), side("", "4")), "2 sides of 2"),
    "one-holding": (position("classic_partnership", side("", "4"), side()), "3 seats"),
    "four-alone-without-the-option": (salon(*[side("", "4")] * 4), "2 sides of 2"),
    "partners-with-the-option": (salon(side(), side(), singles=True), "4 sides of 1"),
    "five-players": (salon(*[side("", "4")] * 5), "players"),
    "players-option-of-another-number": (salon(side(), side(), players=3), "3 players"),
    # Text.
    "hidden-card": (modern(side("", "K?/")), "hidden"),
    "no-such-card": (modern(side("", "K1/")), "expected a card"),
    "three-without-colour": (modern(side("", "3/")), "expected a card"),
    "suits": (modern(side("KsKhKd")), "expected a card"),
}


@pytest.mark.parametrize(("bad", "reason"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_refused(bad: dict[str, Any], reason: str) -> None:
    with pytest.raises(CoastalError, match=reason.replace("*", r"\*")):
        score(bad)


POSSIBLE = {
    "four-melds-of-a-rank": salon(side("KK2 KK2 KK2 KK2"), side(), one_meld_a_rank=False),
    "second-wild-meld": modern(side("22222** 22*"), one_wild_meld=False),
    "second-wild-meld-listed-first": modern(side("22* 22222**"), one_wild_meld=False),
    "mixed-aces": modern(side("AA22")),
    "two-naturals-two-wilds": modern(side("KK22 555")),
    "out-with-unfinished-mixed-aces": modern(side("KKKKKKK 5555555 AA2", "/", went_out=True)),
    "both-sides-meld-a-dead-rank": position("modern_american", side("KKKKK22"), side("KKK")),
    "one-three-held": modern(side("", "3b/")),
    # The last card may be a 3 while another 3 among the same bonus cards still waits to be laid.
    "two-threes-held-by-one": modern(side("", "3b3r/")),
    "partner-melded-before-the-special-hand": modern(side("KKKK QQQ", "/4", red_threes=1, special="triples")),
    "dream-of-five-wilds-of-both-kinds": position(
        "modern_american", side(special="dream_5"), side("222222", "*/")
    ),
    "zip-code-with-a-group-of-jokers": position(
        "modern_american",
        side(special="zip_code"),
        side("4444444 5555555 6666666 7777777 8888888 9999999 TTTTTTT", "/"),
    ),
    "nine-card-canasta": partnership(side("KKKKKKKK2")),
    "eleven-card-canasta": partnership(side("KKKKKKKK222")),
    "sevens-with-wilds-classic": partnership(side("777*")),
    "four-black-threes-out": partnership(side("KKKKKKK 3b3b3b3b", "/", went_out=True)),
    "out-with-unfinished-sevens-classic": partnership(side("KKKKKKK 777", "/", went_out=True)),
    "two-players-one-canasta-option": salon(
        side("KKKKKKK", "", went_out=True), side("", "4"), players=2, canastas_to_go_out=1
    ),
    "four-alone": salon(*[side("", "4")] * 4, singles=True),
    "players-by-the-holdings": salon(side("", "4"), side("", "5")),
    "concealed": partnership(side("KKKKKKK 5555", "/4", went_out=True, concealed=True)),
}


@pytest.mark.parametrize("odd", POSSIBLE.values(), ids=POSSIBLE)
def test_scored(odd: dict[str, Any]) -> None:
    assert all(isinstance(ledger.points, int) for ledger in score(odd))


@pytest.mark.parametrize("name", SPECIAL_HANDS)
def test_each_shape_of_a_special_hand_makes_it_and_no_other(name: str) -> None:
    for shape in SPECIAL_SHAPES[name]:
        hand = empty_state()
        ranks = [rank for rank in range(RANKS) if not shape.aces_and_sevens or rank not in (SEVEN, ACE)]
        for rank, size in zip(ranks, shape.groups, strict=False):
            hand.holding[0, rank] = size
        if shape.aces_and_sevens:
            hand.holding[0, [SEVEN, ACE]] = 2
        hand.holding[0, TWO], hand.holding[0, JOKER] = shape.twos + shape.wilds, shape.jokers
        made = [other for which, other in enumerate(SPECIAL_HANDS) if makes_special(hand, 0, which)]
        assert made == [name], shape


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"format": "canasta-position/2"}, "format"),
        ({"format": None}, "format"),
        ({"sides": "KKK"}, "sides"),
        ({"sides": [{"melds": []}, side()]}, "sides.0.holdings"),
        ({"sides": [side(went_out=1), side()]}, "sides.0.went_out"),
        ({"sides": [side(red_threes="1"), side()]}, "sides.0.red_threes"),
        ({"sides": [side(red_threes=True), side()]}, "sides.0.red_threes"),
        ({"sides": [side(wild_threes=1), side()]}, "sides.0.wild_threes"),
        ({"sides": [side() | {"melds": [7]}, side()]}, "sides.0.melds.0"),
        ({"rules": "modern_american"}, "rules"),
        ({"id": 7}, "id"),
    ],
)
def test_a_field_of_the_wrong_kind_is_named(change: dict[str, Any], place: str) -> None:
    with pytest.raises(PositionError, match=place):
        score(modern(side()) | change)


def test_fields_of_the_writer_are_left_alone() -> None:
    assert score(modern(side()) | {"note": "n", "expected_points": [1, 2], "x_table": 3})[0].points == 0


@pytest.mark.parametrize("options", [{"special_hand": True}, {"special_hands": 1}, {"clock_seconds": 9}])
def test_unknown_options_and_values_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(RuleSetError, match=next(iter(options))):
        score(modern(side(), **options))


def test_every_fault_is_told_at_once() -> None:
    with pytest.raises(PositionError) as caught:
        score(modern(side("KK 77*", "AAAAAAAAA/", went_out=True)))
    text = str(caught.value)
    assert all(part in text for part in ("least is 3", "sevens", "9 cards of A", "canastas"))
