"""`coastal dashboard`: it serves this machine alone, from any folder, with the project's configuration."""

from __future__ import annotations

import urllib.request
from pathlib import Path

from tests.support.dashboard_server import serving


def test_serves_this_machine_alone_from_any_folder(tmp_path: Path) -> None:
    with serving(tmp_path / "coastal.duckdb") as address, urllib.request.urlopen(address) as home:
        assert "text/html" in home.headers["Content-Type"]
    # Without the project's configuration it would listen to every network and send usage statistics.
    log = (tmp_path / "server.log").read_text(encoding="utf-8")
    assert f"URL: {address}" in log
    assert "Network URL" not in log
    assert "statistics" not in log
