"""What lies beside a warehouse is its own: no other warehouse's name stands for it."""

import os
from datetime import UTC, datetime

import pytest

from engine.errors import IngestError, WarehouseBusyError
from ingest.backup import back_up, restore
from ingest.snapshot import open_snapshot, publish, snapshots_directory
from ingest.warehouse import open_warehouse, runs_directory
from tests.support.writers import build_counts


def test_a_warehouse_s_runs_and_snapshots_are_named_after_it(tmp_path):
    with open_warehouse(tmp_path / "data" / "coastal.duckdb") as warehouse:
        assert warehouse.runs_directory == tmp_path / "data" / "coastal.runs"
    assert snapshots_directory("data/league.2025.duckdb").name == "league.2025.snapshots"
    assert runs_directory("data/league.2025.duckdb").name == "league.2025.runs"


@pytest.mark.parametrize(
    ("name", "runs"), [("league.2025", "league.2025.runs"), ("league.db", "league.db.runs")]
)
def test_another_ending_is_part_of_the_name(tmp_path, name, runs):
    with open_warehouse(tmp_path / name) as warehouse:
        assert warehouse.runs_directory == tmp_path / runs


def test_a_link_stands_for_the_warehouse_and_what_lies_beside_it(tmp_path):
    path, link = tmp_path / "real" / "league.duckdb", tmp_path / "link.duckdb"
    path.parent.mkdir()
    link.symlink_to("real/league.duckdb")
    with open_warehouse(link) as warehouse:
        assert warehouse.runs_directory == path.parent / "league.runs"
        assert publish(warehouse, build_counts, datetime(2026, 2, 1, tzinfo=UTC)) == 1
        with pytest.raises(WarehouseBusyError, match=f"process {os.getpid()} on"):
            open_warehouse(path)
        with open_snapshot(link) as snapshot:
            assert snapshot.path == path.parent / "league.snapshots" / "1.duckdb"
        back_up(warehouse, tmp_path / "one.tar.zst")
    with pytest.raises(IngestError, match=r"league\.duckdb exists already"):
        restore(tmp_path / "one.tar.zst", link)
    (tmp_path / "elsewhere.duckdb").symlink_to("real/other.duckdb")
    restore(tmp_path / "one.tar.zst", tmp_path / "elsewhere.duckdb")
    assert (path.parent / "other.snapshots" / "CURRENT").exists()
    assert {file.name for file in tmp_path.iterdir() if file.name != "one.tar.zst"} == {
        "real", "link.duckdb", "elsewhere.duckdb",
    }  # fmt: skip


@pytest.mark.parametrize("ending", ["wal", "wal.checkpoint", "wal.recovery", "doublewrite"])
def test_a_new_warehouse_takes_in_no_log_of_another(tmp_path, ending):
    path = tmp_path / "league.duckdb"
    log = tmp_path / f"league.duckdb.{ending}"
    log.write_bytes(b"of the warehouse that was here")
    with pytest.raises(IngestError, match=rf"league\.duckdb\.{ending} exists already"):
        open_warehouse(path)
    assert log.exists()
    assert not path.exists()
    log.unlink()
    open_warehouse(path).close()
