"""`make bench`: every room's measurements, beside its peers, in one run."""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path

from benchmarks.measuring import print_table

ROOMS = sorted(
    path.stem for path in Path(__file__).parent.glob("*.py") if path.stem not in {"__main__", "measuring"}
)


def main() -> None:
    """Run the rooms named on the command line, or all; a room gives `measurements()` by title."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "rooms", nargs="*", metavar="room", help=f"{', '.join(ROOMS)}; all where none is named"
    )
    rooms = parser.parse_args().rooms
    unknown = sorted(set(rooms) - set(ROOMS))
    if unknown:
        parser.error(f"there is no room {unknown[0]}: choose among {', '.join(ROOMS)}")
    for room in rooms or ROOMS:
        for title, rows in importlib.import_module(f"benchmarks.{room}").measurements():
            print_table(title, rows)


if __name__ == "__main__":
    main()
