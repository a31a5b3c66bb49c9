"""The faults that a replay finds, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from engine import hand_record as record
from engine.cards import KIND_TEXT
from engine.clauses import Clause, clause_of
from engine.errors import NotationError
from engine.notation import event_spans, parse_cards, parse_event
from engine.replay import event_bytes
from engine.replay import layout as lay
from engine.replay.logged_hand import LoggedHand, Problem
from engine.ruleset import RuleSet
from engine.scoring import CANASTA_KINDS, PARTS, Canastas, Ledger
from engine.state import ENDINGS, SPECIAL_HANDS, Ints

#: Code and name of the record's figures that are no side's.
_FACTS: Final = {
    record.ENDING: ("ended_by", "ended_by"),
    record.OUT: ("ended_by", "seat"),
    record.WAS_CONCEALED: ("ended_by", "concealed"),
    record.SPECIAL_LAID: ("ended_by", "special"),
    record.TURNS_PLAYED: ("turns", "turns"),
    record.GAME_OVER: ("game_over", "game_over"),
    record.WINNER: ("game_over", "winner"),
}
_SUITS: Final = "shdc"


def card_text(card: int, style: int) -> str:
    """Write a card id as its log does."""
    kind = KIND_TEXT[event_bytes.kind_of(card)]
    if style == event_bytes.RANK or card == event_bytes.JOKER_ID:
        return kind
    return kind[0] + _SUITS[card % 4]


def position_in_words(position: Mapping[str, Any]) -> str:
    """Return what of a position tells why an event is refused, in one sentence."""
    seat, melds = position["actor"], position["melds"]
    tabled = [f"side {side} has {' '.join(laid)}" for side, laid in enumerate(melds) if laid]
    pile, holding = position["pile"], position["holdings"][seat]
    parts = [
        f"In phase {position['phase']} seat {seat} of side {seat % len(melds)} holds {holding or 'nothing'}",
        *(tabled or ["no melds lie"]),
        f"the pile is {pile}" if pile else "the pile is empty",
        f"{position['stock']} cards are in the stock",
    ]
    return ", ".join(parts) + "."


def results_in_words(claim: Ints, computed: Ints) -> Iterator[Problem]:
    """Yield a problem for each line of a claimed record that differs from the replay's."""
    for column in np.flatnonzero((claim != computed) & (claim != lay.UNSAID)).tolist():
        code, place = _line(column)
        expected, found = _said(column, int(computed[column])), _said(column, int(claim[column]))
        yield Problem(code, f"{place}: expected {expected}, found {found}", expected=expected, found=found)


def _line(column: int) -> tuple[str, str]:
    """Return the code of a record's column and what the log calls it."""
    if column in _FACTS:
        return _FACTS[column]
    if column >= record.CANASTAS:
        side, kind = divmod(column - record.CANASTAS, CANASTA_KINDS)
        return "canastas", f"side {side}, {Canastas._fields[kind]} canastas"
    if column >= record.LEDGER:
        side, part = divmod(column - record.LEDGER, PARTS)
        return "ledger", f"side {side}, {Ledger._fields[part]}"
    if column >= record.SCORE_AFTER:
        return "score_after", f"side {column - record.SCORE_AFTER}, score_after"
    return "points", f"side {column - record.POINTS}, points"


def _said(column: int, value: int) -> object:
    """Return a figure of the record as the log writes it."""
    if column == record.ENDING:
        return ENDINGS[value] if 0 < value < len(ENDINGS) else "nothing known"
    if column in (record.OUT, record.WINNER):
        return None if value < 0 else value
    if column == record.SPECIAL_LAID:
        return SPECIAL_HANDS[value - 1] if value > 0 else None
    return bool(value) if column in (record.WAS_CONCEALED, record.GAME_OVER) else value


def fault_in_words(
    rules: RuleSet, hand: LoggedHand, report: Ints, position: Mapping[str, Any] | None
) -> Problem:
    """Word the fault that stopped a replay.

    Args:
        rules: The rule set.
        hand: The log.
        report: What the replay reported.
        position: The position before the event at fault.
    """
    fault = _Fault(rules, hand, *(int(figure) for figure in report))
    if fault.kind in (lay.BAD_DEAL, lay.BAD_UPCARDS) or fault.event == 0:
        return fault.of_deal()
    return fault.of_event(position)


