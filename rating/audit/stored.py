"""A run's stored history as it lies in its files, part after part, for checks that look at every row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from rating.elo import FloatArray, IntArray
from rating.history import KINDS, Slots, part_file, read_slots
from rating.runs import Part, Run, whole_parts


@dataclass(frozen=True)
class StoredPart:
    """One part's rows, each kind in the order in which they were rated, and the checkpoint behind it."""

    change: pa.Table
    side: pa.Table
    event: pa.Table
    state: pa.Table
    held: pa.Table


@dataclass(frozen=True)
class StoredRun:
    """A run's files.

    Attributes:
        runs_directory: Where all runs lie.
        parts: The run's, in order.
        slots: Whose numbers each slot holds.
    """

    runs_directory: Path
    parts: list[Part]
    slots: Slots

    def __iter__(self) -> Iterator[StoredPart]:
        """Yield the parts."""
        for part in self.parts:
            yield StoredPart(*(self.read(part, kind) for kind in KINDS))

    def read(self, part: Part, kind: str) -> pa.Table:
        """Return one kind of a part's rows."""
        return pq.read_table(part_file(self.runs_directory / part.folder, part.number, kind))


def stored_run(cursor: duckdb.DuckDBPyConnection, runs_directory: Path, run: Run) -> StoredRun:
    """Open the files of a run.

    Raises:
        RatingError: The run's history is not whole.
    """
    return StoredRun(
        runs_directory, whole_parts(cursor, runs_directory, run), read_slots(runs_directory / run.name)
    )


def ints(table: pa.Table, *names: str) -> IntArray:
    """Return whole-number columns side by side, (rows, names)."""
    return np.column_stack([table[name].to_numpy().astype(np.int64) for name in names])


def floats(table: pa.Table, *names: str) -> FloatArray:
    """Return float columns side by side, (rows, names)."""
    return np.column_stack([table[name].to_numpy() for name in names])
