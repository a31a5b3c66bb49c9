"""Back the warehouse up into one file and restore it: the record, the runs and the published snapshot."""

from __future__ import annotations

import io
import os
import tarfile
from collections.abc import Callable
from hashlib import file_digest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, Final, cast

import orjson
import zstandard

from engine.errors import IngestError
from ingest.following import Progress
from ingest.lock import WarehouseLock
from ingest.paths import runs_directory, warehouse_file
from ingest.snapshot import current_number, snapshots_directory
from ingest.warehouse import Warehouse, refuse_old_log

_MANIFEST: Final = "manifest.json"
_WAREHOUSE: Final = "warehouse.duckdb"
_RUNS: Final = "runs"
_SNAPSHOTS: Final = "snapshots"
_LEVEL: Final = 3
_DAMAGES: Final = (tarfile.TarError, zstandard.ZstdError, orjson.JSONDecodeError, EOFError)


class _Told:
    """A file that is read from, with word of how much has been read of all that will be."""

    def __init__(self, file: IO[bytes], tell: Callable[[int], None]) -> None:
        self._file = file
        self._tell = tell

    def read(self, size: int = -1) -> bytes:
        """Read as the file does."""
        found = self._file.read(size)
        self._tell(len(found))
        return found

    def readinto(self, buffer: Any) -> int:
        """Read as the file does."""
        size = int(cast(Any, self._file).readinto(buffer))
        self._tell(size)
        return size

    def readable(self) -> bool:
        """Say yes."""
        return True


class _Bytes:
    """Counts bytes and tells the count on."""

    def __init__(self, total: int, told: Progress | None) -> None:
        self._done = 0
        self._total = total
        self._told = told

    def add(self, size: int) -> None:
        """Count more."""
        self._done += size
        if self._told is not None:
            self._told(self._done, self._total)


