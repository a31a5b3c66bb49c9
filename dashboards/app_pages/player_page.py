"""A player's account: Rating, Form, level, progress, every rated hand, and what was played."""

from __future__ import annotations

import streamlit as st

from dashboards import charts, queries
from dashboards.components import account, explanations, finder, hand_table, notices, statistics, words
from dashboards.components.viewer import sees_hidden

snapshot = queries.current_snapshot()
player = finder.asked_for(snapshot)

st.set_page_config(page_title=f"{player['name']} · Coastal ratings")
st.title(words.plain(player["name"]), anchor=False)
notices.operator_view()
if not (player["show_skill"] or sees_hidden()):
    st.info(
        "This player keeps level, Rating, progress and history private. Their hands count all the same.",
        icon=":material/visibility_off:",
    )
    finder.end_page(snapshot)

standings = queries.standings(snapshot, player["player_key"])
if not standings:
    st.info("No rated hand yet. The first one brings a Rating.")
    finder.end_page(snapshot)

standing = account.choose(standings)
place = queries.Place(player["player_key"], standing["pool"], standing["device"])
parameters = queries.parameters(snapshot)
events = queries.level_events(snapshot, place)

account.numbers(standing, player["self_rating"], parameters)
account.warning(standing, parameters)
way, course = st.columns([2, 3])
with way:
    account.progress(standing, parameters)
with course, st.container(border=True, height="stretch"):
    st.header("Rating and Form by hand", anchor=False)
    st.plotly_chart(
        charts.rating_history(queries.rating_history(snapshot, place), events, parameters.level),
        key="rating_history",
        config={"displayModeBar": False},
        alt=words.course(standing, events),
    )
hand_table.show(snapshot, place, standing["hands"])
statistics.show(queries.stats(snapshot, place), standing)
explanations.numbers(parameters)
notices.provenance(snapshot)
