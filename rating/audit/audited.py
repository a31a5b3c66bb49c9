"""A run opened for an audit: its record, its parameters, and the log as far as it saw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import duckdb

from ingest.records import records
from ingest.warehouse import Warehouse
from rating.audit.log import Watermarks
from rating.parameters import Parameters
from rating.queries import sql
from rating.runs import Run, find_run
from rating.views import open_run, parameters_of


@dataclass(frozen=True)
class AuditedRun:
    """A run under audit.

    Attributes:
        warehouse: The open warehouse.
        cursor: Sees the run's views (`rating.views.open_run`).
        run: The run.
        parameters: Its parameter set.
    """

    warehouse: Warehouse
    cursor: duckdb.DuckDBPyConnection
    run: Run
    parameters: Parameters

    @property
    def seen(self) -> Watermarks:
        """How far the run saw the log."""
        return Watermarks(self.run.hand_watermark, self.run.correction_watermark, self.run.batch_watermark)

    def records(self, name: str, **values: object) -> list[dict[str, Any]]:
        """Return what the query `sql/audit/<name>.sql` finds, a dict a row."""
        return records(self.cursor, sql(f"audit/{name}"), values)


def audited_run(warehouse: Warehouse, name: str | None = None) -> AuditedRun:
    """Open the run of a name, or the current one, for an audit.

    Raises:
        UnknownRunError: There is none; the text suggests the nearest names.
    """
    cursor = warehouse.cursor()
    run = find_run(cursor, name)
    open_run(cursor, warehouse.runs_directory, run)
    return AuditedRun(warehouse, cursor, run, parameters_of(run))
