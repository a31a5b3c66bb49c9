"""A game: the deal passes on, the target ends it, ties play on, forty hands are enough."""

from __future__ import annotations

import pytest

from engine.errors import CoastalError
from engine.game import Game
from engine.hand import HandState
from engine.ruleset import RuleSet


def ended(rules: RuleSet, **position: object) -> HandState:
    """Return a hand that ended with these holdings and melds."""
    return HandState.from_position({"ruleset": rules.name, "phase": "ended", **position})


def test_the_deal_passes_clockwise_and_scores_carry_over() -> None:
    game = Game(RuleSet.load("classic_partnership"), seed=1, first_dealer=2)
    dealers = []
    for _ in range(3):
        hand = game.deal()
        dealers.append(hand.position()["dealer"])
        assert tuple(hand.position()["score_before"]) == game.scores
        while hand.outcome() is None:
            hand.apply(hand.legal_actions()[0])
        before = game.scores
        outcome = game.finish(hand)
        assert game.scores == tuple(a + b for a, b in zip(before, outcome.points, strict=True))
    assert dealers == [2, 3, 0]


def test_a_hand_that_goes_on_cannot_be_counted() -> None:
    game = Game(RuleSet.load("classic_partnership"), seed=1)
    with pytest.raises(CoastalError, match="not ended"):
        game.finish(game.deal())


# A natural canasta of kings is 500 + 70 and nothing else is on the table (C2 of the worked cases).
KINGS = {"melds": [["KKKKKKK"], []], "holdings": ["", "", "", ""]}


def test_level_scores_at_the_target_play_another_hand() -> None:
    rules = RuleSet.load("classic_partnership")
    game = Game(rules, seed=1)
    game.scores = (4480, 5050)
    game.finish(ended(rules, **KINGS))
    assert game.scores == (5050, 5050)
    assert not game.is_over


def test_the_higher_score_at_the_target_wins() -> None:
    rules = RuleSet.load("classic_partnership")
    game = Game(rules, seed=1)
    game.scores = (4485, 5050)
    game.finish(ended(rules, **KINGS))
    assert game.is_over
    assert game.winner == 0
    with pytest.raises(CoastalError, match="over"):
        game.deal()


@pytest.mark.parametrize(("other", "winner"), [(570, None), (565, 0), (575, 1)])
def test_forty_hands_end_a_partnership_game_whatever_the_score(other: int, winner: int | None) -> None:
    rules = RuleSet.load("classic_partnership")
    game = Game(rules, seed=1)
    nothing = ended(rules, holdings=["", "", "", ""])
    for _ in range(39):
        game.finish(nothing)
    assert not game.is_over
    game.scores = (0, other)
    game.finish(ended(rules, **KINGS))
    assert game.is_over
    assert game.winner == winner


def test_a_dream_hand_wins_at_once() -> None:
    rules = RuleSet.load("modern_american")
    game = Game(rules, seed=1)
    game.scores = (-3000, 8000)
    hand = HandState.from_position({"holdings": ["4444455555222*", 13, 13, 13], "pile": "6"})
    assert hand.check("0sdream_4") is not None
    hand = HandState.from_position({"holdings": ["44444555552222", 13, 13, 13], "pile": "6"})
    hand.apply("0sdream_4")
    position = hand.position()
    position["holdings"] = [position["holdings"][0], "", "", ""]
    outcome = game.finish(HandState.from_position(position))
    assert outcome.points[0] == 8500
    assert game.scores == (5500, 8000)
    assert (game.is_over, game.winner) == (True, 0)
