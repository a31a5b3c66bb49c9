"""What a signal does to work that counts only whole."""

import os
import signal
import subprocess
import sys
import time

import pytest

from service.interrupts import StopAtEdge
from tests.conftest import COASTAL


def test_items_that_count_only_together_are_abandoned_by_a_signal():
    with StopAtEdge() as stop:
        items = stop.all_or_none(stop.until_stopped([1, 2, 3]))
        assert next(items) == 1
        os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            next(items)


def test_items_that_count_only_together_all_come_without_a_signal():
    with StopAtEdge() as stop:
        assert list(stop.all_or_none(stop.until_stopped([1, 2, 3]))) == [1, 2, 3]


def test_an_interrupt_of_a_command_says_that_it_stopped(tmp_path):
    words = ["simulate", "--hands", "10000000", "--out", str(tmp_path / "hands.jsonl")]
    running = subprocess.Popen([COASTAL, *words], stderr=subprocess.PIPE, text=True)
    while not any(tmp_path.iterdir()):
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    said = running.communicate(timeout=60)[1]
    assert running.returncode == 130
    assert said.splitlines()[-1] == "Stopped."


def test_an_interrupt_during_a_query_is_no_traceback():
    program = (
        "import os, signal, threading\n"
        "import duckdb\n"
        "from service import cli\n"
        "def run():\n"
        "    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "    duckdb.sql('SELECT sum(hash(range)) FROM range(100_000_000_000)').fetchall()\n"
        "cli.command_line = lambda wanted: run\n"
        "cli.main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (130, "Stopped.\n")
