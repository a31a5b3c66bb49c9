"""Loading: summary lines into the warehouse with level 1, beside plain `read_json` and `CREATE TABLE`.

`COASTAL_BENCH_LINES` lists the sizes, `100000,1000000,5000000` by default. Each load has one core, and is a
process of its own, so that its greatest memory is its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from benchmarks.measuring import Measurement, greatest_memory, use_one_core
from ingest.checking import check_block
from ingest.load import Loader
from ingest.sources import read_blocks
from ingest.verify import verify
from ingest.warehouse import open_warehouse
from tests.support.leagues import summary_lines

SIZES = [int(size) for size in os.environ.get("COASTAL_BENCH_LINES", "100000,1000000,5000000").split(",")]
PIECE = 100_000
TARGET = 60_000
SHARE_OF_PLAIN = 0.6
#: A load may not use more memory, nor its last hands cost more than its first, by this much.
MOST_MEBIBYTES, MOST_SLOWDOWN = 1536, 1.5


def write_lines(path: Path, count: int) -> None:
    """Write a log: one league's lines again and again, with other ids each time."""
    lines = list(summary_lines(1, min(count, PIECE)))
    piece = b"".join(lines)
    with path.open("wb") as file:
        for copy in range(count // len(lines)):
            ids = b"%03d" % copy
            file.write(piece.replace(b'"h-000', b'"h-' + ids).replace(b'"g-000', b'"g-' + ids))


def measurements() -> Iterator[tuple[str, list[Measurement]]]:
    """Yield the tables."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for size in SIZES:
            log = folder / "hands.jsonl"
            write_lines(log, size)
            plain = _child("plain", log, folder / "plain.duckdb")
            loaded = _child("load", log, folder / f"{size}.duckdb")
            yield _title(size, loaded), _rows(size, plain, loaded)
            for path in folder.iterdir():
                path.unlink()


def _title(size: int, loaded: dict[str, float]) -> str:
    memory, slowdown = loaded["mebibytes"], loaded["slowdown"]
    verdicts = (
        f"greatest memory {memory:,.0f} MiB ({'met' if memory <= MOST_MEBIBYTES else 'MISSED'})",
        f"last batch against first {slowdown:.2f} ({'met' if slowdown <= MOST_SLOWDOWN else 'MISSED'})",
    )
    return f"Loading {size:,} summary lines; {', '.join(verdicts)}"


def _rows(size: int, plain: dict[str, float], loaded: dict[str, float]) -> list[Measurement]:
    def row(name: str, seconds: float, target: float | None = None) -> Measurement:
        return Measurement(name, size / seconds, "lines", (size / seconds, size / seconds), target)

    target = max(TARGET, SHARE_OF_PLAIN * size / plain["seconds"])
    return [
        row("coastal ingest, level 1", loaded["seconds"], target),
        row("plain read_json and CREATE TABLE", plain["seconds"]),
        row("coastal ingest again, all duplicates", loaded["again_seconds"]),
        row("coastal verify", loaded["verify_seconds"]),
    ]


def _child(act: str, log: Path, path: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.ingest", act, str(log), str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _plain(log: Path, path: Path) -> dict[str, float]:
    connection = duckdb.connect(str(path), config={"threads": 1})
    began = time.perf_counter()
    connection.execute("CREATE TABLE hand AS SELECT * FROM read_json($log)", {"log": str(log)})
    connection.close()
    return {"seconds": time.perf_counter() - began}


def _load(log: Path, path: Path) -> dict[str, float]:
    """Load a log, load it again, verify it; tell the seconds of each and how the cost of a batch grew."""
    check_block(next(read_blocks([str(log)])), 1)  # reads the compiled code
    with open_warehouse(path) as warehouse:
        warehouse.connection.execute("SET threads = 1")
        loader = Loader(warehouse, 1, lambda: datetime.now(UTC))
        began = time.perf_counter()
        costs = []
        for block in read_blocks([str(log)]):
            start = time.perf_counter()
            loader.load(block)
            costs.append((time.perf_counter() - start) / len(block))
        loader.finish()
        warehouse.checkpoint()
        seconds = time.perf_counter() - began
        mebibytes = greatest_memory()
        began = time.perf_counter()
        Loader(warehouse, 1, lambda: datetime.now(UTC)).load_all(read_blocks([str(log)]))
        again = time.perf_counter() - began
        began = time.perf_counter()
        assert verify(warehouse.cursor()).is_intact
    few = max(1, len(costs) // 10)
    return {
        "seconds": seconds,
        "mebibytes": mebibytes,
        "slowdown": (sum(costs[-few:]) / few) / (sum(costs[:few]) / few),
        "again_seconds": again,
        "verify_seconds": time.perf_counter() - began,
    }


if __name__ == "__main__":
    use_one_core()
    measure_one = {"plain": _plain, "load": _load}[sys.argv[1]]
    print(json.dumps(measure_one(Path(sys.argv[2]), Path(sys.argv[3]))))
