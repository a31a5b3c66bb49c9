"""Form: "your Rating averaged over roughly your last 30 hands"."""

from __future__ import annotations

from typing import Final

from engine.jit import inlined
from rating.elo import FloatArray

#: Codes of the parameter `form`.
FORMS: Final = ("ema", "window")
EMA, WINDOW = range(2)


@inlined
def ema_form(form: float, rating_after: float, form_hands: int) -> float:
    """Return Form after a hand as a moving average that weighs about the last `form_hands` Ratings."""
    return form + (rating_after - form) * 2.0 / (form_hands + 1)


@inlined
def window_form(recent: FloatArray, hands: int, rating_after: float) -> float:
    """Return Form after a hand as the mean of the last Ratings, of those so far while fewer.

    Args:
        recent: One player's ring of Ratings; its size is the window. The new Rating is written into it.
        hands: Rated hands with this one, from 1.
        rating_after: Rating after this hand.
    """
    size = recent.size
    recent[(hands - 1) % size] = rating_after
    total = 0.0
    count = min(hands, size)
    for age in range(count):  # oldest first: one order of summing, whatever the ring's turn
        total += recent[(hands - count + age) % size]
    return total / count
