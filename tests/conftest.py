"""What several rooms' tests share: one demo league, built once a run by the real command."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

# The first call of a compiled rule may compile it: no time limit an example.
settings.register_profile("coastal", deadline=None)
settings.load_profile("coastal")

PROJECT = Path(__file__).resolve().parent.parent
COASTAL = Path(sys.executable).with_name("coastal")


@pytest.fixture(scope="session")
def demo_home(tmp_path_factory):
    """A folder in which `coastal demo` has run; shared by every test and worker, so never written to."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    home = shared / "demo-home"
    with (shared / "demo-home.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not home.exists():
            home.mkdir()
            run = subprocess.run([COASTAL, "demo"], cwd=home, capture_output=True, text=True, timeout=280)
            (home / "demo.rc").write_text(f"{run.returncode}\n{run.stderr}")
        outcome = (home / "demo.rc").read_text()
    assert outcome.startswith("0\n"), outcome
    return home
