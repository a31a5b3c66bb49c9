"""Ways to a player's page: its address, a search box, and links by name."""

from __future__ import annotations

from typing import NoReturn
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from dashboards import queries
from dashboards.components import notices, words
from dashboards.components.viewer import sees_hidden
from ingest.snapshot import Snapshot

#: Links shown for one search.
LINKS = 6

_PLAYER_PAGE = "app_pages/player_page.py"


def asked_for(snapshot: Snapshot) -> queries.Record:
    """Return the player that the address names; where there is none, end the page with a way to find one."""
    player_id = st.query_params.get("player")
    player = queries.player(snapshot, player_id) if player_id else None
    if player is None:
        st.title("Player", anchor=False)
        if player_id:
            st.warning(f"There is no player with the id {words.plain(player_id)}.")
        end_page(snapshot, player_id or "")
    return player


def end_page(snapshot: Snapshot, asked: str = "") -> NoReturn:
    """End a page that has no numbers: with a search, filled with what was asked for, and the snapshot."""
    _find(snapshot, asked)
    notices.provenance(snapshot)
    st.stop()


def links(players: pd.DataFrame) -> None:
    """Show links to the first players of a frame; with a pool and device they lead to that standing."""
    with st.container(horizontal=True, gap="small"):
        for _, row in players.head(LINKS).iterrows():
            st.page_link(
                _PLAYER_PAGE,
                label=words.plain(row["name"]),
                icon=":material/person:",
                help="",
                query_params=_address(row),
            )


def link(row: pd.Series[str]) -> str:
    """Return a row's player as a link in Markdown, for a table on the home page."""
    return f"[{words.plain(row['name'])}](player?{urlencode(_address(row))})"


def _find(snapshot: Snapshot, asked: str) -> None:
    box = st.text_input("Find a player", asked, key="find", placeholder="Name or id", live=True)
    text = box.strip()
    if not text:
        return
    found = queries.player_search(snapshot, text, sees_hidden=sees_hidden(), rows=LINKS)
    if found.empty:
        st.caption("Nobody has that name or id.")
    links(found)


def _address(row: pd.Series[str]) -> dict[str, str]:
    """Return the address of a row's player, and of the standing that the row shows."""
    standing = {"rating": words.standing_name(row["pool"], row["device"])} if "pool" in row else {}
    return {"player": row["player"], **standing}
