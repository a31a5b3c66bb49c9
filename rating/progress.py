"""How far a player is on the way to the next level: one bar a condition, and the whole."""

from __future__ import annotations

from typing import NamedTuple

from rating.levels import NO_LEVEL
from rating.parameters import Parameters


class Progress(NamedTuple):
    """The next level, what it needs, and how much of that is there, each from 0 to 1.

    Everything is None at the top level; before placing only hands are asked for.

    Attributes:
        level: Name of the next level.
        form, hands, games: What it needs: rating points, rated hands, finished games.
        form_share, hands_share, games_share: The bars.
        share: The whole: the least of the bars.
    """

    level: str | None = None
    form: float | None = None
    hands: int | None = None
    games: int | None = None
    form_share: float | None = None
    hands_share: float | None = None
    games_share: float | None = None
    share: float | None = None


def progress(parameters: Parameters, level: int, form: float, hands: int, games: int) -> Progress:
    """Return a player's way to the next level.

    Args:
        parameters: The parameter set.
        level: Position in the level table, `NO_LEVEL` before placing.
        form: Rating points.
        hands: Rated hands.
        games: Finished games.
    """
    levels = parameters.level
    if level + 1 == len(levels):
        return Progress()
    needed = levels[level + 1]
    hands_share = _share(hands, needed.hands)
    if level == NO_LEVEL or needed.form_line is None:
        return Progress(needed.name, hands=needed.hands, hands_share=hands_share, share=hands_share)
    own_line = levels[level].form_line
    start = parameters.computer_rating.beginner if own_line is None else own_line
    shares = (_share(form - start, needed.form_line - start), hands_share, _share(games, needed.games))
    return Progress(needed.name, needed.form_line, needed.hands, needed.games, *shares, min(shares))


def _share(have: float, needed: float) -> float:
    """Return what is there of what is needed, from 0 to 1."""
    if needed <= 0:
        return 1.0 if have >= needed else 0.0
    return min(max(have / needed, 0.0), 1.0)


def own_line(parameters: Parameters, level: int) -> float | None:
    """Return the Form line of a level, None where there is none."""
    return None if level == NO_LEVEL else parameters.level[level].form_line
