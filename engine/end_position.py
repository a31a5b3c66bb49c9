"""Positions at the end of a hand, `canasta-position/1`: read, laid out as a state, scored.

>>> out = {"melds": ["KKKKKKK"], "holdings": ["", "5"], "went_out": True}
>>> other = {"melds": [], "red_threes": 1, "holdings": ["A", "4"]}
>>> position = {"format": "canasta-position/1", "id": "a", "ruleset": "classic_partnership",
...             "sides": [out, other]}
>>> [ledger.points for ledger in score(position)]
[665, -125]

A position names only what scores, so it may leave cards out; `engine.impossible` refuses it for what
contradicts the rules or itself, never for what it leaves unsaid.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr, ValidationError
from pydantic import model_validator as validator

from engine.actions import Group
from engine.errors import NotationError, PositionError
from engine.impossible import faults
from engine.kernel_action import kind_of, lay_meld
from engine.notation import parse_cards
from engine.ruleset import RuleSet
from engine.scoring import Ledger, ledgers
from engine.state import (
    BLACK,
    BY_OUT,
    BY_SPECIAL,
    BY_STOCK,
    CONCEALED,
    ENDED_BY,
    OUT_SEAT,
    RED,
    SEATS,
    SIDES,
    SPECIAL,
    SPECIAL_HANDS,
    State,
    empty_state,
)


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class EndSide(_Data):
    """What one side has at the end of a hand; cards are rank strings, 3s those laid face up."""

    melds: tuple[StrictStr, ...]
    holdings: tuple[StrictStr, ...]
    red_threes: int = Field(default=0, ge=0, le=4, strict=True)
    black_threes: int = Field(default=0, ge=0, le=4, strict=True)
    went_out: StrictBool = False
    concealed: StrictBool = False
    special: StrictStr | None = None


class EndPosition(_Data):
    """A position at the end of a hand; `note` and fields named `expected_*` or `x_*` are its writer's own."""

    format: Literal["canasta-position/1"]
    id: StrictStr
    ruleset: StrictStr
    options: dict[StrictStr, StrictBool | StrictInt] = Field(default_factory=dict)
    sides: tuple[EndSide, ...]

    @validator(mode="before")
    @classmethod
    def _leave_notes_out(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        notes = [key for key in data if key == "note" or str(key).startswith(("expected_", "x_"))]
        return {key: value for key, value in data.items() if key not in notes}

    @property
    def players(self) -> int:
        """Seats at the table."""
        return sum(len(side.holdings) for side in self.sides)


def read_position(data: object) -> EndPosition:
    """Read a position from decoded JSON.

    Raises:
        PositionError: A field is unknown, missing or of another type; the text names it.
    """
    try:
        return EndPosition.model_validate(data)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False, include_context=False)
        places = (".".join(map(str, one["loc"])) or "position" for one in found)
        texts = (f"{place}: {one['msg']}" for place, one in zip(places, found, strict=True))
        raise PositionError("; ".join(texts)) from error


def score(position: EndPosition | Mapping[str, Any]) -> tuple[Ledger, ...]:
    """Score a position at the end of a hand: a ledger for each side, whose sum is the side's points.

    Raises:
        PositionError: No play reaches the position; the text says everything that is wrong with it.
        RuleSetError: The rule set or an option is unknown, or it is played by others in number.
    """
    if not isinstance(position, EndPosition):
        position = read_position(position)
    rules = RuleSet.for_table(position.ruleset, position.players, position.options)
    hand = lay_out(position, rules)
    found = list(faults(hand, rules))
    if found:
        raise PositionError("; ".join(found))
    return ledgers(rules.numbers, hand)


def lay_out(position: EndPosition, rules: RuleSet) -> State:
    """Lay a position out as the state of a hand that has ended; the stock and the pile are left empty.

    Raises:
        PositionError: Sides, seats, cards or melds that no state can hold.
    """
    seats = rules.players // rules.sides
    if len(position.sides) != rules.sides or any(len(side.holdings) != seats for side in position.sides):
        raise PositionError(f"{rules.name} has {rules.sides} sides of {seats} here, each seat with a holding")
    hand = empty_state()
    hand.turn[SEATS], hand.turn[SIDES] = rules.players, rules.sides
    for number, side in enumerate(position.sides):
        _lay_side(hand, rules, number, side)
    _end(hand, position)
    return hand


def _lay_side(hand: State, rules: RuleSet, number: int, side: EndSide) -> None:
    hand.side[number, RED], hand.side[number, BLACK] = side.red_threes, side.black_threes
    # A closed wild meld was begun before another, in whatever order they are listed.
    for text in sorted(side.melds, key=len, reverse=True):
        _lay_meld(hand, rules, number, text)
    for seat, text in enumerate(side.holdings):
        for card in _cards(text, f"side {number}"):
            hand.holding[number + seat * rules.sides, kind_of(card)] += 1


def _lay_meld(hand: State, rules: RuleSet, number: int, text: str) -> None:
    cards = _cards(text, f"side {number}")
    if not cards:
        raise PositionError(f"side {number}: a meld without cards")
    group = Group.of(cards)
    if not group.is_of_one_rank:
        raise PositionError(f"side {number}: {text} is not a meld of one rank")
    if not lay_meld(rules, group, hand.meld[number]):
        raise PositionError(f"side {number}: one meld of a rank too many, {text}")


def _cards(text: str, place: str) -> tuple[str, ...]:
    try:
        cards = parse_cards(text, cards="rank")
    except NotationError as error:
        raise PositionError(f"{place}: {error}") from error
    if "?" in cards:
        raise PositionError(f"{place}: a hidden card cannot be scored: {text}")
    return cards


def _end(hand: State, position: EndPosition) -> None:
    """Write how the hand ended: one side at most went out or laid a special hand."""
    hand.turn[ENDED_BY], hand.turn[OUT_SEAT] = BY_STOCK, -1
    for number, side in enumerate(position.sides):
        if side.concealed and not side.went_out:
            raise PositionError(f"side {number}: concealed, but it did not go out")
        if not side.went_out and side.special is None:
            continue
        if hand.turn[ENDED_BY] != BY_STOCK or (side.went_out and side.special is not None):
            raise PositionError("a hand ends once: one side goes out or lays a special hand")
        seat = next(
            (
                seat
                for seat in range(number, position.players, int(hand.turn[SIDES]))
                if not hand.holding[seat].any()
            ),
            None,
        )
        if seat is None:
            raise PositionError(f"side {number}: ended the hand, but nobody's holding is empty")
        hand.turn[OUT_SEAT] = seat
        hand.turn[ENDED_BY] = BY_OUT if side.went_out else BY_SPECIAL
        hand.turn[CONCEALED] = side.concealed
        if side.special is not None:
            if side.special not in SPECIAL_HANDS:
                raise PositionError(f"side {number}: unknown special hand {side.special!r}")
            hand.turn[SPECIAL] = 1 + SPECIAL_HANDS.index(side.special)
