"""Readers see whole snapshots, old or new, while a writer publishes; old ones go when nobody reads."""

from datetime import UTC, datetime

import duckdb
import pytest

from engine.errors import SnapshotMissingError
from ingest.load import Loader
from ingest.snapshot import current_number, open_snapshot, publish, remove_old, snapshots_directory
from tests.support.writers import PROCESSES, build_counts, load_and_publish, numbered_block, read_until

NOW = datetime(2026, 2, 1, tzinfo=UTC)


@pytest.fixture
def filled(warehouse, clock):
    Loader(warehouse, 1, clock).load(numbered_block(1))
    return warehouse


def files(warehouse):
    return sorted(path.name for path in snapshots_directory(warehouse.path).iterdir())


def test_nothing_published_is_a_message(warehouse):
    with pytest.raises(SnapshotMissingError, match="coastal ingest"):
        open_snapshot(warehouse.path)


def test_a_snapshot_is_read_only_and_closed_to_the_outside(filled):
    assert publish(filled, build_counts, NOW) == 1
    with open_snapshot(filled.path) as snapshot:
        assert snapshot.cursor().execute("FROM meta").fetchall() == [(1, 20, 1)]
        with pytest.raises(duckdb.InvalidInputException, match="read-only"):
            snapshot.cursor().execute("DELETE FROM meta")
        with pytest.raises(duckdb.PermissionException):
            snapshot.cursor().execute("FROM read_text('/etc/passwd')")
        with pytest.raises(duckdb.InvalidInputException, match="locked"):
            snapshot.cursor().execute("SET enable_external_access = true")


def test_old_snapshots_go_but_never_under_a_reader(filled):
    publish(filled, build_counts, NOW)
    reader = open_snapshot(filled.path)
    for _ in range(4):
        publish(filled, build_counts, NOW)
    assert files(filled) == ["1.duckdb", "1.lock", "4.duckdb", "4.lock", "5.duckdb", "5.lock", "CURRENT"]
    assert reader.cursor().execute("FROM meta").fetchall() == [(1, 20, 1)]
    reader.close()
    assert remove_old(filled.path) == [1]


def test_a_failed_build_leaves_the_old_snapshot(filled):
    publish(filled, build_counts, NOW)

    def broken(cursor, number, published_at):
        cursor.execute("CREATE TABLE serving.meta AS SELECT 1 AS x")
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        publish(filled, broken, NOW)
    assert current_number(filled.path) == 1
    assert publish(filled, build_counts, NOW) == 3
    assert "2.duckdb.tmp" not in files(filled)


def test_a_number_is_never_used_twice(filled):
    publish(filled, build_counts, NOW)
    for path in snapshots_directory(filled.path).iterdir():
        path.unlink()
    assert publish(filled, build_counts, NOW) == 2


def read_while_publishing(tmp_path, readers, batches):
    path, last = tmp_path / "coastal.duckdb", tmp_path / "last"
    load_and_publish(path, tmp_path / "acknowledged", 1, 3)
    reading = [
        PROCESSES.Process(target=read_until, args=(path, last, tmp_path / f"reader-{number}"))
        for number in range(readers)
    ]
    writer = PROCESSES.Process(target=load_and_publish, args=(path, tmp_path / "acknowledged", 4, batches))
    for process in [*reading, writer]:
        process.start()
    writer.join(500)
    assert writer.exitcode == 0
    last.touch()
    for number, process in enumerate(reading):
        process.join(100)
        complaint = tmp_path / f"reader-{number}"
        assert not complaint.exists(), complaint.read_text()
        assert process.exitcode == 0
        assert int(complaint.with_suffix(".reads").read_text()) > 0


def test_readers_beside_a_publishing_writer_see_no_half_snapshot(tmp_path):
    read_while_publishing(tmp_path, readers=2, batches=15)
    assert current_number(tmp_path / "coastal.duckdb") == 6


@pytest.mark.slow
def test_eight_readers_beside_fifty_publications_see_no_half_snapshot(tmp_path):
    read_while_publishing(tmp_path, readers=8, batches=150)
    assert current_number(tmp_path / "coastal.duckdb") == 51
