"""Play a logged hand from its bytes: every event checked and carried out, the result held to the claim.

The rules themselves play the hand (`engine.rules`). Beside their counts the very cards are followed by id
(`engine.replay.event_bytes`), so that a log with suits shows who holds what. The first fault stops the play
and stands in a report, which `engine.replay.words` puts in words.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.clauses import Clause
from engine.hand_record import COLUMNS, record_hand
from engine.kernel import Grid, Row, Text, allocating, kernel
from engine.replay.deal import lay_deal
from engine.replay.event_bytes import (
    DRAWN,
    FIRST,
    FLAW,
    GO_OUT,
    PLAYED,
    SEES_HIDDEN,
    TOP,
    kind_of,
    read_event,
)
from engine.replay.layout import (
    AFTER_END,
    BAD_EVENT,
    BEFORE,
    CLAUSE,
    CUT_SHORT,
    DRAW_SIZE,
    EARLY_GO_OUT,
    FAULT,
    FLAWED,
    HAND_NUMBER,
    ILLEGAL,
    NO_GO_OUT,
    NONE,
    NOT_HELD,
    OTHER_RESULT,
    OTHER_TOP,
    STYLE,
    UNSAID,
    UNSEEN,
    Table,
    fail,
    see,
)
from engine.rules.apply import apply
from engine.rules.check import check
from engine.rules.deal import start
from engine.rules.turn import due_from_stock
from engine.ruleset import Rules
from engine.scoring import PLAYS_ON, game_winner
from engine.state import (
    ACTOR,
    BY_OUT,
    CARD,
    DECLINE,
    DISCARD,
    ENDED,
    ENDED_BY,
    OUT_SEAT,
    PHASE,
    PILE,
    SEAT,
    STOCK,
    TAKE_BACK,
    TAKE_PILE,
    VERB,
)

# What comes next in the events, and the columns of the cursor that reads them.
_TO_CHECK: Final = 0
_SAID: Final = 1
_OVER: Final = 2
_AT: Final = 0
_EVENT: Final = 1
_SAID_OUT: Final = 2
_CURSOR: Final = 3
_BLANK: Final = ord(" ")


@kernel
def _play_cards(table: Table, event: int, report: Row) -> bool:
    """Take an event's cards from the seat that plays them; say whether it holds each."""
    seat, verb = table.action.what[SEAT], table.action.what[VERB]
    for index in range(table.facts[PLAYED]):
        card = table.cards[index]
        table.own[seat, card] -= 1
        if table.own[seat, card] < 0:
            fail(report, NOT_HELD, event, 0, card)
            return False
    if verb == TAKE_BACK:
        for index in range(table.facts[PLAYED]):
            table.own[seat, table.cards[index]] += 1
    elif verb == DISCARD:
        table.lying[table.hand.turn[PILE]] = table.cards[0]
    elif verb == TAKE_PILE:
        top = table.hand.turn[PILE] - 1
        if table.facts[TOP] not in (-1, table.lying[top]):
            fail(report, OTHER_TOP, event, table.lying[top], table.facts[TOP])
            return False
        for place in range(top):
            table.own[seat, table.lying[place]] += 1
    return True


@kernel
def _draw_cards(rules: Rules, table: Table, style: int, event: int, report: Row) -> bool:
    """Put an event's drawn cards on the stock, where the rules will take them; say whether they can be."""
    due = due_from_stock(rules, table.hand, table.action)
    if table.facts[DRAWN] != due:
        fail(report, DRAW_SIZE, event, due, table.facts[DRAWN])
        return False
    for index in range(due):
        card = table.drawn[index]
        if not see(table, card, style, event, report):
            return False
        table.own[table.action.what[SEAT], card] += 1
        table.hand.stock[table.hand.turn[STOCK] - 1 - index] = kind_of(card)
    return True


@kernel
def _takes_note(table: Table, event: int, report: Row) -> bool:
    """Say whether the event that was read may be checked: it hides nothing and the grammar hides no flaw."""
    flaw, what = table.facts[FLAW], table.action.what
    if flaw == SEES_HIDDEN:
        fail(report, UNSEEN, event, 0, 0)
    elif what[VERB] == GO_OUT:
        fail(report, EARLY_GO_OUT, event, 0, what[SEAT])
    elif flaw != 0:
        fail(report, FLAWED, event, 0, flaw)
    return bool(report[FAULT] == NONE)


@kernel
def _after_last(table: Table, event: int, said_out: int, report: Row) -> int:
    """Go on after the last event: declining the pile has none of its own."""
    turn, what = table.hand.turn, table.action.what
    if turn[PHASE] == ENDED:
        if turn[ENDED_BY] == BY_OUT and said_out == 0:
            fail(report, NO_GO_OUT, event, turn[OUT_SEAT], 0)
        return _OVER
    what[:] = 0
    table.action.laid[:] = 0
    table.facts[:] = 0
    what[VERB], what[SEAT] = DECLINE, turn[ACTOR]
    return _TO_CHECK


