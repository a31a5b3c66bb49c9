"""A hand told turn by turn: the words, and the table after each turn."""

from __future__ import annotations

import pytest

from engine.errors import NotationError
from engine.replay import LoggedHand
from engine.telling import tell

# Written by hand: two seats' 3s, an opening, a taken pile, an addition, the end.
EVENTS = (
    "133h>4c 133d>3s 133s>5c 333c 1dKs 1mKsKhKd2c+QhQdQc 1x4c 1b5dJs "
    "2dAh 2rAhAdAc 2x4d 3t42:4h4s+5h5s5c 3x6c 0q 2y 0mW:2h* 0mQ:2s 0k 0xAs 0o"
)
HAND = LoggedHand(
    ruleset="modern_american",
    options={},
    players=4,
    cards="suit",
    dealer=0,
    hand_no=1,
    score_before=(0, 0),
    holdings=("AsAs", "3h3dKhKd2cQhQdQc", "AdAc4d", "3c4h4s5h5s5c6c"),
    upcards="",
    events=EVENTS,
)


def test_each_turn_is_told_in_words_with_the_table_after_it() -> None:
    turns = list(tell(HAND, sides=2))
    assert [(turn.number, turn.seat) for turn in turns] == [(0, 1), (0, 3), (1, 1), (2, 2), (3, 3)]
    assert turns[0].deeds == ("lays 3h and draws 4c", "lays 3d and draws 3s", "lays 3s and draws 5c")
    assert turns[1].deeds == ("lays 3c",)
    assert turns[2].deeds == (
        "draws Ks",
        "opens with Ks Kh Kd 2c + Qh Qd Qc",
        "discards 4c",
        "draws 5d Js as bonus cards",
    )
    assert turns[3].deeds == ("draws Ah", "lays and takes back Ah Ad Ac", "discards 4d")
    assert turns[4].deeds[:2] == ("takes the pile of 2 and melds 4d 4h 4s + 5h 5s 5c", "discards 6c")


def test_another_seats_word_within_a_turn_names_it() -> None:
    deeds = list(tell(HAND, sides=2))[-1].deeds
    assert deeds[2:] == (
        "seat 0 asks to go out",
        "seat 2 answers yes",
        "seat 0 opens with 2h *",
        "seat 0 melds 2s",
        "seat 0 runs out of time",
        "seat 0 discards As",
        "seat 0 goes out",
    )


def test_the_stock_the_pile_and_the_melds_are_followed() -> None:
    turns = list(tell(HAND, sides=2))
    # 108 cards, 20 dealt, 3 replacements, 1 draw, 2 bonus cards, 1 draw.
    assert [turn.stock for turn in turns] == [85, 85, 82, 81, 81]
    assert [turn.pile for turn in turns] == [(), (), ("4c",), ("4c", "4d"), ("6c", "As")]
    assert turns[2].melds == ((), ("Ks Kh Kd 2c", "Qh Qd Qc"))
    assert turns[4].melds[1] == ("Ks Kh Kd 2c", "Qh Qd Qc", "4d 4h 4s", "5h 5s 5c")
    assert turns[4].melds[0] == ("2h *", "2s")


def test_melds_of_one_rank_are_told_apart() -> None:
    fields = {name: getattr(HAND, name) for name in LoggedHand.__dataclass_fields__}
    events = (
        "1dKs 1mKsKhKd 1mK:* 1mKc 1mK#2:KcKc2c 1mK#2:2s 1xQs 3tQs1:QhQd 3xQc 1tQc1:Q#2: 1xKs 3tKs1:K#2:KhKd"
    )
    turns = list(tell(LoggedHand(**(fields | {"events": events})), sides=2))
    assert turns[0].deeds[1:4] == ("opens with Ks Kh Kd", "adds * to K", "adds Kc")
    assert turns[0].deeds[4:6] == ("melds Kc Kc 2c", "adds 2s to K#2")
    assert turns[0].melds[1] == ("Ks Kh Kd Kc *", "Kc Kc 2c 2s")
    assert turns[2].deeds[0] == "takes the pile of 1 and melds Qc"
    assert turns[3].deeds[0] == "takes the pile of 1 and adds Ks Kh Kd to K#2"
    assert turns[3].melds[1] == ("Ks Kh Kd Kc *", "Kc Kc Ks Kh Kd 2c 2s", "Qs Qh Qd", "Qc")


def test_what_comes_before_an_unreadable_event_is_told() -> None:
    fields = {name: getattr(HAND, name) for name in LoggedHand.__dataclass_fields__}
    told = tell(LoggedHand(**(fields | {"events": "1dKs 1x4c 2dAh 2zz 2x4d"})), sides=2)
    assert next(told).deeds == ("draws Ks", "discards 4c")
    with pytest.raises(NotationError):
        next(told)
