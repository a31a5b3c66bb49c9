"""A parameter set as the kernel takes it: scalars, codes and small arrays."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rating.elo import PARTNER_CHANGES, SCORE_SHAPES, FloatArray
from rating.form import FORMS
from rating.parameters import Parameters, ParametersError


class Rules(NamedTuple):
    """What the fold needs to know; the parameter file explains each value.

    Attributes:
        k_steps: The K table, as `rating.elo.k_factor` takes it.
        levels: The level table, as `rating.levels` describes it.
        is_stand_in_computer: 1 when a left seat counts as a computer in its side's rating.
        is_held: 1 when an absent person's change waits for the return.
    """

    rating_scale: float
    score_shape: int
    partner_change: int
    k_steps: FloatArray
    is_stand_in_computer: int
    is_held: int
    form: int
    form_hands: int
    levels: FloatArray


def compile_rules(parameters: Parameters) -> Rules:
    """Lay a parameter set out for the kernel."""
    steps = parameters.change.k_factor
    return Rules(
        rating_scale=float(parameters.rating_scale),
        score_shape=SCORE_SHAPES.index(parameters.score_shape),
        partner_change=PARTNER_CHANGES.index(parameters.change.partner_change),
        k_steps=np.array([(step.below_hands or math.inf, step.k) for step in steps], np.float64),
        is_stand_in_computer=int(parameters.stand_in.stand_in_rating == "computer"),
        is_held=int(parameters.stand_in.held_hands == "on_return"),
        form=FORMS.index(parameters.form.form),
        form_hands=parameters.form.form_hands,
        levels=level_table(parameters),
    )


def level_table(parameters: Parameters) -> FloatArray:
    """Lay the level table out as `rating.levels` describes it."""
    rows = [
        (-math.inf if level.form_line is None else level.form_line, level.hands, level.games)
        for level in parameters.level
    ]
    retention = parameters.retention
    return np.array([*rows, (retention.relegation_points, retention.grace_hands, 0)], np.float64)


def margin_scale(parameters: Parameters, ruleset: str) -> float:
    """Return the points that a rule set's margins are measured in.

    Raises:
        ParametersError: The parameter set does not know the rule set.
    """
    if ruleset not in parameters.margin_scale:
        raise ParametersError(
            f"{parameters.source}: margin_scale.{ruleset}: missing; the log has hands of this rule set: "
            "a number of points greater than 0"
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
