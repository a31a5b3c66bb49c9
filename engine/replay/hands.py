"""Checking level 2: replay logged hands under their rules, and say in words what is wrong with one.

`replay_block` only tells the right hands of a block from the others, at the speed of the compiled rules;
`replay` plays one hand and words its problems. Both run the same replay, so they cannot disagree.

>>> from engine.replay import LoggedHand, replay
>>> hand = LoggedHand(
...     ruleset="modern_american", options={}, players=4, cards="rank", dealer=3, hand_no=1,
...     score_before=(0, 0), upcards="", events="0dK 1x4",
...     holdings=("444555666778A", "88899TTJJQQKA", "4445556668JKA", "KKKAATT999922"))
>>> for problem in replay(hand):
...     print(problem.code, problem.event, problem.clause)
illegal_event 2 A-turn
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import orjson

from engine import hand_record as record
from engine.errors import ReplayMismatchError, RuleSetError
from engine.kernel import Bytes
from engine.notation import event_spans
from engine.position import write_position
from engine.replay import event_bytes
from engine.replay import layout as lay
from engine.replay.logged_hand import ClaimedResult, LoggedHand, Problem
from engine.replay.play import replay_rows
from engine.replay.words import fault_in_words, results_in_words
from engine.rules.apply import apply
from engine.rules.check import check
from engine.ruleset import RuleSet
from engine.scoring import CANASTA_KINDS, PARTS, Canastas, Ledger
from engine.state import ACTOR, DECLINE, ENDINGS, SEAT, SPECIAL_HANDS, STOCK, VERB, Ints, empty_action

#: Numbers of a log are cut off here, so that adding points to them stays within 64 bits.
_FAR: Final = 2**62


class _Tables(threading.local):
    """The table that a thread replays at: too big to be laid out for every hand."""

    def __init__(self) -> None:
        self.table = lay.empty_table()


_TABLES: Final = _Tables()


def replay(hand: LoggedHand) -> tuple[Problem, ...]:
    """Replay a logged hand; none: every event is legal and all that the log claims came of it.

    A bad log is a problem, never an exception. The first illegal event is the only one told, because nothing
    after it means anything; of a result every line that differs is told.
    """
    try:
        rules = RuleSet.for_table(hand.ruleset, hand.players, hand.options)
    except RuleSetError as error:
        return (Problem("unknown_rules", str(error)),)
    if not 0 <= hand.dealer < rules.players or len(hand.score_before) != rules.sides:
        text = f"dealer {hand.dealer} and scores {list(hand.score_before)} do not fit the rule set's table"
        return (Problem("deal_shape", text),)
    report, table = _run(rules, hand, stop=0)
    if report[lay.FAULT] == lay.NONE:
        return ()
    if report[lay.FAULT] == lay.OTHER_RESULT:
        return tuple(results_in_words(_claim(hand.result)[0], table.record))
    event = int(report[lay.EVENT])
    position = _position(rules, _run(rules, hand, stop=event)[1]) if event > 0 else None
    return (fault_in_words(rules, hand, report, position),)


def position_before(hand: LoggedHand, event: int) -> dict[str, Any]:
    """Return the position before an event of a log, counted from 1; one past the last gives how it ends.

    Raises:
        ReplayMismatchError: The rules refuse the deal or an event before it, or it has no such event.
        RuleSetError: The rule set or an option is unknown.
    """
    events = sum(1 for _ in event_spans(hand.events))
    if not 1 <= event <= events + 1:
        raise ReplayMismatchError("no such event", expected=f"1 to {events + 1}", found=event)
    rules = RuleSet.for_table(hand.ruleset, hand.players, hand.options)
    report, table = _run(rules, hand, stop=event)
    if report[lay.FAULT] != lay.NONE:
        problem = fault_in_words(rules, hand, report, None)
        raise ReplayMismatchError(problem.message, expected="a legal log up to there", found=problem.found)
    if event > events:
        _leave_pile(rules, table)
    return _position(rules, table)


def _leave_pile(rules: RuleSet, table: lay.Table) -> None:
    """End the hand of a player who has nothing to draw and left the pile, which no event says."""
    action = empty_action()
    action.what[[VERB, SEAT]] = DECLINE, table.hand.turn[ACTOR]
    if check(rules.numbers, table.hand, action) == 0:
        apply(rules.numbers, table.hand, action, table.actions)


def _position(rules: RuleSet, table: lay.Table) -> dict[str, Any]:
    """Write the position on a table; no log shows what lies in the stock."""
    return write_position(rules, table.hand) | {"stock": int(table.hand.turn[STOCK])}


def replay_block(
    rules: Sequence[RuleSet],
    which: Ints,
    settings: Ints,
    claims: Ints,
    deals: tuple[Bytes, Ints],
    events: tuple[Bytes, Ints],
) -> Ints:
    """Replay many full logs at once; return 1 for each that is right in all, 0 for one that `replay` words.

    Args:
        rules: The rule sets in use.
        which: [n] each hand's place in `rules`; -1 for a hand that has none, which is never right.
        settings: [n, SETTINGS] what was so before each hand, as `engine.replay.layout` lays it out.
        claims: [n, COLUMNS] each log's claim as a record of `engine.hand_record`; `UNSAID` where it has none.
        deals: The deals' text and its n + 1 offsets; a deal is ``{"holdings":["..",..],"upcards":".."}``
            without blanks.
        events: The events' text and its offsets.
    """
    reports = np.full((len(which), lay.REPORT), lay.BAD_DEAL, np.int64)
    for place, one in enumerate(rules):
        rows = np.flatnonzero(which == place)
        replay_rows(one.numbers, rows, settings, claims, *deals, *events, 0, _TABLES.table, reports)
    return np.where(reports[:, lay.FAULT] == lay.NONE, 1, 0)


def _run(rules: RuleSet, hand: LoggedHand, stop: int) -> tuple[Ints, lay.Table]:
    """Replay a hand up to an event, 0 for all; return the report and the table as it was left."""
    reports, table = np.zeros((1, lay.REPORT), np.int64), _TABLES.table
    written = {"holdings": [_ascii(text) for text in hand.holdings], "upcards": _ascii(hand.upcards)}
    deal = orjson.dumps(written)
    events = _ascii(hand.events).encode()
    replay_rows(
        rules.numbers,
        np.zeros(1, np.int64),
        _settings(rules, hand),
        _claim(hand.result),
        np.frombuffer(deal, np.uint8),
        np.array([0, len(deal)]),
        np.frombuffer(events, np.uint8),
        np.array([0, len(events)]),
        stop,
        table,
        reports,
    )
    return reports[0], table


def _settings(rules: RuleSet, hand: LoggedHand) -> Ints:
    """Lay out what was so before a hand: [1, SETTINGS]."""
    settings = np.zeros((1, lay.SETTINGS), np.int64)
    style = event_bytes.RANK if hand.cards == "rank" else event_bytes.SUIT
    settings[0, : lay.BEFORE] = hand.dealer, _clamped(hand.hand_no), style
    settings[0, lay.BEFORE : lay.BEFORE + rules.sides] = [_clamped(score) for score in hand.score_before]
    return settings


def _ascii(text: str) -> str:
    """Keep text readable byte by byte; what is not ASCII is no card anyway."""
    return text.encode("ascii", "backslashreplace").decode("ascii")


def _clamped(value: int) -> int:
    """Keep a number where adding points to it stays within 64 bits."""
    return max(-_FAR, min(value, _FAR))


def _claim(result: ClaimedResult | None) -> Ints:
    """Lay a claimed result out as a hand's record: [1, COLUMNS]."""
    claims = np.full((1, record.COLUMNS), lay.UNSAID, np.int64)
    if result is None:
        return claims
    claim = claims[0]
    claim[record.ENDING] = ENDINGS.index(result.ended_by) if result.ended_by in ENDINGS else -1
    claim[record.OUT] = -1 if result.seat is None else _clamped(result.seat)
    claim[record.WAS_CONCEALED] = result.concealed
    claim[record.SPECIAL_LAID] = 0 if result.special is None else _special_number(result.special)
    claim[record.TURNS_PLAYED] = lay.UNSAID if result.turns is None else _clamped(result.turns)
    claim[record.GAME_OVER] = result.game_over
    claim[record.WINNER] = -1 if result.winner is None else _clamped(result.winner)
    for side in range(min(len(result.points), record.SIDE_ROOM)):
        ledger, canastas = result.ledger[side], result.canastas[side]
        claim[record.POINTS + side] = _clamped(result.points[side])
        claim[record.SCORE_AFTER + side] = _clamped(result.score_after[side])
        for place, part in enumerate(Ledger._fields):
            claim[record.LEDGER + side * PARTS + place] = _clamped(ledger[part])
        for place, kind in enumerate(Canastas._fields):
            claim[record.CANASTAS + side * CANASTA_KINDS + place] = _clamped(canastas.get(kind, 0))
    return claims


def _special_number(name: str) -> int:
    return 1 + SPECIAL_HANDS.index(name) if name in SPECIAL_HANDS else -1
