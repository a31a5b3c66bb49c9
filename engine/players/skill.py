"""The named skills of the computer players."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Final

SKILLS: Final = ("beginner", "intermediate", "expert")


@cache
def error_rates() -> dict[str, float]:
    """Return each skill's chance, in [0, 1], of a random legal choice in place of the good one."""
    rates = tomllib.loads((Path(__file__).parent / "skills.toml").read_text("utf-8"))
    return {skill: float(rates[skill]) for skill in SKILLS}
