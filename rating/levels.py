"""Levels: "your level follows your Form, plus how many hands and games you've played"."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.jit import inlined

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

    line: tuple[float, ...]
    hands: tuple[int, ...]
    games: tuple[int, ...]
    relegation_points: float
    grace_hands: int


@inlined
def has_next_level(rules: LevelRules, level: int, form: float, hands: int, games: int) -> bool:
    """Say whether the next level is reached.

    "Moving up takes all three of these at once: your Form at the next level's line, enough rated hands, and
    enough finished games. You move up one level at a time."
    """
    up = level + 1
    return bool(
        up < len(rules.line)
        and form >= rules.line[up]
        and hands >= rules.hands[up]
        and games >= rules.games[up]
    )


@inlined
def loses_level(rules: LevelRules, level: int, form: float, hands_since_move: int) -> bool:
    """Say whether the own level is lost.

    "You keep it unless your Form falls 50 points below its line, and never within 25 hands of moving up."
    """
    return bool(form <= rules.line[level] - rules.relegation_points and hands_since_move > rules.grace_hands)


@inlined
def is_under_line(rules: LevelRules, level: int, form: float) -> bool:
    """Say whether a player is at risk: Form under the own level's line."""
    return bool(level >= 0 and form < rules.line[level])


@inlined
def level_event(
    rules: LevelRules,
    level: int,
    form_before: float,
    form: float,
    hands: int,
    games: int,
    hands_since_move: int,
) -> int:
    """Check the level after a rated hand and return the one event that it brings, or `NO_EVENT`.

    "If your Form dips under the line, My account warns you before anything changes."

    Args:
        rules: The level table.
        level: Level before the check, `NO_LEVEL` before placing.
        form_before: Form before the hand; whether it was under the line says what was warned of already.
        form: Form after the hand.
        hands: Rated hands with this one.
        games: Finished games with this one.
        hands_since_move: Rated hands since the last placing or promotion, with this one.
    """
    if level == NO_LEVEL:
        return PLACED if hands >= rules.hands[0] else NO_EVENT
    if has_next_level(rules, level, form, hands, games):
        return PROMOTED
    if loses_level(rules, level, form, hands_since_move):
        return RELEGATED
    was_under, is_under = is_under_line(rules, level, form_before), is_under_line(rules, level, form)
    if was_under == is_under:
        return NO_EVENT
    return WARNED if is_under else RECOVERED


@inlined
def level_after(level: int, event: int) -> int:
    """Return the level after an event."""
    if event == PLACED:
        return 0
    if event == PROMOTED:
        return level + 1
    return level - 1 if event == RELEGATED else level
