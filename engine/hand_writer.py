"""Write a hand's own part of a `canasta-hand/1` line as bytes: result, turns, deal and events.

What tells hands apart (ids, times, seats) is not known here: `engine.log_writer` puts it in front.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.cards import KINDS
from engine.event_writer import ascii_bytes, put, put_card, put_cards, put_number, put_special, put_text
from engine.hand_record import (
    CANASTAS,
    DEALT_BY,
    ENDING,
    GAME_OVER,
    LEDGER,
    OUT,
    POINTS,
    SCORE_AFTER,
    SCORE_BEFORE,
    SPECIAL_LAID,
    TURNS_PLAYED,
    WAS_CONCEALED,
    WINNER,
)
from engine.kernel import Bytes, Row, Text, kernel
from engine.ruleset import Rules
from engine.scoring import CANASTA_KINDS, PARTS
from engine.state import ENDINGS, PILE, SEATS, State

_ENDING: Final = ascii_bytes("".join(f"{name:7}" for name in ENDINGS))
_ENDING_WIDTH: Final = 7
_BLANK: Final = ord(" ")
_NULL: Final = ascii_bytes("null")
_TRUE: Final = ascii_bytes("true")
_FALSE: Final = ascii_bytes("false")

_DEALER: Final = ascii_bytes('"dealer":')
_SCORE_BEFORE: Final = ascii_bytes(',"score_before":')
_ENDED_BY: Final = ascii_bytes(',"result":{"ended_by":"')
_SEAT: Final = ascii_bytes('","seat":')
_CONCEALED: Final = ascii_bytes(',"concealed":')
_SPECIAL: Final = ascii_bytes(',"special":')
_POINTS: Final = ascii_bytes(',"points":')
_LEDGER: Final = ascii_bytes(',"ledger":[')
_CANASTAS: Final = ascii_bytes('],"canastas":[')
_SCORE_AFTER: Final = ascii_bytes('],"score_after":')
_GAME_OVER: Final = ascii_bytes(',"game_over":')
_WINNER: Final = ascii_bytes(',"winner":')
_TURNS: Final = ascii_bytes('},"turns":')
_DEAL: Final = ascii_bytes(',"deal":{"holdings":[')
_UPCARDS: Final = ascii_bytes('],"upcards":"')
_EVENTS: Final = ascii_bytes('"},"events":"')


def _keys(*names: str) -> tuple[Text, Row]:
    """Return the keys of an object, each with what stands before its value, and where each begins."""
    texts = [("{" if place == 0 else ",") + f'"{name}":' for place, name in enumerate(names)]
    return ascii_bytes("".join(texts)), np.cumsum([0, *map(len, texts)])


_PART_KEYS, _PART_AT = _keys("canastas", "threes", "going_out", "melds", "holdings", "penalties", "special")
_KIND_KEYS, _KIND_AT = _keys("natural", "mixed", "sevens", "aces", "wild")
#: The classic rule sets know natural and mixed canastas only.
_CLASSIC_KINDS: Final = 2


@kernel
def put_deal(out: Bytes, at: int, hand: State) -> int:
    """Write the deal, up to where the events begin; the hand must just have been dealt."""
    at = put_text(out, at, _DEAL)
    for seat in range(hand.turn[SEATS]):
        if seat > 0:
            at = put(out, at, ord(","))
        at = put(out, at, ord('"'))
        for kind in range(KINDS):
            at = put_cards(out, at, kind, hand.holding[seat, kind])
        at = put(out, at, ord('"'))
    at = put_text(out, at, _UPCARDS)
    for place in range(hand.turn[PILE]):
        at = put_card(out, at, hand.pile[place])
    return put_text(out, at, _EVENTS)


@kernel
def _put_list(out: Bytes, at: int, rules: Rules, record: Row, column: int) -> int:
    """Write one number a side."""
    for side in range(rules.sides):
        at = put(out, at, ord("[") if side == 0 else ord(","))
        at = put_number(out, at, record[column + side])
    return put(out, at, ord("]"))


@kernel
def _put_key(out: Bytes, at: int, keys: Text, start: int, end: int) -> int:
    for place in range(start, end):
        at = put(out, at, keys[place])
    return at


@kernel
def _put_sides(out: Bytes, at: int, rules: Rules, record: Row, column: int, width: int, count: int) -> int:
    """Write one object a side: a ledger (its parts) or its canastas (their kinds)."""
    for side in range(rules.sides):
        if side > 0:
            at = put(out, at, ord(","))
        for place in range(count):
            if column == LEDGER:
                at = _put_key(out, at, _PART_KEYS, _PART_AT[place], _PART_AT[place + 1])
            else:
                at = _put_key(out, at, _KIND_KEYS, _KIND_AT[place], _KIND_AT[place + 1])
            at = put_number(out, at, record[column + side * width + place])
        at = put(out, at, ord("}"))
    return at


@kernel
def _put_number_or_null(out: Bytes, at: int, number: int) -> int:
    return put_text(out, at, _NULL) if number < 0 else put_number(out, at, number)


@kernel
def _put_bool(out: Bytes, at: int, truth: int) -> int:
    return put_text(out, at, _TRUE if truth == 1 else _FALSE)


@kernel
def _put_name(out: Bytes, at: int, special: int) -> int:
    if special == 0:
        return put_text(out, at, _NULL)
    at = put_special(out, put(out, at, ord('"')), special - 1)
    return put(out, at, ord('"'))


@kernel
def put_result(out: Bytes, at: int, rules: Rules, record: Row) -> int:
    """Write dealer, scores, result and turns of a recorded hand."""
    at = put_number(out, put_text(out, at, _DEALER), record[DEALT_BY])
    at = _put_list(out, put_text(out, at, _SCORE_BEFORE), rules, record, SCORE_BEFORE)
    at = put_text(out, at, _ENDED_BY)
    for place in range(_ENDING_WIDTH):
        letter = _ENDING[record[ENDING] * _ENDING_WIDTH + place]
        if letter != _BLANK:
            at = put(out, at, letter)
    at = _put_number_or_null(out, put_text(out, at, _SEAT), record[OUT])
    at = _put_bool(out, put_text(out, at, _CONCEALED), record[WAS_CONCEALED])
    at = _put_name(out, put_text(out, at, _SPECIAL), record[SPECIAL_LAID])
    at = _put_list(out, put_text(out, at, _POINTS), rules, record, POINTS)
    at = _put_sides(out, put_text(out, at, _LEDGER), rules, record, LEDGER, PARTS, PARTS)
    kinds = CANASTA_KINDS if rules.modern == 1 else _CLASSIC_KINDS
    at = _put_sides(out, put_text(out, at, _CANASTAS), rules, record, CANASTAS, CANASTA_KINDS, kinds)
    at = _put_list(out, put_text(out, at, _SCORE_AFTER), rules, record, SCORE_AFTER)
    at = _put_bool(out, put_text(out, at, _GAME_OVER), record[GAME_OVER])
    at = _put_number_or_null(out, put_text(out, at, _WINNER), record[WINNER])
    return put_number(out, put_text(out, at, _TURNS), record[TURNS_PLAYED])
