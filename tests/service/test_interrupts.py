"""What a signal does to work that counts only whole."""

import os
import signal
import subprocess
import sys

import pytest

from service.interrupts import StopAtEdge


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
