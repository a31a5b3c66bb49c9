"""A watched folder: files that arrive whole are loaded and moved to `done/`, unreadable ones to `failed/`.

Nothing has to be remembered across a restart: a file that was loaded and not yet moved loads again as
duplicates, which change nothing.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from engine.errors import IngestError
from ingest.sources import is_input


class Inbox:
    """Finds files that no writer is still busy with.

    Attributes:
        folder: Where files arrive; sub-folders are not looked into.
    """

    def __init__(self, folder: Path) -> None:
        """Watch a folder.

        Raises:
            IngestError: It is no folder.
        """
        if not folder.is_dir():
            raise IngestError(f"{folder} is no folder to watch")
        self.folder = folder
        self._seen: dict[Path, tuple[int, int]] = {}

    def arrivals(self) -> list[Path]:
        """Return input files that have not changed since the last call, in order of name."""
        now = {}
        for path in self.folder.iterdir():
            if is_input(path):
                # A file that somebody takes away meanwhile is as one that had left before.
                with suppress(FileNotFoundError):
                    status = path.stat()
                    now[path] = status.st_size, status.st_mtime_ns
        whole = [path for path, state in now.items() if self._seen.get(path) == state]
        self._seen = now
        return sorted(whole)

    def done(self, path: Path) -> Path | None:
        """Move a loaded file away and return where it is; None where somebody took it away before."""
        return self._move(path, "done")

    def failed(self, path: Path) -> Path | None:
        """Move an unreadable file away and return where it is; None where somebody took it away before."""
        return self._move(path, "failed")

    def _move(self, path: Path, name: str) -> Path | None:
        """Move a file, if it is still there, into a sub-folder, under a free name."""
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        place, number = folder / path.name, 1
        while place.exists():
            number += 1
            place = folder / f"{number}-{path.name}"
        self._seen.pop(path, None)
        try:
            return path.rename(place)
        except FileNotFoundError:
            return None
