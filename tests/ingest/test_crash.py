"""A process that is killed while it loads, checkpoints or publishes loses nothing that it acknowledged."""

import random
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime

import pytest

from engine.errors import WarehouseBusyError
from ingest.snapshot import open_snapshot
from ingest.verify import verify
from ingest.warehouse import open_warehouse
from tests.support.writers import BATCH, PROCESSES, load_and_publish

HOLDER = """
import sys, time
from ingest.warehouse import open_warehouse
held = open_warehouse(sys.argv[1])
print(1, flush=True)
time.sleep(60)
"""


def kill_at_random(path, acknowledged, first, rng):
    """Start a writer, let it work for a moment, and kill it."""
    writer = PROCESSES.Process(target=load_and_publish, args=(path, acknowledged, first, 10_000))
    noted = acknowledged.stat().st_size if acknowledged.exists() else 0
    writer.start()
    give_up = time.monotonic() + 120
    while (not acknowledged.exists() or acknowledged.stat().st_size == noted) and time.monotonic() < give_up:
        assert writer.is_alive(), "the writer ended by itself"
        time.sleep(0.001)
    time.sleep(rng.uniform(0, 0.25))
    writer.kill()
    writer.join()
    assert writer.exitcode == -signal.SIGKILL


def assert_nothing_lost(path, acknowledged):
    """Compare the warehouse and its snapshot with what was acknowledged; return the next free number."""
    noted = acknowledged.read_text().split("\n")[:-1]
    numbers = [int(one) for one in noted if one != "published"]
    with open_warehouse(path) as warehouse:
        cursor = warehouse.cursor()
        found = cursor.execute(
            """
            SELECT split_part(hand_id, '-', 2)::BIGINT, count(*), count(DISTINCT hand_id)
            FROM hand GROUP BY 1
            """
        ).fetchall()
        assert all(row[1:] == (BATCH, BATCH) for row in found), "half a batch, or a hand twice"
        assert set(numbers) <= {row[0] for row in found}, "an acknowledged batch is gone"
        assert len(found) <= len(numbers) + 1 + found_before(acknowledged)
        events = cursor.execute("SELECT count(*) FROM hand_event_log").fetchone()[0]
        assert events == len(found) * BATCH // 2
        assert verify(cursor).difference is None
    if "published" in noted:
        with open_snapshot(path) as snapshot:
            hands, batches = snapshot.cursor().execute("SELECT hands, batches FROM meta").fetchone()
            assert hands == batches * BATCH
            assert batches >= last_published(noted)
    return max(row[0] for row in found) + 1


def found_before(acknowledged):
    """Count the kills so far: each may have left one batch that was safe but not yet noted."""
    return int(acknowledged.with_suffix(".kills").read_text())


def last_published(noted):
    """Count the batches that were noted before the last publication was."""
    last = len(noted) - 1 - noted[::-1].index("published")
    return sum(one != "published" for one in noted[:last])


def kill_often(tmp_path, seed, kills):
    rng = random.Random(seed)
    path, acknowledged = tmp_path / "coastal.duckdb", tmp_path / "acknowledged"
    first = 1
    for kill in range(kills):
        acknowledged.with_suffix(".kills").write_text(str(kill))
        kill_at_random(path, acknowledged, first, rng)
        first = assert_nothing_lost(path, acknowledged)


def test_a_killed_writer_loses_nothing(tmp_path):
    kill_often(tmp_path, seed=1, kills=3)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_two_hundred_killed_writers_lose_nothing(tmp_path, seed):
    kill_often(tmp_path, seed=100 + seed, kills=20)


def test_the_second_writer_is_told_who_has_the_warehouse(tmp_path):
    path = tmp_path / "coastal.duckdb"
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, path], stdout=subprocess.PIPE)
    try:
        assert holder.stdout.readline() == b"1\n"
        with pytest.raises(WarehouseBusyError, match=f"process {holder.pid} on .* since 20"):
            open_warehouse(path)
        with pytest.raises(WarehouseBusyError, match=f"process {holder.pid}"):
            open_warehouse(path, read_only=True)
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()
    with open_warehouse(path, at=datetime.now(UTC)) as warehouse:
        assert warehouse.cursor().execute("SELECT count(*) FROM hand").fetchone() == (0,)


def test_readers_of_the_file_may_be_several_but_not_beside_a_writer(tmp_path):
    path = tmp_path / "coastal.duckdb"
    open_warehouse(path).close()
    with (
        open_warehouse(path, read_only=True),
        open_warehouse(path, read_only=True),
        pytest.raises(WarehouseBusyError),
    ):
        open_warehouse(path)
    open_warehouse(path).close()
