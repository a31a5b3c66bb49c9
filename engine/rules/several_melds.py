"""Whether a holding can be melded whole where a side may have several melds of a rank (S-meld).

The cards of a rank may then go to one meld or be spread over more, new ones too, so what `engine.rules.out`
counts for one meld is counted here for every way to spread them.
"""

from __future__ import annotations

import numpy as np

from engine.cards import JOKER, RANKS, TWO
from engine.kernel import Grid, Row, allocating, kernel
from engine.ruleset import Rules
from engine.state import JOKERS, MELDS_OF_A_RANK, NATURALS, SLOTS, TWOS


@kernel
def _makes(rules: Rules, naturals: int, wilds: int) -> int:
    """Return 1 for a canasta, 0 for another meld or none, -1 for what is no meld."""
    if naturals + wilds == 0:
        return 0
    if naturals < 2 or wilds > rules.most_wilds or naturals + wilds < 3:
        return -1
    return 1 if naturals + wilds >= rules.canasta_cards else 0


@kernel
def _add_meld(rules: Rules, naturals: int, wilds: int, ways: Grid) -> None:
    """Let one more meld of a rank take a share of its cards.

    Args:
        rules: The rule set.
        naturals: Cards of its rank that lie in that meld, 0 for one that may be begun.
        wilds: Wild cards in it.
        ways: [naturals held + 1, wilds held + 1] the most canastas by cards laid so far; -1: they cannot be.
    """
    # From the most cards down: what is read has not been written yet.
    for laid in range(ways.shape[0] - 1, -1, -1):
        for laid_wilds in range(ways.shape[1] - 1, -1, -1):
            best = -1
            for share in range(laid + 1):
                for wild_share in range(min(laid_wilds, rules.most_wilds) + 1):
                    rest = ways[laid - share, laid_wilds - wild_share]
                    makes = _makes(rules, naturals + share, wilds + wild_share)
                    if rest >= 0 and makes >= 0:
                        best = max(best, rest + makes)
            ways[laid, laid_wilds] = best


@allocating
def can_spread(rules: Rules, holding: Row, meld: Grid) -> bool:
    """Say whether ranks and wilds of a holding [16] can all be melded with the canastas needed to go out.

    The side's melds [52, 3] may be hypothetical; black 3s are the caller's.
    """
    wilds = holding[TWO] + holding[JOKER]
    most = np.full(wilds + 1, -1, np.int64)
    most[0] = 0
    for rank in range(RANKS):
        ways = np.full((holding[rank] + 1, wilds + 1), -1, np.int64)
        ways[0, 0] = 0
        for number in range(MELDS_OF_A_RANK):
            place = rank + SLOTS * number
            _add_meld(rules, meld[place, NATURALS], meld[place, TWOS] + meld[place, JOKERS], ways)
        for laid in range(wilds, -1, -1):
            best = -1
            for share in range(laid + 1):
                if most[laid - share] >= 0 and ways[holding[rank], share] >= 0:
                    best = max(best, most[laid - share] + ways[holding[rank], share])
            most[laid] = best
    return bool(most[wilds] >= rules.canastas_needed)
