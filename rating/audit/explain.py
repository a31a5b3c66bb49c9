"""Explain one hand's change: ratings, scores, K and why that K, Form, and the level check line by line."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from engine.errors import RatingError
from ingest.corrections import unknown_hand
from rating.audit.audited import AuditedRun
from rating.audit.level_check import Check, Moment, level_check
from rating.audit.log import LoggedHand, LoggedSeat, read_log
from rating.audit.slow import counts_for
from rating.levels import NO_LEVEL
from rating.rules import computer_rating


class UnexplainedError(RatingError):
    """There is nothing to explain: the hand was not seen by the run, or the player was not at its table."""


@dataclass(frozen=True)
class SeatSaid:
    """Who sat where; `counts_as` is what the seat brought to its side's rating."""

    seat: int
    kind: str
    player: str | None
    counts_as: float


@dataclass(frozen=True)
class SideSaid:
    """A side of a hand; no rating and no scores when the hand counted for nobody."""

    side: int
    seats: tuple[SeatSaid, ...]
    points: int
    rating: float | None
    expected: float | None
    actual: float | None


@dataclass(frozen=True)
class Explanation:
    """What a hand did to a player's numbers, and why; without a change, `why_not` says why there is none.

    Attributes:
        own_side: The player's side.
        change: The record's row: `rating_before`, `k_factor`, `form_after` and the rest.
        k_because: Why that K.
        checks: The level check, in its order; the first that holds is what happened.
        event: The level event, empty for none.
    """

    player: str
    hand_id: str
    game_id: str
    hand_no: int
    ended_at: datetime
    game_over: bool
    pool: str
    device: str
    own_side: int
    sides: tuple[SideSaid, ...]
    why_not: str
    change: dict[str, Any] | None
    k_because: str
    checks: tuple[Check, ...]
    event: str

    def record(self) -> dict[str, Any]:
        """Return the explanation as plain data."""
        return asdict(self) | {"checks": [check.record() for check in self.checks]}


def explain(audited: AuditedRun, player: str, hand_id: str) -> Explanation:
    """Explain what a hand did to a player's numbers in a run.

    Args:
        audited: The run.
        player: The player's id.
        hand_id: The hand.

    Raises:
        IngestError: There is no such hand; the text suggests the nearest.
        UnexplainedError: The run did not see the hand, or the player did not play it.
    """
    hand = _seen_hand(audited, hand_id)
    seat = _seat_of(hand, player)
    device = hand.device if hand.mode == "solo" else ""
    slots = _slots(audited, hand, device)
    change = _own_change(audited, slots[player], hand)
    why_not = "" if change else _why_not(hand, seat)
    checks = () if change is None else tuple(level_check(audited.parameters, _moment(audited, change)))
    return Explanation(
        player,
        hand_id,
        hand.game_id,
        hand.hand_no,
        hand.ended_at,
        hand.game_over,
        hand.pool,
        device,
        seat.side,
        _sides(audited, hand, slots),
        why_not,
        change,
        "" if change is None else _k_because(audited, hand, seat, change),
        checks,
        "" if change is None else change["event"] or "",
    )


def _seen_hand(audited: AuditedRun, hand_id: str) -> LoggedHand:
    """Return the version of a hand that the run rated."""
    hands = list(read_log(audited.warehouse.cursor(), audited.seen, [hand_id]))
    if hands:
        return hands[0]
    acts = audited.records("acts_on_hand", hand_id=hand_id)
    if not acts:
        raise unknown_hand(audited.cursor, hand_id)
    last = acts[-1]
    if last["kind"] != "void":
        raise UnexplainedError(
            f"hand {hand_id!r} was loaded after run {audited.run.name}: "
            "bring ratings up to date with `coastal rate`"
        )
    raise UnexplainedError(
        f"hand {hand_id!r} is void and is not rated: withdrawn by {last['operator']} on "
        f"{last['corrected_at']:%Y-%m-%d %H:%M} UTC, because: {last['why']}"
    )


