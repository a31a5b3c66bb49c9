"""How every benchmark times and prints: medians of repeats, one core, peers in the same run."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Measurement:
    """One line of the table.

    Attributes:
        name: What ran, such as ``"simulate, no logs"``.
        rate: Median of `unit` a second.
        unit: What was counted, such as ``"hands"``.
        spread: Slowest and fastest repeat, in `unit` a second.
        target: The rate it should reach, or None for a peer.
    """

    name: str
    rate: float
    unit: str
    spread: tuple[float, float]
    target: float | None = None


def measure(
    name: str,
    run: Callable[[], int],
    *,
    unit: str = "hands",
    repeats: int = 5,
    target: float | None = None,
) -> Measurement:
    """Run something several times and keep the median rate.

    Args:
        name: What it is.
        run: Does the work and returns how many units it did. Call it once beforehand if it compiles.
        unit: What it counts.
        repeats: How often to run it.
        target: The rate it should reach.
    """
    rates = []
    for _ in range(repeats):
        start = time.perf_counter()
        count = run()
        rates.append(count / (time.perf_counter() - start))
    return Measurement(name, statistics.median(rates), unit, (min(rates), max(rates)), target)


def greatest_memory() -> float:
    """Return the most memory that this program has held, in MiB.

    Linux keeps it from the program's start; `ru_maxrss` would count the process that started it.
    """
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def use_one_core() -> None:
    """Pin this process to one core, so that every rate is a rate per core."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def print_table(title: str, rows: list[Measurement]) -> None:
    """Print a section of measurements; a missed target is marked."""
    print(f"\n{title}")
    for row in rows:
        verdict = ""
        if row.target is not None:
            verdict = f"  target {_number(row.target)}: {'met' if row.rate >= row.target else 'MISSED'}"
        low, high = map(_number, row.spread)
        print(f"  {row.name:<52}{_number(row.rate):>14} {row.unit}/s  ({low} to {high}){verdict}")


def _number(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.2f}"
