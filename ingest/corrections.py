"""An operator's acts on hands: withdraw one, or replace one.

Nothing is overwritten: a correction is a row of its own, with who, when and why, and the old version stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, Literal

import duckdb
import numpy as np

from engine.errors import IngestError
from ingest import columns as c
from ingest.chain import COUNTS, Contents, add_batch, correction_record, next_batch
from ingest.checking import check_block
from ingest.columns import HandColumns
from ingest.content import ContentHashes, content_hashes
from ingest.continuity import judge_continuity
from ingest.findings import Finding
from ingest.queries import sql
from ingest.records import first_row, only_row
from ingest.refusals import close_refusals
from ingest.sources import Block
from ingest.store import insert_hands, next_hand_key, places_of, source_keys
from ingest.times import utc_naive
from ingest.warehouse import Warehouse

NO_COUNTS: Final[dict[str, int]] = dict.fromkeys(COUNTS, 0)


class CorrectionRefusedError(IngestError):
    """A file of corrections has faults, so that none of it was taken.

    Attributes:
        findings: What is wrong.
    """

    def __init__(self, findings: list[Finding]) -> None:
        first = findings[0]
        super().__init__(f"{first.file}:{first.line}: {first.code}: {first.message}; nothing was corrected")
        self.findings = findings


def void(warehouse: Warehouse, hand_id: str, *, operator: str, why: str, at: datetime) -> int:
    """Withdraw a hand: it stays readable, and counts no more. Return the batch.

    Raises:
        IngestError: There is no such hand, or it is void already.
    """
    with warehouse.transaction() as connection:
        hand_key, counts = _latest(connection, hand_id)
        if not counts:
            raise IngestError(f"hand {hand_id!r} is void already; see `coastal history`")
        acts = _Acts(connection, operator, why, at)
        acts.add("void", hand_id, hand_key, None)
        return acts.finish("void", 0, at, NO_COUNTS | {"corrections": 1}, Contents())


def correct(
    warehouse: Warehouse,
    blocks: Iterable[Block],
    *,
    operator: str,
    why: str,
    level: int,
    clock: Callable[[], datetime],
    on_finding: Callable[[Finding], None] = lambda finding: None,
) -> dict[str, Any]:
    """Replace hands by the lines of a file, all of them or none; a void hand counts again.

    Args:
        warehouse: The open warehouse.
        blocks: Sound `canasta-hand/1` lines, each of a hand that the warehouse has.
        operator: Who does it.
        why: The reason.
        level: The checking level.
        clock: Tells the present instant.
        on_finding: Hears where a corrected hand and its neighbours in the game do not follow each other.

    Returns:
        ``{"corrected", "unchanged", "warnings", "batch"}``: how many hands, how many lines said what counts
        already, how many warnings, and the last batch or None.

    Raises:
        CorrectionRefusedError: A line has a fault.
        IngestError: A line's hand is not in the warehouse, or its place in its game is another's.
    """
    report: dict[str, Any] = {"corrected": 0, "unchanged": 0, "warnings": 0, "batch": None}
    with warehouse.transaction() as connection:
        first, _ = next_batch(connection)
        for block in blocks:
            corrected, batch = _correct_block(connection, block, operator, why, level, clock)
            report["corrected"] += corrected
            report["unchanged"] += len(block) - corrected
            report["batch"] = batch or report["batch"]
        statement = "SELECT DISTINCT game_id FROM hand WHERE batch >= $first"
        games = {game for (game,) in connection.execute(statement, {"first": first}).fetchall()}
        warnings = judge_continuity(connection, games, first)
    report["warnings"] = len(warnings)
    for finding in warnings:
        on_finding(finding)
    return report


def unknown_hand(cursor: duckdb.DuckDBPyConnection, hand_id: str) -> IngestError:
    """Return an error that names the hands whose ids look like one that is not there."""
    near = [row[0] for row in cursor.execute(sql("nearest_hands"), {"hand_id": hand_id}).fetchall()]
    hint = f"; did you mean {', '.join(map(repr, near))}?" if near else "; the warehouse has no hands"
    return IngestError(f"there is no hand {hand_id!r}{hint}")


def _latest(connection: duckdb.DuckDBPyConnection, hand_id: str) -> tuple[int, bool]:
    """Return the key of a hand's latest version and whether it counts."""
    row = first_row(connection, sql("current_version"), {"hand_id": hand_id})
    if row is None:
        raise unknown_hand(connection, hand_id)
    return row


