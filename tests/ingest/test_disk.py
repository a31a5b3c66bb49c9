"""A full disk and a place that cannot be written give a clear error and lose nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.errors import IngestError
from ingest.load import Loader
from ingest.snapshot import current_number, publish
from ingest.verify import verify
from ingest.warehouse import open_warehouse
from tests.support.hand_lines import HAND, hand, line
from tests.support.writers import BATCH, build_counts, numbered_block

COASTAL = Path(sys.executable).with_name("coastal")


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 16 MiB with a ballast of 4 MiB."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", place], capture_output=True, text=True
    )
    if mounted.returncode != 0:
        pytest.skip(f"a small disk cannot be mounted here: {mounted.stderr.strip()}")
    (place / "ballast").write_bytes(b"\1" * 4 * 2**20)
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def load_until_full(warehouse, clock):
    """Load batches until the disk is full; return how many were acknowledged, and the error."""
    loader = Loader(warehouse, 1, clock)
    for number in range(1, 100_000):
        try:
            loader.load(numbered_block(number))
        except IngestError as error:
            return number - 1, error
    raise AssertionError("the disk never filled")


@pytest.mark.slow
def test_a_full_disk_loses_nothing(small_disk, clock):
    path = small_disk / "coastal.duckdb"
    (small_disk / "more").write_bytes(b"\1" * 8 * 2**20)
    with open_warehouse(path) as warehouse:
        safe, error = load_until_full(warehouse, clock)
    assert "no space left" in str(error)
    assert safe > 0
    (small_disk / "ballast").unlink()
    with open_warehouse(path) as warehouse:
        assert warehouse.cursor().execute("SELECT count(*) FROM hand").fetchone() == (safe * BATCH,)
        assert verify(warehouse.cursor()).is_intact
        Loader(warehouse, 1, clock).load(numbered_block(safe + 1))


def test_a_batch_whose_checkpoint_finds_no_space_is_loaded(small_disk, clock, monkeypatch):
    """The commit was durable before the checkpoint within it failed."""
    monkeypatch.setattr("ingest.warehouse.CHECKPOINT_THRESHOLD", "1KB")
    path = small_disk / "coastal.duckdb"
    with open_warehouse(path) as warehouse:
        loader = Loader(warehouse, 1, clock)
        loader.load(numbered_block(1))
        free = os.statvfs(small_disk)
        (small_disk / "more").write_bytes(b"\1" * (free.f_bavail * free.f_bsize - 300_000))
        loader.load(numbered_block(2))
    (small_disk / "more").unlink()
    with open_warehouse(path) as warehouse:
        assert warehouse.cursor().execute("SELECT count(*) FROM hand").fetchone() == (2 * BATCH,)
        assert verify(warehouse.cursor()).is_intact


def test_a_publication_that_finds_no_space_leaves_the_old_one(small_disk, clock):
    with open_warehouse(small_disk / "coastal.duckdb") as warehouse:
        Loader(warehouse, 1, clock).load(numbered_block(1))
        publish(warehouse, build_counts, clock())

        def build_too_much(cursor, number, published_at):
            cursor.execute("CREATE TABLE serving.t AS SELECT hash(range) AS x FROM range(5_000_000)")

        with pytest.raises(IngestError, match="no space left"):
            publish(warehouse, build_too_much, clock())
        assert current_number(warehouse.path) == 1
    (small_disk / "ballast").unlink()
    with open_warehouse(small_disk / "coastal.duckdb") as warehouse:
        assert publish(warehouse, build_counts, clock()) == 3


def test_a_place_that_cannot_be_written_can_be_read(small_disk, clock):
    path = small_disk / "coastal.duckdb"
    with open_warehouse(path) as warehouse:
        Loader(warehouse, 1, clock).load(numbered_block(1))
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    with pytest.raises(IngestError, match="Read-only file system"):
        open_warehouse(path)
    with open_warehouse(path, read_only=True) as warehouse:
        assert warehouse.cursor().execute("SELECT count(*) FROM hand").fetchone() == (BATCH,)
    with pytest.raises(IngestError, match="Read-only file system"):
        open_warehouse(small_disk / "new" / "other.duckdb")


def ingest(warehouse, file):
    """Run the command and return its exit code, what it printed and what it said."""
    done = subprocess.run(
        [COASTAL, "ingest", "--warehouse", warehouse, file], capture_output=True, text=True, timeout=120
    )
    return done.returncode, done.stdout, done.stderr.strip()


@pytest.fixture
def many_hands(tmp_path):
    """A file of more hands than the small disk has room for."""
    file = tmp_path / "many.jsonl"
    one = line(hand(hand_id="h-NUMBER", game_id="g-NUMBER"))
    ids = (f"{number:06}-{number**7:x}" for number in range(60_000))
    file.write_bytes(b"\n".join(one.replace(b"NUMBER", text.encode()) for text in ids))
    return file


def test_the_command_says_that_the_disk_is_full_and_goes_on_when_there_is_room(small_disk, many_hands):
    path = small_disk / "coastal.duckdb"
    (small_disk / "more").write_bytes(b"\1" * 8 * 2**20)
    code, printed, said = ingest(path, many_hands)
    assert (code, printed) == (1, "")
    assert said == (f"no space left for {path}; what was loaded before is safe: free space and load again")
    (small_disk / "more").unlink()
    (small_disk / "ballast").unlink()
    many_hands.write_bytes(b"\n".join(many_hands.read_bytes().splitlines()[:2000]))
    code, printed, said = ingest(path, many_hands)
    assert (code, printed.startswith("2,000 lines read")) == (0, True)
    with open_warehouse(path, read_only=True) as warehouse:
        assert verify(warehouse.cursor()).is_intact


def test_the_command_says_that_a_place_cannot_be_written(small_disk, tmp_path):
    file = tmp_path / "hands.jsonl"
    file.write_bytes(line(HAND))
    path = small_disk / "coastal.duckdb"
    assert ingest(path, file)[0] == 0
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    for place in (path, small_disk / "new" / "other.duckdb"):
        code, printed, said = ingest(place, file)
        assert (code, printed) == (1, "")
        assert "Read-only file system" in said
        assert "Traceback" not in said
