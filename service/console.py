"""What every command shares: where messages go, how it exits, how it names the warehouse."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NoReturn, TextIO

import orjson
import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.segment import Segment
from rich.text import Text

DEFAULT_WAREHOUSE = Path("data/coastal.duckdb")

#: Exit codes of the command: fine; findings or a refused request; wrong use or unreadable input.
FINE, REFUSED, WRONG_USE = 0, 1, 2
#: Stopped by Ctrl-C.
INTERRUPTED = 130

#: Control characters but tab and line feed: from a name in a log they would command the terminal.
_CONTROL = {code: "\ufffd" for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n"}


#: How wide lines are that go to a file or a pipe, which has no columns of its own.
_PIPE_COLUMNS = 160


def has_columns(stream: TextIO) -> bool:
    """Say whether a stream, or its user, says how wide it is."""
    return stream.isatty() or "COLUMNS" in os.environ


class PlainConsole(Console):
    """A console on which text from a log is only ever text."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        """Give the segments of what is printed, each control character in their text replaced."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else text.translate(_CONTROL), style, control)


#: Messages, tables for people and progress go here; data goes to stdout.
messages = PlainConsole(stderr=True, highlight=False, soft_wrap=True)
#: What people asked to see, when they did not ask for JSON.
output = PlainConsole(highlight=False, width=None if has_columns(sys.stdout) else _PIPE_COLUMNS)

WarehouseOption = Annotated[
    Path,
    typer.Option(
        "--warehouse",
        envvar="COASTAL_WAREHOUSE",
        help="The warehouse file; its snapshots and runs lie beside it.",
        show_default=str(DEFAULT_WAREHOUSE),
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print data as JSON on stdout.")]


def print_json(value: Any) -> None:
    """Print one JSON document on a line of stdout."""
    sys.stdout.buffer.write(orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY) + b"\n")
    sys.stdout.buffer.flush()


def print_json_lines(values: Iterable[Any]) -> None:
    """Print JSON Lines on stdout, one value a line."""
    for value in values:
        print_json(value)


def fail(message: str, code: int = REFUSED) -> NoReturn:
    """Say what went wrong, as plain text, and end the command with an exit code."""
    messages.print(message, style="bold red", markup=False, soft_wrap=True)
    raise typer.Exit(code)


class SpeedColumn(ProgressColumn):
    """The unit of the amounts before it, and how much is done in a second."""

    def render(self, task: Task) -> Text:
        """Return the unit and the speed; of a task that has only begun, the unit alone."""
        speed, unit = task.finished_speed or task.speed, task.fields["unit"]
        if speed is None:
            return Text(unit)
        return Text(f"{unit}, {speed:,.{0 if speed >= 10 else 1}f}/s")


class _ShareRate(ProgressColumn):
    """How many hundredths of the whole are done in a second."""

    def render(self, task: Task) -> Text:
        """Return the present speed; nothing of a task that has only begun."""
        speed = task.finished_speed or task.speed
        return Text(f"{100 * speed / task.total:.1f}%/s" if speed and task.total else "")


@contextmanager
def progress(label: str, total: float | None, unit: str = "hands") -> Iterator[Progress]:
    """Show a bar with rate and time left on stderr; silent where stderr is not a terminal.

    Args:
        label: What is being done.
        total: How much there is to do, in units; None where that is not known yet.
        unit: What is counted. A task that is added later names its own, as `unit`.
    """
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        SpeedColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=messages,
        disable=not messages.is_terminal,
    ) as bar:
        bar.add_task(label, total=total, unit=unit)
        yield bar


@contextmanager
def share_done(label: str, *, of_bytes: bool = False) -> Iterator[Callable[[float, float], None] | None]:
    """Show a bar of bytes, or of what has no unit: how much of it is done, the rate and the time left.

    Gives what is to be told how much is done and how much there is; None where stderr is not a terminal.
    """
    if not messages.is_terminal:
        yield None
        return
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        *((DownloadColumn(), TransferSpeedColumn()) if of_bytes else (TaskProgressColumn(), _ShareRate())),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=messages,
    ) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
