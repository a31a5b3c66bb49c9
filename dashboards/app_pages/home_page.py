"""Home: what the league's ratings rest on, and the leaderboard of a pool."""

from __future__ import annotations

import streamlit as st

from dashboards import queries
from dashboards.components import leaderboard, notices
from dashboards.components.viewer import sees_hidden

snapshot = queries.current_snapshot()
st.title("Coastal ratings", anchor=False)
st.markdown(
    "Ratings of canasta players, worked out hand by hand from the league's logs. Choose a player to see how "
    "each hand moved the Rating and what the next level takes. Ranked by Rating; a level takes Form, hands "
    "and games as well."
)
notices.provenance(snapshot)
notices.operator_view()
leaderboard.show(snapshot, sees_hidden=sees_hidden())