class _Acts:
    """Corrections of one batch."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, operator: str, why: str, at: datetime) -> None:
        self.connection = connection
        self.operator = operator
        self.why = why
        self.at = utc_naive(at)
        self.batch, _ = next_batch(connection)
        self.records: list[str] = []

    def add(
        self, kind: Literal["void", "replace"], hand_id: str, hand_key: int, replacement: int | None
    ) -> None:
        """Record that a version counts no more."""
        values: dict[str, Any] = {
            "kind": kind,
            "hand_id": hand_id,
            "hand_key": hand_key,
            "replacement": replacement,
            "operator": self.operator,
            "at": self.at,
            "why": self.why,
        }
        self.connection.execute(
            """
            INSERT INTO correction
            SELECT coalesce(max(correction_key), 0) + 1, $kind, $hand_id, $hand_key, $replacement, $operator,
                $at, $why, $batch
            FROM correction
            """,
            values | {"batch": self.batch},
        )
        self.records.append(correction_record(**values))

    def finish(
        self,
        kind: Literal["void", "correct"],
        level: int,
        started_at: datetime,
        counts: dict[str, int],
        contents: Contents,
    ) -> int:
        """Link the batch into the chain and return its number."""
        return add_batch(
            self.connection,
            kind=kind,
            level=level,
            started_at=started_at,
            finished_at=started_at,
            counts=counts,
            contents=replace(contents, corrections=self.records),
        )


def _correct_block(
    connection: duckdb.DuckDBPyConnection,
    block: Block,
    operator: str,
    why: str,
    level: int,
    clock: Callable[[], datetime],
) -> tuple[int, int | None]:
    """Replace the hands of a block; return how many changed, and the batch."""
    checked = check_block(block, level)
    errors = [finding for _, finding in checked.findings if finding.is_error]
    if errors:
        raise CorrectionRefusedError(errors)
    if checked.players:
        raise IngestError("players' files are not corrected: load the new statement with `coastal ingest`")
    hands = checked.hands
    hashes = content_hashes(hands)
    ids = hands.texts[c.HAND_ID].to_pylist()
    if len(set(ids)) < len(ids):
        raise IngestError("a hand is corrected twice in one file; nothing was corrected")
    replaced = [_latest(connection, hand_id) for hand_id in ids]
    changed = np.array(
        [
            place
            for place, (hand_key, counts) in enumerate(replaced)
            if not counts or _content(connection, hand_key) != hashes.content[place].as_py()
        ],
        dtype=np.int64,
    )
    if len(changed) == 0:
        return 0, None
    hands, hashes = hands.take(changed), ContentHashes(*(one.take(changed) for one in hashes))
    acts = _Acts(connection, operator, why, clock())
    first = next_hand_key(connection)
    for place, index in enumerate(changed.tolist()):
        acts.add("replace", ids[index], replaced[index][0], first + place)
    sources = source_keys(connection, block.sources)
    places = places_of(block, hands.rows, sources)
    insert_hands(connection, hands, first + np.arange(len(hands)), hashes, places, acts.batch)
    _require_free_places(connection, first)
    close_refusals(connection, hands, clock())
    names = {key: name for name, key in sources.items()}
    contents = Contents(hashes.content.to_pylist(), places=places, sources=names)
    batch = acts.finish("correct", level, clock(), _counts(hands), contents)
    return len(changed), batch


def _content(connection: duckdb.DuckDBPyConnection, hand_key: int) -> bytes:
    row = only_row(connection, "SELECT content_hash FROM hand WHERE hand_key = $key", {"key": hand_key})
    return bytes(row[0])


def _require_free_places(connection: duckdb.DuckDBPyConnection, first: int) -> None:
    """Refuse corrections that move a hand to a place in a game that another hand has."""
    taken = first_row(
        connection,
        """
        SELECT game_id, hand_no, list(hand_id ORDER BY hand_id)
        FROM hand_current
        WHERE (game_id, hand_no) IN (SELECT (game_id, hand_no) FROM hand WHERE hand_key >= $first)
        GROUP BY ALL HAVING count(*) > 1 ORDER BY game_id, hand_no LIMIT 1
        """,
        {"first": first},
    )
    if taken is not None:
        raise IngestError(
            f"hand {taken[1]} of game {taken[0]!r} would be {' and '.join(map(repr, taken[2]))}"
        )


def _counts(hands: HandColumns) -> dict[str, int]:
    return NO_COUNTS | {
        "lines": len(hands),
        "loaded": len(hands),
        "hands": len(hands),
        "seats": int(hands.numbers[:, c.SEAT_COUNT].sum()),
        "side_results": int(hands.numbers[:, c.SIDE_COUNT].sum()),
        "corrections": len(hands),
    }
