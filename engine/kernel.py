"""Compile a rule for the types its annotations name, so that numba makes one version of each.

numba would compile a function again for every literal integer it meets; a signature stops that and halves the
time from a cold start. The types come from a template state.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numba
import numpy as np
import numpy.typing as npt

from engine.jit import Function, jit, lean
from engine.ruleset import RULES_DTYPE
from engine.state import Ints, empty_action, empty_state

#: Contiguous int64 arrays of one, two and three dimensions, and bytes, for annotations.
Row: TypeAlias = Ints
Grid: TypeAlias = Ints
Cube: TypeAlias = Ints
Floats: TypeAlias = npt.NDArray[np.float64]
FloatGrid: TypeAlias = npt.NDArray[np.float64]
Bytes: TypeAlias = npt.NDArray[np.uint8]
#: Bytes that are only read, such as a log's.
Text: TypeAlias = npt.NDArray[np.uint8]


def typeof(value: object) -> Any:
    """Return the numba type of a template value."""
    return numba.typeof(value)  # type: ignore[no-untyped-call]


TYPES: Final[dict[str, Any]] = {
    "State": typeof(empty_state()),
    "Action": typeof(empty_action()),
    "Rules": typeof(np.zeros(1, RULES_DTYPE)[0]),
    "Row": numba.int64[::1],
    "Grid": numba.int64[:, ::1],
    "Cube": numba.int64[:, :, ::1],
    "Floats": numba.float64[::1],
    "FloatGrid": numba.float64[:, ::1],
    "Bytes": numba.uint8[::1],
    "Text": numba.types.Array(numba.uint8, 1, "C", readonly=True),
    "int": numba.int64,
    "float": numba.float64,
    "bool": numba.boolean,
}


def kernel(function: Function) -> Function:
    """Compile a rule for exactly the argument types that its annotations name (keys of `TYPES`)."""
    return lean(function, _signature(function))


def allocating(function: Function) -> Function:
    """Compile a rule that makes arrays, or is handed those that another rule made."""
    return jit(function, _signature(function))


def _signature(function: Function) -> tuple[object, ...]:
    annotations = function.__annotations__.items()
    return tuple(TYPES[name] for argument, name in annotations if argument != "return")
