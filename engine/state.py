"""The state of one hand and the kernel's form of an action: small int64 arrays, named.

`State` is readable in plain Python and in compiled code (``hand.holding[seat, kind]``). Nothing in it is
derived from anything else in it, except `turn` sizes that say how much of `stock` and `pile` is in use.

Shapes, all int64:

    holding [4, 16]     cards of each kind held by each seat; column 15 counts hidden cards
    meld    [4, 52, 3]  per side and place: naturals, twos, jokers (see the places below)
    side    [4, 5]      per side, columns RED..FAILED
    seat    [4, 3]      per seat, columns ASKED..PLAYED
    stock   [108]       kinds; the next card to be drawn is stock[turn[STOCK] - 1]. Cards just drawn stay
                        readable above that: after drawing n they are stock[turn[STOCK] + n - 1] down to
                        stock[turn[STOCK]], in the order drawn
    pile    [108]       kinds, bottom first; the top card is pile[turn[PILE] - 1]
    turn    [24]        facts of the hand and of the turn, columns SEATS..UPCARDS

A view of one seat is a `State` too, whose hidden cards are `HIDDEN`: it has no place for what is not known.

Seat s belongs to side ``s % turn[SIDES]``: partners sit across, everyone else is a side alone. The holdings
of a side are ``hand.holding[side : seats : sides]``.
"""

from __future__ import annotations

from typing import Any, Final, Protocol, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from engine.cards import CARDS, WIDTH

Ints: TypeAlias = npt.NDArray[np.int64]

# Meld slots: 0..10 are the ranks 4..A, then the wild meld and (classic) the black 3s melded on going out.
WILD_MELD: Final = 11
BLACK_MELD: Final = 12
SLOTS: Final = 13
# A place is where a meld lies: the slot of a side's first meld of a rank, and one more round of the slots for
# each further one that a table allows. Two naturals each, a rank's eight are enough for four.
MELDS_OF_A_RANK: Final = 4
PLACES: Final = SLOTS * MELDS_OF_A_RANK
SECOND_WILD_MELD: Final = SLOTS + WILD_MELD
# Columns of a meld or of a group laid: the black 3s of slot BLACK_MELD stand in the naturals column.
NATURALS: Final = 0
TWOS: Final = 1
JOKERS: Final = 2

# Columns of `side`.
RED: Final = 0  # red 3s laid face up
BLACK: Final = 1  # black 3s laid face up (modern_american)
SCORE: Final = 2  # the side's score when the hand began
OPENED: Final = 3  # 1 + the seat that made the side's first meld, 0 before it
FAILED: Final = 4  # failed openings this hand
SIDE_FACTS: Final = 5

# Columns of `seat`.
ASKED: Final = 0  # has put the partner question this hand
MELDED: Final = 1  # has melded anything this hand
PLAYED: Final = 2  # has ended a turn since the side opened, the opening turn included
SEAT_FACTS: Final = 3

# Columns of `turn`.
SEATS: Final = 0
SIDES: Final = 1
DEALER: Final = 2
MOVER: Final = 3  # whose turn it is
ACTOR: Final = 4  # who acts now: the mover, or another seat laying dealt 3s or answering
PHASE: Final = 5
SOURCE: Final = 6  # where this turn's cards came from
STOCK: Final = 7  # cards in the stock
PILE: Final = 8  # cards in the pile
FROZEN: Final = 9  # 1 while the pile is frozen for all: a wild in it, or a wild or red 3 turned at the start
QUESTION: Final = 10  # partner question of this turn
MUST_OUT: Final = 11  # 1 once a meld is down that only a player going out may make
CLOCK: Final = 12  # 1 once this turn's clock ran out
BONUS: Final = 13  # bonus cards due after this turn's discard
FRESH: Final = 14  # 1 if going out in this turn is concealed
TURNS: Final = 15  # turns begun: a draw or a taken pile begins one
ENDED_BY: Final = 16
OUT_SEAT: Final = 17  # seat that went out or declared the special hand, else -1
CONCEALED: Final = 18
SPECIAL: Final = 19  # 1 + index into SPECIAL_HANDS, 0 without one
OPENINGS: Final = 20  # sides that have opened
ACTED: Final = 21  # 1 once the mover melded, took the pile or took an opening back this turn
UPCARDS: Final = 22  # cards at the bottom of the pile that were turned at the start: red 3s lie only there
TURN_FACTS: Final = 24

