"""Who hears that something is about to be compiled, which takes seconds and happens once on a machine."""

from __future__ import annotations

from collections.abc import Callable

_listeners: list[Callable[[], None]] = []


def tell_once(listener: Callable[[], None]) -> None:
    """Call a listener before the first function of this process that is compiled, if any is."""
    _listeners.append(listener)


def announce() -> None:
    """Say that something is about to be compiled."""
    while _listeners:
        _listeners.pop()()
