"""Figures as values: what is drawn, what hovering says, and what survives thinning."""

from __future__ import annotations

from datetime import datetime, timedelta

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from dashboards import charts
from rating.parameters import load_parameters

LEVELS = load_parameters()[0].level
NOON = datetime(2026, 3, 14, 12)


def career(ratings: list[float], opponents: str = "Cy, Di") -> pd.DataFrame:
    hands = np.arange(1, len(ratings) + 1)
    return pd.DataFrame(
        {
            "hands": hands,
            "ended_at": [NOON + timedelta(minutes=int(hand)) for hand in hands],
            "partners": "Bo",
            "opponents": opponents,
            "rating_before": [1000.0, *ratings[:-1]],
            "rating_after": ratings,
            "form_after": [1000.0 + (rating - 1000.0) / 2 for rating in ratings],
        }
    )


def events(*rows: tuple[int, str, str, float]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=["hands", "kind", "to_level", "form"])
    return frame.assign(ended_at=NOON)


def trace(figure: go.Figure, name: str) -> go.Scatter:
    return next(figure.select_traces({"name": name}))


def test_rating_and_form_run_along_the_rated_hands() -> None:
    figure = charts.rating_history(career([1007.7, 1004.0, 1019.5]), events(), LEVELS)
    assert list(trace(figure, "Rating").x) == [1, 2, 3]
    assert list(trace(figure, "Rating").y) == [1008, 1004, 1020]
    assert list(trace(figure, "Form").y) == [1004, 1002, 1010]


def test_hovering_tells_hand_change_form_and_opponents() -> None:
    figure = charts.rating_history(career([1077.3, 1086.4]), events(), LEVELS)
    assert trace(figure, "Rating").customdata[1] == (
        "<b>Hand 2</b>, 14 March 2026<br>+9, now 1,086<br>Form 1,043<br>against Cy, Di"
    )


def test_names_in_a_figure_are_text_not_markup() -> None:
    figure = charts.rating_history(
        career([1001.0], opponents="<b>x</b> & <a href='y'>z</a>"), events(), LEVELS
    )
    told = trace(figure, "Rating").customdata[0]
    assert told.endswith("against &lt;b&gt;x&lt;/b&gt; &amp; &lt;a href=&#x27;y&#x27;&gt;z&lt;/a&gt;")


def test_level_lines_within_reach_are_drawn_and_named() -> None:
    # Ratings from 1,000 to 1,100 with a little room: the lines 950 and 1,175 are out of reach.
    figure = charts.rating_history(career([1000.0, 1100.0]), events(), LEVELS)
    assert [shape.y0 for shape in figure.layout.shapes] == [1050.0]
    assert [note.text for note in figure.layout.annotations] == ["Intermediate<br>1,050"]


def test_level_events_stand_on_the_form_with_a_shape_for_each_kind() -> None:
    figure = charts.rating_history(
        career([1000.0 + hand for hand in range(100)]),
        events(
            (10, "placed", "Beginner", 1004.5),
            (60, "promoted", "Intermediate", 1051.0),
            (70, "warned", "Intermediate", 1049.0),
            (75, "recovered", "Intermediate", 1052.0),
            (90, "relegated", "Improver", 999.0),
        ),
        LEVELS,
    )
    assert list(trace(figure, "Level reached").x) == [10, 60]
    assert list(trace(figure, "Level lost").y) == [999.0]
    assert trace(figure, "Level reached").customdata[1].startswith("<b>Promoted: Intermediate</b><br>hand 60")
    names = ["Level reached", "Level lost", "Warned", "Recovered"]
    assert len({trace(figure, name).marker.symbol for name in names}) == 4


def test_a_kind_of_event_that_never_came_is_not_in_the_legend() -> None:
    figure = charts.rating_history(career([1001.0, 1002.0]), events(), LEVELS)
    assert trace(figure, "Level lost").showlegend is False


def test_a_single_hand_is_a_point() -> None:
    figure = charts.rating_history(career([1007.7]), events(), LEVELS)
    assert trace(figure, "Rating").mode == "markers"


def test_a_flat_rating_has_room_above_and_below() -> None:
    figure = charts.rating_history(career([1000.0] * 5), events(), LEVELS)
    low, high = figure.layout.yaxis.range
    assert low <= 980
    assert high >= 1020


def test_a_short_career_is_drawn_whole() -> None:
    history = career([1000.0] * charts.MAX_POINTS)
    assert charts.thinned(history, set(), charts.MAX_POINTS) is history


@pytest.mark.parametrize("hands", [2001, 5000, 60_000])
def test_a_long_career_keeps_ends_extremes_and_level_events(hands: int) -> None:
    generator = np.random.default_rng(hands)
    ratings = 1000.0 + np.cumsum(generator.normal(0, 3, hands))
    history = career(ratings.tolist())
    marked = {10, 1234, hands - 3}
    kept = charts.thinned(history, marked, charts.MAX_POINTS)
    assert len(kept) <= charts.MAX_POINTS
    assert len(kept) > charts.MAX_POINTS // 3
    assert {1, hands, *marked} <= set(kept["hands"])
    assert kept["rating_after"].max() == ratings.max()
    assert kept["rating_after"].min() == ratings.min()
    assert kept["hands"].is_monotonic_increasing
    assert kept["hands"].is_unique


def test_thinning_keeps_every_marked_hand_even_past_the_limit() -> None:
    history = career([1000.0] * 50)
    marked = set(range(5, 45))
    assert marked <= set(charts.thinned(history, marked, 20)["hands"])
