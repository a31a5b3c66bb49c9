"""A computer player for one hand at a time: the simulator's player behind the Python face."""

from __future__ import annotations

import numpy as np

from engine.actions import Move
from engine.hand import HandState
from engine.kernel_action import decode
from engine.players.greedy import choose
from engine.players.skill import SKILLS, error_rates
from engine.rules.action_list import empty_list
from engine.rules.rng import seed_generator
from engine.state import empty_action


class ComputerPlayer:
    """Chooses a legal action from a view.

    >>> from engine.ruleset import RuleSet
    >>> hand = HandState.deal(RuleSet.load("classic_partnership"), seed=7)
    >>> player = ComputerPlayer("expert", seed=7)
    >>> while hand.outcome() is None:
    ...     _ = hand.apply(player.choose(hand.view(hand.seat)))
    >>> sum(hand.outcome().ledgers[0]) == hand.outcome().points[0]
    True
    """

    def __init__(self, skill: str, *, seed: int) -> None:
        """Make a player.

        Raises:
            ValueError: There is no such skill.
        """
        if skill not in SKILLS:
            raise ValueError(f"unknown skill {skill!r}; there are {', '.join(SKILLS)}")
        self._error_rate = error_rates()[skill]
        self._rng = np.zeros(1, np.int64)
        seed_generator(self._rng, seed, 0, 1)
        self._actions = empty_list()

    def choose(self, view: HandState) -> Move:
        """Return an action for the seat that acts, from `HandState.view` of that seat."""
        action = empty_action()
        choose(view.rules.numbers, view.state, self._error_rate, self._rng, action, self._actions)
        return decode(action)
