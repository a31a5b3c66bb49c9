"""The event grammar of a hand log: text to action records and back, byte for byte.

An event is a seat digit, a verb and cards; events are separated by one blank:

    event    = seat ( "d" shown+ | "3" three [">" shown] | "t" top size ":" [groups] | "m" groups
                    | "x" card | "r" groups | "b" shown+ | "s" name | "o" | "q" | "y" | "n" | "k" )
    groups   = group { "+" group }
    group    = card+ with a natural card | meld ":" wild+ | meld "#" number ":" card+
    meld     = rank of a meld, or "W"
    shown    = card | "?"

A group without a number joins or begins the side's first meld of its rank, one with a number the second to
fourth. In taking a pile a single group with a number may be without cards: the top card alone joins its meld.

With `cards="rank"` a card is its rank, `*`, `3r` or `3b`; with `cards="suit"` every card but the joker
carries its suit. The top card of a pile may be written by rank alone in both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, TypeAlias

from engine.actions import (
    Action,
    Answer,
    Ask,
    BonusCards,
    Cards,
    ClockOut,
    DeclareSpecial,
    Decline,
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
from engine.errors import NotationError

CardStyle: TypeAlias = Literal["rank", "suit"]

_CARD = {"rank": re.compile(r"[24-9TJQKA*]|3[rb]"), "suit": re.compile(r"[2-9TJQKA][shdc]|\*")}
_TOP = {"rank": re.compile(r"[24-9TJQKA*]|3[rb]"), "suit": re.compile(r"3[shdc]|[24-9TJQKA][shdc]?|\*")}
_SIZE = re.compile(r"[1-9][0-9]{0,2}")
_TARGET = re.compile(r"[4-9TJQKAW](#[2-4])?:")
_ALONE = re.compile(r"[4-9TJQKAW]#[2-4]:\Z")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_BARE: dict[str, type[GoOut] | type[Ask] | type[ClockOut]] = {"o": GoOut, "q": Ask, "k": ClockOut}


class _Scanner:
    """Reads an event's parts from left to right; knows where in the whole text it stands."""

    def __init__(self, text: str, style: CardStyle, start: int, end: int) -> None:
        self.text = text
        self.style = style
        self.at = start
        self.end = end

    def fail(self, message: str, column: int | None = None) -> NotationError:
        return NotationError(message, text=self.text, column=self.at if column is None else column)

    def try_take(self, pattern: re.Pattern[str]) -> str | None:
        found = pattern.match(self.text, self.at, self.end)
        if found is None:
            return None
        self.at = found.end()
        return found.group()

    def take(self, pattern: re.Pattern[str], what: str) -> str:
        found = self.try_take(pattern)
        if found is None:
            raise self.fail(f"expected {what}")
        return found

    def try_char(self, chars: str) -> str | None:
        if self.at < self.end and self.text[self.at] in chars:
            self.at += 1
            return self.text[self.at - 1]
        return None

    def char(self, chars: str, what: str) -> str:
        found = self.try_char(chars)
        if found is None:
            raise self.fail(f"expected {what}")
        return found

    def card(self) -> str:
        return self.take(_CARD[self.style], "a card" + (" with its suit" if self.style == "suit" else ""))

    def shown(self) -> str:
        return self.try_char("?") or self.card()

    def shown_cards(self) -> Cards:
        """Read cards, one at least, hidden ones allowed, to the end of the event."""
        cards = [self.shown()]
        while self.at < self.end:
            cards.append(self.shown())
        return tuple(cards)

    def three(self) -> str:
        column, card = self.at, self.card()
        if card[0] != "3":
            raise self.fail("expected a 3", column)
        return card

    def group(self) -> Group:
        column = self.at
        target = self.try_take(_TARGET)
        if target is None and self.text.startswith("#", column + 1, self.end):
            raise self.fail("a meld's number is #2, #3 or #4 and ':', the first has none", column)
        cards = [self.card()]
        while self.at < self.end and self.text[self.at] != "+":
            cards.append(self.card())
        if target is not None and "#" in target:
            return Group(target[0], tuple(cards), int(target[2]))
        if all(is_wild(card) for card in cards) != (target is not None):
            raise self.fail("wild cards alone, and only they, name their meld ('W:' or 'Q:')", column)
        return Group.of(tuple(cards)) if target is None else Group(target[0], tuple(cards))

    def groups(self) -> tuple[Group, ...]:
        groups = [self.group()]
        while self.try_char("+"):
            groups.append(self.group())
        return tuple(groups)

    def pile(self, seat: int) -> TakePile:
        top = self.take(_TOP[self.style], "the pile's top card")
        size = int(self.take(_SIZE, "the pile's size"))
        self.char(":", "':' after the pile's size")
        alone = self.try_take(_ALONE)
        if alone is not None:
            return TakePile(seat, top, size, (Group(alone[0], (), int(alone[2])),))
        return TakePile(seat, top, size, self.groups() if self.at < self.end else ())

    def body(self, seat: int, verb: str) -> Action:
        match verb:
            case "d":
                return Draw(seat, self.shown_cards())
            case "3":
                three = self.three()
                return LayThree(seat, three, self.shown() if self.try_char(">") else None)
            case "t":
                return self.pile(seat)
            case "m":
                return Meld(seat, self.groups())
            case "r":
                return TakeBack(seat, self.groups())
            case "x":
                return Discard(seat, self.card())
            case "b":
                return BonusCards(seat, self.shown_cards())
            case "s":
                return DeclareSpecial(seat, self.take(_NAME, "the name of a special hand"))
            case "y" | "n":
                return Answer(seat, verb == "y")
            case _:
                return _BARE[verb](seat)

    def event(self) -> Action:
        seat = int(self.char("0123", "a seat, 0 to 3"))
        verb = self.char("d3tmxrbsoqynk", "a verb")
        action = self.body(seat, verb)
        if self.at < self.end:
            raise self.fail("expected the end of the event")
        return action


