"""The room's SQL: a file a statement, values bound by name, never spliced."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "sql"


@cache
def sql(name: str) -> str:
    """Return the statement in `sql/<name>.sql`."""
    return (_FOLDER / f"{name}.sql").read_text(encoding="utf-8")
