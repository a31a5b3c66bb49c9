"""A running dashboard, started the way a user starts it."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: The first start after a change of the engine compiles it.
START_SECONDS = 300


@contextmanager
def serving(warehouse: Path, *options: str) -> Iterator[str]:
    """Serve a warehouse's snapshot with `coastal dashboard`; yield the address, and end the server."""
    port = _free_port()
    command = [str(Path(sys.executable).with_name("coastal")), "dashboard", *options]
    with (warehouse.parent / "server.log").open("w") as log:
        server = subprocess.Popen(
            [*command, "--warehouse", str(warehouse), "--port", str(port)],
            cwd=warehouse.parent,
            stdout=log,
            stderr=log,
        )
        try:
            _wait_until_up(f"http://127.0.0.1:{port}/_stcore/health", server)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(timeout=20)


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
