"""The event grammar of `engine.notation` once more, over bytes, for checking logs by the million.

It reads one event into the kernel's form of an action and lists its cards by *id*, so that a log with suits
can be held to the very cards: ``id = 4 * kind + suit`` for 4..2, 48 for a joker, 52..55 for 3s 3h 3d 3c. In a
log without suits every card is its first suit, a red 3 is 3h. Tests hold both readers to each other.
"""

# Long because it reads the whole grammar of events.
from __future__ import annotations

from typing import Final

import numpy as np

from engine.cards import BLACK_THREE, JOKER, KIND_TEXT, RED_THREE, TWO
from engine.kernel import Row, Text, kernel
from engine.state import (
    ANSWER_NO,
    ANSWER_YES,
    ASK,
    BLACK_MELD,
    CARD,
    COUNT,
    DECLARE,
    DISCARD,
    DRAW_BONUS,
    DRAW_CARDS,
    JOKERS,
    LAY_THREE,
    MELD,
    MELDS_OF_A_RANK,
    NATURALS,
    NUMBER,
    RUN_OUT,
    SEAT,
    SPECIAL_HANDS,
    TAKE_BACK,
    TAKE_PILE,
    TWOS,
    VERB,
    VERBS,
    WILD_MELD,
    Action,
)

# How a log writes cards.
SUIT: Final = 0
RANK: Final = 1

#: The verb of `o`, which the kernel lacks: going out follows from the action before it.
GO_OUT: Final = VERBS

IDS: Final = 56
JOKER_ID: Final = 48
THREE_IDS: Final = 52
SPADE: Final = 0
HEART: Final = 1
DIAMOND: Final = 2

# Columns of the facts of an event.
PLAYED: Final = 0  # cards that leave the holding, at the front of `cards`
DRAWN: Final = 1  # cards that come from the stock, at the front of `drawn`
TOP: Final = 2  # id of the pile's top card where its suit is written, else -1
FLAW: Final = 3  # what the grammar lets pass and the rules do not
FIRST: Final = 4  # slot of the first group laid, -1 where there is none
EVENT_FACTS: Final = 5

# Flaws.
MIXED_GROUP: Final = 1  # naturals of two ranks in a group
SAME_MELD: Final = 2  # two groups of one rank in an event
RED_MELD: Final = 3  # a red 3 in a group
SEES_HIDDEN: Final = 4  # a hidden card

#: The most cards an event can name before it is unreadable: more than a hand holds.
MOST_CARDS: Final = 128

_UNREADABLE: Final = -1
_HIDDEN_ID: Final = 56
_THREE: Final = 100
_KIND: Final = np.full(256, -1, np.int64)
_KIND[[ord(text) for text in KIND_TEXT[: JOKER + 1]]] = np.arange(JOKER + 1)
_KIND[ord("3")] = _THREE
_SUIT: Final = np.full(256, -1, np.int64)
_SUIT[[ord(suit) for suit in "shdc"]] = np.arange(4)
_VERB: Final = np.full(256, -1, np.int64)
_VERB[[ord(verb) for verb in "d3tmxqynrksbo"]] = (
    DRAW_CARDS,
    LAY_THREE,
    TAKE_PILE,
    MELD,
    DISCARD,
    ASK,
    ANSWER_YES,
    ANSWER_NO,
    TAKE_BACK,
    RUN_OUT,
    DECLARE,
    DRAW_BONUS,
    GO_OUT,
)
_NAME_WIDTH: Final = max(map(len, SPECIAL_HANDS)) + 1
_NAMES: Final = np.array([list(name.encode().ljust(_NAME_WIDTH, b"\0")) for name in SPECIAL_HANDS], np.int64)
_QUESTION_MARK: Final = ord("?")
_PLUS: Final = ord("+")
_COLON: Final = ord(":")
_HASH: Final = ord("#")
_ARROW: Final = ord(">")
_ZERO: Final = ord("0")
_W: Final = ord("W")
_R: Final = ord("r")
_B: Final = ord("b")
_A: Final = ord("a")
_Z: Final = ord("z")
_UNDERSCORE: Final = ord("_")


@kernel
def kind_of(card: int) -> int:
    """Return the kind of a card id."""
    if card < JOKER_ID:
        return card // 4
    if card == JOKER_ID:
        return JOKER
    return RED_THREE if card - THREE_IDS in (HEART, DIAMOND) else BLACK_THREE


@kernel
def copies_of(card: int, style: int) -> int:
    """Return how many cards of an id two packs with four jokers hold."""
    if card == JOKER_ID:
        return 4
    if style == SUIT:
        return 2
    return 4 if card >= THREE_IDS else 8


