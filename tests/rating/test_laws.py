"""Laws of a single hand, at every rating gap, for every shape of score: properties of the pure rules."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rating.elo import LINEAR_CLIPPED, LOGISTIC, SCORE_SHAPES, actual_score, expected_score
from tests.rating import oracle

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
