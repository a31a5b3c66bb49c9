"""What the warehouse holds, in numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ingest.queries import sql
from ingest.records import records
from ingest.retention import kept_days
from ingest.snapshot import current_number, snapshots_directory
from ingest.warehouse import Warehouse


def stats(warehouse: Warehouse) -> dict[str, Any]:
    """Return counts by writer, mode, rule set and month; quarantine; how fresh it is; its size in bytes."""
    cursor = warehouse.cursor()
    (totals,) = records(cursor, sql("stats_totals"))
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in records(cursor, sql("stats_groups")):
        groups.setdefault(row["grouping"], []).append({"value": row["value"], "hands": row["hands"]})
    return {
        **totals,
        "by_source": groups.get("source", []),
        "by_writer": groups.get("writer", []),
        "by_mode": groups.get("mode", []),
        "by_ruleset": groups.get("ruleset", []),
        "by_month": groups.get("month", []),
        "quarantine": records(cursor, sql("stats_quarantine")),
        "events_kept_days": kept_days(cursor),
        "snapshot": current_number(warehouse.path),
        "bytes": {
            "warehouse": _size(warehouse.path)
            + _size(warehouse.path.with_name(warehouse.path.name + ".wal")),
            "runs": _size(warehouse.runs_directory),
            "snapshots": _size(snapshots_directory(warehouse.path)),
        },
    }


def _size(path: Path) -> int:
    """Add up the bytes of a file or of a folder's files; 0 where there is none."""
    if path.is_dir():
        return sum(_size(one) for one in path.iterdir())
    return path.stat().st_size if path.exists() else 0
