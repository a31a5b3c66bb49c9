"""Warn where a game's hands do not follow each other: a number is missing, or the score steps.

Hands come late and in any order, so a block only marks the games in doubt; they are judged together when
everything has come.
"""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from ingest import columns as c
from ingest.columns import SIDES, HandColumns
from ingest.findings import Finding, Place
from ingest.queries import sql


def doubtful_games(hands: HandColumns) -> list[str]:
    """Return the games whose hands in a block do not follow each other from hand 1 on."""
    if len(hands) == 0:
        return []
    games: Any = hands.texts[c.GAME_ID].dictionary_encode()
    game = np.asarray(games.indices, dtype=np.int64)
    order = np.lexsort((hands.numbers[:, c.HAND_NO], game))
    game, number = game[order], hands.numbers[order, c.HAND_NO]
    before = hands.numbers[order, c.SCORE_BEFORE : c.SCORE_BEFORE + SIDES]
    after = hands.numbers[order, c.SCORE_AFTER : c.SCORE_AFTER + SIDES]
    is_first = np.append(True, game[1:] != game[:-1])
    number_before = np.where(is_first, 0, np.roll(number, 1))
    steps = (np.roll(after, 1, axis=0) != before).any(axis=1) & ~is_first
    doubtful = np.unique(game[steps | (number != number_before + 1)])
    return [str(name) for name in games.dictionary.take(doubtful).to_pylist()]


def judge_continuity(
    connection: duckdb.DuckDBPyConnection, games: set[str], first_batch: int
) -> list[Finding]:
    """Warn about hands of some games that came with a batch or later and do not follow the ones before."""
    if not games:
        return []
    connection.register("doubtful", pa.table({"game_id": pa.array(sorted(games), pa.string())}))
    try:
        rows = connection.execute(sql("continuity"), {"first_batch": first_batch}).fetchall()
    finally:
        connection.unregister("doubtful")
    return [_finding(*row) for row in rows]


def _finding(
    file: str,
    line: int,
    hand_id: str,
    game_id: str,
    hand_no: int,
    hand_no_before: int,
    score_before: list[int],
    score_after_before: list[int],
) -> Finding:
    place = Place(file, line)
    if hand_no > hand_no_before + 1:
        message = f"game {game_id!r} has hands {hand_no_before} and {hand_no} and none between"
        return place.finding("hand_gap", message, hand_id=hand_id, expected=hand_no_before + 1, found=hand_no)
    message = f"score_before of hand {hand_no} is not score_after of hand {hand_no_before}"
    return place.finding(
        "score_step", message, hand_id=hand_id, expected=score_after_before, found=score_before
    )
