"""Write events as bytes while a hand is played: the grammar of `engine.notation`, by rank.

Every function takes the buffer and the place to write at, and returns the place after.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.cards import JOKER, KIND_TEXT, KINDS, RED_THREE, TWO
from engine.kernel import Bytes, Text, kernel
from engine.rules.counts import kind_of_slot, laid_size
from engine.state import (
    ANSWER_NO,
    ANSWER_YES,
    ASK,
    CARD,
    COUNT,
    DECLARE,
    DISCARD,
    DRAW_BONUS,
    DRAW_CARDS,
    JOKERS,
    LAY_THREE,
    MELD,
    NATURALS,
    NUMBER,
    RUN_OUT,
    SEAT,
    SLOTS,
    SPECIAL_HANDS,
    STOCK,
    TAKE_BACK,
    TAKE_PILE,
    TWOS,
    VERB,
    VERBS,
    WILD_MELD,
    Action,
    State,
)


def ascii_bytes(text: str) -> Text:
    """Return a text as the bytes that compiled code writes."""
    return np.frombuffer(text.encode("ascii"), np.uint8)


_LETTERS: Final = {
    DRAW_CARDS: "d",
    LAY_THREE: "3",
    TAKE_PILE: "t",
    MELD: "m",
    DISCARD: "x",
    ASK: "q",
    ANSWER_YES: "y",
    ANSWER_NO: "n",
    TAKE_BACK: "r",
    RUN_OUT: "k",
    DECLARE: "s",
    DRAW_BONUS: "b",
}
_LETTER: Final = ascii_bytes("".join(_LETTERS.get(verb, "?") for verb in range(VERBS)))
#: Kinds 0..12 are one byte; the 3s are two, the second their colour.
_KIND: Final = ascii_bytes("".join(text[0] for text in KIND_TEXT[:KINDS]))
_COLOUR: Final = ascii_bytes("rb")
_SPECIALS: Final = ascii_bytes("".join(SPECIAL_HANDS))
_SPECIAL_AT: Final = np.cumsum([0, *(len(name) for name in SPECIAL_HANDS)])
_ZERO: Final = ord("0")


@kernel
def put(out: Bytes, at: int, byte: int) -> int:
    """Write one byte."""
    out[at] = byte
    return at + 1


@kernel
def put_text(out: Bytes, at: int, text: Text) -> int:
    """Write a text."""
    for place in range(text.size):
        out[at + place] = text[place]
    return at + text.size


@kernel
def put_number(out: Bytes, at: int, number: int) -> int:
    """Write an integer in decimal."""
    if number < 0:
        at = put(out, at, ord("-"))
        number = -number
    power = 1
    while power * 10 <= number:
        power *= 10
    while power > 0:
        at = put(out, at, _ZERO + number // power % 10)
        power //= 10
    return at


@kernel
def put_card(out: Bytes, at: int, kind: int) -> int:
    """Write a card by rank; a 3 by colour too."""
    at = put(out, at, _KIND[kind])
    if kind >= RED_THREE:
        at = put(out, at, _COLOUR[kind - RED_THREE])
    return at


@kernel
def put_cards(out: Bytes, at: int, kind: int, count: int) -> int:
    """Write a number of cards of one kind."""
    for _ in range(count):
        at = put_card(out, at, kind)
    return at


@kernel
def put_special(out: Bytes, at: int, which: int) -> int:
    """Write the name of a special hand."""
    for place in range(_SPECIAL_AT[which], _SPECIAL_AT[which + 1]):
        at = put(out, at, _SPECIALS[place])
    return at


@kernel
def put_group(out: Bytes, at: int, action: Action, slot: int, named: bool) -> int:
    """Write the cards laid on a slot, its rank before wilds alone unless the place already tells it.

    Where it is not the side's first meld of the rank, rank and number stand before all cards.
    """
    number = action.what[NUMBER]
    if number > 0 or (action.laid[slot, NATURALS] == 0 and not named):
        at = put(out, at, ord("W") if slot == WILD_MELD else _KIND[slot])
        if number > 0:
            at = put(out, put(out, at, ord("#")), _ZERO + number + 1)
        at = put(out, at, ord(":"))
    if slot != WILD_MELD:
        at = put_cards(out, at, kind_of_slot(slot), action.laid[slot, NATURALS])
    at = put_cards(out, at, TWO, action.laid[slot, TWOS])
    return put_cards(out, at, JOKER, action.laid[slot, JOKERS])


@kernel
def put_groups(out: Bytes, at: int, action: Action, top: int) -> int:
    """Write the groups of an action joined by ``+``, first the one that the pile's top card joins."""
    first = True
    if top >= 0 and (laid_size(action, top) > 0 or action.what[NUMBER] > 0):
        at = put_group(out, at, action, top, True)
        first = False
    for slot in range(SLOTS):
        if slot != top and laid_size(action, slot) > 0:
            if not first:
                at = put(out, at, ord("+"))
            at = put_group(out, at, action, slot, False)
            first = False
    return at


@kernel
def put_drawn(out: Bytes, at: int, hand: State, before: int) -> int:
    """Write the cards drawn since the stock held `before` cards, in the order of kinds."""
    for kind in range(KINDS):
        for place in range(hand.turn[STOCK], before):
            if hand.stock[place] == kind:
                at = put_card(out, at, kind)
    return at


@kernel
def put_event(out: Bytes, at: int, hand: State, action: Action, before: int) -> int:
    """Write an event that has just been carried out.

    Args:
        out: The buffer.
        at: Where to write.
        hand: The position after it.
        action: What was done; not DECLINE, which is no event.
        before: Cards in the stock before it.
    """
    verb = action.what[VERB]
    card = action.what[CARD]
    at = put(out, at, _ZERO + action.what[SEAT])
    at = put(out, at, _LETTER[verb])
    if verb in (DRAW_CARDS, DRAW_BONUS):
        return put_drawn(out, at, hand, before)
    if verb in (MELD, TAKE_BACK):
        return put_groups(out, at, action, -1)
    if verb == TAKE_PILE:
        at = put_number(out, put_card(out, at, card), action.what[COUNT])
        return put_groups(out, put(out, at, ord(":")), action, card)
    if verb == DECLARE:
        return put_special(out, at, card)
    if verb in (DISCARD, LAY_THREE):
        at = put_card(out, at, card)
    if verb == LAY_THREE and hand.turn[STOCK] < before:
        at = put_drawn(out, put(out, at, ord(">")), hand, before)
    return at
