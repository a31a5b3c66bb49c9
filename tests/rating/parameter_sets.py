"""Random parameter sets for the oracle, and the same sets as the TOML that a parameter file holds."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.rating.oracle import COASTAL, Parameters


def _ladder(draw: Any, steps: int, first: int, widest: int) -> list[int]:
    """Whole numbers that never fall."""
    values = [first]
    for _ in range(steps - 1):
        values.append(values[-1] + draw(st.integers(0, widest)))
    return values


@st.composite
def level_tables(draw: Any) -> list[tuple[str, float | None, int, int]]:
    """Two to six levels with lines so near each other that a short league climbs and falls."""
    count = draw(st.integers(2, 6))
    first = draw(st.sampled_from([850.0, 950.0, 990.0, 1000.0]))
    step = draw(st.sampled_from([4.0, 15.0, 40.0, 100.0]))
    hands = _ladder(draw, count, draw(st.integers(1, 10)), 12)
    games = _ladder(draw, count, 0, 2)
    lines = [None, *(first + step * position for position in range(count - 1))]
    return [(f"Level {place}", lines[place], hands[place], games[place]) for place in range(count)]


@st.composite
def parameter_sets(draw: Any) -> Parameters:
    """A parameter set in the oracle's words; every open choice takes every value."""
    first_k = draw(st.sampled_from([24.0, 60.0, 33.3]))
    early = draw(st.integers(1, 30))
    late = early + draw(st.integers(1, 70))
    ladders = [
        [(None, first_k)],
        [(early, first_k), (None, first_k / 2)],
        [(early, first_k), (late, first_k * 0.7), (None, 10.0)],
    ]
    return COASTAL | {
        "live_computer": draw(st.sampled_from([1300.0, 1000.0])),
        "stand_in_rating": draw(st.sampled_from(["computer", "player"])),
        "held_hands": draw(st.sampled_from(["on_return", "at_once"])),
        "rating_scale": draw(st.sampled_from([400.0, 173.7, 1000.0])),
        "margin_scale": {
            "modern_american": draw(st.sampled_from([3000.0, 500.0, 12000.0])),
            "classic_salon": draw(st.sampled_from([1000.0, 333.0])),
            "classic_partnership": draw(st.sampled_from([1000.0, 250.0])),
        },
        "margin_shape": draw(st.sampled_from(["logistic", "linear_clipped", "win_loss"])),
        "k_factors": draw(st.sampled_from(ladders)),
        "partner_change": draw(st.sampled_from(["own_k", "mean_k", "min_k"])),
        "form": draw(st.sampled_from(["ema", "window"])),
        "form_hands": draw(st.sampled_from([1, 2, 7, 30])),
        "levels": draw(level_tables()),
        "relegation_points": draw(st.sampled_from([0.0, 5.0, 50.0])),
        "grace_hands": draw(st.sampled_from([0, 3, 25])),
    }


def toml_text(parameters: Parameters, name: str = "drawn") -> str:
    """Write a set in the oracle's words as a parameter file."""
    starts = {"unsaid": parameters["start"]} | parameters["self_ratings"]
    computers = {"live": parameters["live_computer"]} | parameters["computers"]
    lines = [
        f'name = "{name}"',
        f"rating_scale = {parameters['rating_scale']}",
        f'score_shape = "{parameters["margin_shape"]}"',
    ]
    for table, values in (
        ("margin_scale", parameters["margin_scale"]),
        ("start_rating", starts),
        ("computer_rating", computers),
    ):
        lines += [f"[{table}]", *(f"{key} = {value}" for key, value in values.items())]
    lines += ["[change]", f'partner_change = "{parameters["partner_change"]}"']
    for below, k in parameters["k_factors"]:
        lines += ["[[change.k_factor]]", f"k = {k!r}", *([] if below is None else [f"below_hands = {below}"])]
    lines += [
        "[stand_in]",
        f'stand_in_rating = "{parameters["stand_in_rating"]}"',
        f'held_hands = "{parameters["held_hands"]}"',
        "[form]",
        f'form = "{parameters["form"]}"',
        f"form_hands = {parameters['form_hands']}",
        "[retention]",
        f"relegation_points = {parameters['relegation_points']}",
        f"grace_hands = {parameters['grace_hands']}",
    ]
    for level, line, hands, games in parameters["levels"]:
        lines += ["[[level]]", f'name = "{level}"', *([] if line is None else [f"form_line = {line}"])]
        lines += [f"hands = {hands}", f"games = {games}"]
    return "\n".join(lines) + "\n"
