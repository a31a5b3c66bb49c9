"""One writer a warehouse: a lock file beside it that names its holder and dies with the process."""

from __future__ import annotations

import fcntl
import os
import socket
import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import orjson

from engine.errors import IngestError, WarehouseBusyError


class WarehouseLock:
    """A held lock on `<warehouse>.lock`; the kernel lets it go when the process ends, however it ends."""

    def __init__(self, warehouse: Path, *, shared: bool = False) -> None:
        """Take the lock at once or say who has it.

        Args:
            warehouse: The warehouse file.
            shared: For reading beside other readers; a place that cannot be written needs no lock to read.

        Raises:
            WarehouseBusyError: Another process holds it; names its process, command, host and since when.
            IngestError: The place cannot be written.
        """
        self.path = warehouse.with_name(warehouse.name + ".lock")
        self._descriptor: int | None = None
        try:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            if shared:
                return
            raise IngestError(f"cannot write beside {warehouse}: {error.strerror}") from error
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.pread(descriptor, 4096, 0)
            os.close(descriptor)
            raise WarehouseBusyError(f"{warehouse} is in use by {_describe(holder)}") from error
        self._descriptor = descriptor
        # On a full disk the lock is held all the same; only who holds it cannot be said.
        with suppress(OSError):
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, _myself(), 0)

    def release(self) -> None:
        """Let the lock go; the file stays, so that nobody locks a deleted one."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _myself() -> bytes:
    """Name this process for whoever finds the lock taken."""
    command = os.fsencode(" ".join([Path(sys.argv[0]).name, *sys.argv[1:]])[:200]).decode(errors="replace")
    since = datetime.now(UTC).isoformat(timespec="seconds")
    return orjson.dumps(
        {"pid": os.getpid(), "host": socket.gethostname(), "command": command, "since": since}
    )


def _describe(holder: bytes) -> str:
    """Put a lock file's content in words."""
    try:
        record = orjson.loads(holder)
        if record["host"] == socket.gethostname() and not _lives(record["pid"]):
            # The last of several readers, which ended before the others; or the disk was full, and the
            # present holder could not be written down.
            return "another process"
        return f"process {record['pid']} on {record['host']} ({record['command']}) since {record['since']}"
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return "another process"


def _lives(pid: int) -> bool:
    """Tell whether a process of this machine is there."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
