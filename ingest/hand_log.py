"""The formats `canasta-hand/1` and `canasta-player/1`, one JSON object a line, as pydantic models.

These models are the border: every line that is not entirely regular passes through them, and the published
JSON Schema is made from them. Unknown fields are kept; `x_` is the writer's own space.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Annotated, Any, Final, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError

from ingest.columns import SEATS, SIDES

HAND_FORMAT: Final = "canasta-hand/1"
PLAYER_FORMAT: Final = "canasta-player/1"
#: A longer line, in bytes, is cut here and refused.
LONGEST_LINE: Final = 4 * 2**20
#: Counts and points have at most nine digits.
LARGEST: Final = 999_999_999

_TIME = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,6})\d*)?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))"
)


def parse_time(text: object) -> datetime:
    """Read an RFC 3339 instant, in any zone, as UTC; parts of a microsecond are dropped.

    Raises:
        PydanticCustomError: It is none; the year lies outside 1 to 9999 in UTC; a leap second.
    """
    found = _TIME.fullmatch(text) if isinstance(text, str) and text.isascii() else None
    if found is None:
        raise PydanticCustomError("time_format", "not an RFC 3339 time with its zone")
    *numbers, fraction, sign, hours, minutes = found.groups()
    if numbers[-1] == "60":
        raise PydanticCustomError("time_format", "leap seconds are not taken: write second 59")
    offset = timedelta(0)
    if sign is not None:
        offset = timedelta(hours=int(hours), minutes=int(minutes)) * (-1 if sign == "-" else 1)
    try:
        year, month, day, hour, minute, second = map(int, numbers)
        micros = int((fraction or "0").ljust(6, "0"))
        local = datetime(year, month, day, hour, minute, second, micros, timezone(offset))
        return local.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise PydanticCustomError("time_format", "no such instant") from error


Instant = Annotated[
    datetime, BeforeValidator(parse_time), WithJsonSchema({"type": "string", "format": "date-time"})
]
Text = Annotated[str, StringConstraints(strict=True)]
Id = Annotated[str, StringConstraints(strict=True, min_length=1)]
Count = Annotated[int, Field(strict=True, ge=0, le=LARGEST)]
Points = Annotated[int, Field(strict=True, ge=-LARGEST, le=LARGEST)]
Flag = Annotated[bool, Field(strict=True)]
Seat = Annotated[int, Field(strict=True, ge=0, lt=SEATS)]
Side = Annotated[int, Field(strict=True, ge=0, lt=SIDES)]
Option = Annotated[bool, Field(strict=True)] | Points | Text
Skill = Literal["beginner", "intermediate", "expert"]


class _Logged(BaseModel):
    """What all parts of a line share: nothing changes, unknown fields are kept aside."""

    model_config = ConfigDict(frozen=True, extra="allow")

    @property
    def unknown_fields(self) -> dict[str, Any]:
        """Fields that the format does not know, by path, such as ``x_table`` or ``seats.0.x_chair``.

        A backslash stands before a dot in a name, so that no two fields have one path.
        """
        found = {_escaped(key): value for key, value in (self.model_extra or {}).items()}
        for name in type(self).model_fields:
            value = getattr(self, name)
            parts = enumerate(value) if isinstance(value, tuple) else [(None, value)]
            for index, part in parts:
                if isinstance(part, _Logged):
                    path = name if index is None else f"{name}.{index}"
                    found |= {f"{path}.{key}": extra for key, extra in part.unknown_fields.items()}
        return found


def _escaped(name: str) -> str:
    return name.replace("\\", "\\\\").replace(".", "\\.")


class SeatLog(_Logged):
    """Who sat where: a person who played, a person whom the computer stood in for, or a computer."""

    seat: Seat
    side: Side
    kind: Literal["human", "stand_in", "computer"]
    player: Id | None = None
    skill: Skill | None = None

    @model_validator(mode="after")
    def _has_its_person(self) -> Self:
        is_computer = self.kind == "computer"
        if is_computer != (self.player is None) or (is_computer and self.skill is None):
            needs = "its skill and no player" if is_computer else "its player"
            raise PydanticCustomError(
                "seat_person", "a {kind} seat names {needs}", {"kind": self.kind, "needs": needs}
            )
        return self


class Ledger(_Logged):
    """The parts of a side's points; parts that a rule set does not have may be left out."""

    canastas: Points = 0
    threes: Points = 0
    going_out: Points = 0
    melds: Points = 0
    holdings: Points = 0
    penalties: Points = 0
    special: Points = 0


class CanastaCounts(_Logged):
    """A side's canastas by kind; `mixed` counts mixed aces too."""

    natural: Count = 0
    mixed: Count = 0
    sevens: Count = 0
    aces: Count = 0
    wild: Count = 0


class Result(_Logged):
    """How a hand ended and what it brought; lists have one entry a side, by side number."""

    ended_by: Literal["out", "stock", "special"]
    seat: Seat | None = None
    concealed: Flag = False
    special: Id | None = None
    points: tuple[Points, ...]
    ledger: tuple[Ledger, ...]
    canastas: tuple[CanastaCounts, ...]
    score_after: tuple[Points, ...]
    game_over: Flag
    winner: Side | None = None


class Deal(_Logged):
    """The cards as dealt, a text a seat, and the cards turned up to start the pile."""

    holdings: tuple[Text, ...] = Field(min_length=1, max_length=SEATS)
    upcards: Text = ""


class HandLog(_Logged):
    """One hand of canasta, from its deal to its score: a line of `canasta-hand/1`."""

    format: Literal["canasta-hand/1"]
    hand_id: Id
    game_id: Id
    hand_no: Annotated[int, Field(strict=True, ge=1, le=LARGEST)]
    started_at: Instant
    ended_at: Instant
    mode: Literal["live", "solo"]
    device: Id | None = None
    ruleset: Id
    options: dict[str, Option] = {}
    seats: tuple[SeatLog, ...] = Field(min_length=1, max_length=SEATS)
    dealer: Seat
    score_before: tuple[Points, ...] = Field(min_length=1, max_length=SIDES)
    result: Result
    turns: Count | None = None
    cards: Literal["suit", "rank"] = "suit"
    deal: Deal | None = None
    events: Text | None = None
    engine: Text | None = None
    seed: Text | None = None

    @model_validator(mode="after")
    def _holds_together(self) -> Self:
        if self.ended_at < self.started_at:
            raise PydanticCustomError("time_order", "ended_at is before started_at")
        if self.mode == "solo" and self.device is None:
            raise PydanticCustomError("device_missing", "a solo hand needs its device")
        if [seat.seat for seat in self.seats] != list(range(len(self.seats))):
            raise PydanticCustomError("seat_order", "seats are not 0, 1, 2 ... in this order")
        if (self.deal is None) != (self.events is None):
            raise PydanticCustomError("incomplete_log", "deal and events come together")
        if self.deal is not None and len(self.deal.holdings) != len(self.seats):
            raise PydanticCustomError("incomplete_log", "the deal does not have one holding a seat")
        lists = (self.result.points, self.result.ledger, self.result.canastas, self.result.score_after)
        if any(len(one) != len(self.score_before) for one in lists):
            raise PydanticCustomError("side_lists", "score_before and the result's lists differ in length")
        return self


class PlayerRecord(_Logged):
    """What a person says of themselves: a line of `canasta-player/1`."""

    format: Literal["canasta-player/1"]
    player: Id
    name: Id
    self_rating: Literal["learning", "casual", "experienced", "expert"] | None = None
    show_skill: Flag | None = None
    joined_at: Instant | None = None
