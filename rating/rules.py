"""A parameter set as the kernel takes it: scalars, codes and tuples, which numba passes by value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeVar

from engine.errors import RatingError
from rating.elo import PARTNER_CHANGES, SCORE_SHAPES
from rating.form import FORMS
from rating.levels import LevelRules
from rating.parameters import K_FACTORS_AT_MOST, LEVELS_AT_MOST, Parameters

#: More hands than anybody plays.
FOR_GOOD: Final = 2**62

Number = TypeVar("Number", int, float)


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
        k_below_hands=_padded([step.below_hands or FOR_GOOD for step in steps], FOR_GOOD, K_FACTORS_AT_MOST),
        k_values=_padded([float(step.k) for step in steps], 0.0, K_FACTORS_AT_MOST),
        is_stand_in_computer=int(parameters.stand_in.stand_in_rating == "computer"),
        is_held=int(parameters.stand_in.held_hands == "on_return"),
        form=FORMS.index(parameters.form.form),
        form_hands=parameters.form.form_hands,
        levels=_level_rules(parameters),
    )


def _level_rules(parameters: Parameters) -> LevelRules:
    """Lay the level table out; a place without a level has a line that no Form reaches."""
    levels = parameters.level
    lines = [-math.inf if level.form_line is None else float(level.form_line) for level in levels]
    return LevelRules(
        line=_padded(lines, math.inf, LEVELS_AT_MOST),
        hands=_padded([level.hands for level in levels], 0, LEVELS_AT_MOST),
        games=_padded([level.games for level in levels], 0, LEVELS_AT_MOST),
        relegation_points=float(parameters.retention.relegation_points),
        grace_hands=parameters.retention.grace_hands,
    )


def _padded(values: Sequence[Number], rest: Number, size: int) -> tuple[Number, ...]:
    """Return a tuple of one size whatever the parameter set, because numba compiles anew for each size."""
    return tuple(values) + (rest,) * (size - len(values))


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
