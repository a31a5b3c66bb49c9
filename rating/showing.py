"""Numbers as people see them: whole rating points, and changes between what was and what is shown."""

from __future__ import annotations

from math import floor
from typing import Any, Final

#: Numbers of a record that others are told in whole rating points, and shares in hundredths.
_POINTS: Final = (
    "rating",
    "previous_rating",
    "form",
    "peak_rating",
    "rating_before",
    "rating_after",
    "form_after",
)
_SHARES: Final = ("form_progress", "progress", "expected", "actual", "surprise")


def counted(number: int, noun: str) -> str:
    """Return a count with its noun: `1 hand`, `8,000 hands`, `2 batches`."""
    ending = "es" if noun.endswith("ch") else "s"
    return f"{number:,} {noun}{'' if number == 1 else ending}"


def shown(rating: float) -> int:
    """Return a Rating or Form as it is shown: rounded half up."""
    return floor(rating + 0.5)


def shown_change(before: float, after: float) -> int:
    """Return a change as it is shown: between the two Ratings as they are shown."""
    return shown(after) - shown(before)


def change_text(before: float, after: float) -> str:
    """Return what a hand did to a Rating: `+9, now 1,086`."""
    return f"{shown_change(before, after):+d}, now {shown(after):,}"


def as_others_see(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record as it is told to others: what is shown, not the digits behind.

    The digits of a change would give away the Rating of a hidden player who sat at the table.
    """
    seen = dict(record)
    seen |= {name: shown(seen[name]) for name in _POINTS if seen.get(name) is not None}
    seen |= {name: round(seen[name], 2) for name in _SHARES if seen.get(name) is not None}
    if "change" in seen:
        seen["change"] = seen["rating_after"] - seen["rating_before"]
    return seen
