"""Turn action records into the kernels' form and back.

A record names cards, the kernel counts them. What a record says beyond the kernel's form (the cards that
chance brings) is for the caller to compare.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from engine.actions import (
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
    Move,
    TakeBack,
    TakePile,
    is_red_three,
)
from engine.cards import BLACK_THREE, JOKER, KIND_TEXT, RED_THREE, TWO
from engine.clauses import Clause
from engine.errors import NotationError
from engine.rules.counts import kind_of_slot, melds_allowed
from engine.ruleset import RuleSet
from engine.state import (
    ANSWER_NO,
    ANSWER_YES,
    ASK,
    BLACK_MELD,
    CARD,
    COUNT,
    DECLARE,
    DECLINE,
    DISCARD,
    DRAW_BONUS,
    DRAW_CARDS,
    JOKERS,
    LAY_THREE,
    MELD,
    MELDS_OF_A_RANK,
    NATURALS,
    NUMBER,
    RUN_OUT,
    SEAT,
    SLOTS,
    SPECIAL_HANDS,
    TAKE_BACK,
    TAKE_PILE,
    TWOS,
    VERB,
    WILD_MELD,
    Ints,
)
from engine.state import Action as KernelAction

_KINDS: Final = {text: kind for kind, text in enumerate(KIND_TEXT)}
_COLOURS: Final = dict.fromkeys("rhd", RED_THREE) | dict.fromkeys("bsc", BLACK_THREE)
_SLOTS: Final = dict(zip(KIND_TEXT, range(WILD_MELD), strict=False)) | {"W": WILD_MELD, "3": BLACK_MELD}
_RANKS: Final = {slot: rank for rank, slot in _SLOTS.items()}
_UNKNOWN: Final = -1


def kind_of(card: str) -> int:
    """Return the kind of a card's text; its suit tells only the colour of a 3.

    Raises:
        NotationError: It is no card.
    """
    kind = _COLOURS.get(card[1:]) if card[:1] == "3" else _KINDS.get(card[:1])
    if kind is None:
        raise NotationError("no card", text=card)
    return kind


def slot_of(group: Group) -> int:
    """Return the slot of a group's melds.

    Raises:
        NotationError: Its rank is none.
    """
    if group.rank not in _SLOTS:
        raise NotationError("no rank", text=group.rank)
    return _SLOTS[group.rank]


def count_laid(group: Group, laid: Ints) -> bool:
    """Count a group's cards [13, 3] on its slot; say whether they are of one rank and the slot was free."""
    row = laid[slot_of(group)]
    if row.any() or not group.is_of_one_rank:
        return False
    for card in group.cards:
        kind = kind_of(card)
        row[TWOS if kind == TWO else JOKERS if kind == JOKER else NATURALS] += 1
    return True


def lay_meld(rules: RuleSet, group: Group, melds: Ints) -> bool:
    """Count a meld's cards among a side's melds [52, 3], in the order begun; say whether it has a place."""
    for number in range(melds_allowed(rules.numbers, slot_of(group))):
        if count_laid(group, melds[SLOTS * number : SLOTS * (number + 1)]):
            return True
    return False


def encode(action: Move, kernel: KernelAction) -> bool:
    """Write a record in the kernels' form; say whether each of its groups is cards of one rank.

    Raises:
        NotationError: What is no card, no rank, no number of a meld, or a group without cards.
    """
    kernel.what[...] = 0
    kernel.laid[...] = 0
    kernel.what[SEAT] = action.seat
    groups: tuple[Group, ...] = ()
    match action:
        case TakePile(_, top, size, groups):
            kernel.what[[VERB, CARD, COUNT]] = TAKE_PILE, kind_of(top), size
        case Meld(_, groups):
            kernel.what[VERB] = MELD
        case TakeBack(_, groups):
            kernel.what[VERB] = TAKE_BACK
        case _:
            kernel.what[[VERB, CARD]] = _bare(action)
    is_alone = isinstance(action, TakePile) and len(groups) == 1
    for group in groups:
        if group.number not in range(1, MELDS_OF_A_RANK + 1):
            message = f"melds of a rank are numbered from 1 to {MELDS_OF_A_RANK}"
            raise NotationError(message, text=str(group.number))
        if not group.cards and (group.number == 1 or not is_alone):
            raise NotationError("a group without cards", text=group.rank)
    kernel.what[NUMBER] = max((group.number for group in groups), default=1) - 1
    return all(count_laid(group, kernel.laid) for group in groups)


