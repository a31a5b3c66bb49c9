"""What one seat may see of a hand: its own holding and what lies open; every other card is hidden.

A view is a `State`, so the rules read it like any other; it has no place where a hidden card could stand.
"""

from __future__ import annotations

from engine.cards import CARDS, HIDDEN, WIDTH
from engine.kernel import kernel
from engine.rules.counts import held
from engine.ruleset import Rules
from engine.state import PILE, SEAT_FACTS, SEATS, SIDE_FACTS, SIDES, SLOTS, TURN_FACTS, State, empty_state


def empty_view() -> State:
    """Return a state to look into, whose stock is hidden once and for all."""
    view = empty_state()
    view.stock[:CARDS] = HIDDEN
    return view


@kernel
def look(rules: Rules, hand: State, seat: int, view: State) -> None:
    """Write what a seat sees into a view made by `empty_view`.

    Cards drawn by the seat in this turn are in its holding; the stock shows nothing but its size. The pile is
    open, because everybody saw each of its cards come.
    """
    for fact in range(TURN_FACTS):
        view.turn[fact] = hand.turn[fact]
    for other in range(hand.turn[SEATS]):
        for fact in range(SEAT_FACTS):
            view.seat[other, fact] = hand.seat[other, fact]
        for kind in range(WIDTH):
            view.holding[other, kind] = hand.holding[other, kind] if other == seat else 0
        if other != seat:
            view.holding[other, HIDDEN] = held(hand, other)
    for side in range(hand.turn[SIDES]):
        for fact in range(SIDE_FACTS):
            view.side[side, fact] = hand.side[side, fact]
        for slot in range(SLOTS):
            for part in range(3):
                view.meld[side, slot, part] = hand.meld[side, slot, part]
        for place in range(SLOTS, SLOTS * rules.most_melds):
            for part in range(3):
                view.meld[side, place, part] = hand.meld[side, place, part]
    for card in range(hand.turn[PILE]):
        view.pile[card] = hand.pile[card]
