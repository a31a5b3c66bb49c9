"""A warehouse of every earlier version opens, keeps what it holds, and goes on."""

from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest
import zstandard

from engine.errors import IngestError, NotAWarehouseError
from ingest.load import Loader
from ingest.migrations import known_migrations
from ingest.stats import stats
from ingest.verify import verify
from ingest.warehouse import open_warehouse
from tests.support.hand_lines import block, hand, line

VERSIONS = range(1, len(known_migrations()) + 1)
NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def old(tmp_path):
    def unpack(version):
        packed = Path(__file__).with_name("warehouses") / f"v{version}.duckdb.zst"
        path = tmp_path / f"v{version}.duckdb"
        path.write_bytes(zstandard.decompress(packed.read_bytes()))
        return path

    return unpack


def schema(path):
    with open_warehouse(path) as warehouse:
        return (
            warehouse.cursor()
            .execute("FROM duckdb_columns() SELECT table_name, column_name, data_type")
            .fetchall()
        )


@pytest.mark.parametrize("version", VERSIONS)
def test_an_old_warehouse_opens_with_all_that_it_holds(old, clock, version):
    path = old(version)
    before = duckdb.connect(str(path), read_only=True)
    assert before.execute("SELECT max(version) FROM schema_migration").fetchone() == (version,)
    hands = before.execute("FROM hand ORDER BY hand_key").fetchall()
    before.close()
    with open_warehouse(path, at=NOW) as warehouse:
        assert warehouse.cursor().execute("FROM hand ORDER BY hand_key").fetchall() == hands
        assert verify(warehouse.cursor()).is_intact
        found = stats(warehouse)
        assert (found["hands"], found["full_logs"], found["quarantined"], found["batches"]) == (8, 1, 1, 1)
        report = Loader(warehouse, 1, clock).load_all([block(line(hand(hand_id="new", game_id="new")))])
        assert (report.loaded, report.batch) == (1, 2)


@pytest.mark.parametrize("version", VERSIONS)
def test_an_old_warehouse_gets_the_schema_of_a_new_one(old, tmp_path, version):
    assert sorted(schema(old(version))) == sorted(schema(tmp_path / "new.duckdb"))


@pytest.mark.parametrize("version", range(1, 5))
def test_events_missing_from_a_warehouse_that_recorded_no_expiry_count_as_expired(old, version):
    path = old(version)
    with duckdb.connect(str(path)) as before:
        before.execute("DELETE FROM hand_event_log")
    with open_warehouse(path, at=NOW) as warehouse:
        found = verify(warehouse.cursor())
    assert (found.difference, found.full_logs, found.expired_logs) == (None, 0, 1)


@pytest.mark.parametrize("version", range(1, 6))
def test_a_batch_of_an_old_warehouse_keeps_its_hash_and_its_refused_lines(old, clock, version):
    path = old(version)
    with duckdb.connect(str(path)) as before:
        head = before.execute("SELECT batch_hash FROM ingest_batch").fetchone()
    with open_warehouse(path, at=NOW) as warehouse:
        Loader(warehouse, 1, clock).load(block(line(hand(hand_id="new", game_id="new"))))
        batches = warehouse.cursor().execute("FROM ingest_batch SELECT hash_form, refusals, previous_hash")
        assert batches.fetchall() == [(1, 1, bytes(32)), (2, 0, *head)]
        warehouse.cursor().execute("DELETE FROM quarantine")
        difference = verify(warehouse.cursor()).difference
    assert (difference["what"], difference["batch"]) == ("its count of refusals", 1)


def test_an_old_warehouse_is_not_read_as_it_is(old):
    with pytest.raises(
        IngestError, match=f"has schema version 1, this version of Coastal needs {len(VERSIONS)}"
    ):
        open_warehouse(old(1), read_only=True)


def test_a_warehouse_of_a_later_version_is_left_alone(old):
    path = old(len(VERSIONS))
    with open_warehouse(path) as warehouse:
        warehouse.connection.execute("INSERT INTO schema_migration VALUES (99, 'later', $at)", {"at": NOW})
    with pytest.raises(IngestError, match="later version"):
        open_warehouse(path)


def test_no_warehouse_is_a_message(tmp_path):
    with pytest.raises(IngestError, match="there is no warehouse at"):
        open_warehouse(tmp_path / "none.duckdb", create=False)


def test_a_file_that_is_no_warehouse_is_a_message(tmp_path):
    path = tmp_path / "x.duckdb"
    path.write_bytes(b"not a database" * 1000)
    with pytest.raises(NotAWarehouseError, match="is no warehouse"):
        open_warehouse(path)
