"""The level check line by line: each rule's conditions, what each asks for, what there was, met or not."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from rating.levels import NO_LEVEL
from rating.parameters import Parameters


@dataclass(frozen=True)
class Condition:
    """One condition: what it is about, what it asks for in words, the number needed, the number there was."""

    about: str
    asks: str
    needed: float
    had: float
    is_met: bool


@dataclass(frozen=True)
class Check:
    """One rule of the level check; it holds when every condition is met."""

    kind: str
    says: str
    conditions: tuple[Condition, ...]

    @property
    def holds(self) -> bool:
        """Whether every condition is met."""
        return all(condition.is_met for condition in self.conditions)

    def record(self) -> dict[str, Any]:
        """Return the rule and its conditions as plain data."""
        return asdict(self) | {"holds": self.holds}


class Moment(NamedTuple):
    """A player's numbers at a level check: after a hand, with the level and Form before it."""

    level: int
    form_before: float
    form: float
    hands: int
    games: int
    hands_since_move: int


def at_least(about: str, needed: float, had: float) -> Condition:
    """Return the condition that a number has reached another."""
    return Condition(about, "at least", needed, had, had >= needed)


def climbing(parameters: Parameters, level: int, form: float, hands: int, games: int) -> Check | None:
    """Return what the next level asks for; None at the top.

    Args:
        parameters: The parameter set.
        level: Position in the level table, `NO_LEVEL` before placing.
        form: Form now.
        hands: Rated hands.
        games: Finished games.
    """
    if level + 1 == len(parameters.level):
        return None
    aim = parameters.level[level + 1]
    if level == NO_LEVEL:
        return Check("placed", f"placed at {aim.name}", (at_least("rated hands", aim.hands, hands),))
    assert aim.form_line is not None
    conditions = (
        at_least("Form", aim.form_line, form),
        at_least("rated hands", aim.hands, hands),
        at_least("finished games", aim.games, games),
    )
    return Check("promoted", f"promoted to {aim.name}", conditions)


def falling(parameters: Parameters, moment: Moment) -> list[Check]:
    """Return what would relegate, warn or end a warning; empty where no level can be lost."""
    own = parameters.level[moment.level] if moment.level != NO_LEVEL else None
    if own is None or own.form_line is None:
        return []
    line, grace = own.form_line, parameters.retention.grace_hands
    drop = line - parameters.retention.relegation_points
    since = moment.hands_since_move
    was_under, is_under = moment.form_before < line, moment.form < line
    below = parameters.level[moment.level - 1].name
    return [
        Check(
            "relegated",
            f"relegated to {below}",
            (
                Condition("Form", "at most", drop, moment.form, moment.form <= drop),
                Condition("rated hands since the last move", "more than", grace, since, since > grace),
            ),
        ),
        Check(
            "warned",
            f"warned of losing {own.name}",
            (
                Condition("Form", "under", line, moment.form, is_under),
                Condition("Form before this hand", "at least", line, moment.form_before, not was_under),
            ),
        ),
        Check(
            "recovered",
            f"recovered at {own.name}",
            (
                Condition("Form", "at least", line, moment.form, not is_under),
                Condition("Form before this hand", "under", line, moment.form_before, was_under),
            ),
        ),
    ]


def level_check(parameters: Parameters, moment: Moment) -> list[Check]:
    """Return every rule that a level check looks at, in its order; the first that holds is what happens."""
    up = climbing(parameters, moment.level, moment.form, moment.hands, moment.games)
    checks = [] if up is None else [up]
    return checks + (falling(parameters, moment) if moment.level != NO_LEVEL else [])
