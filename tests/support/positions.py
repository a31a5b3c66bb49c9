"""Positions at the end of a hand, written in brief."""

from __future__ import annotations

from typing import Any


def side(melds: str = "", holdings: str = "/", **facts: Any) -> dict[str, Any]:
    """Write a side in brief: melds apart by blanks, holdings by a slash."""
    return {"melds": melds.split(), "holdings": holdings.split("/"), **facts}


def position(ruleset: str, *sides: dict[str, Any], **options: Any) -> dict[str, Any]:
    return {
        "format": "canasta-position/1",
        "id": "test",
        "ruleset": ruleset,
        "options": options,
        "sides": list(sides),
    }


def modern(mine: dict[str, Any], **options: Any) -> dict[str, Any]:
    return position("modern_american", mine, side(), **options)


def partnership(mine: dict[str, Any]) -> dict[str, Any]:
    return position("classic_partnership", mine, side())
