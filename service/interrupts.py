"""Ctrl-C that waits for the end of a batch: what was begun is finished, nothing more is begun."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterable, Iterator
from types import FrameType, TracebackType
from typing import Any, Self, TypeVar

from service.console import messages

Item = TypeVar("Item")


class StopAtEdge:
    """Catches SIGINT and SIGTERM while it is entered; a second signal stops at once.

    Attributes:
        is_stopped: Whether a signal came.
    """

    def __init__(self) -> None:
        self.is_stopped = False
        self._is_busy = False
        self._woken = threading.Event()
        self._before: dict[signal.Signals, Any] = {}

    def until_stopped(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield items; after a signal, none more once the one that is being worked on is done."""
        for item in items:
            if self.is_stopped:
                return
            self._is_busy = True
            yield item
            self._is_busy = False

    def all_or_none(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield items that count only together: a signal before their end abandons them.

        Raises:
            KeyboardInterrupt: A signal came.
        """
        yield from items
        if self.is_stopped:
            raise KeyboardInterrupt

    def wait(self, seconds: float) -> None:
        """Sleep until the time is over or a signal comes."""
        self._is_busy = True
        self._woken.wait(seconds)
        self._is_busy = False

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        is_first, self.is_stopped = not self.is_stopped, True
        self._woken.set()
        if not is_first or not self._is_busy:
            raise KeyboardInterrupt
        messages.print("Stopping at the end of this batch; once more to stop at once.")

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._on_signal)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
