"""The pages as a viewer opens them, over a published snapshot of a small league."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from tests.support.serving_fixture import publish_fixture

APP = Path(__file__).parents[2] / "dashboards" / "app.py"
PLAYER_PAGE = "app_pages/player_page.py"

Open = Callable[..., AppTest]


def read(markdown: str) -> str:
    """Return escaped Markdown as it reads on the page."""
    return markdown.replace("\u2060", "").replace("\\", "").replace("\u00a0", " ")


@pytest.fixture(scope="session")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the warehouse of a league with a published snapshot."""
    return publish_fixture(tmp_path_factory.mktemp("league") / "coastal.duckdb", crowd=60)


@pytest.fixture
def viewed(league: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the league the one that the pages show, to anybody; return its warehouse."""
    monkeypatch.setenv("COASTAL_WAREHOUSE", str(league))
    monkeypatch.delenv("COASTAL_OPERATOR", raising=False)
    return league


@pytest.fixture
def open_home(viewed: Path) -> Open:
    """Return a way to open the home page at an address."""
    return lambda **address: _run(AppTest.from_file(str(APP), default_timeout=20), address)


@pytest.fixture
def open_player(viewed: Path) -> Open:
    """Return a way to open the player page at an address."""

    def opened(**address: str) -> AppTest:
        app = _run(AppTest.from_file(str(APP), default_timeout=20), {})
        app.switch_page(PLAYER_PAGE)
        return _run(app, address)

    return opened


@pytest.fixture(autouse=True)
def _fresh_caches() -> None:
    st.cache_data.clear()
    st.cache_resource.clear()


def turn_to(app: AppTest, page: int) -> AppTest:
    """Turn the one long list of a page to another of its pages."""
    (key,) = (key for key in app.session_state if str(key).startswith("page of"))
    app.session_state[key] = page
    return app.run()


def _run(app: AppTest, address: dict[str, str]) -> AppTest:
    for name, value in address.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception, app.exception[0].message
    return app
