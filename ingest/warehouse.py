"""The warehouse file: the one place that opens a DuckDB for writing.

One process owns `<warehouse>.duckdb` at a time. Readers of published data use `ingest.snapshot`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

import duckdb

from engine.errors import IngestError, MissingWarehouseError, WarehouseBusyError
from ingest.doublewrite import KEPT_BLOCKS, KeptBlocks, is_half_written, put_back_blocks
from ingest.durable import sync
from ingest.lock import WarehouseLock
from ingest.migrations import applied_version, apply_step, known_migrations, missing_steps
from ingest.paths import runs_directory, warehouse_file
from ingest.storage_errors import is_storage_failure, storage_error

#: Files stay readable by every DuckDB from 1.5 on.
STORAGE_VERSION = "v1.5.0"
#: What DuckDB may hold in memory; past it, it spills beside the warehouse.
MEMORY_LIMIT = "1GiB"
#: How large the write-ahead log grows before it is moved into the file: each move packs the last, partly
#: filled group of every table's rows anew, and opening after a kill reads the log again.
CHECKPOINT_THRESHOLD = "64MB"
#: What may hold changes of a warehouse beside it: DuckDB's write-ahead log, what that is called while it is
#: moved into the file, and the blocks that are kept meanwhile.
_LOGS: Final = (".wal", ".wal.checkpoint", ".wal.recovery", KEPT_BLOCKS)


class Warehouse:
    """An open warehouse; a context manager.

    Attributes:
        path: The DuckDB file.
        connection: The connection of the owner; use `cursor` for anything that may overlap.
    """

    def __init__(
        self,
        path: Path,
        connection: duckdb.DuckDBPyConnection,
        lock: WarehouseLock,
        *,
        read_only: bool = False,
    ) -> None:
        self.path = path
        self.connection = connection
        self._lock = lock
        self._kept = None if read_only else KeptBlocks(path)

    @property
    def runs_directory(self) -> Path:
        """Where its rating runs keep their history."""
        return runs_directory(self.path)

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Return a cursor of its own: cursors may overlap, one cursor's calls may not."""
        return self.connection.cursor()

    @contextmanager
    def transaction(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Run statements on the owner's connection: all of them, durably, or none.

        Raises:
            IngestError: The disk is full or fails; nothing of the transaction remains.
        """
        self._keep_blocks()
        try:
            self.connection.begin()
            yield self.connection
            self._commit()
        except BaseException as error:
            # A connection that a failed disk has closed has nothing to undo.
            with suppress(duckdb.Error):
                self.connection.rollback()
            if isinstance(error, duckdb.Error) and is_storage_failure(error):
                raise storage_error(self.path, error) from error
            raise

    def _commit(self) -> None:
        """Commit; that the checkpoint within it failed is for the next transaction to tell."""
        try:
            self.connection.commit()
        except duckdb.Error as error:
            if "COMMIT succeeded and is durable" not in str(error):
                raise

    def checkpoint(self) -> None:
        """Move what was committed from the write-ahead log into the file.

        Raises:
            IngestError: The disk is full or fails; what was committed stays in the log.
        """
        self._keep_blocks()
        try:
            self.connection.execute("CHECKPOINT")
        except duckdb.Error as error:
            raise storage_error(self.path, error) from error

    def migrate(self, at: datetime) -> None:
        """Bring the schema up to date, each step in its own transaction.

        Args:
            at: The present instant, recorded with each step.

        Raises:
            IngestError: A later version of Coastal wrote the file, or the disk fails.
        """
        for step in missing_steps(self.connection):
            with self.transaction() as connection:
                apply_step(connection, step, at)

    def _keep_blocks(self) -> None:
        """Keep what a checkpoint writes in place; DuckDB makes one within a commit when the log is large."""
        assert self._kept is not None, "read only"
        try:
            self._kept.keep(self.cursor())
        except (duckdb.Error, OSError) as error:
            raise storage_error(self.path, error) from error

    def open_file(self) -> IO[bytes]:
        """Open the file for reading, from its start; a plain `open` would let go of DuckDB's lock on it."""
        assert self._kept is not None, "read only"
        return self._kept.open_file()

    def close(self) -> None:
        """Close the file and let the lock go; what cannot be moved into the file now stays in the log."""
        try:
            if self._kept is not None and self.path.with_name(self.path.name + _LOGS[0]).exists():
                with suppress(IngestError):
                    self.checkpoint()
        finally:
            self.connection.close()
            if self._kept is not None:
                self._kept.close()
                self._kept = None
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def refuse_old_log(warehouse: Path) -> None:
    """Refuse a place where a write-ahead log lies, which DuckDB would play into a new warehouse."""
    for ending in _LOGS:
        log = warehouse.with_name(warehouse.name + ending)
        if log.exists():
            raise IngestError(
                f"{log} exists already: it holds changes of the warehouse that was here; "
                "move it away with that warehouse, or name another place"
            )


def open_warehouse(
    path: str | Path,
    *,
    create: bool = True,
    read_only: bool = False,
    at: datetime | None = None,
) -> Warehouse:
    """Open a warehouse, creating and migrating it as needed, and own it until it is closed.

    Args:
        path: The DuckDB file, such as ``data/coastal.duckdb``.
        create: Make the file and its folder where there is none.
        read_only: Look without changing; several may look at once, but not beside a writer.
        at: The present instant, recorded with migrations; the clock's where not given.

    Raises:
        WarehouseBusyError: Another process has it; the text says who.
        MissingWarehouseError: There is none.
        NotAWarehouseError: The file is something else.
        IngestError: It cannot be read or written, or a later version of Coastal wrote it.
    """
    path = warehouse_file(path)
    if not path.exists() and (read_only or not create):
        raise MissingWarehouseError(
            f"there is no warehouse at {path}: load hands with `coastal ingest` first"
        )
    if read_only:
        _mend_before_reading(path)
    else:
        _make_folder(path)
    lock = WarehouseLock(path, shared=read_only)
    try:
        if not path.exists():
            refuse_old_log(path)
            _make_file(path)
        elif not read_only:
            _mend(path)
        warehouse = Warehouse(path, _connect(path, read_only), lock, read_only=read_only)
    except BaseException:
        lock.release()
        raise
    try:
        if read_only:
            _require_present_schema(path, warehouse.connection)
        else:
            warehouse.migrate(at or datetime.now(UTC))
    except BaseException as error:
        warehouse.close()
        if isinstance(error, duckdb.Error):
            raise storage_error(path, error) from error
        raise
    return warehouse


def quoted(name: str | Path) -> str:
    """Quote a file's name for the few statements that cannot bind one, such as ``ATTACH``."""
    return "'" + str(name).replace("'", "''") + "'"


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise IngestError(f"cannot make the folder {path.parent}: {error.strerror}") from error


def _make_file(path: Path) -> None:
    """Make an empty warehouse file; it appears when it is whole, for DuckDB writes it in several steps."""
    draft = path.with_name(f".{path.name}.draft")
    try:
        draft.unlink(missing_ok=True)
        duckdb.connect(str(draft), config={"storage_compatibility_version": STORAGE_VERSION}).close()
        sync(draft)
        draft.rename(path)
    except (duckdb.Error, OSError) as error:
        raise storage_error(path, error) from error


def _mend(path: Path) -> None:
    """Undo a checkpoint that was killed; whoever calls owns the file."""
    try:
        put_back_blocks(path)
    except OSError as error:
        raise storage_error(path, error) from error


def _mend_before_reading(path: Path) -> None:
    """Own the file for a moment where a process was killed, to undo what its checkpoint has begun."""
    if not path.with_name(path.name + KEPT_BLOCKS).exists():
        return
    try:
        lock = WarehouseLock(path)
    except WarehouseBusyError:
        raise
    except IngestError:
        # A place that cannot be written can be read if nothing is half written there.
        if is_half_written(path):
            raise
        return
    try:
        _mend(path)
    finally:
        lock.release()


def _connect(path: Path, read_only: bool) -> duckdb.DuckDBPyConnection:
    config: dict[str, str | bool | int | float | list[str]] = {
        "memory_limit": MEMORY_LIMIT,
        "checkpoint_threshold": CHECKPOINT_THRESHOLD,
    }
    if not read_only:
        config["storage_compatibility_version"] = STORAGE_VERSION
    try:
        connection = duckdb.connect(str(path), read_only=read_only, config=config)
        # `Warehouse.close` makes the last checkpoint: DuckDB's own, at the end, would find no blocks kept.
        connection.execute("PRAGMA disable_checkpoint_on_shutdown")
    except duckdb.Error as error:
        raise storage_error(path, error) from error
    return connection


def _require_present_schema(path: Path, connection: duckdb.DuckDBPyConnection) -> None:
    if missing_steps(connection):
        version, known = applied_version(connection), len(known_migrations())
        raise IngestError(
            f"{path} has schema version {version}, this version of Coastal needs {known}: "
            "bring it up to date with any command that writes (`coastal rate`), or use the one that wrote it"
        )
