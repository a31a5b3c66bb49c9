"""Write a position of a hand as a dict and read it: short where the defaults do, complete when written.

Cards are written by rank, one after another: ``4-9 T J Q K A``, ``2``, ``*`` a joker, ``3r``, ``3b``, and
``?`` for one that nobody knows. Where hidden cards stand alone their number will do.

| field | meaning | if left out |
|---|---|---|
| `ruleset`, `options` | as in a hand log | `modern_american`, none |
| `holdings` | a text or a number of hidden cards, a seat each | none: every seat holds one hidden card |
| `melds` | a list a side, a text a meld, as begun; wilds alone are a wild meld, ``3b3b3b`` black 3s | none |
| `red_threes`, `black_threes` | laid face up, a number a side | 0 |
| `pile` | bottom card first | empty |
| `upcards` | how many of its lowest cards were turned at the start | 0 |
| `frozen` | whether the pile is frozen for all | whether a wild, or a red 3, lies in it |
| `stock` | next card first, or a number of hidden cards | 30 |
| `dealer` | seat | the last seat |
| `seat` | whose turn it is | 0 |
| `actor` | who acts, if it is not that seat | `seat`, the partner while the answer is due |
| `phase` | `settle`, `draw`, `play`, `answer`, `after`, `ended` | `play` |
| `source` | where this turn's cards came from: `stock`, `pile`, or null | `stock` after the draw |
| `score_before` | a side each | 0 |
| `failed_openings` | a side each | 0 |
| `opened_by` | the seat that made a side's first meld, or null | its first seat, if the side has melds |
| `melded` | seats that have melded | those of sides with melds |
| `played_since_opening` | seats that ended a turn since their side opened | those of sides with melds |
| `asked` | seats that have put the partner question | none |
| `question` | `not_asked`, `waiting`, `yes`, `no` | `not_asked` |
| `acted` | whether the seat melded or took the pile this turn | whether it took the pile |
| `must_go_out`, `clock_ran_out` | in this turn | false |
| `concealed` | whether going out in this turn is concealed | by the rule set, from the melds |
| `bonus` | bonus cards due after the discard | 0 |
| `turns` | turns begun | 0 |
| `ended_by`, `out_seat`, `special` | how an ended hand ended | `stock`, null, null |
"""

# Long because it reads and writes the same fields, so that both stand side by side.
from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, Final, TypeGuard

from engine.actions import Cards, Group
from engine.cards import (
    BLACK_THREE,
    CARDS,
    COPIES,
    HIDDEN,
    JOKER,
    KIND_TEXT,
    KINDS,
    RED_THREE,
    TWO,
)
from engine.errors import NotationError
from engine.impossible import cards_seen, meld_faults
from engine.kernel_action import cards_of, kind_of, lay_meld
from engine.notation import parse_cards
from engine.rules.counts import kind_of_slot
from engine.ruleset import RuleSet
from engine.state import (
    ACTED,
    ACTOR,
    ANSWER,
    ASKED,
    BLACK,
    BONUS,
    CLOCK,
    CONCEALED,
    DEALER,
    DRAW,
    ENDED,
    ENDED_BY,
    ENDINGS,
    FAILED,
    FRESH,
    FROZEN,
    MELDED,
    MELDS_OF_A_RANK,
    MOVER,
    MUST_OUT,
    OPENED,
    OPENINGS,
    OUT_SEAT,
    PHASE,
    PILE,
    PLACES,
    PLAYED,
    QUESTION,
    RED,
    SCORE,
    SEATS,
    SETTLE,
    SIDES,
    SLOTS,
    SOURCE,
    SPECIAL,
    SPECIAL_HANDS,
    STOCK,
    TURNS,
    UPCARDS,
    Ints,
    State,
    empty_state,
)

PHASES: Final = ("settle", "draw", "play", "answer", "after", "ended")
SOURCES: Final = (None, "stock", "pile")
QUESTIONS: Final = ("not_asked", "waiting", "yes", "no")
_STOCK: Final = 30
#: More than any score, count of turns or of failed openings.
_MOST: Final = 1_000_000
_FIELDS: Final = frozenset(
    line.split("|")[1].strip() for line in __doc__.splitlines() if line.startswith("| `")
)
_KNOWN: Final = frozenset(name.strip("` ") for field in _FIELDS for name in field.split(","))


