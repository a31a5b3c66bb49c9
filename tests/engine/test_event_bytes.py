"""The reader of bytes and the reader of text know one grammar, and see the same cards in it."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import actions as a
from engine.errors import NotationError
from engine.notation import CardStyle, parse_event
from engine.replay import event_bytes as eb
from engine.state import (
    BLACK_MELD,
    CARD,
    COUNT,
    JOKERS,
    NATURALS,
    NUMBER,
    SEAT,
    SPECIAL_HANDS,
    TWOS,
    VERB,
    WILD_MELD,
    empty_action,
)
from tests.support.events import event_texts

STYLES: dict[CardStyle, int] = {"suit": eb.SUIT, "rank": eb.RANK}
SUITS = "shdc"
# The ids, from their definition: 4 * kind + suit, 48, 52.. for 3s 3h 3d 3c; by rank, the first suit and 3h.
IDS: dict[CardStyle, dict[str, int]] = {
    "suit": {
        rank + suit: 4 * kind + s for kind, rank in enumerate("456789TJQKA2") for s, suit in enumerate(SUITS)
    }
    | {"3" + suit: 52 + s for s, suit in enumerate(SUITS)}
    | {"*": 48},
    "rank": {rank: 4 * kind for kind, rank in enumerate("456789TJQKA2")} | {"*": 48, "3r": 53, "3b": 52},
}
SLOTS = {rank: kind for kind, rank in enumerate("456789TJQKA")} | {"W": WILD_MELD, "3": BLACK_MELD}
VERBS = {
    a.Draw: 1, a.LayThree: 2, a.TakePile: 3, a.Meld: 4, a.Discard: 5, a.Ask: 6, a.TakeBack: 9, a.ClockOut: 10,
    a.DeclareSpecial: 11, a.BonusCards: 12, a.GoOut: 14,
}  # fmt: skip


class Read:
    """What the reader of bytes makes of an event."""

    def __init__(self, text: str, style: CardStyle) -> None:
        self.action = empty_action()
        self.cards = np.zeros(eb.MOST_CARDS, np.int64)
        self.drawn = np.zeros(eb.MOST_CARDS, np.int64)
        self.facts = np.zeros(eb.EVENT_FACTS, np.int64)
        data = np.frombuffer(b"0 " + text.encode() + b" 1", np.uint8)
        self.is_event = eb.read_event(
            data, 2, len(data) - 2, STYLES[style], self.action, self.cards, self.drawn, self.facts
        )


def parsed(text: str, style: CardStyle) -> a.Action | None:
    try:
        return parse_event(text, style)
    except NotationError:
        return None


def check_same(text: str, style: CardStyle) -> None:
    action, read = parsed(text, style), Read(text, style)
    assert (action is not None) == read.is_event
    if action is None:
        return
    verb = (7 if action.yes else 8) if isinstance(action, a.Answer) else VERBS[type(action)]
    assert (read.action.what[VERB], read.action.what[SEAT]) == (verb, action.seat)
    check_cards(action, read, style)
    check_groups(action, read)


def check_cards(action: a.Action, read: Read, style: CardStyle) -> None:
    played: list[str] = []
    drawn: list[str] = []
    if isinstance(action, a.Draw | a.BonusCards):
        drawn = list(action.cards)
    elif isinstance(action, a.LayThree):
        played, drawn = [action.card], [action.replacement] if action.replacement else []
    elif isinstance(action, a.Discard):
        played = [action.card]
    elif isinstance(action, a.TakePile | a.Meld | a.TakeBack):
        played = [card for group in action.groups for card in group.cards]
    ids = IDS[style]
    assert read.cards[: read.facts[eb.PLAYED]].tolist() == [ids[card] for card in played]
    assert read.drawn[: read.facts[eb.DRAWN]].tolist() == [ids.get(card, 56) for card in drawn]
    assert (read.facts[eb.FLAW] == eb.SEES_HIDDEN) == ("?" in drawn)
    if isinstance(action, a.Discard | a.LayThree):
        assert eb.kind_of(ids[played[0]]) == read.action.what[CARD]
    if isinstance(action, a.DeclareSpecial):
        place = SPECIAL_HANDS.index(action.name) if action.name in SPECIAL_HANDS else -1
        assert read.action.what[CARD] == place
    if isinstance(action, a.TakePile):
        assert read.action.what[COUNT] == action.pile_size
        assert read.facts[eb.TOP] == (ids[action.top] if style == "suit" and action.top in ids else -1)


def check_groups(action: a.Action, read: Read) -> None:
    if not isinstance(action, a.TakePile | a.Meld | a.TakeBack):
        return
    ranks = Counter(group.rank for group in action.groups)
    is_red = any(card in ("3r", "3h", "3d") for group in action.groups for card in group.cards)
    is_mixed = not all(group.is_of_one_rank for group in action.groups)
    is_flawed = read.facts[eb.FLAW] in (eb.SAME_MELD, eb.MIXED_GROUP, eb.RED_MELD)
    assert is_flawed == (max(ranks.values(), default=0) > 1 or is_mixed or is_red)
    if is_flawed:
        return
    for group in action.groups:
        count = Counter({"2": TWOS, "*": JOKERS}.get(card[0], NATURALS) for card in group.cards)
        assert read.action.laid[SLOTS[group.rank]].tolist() == [count[NATURALS], count[TWOS], count[JOKERS]]
    assert read.action.laid.sum() == sum(len(group.cards) for group in action.groups)
    assert read.action.what[NUMBER] == max((group.number - 1 for group in action.groups), default=0)
    assert read.facts[eb.FIRST] == (SLOTS[action.groups[0].rank] if action.groups else -1)


@pytest.mark.parametrize("style", ["rank", "suit"])
@given(data=st.data())
def test_every_event_is_read_alike(style: CardStyle, data: st.DataObject) -> None:
    check_same(data.draw(event_texts(style)), style)


@pytest.mark.parametrize("style", ["rank", "suit"])
@given(data=st.data())
def test_events_of_the_other_style_are_read_alike(style: CardStyle, data: st.DataObject) -> None:
    check_same(data.draw(event_texts("rank" if style == "suit" else "suit")), style)


@pytest.mark.parametrize("style", ["rank", "suit"])
@given(st.data())
def test_an_event_with_a_byte_changed_is_read_alike(style: CardStyle, data: st.DataObject) -> None:
    text = data.draw(event_texts(style))
    place = data.draw(st.integers(0, len(text)))
    mark = data.draw(st.sampled_from("0123456789dtmxqynrksboTJQKAW*?+:#>shcb _aZ"))
    kept = data.draw(st.integers(0, 1))
    check_same((text[:place] + mark + text[place + kept :]).replace(" ", "_"), style)


@given(st.text(alphabet="0123dtmrxbsoqynk>:#+?*4QKA2shdc5W", max_size=12), st.sampled_from(["rank", "suit"]))
def test_any_text_is_read_alike(text: str, style: CardStyle) -> None:
    check_same(text, style)


def test_more_cards_than_a_hand_holds_are_no_event() -> None:
    assert Read("0d" + "K" * eb.MOST_CARDS, "rank").is_event
    assert not Read("0d" + "K" * (eb.MOST_CARDS + 1), "rank").is_event
    assert not Read("0m" + "K" * (eb.MOST_CARDS + 1), "rank").is_event