# Phases. In SETTLE, PLAY and BONUS an actor who holds a 3 that must be laid can do nothing else.
SETTLE: Final = 0  # dealt 3s are laid, from the starter clockwise
DRAW: Final = 1
PLAY: Final = 2  # drawn: meld, ask, declare, discard
ANSWER: Final = 3
AFTER: Final = 4  # discarded: the talon's bonus cards
ENDED: Final = 5

# Sources of a turn's cards.
NOT_DRAWN: Final = 0
FROM_STOCK: Final = 1
FROM_PILE: Final = 2

# Question.
NOT_ASKED: Final = 0
WAITING: Final = 1
YES: Final = 2
NO: Final = 3

# How a hand ended.
BY_OUT: Final = 1
BY_STOCK: Final = 2
BY_SPECIAL: Final = 3
ENDINGS: Final = ("", "out", "stock", "special")

#: Special hands in the order of the rules; SPECIAL and an action's CARD count from here.
SPECIAL_HANDS: Final = (
    "pairs",
    "wild_pairs",
    "miami_pairs",
    "zip_code",
    "garbage",
    "blast_off",
    "triples",
    "quads",
    "dream_4",
    "dream_5",
)


class State(Protocol):
    """One hand at one moment: a numpy record, whose arrays are mutable; the queries never write to them.

    A record is one block of memory with a fixed layout: compiled code takes it as one pointer.
    """

    holding: Ints
    meld: Ints
    side: Ints
    seat: Ints
    stock: Ints
    pile: Ints
    turn: Ints


STATE_DTYPE: Final = np.dtype(
    [
        ("holding", np.int64, (4, WIDTH)),
        ("meld", np.int64, (4, PLACES, 3)),
        ("side", np.int64, (4, SIDE_FACTS)),
        ("seat", np.int64, (4, SEAT_FACTS)),
        ("stock", np.int64, (CARDS,)),
        ("pile", np.int64, (CARDS,)),
        ("turn", np.int64, (TURN_FACTS,)),
    ]
)


# Verbs. Each is one event of the log, but for DECLINE, which has none.
DRAW_CARDS: Final = 1  # d
LAY_THREE: Final = 2  # 3: CARD is RED_THREE or BLACK_THREE
TAKE_PILE: Final = 3  # t: laid is what comes from the holding; CARD is the top card, COUNT the pile's size
MELD: Final = 4  # m: one group, or the groups of an opening
DISCARD: Final = 5  # x: CARD
ASK: Final = 6  # q
ANSWER_YES: Final = 7  # y
ANSWER_NO: Final = 8  # n
TAKE_BACK: Final = 9  # r: laid counts the cards that were down, by slot of their rank
RUN_OUT: Final = 10  # k
DECLARE: Final = 11  # s: CARD is the index into SPECIAL_HANDS
DRAW_BONUS: Final = 12  # b
DECLINE: Final = 13  # the stock is empty and the mover leaves the pile: ends the hand
VERBS: Final = 14

# Columns of `Action.what`.
VERB: Final = 0
SEAT: Final = 1
CARD: Final = 2
COUNT: Final = 3
NUMBER: Final = 4  # the side's melds of its rank that were begun before the one laid on: 0 for the first
ACTION_FACTS: Final = 5


class Action(Protocol):
    """What a seat does, as the kernel reads it, a record: what [5] and laid [13, 3] int64 (slots as in meld).

    An action lays one group of a rank, so the slots also tell the groups of an opening apart. Cards that
    chance decides (drawn, bonus, replacements) are no part of an action: they come from the stock.
    """

    what: Ints
    laid: Ints


ACTION_DTYPE: Final = np.dtype([("what", np.int64, (ACTION_FACTS,)), ("laid", np.int64, (SLOTS, 3))])


def empty_record(dtype: np.dtype[Any]) -> Any:
    """Return a record of zeros, whose fields are attributes."""
    return np.zeros(1, dtype).view(np.recarray)[0]


def empty_state() -> State:
    """Return a state of zeros."""
    return cast(State, empty_record(STATE_DTYPE))


def empty_action() -> Action:
    """Return an action of zeros, for a caller to fill and use again."""
    return cast(Action, empty_record(ACTION_DTYPE))


def copy_state(hand: State) -> State:
    """Return an independent copy."""
    copy = empty_state()
    copy_into(hand, copy)
    return copy


def copy_into(hand: State, other: State) -> None:
    """Make another state equal to this one."""
    for part in State.__annotations__:
        getattr(other, part)[...] = getattr(hand, part)