@kernel
def _next(table: Table, style: int, text: Text, end: int, stop: int, cursor: Row, report: Row) -> int:
    """Read on from the cursor; say what comes next: something to check, an `o` in its place, or no more."""
    turn = table.hand.turn
    cursor[_EVENT] += 1
    event, at = cursor[_EVENT], cursor[_AT]
    if event == stop:
        return _OVER
    if at > end:
        return _after_last(table, event, cursor[_SAID_OUT], report)
    last = at
    while last < end and text[last] != _BLANK:
        last += 1
    cursor[_AT] = last + 1
    if not read_event(text, at, last, style, table.action, table.cards, table.drawn, table.facts):
        fail(report, BAD_EVENT, event, 0, at)
        return _OVER
    if turn[ENDED_BY] == BY_OUT and cursor[_SAID_OUT] == 0:
        cursor[_SAID_OUT] = 1
        what = table.action.what
        if what[VERB] == GO_OUT and what[SEAT] == turn[OUT_SEAT]:
            return _SAID
        fail(report, NO_GO_OUT, event, turn[OUT_SEAT], 0)
        return _OVER
    return _TO_CHECK if _takes_note(table, event, report) else _OVER


@kernel
def _clause_against(rules: Rules, table: Table) -> int:
    """Return 0, or the clause that refuses the event that was read."""
    what = table.action.what
    code = check(rules, table.hand, table.action)
    if code == 0 and what[VERB] == TAKE_PILE and table.facts[FIRST] not in (-1, what[CARD]):
        return Clause.PILE_GROUP_FIRST
    return code


@kernel
def _play(
    rules: Rules, table: Table, style: int, text: Text, end: int, stop: int, cursor: Row, report: Row
) -> None:
    """Play the events from the cursor on, up to number `stop`, and what follows without an event."""
    hand, action = table.hand, table.action
    start(rules, hand)
    while True:
        step = _next(table, style, text, end, stop, cursor, report)
        if step == _OVER:
            return
        if step == _SAID:
            continue
        event = cursor[_EVENT]
        code = _clause_against(rules, table)
        if code != 0:
            fail(report, CUT_SHORT if action.what[VERB] == DECLINE else ILLEGAL, event, 0, 0)
            report[CLAUSE] = code
            return
        if not _play_cards(table, event, report) or not _draw_cards(rules, table, style, event, report):
            return
        apply(rules, hand, action, table.actions)


@allocating
def replay_rows(
    rules: Rules,
    rows: Row,
    settings: Grid,
    claims: Grid,
    deals: Text,
    deal_offsets: Row,
    events: Text,
    event_offsets: Row,
    stop: int,
    table: Table,
    reports: Grid,
) -> None:
    """Replay hands of one rule set and hold each result to its claim.

    Args:
        rules: The rule set.
        rows: Which hands.
        settings: [n, SETTINGS] what was so before each hand.
        claims: [n, COLUMNS] the record that its log claims; `UNSAID` where it claims nothing.
        deals: The deals, ``{"holdings":["..",..],"upcards":".."}`` without blanks, one after the other.
        deal_offsets: [n + 1] where each starts and the one before ends.
        events: The events.
        event_offsets: [n + 1] likewise.
        stop: The number of an event to stop before, or 0 to go on to the end. A position is shown of any
            hand; one replayed to its end must not follow the end of its game.
        table: Where they are played; holds the position and the record of the last one afterwards.
        reports: [n, REPORT] receives the first fault of each.
    """
    cursor = np.zeros(_CURSOR, np.int64)
    for row in rows:
        setting, claim, report = settings[row], claims[row], reports[row]
        report[:] = 0
        # M-game, S-game, P-game: no hand follows the one that ends a game.
        if stop == 0 and game_winner(rules, setting[BEFORE:], setting[HAND_NUMBER] - 1, -1) != PLAYS_ON:
            fail(report, AFTER_END, 0, 0, 0)
            continue
        if not lay_deal(rules, setting, deals, deal_offsets[row], deal_offsets[row + 1], table, report):
            continue
        end = event_offsets[row + 1]
        cursor[:] = 0
        cursor[_AT] = event_offsets[row] if event_offsets[row] < end else end + 1
        _play(rules, table, setting[STYLE], events, end, stop, cursor, report)
        if report[FAULT] != NONE or stop > 0:
            continue
        table.scores[:] = setting[BEFORE:]
        record_hand(rules, table.hand, setting[HAND_NUMBER], table.record, table.part, table.scores)
        for column in range(COLUMNS):
            if claim[column] not in (UNSAID, table.record[column]):
                fail(report, OTHER_RESULT, 0, table.record[column], column)
                break
