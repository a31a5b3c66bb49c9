"""Tell new hands from ones that came before: identity is the hand_id with the content."""

from __future__ import annotations

from typing import Any, NamedTuple

import duckdb
import numpy as np
import pyarrow as pa

from ingest import columns as c
from ingest.columns import HandColumns, Ints, Texts
from ingest.findings import Finding
from ingest.queries import sql
from ingest.records import arrow_table
from ingest.sources import Block


class Identity(NamedTuple):
    """What a block's hands are, beside those that the warehouse has.

    Attributes:
        new: Places of the hands that nobody has, ascending.
        duplicates: Places of those that came before with the same content.
        findings: What is wrong with the rest, with their lines in the block.
    """

    new: Ints
    duplicates: Ints
    findings: list[tuple[int, Finding]]


def judge_identity(
    connection: duckdb.DuckDBPyConnection, block: Block, hands: HandColumns, content: Texts
) -> Identity:
    """Compare a block's hands with each other and with the tables `hand` and `hand_current`.

    The same content as any version of a hand is a duplicate, so that a file loaded again after a correction
    changes nothing. A place in a game is free again when the hand that had it is void. A line that is refused
    for its place speaks for no other of its id, as if it had come alone.

    Args:
        connection: Sees the two tables.
        block: Where the hands came from.
        hands: Hands that passed the checks.
        content: Their content hashes.
    """
    incoming = pa.table(
        {
            "row": pa.array(np.arange(len(hands))),
            "hand_id": hands.texts[c.HAND_ID],
            "game_id": hands.texts[c.GAME_ID],
            "hand_no": pa.array(hands.numbers[:, c.HAND_NO].astype(np.int32)),
            "content_hash": content,
        }
    )
    displaced: list[dict[str, Any]] = []
    while True:
        judged = _judge(connection, incoming)
        is_displaced = np.asarray(judged["verdict"].to_numpy() == "game_conflict")
        if not is_displaced.any():
            break
        displaced += judged.filter(is_displaced).to_pylist()
        gone = judged["row"].to_numpy()[is_displaced]
        incoming = incoming.filter(~np.isin(incoming["row"].to_numpy(), gone))
    places = judged["row"].to_numpy()
    is_new = np.zeros(len(hands), dtype=np.bool_)
    is_new[incoming["row"].to_numpy()] = True
    is_new[places] = False
    is_duplicate = np.asarray(judged["verdict"].to_numpy() == "duplicate")
    conflicts = [*displaced, *judged.filter(~is_duplicate).to_pylist()]
    findings = [_conflict(block, hands, **conflict) for conflict in conflicts]
    findings.sort(key=lambda entry: entry[0])
    return Identity(np.flatnonzero(is_new), places[is_duplicate], findings)


def _judge(connection: duckdb.DuckDBPyConnection, incoming: pa.Table) -> Any:
    """Return what is not new among hands, with the verdict and the hand that stands in the way."""
    connection.register("incoming", incoming)
    try:
        return arrow_table(connection, sql("identity"))
    finally:
        connection.unregister("incoming")


def duplicate_finding(block: Block, hands: HandColumns, place: int) -> Finding:
    """Say that a hand came before."""
    hand_id = hands.texts[c.HAND_ID][place].as_py()
    message = "this hand came before with the same content"
    return block.place(int(hands.rows[place])).finding("duplicate", message, hand_id=hand_id)


def _conflict(
    block: Block, hands: HandColumns, row: int, verdict: str, other: str | None
) -> tuple[int, Finding]:
    hand_id, line = hands.texts[c.HAND_ID][row].as_py(), int(hands.rows[row])
    message = "this hand_id came before with other content; `coastal correct` replaces a hand"
    if verdict == "game_conflict":
        game = hands.texts[c.GAME_ID][row].as_py()
        message = f"hand {hands.numbers[row, c.HAND_NO]} of game {game!r} is {other!r} already"
    return line, block.place(line).finding(verdict, message, hand_id=hand_id, expected=other, found=hand_id)
