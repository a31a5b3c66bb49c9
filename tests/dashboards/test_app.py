"""What the pages say where there is nothing to show, or what another version published."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboards.conftest import APP, PLAYER_PAGE
from tests.support.serving_fixture import publish_fixture


def test_a_snapshot_of_another_version_says_to_publish_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse = publish_fixture(tmp_path / "coastal.duckdb")
    (snapshot,) = (tmp_path / "coastal.snapshots").glob("*.duckdb")
    with duckdb.connect(str(snapshot)) as connection:
        connection.execute("ALTER TABLE player_stats DROP COLUMN out_known_hands")
    monkeypatch.setenv("COASTAL_WAREHOUSE", str(warehouse))
    app = AppTest.from_file(str(APP), default_timeout=20).run()
    app.switch_page(PLAYER_PAGE)
    app.query_params["player"] = "p-ana"
    app.run()
    assert app.title[-1].value == "Published by another version"
    assert app.code[0].value == f"coastal publish --warehouse {warehouse}"
