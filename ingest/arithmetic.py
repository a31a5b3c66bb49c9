"""Checking level 1: what must add up within one hand, written once for the block and for the single line.

`faults` judges a row of `HandColumns.numbers` against the facts of its rule set and lists what is wrong; a
block only asks whether the list is empty, a single line has it put in words by `ingest.checking`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
import orjson

from engine.jit import jit, lean
from engine.ruleset import RuleSet
from engine.state import SPECIAL_HANDS
from ingest import columns as c
from ingest.columns import NULL, SIDES, Ints

# What a fault is about: (code, place, expected, found), place a seat or a side.
FAULT_CODES: Final = (
    "seat_side",
    "side_count",
    "dealer_seat",
    "out_seat",
    "special_hand",
    "winner_side",
    "ledger_sum",
    "score_after",
    "canasta_points",
)
_SEAT_SIDE, _SIDE_COUNT, _DEALER, _OUT_SEAT, _SPECIAL, _WINNER, _LEDGER_SUM, _SCORE_AFTER, _CANASTA = range(9)
MOST_FAULTS: Final = 64

# Facts of a rule set with its options, at a table.
_SIDES, _NATURAL, _MIXED, _SEVENS, _ACES, _WILD, _WILD_JOKERS, _WILD_TWOS, _SPECIAL_HANDS = range(9)
FACTS: Final = 9

_CANASTA_PART: Final = c.LEDGER_PARTS.index("canastas")
_SPECIAL_PART: Final = c.LEDGER_PARTS.index("special")
_BY_SPECIAL: Final = c.ENDINGS.index("special")


@lru_cache(maxsize=4096)
def rule_set(ruleset: str, options: str, seats: int) -> RuleSet:
    """Return a rule set as a log names it.

    Args:
        ruleset: Its name.
        options: The options that differ from its defaults, a JSON object.
        seats: How many sit at the table.

    Raises:
        RuleSetError: The rule set, an option, a value or the number of players is unknown.
    """
    return RuleSet.for_table(ruleset, seats, orjson.loads(options))


def facts(rules: RuleSet) -> Ints:
    """Return what level 1 needs of a rule set: int64 [9]."""
    wild = (rules.wild_points, rules.wild_four_jokers_points, rules.wild_seven_twos_points)
    kinds = (rules.natural_points, rules.mixed_points, rules.sevens_points, rules.aces_points)
    named = sum(1 << index for index, points in enumerate(rules.special_points) if points > 0)
    return np.array([rules.sides, *kinds, *wild, named if rules.special_hands else 0], dtype=np.int64)


def special_index(name: str | None) -> int:
    """Return a special hand's place in `SPECIAL_HANDS`, -1 for none, -2 for a name that is none of them."""
    if name is None:
        return -1
    return SPECIAL_HANDS.index(name) if name in SPECIAL_HANDS else -2


@lean
def _add(found: Ints, count: int, code: int, place: int, expected: int, value: int) -> int:
    if count < MOST_FAULTS:
        found[count, 0], found[count, 1], found[count, 2], found[count, 3] = code, place, expected, value
        count += 1
    return count


@lean
def ledger_sum(numbers: Ints, side: int) -> int:
    """Add up the parts of a side's ledger, in points."""
    total = 0
    for part in range(7):
        total += numbers[c.LEDGER + part * SIDES + side]
    return total


@lean
def _wild_can_give(points: int, count: int, rules: Ints) -> bool:
    """Say whether that many wild canastas, of any of the three kinds, can bring these points."""
    for jokers in range(count + 1):
        for twos in range(count + 1 - jokers):
            plain = count - jokers - twos
            if points == plain * rules[_WILD] + jokers * rules[_WILD_JOKERS] + twos * rules[_WILD_TWOS]:
                return True
    return False


@lean
def _counts_can_give(points: int, numbers: Ints, side: int, rules: Ints) -> bool:
    """Say whether a side's canastas can bring this bonus; kinds that the rule set lacks bring none."""
    for kind in range(4):
        count = numbers[c.CANASTAS + kind * SIDES + side]
        if count > 0 and rules[_NATURAL + kind] == 0:
            return False
        points -= count * rules[_NATURAL + kind]
    wild = numbers[c.CANASTAS + 4 * SIDES + side]
    if wild > 108 or (wild > 0 and rules[_WILD] == 0):
        return False
    return _wild_can_give(points, wild, rules)


