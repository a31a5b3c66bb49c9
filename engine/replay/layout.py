"""How a replay sees a hand: the rows that say what a log claims, what came of it and what is wrong."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from engine.cards import CARDS
from engine.hand_record import COLUMNS, SIDE_ROOM
from engine.kernel import TYPES, Grid, Row, kernel, typeof
from engine.replay.event_bytes import EVENT_FACTS, IDS, MOST_CARDS, copies_of
from engine.rules.action_list import ActionList, empty_list
from engine.scoring import PARTS
from engine.state import Action, State, empty_action, empty_state

#: A figure of a hand's record (`engine.hand_record`) that the log does not claim.
UNSAID: Final = -(2**63)

# Columns of what was so before the hand, and of how it is written.
DEALER_SEAT: Final = 0
HAND_NUMBER: Final = 1
STYLE: Final = 2  # SUIT or RANK
BEFORE: Final = 3  # + side: the score before the hand
SETTINGS: Final = BEFORE + SIDE_ROOM

# Columns of a report.
FAULT: Final = 0
EVENT: Final = 1  # number of the event, from 1; one past the last where something is missing; 0 for the deal
CLAUSE: Final = 2  # what refused it
EXPECTED: Final = 3
FOUND: Final = 4
REPORT: Final = 5

# Faults.
NONE: Final = 0
BAD_DEAL: Final = 1  # the deal's text, or sizes that the rule set does not deal
BAD_UPCARDS: Final = 2
TOO_MANY: Final = 3  # more of a card than there are; FOUND is its id
BAD_EVENT: Final = 4  # no event of the grammar
UNSEEN: Final = 5  # a hidden card: one player's view cannot be replayed
FLAWED: Final = 6  # FOUND is the flaw of engine.event_bytes
ILLEGAL: Final = 7  # CLAUSE refuses it
NOT_HELD: Final = 8  # a card that the seat does not hold; FOUND is its id
OTHER_TOP: Final = 9  # the pile's top card is another of that rank
DRAW_SIZE: Final = 10  # EXPECTED cards come from the stock here, FOUND are written
NO_GO_OUT: Final = 11  # the holding is empty, and `o` does not follow
EARLY_GO_OUT: Final = 12  # `o` with no holding emptied
CUT_SHORT: Final = 13  # the events end before the hand
OTHER_RESULT: Final = 14  # FOUND is the first column of the record that differs
AFTER_END: Final = 15  # the game was over before the hand


class Table(NamedTuple):
    """Everything that a replay works on, made once and used for hand after hand.

    `own` [4, IDS] counts each seat's cards by id, `lying` [108] are the ids of the pile, `seen` [IDS] counts
    the cards that have shown so far, `record` is what the replay makes of the hand (`engine.hand_record`),
    `part` and `scores` are scratch.
    """

    hand: State
    action: Action
    actions: ActionList
    cards: Row
    drawn: Row
    facts: Row
    own: Grid
    lying: Row
    seen: Row
    record: Row
    part: Row
    scores: Row


def empty_table() -> Table:
    """Return a table to replay at."""
    return Table(
        hand=empty_state(),
        action=empty_action(),
        actions=empty_list(),
        cards=np.zeros(MOST_CARDS, np.int64),
        drawn=np.zeros(MOST_CARDS, np.int64),
        facts=np.zeros(EVENT_FACTS, np.int64),
        own=np.zeros((4, IDS), np.int64),
        lying=np.zeros(CARDS, np.int64),
        seen=np.zeros(IDS, np.int64),
        record=np.zeros(COLUMNS, np.int64),
        part=np.zeros(PARTS, np.int64),
        scores=np.zeros(SIDE_ROOM, np.int64),
    )


TYPES["Table"] = typeof(empty_table())


@kernel
def fail(report: Row, fault: int, event: int, expected: int, found: int) -> None:
    """Report a fault."""
    report[FAULT], report[EVENT], report[EXPECTED], report[FOUND] = fault, event, expected, found


@kernel
def see(table: Table, card: int, style: int, event: int, report: Row) -> bool:
    """Note a card that shows for the first time; say whether there still was one."""
    table.seen[card] += 1
    if table.seen[card] > copies_of(card, style):
        fail(report, TOO_MANY, event, copies_of(card, style), card)
        return False
    return True
