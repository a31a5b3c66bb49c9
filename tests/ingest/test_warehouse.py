"""What lies beside a warehouse is its own: no other warehouse's name stands for it."""

import pytest

from engine.errors import NotAWarehouseError
from ingest.backup import back_up, restore
from ingest.snapshot import open_snapshot, snapshots_directory
from ingest.warehouse import open_warehouse, runs_directory


def test_a_warehouse_s_runs_and_snapshots_are_named_after_it(tmp_path):
    with open_warehouse(tmp_path / "data" / "coastal.duckdb") as warehouse:
        assert warehouse.runs_directory == tmp_path / "data" / "coastal.runs"
    assert snapshots_directory("data/league.2025.duckdb").name == "league.2025.snapshots"
    assert runs_directory("data/league.2025.duckdb").name == "league.2025.runs"


@pytest.mark.parametrize("name", ["league", "league.2025", "league.db", "league.DUCKDB", ".duckdb"])
def test_a_name_that_would_share_the_runs_of_another_is_refused(tmp_path, name):
    path = tmp_path / name
    with open_warehouse(tmp_path / "league.duckdb") as league:
        back_up(league, tmp_path / "one.tar.zst")
    for use in (open_warehouse, open_snapshot, lambda path: restore(tmp_path / "one.tar.zst", path)):
        with pytest.raises(NotAWarehouseError, match=rf"is no warehouse: .* as {path}\.duckdb$"):
            use(path)
    assert not path.exists()
