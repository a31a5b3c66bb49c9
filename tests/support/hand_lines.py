"""Hand log lines to break: one sound hand, written down by hand, and blocks made of lines."""

from __future__ import annotations

import copy
import json
from typing import Any

from ingest.findings import Place
from ingest.sources import Block, one_block


def ledger(**parts: int) -> dict[str, int]:
    """Return a ledger with the parts given and no others."""
    names = ("canastas", "threes", "going_out", "melds", "holdings", "penalties", "special")
    return dict.fromkeys(names, 0) | parts


#: Side 0: 500 + 300 + 600 + 100 + 195 - 50 = 1,645. Side 1: -300 - 90 - 45 = -435.
HAND: dict[str, Any] = {
    "format": "canasta-hand/1",
    "hand_id": "h-1",
    "game_id": "g-1",
    "hand_no": 1,
    "started_at": "2026-01-05T18:00:00Z",
    "ended_at": "2026-01-05T18:09:12Z",
    "mode": "live",
    "ruleset": "modern_american",
    "options": {},
    "seats": [
        {"seat": 0, "side": 0, "kind": "human", "player": "p-ana"},
        {"seat": 1, "side": 1, "kind": "computer", "skill": "expert"},
        {"seat": 2, "side": 0, "kind": "stand_in", "player": "p-bo", "skill": "expert"},
        {"seat": 3, "side": 1, "kind": "human", "player": "p-cy"},
    ],
    "dealer": 3,
    "score_before": [0, 0],
    "result": {
        "ended_by": "out",
        "seat": 2,
        "concealed": False,
        "special": None,
        "points": [1645, -435],
        "ledger": [
            ledger(canastas=800, threes=600, going_out=100, melds=195, holdings=-50),
            ledger(threes=-300, melds=-90, holdings=-45),
        ],
        "canastas": [
            {"natural": 1, "mixed": 1, "sevens": 0, "aces": 0, "wild": 0},
            {"natural": 0, "mixed": 0, "sevens": 0, "aces": 0, "wild": 0},
        ],
        "score_after": [1645, -435],
        "game_over": False,
        "winner": None,
    },
    "turns": 41,
    "engine": "coastal 0.1.0",
    "seed": "42:17",
}  # fmt: skip

#: A deal and events in ranks; no legal play, but each card is one of the two packs.
CARDS: dict[str, Any] = {
    "cards": "rank",
    "deal": {"holdings": ["4444KKK3r", "5555QQQ", "6666JJJ", "7777TTT*"], "upcards": ""},
    "events": "033r>9 0d4 0mKKK 0x4 1dQ 1x5",
}


def hand(**changes: Any) -> dict[str, Any]:
    """Return the sound hand with some fields changed; a dotted path reaches inside."""
    record = copy.deepcopy(HAND)
    for path, value in changes.items():
        set_at(record, path, copy.deepcopy(value))
    return record


def set_at(record: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Set a field by its dotted path, such as ``result.ledger.0.melds``, and return the record."""
    *way, last = path.split(".")
    inside: Any = record
    for step in way:
        inside = inside[int(step) if isinstance(inside, list) else step]
    inside[int(last) if isinstance(inside, list) else last] = value
    return record


def line(record: Any) -> bytes:
    """Write a record as most games would."""
    return json.dumps(record, ensure_ascii=False).encode()


def block(*lines: bytes, file: str = "hands.jsonl") -> Block:
    """Make a block of lines of one file."""
    return one_block([(Place(file, number), text) for number, text in enumerate(lines, 1)])


def next_hand(number: int, before: list[int], **changes: Any) -> bytes:
    """Return hand `number` of game g-1, worth 1,645 and -435 to the sides, whose score before is given."""
    after = [before[0] + 1645, before[1] - 435]
    record = hand(hand_id=f"h-{number}", hand_no=number, score_before=before, **changes)
    return line(set_at(record, "result.score_after", after))
