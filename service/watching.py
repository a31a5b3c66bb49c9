"""Load files as they arrive in a folder, until a signal comes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine.errors import WarehouseBusyError
from ingest.inbox import Inbox
from ingest.sheet_mapping import SheetMapping
from ingest.warehouse import open_warehouse
from service.console import messages
from service.interrupts import StopAtEdge
from service.loading import load_files, tell_report

#: How often the folder is looked into; a file that changed since is still being written.
WATCH_SECONDS = 1.0


@dataclass
class Watch:
    """A watched folder and where its files go.

    Attributes:
        inbox: The folder.
        warehouse: The warehouse; it is open only while a file loads.
        level: The checking level.
        mapping: What the columns of score sheets mean, where it is not the default.
        json: Whether reports are JSON.
    """

    inbox: Inbox
    warehouse: Path
    level: int
    mapping: SheetMapping | None
    json: bool

    def run(self) -> None:
        """Load what arrives, again and again."""
        messages.print(f"Watching {self.inbox.folder}; Ctrl-C stops.", markup=False)
        with StopAtEdge() as stop:
            while not stop.is_stopped:
                for path in self.inbox.arrivals():
                    if not stop.is_stopped:
                        self._load(path, stop)
                stop.wait(WATCH_SECONDS)

    def _load(self, path: Path, stop: StopAtEdge) -> None:
        """Load one file and move it; where the warehouse is in use, it waits for the next look."""
        try:
            with open_warehouse(self.warehouse) as opened:
                report, unreadable = load_files([str(path)], opened, self.level, stop, self.mapping)
        except WarehouseBusyError as error:
            messages.print(f"{error}; {path.name} waits", markup=False)
            return
        if stop.is_stopped:
            return
        place = self.inbox.failed(path) if unreadable else self.inbox.done(path)
        if place is None and report.read == 0:
            messages.print(f"{path.name} is gone; nothing of it was read", markup=False)
            return
        where = "gone before it could be moved" if place is None else f"now {place}"
        for fault in unreadable:
            messages.print(f"{fault}; {where}", style="bold red", markup=False)
        messages.print(f"{path.name}, {where}:", markup=False)
        tell_report(report, self.json, {"file": str(place or path), "unreadable": list(map(str, unreadable))})
