"""The progress bar says how much is done, in which unit, and how fast."""

from io import StringIO

import pytest
from rich.console import Console
from rich.panel import Panel
from rich.progress import Progress
from rich.text import Text

from service import console
from service.interrupts import StopAtEdge
from service.loading import read_with_progress
from tests.support.hand_lines import HAND, line


@pytest.fixture
def terminal(monkeypatch):
    """What a terminal would show."""
    shown = StringIO()
    screen = Console(file=shown, force_terminal=True, color_system=None, width=200)
    monkeypatch.setattr(console, "messages", screen)
    return shown


@pytest.mark.parametrize(("done", "speed"), [(3, "1.5/s"), (30, "15/s"), (90_000, "45,000/s")])
def test_speed_is_what_is_done_in_a_second(done, speed):
    instants = iter([0.0, 1.0, 3.0])
    bar = Progress(get_time=lambda: next(instants))
    task = bar.add_task("Loading", total=100_000, unit="MiB")
    column = console.SpeedColumn()
    assert column.render(bar.tasks[0]).plain == "MiB"
    bar.update(task, completed=1)
    bar.update(task, completed=1 + done)
    assert column.render(bar.tasks[0]).plain == f"MiB, {speed}"


def test_hands_are_counted_where_nothing_else_is_said(terminal):
    with console.progress("Verifying", 10) as bar:
        bar.update(bar.task_ids[0], completed=4)
    assert "4/10 hands" in terminal.getvalue()


def test_what_has_no_unit_is_told_as_a_share(terminal):
    with console.share_done("Publishing") as told:
        told(1, 4)
        told(2, 4)
        told(3, 4)
    assert "Publishing" in terminal.getvalue()
    assert "75%" in terminal.getvalue()
    assert "%/s" in terminal.getvalue()


def test_bytes_are_told_with_their_rate(terminal):
    with console.share_done("Backing up", of_bytes=True) as told:
        told(1_000_000, 4_000_000)
        told(2_000_000, 4_000_000)
        told(3_000_000, 4_000_000)
    assert "3.0/4.0 MB" in terminal.getvalue()
    assert "B/s" in terminal.getvalue()


def test_nothing_asks_for_a_share_where_nobody_looks(monkeypatch):
    monkeypatch.setattr(console, "messages", Console(file=StringIO(), force_terminal=False))
    with console.share_done("Publishing") as told:
        assert told is None


def test_files_are_read_in_mib(terminal, tmp_path):
    file = tmp_path / "hands.jsonl"
    file.write_bytes((line(HAND) + b"\n") * 3000)
    size = file.stat().st_size
    with StopAtEdge() as stop:
        assert sum(map(len, read_with_progress("Loading", [str(file)], stop))) == 3000
    assert f"{size >> 20}/{size >> 20} MiB" in terminal.getvalue()


@pytest.mark.parametrize("printed", [Text, str, lambda text: Panel(Text(text))])
def test_control_characters_from_a_log_do_not_reach_the_terminal(printed):
    screen = console.PlainConsole(file=StringIO(), force_terminal=True, highlight=False, width=60)
    screen.print(printed("Zed\x1b]0;owned\x07\x9b31m ü\n"), style="bold red", markup=False)
    written = screen.file.getvalue()
    assert "\x1b]0" not in written
    assert not {"\x07", "\x9b"} & set(written)
    assert "Zed\ufffd]0;owned" in written
    assert "ü" in written


@pytest.mark.parametrize(("columns", "is_known"), [("80", True), (None, False)])
def test_a_pipe_is_as_wide_as_its_user_says(monkeypatch, columns, is_known):
    monkeypatch.delenv("COLUMNS", raising=False)
    if columns:
        monkeypatch.setenv("COLUMNS", columns)
    assert console.has_columns(StringIO()) == is_known
