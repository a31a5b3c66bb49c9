"""Numbers as people see them: whole rating points, and changes between what was and what is shown."""

from __future__ import annotations

from math import floor


def shown(rating: float) -> int:
    """Return a Rating or Form as it is shown: rounded half up."""
    return floor(rating + 0.5)


def shown_change(before: float, after: float) -> int:
    """Return a change as it is shown: between the two Ratings as they are shown."""
    return shown(after) - shown(before)


def change_text(before: float, after: float) -> str:
    """Return what a hand did to a Rating: `+9, now 1,086`."""
    return f"{shown_change(before, after):+d}, now {shown(after):,}"