def read_position(position: Mapping[str, Any]) -> tuple[RuleSet, State]:
    """Set up a position.

    Raises:
        NotationError: A field is unknown or cannot be read, or there are too many cards of a kind.
        RuleSetError: The rule set or an option is unknown.
    """
    if not isinstance(position, Mapping):
        raise NotationError("a position is an object, field by field", text=str(position))
    unknown = sorted(str(field) for field in position if field not in _KNOWN)
    if unknown:
        raise NotationError(f"unknown field; a position has {', '.join(sorted(_KNOWN))}", text=unknown[0])
    name, options = position.get("ruleset", "modern_american"), position.get("options", {})
    holdings = position.get("holdings")
    if not isinstance(name, str):
        raise NotationError("ruleset: a text is needed", text=str(name))
    if not isinstance(options, Mapping) or not all(isinstance(option, str) for option in options):
        raise NotationError("options: an object is needed", text=str(options))
    if holdings is not None and not _is_list(holdings):
        raise NotationError("holdings: a list is needed, an entry a seat", text=str(holdings))
    if holdings is None:
        rules = RuleSet.load(name, **options)
    else:
        rules = RuleSet.for_table(name, len(holdings), options)
    hand = empty_state()
    hand.turn[SEATS], hand.turn[SIDES] = rules.players, rules.sides
    _Reader(rules, hand, position).read()
    _refuse_extra_cards(hand)
    return rules, hand