def parse_event(text: str, cards: CardStyle = "suit") -> Action:
    """Read one event.

    Raises:
        NotationError: the text is not an event; `column` says where.
    """
    return _Scanner(text, cards, 0, len(text)).event()


def parse_events(text: str, cards: CardStyle = "suit") -> tuple[Action, ...]:
    """Read the events of a hand; an empty text holds none.

    Raises:
        NotationError: an event cannot be read; `column` counts from the start of the whole text.
    """
    return tuple(_Scanner(text, cards, start, end).event() for start, end in event_spans(text))


def event_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each event starts and ends; two blanks together hold an empty event."""
    start = 0
    while text:
        end = text.find(" ", start)
        if end < 0:
            yield start, len(text)
            return
        yield start, end
        start = end + 1


def parse_cards(text: str, cards: CardStyle = "suit") -> Cards:
    """Read cards written one after another, as in a deal; `?` is a hidden card.

    Raises:
        NotationError: something in the text is not a card.
    """
    return _Scanner(text, cards, 0, len(text)).shown_cards() if text else ()


def print_event(action: Action) -> str:
    """Write an event; `parse_event` gives the same action back once its cards are known.

    A draw that `legal_actions` offers shows none yet: it is written `0d`, which stands in no log.

    Raises:
        ValueError: Declining the pile, which has no event.
    """
    match action:
        case Draw(seat, cards):
            return f"{seat}d{''.join(cards)}"
        case LayThree(seat, card, None):
            return f"{seat}3{card}"
        case LayThree(seat, card, replacement):
            return f"{seat}3{card}>{replacement}"
        case TakePile(seat, top, size, groups):
            return f"{seat}t{top}{size}:{_print_groups(groups)}"
        case Meld(seat, groups):
            return f"{seat}m{_print_groups(groups)}"
        case TakeBack(seat, groups):
            return f"{seat}r{_print_groups(groups)}"
        case Discard(seat, card):
            return f"{seat}x{card}"
        case BonusCards(seat, cards):
            return f"{seat}b{''.join(cards)}"
        case DeclareSpecial(seat, name):
            return f"{seat}s{name}"
        case Answer(seat, yes):
            return f"{seat}{'y' if yes else 'n'}"
        case GoOut(seat):
            return f"{seat}o"
        case Ask(seat):
            return f"{seat}q"
        case ClockOut(seat):
            return f"{seat}k"
        case Decline():
            raise ValueError("a log has no event for declining the pile")


def print_events(actions: tuple[Action, ...]) -> str:
    """Write the events of a hand, separated by blanks."""
    return " ".join(map(print_event, actions))


def _print_groups(groups: tuple[Group, ...]) -> str:
    return "+".join(map(_print_group, groups))


def _print_group(group: Group) -> str:
    cards = "".join(group.cards)
    is_named = group.number > 1 or all(is_wild(card) for card in group.cards)
    return f"{group.meld}:{cards}" if is_named else cards
