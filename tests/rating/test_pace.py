"""Estimates at a pace, worked by hand."""

from __future__ import annotations

import pytest

from rating.audit.level_check import climbing
from rating.audit.pace import Pace, hands_to_climb, hands_to_fall, pace_of
from rating.parameters import load_parameters

PARAMETERS = load_parameters()[0]
RISING = Pace(30, 0.5, 0.125)
FALLING = Pace(30, -2.0, 0.125)


def test_pace_is_measured_from_the_first_to_the_last_of_the_hands() -> None:
    assert pace_of([1000.0, 1002.0, 1001.0], [3, 4, 4]) == Pace(2, 0.5, 0.5)
    assert pace_of([1000.0], [0]) is None


@pytest.mark.parametrize(
    ("form", "hands", "games", "pace", "expected"),
    [
        (1040.0, 60, 6, RISING, 20),  # 10 Form at 0.5 a hand
        (1060.0, 45, 6, RISING, 5),  # hands alone are missing
        (1060.0, 60, 3, RISING, 16),  # 2 games at one in eight hands
        (1040.0, 45, 3, RISING, 20),  # the slowest of the three
        (1040.0, 60, 6, FALLING, None),
        (1060.0, 60, 6, RISING, 1),
    ],
)
def test_the_slowest_condition_says_how_far_the_next_level_is(
    form: float, hands: int, games: int, pace: Pace, expected: int | None
) -> None:
    check = climbing(PARAMETERS, 1, form, hands, games)
    assert check is not None
    assert hands_to_climb(check, pace) == expected


@pytest.mark.parametrize(
    ("form", "protected", "pace", "expected"),
    [
        (1040.0, 0, FALLING, 20),
        (1040.0, 24, FALLING, 25),
        (1040.0, 0, RISING, None),
        (990.0, 3, RISING, 4),
    ],
)
def test_a_level_is_lost_when_form_has_fallen_and_the_grace_is_over(
    form: float, protected: int, pace: Pace, expected: int | None
) -> None:
    assert hands_to_fall(form, 1000.0, protected, pace) == expected