class _Reader:
    """Reads the fields of one position into a state of zeros."""

    def __init__(self, rules: RuleSet, hand: State, position: Mapping[str, Any]) -> None:
        self._rules = rules
        self._hand = hand
        self._position = position

    def read(self) -> None:
        """Read everything; what defaults follow from what was read before."""
        self._read_cards()
        self._read_sides()
        self._read_seats()
        self._read_turn()
        self._read_ending()

    def _read_cards(self) -> None:
        hand, seats = self._hand, self._rules.players
        for seat, holding in enumerate(self._list("holdings", seats, 1)):
            for card in _cards("holdings", holding):
                hand.holding[seat, kind_of(card)] += 1
        for side, melds in enumerate(self._list("melds", self._rules.sides, ())):
            if not _is_list(melds):
                raise NotationError("melds: a list of melds a side is needed", text=str(melds))
            for text in melds:
                group = Group.of(_cards("melds", text))
                if not group.cards or not lay_meld(self._rules, group, hand.meld[side]):
                    raise NotationError("melds: not a new meld of one rank", text=str(text))
        for side, place in product(range(self._rules.sides), range(PLACES)):
            for fault in meld_faults(self._rules, place, hand.meld[side]):
                raise NotationError(f"melds: {fault}", text=str(self._position["melds"]))
        for field, row, size, cards in (
            ("pile", hand.pile, PILE, _cards("pile", self._position.get("pile", ""))),
            ("stock", hand.stock, STOCK, _cards("stock", self._position.get("stock", _STOCK))[::-1]),
        ):
            if len(cards) > CARDS:
                raise NotationError(f"{field}: more than {CARDS} cards", text=str(len(cards)))
            row[: len(cards)] = [kind_of(card) for card in cards]
            hand.turn[size] = len(cards)

    def _read_sides(self) -> None:
        hand, sides = self._hand, self._rules.sides
        for field, fact, least, most in (
            ("red_threes", RED, 0, COPIES[RED_THREE]),
            ("black_threes", BLACK, 0, COPIES[BLACK_THREE]),
            ("score_before", SCORE, -_MOST, _MOST),
            ("failed_openings", FAILED, 0, _MOST),
        ):
            numbers = self._list(field, sides, 0)
            hand.side[:sides, fact] = [_number(field, number, least, most) for number in numbers]
        first_seats = [side if hand.meld[side].any() else None for side in range(sides)]
        openers = self._list("opened_by", sides, None) if "opened_by" in self._position else first_seats
        for side, opener in enumerate(openers):
            hand.side[side, OPENED] = 0 if opener is None else self._seat("opened_by", opener) + 1
        hand.turn[OPENINGS] = int((hand.side[:, OPENED] > 0).sum())

    def _read_seats(self) -> None:
        hand, seats = self._hand, self._rules.players
        opened = [seat for seat in range(seats) if hand.side[seat % self._rules.sides, OPENED] > 0]
        for field, fact, default in (
            ("melded", MELDED, opened),
            ("played_since_opening", PLAYED, opened),
            ("asked", ASKED, []),
        ):
            named = self._position.get(field, default)
            if not _is_list(named):
                raise NotationError(f"{field}: a list of seats is needed", text=str(named))
            hand.seat[[self._seat(field, seat) for seat in named], fact] = 1

    def _read_turn(self) -> None:
        hand, turn, get = self._hand, self._hand.turn, self._position.get
        turn[DEALER] = self._seat("dealer", get("dealer", self._rules.players - 1))
        turn[MOVER] = self._seat("seat", get("seat", 0))
        turn[PHASE] = self._choice("phase", PHASES, "play")
        before_draw = turn[PHASE] in (SETTLE, DRAW)
        turn[SOURCE] = self._choice("source", SOURCES, None if before_draw else "stock")
        partner = (turn[MOVER] + 2) % self._rules.players
        turn[ACTOR] = self._seat(
            "actor", get("actor", int(partner if turn[PHASE] == ANSWER else turn[MOVER]))
        )
        turn[UPCARDS] = _number("upcards", get("upcards", 0), 0, CARDS)
        covered = 0 if self._rules.covered_upcard_freezes else turn[UPCARDS]
        pile = hand.pile[covered : turn[PILE]]
        freezes = self._rules.freezing and bool(((pile == TWO) | (pile == JOKER) | (pile == RED_THREE)).any())
        turn[FROZEN] = self._flag("frozen", freezes)
        turn[QUESTION] = self._choice(
            "question", QUESTIONS, "waiting" if turn[PHASE] == ANSWER else "not_asked"
        )
        turn[ACTED] = self._flag("acted", bool(turn[SOURCE] == SOURCES.index("pile")))
        turn[MUST_OUT] = self._flag("must_go_out", False)
        turn[CLOCK] = self._flag("clock_ran_out", False)
        turn[FRESH] = self._flag("concealed", self._is_fresh(int(turn[MOVER])))
        turn[BONUS] = _number("bonus", get("bonus", 0), 0, max(self._rules.talon_cards))
        turn[TURNS] = _number("turns", get("turns", 0), 0, _MOST)

    def _is_fresh(self, seat: int) -> bool:
        if self._rules.concealed_by == "side":
            return bool(self._hand.side[seat % self._rules.sides, OPENED] == 0)
        return self._rules.concealed_by == "player" and bool(self._hand.seat[seat, MELDED] == 0)

    def _read_ending(self) -> None:
        turn = self._hand.turn
        out = self._position.get("out_seat")
        turn[OUT_SEAT] = -1 if out is None else self._seat("out_seat", out)
        if turn[PHASE] == ENDED:
            turn[ENDED_BY] = self._choice("ended_by", ENDINGS, "stock")
            turn[CONCEALED] = turn[FRESH] if out is not None else 0
            turn[SPECIAL] = self._choice("special", (None, *SPECIAL_HANDS), None)

    def _list(self, field: str, length: int, default: Any) -> Sequence[Any]:
        """Return a list field, checked for its length."""
        value = self._position.get(field, [default] * length)
        if not _is_list(value) or len(value) != length:
            raise NotationError(f"{field}: a list of {length} is needed", text=str(value))
        return value

    def _seat(self, field: str, value: object) -> int:
        return _number(field, value, 0, self._rules.players - 1)

    def _flag(self, field: str, default: bool) -> bool:
        value = self._position.get(field, default)
        if not isinstance(value, bool):
            raise NotationError(f"{field}: true or false is needed", text=str(value))
        return value

    def _choice(self, field: str, allowed: Sequence[str | None], default: str | None) -> int:
        value = self._position.get(field, default)
        if value not in allowed:
            raise NotationError(f"{field}: one of {', '.join(map(str, allowed))} is needed", text=str(value))
        return allowed.index(value)


