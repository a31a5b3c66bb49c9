"""A dashboard over a small league, and a headless Chromium to look at it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.support.dashboard_server import serving
from tests.support.serving_fixture import publish_fixture

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
#: What Chromium needs in a container, and what keeps it from calling anybody.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
#: How long a page may take to show something: a chart is slow without a GPU.
LOOK_MILLISECONDS = 60_000

expect.set_options(timeout=LOOK_MILLISECONDS)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def dashboard(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the pages of a small league; yield their address."""
    warehouse = publish_fixture(tmp_path_factory.mktemp("league") / "coastal.duckdb", crowd=60)
    with serving(warehouse) as address:
        yield address


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """Yield a page of a viewer who comes for the first time."""
    context = chromium.new_context(viewport={"width": 1280, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(LOOK_MILLISECONDS)
    yield page
    context.close()
