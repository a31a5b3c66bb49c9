"""What a player did, each figure with its definition and the count that it rests on."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from dashboards.components import tables, words
from rating.showing import counted

_CANASTAS = {
    "natural_canastas": "Natural",
    "mixed_canastas": "Mixed",
    "seven_canastas": "Sevens",
    "ace_canastas": "Natural aces",
    "wild_canastas": "Wild cards",
}

#: Where no hand tells a figure.
_UNKNOWN = "-"


def show(stats: dict[str, Any] | None, standing: dict[str, Any]) -> None:
    """Show the play and the canastas of all hands played in person."""
    st.header("Statistics", anchor=False)
    if not stats or not stats["hands"]:
        st.caption("No hand was played in person here yet.")
        return
    known = stats["canasta_known_hands"]
    count = f"{known:,}" if known else "none"
    canastas_of = "" if known == stats["hands"] else f" Canastas are recorded in {count} of them."
    where = words.plain(words.standing_name(standing["pool"], standing["device"]))
    st.caption(
        f"All {counted(stats['hands'], 'hand')} played in person in {where}, rated or not. "
        f"They do not set the level.{canastas_of}"
    )
    play, canastas = st.columns(2)
    with play:
        tables.show(_play(stats, standing), {"Value": ""}, alt="Hands, games, wins, points and going out")
    with canastas:
        tables.show(
            _made(stats), {"Made": "", "In 100 hands": ""}, alt="Canastas of the player's side, by kind"
        )


def _play(stats: dict[str, Any], standing: dict[str, Any]) -> pd.DataFrame:
    hands = stats["hands"]
    rows = [
        ("Finished games", f"{stats['games']:,}", "whose last hand this player played"),
        (
            "Hands won",
            _share(stats["wins"], hands),
            f"{stats['wins']:,} with more points than every other side",
        ),
        ("Average points", f"{stats['average_points']:,.0f}", "a hand, of the player's side"),
        ("Went out", _share(stats["went_out"], stats["out_known_hands"]), _ended(stats)),
        (
            "Highest Rating",
            words.rating(standing["peak_rating"]),
            f"over {counted(standing['hands'], 'rated hand')}",
        ),
    ]
    return pd.DataFrame(rows, columns=["Play", "Value", "Meaning"])


def _made(stats: dict[str, Any]) -> pd.DataFrame:
    known = stats["canasta_known_hands"]
    return pd.DataFrame(
        {
            "Canastas of the side": list(_CANASTAS.values()),
            "Made": [f"{stats[column]:,}" if known else _UNKNOWN for column in _CANASTAS],
            "In 100 hands": [_in_100(stats[column], known) for column in _CANASTAS],
        }
    )


def _ended(stats: dict[str, Any]) -> str:
    """Say how many hands the player ended, and of how many that is known where it is not of all."""
    known = stats["out_known_hands"]
    if not known:
        return "no hand here tells who went out"
    among = "" if known == stats["hands"] else f", of {known:,} that tell who went out"
    return f"{stats['went_out']:,} hands ended by this player{among}"


def _share(part: int, of: int) -> str:
    return f"{100 * part / of:.0f}%" if of else _UNKNOWN


def _in_100(made: int, of: int) -> str:
    return f"{100 * made / of:.0f}" if of else _UNKNOWN