@kernel
def read_card(text: Text, at: int, end: int, style: int) -> int:
    """Return the id of the card at a place, or -1."""
    if at >= end:
        return _UNREADABLE
    kind = int(_KIND[text[at]])
    if kind == JOKER:
        return JOKER_ID
    if kind < 0:
        return _UNREADABLE
    if kind != _THREE and style == RANK:
        return 4 * kind
    if at + 1 >= end:
        return _UNREADABLE
    if style == RANK:
        if text[at + 1] == _R:
            return THREE_IDS + HEART
        return THREE_IDS + SPADE if text[at + 1] == _B else _UNREADABLE
    suit = int(_SUIT[text[at + 1]])
    if suit < 0:
        return _UNREADABLE
    return suit + (THREE_IDS if kind == _THREE else 4 * kind)


@kernel
def card_length(card: int, style: int) -> int:
    """Return how many bytes a card takes."""
    if card in (JOKER_ID, _HIDDEN_ID):
        return 1
    return 2 if style == SUIT or card >= THREE_IDS else 1


@kernel
def _read_drawn(text: Text, at: int, end: int, style: int, drawn: Row, facts: Row) -> int:
    """Read one card that comes from the stock, perhaps hidden; return where it ends, or -1."""
    card = _HIDDEN_ID if at < end and text[at] == _QUESTION_MARK else read_card(text, at, end, style)
    if card < 0 or facts[DRAWN] >= MOST_CARDS:
        return _UNREADABLE
    if card == _HIDDEN_ID:
        facts[FLAW] = SEES_HIDDEN
    drawn[facts[DRAWN]] = card
    facts[DRAWN] += 1
    return at + card_length(card, style)


@kernel
def _read_played(text: Text, at: int, end: int, style: int, cards: Row, facts: Row) -> int:
    """Read one card that leaves the holding; return where it ends, or -1."""
    card = read_card(text, at, end, style)
    if card < 0 or facts[PLAYED] >= MOST_CARDS:
        return _UNREADABLE
    cards[facts[PLAYED]] = card
    facts[PLAYED] += 1
    return at + card_length(card, style)


@kernel
def _lay(action: Action, slot: int, cards: Row, first: int, last: int, facts: Row) -> None:
    """Count a group's cards into its slot."""
    laid = action.laid
    if laid[slot, NATURALS] + laid[slot, TWOS] + laid[slot, JOKERS] > 0:
        facts[FLAW] = SAME_MELD
    for index in range(first, last):
        kind = kind_of(cards[index])
        if kind == TWO:
            laid[slot, TWOS] += 1
        elif kind == JOKER:
            laid[slot, JOKERS] += 1
        else:
            laid[slot, NATURALS] += 1


@kernel
def _slot_of(cards: Row, first: int, last: int, facts: Row) -> int:
    """Return the slot that a group's naturals name, -1 where it has none; note what is wrong with them."""
    slot = -1
    for index in range(first, last):
        kind = kind_of(cards[index])
        if kind in (TWO, JOKER):
            continue
        own = BLACK_MELD if kind in (RED_THREE, BLACK_THREE) else kind
        if kind == RED_THREE:
            facts[FLAW] = RED_MELD
        elif slot not in (-1, own):
            facts[FLAW] = MIXED_GROUP
        if slot < 0:
            slot = own
    return slot


@kernel
def _read_number(text: Text, at: int, end: int) -> int:
    """Return which further meld of its rank a group names, 1 for ``#2:`` to 3, or 0 if it names none."""
    if at + 3 >= end or text[at + 1] != _HASH or text[at + 3] != _COLON:
        return 0
    number = int(np.int64(text[at + 2])) - _ZERO - 1
    return number if 1 <= number < MELDS_OF_A_RANK else 0


@kernel
def _read_group(text: Text, at: int, end: int, style: int, action: Action, cards: Row, facts: Row) -> int:
    """Read one group; return where it ends, or -1."""
    target = -1
    number = _read_number(text, at, end)
    if number > 0 or (at + 1 < end and text[at + 1] == _COLON):
        kind = int(_KIND[text[at]])
        if text[at] != _W and not 0 <= kind < TWO:
            return _UNREADABLE
        target = WILD_MELD if text[at] == _W else kind
        at += 4 if number > 0 else 2
    action.what[NUMBER] = max(action.what[NUMBER], number)
    first = facts[PLAYED]
    if number > 0 and at == end and action.what[VERB] == TAKE_PILE and facts[FIRST] < 0:
        # The top card alone goes onto that meld.
        facts[FIRST] = target
        return at
    while True:
        at = _read_played(text, at, end, style, cards, facts)
        if at < 0 or at >= end or text[at] == _PLUS:
            break
    slot = _slot_of(cards, first, facts[PLAYED], facts)
    if at < 0 or (number == 0 and (slot < 0) == (target < 0)):
        return _UNREADABLE
    if number > 0 and slot not in (-1, target) and facts[FLAW] != RED_MELD:
        facts[FLAW] = MIXED_GROUP
    slot = slot if target < 0 else target
    if first == 0:
        facts[FIRST] = slot
    _lay(action, slot, cards, first, facts[PLAYED], facts)
    return at