@lean
def _side_faults(numbers: Ints, rules: Ints, side: int, found: Ints, count: int) -> int:
    points, total = numbers[c.POINTS + side], ledger_sum(numbers, side)
    if total != points:
        count = _add(found, count, _LEDGER_SUM, side, total, points)
    after = numbers[c.SCORE_BEFORE + side] + points
    if numbers[c.SCORE_AFTER + side] != after:
        count = _add(found, count, _SCORE_AFTER, side, after, numbers[c.SCORE_AFTER + side])
    bonus = numbers[c.LEDGER + _CANASTA_PART * SIDES + side]
    # A special hand is scored alone, whatever canastas its side had.
    replaced = bonus == 0 and numbers[c.LEDGER + _SPECIAL_PART * SIDES + side] != 0
    if not replaced and not _counts_can_give(bonus, numbers, side, rules):
        count = _add(found, count, _CANASTA, side, NULL, bonus)
    return count


@lean
def _ending_faults(numbers: Ints, rules: Ints, special: int, found: Ints, count: int) -> int:
    # A score sheet knows that someone went out, not who.
    if numbers[c.OUT_SEAT] >= numbers[c.SEAT_COUNT]:
        count = _add(found, count, _OUT_SEAT, 0, NULL, numbers[c.OUT_SEAT])
    is_known = special >= 0 and rules[_SPECIAL_HANDS] & (1 << max(special, 0)) != 0
    if (numbers[c.ENDED_BY] == _BY_SPECIAL) != (special != -1) or (special != -1 and not is_known):
        count = _add(found, count, _SPECIAL, 0, NULL, special)
    winner = numbers[c.WINNER]
    if winner != NULL and (winner >= rules[_SIDES] or numbers[c.GAME_OVER] == 0):
        count = _add(found, count, _WINNER, 0, NULL, winner)
    return count


@lean
def faults(numbers: Ints, rules: Ints, special: int, found: Ints) -> int:
    """List what does not add up in one hand.

    Args:
        numbers: A row of `HandColumns.numbers`.
        rules: `facts` of its rule set.
        special: `special_index` of the special hand that it names.
        found: [MOST_FAULTS, 4] receives (place in `FAULT_CODES`, seat or side, expected, found).

    Returns:
        How many there are.
    """
    count, sides = 0, rules[_SIDES]
    if numbers[c.SIDE_COUNT] != sides:
        return _add(found, count, _SIDE_COUNT, 0, sides, numbers[c.SIDE_COUNT])
    for seat in range(numbers[c.SEAT_COUNT]):
        if numbers[c.SEAT_SIDE + seat] != seat % sides:
            count = _add(found, count, _SEAT_SIDE, seat, seat % sides, numbers[c.SEAT_SIDE + seat])
    if numbers[c.DEALER] >= numbers[c.SEAT_COUNT]:
        count = _add(found, count, _DEALER, 0, NULL, numbers[c.DEALER])
    for side in range(sides):
        count = _side_faults(numbers, rules, side, found, count)
    return _ending_faults(numbers, rules, special, found, count)


@jit
def mark_sound(numbers: Ints, rules: Ints, which: Ints, special: Ints, sound: Ints) -> None:
    """Mark the hands of a block in which everything adds up.

    Args:
        numbers: [n, NUMBERS].
        rules: [k, 9] facts, a row a rule set in use.
        which: [n] each hand's row of `rules`; -1 for a rule set without facts, which is never sound.
        special: [n] each hand's `special_index`.
        sound: [n] receives 1 or 0.
    """
    found = np.empty((MOST_FAULTS, 4), dtype=np.int64)
    for row in range(len(numbers)):
        is_sound = (
            which[row] >= 0 and faults(numbers[row], rules[max(which[row], 0)], special[row], found) == 0
        )
        sound[row] = 1 if is_sound else 0
