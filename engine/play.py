"""Play hands and games by computer players, compiled: the inner loop of the simulator."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from engine.event_writer import put, put_event
from engine.hand_record import GAME, GAME_OVER, SIDE_ROOM, TEXT_END, TEXT_START, record_hand
from engine.hand_writer import put_deal, put_result
from engine.kernel import TYPES, Bytes, FloatGrid, Floats, Grid, Row, kernel, typeof
from engine.players.greedy import choose
from engine.rules.action_list import ActionList, empty_list
from engine.rules.apply import apply
from engine.rules.deal import deal, start
from engine.rules.rng import seed_generator
from engine.ruleset import Rules
from engine.scoring import PARTS
from engine.state import (
    ACTOR,
    BY_OUT,
    DECLINE,
    ENDED,
    ENDED_BY,
    OUT_SEAT,
    PHASE,
    STOCK,
    VERB,
    Action,
    State,
    empty_action,
)
from engine.view import look

#: How much of each hand's log is written.
NO_TEXT: Final = 0
SUMMARY: Final = 1
FULL: Final = 2

#: A game that is not over after this many hands is left as it stands.
MOST_HANDS: Final = 200
#: Room for one hand's text: the longest hands of random play stay under a third of it.
HAND_BYTES: Final = 32_768


class Desk(NamedTuple):
    """Scratch space of one simulation; none of it outlives a hand.

    `text` [HAND_BYTES] holds a hand's deal and events, `scores` [4] the game's scores.
    """

    actions: ActionList
    action: Action
    rng: Row
    part: Row
    scores: Row
    text: Bytes


def empty_desk() -> Desk:
    """Return scratch space."""
    return Desk(
        actions=empty_list(),
        action=empty_action(),
        rng=np.zeros(1, np.int64),
        part=np.zeros(PARTS, np.int64),
        scores=np.zeros(SIDE_ROOM, np.int64),
        text=np.zeros(HAND_BYTES, np.uint8),
    )


TYPES["Desk"] = typeof(empty_desk())


@kernel
def play_hand(rules: Rules, hand: State, view: State, desk: Desk, error_rates: Floats, level: int) -> int:
    """Play a dealt hand to its end and return how many bytes of deal and events were written.

    Args:
        rules: The rule set.
        hand: A hand just dealt; it ends up ended.
        view: Scratch made by `engine.view.empty_view`.
        desk: Scratch; `desk.rng` goes on from the deal.
        error_rates: Each seat's chance [4] of a random legal choice.
        level: `FULL` writes the events.
    """
    at = put_deal(desk.text, 0, hand) if level == FULL else 0
    start(rules, hand)
    while hand.turn[PHASE] != ENDED:
        look(rules, hand, hand.turn[ACTOR], view)
        choose(rules, view, error_rates[hand.turn[ACTOR]], desk.rng, desk.action, desk.actions)
        before = hand.turn[STOCK]
        apply(rules, hand, desk.action, desk.actions)
        if level == FULL and desk.action.what[VERB] != DECLINE:
            at = put_event(desk.text, at, hand, desk.action, before)
            at = put(desk.text, at, ord(" "))
    if level == FULL and hand.turn[ENDED_BY] == BY_OUT:
        at = put(desk.text, at, ord("0") + hand.turn[OUT_SEAT])
        return put(desk.text, at, ord("o"))
    return max(at - 1, 0)


@kernel
def write_text(out: Bytes, at: int, rules: Rules, record: Row, desk: Desk, size: int, level: int) -> int:
    """Write a played hand's part of its line, the closing brace included."""
    if level == NO_TEXT:
        return at
    at = put_result(out, at, rules, record)
    for place in range(size):
        out[at + place] = desk.text[place]
    if level == FULL:
        at = put(out, at + size, ord('"'))
    return put(out, at, ord("}"))


@kernel
def play_games(
    rules: Rules,
    hand: State,
    view: State,
    desk: Desk,
    seed: int,
    games: Row,
    first_dealers: Row,
    error_rates: FloatGrid,
    level: int,
    records: Grid,
    out: Bytes,
    progress: Row,
) -> None:
    """Play whole games one after another until they are done or a buffer is full.

    Args:
        rules: The rule set.
        hand: Scratch.
        view: Scratch made by `engine.view.empty_view`.
        desk: Scratch.
        seed: Of the whole simulation.
        games: The games' numbers [n]: with the seed and a hand's number they give its generator.
        first_dealers: Seat that deals the first hand of each game [n].
        error_rates: Each seat's error rate [n, 4].
        level: NO_TEXT, SUMMARY or FULL.
        records: A row a hand [capacity, COLUMNS].
        out: The hands' texts.
        progress: Games done, hands recorded and bytes written [3]; a call goes on from there, and a game
            that does not fit is not begun: it leaves no trace.
    """
    while progress[0] < games.size:
        game = progress[0]
        row = progress[1]
        at = progress[2]
        dealer = first_dealers[game]
        desk.scores[:] = 0
        for hand_no in range(1, MOST_HANDS + 1):
            if row == records.shape[0] or out.size - at < HAND_BYTES:
                return
            seed_generator(desk.rng, seed, games[game], hand_no)
            deal(rules, hand, dealer, desk.scores, desk.rng)
            size = play_hand(rules, hand, view, desk, error_rates[game], level)
            record = records[row]
            record_hand(rules, hand, hand_no, record, desk.part, desk.scores)
            record[GAME] = game
            record[TEXT_START] = at
            at = write_text(out, at, rules, record, desk, size, level)
            record[TEXT_END] = at
            row += 1
            dealer = (dealer + 1) % rules.players
            if record[GAME_OVER] == 1:
                break
        progress[0] += 1
        progress[1] = row
        progress[2] = at
