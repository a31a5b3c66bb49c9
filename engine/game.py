"""A game: hands until a side wins (M-game, S-game, P-game)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.actions import Move
from engine.errors import CoastalError
from engine.hand import HandState, Outcome
from engine.hand_record import dream_side
from engine.ruleset import RuleSet
from engine.scoring import DRAWN_GAME, PLAYS_ON, game_winner


class Game:
    """Plays hands to the rule set's target; the deal passes clockwise.

    >>> from engine.players.computer import ComputerPlayer
    >>> game = Game(RuleSet.load("classic_salon", players=2, short_game=True), seed=5)
    >>> player = ComputerPlayer("expert", seed=5)
    >>> while not game.is_over:
    ...     _ = game.play_hand(player.choose)
    >>> max(game.scores) >= 1500, game.winner in (0, 1)
    (True, True)

    Attributes:
        rules: The rule set.
        scores: Each side's score.
        outcomes: How the hands played so far ended.
        is_over: Whether the game has ended.
        winner: The side that won, None while the game goes on or if it is drawn.
    """

    def __init__(self, rules: RuleSet, *, seed: int, number: int = 0, first_dealer: int = 0) -> None:
        self.rules = rules
        self.scores = (0,) * rules.sides
        self.outcomes: tuple[Outcome, ...] = ()
        self.is_over = False
        self.winner: int | None = None
        self._seed = seed
        self._number = number
        self._first_dealer = first_dealer

    def deal(self) -> HandState:
        """Deal the next hand.

        Raises:
            CoastalError: The game is over.
        """
        if self.is_over:
            raise CoastalError("the game is over: no further hand is dealt")
        played = len(self.outcomes)
        return HandState.deal(
            self.rules,
            seed=self._seed,
            game=self._number,
            hand_no=played + 1,
            dealer=(self._first_dealer + played) % self.rules.players,
            scores=self.scores,
        )

    def finish(self, hand: HandState) -> Outcome:
        """Count an ended hand.

        Raises:
            CoastalError: The hand has not ended.
        """
        outcome = hand.outcome()
        if outcome is None:
            raise CoastalError("the hand has not ended")
        self.outcomes += (outcome,)
        self.scores = tuple(map(sum, zip(self.scores, outcome.points, strict=True)))
        won_by = game_winner(
            self.rules.numbers,
            np.array(self.scores, np.int64),
            len(self.outcomes),
            dream_side(hand.state),
        )
        self.is_over = won_by != PLAYS_ON
        self.winner = None if won_by in (PLAYS_ON, DRAWN_GAME) else int(won_by)
        return outcome

    def play_hand(self, choose: Callable[[HandState], Move]) -> Outcome:
        """Deal and play the next hand; every seat chooses in turn, from its view."""
        hand = self.deal()
        while hand.outcome() is None:
            hand.apply(choose(hand.view(hand.seat)))
        return self.finish(hand)
