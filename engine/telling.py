"""A logged hand told turn by turn: what each seat did, and what lay on the table after it.

It follows the cards that the log names and judges nothing, so it also tells a log that the rules refuse.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.actions import (
    WILD_MELD,
    Action,
    Answer,
    Ask,
    BonusCards,
    Cards,
    ClockOut,
    DeclareSpecial,
    Discard,
    Draw,
    GoOut,
    Group,
    LayThree,
    Meld,
    TakeBack,
    TakePile,
    is_wild,
)
from engine.cards import CARDS
from engine.notation import event_spans, parse_cards, parse_event
from engine.replay.logged_hand import LoggedHand


@dataclass(frozen=True, slots=True)
class Turn:
    """One seat's turn, or the 3s that it lays before play.

    Attributes:
        number: From 1; 0 before the first turn.
        seat: Whose it is.
        deeds: What the seat did, in order, in words.
        stock: Cards left in the stock afterwards.
        pile: The pile afterwards, bottom first.
        melds: Every side's melds afterwards, each a line of cards, naturals first.
    """

    number: int
    seat: int
    deeds: tuple[str, ...]
    stock: int
    pile: Cards
    melds: tuple[tuple[str, ...], ...]


def tell(hand: LoggedHand, sides: int) -> Iterator[Turn]:
    """Tell a hand's turns in order.

    Args:
        hand: The log.
        sides: How many sides play; seat s is of side ``s % sides``.

    Raises:
        NotationError: The deal or an event cannot be read; what came before it has been told.
    """
    table = _Table(hand, sides)
    for start, end in event_spans(hand.events):
        action = parse_event(hand.events[start:end], hand.cards)
        if table.begins_turn(action) and table.deeds:
            yield table.turn()
        table.play(action)
    if table.deeds:
        yield table.turn()


@dataclass
class _Table:
    hand: LoggedHand
    sides: int
    number: int = 0
    seat: int = 0
    deeds: list[str] = field(default_factory=list)
    stock: int = CARDS
    pile: list[str] = field(default_factory=list)
    melds: list[dict[tuple[str, int], list[str]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.pile = list(parse_cards(self.hand.upcards, self.hand.cards))
        dealt = sum(len(parse_cards(text, self.hand.cards)) for text in self.hand.holdings)
        self.stock -= dealt + len(self.pile)
        self.melds = [{} for _ in range(self.sides)]

    def begins_turn(self, action: Action) -> bool:
        """Say whether an action is the first of a turn, or of another seat's 3s before play."""
        if isinstance(action, Draw | TakePile):
            return True
        return self.number == 0 and action.seat != self.seat

    def turn(self) -> Turn:
        """Close the turn that is being told."""
        melds = tuple(
            tuple(" ".join(sorted(cards, key=is_wild)) for cards in side.values()) for side in self.melds
        )
        told = Turn(self.number, self.seat, tuple(self.deeds), self.stock, tuple(self.pile), melds)
        self.deeds = []
        return told

    def play(self, action: Action) -> None:
        """Follow an action and put it in words."""
        if isinstance(action, Draw | TakePile):
            self.number += 1
        if not self.deeds:
            self.seat = action.seat
        who = "" if action.seat == self.seat else f"seat {action.seat} "
        self.deeds.append(who + self.words(action))

    def words(self, action: Action) -> str:
        """Follow an action and return what it does."""
        match action:
            case Draw(_, cards):
                return f"draws {self.drawn(cards)}"
            case LayThree(_, card, replacement):
                return f"lays {card}" + (f" and draws {self.drawn((replacement,))}" if replacement else "")
            case TakePile():
                return self.take(action)
            case Meld(seat, groups):
                return self.meld(seat, groups)
            case Discard(_, card):
                self.pile.append(card)
                return f"discards {card}"
            case TakeBack(_, groups):
                return f"lays and takes back {' + '.join(' '.join(group.cards) for group in groups)}"
            case BonusCards(_, cards):
                return f"draws {self.drawn(cards)} as bonus cards"
            case DeclareSpecial(_, name):
                return f"lays a special hand: {name}"
            case Answer(_, yes):
                return f"answers {'yes' if yes else 'no'}"
            case Ask():
                return "asks to go out"
            case ClockOut():
                return "runs out of time"
            case GoOut():
                return "goes out"

    def drawn(self, cards: Cards) -> str:
        """Take cards from the stock."""
        self.stock -= len(cards)
        return " ".join(cards)

    def take(self, action: TakePile) -> str:
        """Take the pile: its top card joins the first group, or the side's own meld."""
        size, top = len(self.pile), self.pile[-1] if self.pile else action.top
        self.pile = []
        first = Group(action.top[0], (top,))
        if action.groups:
            first = Group(action.top[0], (top, *action.groups[0].cards), action.groups[0].number)
        laid = self.meld(action.seat, (first, *action.groups[1:]))
        return f"takes the pile of {size} and {laid}"

    def meld(self, seat: int, groups: tuple[Group, ...]) -> str:
        """Put groups on the side's melds."""
        melds = self.melds[seat % self.sides]
        verb, onto = "opens with" if not melds else "melds", ""
        if (groups[0].rank, groups[0].number) in melds:
            verb, onto = "adds", _onto(groups[0])
        for group in groups:
            melds.setdefault((group.rank, group.number), []).extend(group.cards)
        return f"{verb} {' + '.join(' '.join(group.cards) for group in groups)}{onto}"


def _onto(group: Group) -> str:
    """Say which meld cards are added to where they do not tell it themselves, by its name in the log."""
    is_told = group.number == 1 and (group.rank == WILD_MELD or not all(map(is_wild, group.cards)))
    return "" if is_told else f" to {group.meld}"
