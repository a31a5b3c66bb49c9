"""A position written in a line, and events tried on it: the stage of the clause tests.

Seat 0 is to play for side 0. Cards are texts as in a log by rank; melds are parted by blanks.
"""

from __future__ import annotations

from typing import Any

from engine.clauses import Clause
from engine.hand import HandState


class Table:
    """One position.

    Args:
        ruleset: Its name.
        holding: Seat 0's cards.
        melds: Side 0's melds.
        theirs: Side 1's melds.
        pile: The pile, bottom first.
        partner: What every other seat holds.
        stock: Cards in the stock.
        drawn: Whether seat 0 has drawn (True), taken the pile ("pile") or is to begin (False).
        opener: Who made side 0's first meld, where it has melds.
        score: Both sides' scores when the hand began.
        failed: Side 0's failed openings.
        players: Seats, where the rule set leaves a choice.
        fields: Further fields of `engine.position`.
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
        partner: str | int = 3,
        stock: int = 30,
        drawn: bool | str = True,
        opener: int = 2,
        score: int = 0,
        failed: int = 0,
        players: int = 4,
        fields: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        sides = 2 if players == 4 and not options.get("singles") else players
        none = [0] * (sides - 1)
        self.hand = HandState.from_position(
            {
                "ruleset": ruleset,
                "options": options,
                "holdings": [holding, *[partner] * (players - 1)],
                "melds": [melds.split(), theirs.split(), [], []][:sides],
                "pile": pile,
                "stock": stock,
                "phase": "play" if drawn else "draw",
                "source": "pile" if drawn == "pile" else "stock" if drawn else None,
                "opened_by": [opener % players if melds else None, 1 if theirs else None, None, None][:sides],
                "score_before": [score] * sides,
                "failed_openings": [failed, *none],
                "turns": 7,
            }
            | (fields or {})
        )

    def refusal(self, event: str) -> str | None:
        """Name the clause that refuses an event, None if it is legal."""
        clause: Clause | None = self.hand.check(event)
        return clause.id if clause else None

    def play(self, *events: str) -> Table:
        """Carry out legal events."""
        for event in events:
            self.hand.apply(event)
        return self

    def holding(self, seat: int = 0) -> str:
        """Return a seat's cards, in the order of the kinds."""
        return str(self.hand.position()["holdings"][seat])

    def meld(self, rank: str, side: int = 0) -> str:
        """Return a side's meld of a rank, ``2`` or ``*`` for a wild meld, empty where it has none."""
        melds: list[str] = self.hand.position()["melds"][side]
        return next((meld for meld in melds if meld.startswith(rank)), "")

    def fact(self, name: str) -> Any:
        """Return a field of the position."""
        return self.hand.position()[name]
