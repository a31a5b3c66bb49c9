"""The simulator: same seed same bytes, whatever the batches; sums that add up; players who differ."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.hand_record import TEXT_END, TEXT_START
from engine.ruleset import RuleSet
from engine.simulator import Hands, Schedule, simulate
from engine.state import BY_OUT

TABLES: dict[str, tuple[str, dict[str, Any]]] = {
    "modern_american": ("modern_american", {}),
    "classic_salon-2": ("classic_salon", {"players": 2}),
    "classic_salon-3": ("classic_salon", {"players": 3}),
    "classic_salon-4": ("classic_salon", {}),
    "classic_partnership": ("classic_partnership", {}),
}


def play(rules: RuleSet, games: range, rates: tuple[float, ...] = (0.0,) * 4, **options: Any) -> list[Hands]:
    return list(simulate(rules, Schedule.of_games(games, rules, rates), **{"seed": 42, **options}))


def texts(batches: list[Hands]) -> list[bytes]:
    return [batch.text_of(row) for batch in batches for row in range(len(batch))]


@pytest.fixture(scope="module", params=TABLES)
def rules(request: pytest.FixtureRequest) -> RuleSet:
    name, options = TABLES[request.param]
    return RuleSet.load(name, **options)


def test_a_game_is_the_same_alone_and_in_any_batch(rules: RuleSet) -> None:
    together = texts(play(rules, range(6), log="full"))
    alone = [text for game in range(6) for text in texts(play(rules, range(game, game + 1), log="full"))]
    assert together == alone
    assert len(set(together)) == len(together)


def test_batches_go_on_where_the_last_one_stopped(rules: RuleSet) -> None:
    batches = play(rules, range(300))
    assert len(batches) > 1
    games = np.concatenate([batch.game for batch in batches])
    assert sorted(set(games)) == list(range(300))
    assert (np.diff(games) >= 0).all()
    numbers = np.concatenate([batch.hand_no for batch in batches])
    assert (numbers[1:] == np.where(np.diff(games) == 0, numbers[:-1] + 1, 1)).all()


def test_another_seed_gives_other_hands(rules: RuleSet) -> None:
    assert texts(play(rules, range(1), log="full")) != texts(play(rules, range(1), log="full", seed=43))


def test_a_summary_is_the_beginning_of_the_full_text(rules: RuleSet) -> None:
    full, summary = (texts(play(rules, range(2), log=log)) for log in ("full", "summary"))
    assert all(long.startswith(short[:-1]) for long, short in zip(full, summary, strict=True))
    assert all(b"events" not in short for short in summary)


def test_points_are_the_sum_of_their_parts_and_scores_follow(rules: RuleSet) -> None:
    batch = play(rules, range(40))[0]
    assert (batch.ledger.sum(axis=2) == batch.points).all()
    assert (batch.score_before + batch.points == batch.score_after).all()
    goes_on = np.flatnonzero(batch.game_over[:-1] == 0)
    assert (batch.score_before[goes_on + 1] == batch.score_after[goes_on]).all()
    assert (batch.dealer[goes_on + 1] == (batch.dealer[goes_on] + 1) % rules.players).all()
    assert (batch.score_before[batch.hand_no == 1] == 0).all()


def test_a_game_ends_when_its_winner_has_reached_the_target(rules: RuleSet) -> None:
    batch = play(rules, range(40))[0]
    last = batch.game_over == 1
    assert last.sum() > 5
    # A Dream hand wins whatever the score, and the last hand of a limited game need not reach the target.
    plain = last & (batch.ledger[:, :, 6] < rules.target).all(axis=1)
    plain &= batch.hand_no != rules.hand_limit
    best = batch.score_after[plain].max(axis=1)
    assert (best >= rules.target).all()
    assert (batch.score_after[plain].argmax(axis=1) == batch.winner[plain]).all()
    assert (batch.winner[~last] == -1).all()


def test_only_a_side_that_goes_out_is_paid_for_it(rules: RuleSet) -> None:
    batch = play(rules, range(40))[0]
    paid = batch.ledger[:, :, 2] > 0
    out = batch.ended_by == BY_OUT
    assert (paid.sum(axis=1) == out).all()
    assert (paid.argmax(axis=1)[out] == batch.out_seat[out] % rules.sides).all()


def test_a_player_who_errs_more_earns_less(rules: RuleSet) -> None:
    points = []
    for rate in (0.0, 0.3, 0.8):
        rates = tuple(rate if seat % rules.sides == 0 else 0.3 for seat in range(4))
        points.append(np.concatenate([batch.points[:, 0] for batch in play(rules, range(150), rates)]).mean())
    assert points[0] > points[1] + 50
    assert points[1] > points[2] + 50


def test_the_text_of_a_hand_lies_where_its_record_says() -> None:
    batch = play(RuleSet.load("modern_american"), range(2), log="summary")[0]
    spans = batch.records[:, [TEXT_START, TEXT_END]]
    assert spans[0, 0] == 0
    assert (spans[1:, 0] == spans[:-1, 1]).all()
    assert spans[-1, 1] == len(batch.text)
