"""What a seat can do or what happens to it: one frozen record for each event of a hand.

A card is its text, as in the log: rank `4 5 6 7 8 9 T J Q K A 2`, joker `*`, red three `3r`, black three
`3b`, and with a suit (`Ks`, `3h`) where a log writes suits. `?` is a card that the reader may not see.
Records hold their cards in the order in which they were written; the rules only count them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

#: Card texts, such as ``("K", "K", "2")`` or ``("Ks", "Kd", "2c")``.
Cards: TypeAlias = tuple[str, ...]

HIDDEN = "?"
#: The rank of a group that is a meld of wild cards.
WILD_MELD = "W"


def is_wild(card: str) -> bool:
    """Tell whether a card is a joker or a 2."""
    return card[0] in "2*"


def is_red_three(card: str) -> bool:
    """Tell whether a card is a red 3, which is laid face up and never melded."""
    return card[0] == "3" and card[1] in "rhd"


@dataclass(frozen=True, slots=True)
class Group:
    """Cards laid together on one meld.

    Attributes:
        rank: The meld they belong to: a rank, ``"3"`` for black threes, ``"W"`` for the meld of wild cards.
        cards: The cards, at least one; none where the pile's top card alone goes onto a second meld or later.
        number: Which of the side's melds of that rank, in the order begun: 1 to 4.
    """

    rank: str
    cards: Cards
    number: int = 1

    @classmethod
    def of(cls, cards: Cards) -> Group:
        """Name a group by its first natural card; wild cards alone are a wild meld."""
        return cls(next((card[0] for card in cards if not is_wild(card)), WILD_MELD), cards)

    @property
    def meld(self) -> str:
        """Name the meld as a log does: by its rank, and from the second on by its number too."""
        return self.rank if self.number == 1 else f"{self.rank}#{self.number}"

    @property
    def is_of_one_rank(self) -> bool:
        """Tell whether every natural card has the group's rank; a wild meld has none, a red 3 has no meld."""
        return all(is_wild(card) or (card[0] == self.rank and not is_red_three(card)) for card in self.cards)


@dataclass(frozen=True, slots=True)
class Draw:
    """Draws from the stock, in the order drawn."""

    seat: int
    cards: Cards


@dataclass(frozen=True, slots=True)
class LayThree:
    """Lays a 3 face up; `replacement` is the card drawn for it, or None."""

    seat: int
    card: str
    replacement: str | None = None


@dataclass(frozen=True, slots=True)
class TakePile:
    """Takes the pile by melding its top card.

    Attributes:
        seat: Who takes it.
        top: The top card, by rank (a log with suits may write the suit as well).
        pile_size: How many cards the pile holds, at least 1.
        groups: The first joins the top card, the others are the rest of the same opening. None at all, or one
            without cards: the top card goes onto the side's own meld by itself.
    """

    seat: int
    top: str
    pile_size: int
    groups: tuple[Group, ...] = ()


@dataclass(frozen=True, slots=True)
class Meld:
    """Lays a meld or adds to one; an opening may lay several groups in the one action."""

    seat: int
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Discard:
    """Discards, which ends the turn."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Takes back groups laid to open: cancelled, or not good at the end of the turn."""

    seat: int
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class BonusCards:
    """Draws the talon's bonus cards, in the order drawn."""

    seat: int
    cards: Cards


@dataclass(frozen=True, slots=True)
class GoOut:
    """Goes out: stands after the action that emptied the holding."""

    seat: int


@dataclass(frozen=True, slots=True)
class Ask:
    """Asks "Partner, may I go out?"."""

    seat: int


@dataclass(frozen=True, slots=True)
class Answer:
    """Answers the partner's question."""

    seat: int
    yes: bool


@dataclass(frozen=True, slots=True)
class ClockOut:
    """Ran out of time; the forced events follow."""

    seat: int


@dataclass(frozen=True, slots=True)
class DeclareSpecial:
    """Lays all fourteen cards as a special hand, such as ``"garbage"``."""

    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class Decline:
    """Leaves the pile when there is nothing to draw, which ends the hand; the log has no event for it."""

    seat: int


Action: TypeAlias = (
    Draw
    | LayThree
    | TakePile
    | Meld
    | Discard
    | TakeBack
    | BonusCards
    | GoOut
    | Ask
    | Answer
    | ClockOut
    | DeclareSpecial
)
#: What a seat can choose: an event of the log, or the one choice that leaves none.
Move: TypeAlias = Action | Decline
