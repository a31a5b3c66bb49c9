"""`make bench`: every room's measurements, beside its peers, in one run.

`python -m benchmarks [room ...]` runs only the named rooms.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from benchmarks.measuring import print_table

ROOMS = sorted(
    path.stem for path in Path(__file__).parent.glob("*.py") if path.stem not in {"__main__", "measuring"}
)


def main() -> None:
    """Run the rooms named on the command line, or all; a room gives `measurements()` by title."""
    for room in sys.argv[1:] or ROOMS:
        for title, rows in importlib.import_module(f"benchmarks.{room}").measurements():
            print_table(title, rows)


if __name__ == "__main__":
    main()
