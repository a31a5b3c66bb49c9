"""Published snapshots: immutable files that readers open while the warehouse is being written.

Beside `data/coastal.duckdb` lies `data/coastal.snapshots/` with `<number>.duckdb`, a `<number>.lock` for
each, and `CURRENT`, which holds the number to read. A number is never used twice, so a path always means the
same content. A reader holds a shared lock on its snapshot's lock file; the publisher removes only what it can
lock alone.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

import duckdb

from engine.errors import SnapshotMissingError
from ingest.durable import sync
from ingest.paths import beside
from ingest.records import only_row
from ingest.storage_errors import storage_error
from ingest.times import utc_naive
from ingest.warehouse import STORAGE_VERSION, Warehouse, quoted

#: Snapshots kept beside the newest, for readers that are just opening one.
KEPT_BEFORE_CURRENT = 1
#: How often a reader looks again when a snapshot went away between reading CURRENT and opening it.
TRIES = 10

#: `build(cursor, number, published_at)` fills the schema `serving` of a cursor that also sees the warehouse's
#: tables; `published_at` is in UTC without a zone.
Build = Callable[[duckdb.DuckDBPyConnection, int, datetime], None]


class Snapshot:
    """An open snapshot; a context manager.

    Attributes:
        number: Which one it is.
        path: Its file.
        connection: Read-only and closed to everything outside the file. Use a `cursor` a call.
    """

    def __init__(self, number: int, path: Path, connection: duckdb.DuckDBPyConnection, lock: int) -> None:
        self.number = number
        self.path = path
        self.connection = connection
        self._lock = lock

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Return a cursor of its own, safe beside others in other threads."""
        return self.connection.cursor()

    def close(self) -> None:
        """Close the file and let the publisher remove it when it is old."""
        self.connection.close()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def snapshots_directory(warehouse: str | Path) -> Path:
    """Return where a warehouse's snapshots lie: `data/coastal.snapshots` for `data/coastal.duckdb`."""
    return beside(warehouse, "snapshots")


def current_number(warehouse: str | Path) -> int | None:
    """Return the number of the published snapshot, None when nothing has been published."""
    try:
        return int((snapshots_directory(warehouse) / "CURRENT").read_text())
    except FileNotFoundError:
        return None


def open_snapshot(warehouse: str | Path) -> Snapshot:
    """Open the published snapshot of a warehouse; works while the warehouse is being written.

    Args:
        warehouse: The warehouse's file, which itself is not opened.

    Raises:
        SnapshotMissingError: Nothing has been published yet.
    """
    directory = snapshots_directory(warehouse)
    for _ in range(TRIES):
        number = current_number(warehouse)
        if number is None:
            break
        lock = _share(directory / f"{number}.lock")
        path = directory / f"{number}.duckdb"
        if lock is not None and path.exists():
            return Snapshot(number, path, _connect(path), lock)
        if lock is not None:
            os.close(lock)
    raise SnapshotMissingError(
        f"nothing has been published beside {warehouse}: load hands with `coastal ingest`, rate them with "
        "`coastal replay --name league`"
    )


def publish(warehouse: Warehouse, build: Build, at: datetime) -> int:
    """Build a snapshot and make it the published one; return its number.

    Readers see the old one or the new one, whole, whatever happens here. Old ones that nobody reads are
    removed.

    Args:
        warehouse: The open warehouse.
        build: Creates the tables of the snapshot in the schema `serving`.
        at: The present instant.

    Raises:
        IngestError: The disk is full or fails; the old snapshot stays published.
    """
    directory = snapshots_directory(warehouse.path)
    directory.mkdir(exist_ok=True)
    warehouse.checkpoint()
    number = _take_number(warehouse, at)
    draft = directory / f"{number}.duckdb.tmp"
    try:
        _build(warehouse, build, draft, number, at)
    except duckdb.Error as error:
        raise storage_error(draft, error) from error
    finally:
        _remove_other_drafts(directory, keep=draft)
    (directory / f"{number}.lock").touch()
    sync(draft)
    draft.rename(directory / f"{number}.duckdb")
    _point_current(directory, number)
    remove_old(warehouse.path)
    return number


def remove_old(warehouse: str | Path) -> list[int]:
    """Remove snapshots older than the published one that no reader holds, and return their numbers."""
    directory = snapshots_directory(warehouse)
    current = current_number(warehouse)
    old = [number for number in _numbers(directory) if current is not None and number < current]
    return [number for number in old[: len(old) - KEPT_BEFORE_CURRENT] if _remove(directory, number)]


def _numbers(directory: Path) -> list[int]:
    """Return the numbers of which anything lies there, whole or not, ascending."""
    names = {path.name.partition(".")[0] for path in directory.iterdir()}
    return sorted(int(name) for name in names if name.isdigit())


def _take_number(warehouse: Warehouse, at: datetime) -> int:
    """Give out a number that was never given, greater than every one before."""
    present = _numbers(snapshots_directory(warehouse.path))
    with warehouse.transaction() as connection:
        (last,) = only_row(connection, "SELECT coalesce(max(snapshot), 0) FROM snapshot")
        number = max([int(last), current_number(warehouse.path) or 0, *present]) + 1
        connection.execute(
            "INSERT INTO snapshot VALUES ($number, $at)", {"number": number, "at": utc_naive(at)}
        )
    return number


def _build(warehouse: Warehouse, build: Build, draft: Path, number: int, at: datetime) -> None:
    """Let the caller fill the draft, and leave it whole on disk."""
    cursor = warehouse.cursor()
    cursor.execute(f"ATTACH {quoted(draft)} AS serving (STORAGE_VERSION '{STORAGE_VERSION}')")
    try:
        build(cursor, number, utc_naive(at))
        cursor.execute("CHECKPOINT serving")
    finally:
        cursor.execute("DETACH serving")
        cursor.close()


def _share(lock: Path) -> int | None:
    """Take a reader's lock; None when the snapshot is just being removed."""
    try:
        descriptor = os.open(lock, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def _remove(directory: Path, number: int) -> bool:
    """Remove a snapshot unless a reader holds it."""
    lock = directory / f"{number}.lock"
    descriptor = os.open(lock, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        (directory / f"{number}.duckdb").unlink(missing_ok=True)
        lock.unlink(missing_ok=True)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True


def _remove_other_drafts(directory: Path, keep: Path) -> None:
    """Remove what crashed publishers left; the warehouse's lock says that there is no other publisher."""
    for path in directory.glob("*.duckdb.tmp*"):
        if not path.name.startswith(keep.name):
            path.unlink(missing_ok=True)


def _point_current(directory: Path, number: int) -> None:
    """Replace the pointer in one step, durably."""
    pointer = directory / "CURRENT.tmp"
    pointer.write_text(f"{number}\n")
    sync(pointer)
    pointer.rename(directory / "CURRENT")
    sync(directory)


def _connect(path: Path) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(str(path), read_only=True)
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return connection
