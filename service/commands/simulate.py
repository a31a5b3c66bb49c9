"""`coastal simulate`: hands by computer players, written as a hand log."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, Annotated, Final, cast

import numpy as np
import typer
import zstandard

from engine.errors import CoastalError
from engine.players.skill import SKILLS, error_rates
from engine.ruleset import RULE_SETS, OptionValue, RuleSet
from ingest.sources import LOG_ENDINGS
from rating.showing import counted
from service.console import WRONG_USE, fail, messages, progress

#: A simulation has no clock of its own: its hands begin here and last this long.
_FIRST_HAND_AT: Final = datetime(2026, 1, 1, tzinfo=UTC)
_HAND_TIME: Final = timedelta(minutes=8)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(simulate)


def simulate(
    out: Annotated[Path, typer.Option(help="The log to write: .jsonl, .jsonl.gz or .jsonl.zst.")],
    ruleset: Annotated[str, typer.Option(help=f"One of {', '.join(RULE_SETS)}.")] = "modern_american",
    hands: Annotated[
        int, typer.Option(min=1, max=100_000_000, help="How many hands; the last game may stay open.")
    ] = 1000,
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Same seed, same bytes.")] = 42,
    players: Annotated[int, typer.Option(min=2, max=4, help="Seats, where there is a choice.")] = 4,
    skills: Annotated[
        str, typer.Option(help=f"Skill of each seat, joined by commas, or of all: {', '.join(SKILLS)}.")
    ] = "expert",
    people: Annotated[
        str | None,
        typer.Option(help="Who sits in each seat, joined by commas; else computers, unrated."),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            help="A house option, NAME=VALUE, as docs/rules.md names them; may be given again. The computer "
            "plays by each, but does not use every freedom that one gives."
        ),
    ] = None,
    summary: Annotated[bool, typer.Option("--summary", help="Write results, no events.")] = False,
) -> None:
    """Simulate hands between computer players and write them as canasta-hand/1.

    Example: `coastal simulate --hands 1000 --people ana,bo,cy,di --out hands.jsonl.gz`
    """
    if not out.name.endswith(LOG_ENDINGS) and (out.is_file() or not out.exists()):
        fail(f"{out}: a log's name ends in {', '.join(LOG_ENDINGS)}", WRONG_USE)
    try:
        rules = RuleSet.for_table(ruleset, players, _parse_options(option or []))
        seats = _parse_skills(skills, rules.players)
        names = _parse_people(people, rules.players)
    except (CoastalError, ValueError) as error:
        fail(str(error), WRONG_USE)
    try:
        with _open_log(out) as log, progress(f"simulating {rules.title}", hands) as bar:
            for lines, count in _lines(rules, seats, names, seed, hands, summary):
                log.write(lines)
                bar.advance(bar.task_ids[0], count)
    except OSError as error:
        fail(f"{out}: {error.strerror}", WRONG_USE)
    messages.print(f"{counted(hands, 'hand')} written to {out}", markup=False)


def _parse_options(texts: list[str]) -> dict[str, OptionValue]:
    options: dict[str, OptionValue] = {}
    for text in texts:
        name, value = (part.strip() for part in text.partition("=")[::2])
        if name in options:
            raise ValueError(f"option {name} is given twice: leave one out")
        if name == "players":
            raise ValueError("option players: give the seats with --players")
        try:
            options[name] = json.loads(value)
        except (ValueError, RecursionError):
            raise ValueError(
                f"option {text!r}: write NAME=VALUE, the value true, false or a number"
            ) from None
    return options


def _parse_skills(text: str, players: int) -> list[str]:
    skills = text.split(",")
    if len(skills) == 1:
        skills *= players
    unknown = [skill for skill in skills if skill not in SKILLS]
    if unknown or len(skills) != players:
        raise ValueError(f"skills {text!r}: give one or {players} of {', '.join(SKILLS)}")
    return skills


def _parse_people(text: str | None, players: int) -> list[str]:
    """Return the person in each seat, or nobody."""
    if text is None:
        return []
    people = text.split(",")
    if len(people) != players or len(set(people)) != players or not all(people):
        raise ValueError(f"people {text!r}: give {players} different ids, one a seat")
    return people


@contextmanager
def _open_log(path: Path) -> Iterator[IO[bytes]]:
    """Open a log for writing, packed as its name says, the same bytes for the same lines.

    A file comes into being, or is replaced, only once it is whole; a pipe or device is written to as it goes.
    """
    draft = path.with_name(f".{path.name}.draft") if path.is_file() or not path.exists() else path
    try:
        with _packed(draft, path.suffix) as file:
            yield file
        if draft != path:
            draft.replace(path)
    except BaseException:
        if draft != path:
            draft.unlink(missing_ok=True)
        raise


@contextmanager
def _packed(path: Path, ending: str) -> Iterator[IO[bytes]]:
    with path.open("wb") as file:
        if ending == ".gz":
            with gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as packed:
                yield cast(IO[bytes], packed)
        elif ending == ".zst":
            with zstandard.ZstdCompressor().stream_writer(file) as packed:
                yield packed
        else:
            yield file


def _lines(
    rules: RuleSet, skills: list[str], people: list[str], seed: int, wanted: int, summary: bool
) -> Iterator[tuple[bytes, int]]:
    """Yield the log in pieces, each with its number of hands, until there are as many hands as wanted."""
    # Compiled code is loaded only by those who simulate.
    from engine.log_writer import HandIdentity, computer, hand_line, human, table_bytes
    from engine.simulator import Schedule, simulate

    rates = [error_rates()[skill] for skill in skills]
    schedule = Schedule.of_games(np.arange(wanted), rules, rates)
    seats = [computer(seat, rules, skill) for seat, skill in enumerate(skills)]
    if people:
        seats = [human(seat, rules, player) for seat, player in enumerate(people)]
    table = table_bytes(rules, seats)
    # Other players or rules make other hands, so they get other ids; the same ones make the same hands again.
    played = table + (",".join(skills).encode() if people else b"") + str(seed).encode()
    run = f"sim-{hashlib.sha256(played).hexdigest()[:8]}"
    written = 0
    for batch in simulate(rules, schedule, seed=seed, log="summary" if summary else "full"):
        lines = []
        for row in range(min(len(batch), wanted - written)):
            game, hand_no = int(batch.game[row]), int(batch.hand_no[row])
            start = _FIRST_HAND_AT + _HAND_TIME * (written + row)
            identity = HandIdentity(
                hand_id=f"{run}-g{game:06}-h{hand_no:03}",
                game_id=f"{run}-g{game:06}",
                hand_no=hand_no,
                started_at=f"{start:%Y-%m-%dT%H:%M:%SZ}",
                ended_at=f"{start + _HAND_TIME:%Y-%m-%dT%H:%M:%SZ}",
                seed=f"{seed}:{game}",
            )
            lines.append(hand_line(identity, table, batch.text_of(row)) + b"\n")
        written += len(lines)
        yield b"".join(lines), len(lines)
        if written == wanted:
            return
