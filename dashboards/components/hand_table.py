"""The table of a player's rated hands, a page at a time, latest first."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from dashboards import queries
from dashboards.components import paging, words
from ingest.snapshot import Snapshot

ROWS = 15

_COLUMNS: dict[str, Any] = {
    "hands": st.column_config.NumberColumn("Hand", width=60, format="localized"),
    "ended_at": st.column_config.DateColumn("Date", width=100, format="D MMM YYYY"),
    "change": st.column_config.NumberColumn(
        "Change", width=75, format="%+d", help="Actual less expected, times what a hand can move at most."
    ),
    "rating": st.column_config.NumberColumn("Rating", width=70, format="localized", help="After the hand."),
    "points": st.column_config.NumberColumn("Points", width=75, format="localized"),
    "points_against": st.column_config.NumberColumn("Theirs", width=75, format="localized"),
    "expected": st.column_config.NumberColumn(
        "Expected",
        width=85,
        format="%.2f",
        help="The score to expect from the Ratings of both sides, from 0 to 1. It is not the chance to win.",
    ),
    "actual": st.column_config.NumberColumn(
        "Actual",
        width=75,
        format="%.2f",
        help="The score that the hand brought, from 0 to 1; 0.50 is a level hand.",
    ),
    "partners": st.column_config.TextColumn("Partner", width=140),
    "opponents": st.column_config.TextColumn("Opponents", width=220),
    "event": st.column_config.TextColumn("Level", width=165),
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
    st.subheader("Hands", anchor=False)
    table = st.empty()
    skip = paging.turn(total, ROWS, "rated hand", key="hands_page")
    hands = queries.hands(snapshot, place, rows=ROWS, skip=skip)
    table.dataframe(
        told(hands),
        column_config=_COLUMNS,
        hide_index=True,
        height="content",
        alt="Rated hands, latest first",
    )


def told(hands: pd.DataFrame) -> pd.DataFrame:
    """Return the hands as shown: rounded Ratings, their differences, and level events in words."""
    after = hands["rating_after"].map(words.shown)
    return hands.assign(
        rating=after,
        change=after - hands["rating_before"].map(words.shown),
        event=[_event(*row) for row in hands[["kind", "to_level", "held"]].itertuples(index=False)],
    )[list(_COLUMNS)]


def _event(kind: str | None, level: str | None, held: bool) -> str:
    """Say what a hand did to the level, and whether its change waited for the player to come back."""
    said = [f"{_VERBS[kind]} {level}"] if isinstance(kind, str) else []
    return ", ".join([*said, *(["held while away"] if held else [])])
