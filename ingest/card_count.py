"""Count the cards that a full log shows: no more than two packs hold (checking level 1).

Cards come into sight in the deal, when they are drawn (`d`, `b`) and when they replace a 3 (`>`); everything
else in a log moves cards that were seen before. Counters stand for the kinds, in the order of `engine.cards`,
then for the 52 cards of a pack, which logs with suits tell apart.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.cards import BLACK_THREE, COPIES, JOKER, KIND_TEXT, KINDS, RED_THREE
from engine.jit import jit, lean
from ingest import columns as c
from ingest.columns import Ints, Texts, bytes_of
from ingest.json_bytes import Bytes

SOUND: Final = 0
#: A card, seat or verb that is none; the second number is the event, 0 for the deal.
BAD_NOTATION: Final = 1
#: More of a card than there are; the third number is the place in `CARD_TEXT`.
TOO_MANY: Final = 2

_RANKS: Final = "456789TJQKA2"
_SUITS: Final = "shdc"
_FIRST_CARD: Final = KINDS
#: What each counter counts: kinds, then single cards.
CARD_TEXT: Final = (*KIND_TEXT[:_FIRST_CARD], *[rank + suit for rank in _RANKS + "3" for suit in _SUITS])
_MOST: Final = np.array([*COPIES, *[2] * 52], dtype=np.int64)

_HIDDEN: Final = -2
_NO_CARD: Final = -1
_VERBS: Final = np.frombuffer(b"d3tmxrbsoqynk", dtype=np.uint8)
_RANK_BYTES: Final = np.frombuffer(_RANKS.encode() + b"3", dtype=np.uint8)
_SUIT_BYTES: Final = np.frombuffer(_SUITS.encode(), dtype=np.uint8)
#: What stands before the cards in a deal as the warehouse keeps it, and between holdings and upcards.
_BEFORE_CARDS: Final = len('{"holdings":["')
_BEFORE_UPCARDS: Final = len('],"upcards":"')
_BY_RANK: Final = c.CARD_STYLES.index("rank")


@lean
def _place(byte: int, among: Bytes) -> int:
    for index in range(len(among)):
        if among[index] == byte:
            return index
    return -1


@lean
def _card(text: Bytes, at: int, end: int, style: int) -> tuple[int, int]:
    """Read a card; return its counter (`_HIDDEN`, `_NO_CARD`) and where it ends."""
    byte = int(text[at])
    if byte == 42:
        return JOKER, at + 1
    if byte == 63:
        return _HIDDEN, at + 1
    rank = _place(byte, _RANK_BYTES)
    if rank < 0:
        return _NO_CARD, at
    if style == _BY_RANK and rank < 12:
        return rank, at + 1
    if at + 1 >= end:
        return _NO_CARD, at
    second = int(text[at + 1])
    if style == _BY_RANK:
        colour = RED_THREE if second == 114 else BLACK_THREE if second == 98 else _NO_CARD
        return colour, at + 2
    suit = _place(second, _SUIT_BYTES)
    return (_FIRST_CARD + rank * 4 + suit if suit >= 0 else _NO_CARD), at + 2


@lean
def _count(card: int, counts: Ints) -> int:
    """Count a card that came into sight; return the counter that overflows, or -1."""
    if card < 0:
        return -1
    counts[card] += 1
    if counts[card] > _MOST[card]:
        return card
    if card < _FIRST_CARD:
        return -1
    rank, suit = (card - _FIRST_CARD) // 4, (card - _FIRST_CARD) % 4
    is_red = suit == 1 or suit == 2
    kind = rank if rank < 12 else RED_THREE if is_red else BLACK_THREE
    counts[kind] += 1
    return kind if counts[kind] > _MOST[kind] else -1


@lean
def _deal_fault(text: Bytes, at: int, end: int, style: int, counts: Ints) -> tuple[int, int]:
    """Count the cards of a deal; return what is wrong and the card."""
    at += _BEFORE_CARDS
    while at < end:
        if text[at] == 34:
            at += 1
            if text[at] == 125:
                return SOUND, 0
            at += _BEFORE_UPCARDS if text[at] == 93 else 2
            continue
        card, at = _card(text, at, end, style)
        if card == _NO_CARD:
            return BAD_NOTATION, 0
        excess = _count(card, counts)
        if excess >= 0:
            return TOO_MANY, excess
    return BAD_NOTATION, 0


@lean
def _event_fault(text: Bytes, at: int, end: int, style: int, seats: int, counts: Ints) -> tuple[int, int]:
    """Count the cards that one event shows; return what is wrong and the card."""
    if end - at < 2 or text[at] < 48 or text[at] >= 48 + seats or _place(int(text[at + 1]), _VERBS) < 0:
        return BAD_NOTATION, 0
    verb = int(text[at + 1])
    at += 2
    if verb == 51:
        # The 3 itself was seen before; its replacement follows.
        if at >= end or text[at] != 51:
            return BAD_NOTATION, 0
        card, at = _card(text, at, end, style)
        if card == _NO_CARD:
            return BAD_NOTATION, 0
        if at < end:
            if text[at] != 62:
                return BAD_NOTATION, 0
            at += 1
    elif verb != 100 and verb != 98:
        return SOUND, 0
    while at < end:
        card, at = _card(text, at, end, style)
        if card == _NO_CARD:
            return BAD_NOTATION, 0
        excess = _count(card, counts)
        if excess >= 0:
            return TOO_MANY, excess
    return SOUND, 0


@lean
def _log_fault(
    deal: Bytes,
    deal_at: int,
    deal_end: int,
    text: Bytes,
    at: int,
    end: int,
    style: int,
    seats: int,
    counts: Ints,
) -> tuple[int, int, int]:
    """Count all cards of a log; return what is wrong, the event (0 for the deal) and the card."""
    counts[:] = 0
    wrong, card = _deal_fault(deal, deal_at, deal_end, style, counts)
    if wrong != SOUND or at == end:
        return wrong, 0, card
    event = 0
    while at <= end:
        event += 1
        stop = at
        while stop < end and text[stop] != 32:
            stop += 1
        wrong, card = _event_fault(text, at, stop, style, seats, counts)
        if wrong != SOUND:
            return wrong, event, card
        at = stop + 1
    return SOUND, 0, 0


@jit
def _judge(
    deal: Bytes,
    deal_offsets: Ints,
    text: Bytes,
    offsets: Ints,
    styles: Ints,
    seats: Ints,
    found: Ints,
) -> None:
    counts = np.zeros(len(_MOST), dtype=np.int64)
    for row in range(len(found)):
        found[row, 0], found[row, 1], found[row, 2] = _log_fault(
            deal,
            deal_offsets[row],
            deal_offsets[row + 1],
            text,
            offsets[row],
            offsets[row + 1],
            styles[row],
            seats[row],
            counts,
        )


def card_faults(deals: Texts, events: Texts, styles: Ints, seats: Ints) -> Ints:
    """Judge the cards of full logs.

    Args:
        deals: [n] deals as `HandColumns` holds them, none null.
        events: [n] events, none null.
        styles: [n] how cards are written, places in `CARD_STYLES`.
        seats: [n] how many sit at the table.

    Returns:
        int64 [n, 3]: `SOUND`, `BAD_NOTATION` or `TOO_MANY`; the event, from 1, 0 for the deal; the counter.
    """
    found = np.zeros((len(styles), 3), dtype=np.int64)
    deal, deal_offsets = bytes_of(deals)
    text, offsets = bytes_of(events)
    _judge(deal, deal_offsets, text, offsets, styles, seats, found)
    return found
