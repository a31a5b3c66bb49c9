"""How far a level is away at a player's present pace: an estimate, with what it rests on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from rating.audit.level_check import Check, Condition


class Pace(NamedTuple):
    """How fast a player has been moving lately.

    Attributes:
        hands: Rated hands that it was measured over.
        form_a_hand: Form gained, rating points a hand.
        games_a_hand: Finished games a hand.
    """

    hands: int
    form_a_hand: float
    games_a_hand: float


def pace_of(forms: Sequence[float], games: Sequence[int]) -> Pace | None:
    """Return the pace over consecutive rated hands; None for fewer than two.

    Args:
        forms: Form after each hand, oldest first.
        games: Finished games after each hand.
    """
    hands = len(forms) - 1
    if hands < 1:
        return None
    return Pace(hands, (forms[-1] - forms[0]) / hands, (games[-1] - games[0]) / hands)


def hands_to_meet(condition: Condition, pace: Pace) -> int | None:
    """Return about how many hands until a condition of the next level is met; None for never at this pace."""
    missing = condition.needed - condition.had
    if condition.is_met:
        return 0
    a_hand = {"Form": pace.form_a_hand, "finished games": pace.games_a_hand}.get(condition.about, 1.0)
    return math.ceil(missing / a_hand) if a_hand > 0 else None


def hands_to_climb(check: Check, pace: Pace) -> int | None:
    """Return about how many hands until every condition of the next level is met; None for never."""
    waits = [hands_to_meet(condition, pace) for condition in check.conditions]
    known = [wait for wait in waits if wait is not None]
    # Even with all three met, the level moves with the next rated hand.
    return max(1, *known) if len(known) == len(waits) else None


def hands_to_fall(form: float, drop: float, protected_hands: int, pace: Pace) -> int | None:
    """Return about how many hands until the level would be lost; None for never at this pace.

    Args:
        form: Form now.
        drop: Form at which the level is lost.
        protected_hands: Hands to come in which it cannot be.
        pace: How Form has been moving.
    """
    if form <= drop:
        return protected_hands + 1
    if pace.form_a_hand >= 0:
        return None
    return max(protected_hands + 1, math.ceil((form - drop) / -pace.form_a_hand))
