"""The leaderboard: a pool, a search and one page of rows, each leading to its player."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dashboards import queries
from dashboards.components import finder, paging, tables, words
from ingest.snapshot import Snapshot
from rating.showing import counted

ROWS = 25

#: Badge colours from the lowest level up; more levels than colours share the last.
_BADGES = ("gray", "green", "blue", "violet", "orange", "red")
_FORMATS = {
    "Rank": ".0f",
    "Rating": ",",
    "Form": ",.0f",
    "Last change": "+d",
    "Rated hands": ",",
    "Finished games": ",",
}


def show(snapshot: Snapshot, *, sees_hidden: bool) -> None:
    """Show the controls, the links that a search gives, and one page of the leaderboard."""
    pool, search = _controls(queries.pools(snapshot, sees_hidden=sees_hidden))
    size = queries.leaderboard_size(snapshot, pool, search, sees_hidden=sees_hidden)
    if not size:
        st.info("Nobody here has that name or id.")
        return
    board = st.container()
    skip = paging.turn(size, ROWS, "rating", of=(pool, search))
    rows = queries.leaderboard(snapshot, pool, search, sees_hidden=sees_hidden, rows=ROWS, skip=skip)
    levels = queries.parameters(snapshot).level
    with board:
        if search:
            finder.links(rows)
        names = [level.name for level in levels]
        tables.show(told(rows, names), _FORMATS, alt=f"Leaderboard of {words.pool(pool)}")
        if rows["rank"].isna().any():
            placing = counted(levels[0].hands, "rated hand")
            st.caption(f"Players without a rank are not placed yet: that takes {placing}.")


def told(rows: pd.DataFrame, levels: Sequence[str]) -> pd.DataFrame:
    """Return the rows as shown: names as links, levels as badges, a device only where there is one."""
    shown = pd.DataFrame(
        {
            "Rank": rows["rank"],
            "Player": [finder.link(row) for _, row in rows.iterrows()],
            "Level": [
                _badge(level, said, levels)
                for level, said in zip(rows["level"], rows["self_rating"], strict=True)
            ],
            "Rating": rows["rating_shown"],
            "Form": rows["form"].round(),
            "Last change": rows["last_change_shown"],
            # Text, so that a narrow window cuts no number; Player to Last change fit into 400 pixels.
            "Device": rows["device"].map(words.plain),
            "Rated hands": rows["hands"],
            "Finished games": rows["games"],
            "Last hand": rows["last_hand_at"].map(words.short_day),
        }
    )
    return shown if rows["device"].any() else shown.drop(columns="Device")


def _controls(pools: list[str]) -> tuple[str, str]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        search = st.text_input(
            "Find a player",
            key="search",
            bind="query-params",
            placeholder="Name or id",
            live=True,
        )
        pool = st.selectbox(
            "Pool",
            sorted(pools, key=lambda name: name != words.COASTAL_POOL),
            format_func=words.pool,
            key="pool",
            bind="query-params",
        )
    return pool, search.strip()


def _badge(level: str, self_rating: str | None, levels: Sequence[str]) -> str:
    """Return a level as a coloured badge; until the first one, what was said and that the player said it."""
    if not level:
        return f":gray[{words.plain(words.level(level, self_rating))}]"
    colour = _BADGES[min(levels.index(level), len(_BADGES) - 1)]
    return f":{colour}-badge[{words.plain(level)}]"
