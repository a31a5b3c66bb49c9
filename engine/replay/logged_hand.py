"""A full hand log as its writer claims it, and what can be wrong with one (checking level 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.notation import CardStyle
from engine.ruleset import OptionValue

#: What can be wrong with a full log that adds up: the code, and what a right log holds to.
PROBLEMS: Final = {
    "unknown_rules": "the rule set, its options and its players are known",
    "deal_shape": "each seat is dealt what the rule set deals, in the log's way of writing cards",
    "deal_upcards": "upcards are turned where the rule set turns one, until one need not be covered",
    "card_count": "no card shows more often than two packs hold it",
    "event_notation": "an event is written in the grammar of the log",
    "hidden_card": "a log that is to be replayed hides no card",
    "illegal_event": "every event is legal under the rule set",
    "drawn_cards": "as many cards come from the stock as the rule set says",
    "going_out": "`o` follows the event that empties a holding, and only that",
    "events_end": "the events go on until the hand ends",
    "ended_by": "the hand ended as the result says",
    "turns": "`turns` counts the turns begun",
    "ledger": "the ledger is what the hand pays",
    "points": "points are what the hand pays",
    "canastas": "canastas are those on the table",
    "score_after": "the score after the hand is the score before and the points",
    "game_over": "the game is over, and won, when the rule set says so; no hand follows",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a logged hand.

    Attributes:
        code: A key of `PROBLEMS`.
        message: One sentence for a person.
        event: Number of the event, from 1; one past the last where something is missing; None for the deal
            and the result.
        seat: Who acted, or None.
        clause: Id of the clause that refuses the event, or None.
        expected: What would have been right, where that can be said.
        found: What the log says.
        position: The position before the event (`HandState.from_position` sets it up), or None.
    """

    code: str
    message: str
    event: int | None = None
    seat: int | None = None
    clause: str | None = None
    expected: object = None
    found: object = None
    position: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ClaimedResult:
    """What a log says came of a hand; lists by side."""

    ended_by: str
    seat: int | None
    concealed: bool
    special: str | None
    points: Sequence[int]
    ledger: Sequence[Mapping[str, int]]
    canastas: Sequence[Mapping[str, int]]
    score_after: Sequence[int]
    game_over: bool
    winner: int | None
    turns: int | None = None


@dataclass(frozen=True, slots=True)
class LoggedHand:
    """A full hand log as its writer claims it; without a result only the play is replayed."""

    ruleset: str
    options: Mapping[str, OptionValue]
    players: int
    cards: CardStyle
    dealer: int
    hand_no: int
    score_before: Sequence[int]
    holdings: Sequence[str]
    upcards: str
    events: str
    result: ClaimedResult | None = None

    @classmethod
    def from_log(cls, record: Mapping[str, Any]) -> LoggedHand:
        """Take a full hand out of a decoded `canasta-hand/1` line that is sound at levels 0 and 1."""
        result = {
            name: record["result"][name] for name in ClaimedResult.__dataclass_fields__ if name != "turns"
        }
        return cls(
            ruleset=record["ruleset"],
            options=record.get("options", {}),
            players=len(record["seats"]),
            cards=record.get("cards", "suit"),
            dealer=record["dealer"],
            hand_no=record["hand_no"],
            score_before=record["score_before"],
            holdings=record["deal"]["holdings"],
            upcards=record["deal"].get("upcards", ""),
            events=record["events"],
            result=ClaimedResult(**result, turns=record.get("turns")),
        )