def _seat_of(hand: LoggedHand, player: str) -> LoggedSeat:
    for seat in hand.seats:
        if seat.player == player:
            return seat
    there = ", ".join(seat.player for seat in hand.seats if seat.player is not None)
    raise UnexplainedError(f"{player} did not play hand {hand.hand_id!r}; at its table: {there or 'nobody'}")


def _slots(audited: AuditedRun, hand: LoggedHand, device: str) -> dict[str, int]:
    """Return the slots of the table's persons in the hand's pool."""
    players = [seat.player for seat in hand.seats if seat.player is not None]
    rows = audited.records("slots", pool=hand.pool, device=device, players=players)
    return {row["player"]: row["slot"] for row in rows}


def _own_change(audited: AuditedRun, slot: int, hand: LoggedHand) -> dict[str, Any] | None:
    rows = audited.records("own_change", slot=slot, hand_key=hand.hand_key)
    return rows[0] if rows else None


def _why_not(hand: LoggedHand, seat: LoggedSeat) -> str:
    """Say why a hand that the run saw is not rated for a seat's person."""
    if not counts_for(hand, seat):
        return "a live hand counts only when another person plays it, and none did"
    return "held: the computer played this seat, and the person has not come back to this game"


def _moment(audited: AuditedRun, change: dict[str, Any]) -> Moment:
    positions = {level.name: place for place, level in enumerate(audited.parameters.level)}
    return Moment(
        positions.get(change["level_before"], NO_LEVEL),
        change["form_before"],
        change["form_after"],
        change["hands"],
        change["games"],
        change["hands"] - change["moved_at"],
    )


def _sides(audited: AuditedRun, hand: LoggedHand, slots: dict[str, int]) -> tuple[SideSaid, ...]:
    numbers = {row["side"]: row for row in audited.records("table_sides", hand_key=hand.hand_key)}
    rows = audited.records("numbers_before", slots=list(slots.values()), hand_key=hand.hand_key)
    ratings = {row["slot"]: row["rating"] for row in rows}
    brought = {player: ratings[slot] for player, slot in slots.items()}
    return tuple(
        SideSaid(
            side,
            tuple(_seat_said(audited, hand, seat, brought) for seat in hand.seats if seat.side == side),
            points,
            *(numbers.get(side, {}).get(name) for name in ("rating", "expected", "actual")),
        )
        for side, points in enumerate(hand.points)
    )


def _seat_said(
    audited: AuditedRun, hand: LoggedHand, seat: LoggedSeat, brought: dict[str, float]
) -> SeatSaid:
    is_computer = seat.player is None or (
        seat.kind == "stand_in" and audited.parameters.stand_in.stand_in_rating == "computer"
    )
    counts_as = (
        computer_rating(audited.parameters, hand.mode, seat.skill or "")
        if is_computer
        else brought[seat.player or ""]
    )
    return SeatSaid(seat.seat, seat.kind, seat.player, counts_as)


def _k_because(audited: AuditedRun, hand: LoggedHand, seat: LoggedSeat, change: dict[str, Any]) -> str:
    """Say why a change had its K."""
    played = change["hands"] - 1
    steps = audited.parameters.change.k_factor
    step = next(step for step in steps if step.below_hands is None or played < step.below_hands)
    own = f"{played:,} rated hands before this one"
    if step.below_hands is not None:
        own += f", fewer than {step.below_hands:,}"
    elif len(steps) > 1:
        own += f", {steps[-2].below_hands:,} or more"
    partners = sum(other.side == seat.side and other.kind == "human" for other in hand.seats)
    rule = audited.parameters.change.partner_change
    if rule == "own_k" or seat.kind == "stand_in" or partners == 1:
        return own
    share = "the mean" if rule == "mean_k" else "the least"
    return f"{share} of the partners' own K; own {step.k:g}: {own}"
