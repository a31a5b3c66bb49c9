"""Write `v<N>.duckdb.zst`: a warehouse as schema version N was, with a few hands in it.

Run once when a version is made: `PYTHONPATH=. python tests/ingest/warehouses/make.py N`.
"""

import sys
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import zstandard

from ingest import migrations
from ingest.load import Loader
from ingest.lock import WarehouseLock
from ingest.warehouse import STORAGE_VERSION, Warehouse, quoted
from tests.support.hand_lines import CARDS, block, hand, line
from tests.support.leagues import random_league

AT = datetime(2026, 2, 1, tzinfo=UTC)


def make(version: int, target: Path) -> None:
    """Make the file of a version: eight hands and a player's statement loaded, a line in quarantine."""
    league = random_league(11, games=4)
    lines = [line(hand(**CARDS)), *map(line, league.players[:1]), *map(line, league.hands[:7]), b"nonsense"]
    known = migrations.known_migrations()[:version]
    migrations.known_migrations = lambda: known
    with TemporaryDirectory() as folder:
        path = Path(folder) / "w.duckdb"
        connection = duckdb.connect()
        connection.execute(
            f"ATTACH {quoted(path)} AS w (STORAGE_VERSION '{STORAGE_VERSION}', BLOCK_SIZE 16384)"
        )
        connection.execute("USE w")
        with Warehouse(path, connection, WarehouseLock(path)) as warehouse:
            warehouse.migrate(AT)
            Loader(warehouse, 1, lambda: AT).load(block(*lines))
            connection.execute("CHECKPOINT w")
        target.write_bytes(zstandard.ZstdCompressor(level=19).compress(path.read_bytes()))


if __name__ == "__main__":
    make(int(sys.argv[1]), Path(__file__).with_name(f"v{sys.argv[1]}.duckdb.zst"))
