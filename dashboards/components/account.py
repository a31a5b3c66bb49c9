"""A player's Rating, Form and level, and the way to the next level, each number with its sentence."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboards.components import words
from rating.parameters import Parameters
from rating.showing import change_text, counted

Standing = dict[str, Any]


def choose(standings: list[Standing]) -> Standing:
    """Return one of a player's standings; let the viewer choose where there are several."""
    standings = sorted(standings, key=lambda row: row["pool"] != words.COASTAL_POOL)
    if len(standings) == 1:
        st.caption(words.plain(_name(standings[0])))
        return standings[0]
    by_name = {_name(row): row for row in standings}
    return by_name[st.selectbox("Pool", list(by_name), key="rating", bind="query-params")]


def numbers(standing: Standing, self_rating: str | None, parameters: Parameters) -> None:
    """Show Rating with its last change, Form and level."""
    moved = standing["last_change_shown"]
    cards = st.grid(3, min_column_width=200)
    cards.metric(
        "Rating",
        words.rating(standing["rating_shown"]),
        change_text(standing["rating_shown"] - moved, standing["rating_shown"]),
        delta_color="normal" if moved else "off",
        delta_arrow="auto" if moved else "off",
        help="Moves a little after every rated hand: who played and how big the win was decide how much.",
        border=True,
        height="stretch",
    )
    cards.metric(
        "Form",
        words.rating(standing["form"]),
        f"over about {parameters.form.form_hands} hands",
        delta_color="off",
        delta_arrow="off",
        help="The Rating, smoothed. The level follows the Form, not the Rating.",
        border=True,
        height="stretch",
    )
    cards.metric(
        "Level",
        words.plain(words.level(standing["level"], self_rating)),
        f"{counted(standing['hands'], 'rated hand')}, {counted(standing['games'], 'game')}",
        delta_color="off",
        delta_arrow="off",
        help="Earned by Form, rated hands and finished games together, and kept through short dips.",
        border=True,
        height="stretch",
    )


def progress(standing: Standing, parameters: Parameters) -> None:
    """Show the way to the next level: the whole, then a bar for each condition."""
    bars = words.bars(standing)
    with st.container(border=True, height="stretch"):
        if not bars:
            st.header("At the top", anchor=False)
            st.markdown(
                f"{words.plain(standing['level'])} is the highest level there is. {words.kept(standing)}."
            )
            return
        st.header(f"Progress to {words.plain(standing['next_level'])}", anchor=False)
        if len(bars) > 1:
            st.progress(standing["progress"], text=words.whole(standing))
        for bar in bars:
            st.progress(bar.share, text=bar.sentence)
        st.caption(words.how_to_move(standing, parameters))


def warning(standing: Standing, parameters: Parameters) -> None:
    """Warn a player whose Form is under the own level's line, before anything changes."""
    if standing["at_risk"]:
        st.warning(words.risk(standing, parameters), icon=":material/warning:", title="At risk")


def _name(standing: Standing) -> str:
    return words.standing_name(standing["pool"], standing["device"])
