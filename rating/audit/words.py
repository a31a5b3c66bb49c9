"""Explanations in words and numbers, a line a fact, as an auditor reads them."""

from __future__ import annotations

from collections.abc import Iterator

from rating.audit.explain import Explanation, SeatSaid, SideSaid
from rating.audit.level_check import Check, Condition
from rating.parameters import Parameters
from rating.showing import change_text


def explanation_lines(explanation: Explanation, parameters: Parameters) -> Iterator[str]:
    """Yield the lines of an explanation."""
    where = f"{explanation.pool} on {explanation.device}" if explanation.device else explanation.pool
    yield (
        f"{explanation.player}, hand {explanation.hand_id} (hand {explanation.hand_no} of game "
        f"{explanation.game_id}), {explanation.ended_at:%Y-%m-%d %H:%M:%S} UTC, {where}"
    )
    for side in explanation.sides:
        yield from _side_lines(side, explanation.own_side)
    if explanation.change is None:
        yield f"Not rated: {explanation.why_not}."
        return
    yield from _score_lines(explanation, parameters)
    yield from _change_lines(explanation, parameters)
    yield "Level check, in its order; the first rule that is met is what happens:"
    for check in explanation.checks:
        yield from check_lines(check)
    if not explanation.checks:
        yield "  nothing to check: the top level cannot be left upwards, and it has no line to fall under"
    level = explanation.change["level"] or "no level yet"
    yield f"Outcome: {explanation.event or 'no event'}; {level}"


def _side_lines(side: SideSaid, own_side: int) -> Iterator[str]:
    whose = "own side" if side.side == own_side else f"side {side.side}"
    rating = "" if side.rating is None else f", rating {side.rating:,.4f}, the mean of"
    yield f"{whose[0].upper()}{whose[1:]}: {side.points:+,} points{rating}"
    for seat in side.seats:
        yield f"  seat {seat.seat}: {_seat_words(seat)}"


def _seat_words(seat: SeatSaid) -> str:
    who = {
        "human": f"{seat.player}",
        "stand_in": f"the computer for {seat.player}, who had left",
        "computer": "a computer",
    }[seat.kind]
    return f"{who}, counts as {seat.counts_as:,.4f}"


def _score_lines(explanation: Explanation, parameters: Parameters) -> Iterator[str]:
    """Yield expected and actual score against each other side, and the surprise."""
    own = explanation.sides[explanation.own_side]
    others = [side for side in explanation.sides if side.side != explanation.own_side]
    scale = parameters.rating_scale
    margin_scale = parameters.margin_scale[explanation.pool.partition("/")[2]]
    mean = "" if len(others) == 1 else ", the mean over the other sides"
    yield f"Expected score {own.expected:.6f}{mean}"
    for side in others:
        yield f"  1 / (1 + 10^(({side.rating:,.4f} - {own.rating:,.4f}) / {scale:g}))"
    yield f"Actual score {own.actual:.6f}{mean}"
    formula = {
        "logistic": "1 / (1 + 10^(-({margin:+,}) / {scale:,g}))",
        "linear_clipped": "0.5 + ({margin:+,}) / (2 x {scale:,g}), kept within 0 and 1",
        "win_loss": "1 for more points, 0 for fewer, 0.5 for as many: margin {margin:+,}",
    }[parameters.score_shape]
    for side in others:
        yield "  " + formula.format(margin=own.points - side.points, scale=margin_scale)


def _change_lines(explanation: Explanation, parameters: Parameters) -> Iterator[str]:
    change = explanation.change
    assert change is not None
    yield f"Surprise {change['surprise']:+.6f}: actual less expected"
    if change["held"]:
        yield f"Held while the person was away; applied at the start of hand {change['applied_hand_id']}"
    yield f"K {change['k_factor']:g}: {explanation.k_because}"
    yield f"Change {change['k_factor'] * change['surprise']:+.6f}: K times surprise"
    before, after = change["rating_before"], change["rating_after"]
    yield f"Rating {before:,.4f} to {after:,.4f}: {change_text(before, after)}"
    span = parameters.form.form_hands
    how = (
        f"a step of 2/{span + 1} towards the Rating"
        if parameters.form.form == "ema"
        else f"the mean of the last {span} Ratings"
    )
    yield f"Form {change['form_before']:,.4f} to {change['form_after']:,.4f}: {how}"
    yield f"Rated hands {change['hands']:,}, finished games {change['games']:,}{_game_words(explanation)}"


def _game_words(explanation: Explanation) -> str:
    """Say whether the hand finished a game for the person."""
    assert explanation.change is not None
    if not explanation.game_over:
        return ""
    return (
        "; the game ended, but not for who was away"
        if _was_away(explanation)
        else "; this hand finished a game"
    )


def _was_away(explanation: Explanation) -> bool:
    seats = [seat for side in explanation.sides for seat in side.seats]
    return any(seat.player == explanation.player and seat.kind == "stand_in" for seat in seats)


def check_lines(check: Check) -> Iterator[str]:
    """Yield a rule of the level check and its conditions, met or not."""
    yield f"  {check.says}: {'met' if check.holds else 'not met'}"
    for condition in check.conditions:
        yield f"    {condition_words(condition)}: {'met' if condition.is_met else 'not met'}"


def condition_words(condition: Condition) -> str:
    """Say what a condition asks for and what there was."""
    return f"{condition.about} {_number(condition.had)}, needs {condition.asks} {_number(condition.needed)}"


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4f}"