def back_up(warehouse: Warehouse, target: Path, told: Progress | None = None) -> dict[str, Any]:
    """Write everything into one packed file, which appears under its name when it is whole.

    Args:
        warehouse: The open warehouse; nobody else changes it meanwhile.
        target: The file, such as ``coastal-2026-02-01.tar.zst``; it must not exist.
        told: Hears how many bytes are done, and of how many.

    Returns:
        ``{"file", "bytes", "files"}``.

    Raises:
        IngestError: The file exists or cannot be written, or the published snapshot is not whole.
    """
    if target.exists():
        raise IngestError(f"{target} exists already; a backup never replaces another")
    warehouse.checkpoint()
    files = _files(warehouse)
    # Each file is read twice: for its hash, then to be packed.
    count = _Bytes(2 * sum(path.stat().st_size for path in files.values()), told)

    def opened(name: str) -> IO[bytes]:
        return warehouse.open_file() if name == _WAREHOUSE else files[name].open("rb")

    manifest = {name: _digest(opened(name), count) for name in files}
    draft = target.with_name(target.name + ".tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with draft.open("wb") as file:
            _write(file, opened, manifest, count)
            file.flush()
            os.fsync(file.fileno())
        draft.rename(target)
    except OSError as error:
        raise IngestError(f"{target} cannot be written: {error.strerror}") from error
    finally:
        draft.unlink(missing_ok=True)
    return {"file": str(target), "bytes": target.stat().st_size, "files": len(files)}


def restore(source: Path, warehouse: Path, told: Progress | None = None) -> dict[str, Any]:
    """Unpack a backup into a place where there is no warehouse; the warehouse appears when all is there.

    Args:
        source: A file that `back_up` wrote.
        warehouse: The warehouse file to make.
        told: Hears how many packed bytes are unpacked, and of how many.

    Returns:
        ``{"warehouse", "files"}``.

    Raises:
        IngestError: There is a warehouse already, or something of one, or the backup is damaged or none.
    """
    warehouse = warehouse_file(warehouse)
    if warehouse.exists():
        raise IngestError(f"{warehouse} exists already: move it away, or name another place")
    refuse_old_log(warehouse)
    warehouse.parent.mkdir(parents=True, exist_ok=True)
    lock = WarehouseLock(warehouse)
    try:
        with TemporaryDirectory(dir=warehouse.parent, prefix=".restore-") as folder:
            manifest = _unpack(source, Path(folder), told)
            _move(Path(folder), warehouse)
    finally:
        lock.release()
    return {"warehouse": str(warehouse), "files": len(manifest)}


def _files(warehouse: Warehouse) -> dict[str, Path]:
    """Name the files that a backup holds.

    Raises:
        IngestError: The published snapshot is not whole.
    """
    files = {_WAREHOUSE: warehouse.path}
    runs = warehouse.runs_directory
    if runs.is_dir():
        files |= {
            f"{_RUNS}/{path.relative_to(runs)}": path for path in sorted(runs.rglob("*")) if path.is_file()
        }
    number = current_number(warehouse.path)
    if number is not None:
        snapshots = snapshots_directory(warehouse.path)
        names = ("CURRENT", f"{number}.duckdb", f"{number}.lock")
        files |= {f"{_SNAPSHOTS}/{name}": snapshots / name for name in names}
    for file in files.values():
        if not file.exists():
            raise IngestError(
                f"{file} of the published snapshot is missing: publish anew with `coastal publish`, "
                "then back up"
            )
    return files


def _digest(content: IO[bytes], count: _Bytes) -> str:
    with content:
        return file_digest(cast(Any, _Told(content, count.add)), "sha256").hexdigest()


def _write(
    file: IO[bytes], opened: Callable[[str], IO[bytes]], manifest: dict[str, str], count: _Bytes
) -> None:
    with (
        zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True).stream_writer(
            file, closefd=False
        ) as packed,
        tarfile.open(fileobj=cast(IO[bytes], packed), mode="w|") as archive,
    ):
        described = orjson.dumps(manifest)
        entry = tarfile.TarInfo(_MANIFEST)
        entry.size = len(described)
        archive.addfile(entry, io.BytesIO(described))
        for name in manifest:
            with opened(name) as content:
                entry = archive.gettarinfo(arcname=name, fileobj=content)
                archive.addfile(entry, cast(IO[bytes], _Told(content, count.add)))


def _unpack(source: Path, folder: Path, told: Progress | None) -> dict[str, str]:
    """Unpack into a folder and compare every file with the manifest."""
    try:
        with (
            source.open("rb") as file,
            zstandard.ZstdDecompressor().stream_reader(
                cast(IO[bytes], _Told(file, _Bytes(source.stat().st_size, told).add))
            ) as unpacked,
            tarfile.open(fileobj=cast(IO[bytes], unpacked), mode="r|") as archive,
        ):
            archive.extractall(folder, filter="data")
        manifest: dict[str, str] = orjson.loads((folder / _MANIFEST).read_bytes())
        found = {name: _digest((folder / name).open("rb"), _Bytes(0, None)) for name in manifest}
    except (*_DAMAGES, FileNotFoundError) as error:
        raise IngestError(f"{source} is damaged or no backup: {error}") from error
    except OSError as error:
        raise IngestError(f"{source} cannot be unpacked into {folder.parent}: {error.strerror}") from error
    if found != manifest or _WAREHOUSE not in manifest:
        raise IngestError(f"{source} is damaged: its files are not those of its manifest")
    return manifest


def _move(folder: Path, warehouse: Path) -> None:
    """Put the files in their places, the warehouse last."""
    places = {_RUNS: runs_directory(warehouse), _SNAPSHOTS: snapshots_directory(warehouse)}
    moved = {folder / name: place for name, place in places.items() if (folder / name).exists()}
    for place in moved.values():
        if place.exists():
            raise IngestError(f"{place} exists already: move it away, or name another place")
    for origin, place in moved.items():
        origin.rename(place)
    (folder / _WAREHOUSE).rename(warehouse)
