"""What the simulator keeps of a hand: one int64 row, whose columns are named here."""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.kernel import Row, kernel
from engine.ruleset import Rules
from engine.scoring import CANASTA_KINDS, PARTS, PLAYS_ON, count_canastas, game_winner, score_side
from engine.state import (
    CONCEALED,
    DEALER,
    ENDED_BY,
    OUT_SEAT,
    SCORE,
    SIDES,
    SPECIAL,
    SPECIAL_HANDS,
    TURNS,
    State,
)

SIDE_ROOM: Final = 4

GAME: Final = 0  # index of the game in the schedule
HAND_NO: Final = 1  # from 1 within the game
DEALT_BY: Final = 2
ENDING: Final = 3  # BY_OUT, BY_STOCK or BY_SPECIAL
OUT: Final = 4  # seat that went out or laid the special hand, else -1
WAS_CONCEALED: Final = 5
SPECIAL_LAID: Final = 6  # 1 + index into SPECIAL_HANDS, 0 without one
TURNS_PLAYED: Final = 7
GAME_OVER: Final = 8
WINNER: Final = 9  # side, or -1
TEXT_START: Final = 10  # where the hand's text lies in the batch's bytes
TEXT_END: Final = 11
SCORE_BEFORE: Final = 12  # a side each, as all that follows
POINTS: Final = SCORE_BEFORE + SIDE_ROOM
SCORE_AFTER: Final = POINTS + SIDE_ROOM
LEDGER: Final = SCORE_AFTER + SIDE_ROOM  # side by side, seven parts each
CANASTAS: Final = LEDGER + SIDE_ROOM * PARTS  # side by side, five kinds each
COLUMNS: Final = CANASTAS + SIDE_ROOM * CANASTA_KINDS

#: Special hands that win the game at once (M-special).
_DREAMS: Final = np.array([name.startswith("dream") for name in SPECIAL_HANDS], np.int64)


@kernel
def dream_side(hand: State) -> int:
    """Return the side that laid a Dream hand, else -1."""
    special = hand.turn[SPECIAL]
    if special == 0 or _DREAMS[special - 1] == 0:
        return -1
    return hand.turn[OUT_SEAT] % hand.turn[SIDES]


@kernel
def _record_side(rules: Rules, hand: State, side: int, record: Row, part: Row, scores: Row) -> None:
    score_side(rules, hand, side, part)
    points = 0
    for column in range(PARTS):
        record[LEDGER + side * PARTS + column] = part[column]
        points += part[column]
    count_canastas(rules, hand, side, part[:CANASTA_KINDS])
    for kind in range(CANASTA_KINDS):
        record[CANASTAS + side * CANASTA_KINDS + kind] = part[kind]
    record[SCORE_BEFORE + side] = hand.side[side, SCORE]
    record[POINTS + side] = points
    scores[side] = hand.side[side, SCORE] + points
    record[SCORE_AFTER + side] = scores[side]


@kernel
def record_hand(rules: Rules, hand: State, hand_no: int, record: Row, part: Row, scores: Row) -> None:
    """Score an ended hand into a record and bring the scores up to date.

    Args:
        rules: The rule set.
        hand: The ended hand.
        hand_no: Its number in the game, from 1.
        record: The record [COLUMNS]; GAME and the text columns are the caller's.
        part: Scratch [7].
        scores: Each side's score [4], raised by its points.
    """
    record[HAND_NO] = hand_no
    record[DEALT_BY] = hand.turn[DEALER]
    record[ENDING] = hand.turn[ENDED_BY]
    record[OUT] = hand.turn[OUT_SEAT]
    record[WAS_CONCEALED] = hand.turn[CONCEALED]
    record[SPECIAL_LAID] = hand.turn[SPECIAL]
    record[TURNS_PLAYED] = hand.turn[TURNS]
    for side in range(hand.turn[SIDES]):
        _record_side(rules, hand, side, record, part, scores)
    winner = game_winner(rules, scores, hand_no, dream_side(hand))
    record[GAME_OVER] = 0 if winner == PLAYS_ON else 1
    record[WINNER] = max(winner, -1)