@dataclass(frozen=True, slots=True)
class _Fault:
    """A report, column by column, and what it is about."""

    rules: RuleSet
    hand: LoggedHand
    kind: int
    event: int
    clause: int
    expected: int
    found: int

    @property
    def style(self) -> int:
        return event_bytes.RANK if self.hand.cards == "rank" else event_bytes.SUIT

    def card(self, card: int) -> str:
        return card_text(card, self.style)

    @property
    def text(self) -> str:
        """The event as it stands in the log, empty where the log has ended."""
        spans = list(event_spans(self.hand.events))
        start, end = spans[self.event - 1] if self.event <= len(spans) else (0, 0)
        return self.hand.events[start:end]

    def too_many(self) -> tuple[str, str]:
        """Return the card that shows too often and a sentence about it."""
        text = self.card(self.found)
        return text, f"card {text} shows {self.expected + 1} times, there are {self.expected}"

    def of_deal(self) -> Problem:
        """Word what is wrong with the deal."""
        if self.kind == lay.TOO_MANY:
            text, message = self.too_many()
            return Problem("card_count", f"deal: {message}", expected=self.expected, found=text)
        if self.kind == lay.AFTER_END:
            scores = " : ".join(map(str, self.hand.score_before))
            return Problem("game_over", f"the game was over before hand {self.hand.hand_no}, at {scores}")
        if self.kind == lay.BAD_UPCARDS:
            wanted = "a card that is no wild or red 3, after those it covers" if self.rules.upcard else "none"
            message = f"upcards: expected {wanted}, found {self.hand.upcards!r}"
            return Problem("deal_upcards", message, expected=wanted, found=self.hand.upcards)
        return self.of_deal_shape()

    def of_deal_shape(self) -> Problem:
        """Find the first holding, or the upcards, that no deal can give."""
        if len(self.hand.holdings) != self.rules.players:
            message = f"{len(self.hand.holdings)} holdings for {self.rules.players} seats"
            return Problem("deal_shape", message, expected=self.rules.players, found=len(self.hand.holdings))
        for seat, text in enumerate((*self.hand.holdings, self.hand.upcards)):
            place = f"seat {seat}" if seat < self.rules.players else "upcards"
            try:
                cards = parse_cards(text, self.hand.cards)
            except NotationError as error:
                return Problem("deal_shape", f"{place}: {error}", found=text)
            if "?" in cards:
                return Problem("hidden_card", f"{place}: a hidden card cannot be replayed", found=text)
            if seat < self.rules.players and len(cards) != self.rules.holding_cards:
                wanted = self.rules.holding_cards
                message = f"{place} is dealt {len(cards)} cards, the rule set deals {wanted}"
                return Problem("deal_shape", message, seat=seat, expected=wanted, found=len(cards))
        raise AssertionError("the replay refuses a deal that is one")

    def of_event(self, position: Mapping[str, Any] | None) -> Problem:
        """Word what is wrong with an event."""
        code, clause, message = self.told()
        text = self.text
        expected: object = None
        if self.kind in (lay.DRAW_SIZE, lay.TOO_MANY):
            expected = self.expected
        elif self.kind == lay.NO_GO_OUT:
            expected = f"{self.expected}o"
        is_over = self.event > sum(1 for _ in event_spans(self.hand.events))
        place = "after the last event" if is_over else f"event {self.event} {text}".rstrip()
        return Problem(
            code,
            f"{place}: {message}",
            event=self.event,
            seat=int(text[0]) if text[:1] in ("0", "1", "2", "3") else None,
            clause=clause,
            expected=expected,
            found=self.card(self.found) if self.kind == lay.TOO_MANY else text or None,
            position=position,
        )

    def told(self) -> tuple[str, str | None, str]:
        """Return the code of a problem, the clause that an event breaks, and a sentence."""
        match self.kind:
            case lay.BAD_EVENT:
                return "event_notation", None, self.why_unreadable()
            case lay.UNSEEN:
                return "hidden_card", None, "a hidden card cannot be replayed"
            case lay.TOO_MANY:
                return "card_count", None, self.too_many()[1]
            case lay.DRAW_SIZE:
                wanted = (
                    f"{self.expected} cards from the stock" if self.expected else "no card from the stock"
                )
                return "drawn_cards", None, f"expected {wanted}, found {self.found}"
            case lay.NO_GO_OUT:
                return "going_out", None, f"seat {self.expected} holds nothing: expected {self.expected}o"
            case lay.CUT_SHORT:
                return "events_end", None, "the hand goes on, but no event follows"
            case lay.NOT_HELD:
                return self.refused(Clause.CARDS_HELD, f"{self.card(self.found)} is not held")
            case lay.OTHER_TOP:
                return self.refused(Clause.PILE_SEEN, f"the top card is {self.card(self.expected)}")
            case lay.EARLY_GO_OUT:
                return self.refused(Clause.OUT_EMPTY)
            case lay.FLAWED:
                return self.refused(self.clause_of_flaw())
            case _:
                return self.refused(clause_of(self.clause))

    def refused(self, clause: Clause, detail: str = "") -> tuple[str, str, str]:
        """Return an illegal event's code, its clause and a sentence."""
        message = f"{clause.id}: {clause.sentence.rstrip('.')}"
        return "illegal_event", clause.id, f"{message} ({detail})" if detail else message

    def clause_of_flaw(self) -> Clause:
        """Return the clause that refuses what the grammar lets pass."""
        if self.found == event_bytes.RED_MELD:
            return Clause.M_THREE_MELD if self.rules.family == "modern" else Clause.S_RED_MELD
        return Clause.ONE_RANK

    def why_unreadable(self) -> str:
        """Return what the reader of the grammar says about the event."""
        try:
            parse_event(self.text, self.hand.cards)
        except NotationError as error:
            return str(error)
        return "more cards than a hand holds"
