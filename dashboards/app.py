"""The dashboard's entry: names the pages and runs the one that was asked for."""

from __future__ import annotations

from pathlib import Path

import duckdb
import streamlit as st

from dashboards.components import notices
from engine.errors import SnapshotMissingError

_HERE = Path(__file__).parent
# An icon named from Streamlit's set would be fetched from another machine.
_ICON = _HERE / "images" / "coastal.svg"

st.set_page_config(page_title="Coastal ratings", page_icon=_ICON, layout="wide")
st.logo(str(_ICON))
st.html(_HERE / "tables.css")
page = st.navigation(
    [
        st.Page(
            "app_pages/home_page.py",
            title="Leaderboard",
            icon=":material/leaderboard:",
            default=True,
            help="Who stands where, pool by pool, and what the ratings rest on.",
        ),
        st.Page(
            "app_pages/player_page.py",
            title="Player",
            icon=":material/person:",
            url_path="player",
            help="One player's Rating, Form, progress, hands and statistics.",
        ),
    ],
    position="top",
)
try:
    page.run()
except SnapshotMissingError:
    notices.nothing_published()
except (duckdb.BinderException, duckdb.CatalogException):
    # A table or a column that this version reads is not there.
    notices.published_by_another_version()
