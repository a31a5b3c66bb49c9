"""The quarantine: list what was refused, show why, try again, or drop it for good."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from datetime import datetime
from typing import Any

import duckdb
import orjson

from engine.errors import IngestError
from ingest.checking import STRUCTURE
from ingest.findings import CODES, Finding, Place
from ingest.load import BlockLoad, Loader, LoadReport
from ingest.queries import sql
from ingest.records import records
from ingest.refusals import replace_findings
from ingest.sources import one_block, source_kind
from ingest.times import utc_naive
from ingest.warehouse import Warehouse


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
) -> LoadReport:
    """Check lines in quarantine again; those that are sound now load and leave it, the others stay.

    Args:
        warehouse: The open warehouse.
        keys: Open lines, by number.
        level: The checking level; None for the highest at which one of them was refused, so that none
            loads only because less is asked of it now.
        clock: Tells the present instant.
        operator: Who asks for it.
        corrected: A line to take in place of the one in quarantine; then `keys` has one number.
        on_finding: Hears what is still wrong.

    Raises:
        IngestError: A line is not in quarantine, or no longer open.
    """
    lines = [_open_line(warehouse, key) for key in sorted(set(keys))]
    if not lines:
        return LoadReport()
    if level is None:
        level = max(line["level"] for line in lines)
    block = one_block(
        [
            (Place(line["file"], line["line"]), line["raw"] if corrected is None else corrected)
            for line in lines
        ]
    )
    loader = Loader(warehouse, level, clock, kind="retry", on_finding=on_finding)

    def close(load: BlockLoad, _: int) -> None:
        wrong: dict[int, list[Finding]] = defaultdict(list)
        for row, finding in load.findings:
            wrong[row].append(finding)
        for row, line in enumerate(lines):
            key = line["quarantine_key"]
            if not any(finding.is_error for finding in wrong[row]):
                _close(load.connection, key, "loaded", operator, "tried again", clock())
            elif corrected is None and not _tells_of_rows(line):
                replace_findings(load.connection, key, wrong[row])

    loader.load(block, close, [line["quarantine_key"] for line in lines])
    loader.finish()
    return loader.report


def drop(warehouse: Warehouse, key: int, *, operator: str, why: str, at: datetime) -> None:
    """Close a line for good; it stays readable, with who dropped it, when and why.

    Raises:
        IngestError: The line is not in quarantine, or no longer open.
    """
    _open_line(warehouse, key)
    with warehouse.transaction() as connection:
        _close(connection, key, "dropped", operator, why, at)


def _tells_of_rows(line: dict[str, Any]) -> bool:
    """Say whether a line's findings are about a score sheet's rows, which the line does not hold."""
    is_sheet = source_kind(line["file"]) == "score_sheet"
    return is_sheet and any(CODES[fault["code"]].level == STRUCTURE for fault in line["findings"])


def _open_line(warehouse: Warehouse, key: int) -> dict[str, Any]:
    line = show_refused(warehouse.cursor(), key)
    if line["status"] != "open":
        raise IngestError(f"quarantine {key} is {line['status']} since {line['closed_at']}: {line['why']}")
    return line


def _close(
    connection: duckdb.DuckDBPyConnection, key: int, status: str, operator: str, why: str, at: datetime
) -> None:
    connection.execute(
        """
        UPDATE quarantine SET status = $status, closed_at = $at, closed_by = $operator, why = $why
        WHERE quarantine_key = $key
        """,
        {"key": key, "status": status, "at": utc_naive(at), "operator": operator, "why": why},
    )
