"""A backup, restored elsewhere, is the same warehouse."""

import pytest

from engine.errors import IngestError
from ingest.backup import back_up, restore
from ingest.snapshot import open_snapshot, publish, snapshots_directory
from ingest.verify import verify
from ingest.warehouse import open_warehouse
from tests.support.hand_lines import CARDS, hand, line
from tests.support.leagues import random_league
from tests.support.stored import contents


@pytest.fixture
def filled(warehouse, load, clock):
    """A warehouse with a league, a rating run's file and a published snapshot."""
    load(*[line(one) for one in random_league(3, games=20).hands], line(hand(**CARDS)), b"nonsense")
    run = warehouse.runs_directory / "1"
    run.mkdir(parents=True)
    (run / "history.parquet").write_bytes(b"rows" * 1000)

    def build(cursor, number, published_at):
        cursor.execute("CREATE TABLE serving.meta AS SELECT $number AS snapshot", {"number": number})

    publish(warehouse, build, clock())
    publish(warehouse, build, clock())
    return warehouse


def test_a_round_trip_gives_the_same_warehouse(filled, tmp_path):
    before = contents(filled)
    report = back_up(filled, tmp_path / "backups" / "one.tar.zst")
    filled.close()
    place = tmp_path / "elsewhere" / "league.duckdb"
    restore(tmp_path / "backups" / "one.tar.zst", place)
    assert report["files"] == 5
    with open_warehouse(place) as restored:
        assert contents(restored) == before
        assert verify(restored.cursor()).is_intact
        assert (restored.runs_directory / "1" / "history.parquet").read_bytes() == b"rows" * 1000
        with open_snapshot(place) as snapshot:
            assert snapshot.cursor().execute("FROM serving.meta".replace("serving.", "")).fetchall() == [(2,)]


def test_what_is_done_is_told_in_bytes_up_to_the_last(filled, tmp_path):
    packed, unpacked = [], []
    back_up(filled, tmp_path / "one.tar.zst", lambda done, total: packed.append((done, total)))
    filled.close()
    place = tmp_path / "elsewhere" / "league.duckdb"
    restore(tmp_path / "one.tar.zst", place, lambda done, total: unpacked.append((done, total)))
    size = (tmp_path / "one.tar.zst").stat().st_size
    assert unpacked[-1] == (size, size)
    for said in (packed, unpacked):
        assert said == sorted(said)
        assert said[-1][0] == said[-1][1]
    assert packed[-1][1] > 2 * place.stat().st_size


def test_a_backup_replaces_nothing(filled, tmp_path):
    back_up(filled, tmp_path / "one.tar.zst")
    with pytest.raises(IngestError, match="exists already"):
        back_up(filled, tmp_path / "one.tar.zst")
    with pytest.raises(IngestError, match="exists already"):
        restore(tmp_path / "one.tar.zst", filled.path)


@pytest.mark.parametrize("name", ["2.duckdb", "2.lock"])
def test_a_published_snapshot_that_is_gone_is_named_with_what_to_do(filled, tmp_path, clock, name):
    (snapshots_directory(filled.path) / name).unlink()
    with pytest.raises(IngestError, match=rf"{name} of the published snapshot is missing: .*coastal publish"):
        back_up(filled, tmp_path / "one.tar.zst")
    assert not list(tmp_path.glob("one*"))
    publish(filled, lambda cursor, number, at: cursor.execute("CREATE TABLE serving.meta (x INT)"), clock())
    assert back_up(filled, tmp_path / "one.tar.zst")["files"] == 5


def test_changes_of_the_warehouse_that_was_there_never_enter_the_restored_one(filled, load, tmp_path):
    back_up(filled, tmp_path / "one.tar.zst")
    log = filled.path.with_name("coastal.duckdb.wal")
    load(line(hand(hand_id="later", **CARDS)))
    later = log.read_bytes()
    assert later
    place = tmp_path / "elsewhere" / "league.duckdb"
    place.parent.mkdir()
    for ending in (".wal", ".wal.checkpoint", ".wal.recovery"):
        left = place.with_name(place.name + ending)
        left.write_bytes(later)
        with pytest.raises(IngestError, match=rf"{ending} exists already: .* move it away"):
            restore(tmp_path / "one.tar.zst", place)
        assert left.read_bytes() == later
        assert not place.exists()
        left.unlink()
    restore(tmp_path / "one.tar.zst", place)


@pytest.mark.parametrize("cut", [10, 1000, -200])
def test_a_damaged_backup_restores_nothing(filled, tmp_path, cut):
    back_up(filled, tmp_path / "one.tar.zst")
    whole = (tmp_path / "one.tar.zst").read_bytes()
    (tmp_path / "cut.tar.zst").write_bytes(whole[:cut])
    place = tmp_path / "elsewhere" / "league.duckdb"
    with pytest.raises(IngestError, match="damaged"):
        restore(tmp_path / "cut.tar.zst", place)
    assert not place.exists()


def test_a_changed_byte_restores_nothing(filled, tmp_path):
    back_up(filled, tmp_path / "one.tar.zst")
    whole = bytearray((tmp_path / "one.tar.zst").read_bytes())
    whole[len(whole) // 2] ^= 1
    (tmp_path / "bad.tar.zst").write_bytes(whole)
    with pytest.raises(IngestError, match="damaged"):
        restore(tmp_path / "bad.tar.zst", tmp_path / "elsewhere" / "league.duckdb")
