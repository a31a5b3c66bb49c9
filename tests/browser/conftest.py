"""A dashboard over a small league, and a headless Chromium to look at it."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

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
#: How long the server may take to start, and a page to show something: a chart is slow without a GPU.
START_SECONDS = 60
LOOK_SECONDS = 40

expect.set_options(timeout=LOOK_SECONDS * 1000)


@pytest.fixture(scope="session")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the pages of a small league with `coastal dashboard`; yield their address."""
    folder = tmp_path_factory.mktemp("league")
    warehouse = publish_fixture(folder / "coastal.duckdb", crowd=60)
    port = _free_port()
    command = [str(Path(sys.executable).with_name("coastal")), "dashboard"]
    with (folder / "server.log").open("w") as log:
        server = subprocess.Popen(
            [*command, "--warehouse", str(warehouse), "--port", str(port)], stdout=log, stderr=log
        )
        try:
            _wait_until_up(f"http://127.0.0.1:{port}/_stcore/health", server)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(timeout=20)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """Yield a page of a viewer who comes for the first time."""
    context = chromium.new_context(viewport={"width": 1280, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(LOOK_SECONDS * 1000)
    yield page
    context.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_up(health: str, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        assert server.poll() is None, "the server ended before it was up"
        try:
            with urllib.request.urlopen(health, timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"{health} did not answer within {START_SECONDS} s")
