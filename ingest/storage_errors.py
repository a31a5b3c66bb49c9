"""What DuckDB and the disk say when a file cannot be read or written, in words for an operator."""

from __future__ import annotations

from pathlib import Path

import duckdb

from engine.errors import CoastalError, IngestError, NotAWarehouseError


def is_storage_failure(error: duckdb.Error) -> bool:
    """Tell a failing disk from a faulty statement."""
    is_named = isinstance(error, (duckdb.IOException, duckdb.FatalException))
    return is_named or "Could not write" in str(error) or "Failed to commit" in str(error)


def storage_error(path: Path, error: duckdb.Error | OSError) -> CoastalError:
    """Put a failure of the disk or of the file in words for an operator."""
    text = str(error)
    if "No space left" in text or "not enough disk space" in text.lower():
        return IngestError(
            f"no space left for {path}; what was loaded before is safe: free space and load again"
        )
    if "Read-only file system" in text or "Permission denied" in text:
        return IngestError(f"{path} cannot be written: {text.splitlines()[0]}")
    if "not a valid DuckDB database file" in text:
        return NotAWarehouseError(f"{path} is no warehouse: name one, or a file that does not exist yet")
    return IngestError(f"{path} cannot be used: {text.splitlines()[0]}")
