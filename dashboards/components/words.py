"""Numbers and rows as the words that people read; no streamlit, no query."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from math import ceil, floor
from typing import Any, NamedTuple

import pandas as pd

from rating.parameters import Parameters
from rating.showing import counted, shown

#: The pool of *the* Coastal Rating.
COASTAL_POOL = "live/modern_american"
SELF_RATED = "self-rated"
#: Kinds of level events that bring a level, and those that take one.
REACHED = ("placed", "promoted")
LOST = ("relegated",)


class Bar(NamedTuple):
    """One condition of the next level and how far it is met; `share` is from 0 to 1."""

    name: str
    have: float
    needed: float
    share: float

    @property
    def sentence(self) -> str:
        """Say it in words: `Form 1,086 of 1,150`."""
        return f"{self.name} {self.have:,.0f} of {self.needed:,.0f}"


def plain(text: str) -> str:
    """Return text that Markdown shows as it is.

    Each ASCII punctuation mark is escaped and followed by a word joiner, which is invisible, because names of
    emoji, icons and colours are read after escapes are gone.
    """
    return re.sub(r"([!-/:-@\[-`{-~])", "\\\\\\1\u2060", text)


def rating(value: float | None) -> str:
    """Return a Rating, Form or line as shown: `1,086`."""
    return "" if value is None else f"{shown(value):,}"


def pool(name: str) -> str:
    """Return a pool's name for people: `live/modern_american` is `Live, Modern American`."""
    mode, ruleset = name.split("/")
    return f"{mode.capitalize()}, {ruleset.replace('_', ' ').title()}"


def standing_name(pool_name: str, device: str) -> str:
    """Return a pool's name and, where it keeps one, the device: `Solo, Modern American, on phone`."""
    return f"{pool(pool_name)}, on {device}" if device else pool(pool_name)


def day(at: datetime) -> str:
    """Return a date: `14 March 2026`."""
    return f"{at.day} {at:%B %Y}"


def short_day(at: datetime) -> str:
    """Return a date for a table: `14 Mar 2026`, in one line."""
    return unbroken(f"{at.day} {at:%b %Y}")


def unbroken(text: str) -> str:
    """Return text that does not break into lines."""
    return text.replace(" ", "\u00a0")


def age(since: datetime, now: datetime) -> str:
    """Return about how long ago an instant was, in its largest unit."""
    gap = max(now - since, timedelta(0))
    for unit, size in (
        ("day", timedelta(days=1)),
        ("hour", timedelta(hours=1)),
        ("minute", timedelta(minutes=1)),
    ):
        if gap >= size:
            return f"{counted(gap // size, unit)} ago"
    return "just now"


def level(name: str, self_rating: str | None) -> str:
    """Return the level, or what the player said of themselves until the first one."""
    if name:
        return name
    return f"{self_rating.capitalize()}, {SELF_RATED}" if isinstance(self_rating, str) else "Not placed yet"


def bars(standing: Mapping[str, Any]) -> list[Bar]:
    """Return the bars to the next level: three, one before placing, none at the top."""
    if not standing["next_level"]:
        return []
    hands = Bar("Rated hands", standing["hands"], standing["next_hands"], standing["hands_progress"])
    if not standing["level"]:
        return [hands]
    form = against(standing["form"], standing["next_form"])
    return [
        Bar("Form", form, standing["next_form"], standing["form_progress"]),
        hands,
        Bar("Finished games", standing["games"], standing["next_games"], standing["games_progress"]),
    ]


def whole(standing: Mapping[str, Any]) -> str:
    """Return how far the way to the next level is gone, and what is still open on it."""
    way = f"{floor(standing['progress'] * 100)}% of the way to {plain(standing['next_level'])}"
    missing = [bar.name for bar in bars(standing) if bar.share < 1]
    if not missing:
        return f"{way}: every condition is met, the next rated hand can bring it"
    return f"{way}, still open: {', '.join(missing)}"


def how_to_move(standing: Mapping[str, Any], parameters: Parameters) -> str:
    """Return how the bars lead to the next level, and where the Form bar starts."""
    if not standing["level"]:
        return "Until then there is no level. What players say of themselves is marked self-rated."
    line = own_line(standing, parameters)
    start = f"the {plain(standing['level'])} line" if line is not None else "the Beginner computer's rating"
    from_ = parameters.computer_rating.beginner if line is None else line
    return f"All three at once bring the level. The Form bar starts at {start}, {rating(from_)}."


def risk(standing: Mapping[str, Any], parameters: Parameters) -> str:
    """Return the warning to a player whose Form is under the own level's line."""
    line = own_line(standing, parameters) or 0.0
    form = f"Form {against(standing['form'], line):,}"
    protected = parameters.retention.grace_hands - standing["hands_since_move"]
    grace = f", and in any case for the next {counted(protected, 'rated hand')}" if protected > 0 else ""
    return f"{form} is under the {plain(standing['level'])} line of {rating(line)}. {kept(standing)}{grace}."


def kept(standing: Mapping[str, Any]) -> str:
    """Return what keeps a level that has a line, as a sentence without its end."""
    return f"The level is kept while Form stays above {rating(standing['relegation_form'])}"


def own_line(standing: Mapping[str, Any], parameters: Parameters) -> float | None:
    """Return the Form line of a player's own level, None where it has none."""
    return next((level.form_line for level in parameters.level if level.name == standing["level"]), None)


def course(standing: Mapping[str, Any], events: pd.DataFrame) -> str:
    """Return the chart of Rating and Form as a sentence, for those who do not see it."""
    reached, lost = (int(events["kind"].isin(kinds).sum()) for kinds in (REACHED, LOST))
    return (
        f"Rating and Form over {counted(standing['hands'], 'rated hand')}: "
        f"Rating now {standing['rating_shown']:,}, at its highest {rating(standing['peak_rating'])}; "
        f"{counted(reached, 'level')} reached, {lost:,} lost."
    )


def against(form: float, line: float) -> int:
    """Return a Form as shown beside a line, never rounded up to a line that it has not reached."""
    return shown(form) if form >= line else min(shown(form), ceil(line) - 1)
