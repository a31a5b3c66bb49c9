"""One hand of canasta, to play, ask and look at: the Python face of the compiled rules.

>>> hand = HandState.deal(RuleSet.load("modern_american"), seed=42)
>>> while hand.outcome() is None:
...     _ = hand.apply(hand.legal_actions()[0])
>>> hand.outcome().ended_by
'stock'

A position can be written down. Whatever is left out has a sensible default, so a question about one clause is
short (`engine.position` lists every field):

>>> hand = HandState.from_position({
...     "ruleset": "modern_american",
...     "holdings": ["QQQKK**4", 11, 11, 11],
...     "phase": "draw", "pile": "5Q",
... })
>>> hand.is_legal("0tQ2:QQQ+KK**")
True
>>> hand.check("0tQ2:QQQ").id
'M-open-minimum'
>>> hand.apply("0tQ2:QQQ+KK**").top
'Q'
>>> hand.position()["melds"]
[['QQQQ', 'KK**'], []]

An action is a record of `engine.actions` or the text of an event, by rank. Queries never change the hand.
"""

# Long because the class is the Python face of the rules, whose methods belong together.
from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from engine.actions import HIDDEN as HIDDEN_TEXT
from engine.actions import Action, BonusCards, Cards, Decline, Draw, GoOut, LayThree, Move, TakePile
from engine.cards import COPIES, HIDDEN, KIND_TEXT, KINDS
from engine.clauses import Clause, clause_of
from engine.errors import IllegalActionError
from engine.impossible import cards_seen
from engine.kernel_action import clause_of_groups, decode, encode, kind_of
from engine.notation import parse_event
from engine.position import read_position, write_position
from engine.rules.action_list import ActionList, empty_list, load
from engine.rules.apply import apply
from engine.rules.check import check
from engine.rules.deal import deal, start
from engine.rules.legal import legal_actions
from engine.rules.rng import seed_generator
from engine.rules.turn import due_from_stock
from engine.ruleset import RuleSet
from engine.scoring import Canastas, Ledger, canastas, ledgers
from engine.state import (
    ACTOR,
    BY_OUT,
    CONCEALED,
    ENDED,
    ENDED_BY,
    ENDINGS,
    OUT_SEAT,
    PHASE,
    SPECIAL,
    SPECIAL_HANDS,
    STOCK,
    State,
    copy_state,
    empty_action,
    empty_state,
)
from engine.view import empty_view, look

_PHASES: Final = ("settle", "draw", "play", "answer", "after", "ended")


@dataclass(frozen=True)
class Outcome:
    """Why a hand ended and what it pays.

    Attributes:
        ended_by: ``"out"``, ``"stock"`` or ``"special"``.
        seat: Who went out or laid the special hand, else None.
        concealed: Whether going out was concealed.
        special: The special hand's name, else None.
        ledgers: The parts of each side's points.
        canastas: Each side's canastas by kind.
    """

    ended_by: str
    seat: int | None
    concealed: bool
    special: str | None
    ledgers: tuple[Ledger, ...]
    canastas: tuple[Canastas, ...]

    @property
    def points(self) -> tuple[int, ...]:
        """Each side's points."""
        return tuple(ledger.points for ledger in self.ledgers)


