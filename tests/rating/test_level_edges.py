"""The level check at its edges: for each rule the last value that fails and the first that holds."""

from __future__ import annotations

import math

import pytest

from rating.levels import EVENT_KINDS, NO_LEVEL, level_event
from rating.parameters import load_parameters
from rating.rules import compile_rules

LEVELS = compile_rules(load_parameters()[0]).levels
BEGINNER, IMPROVER, INTERMEDIATE, MASTER = 0, 1, 2, 5
beside = math.nextafter  # the next float towards the second number


def event(
    level: int, form_before: float, form: float, hands: int = 500, games: int = 60, since_move: int = 400
) -> str:
    return EVENT_KINDS[level_event(LEVELS, level, form_before, form, hands, games, since_move)]


@pytest.mark.parametrize(("hands", "expected"), [(9, ""), (10, "placed"), (11, "placed")])
def test_placing_takes_ten_hands_whatever_the_form(hands: int, expected: str) -> None:
    assert event(NO_LEVEL, 1400.0, 1400.0, hands=hands, games=50) == expected
    assert event(NO_LEVEL, 700.0, 700.0, hands=hands, games=0) == expected


@pytest.mark.parametrize(
    ("form", "hands", "games", "expected"),
    [
        (1050.0, 50, 5, "promoted"),
        (beside(1050.0, 0.0), 50, 5, ""),
        (1050.0, 49, 5, ""),
        (1050.0, 50, 4, ""),
        (2000.0, 49, 500, ""),
        (2000.0, 5000, 4, ""),
        (beside(1050.0, 0.0), 5000, 500, ""),
    ],
)
def test_moving_up_takes_all_three_at_once(form: float, hands: int, games: int, expected: str) -> None:
    assert event(IMPROVER, 1000.0, form, hands=hands, games=games) == expected


def test_one_level_at_a_time_and_none_above_the_top() -> None:
    assert event(BEGINNER, 2000.0, 2000.0, hands=25, games=2) == "promoted"
    assert event(MASTER, 3000.0, 3000.0, hands=10_000, games=10_000) == ""


def test_moving_up_asks_for_no_grace() -> None:
    assert event(IMPROVER, 1100.0, 1100.0, since_move=1) == "promoted"


@pytest.mark.parametrize(
    ("form", "since_move", "expected"),
    [
        (1000.0, 26, "relegated"),
        (1000.0, 25, "warned"),
        (beside(1000.0, 2000.0), 26, "warned"),
        (900.0, 26, "relegated"),
        (900.0, 1, "warned"),
    ],
)
def test_a_level_is_lost_fifty_points_under_its_line_and_never_in_the_grace(
    form: float, since_move: int, expected: str
) -> None:
    assert event(INTERMEDIATE, 1060.0, form, since_move=since_move, games=2) == expected


def test_beginners_are_never_relegated_nor_warned() -> None:
    assert event(BEGINNER, 800.0, 100.0, games=0) == ""
    assert event(BEGINNER, 100.0, -500.0, games=0) == ""


@pytest.mark.parametrize(
    ("form_before", "form", "expected"),
    [
        (1050.0, beside(1050.0, 0.0), "warned"),
        (beside(1050.0, 0.0), 1049.0, ""),
        (1060.0, 1050.0, ""),
        (1049.0, 1050.0, "recovered"),
        (1049.0, beside(1050.0, 0.0), ""),
    ],
)
def test_a_warning_comes_once_and_recovery_ends_it(form_before: float, form: float, expected: str) -> None:
    assert event(INTERMEDIATE, form_before, form, games=2) == expected


def test_relegation_takes_the_place_of_the_warning_and_promotion_of_the_recovery() -> None:
    assert event(INTERMEDIATE, 1060.0, 990.0, games=2) == "relegated"
    assert event(INTERMEDIATE, 1040.0, 1180.0) == "promoted"


def test_relegation_begins_no_grace_of_its_own() -> None:
    """Only a placing or a promotion protects: after a relegation the next hand may cost the next level."""
    assert event(IMPROVER, 880.0, 880.0, since_move=60) == "relegated"
    assert event(IMPROVER, 920.0, 921.0, since_move=60) == ""
