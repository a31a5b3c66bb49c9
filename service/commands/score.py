"""`coastal score`: positions at the end of a hand to points and ledgers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer
from rich.table import Table
from rich.text import Text

from engine.end_position import read_position, score
from engine.errors import CoastalError, PositionError, RuleSetError
from service.console import FINE, REFUSED, WRONG_USE, JsonOption, fail, messages, output, print_json


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("score")(score_file)


def score_file(
    file: Annotated[Path, typer.Argument(help="JSON Lines of canasta-position/1.", show_default=False)],
    json: JsonOption = False,
) -> None:
    """Score positions at the end of a hand: points and ledger of each side.

    A position that no play reaches is refused with the reason, and the others are scored. With --json a
    refusal has a code: invalid_json, position_form, unknown_rules or impossible_position.

    Example: `coastal score tests/engine/cases/scoring.jsonl --json`
    """
    try:
        lines = file.read_bytes().splitlines()
    except OSError as error:
        fail(f"cannot read {file}: {error.strerror}", WRONG_USE)
    exit_code = FINE
    for answer in _answers(lines):
        if "error" in answer:
            exit_code = max(exit_code, answer.pop("exit_code"))
            messages.print(f"{file}:{answer['line']}: {answer['error']}", style="bold red", markup=False)
        if json:
            print_json(answer)
        elif "ledger" in answer:
            output.print(_table(answer))
    raise typer.Exit(exit_code)


def _answers(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """Yield an answer for each line that is not blank: a score, or an error with its exit code."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        position: Any = None
        try:
            position = orjson.loads(line)
            yield _scored(position)
        except orjson.JSONDecodeError as error:
            answer = {"line": number, "code": "invalid_json", "error": f"not JSON: {error}"}
            yield answer | {"exit_code": WRONG_USE}
        except _RefusedError as refused:
            name = position.get("id") if isinstance(position, dict) else None
            answer = {"id": name, "line": number, "code": refused.code, "error": str(refused)}
            yield answer | {"exit_code": REFUSED}


class _RefusedError(CoastalError):
    """A position is refused, under a stable code."""

    def __init__(self, code: str, error: CoastalError) -> None:
        super().__init__(str(error))
        self.code = code


def _scored(data: object) -> dict[str, Any]:
    try:
        position = read_position(data)
    except PositionError as error:
        raise _RefusedError("position_form", error) from error
    try:
        ledgers = score(position)
    except RuleSetError as error:
        raise _RefusedError("unknown_rules", error) from error
    except PositionError as error:
        raise _RefusedError("impossible_position", error) from error
    return {
        "id": position.id,
        "points": [ledger.points for ledger in ledgers],
        "ledger": [ledger._asdict() for ledger in ledgers],
    }


def _table(answer: dict[str, Any]) -> Table:
    table = Table(title=Text(answer["id"]), title_justify="left")
    table.add_column("")
    for side in range(len(answer["ledger"])):
        table.add_column(f"side {side}", justify="right")
    for part in answer["ledger"][0]:
        table.add_row(part.replace("_", " "), *(f"{ledger[part]:,}" for ledger in answer["ledger"]))
    table.add_section()
    table.add_row("points", *(f"{points:,}" for points in answer["points"]))
    return table
