"""Levels: "your level follows your Form, plus how many hands and games you've played"."""

from __future__ import annotations

from typing import Final

from engine.jit import inlined
from rating.elo import FloatArray

NO_EVENT, PLACED, PROMOTED, RELEGATED, WARNED, RECOVERED = range(6)
#: Names of the level events, by code.
EVENT_KINDS: Final = ("", "placed", "promoted", "relegated", "warned", "recovered")
#: A player's level before placing.
NO_LEVEL: Final = -1


#: The level table as the fold takes it: a row a level, lowest first, and a last row for when a level is lost.
#: Columns of a level: Form that it needs (minus infinity for the lowest), rated hands, finished games.
LINE, HANDS_NEEDED, GAMES_NEEDED = range(3)
#: Columns of the last row: how far Form must fall under the own line, and the rated hands after a placing or
#: promotion in which no level is lost.
RELEGATION_POINTS, GRACE_HANDS = range(2)


@inlined
def is_reached(
    form: float, hands: int, games: int, line: float, hands_needed: float, games_needed: float
) -> bool:
    """Say whether a level is reached.

    "Moving up takes all three of these at once: your Form at the next level's line, enough rated hands, and
    enough finished games."
    """
    return bool(form >= line and hands >= hands_needed and games >= games_needed)


@inlined
def is_lost(
    form: float, hands_since_move: int, line: float, relegation_points: float, grace_hands: float
) -> bool:
    """Say whether the own level is lost.

    "You keep it unless your Form falls 50 points below its line, and never within 25 hands of moving up."
    """
    return bool(form <= line - relegation_points and hands_since_move > grace_hands)


@inlined
def level_event(
    levels: FloatArray,
    level: int,
    form_before: float,
    form: float,
    hands: int,
    games: int,
    hands_since_move: int,
) -> int:
    """Check the level after a rated hand and return the one event that it brings, or `NO_EVENT`.

    "You move up one level at a time." "If your Form dips under the line, My account warns you before anything
    changes."

    Args:
        levels: The level table.
        level: Level before the check, `NO_LEVEL` before placing.
        form_before: Form before the hand; whether it was under the line says what was warned of already.
        form: Form after the hand.
        hands: Rated hands with this one.
        games: Finished games with this one.
        hands_since_move: Rated hands since the last placing or promotion, with this one.
    """
    if level == NO_LEVEL:
        return PLACED if hands >= levels[0, HANDS_NEEDED] else NO_EVENT
    up, last = level + 1, levels.shape[0] - 1
    if up < last and is_reached(
        form, hands, games, levels[up, LINE], levels[up, HANDS_NEEDED], levels[up, GAMES_NEEDED]
    ):
        return PROMOTED
    line = levels[level, LINE]
    if is_lost(form, hands_since_move, line, levels[last, RELEGATION_POINTS], levels[last, GRACE_HANDS]):
        return RELEGATED
    was_under, is_under = form_before < line, form < line
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
