"""The event grammar reads every action, refuses everything else, and prints what it read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.actions import (
    Action,
    Answer,
    Ask,
    BonusCards,
    ClockOut,
    DeclareSpecial,
    Decline,
    Discard,
    Draw,
    GoOut,
    Group,
    LayThree,
    Meld,
    TakeBack,
    TakePile,
)
from engine.errors import NotationError
from engine.notation import CardStyle, parse_cards, parse_event, parse_events, print_event, print_events
from tests.support.events import event_texts

# The examples of the published event table, and what each must mean.
TABLE = [
    ("0dKs", Draw(0, ("Ks",))),
    ("0dKs4c", Draw(0, ("Ks", "4c"))),
    ("033h", LayThree(0, "3h")),
    ("033h>Ks", LayThree(0, "3h", "Ks")),
    ("0tQ5:QhQd", TakePile(0, "Q", 5, (Group("Q", ("Qh", "Qd")),))),
    ("0tQ5:", TakePile(0, "Q", 5)),
    ("0tQs5:", TakePile(0, "Qs", 5)),
    (
        "0tK4:KhKd+QcQd2s",
        TakePile(0, "K", 4, (Group("K", ("Kh", "Kd")), Group("Q", ("Qc", "Qd", "2s")))),
    ),
    ("0mKsKhKd2c", Meld(0, (Group("K", ("Ks", "Kh", "Kd", "2c")),))),
    ("0mW:2c*", Meld(0, (Group("W", ("2c", "*")),))),
    ("0mQ:2c", Meld(0, (Group("Q", ("2c",)),))),
    ("0mK#2:KsKhKd", Meld(0, (Group("K", ("Ks", "Kh", "Kd"), 2),))),
    ("0mK#4:2c", Meld(0, (Group("K", ("2c",), 4),))),
    ("0mW#2:2c*2d", Meld(0, (Group("W", ("2c", "*", "2d"), 2),))),
    ("0tK5:K#2:KhKd", TakePile(0, "K", 5, (Group("K", ("Kh", "Kd"), 2),))),
    ("0tK5:K#3:", TakePile(0, "K", 5, (Group("K", (), 3),))),
    (
        "0rQcQdQh+KsKd",
        TakeBack(0, (Group("Q", ("Qc", "Qd", "Qh")), Group("K", ("Ks", "Kd")))),
    ),
    ("0sgarbage", DeclareSpecial(0, "garbage")),
    ("0xAs", Discard(0, "As")),
    ("0b4cJsJd9h", BonusCards(0, ("4c", "Js", "Jd", "9h"))),
    ("0o", GoOut(0)),
    ("0q", Ask(0)),
    ("2y", Answer(2, True)),
    ("2n", Answer(2, False)),
    ("0k", ClockOut(0)),
    ("1d?", Draw(1, ("?",))),
    ("133c>?", LayThree(1, "3c", "?")),
]


@pytest.mark.parametrize(("text", "action"), TABLE, ids=[text for text, _ in TABLE])
def test_each_event_of_the_table_is_read_and_written(text: str, action: object) -> None:
    assert parse_event(text) == action
    assert print_event(parse_event(text)) == text


def test_cards_written_by_rank_keep_the_colour_of_threes() -> None:
    text = "033r>K 1m3b3b3b 2tQ12:QQ+W:22** 0x4"
    assert print_events(parse_events(text, cards="rank")) == text
    assert parse_event("1m3b3b3b", cards="rank") == Meld(1, (Group("3", ("3b", "3b", "3b")),))


def test_a_group_of_two_ranks_is_text_that_the_rules_refuse_later() -> None:
    action = parse_event("0mQQJ", cards="rank")
    assert isinstance(action, Meld)
    assert action.groups == (Group("Q", ("Q", "Q", "J")),)
    assert not action.groups[0].is_of_one_rank


@pytest.mark.parametrize(
    ("text", "is_of_one_rank"),
    [
        ("0m3b3b3b", True),
        ("0m3r3r3r", False),
        ("0m3b3b3r", False),
        ("0mKK2", True),
        ("0mW:2*", True),
        ("0mK#2:KK2", True),
        ("0mK#2:QQ2", False),
        ("0mW#2:QQ2", False),
    ],
)
def test_a_group_knows_whether_its_cards_can_be_one_meld(text: str, is_of_one_rank: bool) -> None:
    action = parse_event(text, cards="rank")
    assert isinstance(action, Meld)
    assert action.groups[0].is_of_one_rank == is_of_one_rank


FAULTS = [
    ("", 0, "suit"),
    ("4dKs", 0, "suit"),
    ("0", 1, "suit"),
    ("0zKs", 1, "suit"),
    ("0dK", 2, "suit"),
    ("0dKs", 3, "rank"),
    ("0d1s", 2, "suit"),
    ("0d*s", 3, "suit"),
    ("0d3h", 2, "rank"),
    ("0m3rQ?", 5, "rank"),
    ("0x?", 2, "suit"),
    ("0xAsKs", 4, "suit"),
    ("03Ks", 2, "suit"),
    ("033h>", 5, "suit"),
    ("0tQ5", 4, "suit"),
    ("0tQ05:", 3, "suit"),
    ("0tQ:QhQd", 3, "suit"),
    ("0tQ5:QhQd+", 10, "suit"),
    ("0m2c*", 2, "suit"),
    ("0mQ:Qc", 2, "suit"),
    ("0m2:2c", 2, "suit"),
    ("0mQcQdQh++Ks", 9, "suit"),
    ("0mQ#2:", 6, "suit"),
    ("0mQ#1:Qc", 2, "suit"),
    ("0mQcQd+Q#:Qh", 7, "suit"),
    ("0mQ#5:Qc", 2, "suit"),
    ("0mQ#2Qc", 2, "suit"),
    ("0m3#2:3s3s3c", 2, "suit"),
    ("0tQ5:K#2:+QcQd", 9, "suit"),
    ("0tQ5:QcQd+Q#2:", 14, "suit"),
    ("0rQ#2:", 6, "suit"),
    ("0o ", 3, "suit"),
    (" 0o", 0, "suit"),
    ("0o  1dKs", 3, "suit"),
    ("0dKs\t1xAs", 4, "suit"),
    ("0sGarbage", 2, "suit"),
    ("0oo", 2, "suit"),
    ("0d\u0664s", 2, "suit"),
]


@pytest.mark.parametrize(("text", "column", "style"), FAULTS)
def test_a_fault_is_refused_with_its_column(text: str, column: int, style: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_events(text, cards=style) if text else parse_event(text)  # type: ignore[arg-type]
    assert caught.value.column == column


def test_a_meld_named_by_no_number_that_there_is_is_told_so() -> None:
    with pytest.raises(NotationError, match="number is #2, #3 or #4"):
        parse_event("0mK#1:KKK", cards="rank")


def test_no_text_holds_no_events_and_no_cards() -> None:
    assert parse_events("") == ()
    assert parse_cards("") == ()
    assert parse_cards("Ks?*3h") == ("Ks", "?", "*", "3h")


@pytest.mark.parametrize("style", ["rank", "suit"])
@given(data=st.data())
def test_whatever_the_grammar_makes_comes_back_byte_for_byte(style: CardStyle, data: st.DataObject) -> None:
    text = data.draw(st.lists(event_texts(style), max_size=12).map(" ".join))
    actions = parse_events(text, style)
    assert print_events(actions) == text
    assert parse_events(print_events(actions), style) == actions


@given(st.text(alphabet="0123dtmrxbsoqynk>:#+?*4QKA2shdc 5W", max_size=24), st.sampled_from(["rank", "suit"]))
def test_any_text_is_read_exactly_or_refused_inside_it(text: str, style: str) -> None:
    actions, column = read_or_refuse(text, style)
    if actions is None:
        assert 0 <= column <= len(text)
    else:
        assert print_events(actions) == text


def read_or_refuse(text: str, style: str) -> tuple[tuple[Action, ...] | None, int]:
    try:
        return parse_events(text, cards=style), 0  # type: ignore[arg-type]
    except NotationError as error:
        return None, error.column


def test_declining_the_pile_has_no_event():
    with pytest.raises(ValueError, match="declining"):
        print_event(Decline(0))
