"""Rating runs: which there are, which is current, and what of their history still has to be kept."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

import duckdb

from engine.errors import RatingError
from ingest.times import utc_naive
from ingest.warehouse import Warehouse
from rating.history import KINDS, part_file
from rating.queries import sql
from rating.reading import Place

_PARQUET_MARK: Final = b"PAR1"
#: A run's name is a folder's name too.
RUN_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,63}")
#: The folder that a run is made in, which no run can be named.
DRAFT: Final = ".draft"
#: The files of a run's history.
_HISTORY_FILE: Final = re.compile(rf"\d+\.({'|'.join(KINDS)})\.parquet|(slot|pool)\.parquet")


class UnknownRunError(RatingError):
    """There is no run of that name, or none at all; the text suggests the nearest names."""


@dataclass(frozen=True)
class Part:
    """A part of a run's history.

    Attributes:
        folder: Name of the folder that holds its files: that of the run that wrote them.
        number: Of its files in that folder.
        hands, rated, changes, sides, events: How many it holds.
        last: Its last hand's place in the total order, None when it has no hand.
    """

    folder: str
    number: int
    hands: int
    rated: int
    changes: int
    sides: int
    events: int
    last: Place | None


@dataclass(frozen=True)
class Run:
    """A finished run.

    Attributes:
        run, name: Its key and its name.
        parameters, parameters_toml, parameters_hash: The parameter set: name, whole, SHA-256.
        code_version: The version of Coastal that folded it.
        hand_watermark, correction_watermark, batch_watermark: How far it saw the log.
        hands, rated, changes, events: How many hands the log held, how many counted, rows of history.
        started_at: UTC, no zone.
        seconds: How long it took.
        is_current: Whether it is the one that is shown.
        current_since, current_why: When, UTC, no zone, and why it was made that; None when it is not.
    """

    run: int
    name: str
    parameters: str
    parameters_toml: str
    parameters_hash: str
    code_version: str
    hand_watermark: int
    correction_watermark: int
    batch_watermark: int
    hands: int
    rated: int
    changes: int
    events: int
    started_at: datetime
    seconds: float
    is_current: bool
    current_since: datetime | None
    current_why: str | None


def all_runs(cursor: duckdb.DuckDBPyConnection) -> list[Run]:
    """Return the finished runs in the order of their making."""
    return [Run(*row) for row in cursor.execute(sql("runs/list")).fetchall()]


def find_run(cursor: duckdb.DuckDBPyConnection, name: str | None = None) -> Run:
    """Return the run of a name, or the current one.

    Raises:
        UnknownRunError: There is none.
    """
    runs = all_runs(cursor)
    for run in runs:
        if run.name == name or (name is None and run.is_current):
            return run
    if not runs:
        raise UnknownRunError("there is no rating run yet: make one with `coastal replay --name league`")
    if name is None:
        raise UnknownRunError("no run is current: choose one with `coastal runs current NAME --why TEXT`")
    raise UnknownRunError(f"there is no run {name!r}; {nearest(name, [run.name for run in runs])}")


def nearest(wanted: str, names: Sequence[str]) -> str:
    """Suggest names like the one asked for, or name some."""
    close = difflib.get_close_matches(wanted, names, n=3, cutoff=0.5)
    if close:
        return f"did you mean {', '.join(close)}?"
    return f"there are: {', '.join(names[:10])}{', ...' if len(names) > 10 else ''}"


def parts_of(cursor: duckdb.DuckDBPyConnection, run: Run) -> list[Part]:
    """Return the parts of a run's history, in order."""
    rows = cursor.execute(sql("runs/parts"), {"run": run.run}).fetchall()
    names = ("folder", "number", "hands", "rated", "changes", "sides", "events")
    return [
        Part(**dict(zip(names, row, strict=False)), last=None if row[7] is None else Place(*row[7:]))
        for row in rows
    ]


def unusable_files(runs_directory: Path, run: Run, parts: Iterable[Part]) -> list[Path]:
    """Return which files of a run's history are missing or cut short, in order."""
    files = (runs_directory / file for file in _files(run, parts))
    return [file for file in files if not _is_whole(file)]


