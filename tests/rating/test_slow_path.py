"""The audit's slow path against the oracle, over random leagues and parameter sets, bit for bit."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rating.audit.log import LoggedHand, LoggedSeat
from rating.audit.slow import Change, rate_log
from rating.parameters import read_parameters
from tests.rating import oracle
from tests.rating.parameter_sets import parameter_sets, toml_text
from tests.support.leagues import League, random_league


def logged(hand: dict[str, Any], key: int = 0) -> LoggedHand:
    """A record as the warehouse gives it back."""
    return LoggedHand(
        key,
        hand["hand_id"],
        hand["game_id"],
        hand["hand_no"],
        datetime.fromisoformat(hand["ended_at"]),
        hand["mode"],
        hand["ruleset"],
        hand.get("device", ""),
        hand["result"]["game_over"],
        tuple(
            LoggedSeat(seat["seat"], seat["side"], seat["kind"], seat.get("player"), seat.get("skill"))
            for seat in hand["seats"]
        ),
        tuple(hand["result"]["points"]),
    )


def in_order(league: League) -> list[dict[str, Any]]:
    return sorted(league.hands, key=oracle.total_order)


def slow_changes(league: League, parameters: oracle.Parameters) -> list[Change]:
    hands = [logged(hand, key) for key, hand in enumerate(in_order(league), 1)]
    model = read_parameters(toml_text(parameters), "drawn")
    said = oracle.first_self_ratings(league.players)
    return [change for _, played in rate_log(hands, said, model) for change in played.changes]


def of_slow_path(change: Change, levels: list[str], ids: list[str]) -> tuple[object, ...]:
    account = oracle.Account(change.account.pool, change.account.player, change.account.device)
    return (
        account,
        ids[change.hand_key - 1],
        ids[change.applied_key - 1] if change.applied_key else None,
        change.rating_before,
        change.rating_after,
        change.k_factor,
        change.view.expected,
        change.view.actual,
        change.view.surprise,
        change.form_before,
        change.form_after,
        change.hands,
        change.games,
        levels[change.level] if change.level >= 0 else "",
    )


def of_oracle(change: oracle.Change) -> tuple[object, ...]:
    return (
        change.account,
        change.hand_id,
        change.applied_at,
        change.rating_before,
        change.rating_after,
        change.k_factor,
        change.expected,
        change.actual,
        change.surprise,
        change.form_before,
        change.form_after,
        change.hands,
        change.games,
        change.level,
    )


@given(seed=st.integers(0, 10_000), parameters=parameter_sets())
def test_the_slow_path_and_the_oracle_agree_bit_for_bit(seed: int, parameters: oracle.Parameters) -> None:
    league = random_league(seed, people=5, games=15, leavers=0.4)
    rated = oracle.rate(league.hands, league.players, parameters)
    levels = [level[0] for level in parameters["levels"]]
    slow = slow_changes(league, parameters)
    ids = [hand["hand_id"] for hand in in_order(league)]
    assert [of_slow_path(change, levels, ids) for change in slow] == [of_oracle(c) for c in rated.changes]
    events = [
        (change.account.player, ids[change.hand_key - 1], change.event) for change in slow if change.event
    ]
    assert events == [(event.account.player, event.hand_id, event.kind) for event in rated.events]


@pytest.mark.parametrize("seed", range(3))
def test_a_league_has_every_feature_that_the_comparison_is_about(seed: int) -> None:
    league = random_league(seed, people=6, games=120, leavers=0.4)
    rated = oracle.rate(league.hands, league.players)
    assert {event.kind for event in rated.events} >= {"placed", "promoted"}
    assert any(change.held for change in rated.changes)
    assert set(rated.unrated.values()) == {"alone", "held"}
    assert {len(hand["result"]["points"]) for hand in league.hands} == {2, 3}
    assert {change.account.device for change in rated.changes} == {"", "phone", "tablet-é"}
    assert len({hand["ended_at"] for hand in league.hands}) < len(league.hands)
