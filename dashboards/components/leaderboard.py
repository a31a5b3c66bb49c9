"""The leaderboard: a pool, a search and one page of rows, each leading to its player."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from dashboards import queries
from dashboards.components import finder, paging, words
from ingest.snapshot import Snapshot

ROWS = 25

_SHOWN = (
    "rank",
    "name",
    "device",
    "level",
    "rating_shown",
    "form",
    "last_change_shown",
    "hands",
    "games",
    "last_hand_at",
)


def show(snapshot: Snapshot, *, sees_hidden: bool) -> None:
    """Show the controls, the links that a search gives, and one page of the leaderboard."""
    pool, search = _controls(queries.pools(snapshot, sees_hidden=sees_hidden))
    size = queries.leaderboard_size(snapshot, pool, search, sees_hidden=sees_hidden)
    if not size:
        st.info("Nobody here has that name or id.")
        return
    links, table = st.container(), st.empty()
    skip = paging.turn(size, ROWS, "player", key="page")
    rows = queries.leaderboard(snapshot, pool, search, sees_hidden=sees_hidden, rows=ROWS, skip=skip)
    if search:
        with links:
            finder.links(rows)
    table.dataframe(
        told(rows),
        column_config=_columns(),
        hide_index=True,
        height="content",
        alt=f"Leaderboard of {words.pool(pool)}",
    )
    opened = st.session_state.get("opened")
    if opened:
        finder.go_to(rows.iloc[opened["row"]])


def told(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows as shown: the level or the self-rating in words, a device only where there is one."""
    level = [words.level(level, said) for level, said in zip(rows["level"], rows["self_rating"], strict=True)]
    columns = [name for name in _SHOWN if name != "device" or rows["device"].any()]
    return rows.assign(level=level)[columns]


def _controls(pools: list[str]) -> tuple[str, str]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        search = st.text_input(
            "Find a player",
            key="search",
            bind="query-params",
            placeholder="Name or id",
            live=True,
            on_change=_to_first_page,
        )
        pool = st.selectbox(
            "Pool",
            sorted(pools, key=lambda name: name != words.COASTAL_POOL),
            format_func=words.pool,
            key="pool",
            bind="query-params",
            on_change=_to_first_page,
        )
    return pool, search.strip()


def _to_first_page() -> None:
    st.session_state["page"] = 1


def _columns() -> dict[str, Any]:
    column = st.column_config
    return {
        "rank": column.NumberColumn("Rank", width=55, help="By Rating, among placed players."),
        "name": column.ButtonColumn(
            "Player", type="tertiary", alignment="left", width=190, pinned=True, key="opened"
        ),
        "device": column.TextColumn("Device", width=90),
        "level": column.TextColumn(
            "Level", width=170, help="Until placed: what the player said of themselves, marked self-rated."
        ),
        "rating_shown": column.NumberColumn("Rating", format="localized", width=75),
        "form": column.NumberColumn("Form", format="%,.0f", width=75, help="The Rating, smoothed."),
        "last_change_shown": column.NumberColumn("Last change", format="%+d", width=100),
        "hands": column.NumberColumn("Rated hands", format="localized", width=105),
        "games": column.NumberColumn("Finished games", format="localized", width=125),
        "last_hand_at": column.DateColumn("Last hand", format="D MMM YYYY", width=105),
    }
