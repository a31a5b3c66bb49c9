"""Hold the engine's replay to the referee: same verdict, same event, same lines of the result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.replay import replay
from engine.replay.logged_hand import ClaimedResult, LoggedHand
from tests.engine.referee import referee, result_differences

CANASTAS = ("natural", "mixed", "sevens", "aces", "wild")
#: The engine's codes for a result that is not what the events come to, and the referee's fields.
RESULT_FIELDS = {
    "ended_by": {"ended_by", "seat", "concealed", "special"},
    "turns": {"turns"},
    "ledger": {"ledger"},
    "points": {"points"},
    "canastas": {"canastas"},
    "score_after": {"score_after"},
    "game_over": {"game_over", "winner"},
}


@dataclass(frozen=True)
class Opinion:
    """One side's word: the first refused event (0: the deal; None: none), or what differs in the result.

    `why` is for the reader of a difference and is not compared.
    """

    event: int | None
    result: frozenset[str]
    why: str

    def agrees(self, other: Opinion) -> bool:
        return (self.event, self.result) == (other.event, other.result)


def logged(record: dict[str, Any]) -> LoggedHand:
    """Give a record to the engine as its public type."""
    result = record.get("result")
    claim = None
    if result is not None:
        counts = [dict.fromkeys(CANASTAS, 0) | side for side in result["canastas"]]
        claim = ClaimedResult(**{**result, "canastas": counts}, turns=record.get("turns"))
    return LoggedHand(
        ruleset=record["ruleset"],
        options=record["options"],
        players=len(record["seats"]),
        cards=record["cards"],
        dealer=record["dealer"],
        hand_no=record["hand_no"],
        score_before=record["score_before"],
        holdings=record["deal"]["holdings"],
        upcards=record["deal"]["upcards"],
        events=record["events"],
        result=claim,
    )


def engine_opinion(record: dict[str, Any]) -> Opinion:
    """Ask the engine."""
    problems = replay(logged(record))
    codes = frozenset(problem.code for problem in problems)
    if problems and problems[0].message.startswith("the game was over"):
        return Opinion(0, frozenset(), problems[0].message)
    if codes <= RESULT_FIELDS.keys():
        return Opinion(None, codes, "")
    (problem,) = problems
    return Opinion(problem.event or 0, frozenset(), f"{problem.code} {problem.clause}: {problem.message}")


def referee_opinion(record: dict[str, Any]) -> Opinion:
    """Ask the referee."""
    verdict = referee(record)
    if not verdict.legal:
        return Opinion(verdict.event, frozenset(), str(verdict.reason))
    different = set(result_differences(record, verdict)) if "result" in record else set()
    codes = {code for code, fields in RESULT_FIELDS.items() if fields & different}
    return Opinion(None, frozenset(codes), "")


def cut(record: dict[str, Any], events_before: int, event: str) -> dict[str, Any]:
    """Cut a record off after some events and put another there; it claims no result."""
    events = record["events"].split(" ")[:events_before]
    shorter = {name: value for name, value in record.items() if name != "result"}
    return shorter | {"events": " ".join([*events, event])}
