"""What a player did, each figure with its definition and the count that it rests on."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboards.components import words
from rating.showing import counted

_CANASTAS = {
    "natural_canastas": "Natural",
    "mixed_canastas": "Mixed",
    "seven_canastas": "Sevens",
    "ace_canastas": "Natural aces",
    "wild_canastas": "Wild cards",
}


def show(stats: dict[str, Any] | None, standing: dict[str, Any]) -> None:
    """Show the play and the canastas of all hands played in person."""
    st.header("Statistics", anchor=False)
    if not stats or not stats["hands"]:
        st.caption("No hand was played in person here yet.")
        return
    where = words.plain(words.standing_name(standing["pool"], standing["device"]))
    st.caption(
        f"All {counted(stats['hands'], 'hand')} played in person in {where}, rated or not. "
        "They do not set the level."
    )
    play, canastas = st.columns(2)
    play.table(_play(stats, standing), border="horizontal", alt="Hands, games, wins, points and going out")
    canastas.table(_made(stats), border="horizontal", alt="Canastas of the player's side, by kind")


def _play(stats: dict[str, Any], standing: dict[str, Any]) -> dict[str, list[str]]:
    hands = stats["hands"]
    rows = [
        ("Finished games", f"{stats['games']:,}", "whose last hand this player played"),
        (
            "Hands won",
            _share(stats["wins"], hands),
            f"{stats['wins']:,} with more points than every other side",
        ),
        ("Average points", f"{stats['average_points']:,.0f}", "a hand, of the player's side"),
        ("Went out", _share(stats["went_out"], hands), f"{stats['went_out']:,} hands ended by this player"),
        (
            "Highest Rating",
            words.rating(standing["peak_rating"]),
            f"over {counted(standing['hands'], 'rated hand')}",
        ),
    ]
    return {"Play": [r[0] for r in rows], "Value": [r[1] for r in rows], "Meaning": [r[2] for r in rows]}


def _made(stats: dict[str, Any]) -> dict[str, list[str]]:
    return {
        "Canastas of the side": list(_CANASTAS.values()),
        "Made": [f"{stats[column]:,}" for column in _CANASTAS],
        "In 100 hands": [f"{100 * stats[column] / stats['hands']:.0f}" for column in _CANASTAS],
    }


def _share(part: int, of: int) -> str:
    return f"{100 * part / of:.0f}%"
