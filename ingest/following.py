"""Follow long statements: DuckDB knows how much of one is done, and nobody likes to wait in the dark."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Final

import duckdb

#: Called with how many steps are done, the last one in part, and how many there are.
Progress = Callable[[float, float], None]

_EVERY_SECONDS: Final = 0.1


@contextmanager
def followed(
    cursor: duckdb.DuckDBPyConnection, done: int, total: int, told: Progress | None
) -> Iterator[None]:
    """Tell how far the statements are that a cursor executes meanwhile, as one step of several.

    Args:
        cursor: Nobody else uses it meanwhile.
        done: Steps before this one.
        total: Steps in all.
        told: Hears it several times a second, from another thread, and once at the end; None: nobody asks.
    """
    if told is None:
        yield
        return
    cursor.execute("SET enable_progress_bar = true")
    cursor.execute("SET enable_progress_bar_print = false")
    is_over = Event()

    def tell() -> None:
        best = 0.0
        while not is_over.wait(_EVERY_SECONDS):
            # DuckDB says less than 0, or 0 to the end, of what it cannot foresee; and 0 again before it ends.
            best = max(best, cursor.query_progress() / 100)
            if done or best:
                told(done + best, total)

    teller = Thread(target=tell)
    teller.start()
    try:
        yield
    finally:
        is_over.set()
        teller.join()
    told(done + 1, total)
