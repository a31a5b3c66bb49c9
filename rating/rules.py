"""A parameter set as the kernel takes it: scalars, codes and tuples, which numba passes by value."""

from __future__ import annotations

import math
from typing import NamedTuple

from engine.errors import RatingError
from rating.elo import PARTNER_CHANGES, SCORE_SHAPES
from rating.form import FORMS
from rating.levels import LevelRules
from rating.parameters import Parameters


class Rules(NamedTuple):
    """What the fold needs to know; the parameter file explains each value.

    Attributes:
        is_stand_in_computer: 1 when a left seat counts as a computer in its side's rating.
        is_held: 1 when an absent person's change waits for the return.
    """

    rating_scale: float
    score_shape: int
    partner_change: int
    k_below_hands: tuple[int, ...]
    k_values: tuple[float, ...]
    is_stand_in_computer: int
    is_held: int
    form: int
    form_hands: int
    levels: LevelRules


def compile_rules(parameters: Parameters) -> Rules:
    """Lay a parameter set out for the kernel."""
    steps = parameters.change.k_factor
    return Rules(
        rating_scale=float(parameters.rating_scale),
        score_shape=SCORE_SHAPES.index(parameters.score_shape),
        partner_change=PARTNER_CHANGES.index(parameters.change.partner_change),
        k_below_hands=tuple(step.below_hands or 0 for step in steps[:-1]),
        k_values=tuple(float(step.k) for step in steps),
        is_stand_in_computer=int(parameters.stand_in.stand_in_rating == "computer"),
        is_held=int(parameters.stand_in.held_hands == "on_return"),
        form=FORMS.index(parameters.form.form),
        form_hands=parameters.form.form_hands,
        levels=_level_rules(parameters),
    )


def _level_rules(parameters: Parameters) -> LevelRules:
    return LevelRules(
        line=tuple(
            -math.inf if level.form_line is None else float(level.form_line) for level in parameters.level
        ),
        hands=tuple(level.hands for level in parameters.level),
        games=tuple(level.games for level in parameters.level),
        relegation_points=float(parameters.retention.relegation_points),
        grace_hands=parameters.retention.grace_hands,
    )


def margin_scale(parameters: Parameters, ruleset: str) -> float:
    """Return the points that a rule set's margins are measured in.

    Raises:
        RatingError: The parameter set does not know the rule set.
    """
    if ruleset not in parameters.margin_scale:
        known = ", ".join(sorted(parameters.margin_scale))
        raise RatingError(
            f"parameter set {parameters.name}: margin_scale has {known}; the log also has {ruleset!r}"
        )
    return float(parameters.margin_scale[ruleset])


def start_rating(parameters: Parameters, self_rating: str | None) -> float:
    """Return Rating and Form of a new player, by the first self-rating, None when nothing was said.

    "New players start at 1,000, or from how they rated themselves."
    """
    return float(getattr(parameters.start_rating, self_rating or "unsaid"))


def computer_rating(parameters: Parameters, mode: str, skill: str) -> float:
    """Return what a computer counts as: in live mode the same whatever its skill."""
    return float(getattr(parameters.computer_rating, "live" if mode == "live" else skill))