def _is_whole(file: Path) -> bool:
    """Say whether a file is there and ends as every Parquet file does, with its index and a mark."""
    try:
        with file.open("rb") as content:
            content.seek(-len(_PARQUET_MARK), os.SEEK_END)
            return content.read() == _PARQUET_MARK
    except OSError:
        return False


def whole_parts(cursor: duckdb.DuckDBPyConnection, runs_directory: Path, run: Run) -> list[Part]:
    """Return the parts of a run's history, in order, all of whose files are there.

    Raises:
        RatingError: A file is missing or cut short, as when a warehouse was copied without the folder of its
            runs, or a copy of that was not finished.
    """
    parts = parts_of(cursor, run)
    unusable = unusable_files(runs_directory, run, parts)
    if unusable:
        file = unusable[0]
        fault = f"{file} is cut short" if file.is_file() else f"{file.parent} lacks {file.name}"
        again = "`coastal rate`" if run.is_current else "`coastal replay --name NAME`"
        raise RatingError(
            f"run {run.name!r}: its history is not whole, {fault}: "
            f"make it again with {again}, or restore the folder from a backup"
        )
    return parts


def _files(run: Run, parts: Iterable[Part]) -> Iterator[Path]:
    """Yield the files of a run's history, from the folder of all runs."""
    for part in parts:
        for kind in KINDS:
            yield part_file(Path(part.folder), part.number, kind)
    for name in ("slot.parquet", "pool.parquet"):
        yield Path(run.name) / name


def check_new_name(cursor: duckdb.DuckDBPyConnection, runs_directory: Path, name: str) -> None:
    """Make sure that a new run can have a name.

    Raises:
        RatingError: It cannot be a folder's name, or it is taken.
    """
    if not RUN_NAME.fullmatch(name):
        raise RatingError(f"a run cannot be named {name!r}: letters, digits and . _ + - only, at most 64")
    if name in {run.name for run in all_runs(cursor)}:
        raise RatingError(
            f"there is a run {name!r} already, and a finished run never changes: choose another name"
        )
    if (runs_directory / name).exists():
        raise RatingError(
            f"later runs still share history of a pruned run {name!r}, or other files lie in "
            f"{runs_directory / name}: choose another name"
        )


def make_current(warehouse: Warehouse, name: str, why: str, at: datetime) -> Run:
    """Make another run the current one, in one act.

    Raises:
        UnknownRunError: There is no run of that name.
        RatingError: Its history is not whole.
    """
    with warehouse.transaction() as connection:
        run = find_run(connection, name)
        whole_parts(connection, warehouse.runs_directory, run)
        record_current(connection, run.run, why, at)
        return find_run(connection, name)


def record_current(connection: duckdb.DuckDBPyConnection, run: int, why: str, at: datetime) -> None:
    """Record that a run becomes current, within a transaction of the caller."""
    connection.execute(sql("runs/make_current"), {"run": run, "since": utc_naive(at), "why": why})


def prune(warehouse: Warehouse, names: Iterable[str]) -> list[Run]:
    """Remove runs, and those of their files that no other run shares; return them.

    Raises:
        UnknownRunError: There is no run of a name.
        RatingError: One of them is current.
    """
    with warehouse.transaction() as connection:
        doomed = [find_run(connection, name) for name in names]
        for run in doomed:
            if run.is_current:
                raise RatingError(f"run {run.name!r} is current: make another current first")
            for table in ("prune_parts", "prune_run"):
                connection.execute(sql(f"runs/{table}"), {"run": run.run})
    remove_unowned(warehouse)
    return doomed


def remove_unowned(warehouse: Warehouse) -> None:
    """Remove history that no finished run refers to: of pruned runs, and what a crash left.

    What is no history, as a file that a person or a system put there, stays.
    """
    directory = warehouse.runs_directory
    if not directory.is_dir():
        return
    cursor = warehouse.cursor()
    kept = {directory / file for run in all_runs(cursor) for file in _files(run, parts_of(cursor, run))}
    for path in directory.glob("*/*"):
        if _HISTORY_FILE.fullmatch(path.name) and path.is_file() and path not in kept:
            path.unlink()
    for folder in directory.iterdir():
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
