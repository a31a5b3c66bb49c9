"""Lay out a logged deal from its bytes."""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.cards import CARDS, JOKER, RED_THREE, TWO
from engine.kernel import Row, Text, kernel
from engine.replay.event_bytes import card_length, kind_of, read_card
from engine.replay.layout import (
    BAD_DEAL,
    BAD_UPCARDS,
    BEFORE,
    DEALER_SEAT,
    FAULT,
    NONE,
    STYLE,
    Table,
    fail,
    see,
)
from engine.rules.deal import clear, upcards_freeze
from engine.ruleset import Rules
from engine.state import FROZEN, PILE, STOCK, UPCARDS, State

_QUOTE: Final = ord('"')
_COMMA: Final = ord(",")
_HOLDINGS_AHEAD: Final = np.frombuffer(b'{"holdings":[', np.uint8)
_UPCARDS_AHEAD: Final = np.frombuffer(b'],"upcards":', np.uint8)
_END_AHEAD: Final = np.frombuffer(b"}", np.uint8)


@kernel
def _skip(text: Text, at: int, end: int, literal: Text) -> int:
    """Return the place after a literal, or -1 if something else stands there."""
    if at < 0 or at + literal.size > end:
        return -1
    for place in range(literal.size):
        if text[at + place] != literal[place]:
            return -1
    return at + literal.size


@kernel
def _read_holding(text: Text, at: int, end: int, seat: int, style: int, table: Table, report: Row) -> int:
    """Deal the quoted cards that stand at a place to a seat; return the place after them, or -1."""
    if at < 0 or at >= end or text[at] != _QUOTE:
        return -1
    at += 1
    while at < end and text[at] != _QUOTE:
        card = read_card(text, at, end, style)
        if card < 0 or not see(table, card, style, 0, report):
            return -1
        table.own[seat, card] += 1
        table.hand.holding[seat, kind_of(card)] += 1
        at += card_length(card, style)
    return at + 1 if at < end else -1


@kernel
def _read_upcards(text: Text, at: int, end: int, style: int, table: Table, report: Row) -> int:
    """Turn the quoted cards that stand at a place onto the pile; return the place after them, or -1."""
    turn = table.hand.turn
    if at < 0 or at >= end or text[at] != _QUOTE:
        return -1
    at += 1
    while at < end and text[at] != _QUOTE:
        card = read_card(text, at, end, style)
        if card < 0 or not see(table, card, style, 0, report):
            return -1
        table.lying[turn[PILE]] = card
        table.hand.pile[turn[PILE]] = kind_of(card)
        turn[PILE] += 1
        at += card_length(card, style)
    return at + 1 if at < end else -1


@kernel
def _has_upcards(rules: Rules, hand: State) -> bool:
    """Say whether the cards turned are those that a deal turns: covered ones until another kind shows."""
    size = hand.turn[PILE]
    if rules.upcard == 0:
        return bool(size == 0)
    for place in range(size):
        if (hand.pile[place] in (TWO, JOKER, RED_THREE)) != (place < size - 1):
            return False
    return bool(size > 0)


@kernel
def lay_deal(
    rules: Rules, settings: Row, deal: Text, begin: int, end: int, table: Table, report: Row
) -> bool:
    """Lay out the deal that stands in ``deal[begin:end]``; say whether it is one of the rule set."""
    hand, style = table.hand, settings[STYLE]
    clear(rules, hand, settings[DEALER_SEAT], settings[BEFORE:])
    table.own[:] = 0
    table.seen[:] = 0
    at = _skip(deal, begin, end, _HOLDINGS_AHEAD)
    for seat in range(rules.players):
        if seat > 0:
            at = at + 1 if 0 <= at < end and deal[at] == _COMMA else -1
        at = _read_holding(deal, at, end, seat, style, table, report)
        if at < 0 or hand.holding[seat].sum() != rules.holding_cards:
            at = -1
            break
    at = _skip(deal, at, end, _UPCARDS_AHEAD)
    at = _skip(deal, _read_upcards(deal, at, end, style, table, report), end, _END_AHEAD)
    if at != end:
        if report[FAULT] == NONE:
            fail(report, BAD_DEAL, 0, 0, 0)
        return False
    if not _has_upcards(rules, hand):
        fail(report, BAD_UPCARDS, 0, 0, hand.turn[PILE])
        return False
    hand.turn[UPCARDS] = hand.turn[PILE]
    hand.turn[FROZEN] = 1 if upcards_freeze(rules, hand) else 0
    hand.turn[STOCK] = CARDS - rules.players * rules.holding_cards - hand.turn[PILE]
    return True
