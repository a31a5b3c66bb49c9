"""The table of a player's rated hands, a page at a time, latest first."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboards import queries
from dashboards.components import paging, tables, words
from dashboards.components.viewer import sees_hidden
from ingest.snapshot import Snapshot
from rating.showing import shown, shown_change

ROWS = 15

_FORMATS = {
    "Hand": ",",
    "Expected": ".2f",
    "Actual": ".2f",
    "Change": "+d",
    "Rating": ",",
    "Points": ",",
    "Theirs": ",",
}
_VERBS = {
    "placed": "Placed at",
    "promoted": "Up to",
    "relegated": "Down to",
    "warned": "Warned at",
    "recovered": "Recovered at",
}


def show(snapshot: Snapshot, place: queries.Place, total: int) -> None:
    """Show one page of hands; `total` is how many there are."""
    st.header("Hands", anchor=False)
    st.caption(
        "Expected is the score to expect from both sides' Ratings, from 0 to 1, not the chance to win. "
        "Actual is the score that the margin brought. Their difference moves the Rating."
    )
    table = st.container()
    skip = paging.turn(total, ROWS, "rated hand", of=place)
    with table:
        hands = queries.hands(snapshot, place, sees_hidden=sees_hidden(), rows=ROWS, skip=skip)
        tables.show(told(hands), _FORMATS, alt="Rated hands, latest first")
        if hands["expected"].isna().any():
            st.caption(
                "No expected score is shown beside a player who keeps their Rating private: it would tell it."
            )


def told(hands: pd.DataFrame) -> pd.DataFrame:
    """Return the hands as shown: rounded Ratings, their differences, and level events in words."""
    return pd.DataFrame(
        {
            "Hand": hands["hands"],
            "Date": hands["ended_at"].map(words.short_day),
            "Expected": hands["expected"].round(2),
            "Actual": hands["actual"].round(2),
            "Change": [
                shown_change(before, after)
                for before, after in zip(hands["rating_before"], hands["rating_after"], strict=True)
            ],
            "Rating": hands["rating_after"].map(shown),
            "Points": hands["points"],
            "Theirs": hands["points_against"],
            "Partner": hands["partners"].map(_names),
            "Opponents": hands["opponents"].map(_names),
            "Level": [_event(*row) for row in hands[["kind", "to_level", "held"]].itertuples(index=False)],
        }
    )


def _names(names: str) -> str:
    return words.plain(words.unbroken(names))


def _event(kind: str | None, level: str | None, held: bool) -> str:
    """Say what a hand did to the level, and whether its change waited for the player to come back."""
    said = [f"{_VERBS[kind]} {level}"] if isinstance(kind, str) else []
    return words.plain(words.unbroken(", ".join([*said, *(["held while away"] if held else [])])))
