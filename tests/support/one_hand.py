"""Print computer-played hands, a line each: compiled and as plain Python, the lines must be the same."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

from engine.hand_record import COLUMNS, record_hand
from engine.hand_writer import put_result
from engine.play import FULL, HAND_BYTES, empty_desk, play_hand
from engine.rules.deal import deal
from engine.rules.rng import seed_generator
from engine.ruleset import RuleSet
from engine.state import empty_state
from engine.view import empty_view

#: Rule set, options, seed: two erring players, two that do not err.
HANDS = (
    ("modern_american", {}, 1),
    ("modern_american", {"five_natural_rule": False, "pair_and_wild_out": True}, 2),
    ("classic_salon", {"players": 3}, 3),
    ("classic_partnership", {}, 4),
)


def hand_lines() -> Iterator[str]:
    """Yield each hand's result, deal and events."""
    hand, view, desk = empty_state(), empty_view(), empty_desk()
    record, out = np.zeros(COLUMNS, np.int64), np.zeros(HAND_BYTES, np.uint8)
    for name, options, seed in HANDS:
        rules = RuleSet.load(name, **options)
        seed_generator(desk.rng, seed, 0, 1)
        desk.scores[:] = 0
        deal(rules.numbers, hand, 0, desk.scores, desk.rng)
        size = play_hand(rules.numbers, hand, view, desk, np.array([0.3, 0.0, 0.3, 0.0]), FULL)
        record_hand(rules.numbers, hand, 1, record, desk.part, desk.scores)
        end = put_result(out, 0, rules.numbers, record)
        yield out[:end].tobytes().decode() + desk.text[:size].tobytes().decode()


if __name__ == "__main__":
    sys.stdout.writelines(line + "\n" for line in hand_lines())
