"""Tell all that happened to a hand: its versions, what each correction changed, its lines in quarantine."""

from __future__ import annotations

from typing import Any, Final

import duckdb

from ingest.corrections import unknown_hand
from ingest.quarantine import list_refused
from ingest.queries import sql
from ingest.records import records

#: What `history` tells of a version that is not said by the hand itself.
_NOT_SAID: Final = {
    "version",
    "hand_key",
    "content_hash",
    "source",
    "line",
    "batch",
    "file",
    "loaded_at",
    "loaded_by",
    "counts",
}


def history(cursor: duckdb.DuckDBPyConnection, hand_id: str) -> dict[str, Any]:
    """Return all that is known of a hand: its versions, corrections, and lines of it in quarantine.

    Versions are numbered from 1. A correction names them as `version` and `replacement_version` (None where
    the hand was withdrawn), with `changes`: each field that differs, as ``{"field", "old", "new"}``.

    Raises:
        IngestError: Nothing is known of it; names the nearest.
    """
    versions = _versions(cursor, hand_id)
    corrections = records(
        cursor,
        "FROM correction WHERE hand_id = $hand_id ORDER BY correction_key",
        {"hand_id": hand_id},
    )
    refused = list_refused(cursor, None, hand_id=hand_id)
    if not versions and not refused:
        raise unknown_hand(cursor, hand_id)
    of_key = {version["hand_key"]: version for version in versions}
    for act in corrections:
        old, new = of_key[act["hand_key"]], of_key.get(act["replacement_hand_key"])
        act["version"] = old["version"]
        act["replacement_version"] = None if new is None else new["version"]
        act["changes"] = [] if new is None else _changes(_fields(old), _fields(new))
    return {"hand_id": hand_id, "versions": versions, "corrections": corrections, "quarantine": refused}


def _versions(cursor: duckdb.DuckDBPyConnection, hand_id: str) -> list[dict[str, Any]]:
    versions = records(cursor, sql("hand_history"), {"hand_id": hand_id})
    for number, version in enumerate(versions, 1):
        version["version"] = number
        version["sides"] = records(
            cursor,
            "FROM side_result WHERE hand_key = $key ORDER BY side",
            {"key": version["hand_key"]},
        )
        version["seats"] = records(
            cursor,
            """
            SELECT seat, side, kind, player, skill
            FROM seat LEFT JOIN player USING (player_key) WHERE hand_key = $key ORDER BY seat
            """,
            {"key": version["hand_key"]},
        )
    return versions


def _fields(version: dict[str, Any]) -> dict[str, Any]:
    """Lay out what a version of a hand says, by path, such as ``turns`` or ``sides.0.points``."""
    fields = {name: value for name, value in version.items() if name not in _NOT_SAID}
    for group, key in (("sides", "side"), ("seats", "seat")):
        for row in fields.pop(group):
            said = {name: value for name, value in row.items() if name not in ("hand_key", key)}
            fields |= {f"{group}.{row[key]}.{name}": value for name, value in said.items()}
    return fields


def _changes(old: dict[str, Any], new: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"field": name, "old": old.get(name), "new": new.get(name)}
        for name in old | new
        if old.get(name) != new.get(name)
    ]
