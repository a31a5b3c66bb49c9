"""The double write: what a killed checkpoint may leave half written is kept beside the warehouse meanwhile.

DuckDB writes the rows of a checkpoint where nothing lies yet, and lets a new header point there at the end.
The blocks with its metadata, though, it writes again in place. A process that is killed within such a write
leaves a block that is half new and half old, whose checksum is wrong, and the file can no longer be opened.
So these blocks are copied first, and put back where a checkpoint did not come to its new header; the
write-ahead log, which goes only after that, then brings what was committed.

`<warehouse>.doublewrite` holds `_MAGIC`; the headers of the warehouse file as they were; of each block its
place in the file, its size and its bytes; and at the end the SHA-256 of all that.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import IO, Final

import duckdb

from ingest.durable import sync

#: How the file's name goes on after the warehouse's.
KEPT_BLOCKS: Final = ".doublewrite"

_MAGIC: Final = b"coastal1"
#: Where DuckDB's two headers lie in its file, and where its blocks begin.
_HEADERS_AT: Final = 4_096
_BLOCKS_AT: Final = 12_288
_HEADERS_SIZE: Final = _BLOCKS_AT - _HEADERS_AT
_PLACE: Final = struct.Struct("<QQ")
_HASH_SIZE: Final = sha256().digest_size
_METADATA: Final = """
SELECT block_id * block_size, block_size FROM pragma_metadata_info(), pragma_database_size()
WHERE database_name = current_database()
"""


class KeptBlocks:
    """Keeps the blocks of one open warehouse, as long as it is open."""

    def __init__(self, warehouse: Path) -> None:
        """Open the file to read it; its DuckDB connection is there already and is closed before this is."""
        self._warehouse = warehouse
        # To close any descriptor of a file lets go of DuckDB's own lock on it, so there is one for all time.
        self._file = warehouse.open("rb", buffering=0)
        self._headers = b""

    def keep(self, cursor: duckdb.DuckDBPyConnection) -> None:
        """Copy the blocks that the next checkpoint may write in place, durably.

        Once for all attempts at one: after a first that failed the blocks may be half written.

        Args:
            cursor: A cursor of the warehouse.

        Raises:
            OSError: The disk is full or fails; no checkpoint may begin.
        """
        headers = os.pread(self._file.fileno(), _HEADERS_SIZE, _HEADERS_AT)
        if headers != self._headers:
            self._write(headers, cursor.execute(_METADATA).fetchall())
            self._headers = headers

    def open_file(self) -> IO[bytes]:
        """Return the warehouse file to be read from its start, and closed or not."""
        self._file.seek(0)
        return open(self._file.fileno(), "rb", closefd=False)

    def _write(self, headers: bytes, places: list[tuple[int, int]]) -> None:
        content = _MAGIC + headers
        for offset, size in places:
            place = _BLOCKS_AT + offset
            content += _PLACE.pack(place, size) + os.pread(self._file.fileno(), size, place)
        with _beside(self._warehouse).open("wb") as file:
            file.write(content + sha256(content).digest())
            file.flush()
            os.fsync(file.fileno())
        sync(self._warehouse.parent)

    def close(self) -> None:
        """Close the file, and remove what was kept unless a checkpoint has failed."""
        with self._file:
            if not _half_written(self._warehouse, self._file.fileno()):
                _forget(self._warehouse)


def is_half_written(warehouse: Path) -> bool:
    """Tell whether a checkpoint began to write in place and did not end."""
    with warehouse.open("rb") as file:
        return bool(_half_written(warehouse, file.fileno()))


def put_back_blocks(warehouse: Path) -> None:
    """Undo what a checkpoint that did not end has written in place; nobody else may have the file open.

    Raises:
        OSError: The file cannot be written.
    """
    with warehouse.open("rb") as file:
        blocks = _half_written(warehouse, file.fileno())
    if blocks:
        with warehouse.open("r+b") as file:
            for place, content in blocks:
                file.seek(place)
                file.write(content)
            file.flush()
            os.fsync(file.fileno())
    _forget(warehouse)


def _forget(warehouse: Path) -> None:
    """Remove what was kept; where it cannot be, it does no harm: it is of other headers, or the same."""
    with suppress(OSError):
        _beside(warehouse).unlink()


def _half_written(warehouse: Path, descriptor: int) -> list[tuple[int, bytes]]:
    """Return places and contents of the kept blocks that the file has otherwise, under the same headers."""
    headers = os.pread(descriptor, _HEADERS_SIZE, _HEADERS_AT)
    kept = _kept_blocks(warehouse, headers) or []
    return [(place, block) for place, block in kept if os.pread(descriptor, len(block), place) != block]


def _beside(warehouse: Path) -> Path:
    return warehouse.with_name(warehouse.name + KEPT_BLOCKS)


def _kept_blocks(warehouse: Path, headers: bytes) -> list[tuple[int, bytes]] | None:
    """Return places and contents of the blocks kept under these headers; None if not all are there."""
    try:
        content = _beside(warehouse).read_bytes()
    except FileNotFoundError:
        return None
    content, digest = content[:-_HASH_SIZE], content[-_HASH_SIZE:]
    if sha256(content).digest() != digest or not content.startswith(_MAGIC + headers):
        return None
    return list(_blocks(content, len(_MAGIC) + _HEADERS_SIZE))


def _blocks(content: bytes, at: int) -> Iterator[tuple[int, bytes]]:
    while at < len(content):
        place, size = _PLACE.unpack_from(content, at)
        at += _PLACE.size
        yield place, content[at : at + size]
        at += size
