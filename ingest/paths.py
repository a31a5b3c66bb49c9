"""Where a warehouse and what lies beside it are."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

#: How the name of a warehouse ends, as a rule; left out of the names of what lies beside it.
ENDING: Final = ".duckdb"


def warehouse_file(path: str | Path) -> Path:
    """Return the file that a warehouse's name stands for: of a symbolic link the one that it leads to."""
    path = Path(path)
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def beside(warehouse: str | Path, what: str) -> Path:
    """Return where something of a warehouse lies: `data/coastal.runs` for the runs of `data/coastal.duckdb`.

    Only the ending `.duckdb` is left out, so that `league.2025` and `league.2026` share nothing.
    """
    file = warehouse_file(warehouse)
    return file.with_name(f"{file.name.removesuffix(ENDING)}.{what}")


def runs_directory(warehouse: str | Path) -> Path:
    """Return where a warehouse's runs keep their history."""
    return beside(warehouse, "runs")
