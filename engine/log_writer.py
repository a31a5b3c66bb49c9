"""Write simulated hands as `canasta-hand/1` lines: what identifies a hand in front, what happened behind it.

The caller knows who played, where and when; the kernel has written the rest (`engine.hand_writer`). A line
costs a join of four byte strings:

>>> from engine.simulator import Schedule, simulate
>>> rules = RuleSet.load("modern_american")
>>> hands = next(simulate(rules, Schedule.of_games([7], rules), seed=42, log="summary"))
>>> table = table_bytes(rules, [computer(seat, rules, "expert") for seat in range(4)])
>>> identity = HandIdentity("h-1", "g-7", 1, "2026-01-05T18:00:00Z", "2026-01-05T18:09:12Z", seed="42:7")
>>> line = hand_line(identity, table, hands.text_of(0))
>>> line[:50]
b'{"format":"canasta-hand/1","hand_id":"h-1","game_i'
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any, NamedTuple

import orjson

from engine.ruleset import RuleSet

FORMAT = "canasta-hand/1"


class HandIdentity(NamedTuple):
    """What names one hand. Ids hold no control characters, quotes or backslashes; times are RFC 3339, UTC."""

    hand_id: str
    game_id: str
    hand_no: int
    started_at: str
    ended_at: str
    seed: str


def computer(seat: int, rules: RuleSet, skill: str) -> dict[str, Any]:
    """Describe a seat that a computer of a skill plays."""
    return {"seat": seat, "side": seat % rules.sides, "kind": "computer", "skill": skill}


def human(seat: int, rules: RuleSet, player: str) -> dict[str, Any]:
    """Describe a seat that a person plays."""
    return {"seat": seat, "side": seat % rules.sides, "kind": "human", "player": player}


def table_bytes(
    rules: RuleSet, seats: Sequence[dict[str, Any]], *, mode: str = "live", device: str | None = None
) -> bytes:
    """Encode what all hands of a game share, once a game: mode, rule set, options, seats, writer."""
    shared: dict[str, Any] = {"mode": mode}
    if device is not None:
        shared["device"] = device
    shared |= {
        "ruleset": rules.name,
        "options": rules.changed_options(),
        "seats": list(seats),
        "engine": f"coastal {version('coastal')}",
        "cards": "rank",
    }
    return orjson.dumps(shared)[1:-1]


def hand_line(identity: HandIdentity, table: bytes, text: bytes) -> bytes:
    """Return a hand's line, without the newline.

    Args:
        identity: What names the hand.
        table: From `table_bytes`.
        text: The hand's own part, from `Hands.text_of`.
    """
    head = (
        f'{{"format":"{FORMAT}","hand_id":"{identity.hand_id}","game_id":"{identity.game_id}",'
        f'"hand_no":{identity.hand_no},"started_at":"{identity.started_at}",'
        f'"ended_at":"{identity.ended_at}",'
    )
    return b"".join((head.encode(), table, f',"seed":"{identity.seed}",'.encode(), text))
