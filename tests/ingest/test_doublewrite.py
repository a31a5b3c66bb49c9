"""A checkpoint that is killed within a write leaves a warehouse that can be opened, with all its hands."""

import struct
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

import ingest.warehouse
from engine.errors import IngestError, WarehouseBusyError
from ingest.doublewrite import KeptBlocks
from ingest.load import Loader
from ingest.snapshot import publish
from ingest.verify import verify
from ingest.warehouse import open_warehouse
from tests.support.writers import BATCH, build_counts, numbered_block

#: DuckDB's file: pages, two headers after the first, then blocks.
PAGE, BLOCKS_AT, BLOCK = 4_096, 12_288, 262_144
METADATA = "SELECT block_id FROM pragma_metadata_info()"


@dataclass
class Killed:
    """A file before and after a checkpoint, and what lies beside it until the checkpoint has ended."""

    before: bytes
    after: bytes
    log: bytes
    kept: bytes
    metadata: int

    def half_written(self, pages):
        """Return the file at a kill that comes when some pages of the metadata were written again."""
        end = self.metadata + BLOCK
        cut = self.metadata + pages * PAGE
        return self.before[:BLOCKS_AT] + self.after[BLOCKS_AT:cut] + self.before[cut:end] + self.after[end:]


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    path = tmp_path_factory.mktemp("killed") / "coastal.duckdb"
    with open_warehouse(path) as warehouse:
        loader = Loader(warehouse, 1, lambda: datetime(2026, 2, 1, tzinfo=UTC))
        loader.load(numbered_block(1))
        warehouse.checkpoint()
        ((block,),) = warehouse.cursor().execute(METADATA).fetchall()
        loader.load(numbered_block(2))
        before, log = path.read_bytes(), beside(path, "wal").read_bytes()
        kept = keep(warehouse)
        warehouse.checkpoint()
        return Killed(before, path.read_bytes(), log, kept, BLOCKS_AT + block * BLOCK)


def keep(warehouse):
    """Keep what a checkpoint would write in place, and return the kept file."""
    with warehouse.transaction():
        pass
    return beside(warehouse.path, "doublewrite").read_bytes()


def beside(path, ending):
    return path.with_name(f"{path.name}.{ending}")


def lay(tmp_path, database, log, kept=None):
    """Lay the files of a warehouse down as a kill left them."""
    path = tmp_path / "coastal.duckdb"
    path.write_bytes(database)
    beside(path, "wal").write_bytes(log)
    if kept is not None:
        beside(path, "doublewrite").write_bytes(kept)
    return path


def hands_in(path, *, read_only=False):
    with open_warehouse(path, read_only=read_only) as warehouse:
        cursor = warehouse.cursor()
        assert verify(cursor).is_intact
        return cursor.execute("SELECT count(*) FROM hand").fetchone()[0]


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("pages", [0, 1, 2, 8, 63, 64])
def test_what_was_half_written_is_put_back(tmp_path, killed, pages, read_only):
    path = lay(tmp_path, killed.half_written(pages), killed.log, killed.kept)
    assert hands_in(path, read_only=read_only) == 2 * BATCH
    assert not beside(path, "doublewrite").exists() or (pages == 0 and read_only)


def test_without_the_kept_blocks_it_could_not_be_opened(tmp_path, killed):
    with pytest.raises(IngestError, match="Corrupt database file"):
        open_warehouse(lay(tmp_path, killed.half_written(1), killed.log))


@pytest.mark.parametrize("size", [0, 7, 4_096, -1])
def test_kept_blocks_that_are_not_whole_were_not_needed_yet(tmp_path, killed, size):
    path = lay(tmp_path, killed.before, killed.log, killed.kept[:size])
    assert hands_in(path) == 2 * BATCH
    assert not beside(path, "doublewrite").exists()


def test_kept_blocks_of_a_checkpoint_that_ended_are_not_put_back(tmp_path, killed):
    path = lay(tmp_path, killed.after, b"", killed.kept)
    assert hands_in(path) == 2 * BATCH
    assert not beside(path, "doublewrite").exists()


def test_a_second_try_does_not_keep_what_the_first_left_half_written(tmp_path, killed):
    path = lay(tmp_path, killed.before, killed.log)
    with open_warehouse(path) as warehouse:
        whole = keep(warehouse)
        garble(path, killed)
        assert keep(warehouse) == whole
    assert not beside(path, "doublewrite").exists()
    assert hands_in(path) == 2 * BATCH


def test_a_reader_does_not_mend_what_somebody_is_writing(tmp_path, killed):
    path = lay(tmp_path, killed.before, killed.log)
    with open_warehouse(path) as warehouse:
        keep(warehouse)
        garble(path, killed)
        garbled = path.read_bytes()
        with pytest.raises(WarehouseBusyError):
            open_warehouse(path, read_only=True)
        assert path.read_bytes() == garbled


def garble(path, killed):
    """Write into the metadata, as a checkpoint that fails may."""
    with path.open("r+b") as file:
        file.seek(killed.metadata)
        file.write(b"half written")


def test_every_checkpoint_finds_its_blocks_kept(tmp_path, monkeypatch, clock):
    """DuckDB counts in its headers how often it wrote one; before each, what lay there was kept."""
    kept = set()
    keep = KeptBlocks.keep

    def note(self, cursor):
        keep(self, cursor)
        kept.add(headers_written(beside(self._warehouse, "doublewrite").read_bytes()[8:]))

    monkeypatch.setattr(ingest.warehouse, "CHECKPOINT_THRESHOLD", "1KB")
    monkeypatch.setattr(KeptBlocks, "keep", note)
    path = tmp_path / "coastal.duckdb"
    for number in range(1, 9, 4):
        with open_warehouse(path) as warehouse:
            loader = Loader(warehouse, 1, clock)
            for block in range(number, number + 4):
                loader.load(numbered_block(block))
            publish(warehouse, build_counts, clock())
    last = headers_written(path.read_bytes()[PAGE:])
    assert kept >= set(range(last))
    assert last > 8, "some of them within a commit"


def headers_written(headers):
    return max(struct.unpack_from("<Q", headers, at + 8)[0] for at in (0, PAGE))


def test_a_warehouse_killed_while_it_was_made_is_made_anew(tmp_path):
    (tmp_path / ".coastal.duckdb.draft").write_bytes(b"only a part of the first page")
    assert hands_in(tmp_path / "coastal.duckdb") == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["coastal.duckdb", "coastal.duckdb.lock"]
