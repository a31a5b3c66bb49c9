"""The level check said line by line agrees with the rule that decides it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rating.audit.level_check import Moment, climbing, level_check
from rating.levels import EVENT_KINDS, level_event
from rating.parameters import load_parameters
from rating.rules import compile_rules

PARAMETERS = load_parameters()[0]
LEVELS = compile_rules(PARAMETERS).levels
EDGES = [
    800.0,
    899.999,
    900.0,
    950.0,
    999.0,
    1000.0,
    1049.999,
    1050.0,
    1125.0,
    1175.0,
    1299.0,
    1300.0,
    1425.0,
]


@given(
    st.integers(-1, 5),
    st.sampled_from(EDGES),
    st.sampled_from(EDGES),
    st.sampled_from([1, 9, 10, 24, 25, 49, 50, 100, 200, 399, 400]),
    st.sampled_from([0, 1, 2, 4, 5, 12, 25, 49, 50]),
    st.sampled_from([1, 25, 26, 300]),
)
def test_the_first_rule_that_holds_is_the_event(
    level: int, form_before: float, form: float, hands: int, games: int, since_move: int
) -> None:
    moment = Moment(level, form_before, form, hands, games, since_move)
    holding = [check.kind for check in level_check(PARAMETERS, moment) if check.holds]
    assert (holding[0] if holding else "") == EVENT_KINDS[level_event(LEVELS, *moment)]


def test_each_condition_says_what_it_needed_and_what_there_was() -> None:
    check = climbing(PARAMETERS, 1, 1062.5, 48, 5)
    assert check is not None
    assert check.says == "promoted to Intermediate"
    assert [(c.about, c.needed, c.had, c.is_met) for c in check.conditions] == [
        ("Form", 1050.0, 1062.5, True),
        ("rated hands", 50, 48, False),
        ("finished games", 5, 5, True),
    ]
    assert not check.holds


def test_there_is_nothing_above_the_top() -> None:
    assert climbing(PARAMETERS, 5, 3000.0, 10_000, 1_000) is None


@pytest.mark.parametrize(("level", "kinds"), [(-1, ["placed"]), (0, ["promoted"])])
def test_before_placing_and_at_beginner_no_level_can_be_lost(level: int, kinds: list[str]) -> None:
    moment = Moment(level, 500.0, 400.0, 20, 0, 10)
    assert [check.kind for check in level_check(PARAMETERS, moment)] == kinds