class HandState:
    """A hand at one moment.

    Attributes:
        rules: The rule set.
        events: What has happened since the deal or the position it began from, records in order.
    """

    def __init__(self, rules: RuleSet, state: State, events: tuple[Action, ...] = ()) -> None:
        self.rules = rules
        self.events = events
        self._state = state

    @classmethod
    def deal(
        cls,
        rules: RuleSet,
        *,
        seed: int,
        game: int = 0,
        hand_no: int = 1,
        dealer: int = 0,
        scores: tuple[int, ...] | None = None,
    ) -> HandState:
        """Shuffle and deal; seed, game and hand number are the simulator's, so the cards are the same.

        Args:
            rules: The rule set.
            seed: Of a simulation, from 0.
            game: The game's number.
            hand_no: The hand's number in the game, from 1.
            dealer: The seat that deals.
            scores: Each side's score before the hand; all 0 if not given.

        Raises:
            ValueError: There is no such seat, or the scores are not one a side.
        """
        scores = (0,) * rules.sides if scores is None else scores
        if not 0 <= dealer < rules.players or len(scores) != rules.sides:
            found = f"dealer {dealer} and scores {scores}"
            raise ValueError(f"{rules.name} has {rules.players} seats and {rules.sides} sides: {found}")
        rng = np.zeros(1, np.int64)
        seed_generator(rng, seed, game, hand_no)
        state = empty_state()
        deal(rules.numbers, state, dealer, np.array(scores, np.int64), rng)
        start(rules.numbers, state)
        return cls(rules, state)

    @classmethod
    def from_position(cls, position: Mapping[str, Any]) -> HandState:
        """Set up a position (`engine.position`).

        Raises:
            NotationError: It cannot be read or holds too many of a card; the text says where.
            RuleSetError: Its rule set or options are unknown.
        """
        return cls(*read_position(position))

    def position(self) -> dict[str, Any]:
        """Return the position; `from_position` gives the same one back."""
        return write_position(self.rules, self._state)

    def copy(self) -> HandState:
        """Return an independent copy."""
        return HandState(self.rules, copy_state(self._state), self.events)

    @property
    def state(self) -> State:
        """A copy of the state, for compiled functions."""
        return copy_state(self._state)

    @property
    def seat(self) -> int:
        """The seat that acts now: whose turn it is, or who lays a dealt 3 or answers."""
        return int(self._state.turn[ACTOR])

    @property
    def phase(self) -> str:
        """``settle``, ``draw``, ``play``, ``answer``, ``after`` (bonus cards) or ``ended``."""
        return _PHASES[self._state.turn[PHASE]]

    def legal_actions(self) -> tuple[Move, ...]:
        """Return every legal action of the seat that acts, openings as minimal sets (`engine.rules.legal`).

        A draw, a replacement and bonus cards are given without the cards that chance will bring.
        """
        actions = _scratch()
        found = []
        for place in range(legal_actions(self.rules.numbers, self._state, actions)):
            load(actions, place)
            found.append(decode(actions.draft))
        return tuple(found)

    def check(self, action: Move | str) -> Clause | None:
        """Return the clause that refuses an action, or None if it is legal.

        Raises:
            NotationError: A text that is no event, or a record with what is no card.
        """
        action = _record(action)
        if isinstance(action, GoOut):
            turn = self._state.turn
            out = turn[ENDED_BY] == BY_OUT and turn[OUT_SEAT] == action.seat
            return None if out else Clause.OUT_EMPTY
        kernel = empty_action()
        if not encode(action, kernel):
            return clause_of_groups(action, self.rules.family == "modern")
        code = check(self.rules.numbers, self._state, kernel)
        if code != 0:
            return clause_of(code)
        if isinstance(action, TakePile) and action.groups and action.groups[0].rank != action.top[0]:
            return Clause.PILE_GROUP_FIRST
        drawn = _drawn(action)
        if drawn and not self._can_draw(drawn, due_from_stock(self.rules.numbers, self._state, kernel)):
            return Clause.CARDS_DRAWN
        return None

    def is_legal(self, action: Move | str) -> bool:
        """Say whether the rules allow an action."""
        return self.check(action) is None

    def apply(self, action: Move | str) -> Move:
        """Carry out an action and return its record, with the cards that chance brought.

        `GoOut` may follow the action that emptied a holding, as it does in a log, and changes nothing.

        Raises:
            IllegalActionError: A clause refuses it; the hand stays as it was.
            NotationError: A text that is no event, or a record with what is no card.
        """
        action = _record(action)
        clause = self.check(action)
        if clause is not None:
            raise IllegalActionError(f"{action}: {clause.sentence}", clause=clause.id, seat=action.seat)
        if isinstance(action, GoOut):
            return action
        self._place(_drawn(action))
        kernel = empty_action()
        encode(action, kernel)
        before = int(self._state.turn[STOCK])
        apply(self.rules.numbers, self._state, kernel, _scratch())
        done = decode(kernel, self._cards_drawn_since(before))
        if not isinstance(done, Decline):
            self.events += (done,)
        if self._state.turn[ENDED_BY] == BY_OUT:
            self.events += (GoOut(done.seat),)
        return done

    def outcome(self) -> Outcome | None:
        """Return why the hand ended and what it pays, or None while it goes on."""
        turn = self._state.turn
        if turn[PHASE] != ENDED:
            return None
        return Outcome(
            ended_by=ENDINGS[turn[ENDED_BY]],
            seat=int(turn[OUT_SEAT]) if turn[OUT_SEAT] >= 0 else None,
            concealed=bool(turn[CONCEALED]),
            special=SPECIAL_HANDS[turn[SPECIAL] - 1] if turn[SPECIAL] > 0 else None,
            ledgers=ledgers(self.rules.numbers, self._state),
            canastas=canastas(self.rules.numbers, self._state),
        )

    def view(self, seat: int) -> HandState:
        """Return the hand as one seat sees it: everything that it may not see is ``?``.

        Raises:
            ValueError: There is no such seat.
        """
        if not 0 <= seat < self.rules.players:
            raise ValueError(f"{self.rules.players} seats from 0, not {seat}")
        view = empty_view()
        look(self.rules.numbers, self._state, seat, view)
        return HandState(self.rules, view, tuple(_as_seen(event, seat) for event in self.events))

    def _cards_drawn_since(self, before: int) -> Cards:
        kinds = sorted(self._state.stock[self._state.turn[STOCK] : before])
        return tuple(KIND_TEXT[kind] for kind in kinds)

    def _can_draw(self, drawn: Cards, due: int) -> bool:
        """Say whether these can be the cards drawn: those that lie there, any not seen yet where hidden."""
        if len(drawn) != due:
            return False
        kinds = [kind_of(card) for card in drawn]
        size = int(self._state.turn[STOCK])
        following = self._state.stock[size - due : size]
        if not (following == HIDDEN).all():
            return sorted(following) == sorted(kinds)
        seen = cards_seen(self._state)
        np.add.at(seen, kinds, 1)
        return bool((seen[:KINDS] <= COPIES).all())

    def _place(self, drawn: Cards) -> None:
        """Put the cards that a record names on a hidden stock."""
        size = int(self._state.turn[STOCK])
        if drawn and self._state.stock[size - 1] == HIDDEN:
            self._state.stock[size - len(drawn) : size] = [kind_of(card) for card in reversed(drawn)]


_LISTS: Final = threading.local()


def _scratch() -> ActionList:
    """Return this thread's action list: scratch space, made when first needed."""
    if not hasattr(_LISTS, "actions"):
        _LISTS.actions = empty_list()
    actions: ActionList = _LISTS.actions
    return actions


def _record(action: Move | str) -> Move:
    return parse_event(action, cards="rank") if isinstance(action, str) else action


def _drawn(action: Move) -> Cards:
    """Return the cards that a record says chance brought."""
    match action:
        case Draw(_, cards) | BonusCards(_, cards):
            return cards
        case LayThree(_, _, str(card)):
            return (card,)
    return ()


def _as_seen(event: Action, seat: int) -> Action:
    """Return an event with what another seat drew hidden."""
    if event.seat == seat:
        return event
    match event:
        case Draw(other, cards):
            return Draw(other, (HIDDEN_TEXT,) * len(cards))
        case BonusCards(other, cards):
            return BonusCards(other, (HIDDEN_TEXT,) * len(cards))
        case LayThree(other, card, str()):
            return LayThree(other, card, HIDDEN_TEXT)
    return event
