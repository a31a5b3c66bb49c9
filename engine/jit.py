"""The one door to numba: compiled and cached, or plain Python with ``NUMBA_DISABLE_JIT=1``.

A cached function holds the code of the functions it calls, but numba asks only whether its own file changed.
So each room's cache lies in a folder named by what its compiled code is made of.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

PROJECT = Path(__file__).resolve().parent.parent
# Set before numba is imported: compiled code belongs to this checkout, where it can be written.
os.environ.setdefault("NUMBA_CACHE_DIR", str(PROJECT / ".cache" / "numba"))

import numba  # noqa: E402

CACHE = Path(os.environ["NUMBA_CACHE_DIR"])
#: What marks a module as part of compiled code: compiled functions, constants and codes.
_COMPILED_IN = (b"jit", b"kernel", b"Final", b"IntEnum")

Function = TypeVar("Function", bound=Callable[..., object])


@cache
def _sources(room: str) -> str:
    """Return a hash over the modules of a room that compiled code is made of."""
    digest = hashlib.sha256()
    for path in sorted((PROJECT / room).rglob("*.py")):
        source = path.read_bytes()
        if any(mark in source for mark in _COMPILED_IN):
            digest.update(source)
    return digest.hexdigest()[:16]


def jit(function: Function, signature: tuple[object, ...] | None = None, *, inner: bool = False) -> Function:
    """Compile a function for the mass paths, keeping its Python type for the checker.

    Args:
        function: The function.
        signature: Its argument types: it is then compiled (or read from the cache) at once, for those only.
        inner: Whether only compiled functions call it, so that it needs no wrapper to be called from Python.
    """
    _cache_by_room(function)
    options: Any = {"no_cpython_wrapper": inner, "no_cfunc_wrapper": inner}
    if signature:
        options["error_model"] = "numpy"  # no check for division by zero: whole rules divide by constants
    return cast(Function, numba.njit(signature, cache=True, nogil=True, **options)(function))


def inlined(function: Function) -> Function:
    """Compile a small function into its callers, which saves the cost of handing arrays over."""
    _cache_by_room(function)
    return cast(Function, numba.njit(cache=True, nogil=True, forceinline=True)(function))


def _cache_by_room(function: Callable[..., object]) -> None:
    """Let numba keep what it compiles next in the folder of the function's room."""
    room = function.__module__.partition(".")[0]
    numba.config.CACHE_DIR = str(CACHE / f"{room}-{_sources(room)}")  # type: ignore[attr-defined]
