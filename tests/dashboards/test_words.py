"""Numbers as people read them."""

from __future__ import annotations

from datetime import datetime, timedelta

import pandas as pd
import pytest

from dashboards.components import words
from rating.parameters import load_parameters

PARAMETERS = load_parameters()[0]
NOW = datetime(2026, 3, 14, 12)


@pytest.mark.parametrize(
    ("gap", "said"),
    [
        (timedelta(seconds=-5), "just now"),
        (timedelta(seconds=59), "just now"),
        (timedelta(seconds=60), "1 minute ago"),
        (timedelta(minutes=59), "59 minutes ago"),
        (timedelta(hours=23, minutes=59), "23 hours ago"),
        (timedelta(days=1), "1 day ago"),
        (timedelta(days=260), "260 days ago"),
    ],
)
def test_an_age_is_told_in_its_largest_unit(gap: timedelta, said: str) -> None:
    assert words.age(NOW - gap, NOW) == said


@pytest.mark.parametrize(("form", "shown"), [(1174.4, 1174), (1174.8, 1174), (1175.0, 1175), (1180.6, 1181)])
def test_a_form_is_never_rounded_up_to_a_line_it_has_not_reached(form: float, shown: int) -> None:
    assert words.against(form, 1175.0) == shown


def standing(**changes: object) -> dict[str, object]:
    return {
        "level": "Intermediate",
        "form": 1120.0,
        "hands": 80,
        "games": 12,
        "next_level": "Advanced",
        "next_form": 1175.0,
        "next_hands": 100,
        "next_games": 12,
        "form_progress": 0.56,
        "hands_progress": 0.8,
        "games_progress": 1.0,
        "progress": 0.56,
        "relegation_form": 1000.0,
        "hands_since_move": 30,
    } | changes


def test_the_whole_says_which_conditions_are_open() -> None:
    assert words.whole(standing()) == "56% of the way to Advanced, still open: Form, Rated hands"


def test_the_whole_says_when_every_condition_is_met() -> None:
    met = standing(form=1180.0, hands=100, form_progress=1.0, hands_progress=1.0, progress=1.0)
    assert words.whole(met) == (
        "100% of the way to Advanced: every condition is met, the next rated hand can bring it"
    )


def test_a_share_just_short_of_whole_is_not_called_whole() -> None:
    assert words.whole(standing(progress=0.9999)).startswith("99% of the way")


@pytest.mark.parametrize(
    ("since", "grace"),
    [
        (25, ""),
        (24, ", and in any case for the next 1 rated hand"),
        (13, ", and in any case for the next 12 rated hands"),
    ],
)
def test_a_warning_tells_what_is_left_of_the_grace(since: int, grace: str) -> None:
    # No level is lost within 25 hands of moving up.
    assert words.risk(standing(form=1049.7, hands_since_move=since), PARAMETERS) == (
        "Form 1,049 is under the Intermediate line of 1,050. "
        f"The level is kept while Form stays above 1,000{grace}."
    )


def test_the_form_bar_of_a_beginner_starts_at_the_beginner_computer() -> None:
    told = words.how_to_move(standing(level="Beginner", next_level="Improver"), PARAMETERS)
    assert told.endswith("The Form bar starts at the Beginner computer's rating, 850.")


@pytest.mark.parametrize(
    ("level", "self_rating", "said"),
    [("Expert", "casual", "Expert"), ("", "casual", "Casual, self-rated"), ("", None, "Not placed yet")],
)
def test_until_the_first_level_the_self_rating_is_marked(
    level: str, self_rating: str | None, said: str
) -> None:
    assert words.level(level, self_rating) == said


def test_before_placing_nobody_is_said_to_have_rated_themselves() -> None:
    assert words.how_to_move(standing(level="", next_level="Beginner"), PARAMETERS) == (
        "Until then there is no level. What players say of themselves is marked self-rated."
    )


def test_pools_and_devices_have_names() -> None:
    assert words.standing_name("live/modern_american", "") == "Live, Modern American"
    assert words.standing_name("solo/classic_salon", "phone") == "Solo, Classic Salon, on phone"


def test_unbroken_text_stays_in_one_line() -> None:
    assert words.unbroken("Cy Li, Di") == "Cy\u00a0Li,\u00a0Di"


def test_the_chart_in_words_counts_the_levels_that_the_chart_marks() -> None:
    kinds = ["placed", "promoted", "warned", "recovered", "relegated", "promoted"]
    told = words.course(
        {"hands": 120, "rating_shown": 1086, "peak_rating": 1101.2}, pd.DataFrame({"kind": kinds})
    )
    assert told.endswith("; 3 levels reached, 1 lost.")