def _is_list(value: object) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _number(field: str, value: object, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise NotationError(f"{field}: a number from {least} to {most} is needed", text=str(value))
    return value


def _cards(field: str, value: object) -> Cards:
    """Read cards, or a number of hidden ones."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= CARDS:
        return (KIND_TEXT[HIDDEN],) * value
    if not isinstance(value, str):
        raise NotationError(f"{field}: cards or a number of hidden cards are needed", text=str(value))
    return parse_cards(value, cards="rank")


def _refuse_extra_cards(hand: State) -> None:
    """Refuse more of a kind than two packs hold; a kind's cards may also be hidden or left out."""
    seen = cards_seen(hand)
    for kind in range(KINDS):
        if seen[kind] > COPIES[kind]:
            raise NotationError(
                f"{seen[kind]} cards of a kind of which there are {COPIES[kind]}", text=KIND_TEXT[kind]
            )
    if seen.sum() > CARDS:
        raise NotationError(f"more than {CARDS} cards in all", text=str(int(seen.sum())))


def write_position(rules: RuleSet, hand: State) -> dict[str, Any]:
    """Return a position complete, in the order of the fields above."""
    turn, seats, sides = hand.turn, rules.players, rules.sides
    openers = [int(opener) for opener in hand.side[:sides, OPENED]]
    return {
        "ruleset": rules.name,
        "options": rules.changed_options(),
        "holdings": ["".join(cards_of(hand.holding[seat])) for seat in range(seats)],
        "melds": [_meld_texts(hand.meld[side]) for side in range(sides)],
        "red_threes": hand.side[:sides, RED].tolist(),
        "black_threes": hand.side[:sides, BLACK].tolist(),
        "pile": "".join(KIND_TEXT[kind] for kind in hand.pile[: turn[PILE]]),
        "upcards": int(turn[UPCARDS]),
        "frozen": bool(turn[FROZEN]),
        "stock": "".join(KIND_TEXT[kind] for kind in hand.stock[: turn[STOCK]][::-1]),
        "dealer": int(turn[DEALER]),
        "seat": int(turn[MOVER]),
        "actor": int(turn[ACTOR]),
        "phase": PHASES[turn[PHASE]],
        "source": SOURCES[turn[SOURCE]],
        "score_before": hand.side[:sides, SCORE].tolist(),
        "failed_openings": hand.side[:sides, FAILED].tolist(),
        "opened_by": [opener - 1 if opener else None for opener in openers],
        "melded": _seats_with(hand.seat[:seats, MELDED]),
        "played_since_opening": _seats_with(hand.seat[:seats, PLAYED]),
        "asked": _seats_with(hand.seat[:seats, ASKED]),
        "question": QUESTIONS[turn[QUESTION]],
        "acted": bool(turn[ACTED]),
        "must_go_out": bool(turn[MUST_OUT]),
        "clock_ran_out": bool(turn[CLOCK]),
        "concealed": bool(turn[FRESH]),
        "bonus": int(turn[BONUS]),
        "turns": int(turn[TURNS]),
    } | (_ending(hand) if turn[PHASE] == ENDED else {})


def _ending(hand: State) -> dict[str, Any]:
    turn = hand.turn
    return {
        "ended_by": ENDINGS[turn[ENDED_BY]],
        "out_seat": int(turn[OUT_SEAT]) if turn[OUT_SEAT] >= 0 else None,
        "special": SPECIAL_HANDS[turn[SPECIAL] - 1] if turn[SPECIAL] else None,
    }


def _seats_with(facts: Ints) -> list[int]:
    return [seat for seat, fact in enumerate(facts) if fact]


def _meld_texts(melds: Ints) -> list[str]:
    texts = []
    for slot, number in product(range(SLOTS), range(MELDS_OF_A_RANK)):
        naturals, twos, jokers = (int(part) for part in melds[slot + SLOTS * number])
        if naturals + twos + jokers:
            texts.append(KIND_TEXT[kind_of_slot(slot)] * naturals + "2" * twos + "*" * jokers)
    return texts
