"""Levels: "your level follows your Form, plus how many hands and games you've played"."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.jit import jit
from rating.elo import FloatArray, IntArray

NO_EVENT, PLACED, PROMOTED, RELEGATED, WARNED, RECOVERED = range(6)
#: Names of the level events, by code.
EVENT_KINDS: Final = ("", "placed", "promoted", "relegated", "warned", "recovered")
#: A player's level before placing.
NO_LEVEL: Final = -1


class LevelRules(NamedTuple):
    """The level table, lowest first, and when a level is lost.

    Attributes:
        line: Form that a level needs, rating points; minus infinity for the lowest.
        hands: Rated hands that it needs.
        games: Finished games that it needs.
        relegation_points: How far Form must fall under the own line, rating points.
        grace_hands: Rated hands after a placing or promotion in which no level is lost.
    """

    line: FloatArray
    hands: IntArray
    games: IntArray
    relegation_points: float
    grace_hands: int


@jit
def has_next_level(rules: LevelRules, level: int, form: float, hands: int, games: int) -> bool:
    """Say whether the next level is reached.

    "Moving up takes all three of these at once: your Form at the next level's line, enough rated hands, and
    enough finished games. You move up one level at a time."
    """
    up = level + 1
    return bool(
        up < rules.line.size
        and form >= rules.line[up]
        and hands >= rules.hands[up]
        and games >= rules.games[up]
    )


@jit
def loses_level(rules: LevelRules, level: int, form: float, hands_since_move: int) -> bool:
    """Say whether the own level is lost.

    "You keep it unless your Form falls 50 points below its line, and never within 25 hands of moving up."
    """
    return bool(form <= rules.line[level] - rules.relegation_points and hands_since_move > rules.grace_hands)


@jit
def is_under_line(rules: LevelRules, level: int, form: float) -> bool:
    """Say whether a player is at risk: Form under the own level's line."""
    return bool(level >= 0 and form < rules.line[level])


@jit
def level_event(
    rules: LevelRules, level: int, form: float, hands: int, games: int, hands_since_move: int, was_under: int
) -> int:
    """Check the level after a rated hand and return the one event that it brings, or `NO_EVENT`.

    Args:
        rules: The level table.
        level: Level before the check, `NO_LEVEL` before placing.
        form: Form after the hand.
        hands: Rated hands with this one.
        games: Finished games with this one.
        hands_since_move: Rated hands since the last placing or promotion.
        was_under: Whether Form was already under the own line: 1 or 0.
    """
    if level == NO_LEVEL:
        return PLACED if hands >= rules.hands[0] else NO_EVENT
    if has_next_level(rules, level, form, hands, games):
        return PROMOTED
    if loses_level(rules, level, form, hands_since_move):
        return RELEGATED
    is_under = is_under_line(rules, level, form)
    if is_under and was_under == 0:
        return WARNED
    if was_under == 1 and not is_under:
        return RECOVERED
    return NO_EVENT


@jit
def level_after(level: int, event: int) -> int:
    """Return the level after an event."""
    if event == PLACED:
        return 0
    if event == PROMOTED:
        return level + 1
    return level - 1 if event == RELEGATED else level
