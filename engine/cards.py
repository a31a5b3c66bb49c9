"""The fifteen kinds of card, their order and how many there are of each.

A kind is an index into every count row of the engine. Suits carry no rule except the colour of a 3, so the
engine counts kinds; a log may write suits and drops them here.
"""

from __future__ import annotations

from typing import Final

#: Text of each kind, in the order in which cards stand inside an event.
KIND_TEXT: Final = ("4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "2", "*", "3r", "3b", "?")

FOUR: Final = 0
SEVEN: Final = 3
ACE: Final = 10
TWO: Final = 11
JOKER: Final = 12
RED_THREE: Final = 13
BLACK_THREE: Final = 14
#: A card that the reader of a position or view does not know.
HIDDEN: Final = 15

#: Kinds 0..10 are the natural ranks that make melds, 4 to ace.
RANKS: Final = 11
#: Real kinds; a count row has one more place, for `HIDDEN`.
KINDS: Final = 15
WIDTH: Final = 16

#: Cards of each kind in two packs with four jokers.
COPIES: Final = (8,) * RANKS + (8, 4, 4, 4)
CARDS: Final = 108