@kernel
def _read_groups(text: Text, at: int, end: int, style: int, action: Action, cards: Row, facts: Row) -> int:
    """Read groups to the end of the event; return the end, or -1."""
    while True:
        at = _read_group(text, at, end, style, action, cards, facts)
        if at < 0 or at >= end:
            return at
        at += 1


@kernel
def _read_pile(text: Text, at: int, end: int, style: int, action: Action, cards: Row, facts: Row) -> int:
    """Read a taken pile: its top card, its size, the groups; return the end, or -1."""
    top = read_card(text, at, end, style)
    facts[TOP] = top if style == SUIT else -1
    if top >= 0:
        at += card_length(top, style)
    elif at < end and 0 <= _KIND[text[at]] <= TWO:
        # By rank alone, in a log that writes suits.
        top, at = 4 * _KIND[text[at]], at + 1
    else:
        return _UNREADABLE
    size, digits = 0, 0
    while at < end and _ZERO <= text[at] < _ZERO + 10 and digits < 3:
        size, digits, at = 10 * size + int(np.int64(text[at])) - _ZERO, digits + 1, at + 1
        if size == 0:
            return _UNREADABLE
    if digits == 0 or at >= end or text[at] != _COLON:
        return _UNREADABLE
    action.what[CARD], action.what[COUNT] = kind_of(top), size
    return at + 1 if at + 1 == end else _read_groups(text, at + 1, end, style, action, cards, facts)


@kernel
def _read_name(text: Text, at: int, end: int, action: Action) -> int:
    """Read the name of a special hand, for CARD; -1 stands for a name that is none. Return the end, or -1."""
    if at >= end or not _A <= text[at] <= _Z:
        return _UNREADABLE
    for place in range(at, end):
        byte = text[place]
        if not (_A <= byte <= _Z or _ZERO <= byte < _ZERO + 10 or byte == _UNDERSCORE):
            return _UNREADABLE
    action.what[CARD] = -1
    for index in range(_NAMES.shape[0]):
        is_same = end - at < _NAME_WIDTH
        for place in range(_NAME_WIDTH):
            byte = text[at + place] if is_same and at + place < end else 0
            is_same = is_same and byte == _NAMES[index, place]
        if is_same:
            action.what[CARD] = index
    return end


@kernel
def read_event(
    text: Text, start: int, end: int, style: int, action: Action, cards: Row, drawn: Row, facts: Row
) -> bool:
    """Read the event that stands in ``text[start:end]``; say whether it is one.

    `action` becomes what the kernel checks, `cards` and `drawn` [MOST_CARDS] list ids in the order written,
    `facts` [EVENT_FACTS] says how many and what else the text tells.
    """
    action.what[:] = 0
    action.laid[:] = 0
    facts[:] = 0
    facts[TOP], facts[FIRST] = -1, -1
    if end - start < 2 or not _ZERO <= text[start] < _ZERO + 4:
        return False
    verb, at = _VERB[text[start + 1]], start + 2
    action.what[VERB], action.what[SEAT] = verb, np.int64(text[start]) - _ZERO
    if verb in (MELD, TAKE_BACK):
        at = _read_groups(text, at, end, style, action, cards, facts)
    elif verb == TAKE_PILE:
        at = _read_pile(text, at, end, style, action, cards, facts)
    elif verb == DECLARE:
        at = _read_name(text, at, end, action)
    elif verb in (DISCARD, LAY_THREE):
        at = _read_played(text, at, end, style, cards, facts)
        action.what[CARD] = kind_of(cards[0])
        if verb == LAY_THREE and at >= 0:
            if cards[0] < THREE_IDS:
                return False
            if at < end and text[at] == _ARROW:
                at = _read_drawn(text, at + 1, end, style, drawn, facts)
    elif verb in (DRAW_CARDS, DRAW_BONUS):
        while True:
            at = _read_drawn(text, at, end, style, drawn, facts)
            if at < 0 or at >= end:
                break
    return verb >= 0 and at == end
