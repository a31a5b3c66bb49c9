"""The `coastal` command: finds the module of the command asked for and turns errors into exit codes."""

from __future__ import annotations

import importlib
import sys
from importlib.abc import MetaPathFinder
from importlib.metadata import version
from typing import Annotated, Final

import typer

from engine.compiling import tell_once
from engine.errors import CoastalError, MissingWarehouseError, NotAWarehouseError
from service.console import INTERRUPTED, REFUSED, WRONG_USE, messages, output

#: The module of each command, in the order of `coastal --help`.
MODULES: Final = {
    "simulate": "simulate",
    "score": "score",
    "show": "show",
    "check": "ingest",
    "ingest": "ingest",
    "quarantine": "quarantine",
    "void": "corrections",
    "correct": "corrections",
    "history": "corrections",
    "stats": "upkeep",
    "verify": "upkeep",
    "backup": "upkeep",
    "restore": "upkeep",
    "retention": "upkeep",
    "replay": "runs",
    "rate": "runs",
    "publish": "runs",
    "runs": "runs",
    "player": "ratings",
    "leaderboard": "ratings",
    "export": "ratings",
    "audit": "audit",
    "compare": "compare",
    "demo": "demo",
    "dashboard": "dashboard",
}

#: What DuckDB and pyarrow raise where a file's content is not what it should be.
_OF_A_FILE: Final = {
    ("_duckdb", "Error"),
    ("_duckdb", "IOException"),
    ("_duckdb", "InvalidInputException"),
    ("pyarrow", "ArrowInvalid"),
}
_COMPILING: Final = "Compiling what this needs for the first time; it is kept for the next."


def _tell_version(is_asked: bool) -> None:
    if is_asked:
        output.print(f"coastal {version('coastal')}", highlight=False)
        raise typer.Exit


def coastal(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_tell_version)
    ] = False,
) -> None:
    """Ratings you can trust for canasta: simulate, check, ingest, replay, audit, look."""


def command_line(wanted: str | None = None) -> typer.Typer:
    """Return the command with the commands of one module, or with all.

    Importing only what is asked for saves a second of every start.

    Args:
        wanted: The command that will be run; None, or none of `MODULES`, for all.
    """
    app = typer.Typer(
        name="coastal",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode="markdown",
    )
    app.callback()(coastal)
    modules = [MODULES[wanted]] if wanted in MODULES else MODULES.values()
    for module in dict.fromkeys(modules):
        importlib.import_module(f"service.commands.{module}").register(app)
    return app


def __getattr__(name: str) -> typer.Typer:
    """Give `app`, the command with everything, to those who import it."""
    if name == "app":
        return command_line()
    raise AttributeError(name)


class _NoPandas(MetaPathFinder):
    """Says that pandas is not installed, to save its import: most of a second of every start.

    DuckDB and pyarrow import it if they can, only to ask whether a value is one of pandas' own. No command
    hands over any; the dashboard, which does, is a process of its own.
    """

    def find_spec(self, name: str, path: object, target: object = None) -> None:
        """Refuse pandas; leave every other name to the next finder."""
        if name == "pandas":
            raise ModuleNotFoundError("no command needs pandas", name=name)


def main() -> None:
    """Run the command; a `CoastalError` or Ctrl-C is a message and an exit code, never a traceback."""
    sys.meta_path.insert(0, _NoPandas())
    tell_once(lambda: messages.print(_COMPILING))
    for word in sys.argv[1:]:
        if not _is_utf_8(word):
            messages.print(f"{word!r} is not UTF-8: write it in UTF-8, or rename the file", markup=False)
            sys.exit(WRONG_USE)
    try:
        command_line(sys.argv[1] if len(sys.argv) > 1 else None)()
    except CoastalError as error:
        messages.print(str(error), style="bold red", markup=False, soft_wrap=True)
        is_wrong_use = isinstance(error, MissingWarehouseError | NotAWarehouseError)
        sys.exit(WRONG_USE if is_wrong_use else REFUSED)
    except SystemExit as done:
        if done.code == INTERRUPTED:
            messages.print("Stopped.")
        raise
    except (KeyboardInterrupt, Exception) as error:
        # DuckDB turns a Ctrl-C that comes during a query into an error of this text.
        if isinstance(error, KeyboardInterrupt) or str(error) == "Query interrupted":
            messages.print("Stopped.")
            sys.exit(INTERRUPTED)
        if not _is_of_a_file(error):
            raise
        reason = str(error).partition("\n")[0]
        messages.print(f"A file cannot be read or written: {reason}", style="bold red", markup=False)
        sys.exit(REFUSED)


def _is_utf_8(word: str) -> bool:
    """Say whether the system could read a word; where not, Python keeps its bytes as surrogates."""
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_of_a_file(error: BaseException) -> bool:
    """Say whether an error is one of the disk, or of a file whose content is damaged."""
    if isinstance(error, OSError):
        return not isinstance(error, BrokenPipeError)
    module, name = type(error).__module__.partition(".")[0], type(error).__name__
    return (module, name) in _OF_A_FILE
