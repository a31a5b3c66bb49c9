"""The one door to numba: compiled and cached, or plain Python with ``NUMBA_DISABLE_JIT=1``."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar, cast

PROJECT = Path(__file__).resolve().parent.parent
# Set before numba is imported: compiled code belongs to this checkout, where it can be written.
os.environ.setdefault("NUMBA_CACHE_DIR", str(PROJECT / ".cache" / "numba"))

import numba  # noqa: E402

Function = TypeVar("Function", bound=Callable[..., object])


def jit(function: Function) -> Function:
    """Compile a function for the mass paths, keeping its Python type for the checker."""
    return cast(Function, numba.njit(cache=True, nogil=True)(function))