def clause_of_groups(action: Move, is_modern: bool) -> Clause:
    """Return the clause that refuses groups which the kernels' form cannot hold."""
    groups = action.groups if isinstance(action, TakePile | Meld | TakeBack) else ()
    if any(is_red_three(card) for group in groups for card in group.cards):
        return Clause.M_THREE_MELD if is_modern else Clause.S_RED_MELD
    return Clause.ONE_RANK


def _bare(action: Move) -> tuple[int, int]:
    """Return verb and card of a record that lays no group."""
    match action:
        case LayThree(_, card, _):
            return LAY_THREE, kind_of(card)
        case Discard(_, card):
            return DISCARD, kind_of(card)
        case Answer(_, yes):
            return (ANSWER_YES if yes else ANSWER_NO), 0
        case DeclareSpecial(_, name):
            return DECLARE, SPECIAL_HANDS.index(name) if name in SPECIAL_HANDS else _UNKNOWN
    return _VERBS[type(action)], 0


_VERBS: Final[dict[type, int]] = {
    Draw: DRAW_CARDS,
    BonusCards: DRAW_BONUS,
    Ask: ASK,
    ClockOut: RUN_OUT,
    Decline: DECLINE,
    GoOut: 0,
}


def decode(kernel: KernelAction, drawn: Cards = ()) -> Move:
    """Return the record of an action in the kernels' form.

    Args:
        kernel: The action.
        drawn: Cards that chance brought, where it brought any.
    """
    verb, seat, card, count, number = (int(part) for part in kernel.what)
    match verb:
        case x if x == DRAW_CARDS:
            return Draw(seat, drawn)
        case x if x == DRAW_BONUS:
            return BonusCards(seat, drawn)
        case x if x == LAY_THREE:
            return LayThree(seat, KIND_TEXT[card], drawn[0] if drawn else None)
        case x if x == DISCARD:
            return Discard(seat, KIND_TEXT[card])
        case x if x == TAKE_PILE:
            groups = tuple(_groups(kernel.laid, card, number + 1))
            alone = (Group(KIND_TEXT[card], (), number + 1),) if number > 0 else ()
            return TakePile(seat, KIND_TEXT[card], count, groups or alone)
        case x if x == MELD:
            return Meld(seat, tuple(_groups(kernel.laid, -1, number + 1)))
        case x if x == TAKE_BACK:
            return TakeBack(seat, tuple(_groups(kernel.laid, -1, number + 1)))
        case x if x == DECLARE:
            return DeclareSpecial(seat, SPECIAL_HANDS[card])
        case x if x in (ANSWER_YES, ANSWER_NO):
            return Answer(seat, verb == ANSWER_YES)
    return _SILENT[verb](seat)


_SILENT: Final[dict[int, Callable[[int], Move]]] = {ASK: Ask, RUN_OUT: ClockOut, DECLINE: Decline}


def _groups(laid: Ints, first: int, meld: int) -> Iterator[Group]:
    """Yield the groups laid on melds of a number, the one of the pile's top card first."""
    for slot in sorted(range(SLOTS), key=lambda slot: slot != first):
        naturals, twos, jokers = (int(part) for part in laid[slot])
        if naturals + twos + jokers > 0:
            natural = KIND_TEXT[kind_of_slot(slot)]
            yield Group(_RANKS[slot], (natural,) * naturals + ("2",) * twos + ("*",) * jokers, meld)


def cards_of(counts: Ints) -> Cards:
    """Return a count row [16] as cards, in the order of kinds, hidden ones last."""
    return tuple(text for kind, text in enumerate(KIND_TEXT) for _ in range(int(counts[kind])))
