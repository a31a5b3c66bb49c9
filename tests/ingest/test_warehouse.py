"""What lies beside a warehouse is its own: no other warehouse's name stands for it."""

import os
import subprocess
import sys
from datetime import UTC, datetime

import duckdb
import pytest

from engine.errors import IngestError, NotAWarehouseError, WarehouseBusyError
from ingest.backup import back_up, restore
from ingest.paths import runs_directory
from ingest.snapshot import open_snapshot, publish, snapshots_directory
from ingest.warehouse import open_warehouse
from tests.support.writers import build_counts

STRANGER = "import sys, duckdb; duckdb.connect(sys.argv[1])"
READER = "import sys; from ingest.warehouse import open_warehouse as o; o(sys.argv[1], read_only=True)"


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


def test_a_file_with_tables_of_something_else_is_no_warehouse(tmp_path):
    path = tmp_path / "sales.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE sale (euros INTEGER)")
    before = path.read_bytes()
    for read_only in (False, True):
        with pytest.raises(NotAWarehouseError, match="holds other tables"):
            open_warehouse(path, read_only=read_only)
    assert path.read_bytes() == before


def test_no_other_process_gets_at_the_file_of_an_open_warehouse(tmp_path):
    """DuckDB's own lock on it goes when this process closes any descriptor of the file."""
    path = tmp_path / "coastal.duckdb"
    with open_warehouse(path) as warehouse:
        publish(warehouse, build_counts, datetime(2026, 2, 1, tzinfo=UTC))
        back_up(warehouse, tmp_path / "one.tar.zst")
        with pytest.raises(WarehouseBusyError):
            open_warehouse(path, read_only=True)
        assert "Could not set lock on file" in told_by(
            "import sys, duckdb; duckdb.connect(sys.argv[1])", path
        )
    assert told_by("import sys, duckdb; duckdb.connect(sys.argv[1])", path) == ""


READER = (
    "import sys; from ingest.warehouse import open_warehouse; open_warehouse(sys.argv[1], read_only=True)"
)


def test_a_reader_that_ended_is_not_said_to_have_the_warehouse(tmp_path):
    path = tmp_path / "coastal.duckdb"
    open_warehouse(path).close()
    with open_warehouse(path, read_only=True):
        assert told_by(READER, path) == ""
        with pytest.raises(WarehouseBusyError, match="in use by another process"):
            open_warehouse(path)


def test_a_command_whose_words_are_not_utf_8_can_have_the_warehouse(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["coastal", "ingest", os.fsdecode(b"caf\xe9.jsonl")])
    with open_warehouse(tmp_path / "coastal.duckdb"), pytest.raises(WarehouseBusyError, match="ingest caf"):
        open_warehouse(tmp_path / "coastal.duckdb")


def told_by(program, path):
    """Return what a Python program says on stderr."""
    return subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True).stderr
