"""Laws of a single hand at every rating gap, of the pure rules and of whole tables in the fold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rating import layout as col
from rating.elo import (
    LINEAR_CLIPPED,
    LOGISTIC,
    MEAN_K,
    MIN_K,
    SCORE_SHAPES,
    FloatArray,
    actual_score,
    expected_score,
)
from rating.fold import fold_block
from rating.layout import Hands, new_held, new_history, new_state
from rating.parameters import load_parameters
from rating.rules import Rules, compile_rules
from tests.rating import oracle

Number = TypeVar("Number", int, float)
ratings = st.floats(-2000.0, 4000.0)
margins = st.integers(-12_000, 12_000)
scales = st.sampled_from([400.0, 173.7, 1000.0])
margin_scales = st.sampled_from([3000.0, 1000.0, 333.0])
shapes = st.sampled_from(range(len(SCORE_SHAPES)))
k_factors = st.sampled_from([24.0, 16.0, 10.0])


def change(
    own: float, other: float, margin: int, k: float, scale: float, margin_scale: float, shape: int
) -> float:
    return k * (actual_score(float(margin), margin_scale, shape) - expected_score(own, other, scale))


@given(ratings, ratings, margins, margins, k_factors, scales, margin_scales, shapes)
def test_a_bigger_margin_never_earns_less_at_any_gap(
    own: float, other: float, one: int, two: int, k: float, scale: float, margin_scale: float, shape: int
) -> None:
    less, more = sorted((one, two))
    assert change(own, other, less, k, scale, margin_scale, shape) <= change(
        own, other, more, k, scale, margin_scale, shape
    )


@given(ratings, ratings, st.integers(-6000, 5995), k_factors)
def test_five_points_more_earn_strictly_more_by_the_default_rule_upsets_included(
    own: float, other: float, margin: int, k: float
) -> None:
    assert change(own, other, margin, k, 400.0, 3000.0, LOGISTIC) < change(
        own, other, margin + 5, k, 400.0, 3000.0, LOGISTIC
    )


@given(ratings, ratings, margins, k_factors, scales, margin_scales, shapes)
def test_what_one_side_gains_the_other_loses(
    own: float, other: float, margin: int, k: float, scale: float, margin_scale: float, shape: int
) -> None:
    gained = change(own, other, margin, k, scale, margin_scale, shape)
    lost = change(other, own, -margin, k, scale, margin_scale, shape)
    assert gained == pytest.approx(-lost, abs=1e-12)


@given(ratings, ratings, margins, k_factors, scales, margin_scales, shapes)
def test_no_hand_moves_a_rating_by_more_than_k(
    own: float, other: float, margin: int, k: float, scale: float, margin_scale: float, shape: int
) -> None:
    assert abs(change(own, other, margin, k, scale, margin_scale, shape)) <= k


@given(st.floats(0.0, 3000.0), st.floats(0.0, 3000.0), margins, k_factors)
def test_between_people_a_hand_moves_a_rating_by_less_than_k(
    own: float, other: float, margin: int, k: float
) -> None:
    assert abs(change(own, other, margin, k, 400.0, 3000.0, LOGISTIC)) < k


@given(ratings, ratings, ratings, scales)
def test_a_stronger_opponent_lowers_what_is_expected(
    own: float, one: float, two: float, scale: float
) -> None:
    weaker, stronger = sorted((one, two))
    assert expected_score(own, stronger, scale) <= expected_score(own, weaker, scale)


@given(ratings, ratings, margins, scales, margin_scales, shapes)
def test_compiled_rules_and_the_oracle_agree_bit_for_bit(
    own: float, other: float, margin: int, scale: float, margin_scale: float, shape: int
) -> None:
    assert expected_score(own, other, scale) == oracle.expected_score(own, other, scale)
    assert actual_score(float(margin), margin_scale, shape) == oracle.actual_score(
        margin, margin_scale, SCORE_SHAPES[shape]
    )


@pytest.mark.parametrize("margin", [0, 1, -1, 1500, -1500, 3000, -3000, 3001, -9000])
def test_the_clipped_line_is_one_margin_scale_wide_each_way(margin: int) -> None:
    expected = min(1.0, max(0.0, 0.5 + margin / 6000))
    assert actual_score(float(margin), 3000.0, LINEAR_CLIPPED) == expected


@pytest.mark.parametrize("shape", range(len(SCORE_SHAPES)), ids=SCORE_SHAPES)
def test_a_level_hand_scores_one_half(shape: int) -> None:
    assert actual_score(0.0, 3000.0, shape) == 0.5


def test_the_hyperbolic_tangent_draws_the_same_curve() -> None:
    """Kovalchik (2020): 0.5 + 0.5 tanh(m/s) with s = 2M / ln 10."""
    for margin in (-5000, -20, 0, 300, 2040, 8500):
        other_form = 0.5 + 0.5 * math.tanh(margin / (2 * 3000 / math.log(10)))
        assert actual_score(float(margin), 3000.0, LOGISTIC) == pytest.approx(other_form, abs=1e-15)


DEFAULT_RULES = compile_rules(load_parameters()[0])
#: Ratings of people; points of a side; rated hands before, about the steps of K.
people_ratings = st.floats(0.0, 3000.0)
side_points = st.integers(-6000, 12_000)
hands_before = st.sampled_from([0, 29, 30, 99, 100, 5000])


def due_k(hands: int) -> float:
    """ "24 below 30 rated hands, 16 below 100, then 10"."""
    return 24.0 if hands < 30 else 16.0 if hands < 100 else 10.0


class RatedTable(NamedTuple):
    """What one hand brought: surprise by side; Rating after, change and K by seat."""

    surprise: FloatArray
    rating: FloatArray
    change: FloatArray
    k: FloatArray


def rate_table(
    ratings: Sequence[float],
    hands: Sequence[int],
    points: Sequence[int],
    margin_scale: float = 3000.0,
    rules: Rules = DEFAULT_RULES,
) -> RatedTable:
    """Fold one live hand that people played; the seats go round the sides."""
    seats, sides = len(ratings), len(points)
    state = new_state(np.array(ratings), 0)
    state.counts[:, col.HANDS] = hands
    table = Hands(
        hand=np.array([(1, 0, 0, col.NONE, 0, 0), (0, 0, 0, 0, seats, sides)]),
        margin_scale=np.array([margin_scale]),
        seat=np.array([(seat, seat % sides, col.HUMAN) for seat in range(seats)]),
        computer_rating=np.zeros(seats),
        points=np.array(points),
    )
    history, filled = new_history(seats, sides), np.empty(4, np.int64)
    fold_block(state, rules, table, new_held(0, 0), 0, history, filled)
    assert history.change[col.OF_SLOT].tolist() == list(range(seats))
    rating = history.change_numbers[col.RATING_AFTER]
    surprise = history.side_numbers[col.ACTUAL] - history.side_numbers[col.EXPECTED]
    return RatedTable(surprise, rating, rating - ratings, history.change_numbers[col.K])


def three(values: st.SearchStrategy[Number]) -> st.SearchStrategy[list[Number]]:
    return st.lists(values, min_size=3, max_size=3)


def four(values: st.SearchStrategy[Number]) -> st.SearchStrategy[list[Number]]:
    return st.lists(values, min_size=4, max_size=4)


@given(three(people_ratings), three(hands_before), three(side_points), margin_scales)
def test_surprises_of_three_sides_sum_to_nothing(
    ratings: list[float], hands: list[int], points: list[int], margin_scale: float
) -> None:
    assert rate_table(ratings, hands, points, margin_scale).surprise.sum() == pytest.approx(0.0, abs=1e-12)


@given(
    three(people_ratings), three(hands_before), three(side_points), st.integers(0, 2), st.integers(1, 2000)
)
def test_of_three_sides_more_points_earn_more_and_leave_the_others_less(
    ratings: list[float], hands: list[int], points: list[int], side: int, more: int
) -> None:
    before = rate_table(ratings, hands, points)
    points[side] += 5 * more
    after = rate_table(ratings, hands, points)
    for seat in range(3):
        if seat == side:
            assert after.surprise[seat] > before.surprise[seat]
            assert after.change[seat] > before.change[seat]
        else:
            assert after.surprise[seat] < before.surprise[seat]
            assert after.change[seat] < before.change[seat]


@given(three(people_ratings), three(hands_before), three(side_points))
def test_of_three_sides_each_changes_by_its_k_times_its_surprise_and_by_less_than_k(
    ratings: list[float], hands: list[int], points: list[int]
) -> None:
    rated = rate_table(ratings, hands, points)
    assert rated.k.tolist() == [due_k(count) for count in hands]
    for seat in range(3):
        assert rated.rating[seat] == ratings[seat] + rated.k[seat] * rated.surprise[seat]
        assert abs(rated.k[seat] * rated.surprise[seat]) < rated.k[seat]


@given(three(people_ratings), three(hands_before), three(side_points))
def test_of_three_sides_an_upset_raises_the_weakest_and_lowers_the_strongest(
    ratings: list[float], hands: list[int], points: list[int]
) -> None:
    ratings, points = sorted(ratings), sorted(points, reverse=True)
    surprise = rate_table(ratings, hands, points).surprise
    if ratings[0] < ratings[2] - 1.0 or points[0] > points[2]:
        assert surprise[0] > 0 > surprise[2]


@given(four(people_ratings), four(hands_before), st.lists(side_points, min_size=2, max_size=2))
def test_partners_change_in_the_ratio_of_their_k(
    ratings: list[float], hands: list[int], points: list[int]
) -> None:
    rated = rate_table(ratings, hands, points)
    assert rated.k.tolist() == [due_k(count) for count in hands]
    assert rated.surprise[0] == pytest.approx(-rated.surprise[1], abs=1e-15)
    for seat in range(4):
        assert rated.rating[seat] == ratings[seat] + rated.k[seat] * rated.surprise[seat % 2]
        assert abs(rated.change[seat]) < rated.k[seat]
    for one, other in ((0, 2), (1, 3)):
        assert rated.change[one] * rated.k[other] == pytest.approx(
            rated.change[other] * rated.k[one], abs=1e-9
        )


@pytest.mark.parametrize("partner_change", [MEAN_K, MIN_K], ids=["mean_k", "min_k"])
@given(
    ratings=four(people_ratings),
    hands=four(hands_before),
    points=st.lists(side_points, min_size=2, max_size=2),
)
def test_partners_who_share_a_k_change_alike(
    partner_change: int, ratings: list[float], hands: list[int], points: list[int]
) -> None:
    rules = DEFAULT_RULES._replace(partner_change=partner_change)
    rated = rate_table(ratings, hands, points, rules=rules)
    for one, other in ((0, 2), (1, 3)):
        own = [due_k(hands[one]), due_k(hands[other])]
        shared = sum(own) / 2 if partner_change == MEAN_K else min(own)
        assert [rated.k[one], rated.k[other]] == [shared, shared]
        for seat in (one, other):
            assert rated.rating[seat] == ratings[seat] + shared * rated.surprise[seat % 2]
