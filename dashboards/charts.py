"""Frames to plotly figures; no streamlit, no query.

Colours are left to the theme's palette, in the order of the traces, so that a figure follows light and dark.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboards.components import words
from rating.parameters import Level
from rating.showing import change_text, shown

#: Points a figure may hold: plotly without a graphics card takes seconds for tens of thousands.
MAX_POINTS = 2000
#: How kinds of level events are drawn, in the order of the theme's palette after Rating and Form.
EVENTS = (
    (words.REACHED, "Level reached", "triangle-up"),
    (words.LOST, "Level lost", "triangle-down"),
    (("warned",), "Warned", "diamond"),
    (("recovered",), "Recovered", "circle"),
)
#: Legible on the light and on the dark background.
_GREY = "#7B8D96"
#: Room for the levels' names at the right, pixels.
_NAMES_WIDTH = 84
#: Below this many hands each has its own tick.
_FEW = 10
#: Room above and below the lines, as a share of their reach, and at least this many rating points.
_ROOM, _LEAST_ROOM = 0.08, 20.0


def rating_history(history: pd.DataFrame, events: pd.DataFrame, levels: Sequence[Level]) -> go.Figure:
    """Draw Rating and Form by rated hand, the level lines in reach, and the level events on the Form.

    Args:
        history: One row a rated hand, in order; one or more.
        events: One row a level event, with the Form at that moment.
        levels: The level table.

    Returns:
        A figure of at most `MAX_POINTS` hands, which keeps every extreme and every level event.
    """
    kept = thinned(history, set(events["hands"]), MAX_POINTS)
    low, high = _reach(kept)
    lines = [level for level in levels if level.form_line is not None and low < level.form_line < high]
    figure = go.Figure()
    _add_courses(figure, kept)
    _add_events(figure, events)
    _add_level_lines(figure, lines)
    figure.update_layout(
        height=300,
        margin={"l": 8, "r": _NAMES_WIDTH if lines else 8, "t": 8, "b": 8},
        hovermode="x",
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        xaxis={"title": "Rated hand", "showgrid": False, "tickformat": ",d"},
        yaxis={"range": [low, high], "tickformat": ",d", "title": None},
    )
    if len(kept) < _FEW:
        figure.update_xaxes(dtick=1)
    return figure


def thinned(history: pd.DataFrame, keep_hands: set[int], most: int) -> pd.DataFrame:
    """Return at most `most` rows: first, last, those of `keep_hands`, and each stretch's extreme Ratings.

    Rows of `keep_hands` always stay; past `most` of them, nothing else does but first and last.
    """
    if len(history) <= most:
        return history
    kept = history["hands"].isin(keep_hands).to_numpy(copy=True)
    kept[[0, -1]] = True
    stretches = (most - int(kept.sum())) // 2
    if stretches > 0:
        stretch = np.arange(len(history)) * stretches // len(history)
        groups = history["rating_after"].reset_index(drop=True).groupby(stretch)
        kept[groups.idxmin()] = True
        kept[groups.idxmax()] = True
    return history[kept]


def _add_courses(figure: go.Figure, history: pd.DataFrame) -> None:
    """Draw the Rating, thin and with every hand told, and the Form over it."""
    figure.add_scatter(
        x=history["hands"],
        y=history["rating_after"].map(shown),
        name="Rating",
        mode="lines" if len(history) > 1 else "markers",
        line={"width": 1.5},
        customdata=_told(history),
        hovertemplate="%{customdata}<extra></extra>",
    )
    figure.add_scatter(
        x=history["hands"],
        y=history["form_after"].map(shown),
        name="Form",
        mode="lines",
        line={"width": 3},
        hoverinfo="skip",
    )


def _told(history: pd.DataFrame) -> list[str]:
    """Return what hovering over each hand says; names are text, not markup."""
    return [
        f"<b>Hand {row['hands']:,}</b>, {words.day(row['ended_at'])}<br>"
        f"{change_text(row['rating_before'], row['rating_after'])}<br>"
        f"Form {words.rating(row['form_after'])}<br>against {escape(row['opponents'])}"
        for row in history.to_dict("records")
    ]


def _add_events(figure: go.Figure, events: pd.DataFrame) -> None:
    for kinds, name, symbol in EVENTS:
        some = events[events["kind"].isin(kinds)]
        figure.add_scatter(
            x=some["hands"],
            y=some["form"].map(shown),
            name=name,
            mode="markers",
            marker={"symbol": symbol, "size": 11},
            customdata=[
                f"<b>{row['kind'].capitalize()}: {escape(row['to_level'])}</b><br>hand {row['hands']:,}, "
                f"{words.day(row['ended_at'])}<br>Form {words.rating(row['form'])}"
                for row in some.to_dict("records")
            ],
            hovertemplate="%{customdata}<extra></extra>",
            showlegend=len(some) > 0,
        )


def _reach(history: pd.DataFrame) -> tuple[float, float]:
    """Return the range of the y-axis, in rating points, with some room around the lines."""
    values = history[["rating_after", "form_after"]]
    low, high = float(values.min().min()), float(values.max().max())
    room = max((high - low) * _ROOM, _LEAST_ROOM)
    return low - room, high + room


def _add_level_lines(figure: go.Figure, levels: Sequence[Level]) -> None:
    """Draw the levels' lines, named in the right margin."""
    for level in levels:
        figure.add_hline(y=level.form_line, line={"color": _GREY, "width": 1, "dash": "dot"})
        figure.add_annotation(
            x=1,
            y=level.form_line,
            xref="paper",
            xanchor="left",
            xshift=6,
            align="left",
            text=f"{escape(level.name)}<br>{words.rating(level.form_line)}",
            font={"color": _GREY, "size": 12},
            showarrow=False,
        )
