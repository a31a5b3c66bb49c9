"""The quarantine: list what was refused, show why, try again, or drop it for good."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, Final

import duckdb
import numpy as np
import orjson
import pyarrow.compute as pc

from engine.errors import IngestError
from ingest.checking import STRUCTURE
from ingest.columns import Ints
from ingest.findings import CODES, Finding, Place
from ingest.load import BlockLoad, Loader, LoadReport, Tried
from ingest.queries import sql
from ingest.records import arrow_table, records
from ingest.refusals import numbered, replace_findings
from ingest.sources import BLOCK_BYTES, one_block, source_kind
from ingest.times import utc_naive
from ingest.warehouse import Warehouse

#: How many lines are tried again in one transaction, if they hold no more text than a block of a log: what is
#: wrong with lines takes more memory and time than lines.
RETRY_LINES: Final = 10_000


def list_refused(
    cursor: duckdb.DuckDBPyConnection,
    status: str | None = "open",
    most: int = 1000,
    hand_id: str | None = None,
) -> list[dict[str, Any]]:
    """Return lines in quarantine, the oldest first, with the codes of their errors.

    Args:
        cursor: Of the warehouse.
        status: ``open``, ``loaded`` or ``dropped``; None for all.
        most: How many at most.
        hand_id: Only lines of this hand; None for all.
    """
    return records(cursor, sql("quarantine_list"), {"status": status, "most": most, "hand_id": hand_id})


def open_numbers(cursor: duckdb.DuckDBPyConnection) -> list[int]:
    """Return the numbers of the lines in quarantine that are open, ascending."""
    statement = "SELECT quarantine_key FROM quarantine WHERE status = 'open' ORDER BY quarantine_key"
    return [key for (key,) in cursor.execute(statement).fetchall()]


def show_refused(cursor: duckdb.DuckDBPyConnection, key: int) -> dict[str, Any]:
    """Return one line with its findings; ``raw`` holds its bytes.

    Raises:
        IngestError: There is no such line.
    """
    found = records(cursor, sql("quarantine_show"), {"key": key})
    if not found:
        raise IngestError(f"nothing in quarantine has the number {key}; see `coastal quarantine list`")
    faults = records(
        cursor,
        "FROM quarantine_finding WHERE quarantine_key = $key ORDER BY position",
        {"key": key},
    )
    for fault in faults:
        del fault["quarantine_key"], fault["position"]
        fault |= {name: orjson.loads(fault[name] or "null") for name in ("expected", "found")}
    return found[0] | {"findings": faults}


def retry(
    warehouse: Warehouse,
    keys: list[int],
    *,
    level: int | None = None,
    clock: Callable[[], datetime],
    operator: str,
    corrected: bytes | None = None,
    on_finding: Callable[[Finding], None] = lambda finding: None,
    in_turn: Callable[[Iterable[slice]], Iterable[slice]] = iter,
) -> LoadReport:
    """Check lines in quarantine again; those that are sound now load and leave it, the others stay.

    They are taken in the order of their numbers, in blocks, each of which is durable when the next is taken.

    Args:
        warehouse: The open warehouse.
        keys: Open lines, by number.
        level: The checking level; None for the highest at which one of them was refused, so that none
            loads only because less is asked of it now.
        clock: Tells the present instant.
        operator: Who asks for it.
        corrected: A line to take in place of the one in quarantine; then `keys` has one number.
        on_finding: Hears what is still wrong.
        in_turn: Passes the blocks on, as slices of the lines; where it ends early, the rest stay as they are.

    Raises:
        IngestError: A line is not in quarantine, or no longer open.
    """
    _require_open(warehouse.cursor(), keys)
    if not keys:
        return LoadReport()
    with warehouse.cursor() as cursor, numbered(cursor, sorted(set(keys))):
        lines = arrow_table(cursor, sql("quarantine_sizes"))
    numbers, sizes = (np.asarray(lines[name], dtype=np.int64) for name in ("quarantine_key", "size"))
    if level is None:
        level = int(pc.max(lines["level"]).as_py())
    loader = Loader(warehouse, level, clock, kind="retry", on_finding=on_finding)
    for part in in_turn(_blocks(sizes)):
        _retry_block(loader, numbers[part], numbers[part.stop :], operator, corrected)
    loader.finish()
    return loader.report


def _blocks(sizes: Ints) -> Iterator[slice]:
    """Cut [n] lines of some sizes, in bytes, into blocks; a line that is larger than a block is one."""
    ends = np.cumsum(sizes)
    first = 0
    while first < len(sizes):
        fitting = int(np.searchsorted(ends, ends[first] - sizes[first] + BLOCK_BYTES, side="right"))
        last = min(max(fitting, first + 1), first + RETRY_LINES)
        yield slice(first, last)
        first = last


def _retry_block(
    loader: Loader, numbers: Ints, waiting: Ints, operator: str, corrected: bytes | None
) -> None:
    """Check lines again in one transaction, while others wait for their turn."""
    with loader.warehouse.cursor() as cursor, numbered(cursor, numbers):
        lines = records(cursor, sql("quarantine_lines"))
    block = one_block(
        [
            (Place(line["file"], line["line"]), line["raw"] if corrected is None else corrected)
            for line in lines
        ]
    )

    def close(load: BlockLoad, _: int) -> None:
        wrong: dict[int, list[Finding]] = defaultdict(list)
        for row, finding in load.findings:
            wrong[row].append(finding)
        sound, still_wrong = list[int](), dict[int, list[Finding]]()
        for row, line in enumerate(lines):
            if not any(finding.is_error for finding in wrong[row]):
                sound.append(line["quarantine_key"])
            elif corrected is None and not _tells_of_rows(line):
                still_wrong[line["quarantine_key"]] = wrong[row]
        _close(load.connection, sound, "loaded", operator, "tried again", loader.clock())
        replace_findings(load.connection, still_wrong)

    loader.load(block, close, Tried(numbers, waiting))


def drop(warehouse: Warehouse, key: int, *, operator: str, why: str, at: datetime) -> None:
    """Close a line for good; it stays readable, with who dropped it, when and why.

    Raises:
        IngestError: The line is not in quarantine, or no longer open.
    """
    _require_open(warehouse.cursor(), [key])
    with warehouse.transaction() as connection:
        _close(connection, [key], "dropped", operator, why, at)


def _tells_of_rows(line: dict[str, Any]) -> bool:
    """Say whether a line's findings are about a score sheet's rows, which the line does not hold."""
    is_sheet = source_kind(line["file"]) == "score_sheet"
    return is_sheet and any(CODES[code].level == STRUCTURE for code in line["codes"])


def _require_open(cursor: duckdb.DuckDBPyConnection, keys: Sequence[int]) -> None:
    """Refuse the first of some numbers that is not of an open line."""
    others = set(keys).difference(open_numbers(cursor))
    if others:
        key = min(others)
        line = show_refused(cursor, key)
        raise IngestError(f"quarantine {key} is {line['status']} since {line['closed_at']}: {line['why']}")


def _close(
    connection: duckdb.DuckDBPyConnection,
    keys: Sequence[int],
    status: str,
    operator: str,
    why: str,
    at: datetime,
) -> None:
    with numbered(connection, keys):
        connection.execute(
            """
            UPDATE quarantine SET status = $status, closed_at = $at, closed_by = $operator, why = $why
            WHERE quarantine_key IN (FROM numbered)
            """,
            {"status": status, "at": utc_naive(at), "operator": operator, "why": why},
        )
