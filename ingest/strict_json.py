"""JSON as RFC 8259 has it, and one way to write it: no NaN, no key twice, no lone surrogate, sorted keys."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any, NoReturn


class DuplicateKeyError(ValueError):
    """An object has a key twice, so that it does not say one thing."""


def parse(line: bytes) -> Any:
    """Read one JSON value.

    Raises:
        UnicodeDecodeError: The bytes are not UTF-8.
        DuplicateKeyError: An object has a key twice.
        ValueError: It is not JSON, or nothing that can be kept (a lone surrogate, numbers without end).
        RecursionError: It is nested too deep.
    """
    value = json.loads(
        line.decode("utf-8"), object_pairs_hook=_as_object, parse_constant=_refuse, parse_float=_finite
    )
    if b"\\u" in line:
        # A surrogate alone is no character: it could not be written again.
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    return value


def canonical(value: Any) -> str:
    """Write a value with sorted keys and no blanks: equal values give equal texts."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _as_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise DuplicateKeyError(twice)
    return found


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text} is too large")
    return number


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
