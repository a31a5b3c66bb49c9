"""Special hands: fourteen cards laid in one go (M-special)."""

from __future__ import annotations

import numpy as np

from engine.cards import ACE, JOKER, RANKS, SEVEN, TWO
from engine.clauses import Clause
from engine.kernel import Row, allocating, kernel
from engine.rules.counts import held, side_of
from engine.ruleset import Rules
from engine.state import (
    CARD,
    FROM_STOCK,
    OPENED,
    PLAYED,
    QUESTION,
    SEAT,
    SOURCE,
    SPECIAL_HANDS,
    YES,
    Action,
    State,
)

_CARDS = 14
_COUNT = len(SPECIAL_HANDS)
(
    _PAIRS,
    _WILD_PAIRS,
    _MIAMI_PAIRS,
    _ZIP_CODE,
    _GARBAGE,
    _BLAST_OFF,
    _TRIPLES,
    _QUADS,
    _DREAM_4,
    _DREAM_5,
) = range(_COUNT)


@allocating
def _groups(hand: State, seat: int) -> Row:
    """Return how many natural ranks a holding has with each number of cards [9]."""
    groups = np.zeros(9, np.int64)
    for rank in range(RANKS):
        groups[hand.holding[seat, rank]] += 1
    return groups


@kernel
def _makes_pairs(hand: State, seat: int, which: int, groups: Row, twos: int, jokers: int) -> bool:
    if which == _PAIRS:
        return groups[2] == 7
    if hand.holding[seat, ACE] != 2 or hand.holding[seat, SEVEN] != 2:
        return False
    if which == _WILD_PAIRS:
        return groups[2] == 6 and (twos == 2 or jokers == 2)
    return groups[2] == 5 and twos == 2 and jokers == 2


# zip_code 2-2-3-3-4 and blast_off 5-4-3-2: one group may be of matching wilds.
@kernel
def _makes_run_of_sizes(which: int, groups: Row, matching: int) -> bool:
    if matching < 0 or matching > 5:
        return False
    if matching > 0:
        groups[matching] += 1
    if which == _ZIP_CODE:
        return groups[2] == 2 and groups[3] == 2 and groups[4] == 1
    return groups[5] == 1 and groups[4] == 1 and groups[3] == 1 and groups[2] == 1


@allocating
def makes_special(hand: State, seat: int, which: int) -> bool:
    """Say whether a holding makes a special hand, by its index in `SPECIAL_HANDS`."""
    if held(hand, seat) != _CARDS:
        return False
    twos = hand.holding[seat, TWO]
    jokers = hand.holding[seat, JOKER]
    groups = _groups(hand, seat)
    if which <= _MIAMI_PAIRS:
        return _makes_pairs(hand, seat, which, groups, twos, jokers)
    if which == _DREAM_5:
        return twos + jokers == 5 and groups[5] == 1 and groups[4] == 1
    matching = twos + jokers if twos * jokers == 0 else -1
    if which == _GARBAGE:
        return matching == 0 and groups[4] == 2 and groups[3] == 2
    if which == _TRIPLES:
        return matching == 2 and groups[3] == 4
    if which == _QUADS:
        return matching == 2 and groups[4] == 3
    if which == _DREAM_4:
        return matching == 4 and groups[5] == 2
    return _makes_run_of_sizes(which, groups, matching)


# M-special: after drawing from the stock, before the side's first meld or on the turn after the partner's.
@kernel
def check_special(rules: Rules, hand: State, action: Action) -> int:
    """Check the declaration of a special hand."""
    seat = action.what[SEAT]
    which = action.what[CARD]
    if rules.special_hands == 0:
        return Clause.M_SPECIAL_OFF if rules.modern == 1 else Clause.NOT_IN_RULES
    opener = hand.side[side_of(hand, seat), OPENED] - 1
    late = opener == seat or (opener >= 0 and hand.seat[seat, PLAYED] == 1)
    if hand.turn[SOURCE] != FROM_STOCK or late:
        return Clause.M_SPECIAL_WHEN
    # Where sources are silent: a yes to the partner question binds to going out, which a special hand is not.
    if hand.turn[QUESTION] == YES:
        return Clause.M_OUT_ANSWER_YES
    if which < 0 or which >= _COUNT or not makes_special(hand, seat, which):
        return Clause.M_SPECIAL_CARDS
    return 0
