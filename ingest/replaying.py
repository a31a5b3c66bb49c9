"""Checking level 2: full logs are replayed under their rules, and what is wrong is worded by the engine."""

from __future__ import annotations

from typing import Final

import numpy as np
import orjson

from engine import hand_record as record
from engine.replay import LoggedHand, Problem, event_bytes, replay, replay_block
from engine.replay import layout as lay
from engine.ruleset import RuleSet
from engine.scoring import CANASTA_KINDS, PARTS
from engine.state import ENDINGS
from ingest import columns as c
from ingest.arithmetic import special_index
from ingest.columns import NULL, SIDES, HandColumns, Ints, bytes_of
from ingest.findings import Finding, Place
from ingest.spread import to_log

_SINGLES: Final = {
    record.OUT: c.OUT_SEAT,
    record.WAS_CONCEALED: c.CONCEALED,
    record.TURNS_PLAYED: c.TURNS,
    record.GAME_OVER: c.GAME_OVER,
    record.WINNER: c.WINNER,
}
_ENDING: Final = np.array([ENDINGS.index(name) for name in c.ENDINGS], dtype=np.int64)
_STYLE: Final = np.array(
    [{"suit": event_bytes.SUIT, "rank": event_bytes.RANK}[name] for name in c.CARD_STYLES], dtype=np.int64
)


def faulty_hands(hands: HandColumns, rules: list[RuleSet], which: Ints) -> Ints:
    """Return the places of full logs whose replay does not give what they claim.

    Args:
        hands: Hands that are sound at level 1.
        rules: The rule sets in use.
        which: [n] each hand's place in `rules`.
    """
    full = np.flatnonzero(np.asarray(hands.texts[c.EVENTS].is_valid()))
    if len(full) == 0:
        return full
    logs = hands.take(full)
    deals, events = (bytes_of(logs.texts[column]) for column in (c.DEAL, c.EVENTS))
    right = replay_block(rules, which[full], _settings(logs), _claims(logs), deals, events)
    faulty: Ints = full[right == 0]
    return faulty


def replay_findings(hands: HandColumns, place: int, at: Place) -> list[Finding]:
    """Put in words what is wrong with one full log."""
    log = to_log(hands, place)
    return [_finding(one, log.hand_id, at) for one in replay(LoggedHand.from_log(log.model_dump()))]


def _finding(problem: Problem, hand_id: str, at: Place) -> Finding:
    message = problem.message
    if problem.seat is not None:
        message += f" (seat {problem.seat})"
    if problem.position is not None:
        message += f"; the position before it: {orjson.dumps(problem.position).decode()}"
    return at.finding(
        problem.code,
        message,
        hand_id=hand_id,
        event=problem.event,
        expected=problem.expected,
        found=problem.found,
        rule=problem.clause,
    )


def _settings(logs: HandColumns) -> Ints:
    """Lay out what was so before each hand: [n, SETTINGS]."""
    settings = np.zeros((len(logs), lay.SETTINGS), dtype=np.int64)
    settings[:, lay.DEALER_SEAT] = logs.numbers[:, c.DEALER]
    settings[:, lay.HAND_NUMBER] = logs.numbers[:, c.HAND_NO]
    settings[:, lay.STYLE] = _STYLE[logs.numbers[:, c.CARDS]]
    before = logs.numbers[:, c.SCORE_BEFORE : c.SCORE_BEFORE + SIDES]
    settings[:, lay.BEFORE : lay.BEFORE + SIDES] = np.where(before == NULL, 0, before)
    return settings


def _claims(logs: HandColumns) -> Ints:
    """Lay out what each log claims, as records of the engine: [n, COLUMNS]."""
    numbers = logs.numbers
    claims = np.full((len(logs), record.COLUMNS), lay.UNSAID, dtype=np.int64)
    claims[:, record.ENDING] = _ENDING[numbers[:, c.ENDED_BY]]
    for column, source in _SINGLES.items():
        claims[:, column] = numbers[:, source]
    for column in (record.OUT, record.WINNER):
        claims[claims[:, column] == NULL, column] = -1
    names = logs.texts[c.SPECIAL].to_pylist()
    claims[:, record.SPECIAL_LAID] = [special_index(name) + 1 for name in names]
    for side in range(SIDES):
        claims[:, record.POINTS + side] = numbers[:, c.POINTS + side]
        claims[:, record.SCORE_AFTER + side] = numbers[:, c.SCORE_AFTER + side]
        for part in range(PARTS):
            claims[:, record.LEDGER + side * PARTS + part] = numbers[:, c.LEDGER + part * SIDES + side]
        for kind in range(CANASTA_KINDS):
            counts = numbers[:, c.CANASTAS + kind * SIDES + side]
            claims[:, record.CANASTAS + side * CANASTA_KINDS + kind] = counts
    return claims
