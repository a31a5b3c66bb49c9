"""Logs as a block for `replay_block`: their bytes may be anything, their claims are what the records say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson

from engine import hand_record as column
from engine.replay import layout, replay_block
from engine.replay.event_bytes import RANK, SUIT
from engine.ruleset import RuleSet
from engine.state import ENDINGS, SPECIAL_HANDS, Ints

PARTS = ("canastas", "threes", "going_out", "melds", "holdings", "penalties", "special")
KINDS = ("natural", "mixed", "sevens", "aces", "wild")


@dataclass(frozen=True)
class Written:
    """One log: a sound record, and the bytes that stand for its deal and events."""

    record: dict[str, Any]
    deal: bytes
    events: bytes

    @classmethod
    def of(cls, record: dict[str, Any]) -> Written:
        deal = {"holdings": record["deal"]["holdings"], "upcards": record["deal"]["upcards"]}
        return cls(record, orjson.dumps(deal), record["events"].encode())


def judge(logs: Sequence[Written]) -> list[bool]:
    """Ask `replay_block` which logs are right; all are of one rule set and table."""
    first = logs[0].record
    rules = RuleSet.for_table(first["ruleset"], len(first["seats"]), first["options"])
    settings = np.zeros((len(logs), layout.SETTINGS), np.int64)
    claims = np.full((len(logs), column.COLUMNS), layout.UNSAID, np.int64)
    for row, log in enumerate(logs):
        _write(log.record, settings[row], claims[row])
    which = np.zeros(len(logs), np.int64)
    deals, events = _texts([log.deal for log in logs]), _texts([log.events for log in logs])
    return [bool(verdict) for verdict in replay_block([rules], which, settings, claims, deals, events)]


def _texts(texts: list[bytes]) -> tuple[Any, Ints]:
    offsets = np.zeros(len(texts) + 1, np.int64)
    offsets[1:] = np.cumsum([len(text) for text in texts])
    return np.frombuffer(b"".join(texts), np.uint8), offsets


def _write(record: dict[str, Any], setting: Ints, claim: Ints) -> None:
    setting[layout.DEALER_SEAT], setting[layout.HAND_NUMBER] = record["dealer"], record["hand_no"]
    setting[layout.STYLE] = RANK if record["cards"] == "rank" else SUIT
    result = record["result"]
    claim[column.ENDING] = ENDINGS.index(result["ended_by"])
    claim[column.OUT] = -1 if result["seat"] is None else result["seat"]
    claim[column.WAS_CONCEALED] = result["concealed"]
    claim[column.SPECIAL_LAID] = 1 + SPECIAL_HANDS.index(result["special"]) if result["special"] else 0
    claim[column.TURNS_PLAYED] = record["turns"]
    claim[column.GAME_OVER] = result["game_over"]
    claim[column.WINNER] = -1 if result["winner"] is None else result["winner"]
    for side, score in enumerate(record["score_before"]):
        setting[layout.BEFORE + side] = score
        claim[column.POINTS + side] = result["points"][side]
        claim[column.SCORE_AFTER + side] = result["score_after"][side]
        ledger = [result["ledger"][side][part] for part in PARTS]
        claim[column.LEDGER + 7 * side : column.LEDGER + 7 * side + 7] = ledger
        counts = [result["canastas"][side].get(kind, 0) for kind in KINDS]
        claim[column.CANASTAS + 5 * side : column.CANASTAS + 5 * side + 5] = counts
