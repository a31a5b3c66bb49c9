"""An engine position written in a line, and events tried on it: the stage of the clause tests.

Seat 0 is to play for side 0. Cards are texts as in a log by rank; melds and groups are parted by blanks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.cards import KIND_TEXT, KINDS
from engine.clauses import Clause
from engine.notation import parse_cards
from engine.replay.event_bytes import DRAWN, EVENT_FACTS, FLAW, MOST_CARDS, RANK, kind_of, read_event
from engine.rules.action_list import empty_list
from engine.rules.apply import apply
from engine.rules.check import check
from engine.ruleset import RuleSet
from engine.state import (
    DEALER,
    DRAW,
    FAILED,
    FRESH,
    FROM_PILE,
    FROM_STOCK,
    FROZEN,
    JOKERS,
    MELDED,
    NATURALS,
    OPENED,
    OPENINGS,
    OUT_SEAT,
    PHASE,
    PILE,
    PLAY,
    SCORE,
    SEATS,
    SIDES,
    SOURCE,
    STOCK,
    TURNS,
    TWOS,
    UPCARDS,
    Ints,
    State,
    empty_action,
    empty_state,
)

_KIND = {text: kind for kind, text in enumerate(KIND_TEXT[:KINDS])}
_CLAUSES = {int(clause): clause for clause in Clause}
_ACTIONS = empty_list()


class Table:
    """One position.

    Args:
        ruleset: Its name.
        holding: Seat 0's cards.
        melds: Side 0's melds; a wild meld is ``W:222``.
        theirs: Side 1's melds.
        pile: The pile, bottom first.
        upcards: How many of the pile's cards were turned at the start.
        partner: What every other seat holds.
        stock: Cards in the stock.
        drawn: Whether seat 0 has drawn (True), taken the pile ("pile") or is to begin (False).
        opener: Who made side 0's first meld, where it has melds.
        frozen: Whether the pile is frozen for all.
        score: Both sides' scores when the hand began.
        failed: Side 0's failed openings.
        players: Seats, where the rule set leaves a choice.
        options: House options.
    """

    def __init__(
        self,
        ruleset: str,
        holding: str,
        *,
        melds: str = "",
        theirs: str = "",
        pile: str = "",
        upcards: int = 0,
        partner: str = "456",
        stock: int = 40,
        drawn: bool | str = True,
        opener: int = 2,
        frozen: bool = False,
        score: int = 0,
        failed: int = 0,
        players: int = 4,
        **options: Any,
    ) -> None:
        self.rules = RuleSet.for_table(ruleset, players, options)
        self.hand = hand = empty_state()
        hand.turn[SEATS], hand.turn[SIDES] = players, self.rules.sides
        hand.turn[DEALER], hand.turn[OUT_SEAT] = players - 1, -1
        for seat in range(players):
            self._deal(seat, holding if seat == 0 else partner)
        for side, text in enumerate((melds, theirs)):
            self._meld(side, text, opener if side == 0 and self.rules.sides == 2 else side)
        hand.side[:, SCORE] = score
        hand.side[0, FAILED] = failed
        hand.pile[: len(cards(pile))] = [_KIND[card] for card in cards(pile)]
        hand.turn[PILE], hand.turn[UPCARDS], hand.turn[FROZEN] = len(cards(pile)), upcards, frozen
        hand.turn[STOCK], hand.turn[TURNS] = stock, 7
        hand.turn[FRESH] = self.rules.concealed_by != "nobody" and not melds
        hand.turn[PHASE] = PLAY if drawn else DRAW
        hand.turn[SOURCE] = FROM_PILE if drawn == "pile" else FROM_STOCK if drawn else 0

    def _deal(self, seat: int, text: str) -> None:
        for card in cards(text):
            self.hand.holding[seat, _KIND[card]] += 1

    def _meld(self, side: int, text: str, opener: int) -> None:
        for meld in text.split():
            target, _, laid = meld.rpartition(":")
            slot = 11 if target == "W" else 12 if laid.startswith("3b") else _KIND[target or laid[0]]
            for card in cards(laid):
                self.hand.meld[side, slot, {"2": TWOS, "*": JOKERS}.get(card, NATURALS)] += 1
        if text:
            self.hand.side[side, OPENED] = opener + 1
            self.hand.seat[opener, MELDED] = 1
            self.hand.turn[OPENINGS] += 1

    def refusal(self, event: str) -> Clause | None:
        """Say which clause refuses an event, None if it is legal; nothing changes."""
        action, facts, _ = self._read(event)
        flaw = {0: None, 1: Clause.ONE_RANK, 2: Clause.ONE_RANK}[int(facts[FLAW])]
        code = check(self.rules.numbers, self.hand, action)
        return flaw or (_CLAUSES[code] if code else None)

    def play(self, *events: str) -> Table:
        """Carry out legal events; drawn cards are those that the event names."""
        for event in events:
            assert self.refusal(event) is None, (event, self.refusal(event))
            action, facts, drawn = self._read(event)
            for index in range(facts[DRAWN]):
                self.hand.stock[self.hand.turn[STOCK] - 1 - index] = kind_of(drawn[index])
            apply(self.rules.numbers, self.hand, action, _ACTIONS)
        return self

    def _read(self, event: str) -> tuple[Any, Ints, Ints]:
        action, facts = empty_action(), np.zeros(EVENT_FACTS, np.int64)
        played, drawn = np.zeros(MOST_CARDS, np.int64), np.zeros(MOST_CARDS, np.int64)
        text = np.frombuffer(event.encode(), np.uint8)
        assert read_event(text, 0, text.size, RANK, action, played, drawn, facts), event
        return action, facts, drawn

    def holding(self, seat: int = 0) -> str:
        """Return a seat's cards, in order."""
        return "".join(text * int(count) for text, count in zip(_KIND, self.hand.holding[seat], strict=False))

    def meld(self, rank: str, side: int = 0) -> tuple[int, int]:
        """Return a meld's naturals and wild cards."""
        naturals, twos, jokers = self.hand.meld[side, 11 if rank == "W" else _KIND[rank]]
        return int(naturals), int(twos + jokers)

    @property
    def state(self) -> State:
        """The position itself."""
        return self.hand


def cards(text: str) -> tuple[str, ...]:
    """Read cards as a log by rank writes them."""
    return parse_cards(text, cards="rank")
