"""A buffer of actions and the draft that is being written: scratch space that callers own and pass along."""

from __future__ import annotations

from typing import Final, Protocol, cast

import numpy as np

from engine.kernel import TYPES, Cube, Grid, Row, kernel, typeof
from engine.state import (
    ACTION_DTYPE,
    ACTION_FACTS,
    ACTOR,
    CARD,
    JOKERS,
    NATURALS,
    SEAT,
    SLOTS,
    TWOS,
    VERB,
    Action,
    State,
    empty_record,
)

#: Room for the actions of one position and for the openings still to be tried. Only an unopened holding of
#: far more than thirty cards may have more; those beyond are left out.
CAPACITY: Final = 50_000


class ActionList(Protocol):
    """A buffer of actions: what [n, 5], laid [n, 13, 3]; `used` [1] of them are filled, `draft` is tried."""

    what: Grid
    laid: Cube
    used: Row
    draft: Action


LIST_DTYPE: Final = np.dtype(
    [
        ("what", np.int64, (CAPACITY, ACTION_FACTS)),
        ("laid", np.int64, (CAPACITY, SLOTS, 3)),
        ("used", np.int64, (1,)),
        ("draft", ACTION_DTYPE),
    ]
)


def empty_list() -> ActionList:
    """Return an empty buffer."""
    return cast(ActionList, empty_record(LIST_DTYPE))


TYPES["ActionList"] = typeof(empty_list())


@kernel
def set_group(draft: Action, slot: int, naturals: int, twos: int, jokers: int) -> None:
    """Set the group that a draft lays on a slot."""
    draft.laid[slot, NATURALS] = naturals
    draft.laid[slot, TWOS] = twos
    draft.laid[slot, JOKERS] = jokers


@kernel
def copy_action(action: Action, other: Action) -> None:
    """Make another action equal to this one."""
    for column in range(ACTION_FACTS):
        other.what[column] = action.what[column]
    for slot in range(SLOTS):
        for part in range(3):
            other.laid[slot, part] = action.laid[slot, part]


@kernel
def store(actions: ActionList, place: int) -> None:
    """Write the draft to a place of the list."""
    for column in range(ACTION_FACTS):
        actions.what[place, column] = actions.draft.what[column]
    for slot in range(SLOTS):
        for part in range(3):
            actions.laid[place, slot, part] = actions.draft.laid[slot, part]


@kernel
def push(actions: ActionList) -> None:
    """Append the draft, if there is room."""
    if actions.used[0] < CAPACITY:
        store(actions, actions.used[0])
        actions.used[0] += 1


@kernel
def offer(actions: ActionList, verb: int, card: int) -> None:
    """Offer an action that lays nothing."""
    actions.draft.what[VERB] = verb
    actions.draft.what[CARD] = card
    push(actions)


@kernel
def load(actions: ActionList, place: int) -> None:
    """Read the draft from a place of the list."""
    for column in range(ACTION_FACTS):
        actions.draft.what[column] = actions.what[place, column]
    for slot in range(SLOTS):
        for part in range(3):
            actions.draft.laid[slot, part] = actions.laid[place, slot, part]


@kernel
def start_action(hand: State, action: Action) -> None:
    """Make an action the actor's, without a verb and without cards."""
    for column in range(ACTION_FACTS):
        action.what[column] = 0
    for slot in range(SLOTS):
        set_group(action, slot, 0, 0, 0)
    action.what[SEAT] = hand.turn[ACTOR]


@kernel
def start_list(hand: State, actions: ActionList) -> None:
    """Empty the list and the draft; the draft is the actor's."""
    start_action(hand, actions.draft)
    actions.used[0] = 0
