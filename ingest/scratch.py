"""Check files without keeping anything: load them into a warehouse that is thrown away.

What `coastal check` says is therefore what `coastal ingest` would do with an empty warehouse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from ingest.findings import Finding
from ingest.load import Loader, LoadReport
from ingest.sources import Block
from ingest.warehouse import open_warehouse


def check_blocks(
    blocks: Iterable[Block], level: int, clock: Callable[[], datetime], on_finding: Callable[[Finding], None]
) -> LoadReport:
    """Check lines at a level, against each other too, and report every finding, duplicates included."""
    with (
        TemporaryDirectory(prefix="coastal-check-") as folder,
        open_warehouse(Path(folder) / "scratch.duckdb", at=clock()) as warehouse,
    ):
        loader = Loader(warehouse, level, clock, on_finding=on_finding, hears_duplicates=True)
        return loader.load_all(blocks)
