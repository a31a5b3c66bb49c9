"""The one door to numba: compiled and cached, or plain Python with ``NUMBA_DISABLE_JIT=1``.

A cached function holds the code of the functions it calls, but numba asks only whether its own file changed.
So each module's cache lies in a folder named by a hash of the module and of all that it imports from here.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar, cast

PROJECT = Path(__file__).resolve().parent.parent
# Set before numba is imported: compiled code belongs to this checkout, where it can be written.
os.environ.setdefault("NUMBA_CACHE_DIR", str(PROJECT / ".cache" / "numba"))

import numba  # noqa: E402

from engine.deferred import Deferred  # noqa: E402

CACHE = Path(os.environ["NUMBA_CACHE_DIR"])
_IMPORT = re.compile(r"^ *from ([\w.]+) import (\([^)]*\)|[^(\n]+)", re.MULTILINE)

Function = TypeVar("Function", bound=Callable[..., object])


@cache
def _read(module: str) -> tuple[bytes, tuple[str, ...]]:
    """Return a project module's source and the project modules that it names in its imports."""
    path = PROJECT.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    if not file.exists():
        return b"", ()
    source = file.read_bytes()
    named = _IMPORT.findall(source.decode())
    inside = [f"{package}.{name}" for package, names in named for name in re.findall(r"\w+", names)]
    return source, (*(package for package, _ in named), *inside)


@cache
def _sources(module: str) -> str:
    """Return a hash over a module and all of the project that it imports, directly or not."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in found and _read(name)[0]:
            found.add(name)
            waiting += _read(name)[1]
    return hashlib.sha256(b"".join(_read(name)[0] for name in sorted(found))).hexdigest()[:16]


def jit(function: Function, signature: tuple[object, ...] | None = None) -> Function:
    """Compile a function for the mass paths when it is first called, keeping its Python type for the checker.

    Args:
        function: The function.
        signature: Its argument types, if it is compiled for those only; else for each that it is called with.
    """
    # Said, because numba hands the opposite down from a lean caller.
    return _defer(function, signature, _nrt=True)


def lean(function: Function, signature: tuple[object, ...] | None = None) -> Function:
    """Compile, as `jit` does, a function that makes no array: numba counts no references to any."""
    return _defer(function, signature, _nrt=False)


def inlined(function: Function) -> Function:
    """Compile a small function that makes no array into its callers, which saves the cost of a call."""
    return _defer(function, None, _nrt=False, forceinline=True)


def _defer(function: Function, signature: tuple[object, ...] | None, **options: object) -> Function:
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return function
    if signature:
        options["error_model"] = "numpy"  # no check for division by zero: whole rules divide by constants
    return cast(Function, Deferred(function, signature, options, _place_cache))


def _place_cache(function: Callable[..., object]) -> bool:
    """Let numba keep what it compiles next in the folder of what the function's module is made of.

    Returns:
        Whether that can be written: numba would else keep it in a place that tells nothing of those modules.
    """
    module = function.__module__
    folder = CACHE / f"{module}-{_sources(module)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    return os.access(folder, os.W_OK)
