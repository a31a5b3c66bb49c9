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
from typing import Final

import duckdb

from ingest.durable import sync

#: How the file's name goes on after the warehouse's.
ENDING: Final = ".doublewrite"

_MAGIC: Final = b"coastal1"
#: Where DuckDB's two headers lie in its file, and where its blocks begin.
_HEADERS_AT: Final = 4_096
_BLOCKS_AT: Final = 12_288
_HEADERS_SIZE: Final = _BLOCKS_AT - _HEADERS_AT
_PLACE: Final = struct.Struct("<QQ")
_HASH_SIZE: Final = sha256().digest_size


def keep_blocks(warehouse: Path, descriptor: int, cursor: duckdb.DuckDBPyConnection) -> None:
    """Copy the blocks that the next checkpoint may write in place, durably.

    What a checkpoint that failed has left is not replaced: the blocks may be half written since.

    Args:
        warehouse: The warehouse file.
        descriptor: That file, open for reading; it stays open as long as DuckDB has the file, because
            closing it lets go of DuckDB's own lock.
        cursor: A cursor of the warehouse.

    Raises:
        OSError: The disk is full or fails; the checkpoint must not begin.
    """
    headers = os.pread(descriptor, _HEADERS_SIZE, _HEADERS_AT)
    if _kept_blocks(warehouse, headers) is not None:
        return
    found = cursor.execute(
        """
        SELECT block_id * block_size, block_size FROM pragma_metadata_info(), pragma_database_size()
        WHERE database_name = current_database()
        """
    ).fetchall()
    kept = [_MAGIC, headers]
    for offset, size in found:
        place = _BLOCKS_AT + offset
        kept += [_PLACE.pack(place, size), os.pread(descriptor, size, place)]
    content = b"".join(kept)
    with _beside(warehouse).open("wb") as file:
        file.write(content + sha256(content).digest())
        file.flush()
        os.fsync(file.fileno())
    sync(warehouse.parent)


def is_half_written(warehouse: Path) -> bool:
    """Tell whether a checkpoint of this file began and did not end."""
    return _kept_blocks(warehouse, _headers(warehouse)) is not None


def put_back_blocks(warehouse: Path) -> None:
    """Undo what a checkpoint that did not end has written in place; nobody else may have the file open.

    Raises:
        OSError: The file cannot be written.
    """
    blocks = _kept_blocks(warehouse, _headers(warehouse))
    if blocks is not None:
        with warehouse.open("r+b") as file:
            for place, content in blocks:
                file.seek(place)
                file.write(content)
            file.flush()
            os.fsync(file.fileno())
    forget_blocks(warehouse)


def forget_blocks(warehouse: Path) -> None:
    """Remove the copy: the checkpoint has ended. One that stays is of old headers, and harmless."""
    with suppress(OSError):
        _beside(warehouse).unlink()


def _beside(warehouse: Path) -> Path:
    return warehouse.with_name(warehouse.name + ENDING)


def _headers(warehouse: Path) -> bytes:
    with warehouse.open("rb") as file:
        return os.pread(file.fileno(), _HEADERS_SIZE, _HEADERS_AT)


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
