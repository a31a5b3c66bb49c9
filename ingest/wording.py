"""Put in words what is wrong with a hand at checking level 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import RuleSetError
from ingest import arithmetic, card_count
from ingest import columns as c
from ingest.columns import NULL, SEATS, HandColumns, Ints
from ingest.findings import Finding, Place
from ingest.line_reader import shown


class ArithmeticWords:
    """Puts in words what is wrong with one hand at level 1."""

    def __init__(self, hands: HandColumns, place: int, at: Place) -> None:
        self.numbers = hands.numbers[place]
        self.texts = [text[place].as_py() for text in hands.texts]
        self.hand_id: str = self.texts[c.HAND_ID]
        self.at = at
        self.findings: list[Finding] = []

    def _add(self, code: str, message: str, expected: Any, found: Any, event: int | None = None) -> None:
        self.findings.append(
            self.at.finding(code, message, hand_id=self.hand_id, event=event, expected=expected, found=found)
        )

    def rule_set(self, error: RuleSetError) -> None:
        """Say what the rule set, its options or the number of seats should be."""
        name, seats = self.texts[c.RULESET], int(self.numbers[c.SEAT_COUNT])
        try:
            arithmetic.rule_set(name, "{}", seats)
        except RuleSetError as plain:
            is_named = "unknown rule set" not in str(plain)
            self._add(
                "seat_count" if is_named else "unknown_ruleset", str(plain), None, seats if is_named else name
            )
        else:
            self._add("unknown_option", str(error), None, self.texts[c.OPTIONS])

    def arithmetic(self, rules: Ints, special: int) -> None:
        """Say what does not add up."""
        faults = np.empty((arithmetic.MOST_FAULTS, 4), dtype=np.int64)
        count = arithmetic.faults(self.numbers, rules, special, faults)
        for code, place, expected, found in faults[:count].tolist():
            name = arithmetic.FAULT_CODES[code]
            right = None if expected == NULL else expected
            value = None if found == NULL else found
            if name == "special_hand":
                value = self.texts[c.SPECIAL]
            self._add(name, self._message(name, place, right, value), right, value)

    def _message(self, name: str, place: int, expected: Any, found: Any) -> str:
        match name:
            case "seat_side":
                return f"seat {place} is of side {expected}, not {found}"
            case "side_count":
                return f"{self.texts[c.RULESET]} has {expected} sides at this table, the result {found}"
            case "dealer_seat":
                return f"dealer {found} is none of the {self.numbers[c.SEAT_COUNT]} seats"
            case "out_seat":
                return (
                    f"seat {found}, which ended the hand, is none of the {self.numbers[c.SEAT_COUNT]} seats"
                )
            case "special_hand":
                ending, special = c.ENDINGS[self.numbers[c.ENDED_BY]], shown(self.texts[c.SPECIAL])
                return f"ended_by {ending} does not go with special {special}"
            case "winner_side":
                return f"winner {found} does not go with game_over {bool(self.numbers[c.GAME_OVER])}"
            case "ledger_sum":
                return f"side {place}: the ledger's parts sum to {expected}, points are {found}"
            case "score_after":
                return f"side {place}: score_before and points give {expected}, score_after is {found}"
            case _:
                return f"side {place}: its canastas cannot bring {found} points"

    def sits_twice(self) -> None:
        """Say who has two seats."""
        players = [player for player in self.texts[c.PLAYER : c.PLAYER + SEATS] if player is not None]
        twice = next(player for player in players if players.count(player) > 1)
        self._add("player_twice", f"{shown(twice)} sits twice", None, twice)

    def cards(self, fault: Ints) -> None:
        """Say which card is too many, or where the notation fails."""
        wrong, event, card = fault.tolist()
        where = f"event {event}" if event else "the deal"
        if wrong == card_count.BAD_NOTATION:
            self._add("event_notation", f"{where} cannot be read", None, None, event or None)
        elif wrong == card_count.TOO_MANY:
            text = card_count.CARD_TEXT[card]
            self._add(
                "card_count", f"{where} shows one {text} more than there are", None, text, event or None
            )
